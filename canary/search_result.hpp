// What one search saw and what it could not see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "canary/headers.hpp"
#include "canary/hit.hpp"
#include "canary/pattern.hpp"
#include "canary/unseen.hpp"
#include "evidence/control.hpp"
#include "evidence/instant.hpp"

namespace telltale::canary {

struct Counts {
  std::uint64_t files = 0;         // regular files opened and searched, each inode once
  std::uint64_t with_content = 0;  // of these, those that gave at least one byte or a hole
  std::uint64_t again = 0;         // further names of a file that was searched already
  std::uint64_t folders = 0;
  std::uint64_t links = 0;    // symbolic links, read and not followed
  std::uint64_t special = 0;  // sockets, FIFOs and devices: named, not opened
  std::uint64_t attributes = 0;
  std::uint64_t read = 0;         // bytes of files
  std::uint64_t holes = 0;        // bytes of files that are stored nowhere
  std::uint64_t unread = 0;       // bytes of opened files that could not be read
  std::uint64_t decoded = 0;      // bytes that unpackers made
  std::uint64_t passed_over = 0;  // bytes of archives, in no whole member: searched as they stand

  void add(const Counts& other);
};

struct SearchResult {
  // Takes over what another thread saw: counts, hits, unseen and headers. Nothing is sorted.
  void merge(SearchResult&& other);
  // Paths below `root` are written with `name` in its place: "${work}" for a folder that is gone by
  // the time a report is read.
  void name_root(const std::string& root, const std::string& name);

  std::vector<std::string> roots;
  std::vector<Pattern> patterns;
  Counts counts;
  std::vector<Hit> hits;       // sorted
  std::vector<Unseen> unseen;  // sorted by path
  HeaderTable headers;
  std::vector<evidence::Control> controls;
  evidence::Instant started = evidence::now();
  evidence::Instant ended = started;
  int interrupted_by = 0;  // SIGINT, SIGTERM or 0; the rest is then what was seen so far
};

}  // namespace telltale::canary

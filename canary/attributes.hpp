// Extended attributes (xattr(7)): a place for content that no listing of files shows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "canary/walk.hpp"

namespace telltale::canary {

class AttributeReader {
 public:
  AttributeReader();

  using Visit = std::function<void(const std::string& name, std::string_view value)>;

  // Each attribute of an open file or folder. Returns why some could not be read, or "". A file
  // system without attributes has none to read.
  [[nodiscard]] std::string read(int fd, const Visit& visit);
  // Of what must not or cannot be opened: links, sockets, devices, unreadable files. Named through
  // /proc/self/fd, since no system call takes a folder's descriptor and a name here (before
  // Linux 6.13).
  [[nodiscard]] std::string read(const Entry& entry, const Visit& visit);

 private:
  template <class List, class Get>
  std::string read_with(const List& list, const Get& get, const Visit& visit);

  // 64 KiB each: the kernel's limits for the list of names and for one value.
  std::string names_;
  std::string value_;
};

}  // namespace telltale::canary

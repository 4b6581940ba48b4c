#include "canary/search_result.hpp"

#include <iterator>

namespace telltale::canary {

void Counts::add(const Counts& other) {
  files += other.files;
  with_content += other.with_content;
  again += other.again;
  folders += other.folders;
  links += other.links;
  special += other.special;
  attributes += other.attributes;
  read += other.read;
  holes += other.holes;
  unread += other.unread;
  decoded += other.decoded;
  passed_over += other.passed_over;
}

void SearchResult::merge(SearchResult&& other) {
  counts.add(other.counts);
  std::move(other.hits.begin(), other.hits.end(), std::back_inserter(hits));
  std::move(other.unseen.begin(), other.unseen.end(), std::back_inserter(unseen));
  headers.merge(other.headers);
}

void SearchResult::name_root(const std::string& root, const std::string& name) {
  const auto rename = [&](std::string& path) {
    if (path.starts_with(root)) path.replace(0, root.size(), name);
  };
  for (auto& hit : hits) rename(hit.path);
  for (auto& one : unseen) rename(one.path);
  headers.name_root(root, name);
}

}  // namespace telltale::canary

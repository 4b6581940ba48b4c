#include "canary/attributes.hpp"

#include <fmt/core.h>
#include <linux/limits.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstring>

namespace telltale::canary {

AttributeReader::AttributeReader() : names_(XATTR_LIST_MAX, '\0'), value_(XATTR_SIZE_MAX, '\0') {}

template <class List, class Get>
std::string AttributeReader::read_with(const List& list, const Get& get, const Visit& visit) {
  const auto length = list(names_.data(), names_.size());
  if (length < 0 && errno == ENOTSUP) return "";
  if (length < 0)
    return fmt::format("has extended attributes that could not be listed: {}",
                       std::strerror(errno));
  std::string problem;
  const std::string_view names(names_.data(), static_cast<std::size_t>(length));
  for (std::size_t at = 0; at < names.size();) {
    const std::string name(names.substr(at, names.find('\0', at) - at));
    at += name.size() + 1;
    const auto size = get(name.c_str(), value_.data(), value_.size());
    if (size < 0)
      problem = fmt::format("has an extended attribute {} that could not be read: {}", name,
                            std::strerror(errno));
    visit(name, {value_.data(), size < 0 ? 0 : static_cast<std::size_t>(size)});
  }
  return problem;
}

std::string AttributeReader::read(int fd, const Visit& visit) {
  return read_with([&](char* into, std::size_t size) { return flistxattr(fd, into, size); },
                   [&](const char* name, char* into, std::size_t size) {
                     return fgetxattr(fd, name, into, size);
                   },
                   visit);
}

std::string AttributeReader::read(const Entry& entry, const Visit& visit) {
  const auto path = entry.is_root()
                        ? entry.path
                        : fmt::format("/proc/self/fd/{}/{}", entry.folder(), entry.name());
  return read_with(
      [&](char* into, std::size_t size) { return llistxattr(path.c_str(), into, size); },
      [&](const char* name, char* into, std::size_t size) {
        return lgetxattr(path.c_str(), name, into, size);
      },
      visit);
}

}  // namespace telltale::canary

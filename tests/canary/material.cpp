#include "material.hpp"

#include <zlib.h>

#include <stdexcept>

namespace telltale::canary {

std::string filler(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + (i >> 8) * 7);
  return bytes;
}

std::string filler_with(std::size_t size, std::size_t at, std::string_view value) {
  return filler(size).replace(at, value.size(), value);
}

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

SearchPlan plan_for(std::vector<std::string> roots, const std::string& value) {
  SearchPlan plan;
  plan.roots = std::move(roots);
  plan.patterns = canary_patterns(1, value).value();
  return plan;
}

std::vector<std::string> places(const SearchResult& result) {
  std::vector<std::string> all;
  for (const auto& hit : result.hits) all.push_back(hit.where());
  return all;
}

}  // namespace telltale::canary

#include "catcher/fetch.hpp"

#include <curl/curl.h>
#include <fmt/core.h>

#include <memory>

namespace telltale::catcher {

namespace {

std::size_t discard(char*, std::size_t size, std::size_t count, void*) {
  return size * count;
}

}  // namespace

Told fetch(const std::string& url) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return failed_with("libcurl did not start");
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, 5'000L);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);  // one thread of several
  const auto code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return failed_with(curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return {true, fmt::format("fetched {}", status)};
}

}  // namespace telltale::catcher

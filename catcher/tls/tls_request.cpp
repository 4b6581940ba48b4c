#include "catcher/tls/tls_request.hpp"

#include <curl/curl.h>
#include <fmt/core.h>

#include <cstdlib>
#include <memory>

namespace telltale::catcher {

namespace {

constexpr long kRequestWait = 5'000;  // milliseconds

// An answer is the mode's to give, or not; whether TLS was agreed on is not.
bool is_agreed(CURLcode code) {
  return code != CURLE_COULDNT_CONNECT && code != CURLE_SSL_CONNECT_ERROR &&
         code != CURLE_PEER_FAILED_VERIFICATION && code != CURLE_SSL_CACERT_BADFILE;
}

CURLcode request(CURL* curl, const Words& words) {
  const bool six = words[1].find(':') != std::string::npos;
  const auto way = fmt::format("::{}:{}", six ? "[" + words[1] + "]" : words[1], words[2]);
  const auto url = fmt::format("https://{}/{}", words[3], words[4]);
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> ways(
      curl_slist_append(nullptr, way.c_str()), curl_slist_free_all);
  if (const char* trusted = std::getenv("CURL_CA_BUNDLE"))
    curl_easy_setopt(curl, CURLOPT_CAINFO, trusted);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_CONNECT_TO, ways.get());
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION,
                   words[5] == "2" ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, kRequestWait);
  return curl_easy_perform(curl);
}

}  // namespace

std::optional<Told> request_by_tls(const Words& words) {
  if (words.size() != 6 || words[0] != "request") return std::nullopt;
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return failed_with("libcurl did not start");
  const auto code = request(curl.get(), words);
  if (!is_agreed(code)) return failed_with(curl_easy_strerror(code));
  return Told{true, "said"};
}

}  // namespace telltale::catcher

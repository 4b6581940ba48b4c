#include "sweep/curl_transfer.hpp"

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <new>

#include "sweep/address.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

constexpr long kMostRedirects = 5;

template <class T>
void set(CURL* easy, CURLoption option, T value) {
  if (curl_easy_setopt(easy, option, value) != CURLE_OK) throw std::bad_alloc();
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (auto& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

std::optional<long> seconds(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

CurlTransfer::CurlTransfer(const Request& request, const FetchOptions& options, bool one_byte)
    : request_(request),
      options_(options),
      easy_(curl_easy_init()),
      at_(request.url),
      one_byte_(one_byte) {
  if (easy_ == nullptr) throw std::bad_alloc();
  response_.url = request.url;
  set(easy_, CURLOPT_URL, request.url.c_str());
  set(easy_, request.presence && !one_byte ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1L);
  if (one_byte) set(easy_, CURLOPT_RANGE, "0-0");
  set(easy_, CURLOPT_PATH_AS_IS, 1L);
  set(easy_, CURLOPT_USERAGENT, options.user_agent.c_str());
  set(easy_, CURLOPT_WRITEFUNCTION, &CurlTransfer::take_body);
  set(easy_, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_HEADERFUNCTION, &CurlTransfer::take_header);
  set(easy_, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(easy_, CURLOPT_PRIVATE, static_cast<void*>(this));
  set(easy_, CURLOPT_ERRORBUFFER, error_.data());
  set_credential_free();
  set_transport();
}

CurlTransfer::~CurlTransfer() {
  curl_easy_cleanup(easy_);
}

void CurlTransfer::set_credential_free() {
  set(easy_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(easy_, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);  // holds for redirects too
  // An empty text, not "unset": unset means http_proxy and no_proxy of the environment.
  set(easy_, CURLOPT_PROXY, options_.proxy.c_str());
  set(easy_, CURLOPT_NOPROXY, "");
  if (!options_.ca_file.empty()) set(easy_, CURLOPT_CAINFO, options_.ca_file.c_str());
}

void CurlTransfer::set_transport() {
  set(easy_, CURLOPT_NOSIGNAL, 1L);
  set(easy_, CURLOPT_PROTOCOLS_STR, "http,https");  // holds for redirects too
  set(easy_, CURLOPT_FOLLOWLOCATION, 1L);
  set(easy_, CURLOPT_MAXREDIRS, kMostRedirects);
  set(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(easy_, CURLOPT_PIPEWAIT, 1L);
  set(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.count()));
  set(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.count()));
}

std::size_t CurlTransfer::take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<CurlTransfer*>(self);
  auto& body = transfer.response_.body;
  const auto length = size * count;
  // A server that knows no ranges sends all of it: its status has said what was asked.
  if (transfer.one_byte_ && length > 1) return 0;
  if (length > transfer.request_.body_limit - body.size()) {
    transfer.too_long_ = true;
    return 0;
  }
  body.append(bytes, length);
  return length;
}

std::size_t CurlTransfer::take_header(char* bytes, std::size_t size, std::size_t count,
                                      void* self) {
  static_cast<CurlTransfer*>(self)->header(trim(std::string_view(bytes, size * count)));
  return size * count;
}

// Headers of every answer on the way arrive here; those of a redirect are dropped when the next
// status line comes.
void CurlTransfer::header(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    response_.content_type.clear();
    response_.date.clear();
    response_.age.reset();
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto key = lower(line.substr(0, colon));
  const auto value = trim(line.substr(colon + 1));
  if (key == "age") response_.age = seconds(value);
  if (key == "date") response_.date = excerpt(value);
  if (key == "content-type") response_.content_type = excerpt(value);
  if (key != "location") return;
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  if (status < 300 || status > 399) return;
  at_ = resolved(at_, std::string(value));
  response_.redirect_hosts.push_back(host_of(at_));
}

std::string CurlTransfer::failure(CURLcode code) const {
  if (one_byte_ && code == CURLE_WRITE_ERROR) return {};
  if (too_long_) return fmt::format("the answer is longer than {} bytes", request_.body_limit);
  switch (code) {
    case CURLE_OK:
      return {};
    case CURLE_OPERATION_TIMEDOUT:
      return fmt::format("timed out ({})", error_.data());
    case CURLE_PARTIAL_FILE:
      return "the answer was cut off";
    case CURLE_LOGIN_DENIED:
      return "it redirects to an address with a user name in it";
    case CURLE_UNSUPPORTED_PROTOCOL:
      return "it redirects to something that is not http or https";
    default:
      return error_[0] != '\0' ? excerpt(error_.data(), 160) : curl_easy_strerror(code);
  }
}

Response CurlTransfer::finish(CURLcode code) {
  long status = 0, version = 0;
  curl_off_t retry_after = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy_, CURLINFO_HTTP_VERSION, &version);
  curl_easy_getinfo(easy_, CURLINFO_RETRY_AFTER, &retry_after);
  timed_out_ = code == CURLE_OPERATION_TIMEDOUT;
  response_.status = static_cast<int>(status);
  response_.bytes = response_.body.size();
  response_.failure = failure(code);
  if (retry_after > 0) response_.retry_after = static_cast<long>(retry_after);
  if (version == CURL_HTTP_VERSION_2_0) response_.http_version = "2";
  if (version == CURL_HTTP_VERSION_1_1) response_.http_version = "1.1";
  if (version == CURL_HTTP_VERSION_1_0) response_.http_version = "1.0";
  return std::move(response_);
}

}  // namespace telltale::sweep

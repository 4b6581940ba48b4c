#include "sweep/address.hpp"

#include <curl/curl.h>
#include <fmt/core.h>

#include <memory>

namespace telltale::sweep {

namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

Url parsed(const std::string& text) {
  Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
    return nullptr;
  return url;
}

std::string part(const Url& url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK || text == nullptr) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

}  // namespace

Result<std::string> checked_address(const std::string& address, const std::string& what) {
  const auto url = parsed(address);
  if (!url)
    return fail(Fault::input, fmt::format("{} is no address of the form https://host/path", what),
                "give the whole address, with http:// or https://");
  if (!part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty() ||
      address.substr(0, address.find('/', address.find("://") + 3)).find('@') != std::string::npos)
    return fail(Fault::input, fmt::format("{} carries a user name or a password", what),
                "take it out: the question is what can be fetched with no credential");
  const auto scheme = part(url, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https")
    return fail(Fault::input, fmt::format("{} is a {}: address", what, scheme),
                "only http:// and https:// are asked; a folder of this machine proves nothing of "
                "what others can fetch");
  if (address.find_first_of("?#") != std::string::npos)
    return fail(Fault::input, fmt::format("{} has a query or a fragment", what),
                "give the address that ends before the module's name");
  auto checked = address;
  while (checked.ends_with('/')) checked.pop_back();
  return checked;
}

std::string host_of(const std::string& text) {
  const auto url = parsed(text);
  if (!url) return {};
  const auto host = part(url, CURLUPART_HOST), port = part(url, CURLUPART_PORT);
  const auto usual = part(url, CURLUPART_SCHEME) == "https" ? "443" : "80";
  return port.empty() || port == usual ? host : host + ":" + port;
}

std::string resolved(const std::string& base, const std::string& location) {
  const auto url = parsed(base);
  if (!url) return {};
  if (curl_url_set(url.get(), CURLUPART_URL, location.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
      CURLUE_OK)
    return {};
  return part(url, CURLUPART_URL);
}

}  // namespace telltale::sweep

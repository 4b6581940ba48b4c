// One attempt at one question, as a libcurl easy handle.
#pragma once

#include <curl/curl.h>

#include <array>
#include <string>

#include "sweep/exchange.hpp"
#include "sweep/fetcher.hpp"

namespace telltale::sweep {

class CurlTransfer {
 public:
  // Both must outlive it.
  // `one_byte`: a GET of the first byte in place of a HEAD.
  CurlTransfer(const Request& request, const FetchOptions& options, bool one_byte = false);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  [[nodiscard]] CURL* handle() const { return easy_; }
  // What came back, once the multi handle has said that the transfer is done.
  [[nodiscard]] Response finish(CURLcode code);
  // Valid after finish().
  [[nodiscard]] bool timed_out() const { return timed_out_; }

 private:
  static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* self);
  void header(std::string_view line);
  void set_credential_free();
  void set_transport();
  [[nodiscard]] std::string failure(CURLcode code) const;

  const Request& request_;
  const FetchOptions& options_;
  CURL* easy_;
  Response response_;
  std::string at_;  // the address that the headers now arriving belong to
  bool one_byte_;
  bool too_long_ = false;
  bool timed_out_ = false;
  std::array<char, CURL_ERROR_SIZE> error_{};
};

}  // namespace telltale::sweep

// One HTTP/1.1 request and its response over a kept connection: the cheap client of the doors.
//
// The request is rendered beforehand and leaves with one send; the answer is read with as few
// system calls as it arrives in. What the per-call table measures is HttpResponse::took.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "evidence/result.hpp"
#include "subject/wire/endpoint.hpp"
#include "subject/wire/http_response.hpp"

namespace telltale::subject {

class HttpExchange {
 public:
  // True when the body so far is all that the caller wants: an event stream may never end.
  using Enough = std::function<bool(const HttpResponse& so_far)>;

  explicit HttpExchange(Enclosure& enclosure, int interrupt_fd = -1);
  HttpExchange(HttpExchange&&) noexcept;
  HttpExchange& operator=(HttpExchange&&) noexcept;
  ~HttpExchange();

  // Where to, and whether TLS is spoken there (not verified, see tls_stream.hpp). A kept connection
  // to another place is closed.
  void aim(Endpoint endpoint, bool tls);

  // Sends the request and reads the whole response, redirects included: they are not followed. The
  // result lives until the next call. `head`: it is a HEAD request.
  //
  // When a kept connection turns out to be closed before a byte of the answer came, the request is
  // sent once more on a new one, as other clients do: a subject may have closed it for being idle.
  // So in that one case the subject may see a request twice.
  //
  // Fault::subject: nothing listens, no HTTP, cut, too late. Fault::interrupted.
  [[nodiscard]] Result<const HttpResponse*> exchange(std::string_view request, Milliseconds limit,
                                                     bool head = false, const Enough& enough = {});
  void close();
  // Of the last exchange; not known when nothing could be connected.
  [[nodiscard]] const Peer& peer() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace telltale::subject

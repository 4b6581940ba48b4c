// One question to a registry over HTTP, and what came back. Plain data: the fetcher fills it, a
// registry judges it, the report shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::sweep {

// Four answers, never two: "not there", "not for you" and "no usable answer" are different things.
enum class Answer {
  fetchable,  // served, whole, and what was asked for
  absent,     // 404 or 410
  refused,    // 401, 403, 407, 451; 429 that did not end
  unknown     // 5xx, time-out, garbage, cut off, no connection, anything else
};

[[nodiscard]] std::string_view name(Answer answer);

struct Request {
  std::string url;                    // http or https, absolute
  std::size_t body_limit = 1U << 20;  // bytes; a longer body is an answer of no use
  bool confirm_absent = false;        // ask once more when it is absent
  // Only whether it is there: a HEAD, and where that is not understood (405, 501) a GET of one
  // byte.
  bool presence = false;
};

struct Response {
  std::string url;           // as asked
  int status = 0;            // of the last attempt; 0: no answer came
  std::string failure;       // why no whole answer came ("timed out after 30 s"); else empty
  std::string body;          // at most the request's limit
  std::uint64_t bytes = 0;   // of the body, as it came
  std::string http_version;  // "1.1", "2"; empty: no answer
  std::string content_type;
  std::optional<long> age;          // seconds that a cache held it (RFC 9111, Age)
  std::string date;                 // the answer's Date header, as sent
  std::optional<long> retry_after;  // seconds, of the last attempt; also from the date form
  int attempts = 0;
  bool flapping = false;                    // absent at first, served when asked again
  std::vector<std::string> redirect_hosts;  // "host:port" each redirect of the last attempt led to
};

// From the status alone; the body is judged by whoever knows the protocol. A response with a
// failure is always unknown.
[[nodiscard]] Answer answer_of(const Response& response);

// One clause for a person: `403 "Forbidden by policy"`, "timed out after 30 s".
[[nodiscard]] std::string describe(const Response& response);

}  // namespace telltale::sweep

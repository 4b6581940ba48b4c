// TLS over a stream, by OpenSSL.
//
// The subject's certificate is NOT verified: no chain, no name, no date. The tool speaks to the
// program that it started itself, on loopback, whose certificate is mostly self-signed; who is at
// the other end is known from the process tree. Nothing may rest on the peer's identity here.
#pragma once

#include <memory>
#include <string>

#include "evidence/result.hpp"
#include "subject/wire/stream.hpp"

namespace telltale::subject {

// Shakes hands. `host` is sent as the server name unless it is an address; `peer` names the other
// end in errors (Fault::subject).
[[nodiscard]] Result<std::unique_ptr<Stream>> tls_stream(std::unique_ptr<Stream> below,
                                                         const std::string& host,
                                                         const std::string& peer,
                                                         const Deadline& deadline);

}  // namespace telltale::subject

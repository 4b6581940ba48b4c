#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "subject/doors/makers.hpp"
#include "subject/doors/ports.hpp"
#include "subject/doors/raw.hpp"
#include "subject/quote.hpp"

namespace telltale::subject {

Result<std::uint16_t> port_number(const std::string& written, const Variables& variables) {
  auto expanded = variables.expand(written);
  if (!expanded) return pass_on(std::move(expanded.error()));
  const auto* declared = variables.find("port." + *expanded);
  const std::string& digits = declared != nullptr ? *declared : *expanded;
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size() || port == 0)
    return fail(Fault::input, fmt::format("{} is not a port", quote(written)),
                "write a name of `ports:` or a number from 1 to 65535");
  return port;
}

MadeDoor make_tcp_door(const Step& step, const DoorContext& context) {
  const auto& call = std::get<TcpCall>(step.call);
  auto where = [port = call.port](const Variables& variables) -> Result<Endpoint> {
    const auto number = port_number(port, variables);
    if (!number) return pass_on(number.error());
    return Endpoint{"localhost", *number, {}};
  };
  return std::make_unique<RawDoor>(std::move(where), call.send, step.expect, context);
}

}  // namespace telltale::subject

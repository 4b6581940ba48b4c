#include <memory>

#include "subject/doors/http.hpp"
#include "subject/doors/makers.hpp"
#include "subject/doors/raw.hpp"

namespace telltale::subject {

MadeDoor make_unix_door(const Step& step, const DoorContext& context) {
  const auto& call = std::get<UnixCall>(step.call);
  if (call.http) return std::make_unique<HttpDoor>(*call.http, call.path, context);
  auto where = [written = call.path](const Variables& variables) -> Result<Endpoint> {
    auto path = variables.expand(written);
    if (!path) return pass_on(std::move(path.error()));
    return Endpoint{{}, 0, std::move(*path)};
  };
  return std::make_unique<RawDoor>(std::move(where), call.send, step.expect, context);
}

}  // namespace telltale::subject

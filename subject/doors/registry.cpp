// Every kind of door. A new one: a call in specification.hpp, a file beside this one, a line here.
#include <array>

#include "subject/doors/makers.hpp"

namespace telltale::subject {

namespace {

struct Kind {
  bool (*is)(const Call& call);
  MadeDoor (*make)(const Step& step, const DoorContext& context);
};

template <class Wanted>
bool is(const Call& call) {
  return std::holds_alternative<Wanted>(call);
}

constexpr std::array kKinds = {
    Kind{is<HttpCall>, make_http_door}, Kind{is<McpCall>, make_mcp_door},
    Kind{is<TcpCall>, make_tcp_door},   Kind{is<UnixCall>, make_unix_door},
    Kind{is<ExecCall>, make_exec_door}, Kind{is<PageCall>, make_page_door},
};
static_assert(kKinds.size() == std::variant_size_v<Call>, "a kind of call has no door");

}  // namespace

Result<std::unique_ptr<Door>> open_door(const Step& step, const DoorContext& context) {
  for (const auto& kind : kKinds)
    if (kind.is(step.call)) return kind.make(step, context);
  return fail(Fault::instrument, "the call of step " + step.name + " is of no known kind");
}

}  // namespace telltale::subject

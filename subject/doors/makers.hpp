// The makers that doors/registry.cpp lists, one a kind of call.
#pragma once

#include "subject/doors/door.hpp"

namespace telltale::subject {

using MadeDoor = Result<std::unique_ptr<Door>>;

[[nodiscard]] MadeDoor make_http_door(const Step& step, const DoorContext& context);
[[nodiscard]] MadeDoor make_mcp_door(const Step& step, const DoorContext& context);
[[nodiscard]] MadeDoor make_tcp_door(const Step& step, const DoorContext& context);
[[nodiscard]] MadeDoor make_unix_door(const Step& step, const DoorContext& context);
[[nodiscard]] MadeDoor make_exec_door(const Step& step, const DoorContext& context);
[[nodiscard]] MadeDoor make_page_door(const Step& step, const DoorContext& context);

}  // namespace telltale::subject

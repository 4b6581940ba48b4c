// The observers that answer, in a sealed world: which of its sockets each serves.
//
//   NameTable names;
//   Resolver resolver(scene, names, resolver_plan(world));
//   Answerer answerer(scene, names, answerer_plan(world, AnswerMode::accept_close));
//   DatagramSink sink(scene, names, datagram_sink_plan(world));
//
// The world outlives them.
#pragma once

#include "catcher/answerer.hpp"
#include "catcher/datagram_sink.hpp"
#include "catcher/resolver.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher {

[[nodiscard]] ResolverPlan resolver_plan(World& world, bool no_such_name = false);
[[nodiscard]] AnswererPlan answerer_plan(World& world, AnswerMode mode);
[[nodiscard]] DatagramSinkPlan datagram_sink_plan(World& world);

}  // namespace telltale::catcher

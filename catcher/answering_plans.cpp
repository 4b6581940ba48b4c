#include "catcher/answering_plans.hpp"

namespace telltale::catcher {

namespace {

FarSide far_side(World& world) {
  FarSide side;
  side.in_world = [&world](const FarSide::Work& work) { return world.in_world(work); };
  side.in_subject = [&world](const FarSide::Work& work) { return world.in_subject(work); };
  return side;
}

SocketSource source(const subject::FileDescriptor& socket) {
  return [&socket] { return socket.get(); };
}

}  // namespace

ResolverPlan resolver_plan(World& world, bool no_such_name) {
  ResolverPlan plan;
  plan.udp = source(world.redirected().dns_udp);
  plan.tcp = source(world.redirected().dns_tcp);
  plan.side = far_side(world);
  plan.no_such_name = no_such_name;
  return plan;
}

AnswererPlan answerer_plan(World& world, AnswerMode mode) {
  AnswererPlan plan;
  plan.tcp = source(world.redirected().tcp);
  plan.side = far_side(world);
  plan.mode = mode;
  return plan;
}

DatagramSinkPlan datagram_sink_plan(World& world) {
  DatagramSinkPlan plan;
  plan.udp = source(world.redirected().udp);
  plan.side = far_side(world);
  return plan;
}

}  // namespace telltale::catcher

// The registration of observers: one line each.
#include <fmt/core.h>

#include "catcher/observer.hpp"
#include "catcher/proxy.hpp"
#include "catcher/sampler.hpp"

namespace telltale::catcher {

std::string control_name(const Observer& observer, const std::string& when) {
  return fmt::format("{}, {}", observer.name(), when);
}

std::vector<std::unique_ptr<Observer>> plain_observers(Scene& scene) {
  auto proxy = std::make_unique<Proxy>(scene);
  const auto* port_of = proxy.get();
  std::vector<std::unique_ptr<Observer>> observers;
  observers.push_back(std::move(proxy));
  observers.push_back(std::make_unique<Sampler>(scene, [port_of] { return port_of->port(); }));
  return observers;
}

}  // namespace telltale::catcher

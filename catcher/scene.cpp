#include "catcher/scene.hpp"

namespace telltale::catcher {

void Scene::set(int launch, std::string phase) {
  const std::lock_guard lock(mutex_);
  moment_ = {launch, std::move(phase)};
}

Moment Scene::moment() const {
  const std::lock_guard lock(mutex_);
  return moment_;
}

void Scene::add_caller(pid_t pid) {
  const std::lock_guard lock(mutex_);
  callers_.insert(pid);
}

bool Scene::is_caller(pid_t pid) const {
  const std::lock_guard lock(mutex_);
  return callers_.count(pid) != 0;
}

}  // namespace telltale::catcher

#include "catcher/scene.hpp"

namespace telltale::catcher {

void Scene::set(int launch, std::string phase) {
  std::vector<std::function<void(const Moment&)>> calls;
  Moment leaving;
  {
    const std::lock_guard lock(mutex_);
    calls = on_leave_;
    leaving = moment_;
  }
  for (const auto& call : calls) call(leaving);
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

void Scene::add_control(const std::string& host, std::uint16_t port) {
  const std::lock_guard lock(mutex_);
  controls_.emplace(host, port);
}

bool Scene::is_control(const std::string& host, std::uint16_t port) const {
  const std::lock_guard lock(mutex_);
  return controls_.count({host, port}) != 0;
}

void Scene::set_party(std::string party) {
  const std::lock_guard lock(mutex_);
  party_ = std::move(party);
}

std::string Scene::party() const {
  const std::lock_guard lock(mutex_);
  return party_;
}

void Scene::add_party(pid_t pid, const std::string& party) {
  const std::lock_guard lock(mutex_);
  parties_.insert_or_assign(pid, party);
}

std::string Scene::party_of(pid_t pid) const {
  const std::lock_guard lock(mutex_);
  const auto known = parties_.find(pid);
  return known == parties_.end() ? std::string() : known->second;
}

void Scene::on_leave(std::function<void(const Moment&)> call) {
  const std::lock_guard lock(mutex_);
  on_leave_.push_back(std::move(call));
}

}  // namespace telltale::catcher

#include "subject/launch/given.hpp"

#include "subject/environment.hpp"

namespace telltale::subject {

namespace {

void set_all(Pairs& into, const Pairs& from) {
  for (const auto& [name, value] : from) set_variable(into, name, value);
}

}  // namespace

Given given_to(const Specification& specification, const Difference* difference) {
  Given given{specification.command, specification.env, specification.secrets, specification.files};
  set_all(given.env, specification.secrets);
  if (difference == nullptr) return given;
  if (!difference->command.empty()) given.command = difference->command;
  set_all(given.env, difference->env);
  set_all(given.env, difference->secrets);
  set_all(given.secrets, difference->secrets);
  set_all(given.files, difference->files);
  return given;
}

}  // namespace telltale::subject

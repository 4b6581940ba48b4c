// A registry: how modules of one ecosystem are asked for, and how its answers read.
//
// It asks nothing itself: it makes questions and judges responses; survey.hpp carries them to the
// fetcher. To add one: a file here with its Registry, one line in registries/registry.cpp, and the
// public address in registries/table.hpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"
#include "sweep/exchange.hpp"
#include "sweep/module.hpp"

namespace telltale::sweep {

// Where a registry is asked. Several stand in the order in which a client would try them.
struct Endpoint {
  std::string address;             // "https://proxy.example/go", no slash at its end
  bool next_on_any_error = false;  // else the next is tried only when this one says "absent"
};

struct Endpoints {
  std::vector<Endpoint> list;  // never empty
  std::string chosen_by;       // "--registry", "GOPROXY of the environment", "the public registry"
  std::vector<std::string> notes;  // what of the configuration was not followed ("direct")
};

struct Question {
  std::string what;            // "info", "mod", "zip", "list"
  std::string path;            // below the endpoint, escaped, with its slash in front
  std::size_t body_limit = 0;  // bytes
  bool presence = false;       // as Request::presence
};

struct Judged {
  Answer answer = Answer::unknown;
  std::string reason;  // one clause; empty when fetchable
};

// How the version that is served stands in the registry's own list of versions.
enum class Publication {
  release,
  prerelease,
  pseudo_version,   // a commit, of a module that has releases too
  no_release,       // a commit, of a module that has only commits
  served_but_gone,  // served, and missing from the list: its repository or tag may be gone
  nothing,          // not served
  unknown           // the list was not answered
};
[[nodiscard]] std::string_view name(Publication publication);

class Registry {
 public:
  virtual ~Registry() = default;
  [[nodiscard]] virtual std::string_view ecosystem() const = 0;  // as Module::ecosystem
  [[nodiscard]] virtual std::string_view title() const = 0;      // "Go module proxy"

  // `choice` is what the user said: "" (the public registry), "configured", or an address.
  [[nodiscard]] virtual Result<Endpoints> endpoints(const std::string& choice) const = 0;

  // Marks a module that must not or cannot be asked: the user's settings call it private (unless
  // `ask_private`), or its name or version is not valid. Never sends anything.
  virtual void screen(Module& module, bool ask_private) const = 0;

  // All of these need a module that screen() has left to be asked.
  [[nodiscard]] virtual Question existence(const Module& module) const = 0;
  // Asked after, when existence said fetchable; each must be fetchable too.
  [[nodiscard]] virtual std::vector<Question> confirmations(const Module& module) const = 0;
  // The list of versions; it never decides whether the module is fetchable.
  [[nodiscard]] virtual Question catalogue(const Module& module) const = 0;
  [[nodiscard]] virtual Judged judge(const Question& question, const Module& module,
                                     const Response& response) const = 0;
  [[nodiscard]] virtual Publication publication(const Module& module, Answer existence,
                                                const Response& catalogue) const = 0;

  // For the controls. `nonce` is random letters and digits, new for each.
  [[nodiscard]] virtual Module missing_module(const std::string& nonce) const = 0;
  [[nodiscard]] virtual Module missing_version(const Module& real,
                                               const std::string& nonce) const = 0;
  // A module that every registry of this kind serves, for when none of the needed ones answers.
  [[nodiscard]] virtual Module well_known() const = 0;
};

// The world that a registry's configuration is read from, so that tests can script it.
struct Settings {
  std::function<const char*(const char*)> variable;  // like getenv; nullptr: not set
};
[[nodiscard]] Settings settings_of_this_process();

// nullptr when no registry is known for the ecosystem.
[[nodiscard]] std::unique_ptr<Registry> make_registry(std::string_view ecosystem,
                                                      const Settings& settings);

}  // namespace telltale::sweep

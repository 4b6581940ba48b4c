// What shows that a registry can be believed: asked before the sweep and after it, at every host.
//
//   missing module     random, cannot exist    must be 404 or 410
//   missing version    of a real needed module must be 404 or 410
//   known-good module  needed, real            must be served
//
// The first two defeat a registry that serves everything, or denies instead of saying "not there";
// the third one that says "not there" to everything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/control.hpp"
#include "sweep/fetcher.hpp"
#include "sweep/registries/registry.hpp"

namespace telltale::sweep {

class Controls {
 public:
  // `candidates` are modules that the registry is about to be asked for; the first one that is
  // served becomes the known-good one. All references must outlive this.
  Controls(const Registry& registry, const Endpoint& endpoint, std::vector<Module> candidates,
           Fetcher& fetcher);

  // Asks all three, in one go. `when` is "before" or "after".
  void run(const std::string& when);

  [[nodiscard]] const std::vector<evidence::Control>& controls() const { return controls_; }
  // The names that a verdict needs, whether they ran or not.
  [[nodiscard]] std::vector<std::string> required() const;
  // Not one question has had an HTTP answer so far: there is no use in asking more.
  [[nodiscard]] bool silent() const { return silent_; }
  // Why, when it is: "Could not resolve host".
  [[nodiscard]] const std::string& silence() const { return silence_; }

 private:
  [[nodiscard]] std::vector<Response> ask(const std::vector<Module>& modules);
  [[nodiscard]] bool served(const Module& module, const Response& response) const;
  [[nodiscard]] std::string control_name(const std::string& what, const std::string& when) const;
  void negative(const std::string& what, const std::string& when, const Module& module,
                const Response& response);
  void positive(const std::string& when, const Module& module, const Response& response);
  // The first candidate after the first that is served, else the last; fills in its response.
  [[nodiscard]] Module try_the_others(Response& response);

  const Registry& registry_;
  const Endpoint& endpoint_;
  std::vector<Module> candidates_;
  Fetcher& fetcher_;
  std::string host_;
  std::optional<Module> good_;
  std::vector<evidence::Control> controls_;
  bool silent_ = true;
  std::string silence_;
};

// 26 random lower-case letters and digits (124 bits or more, from the kernel).
[[nodiscard]] std::string random_nonce();

}  // namespace telltale::sweep

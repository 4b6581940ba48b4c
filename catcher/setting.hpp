// Where an egress run takes place: an enclosure, with the observers that belong to it.
//
// plain   the machine as it is; proxy and sampler. Reduced assurance.
// landlock  the machine as it is, but the kernel refuses the subject every TCP connection, and the
//         witness's supervisor makes it instead, to the answerer (landlock/broker.hpp). Reduced.
// sealed  a world of its own with no way out (world/world.hpp). Observers that cover each other:
//         resolver, answerer and datagrams answer, tap and ledger count every packet out of the
//         subject's reach, the sampler and the witness say who it was.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catcher/answer_mode.hpp"
#include "catcher/answers/answer_table.hpp"
#include "catcher/companion_place.hpp"
#include "catcher/observer.hpp"
#include "catcher/sent/sent_values.hpp"
#include "catcher/sighting.hpp"
#include "catcher/world/overlay.hpp"
#include "catcher/world/world.hpp"
#include "evidence/control.hpp"
#include "evidence/finding.hpp"
#include "evidence/result.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

// In which launches of a subject.yaml the subject is given proxy variables. They change what some
// programs do, and what they say is read only there.
enum class ProxyVariables { none, one_more, every };

class Setting {
 public:
  virtual ~Setting() = default;
  [[nodiscard]] virtual subject::Enclosure& enclosure() = 0;
  // The enclosure's, less what its observers leave out.
  [[nodiscard]] virtual evidence::Assurance assurance() { return enclosure().assurance(); }
  // New ones, in the order in which they are started. Once a Setting; they do not outlive it.
  [[nodiscard]] virtual std::vector<std::unique_ptr<Observer>> observers(Scene& scene) = 0;
  // The enclosure's own controls, in the observers' round: what must not work from inside. Empty:
  // nothing is claimed.
  virtual void ask(ControlRound&) {}
  [[nodiscard]] virtual std::vector<evidence::Control> check(const std::string& /*when*/,
                                                             const ControlRound&) {
    return {};
  }
  // Once every observer has stopped: what they say of each other, and what is left to write.
  [[nodiscard]] virtual Result<std::vector<evidence::Control>> after_stop() {
    return std::vector<evidence::Control>{};
  }
  // The subject talking to itself, as the topology says: no attempt.
  [[nodiscard]] virtual bool stays_inside(const Sighting&) const { return false; }
  // The name that an address was given out for in this run.
  [[nodiscard]] virtual std::optional<std::string> name_of(const std::string&) const { return {}; }
  // A listener of the tool itself, where controls connect to.
  [[nodiscard]] virtual bool is_the_tools(const Sighting&) const { return false; }
  // A connection of the subject to this run's own proxy.
  [[nodiscard]] virtual bool leads_to_proxy(const Sighting&) const { return false; }
  // Given to the subject and to every control caller, besides what the observers give.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> environment() const {
    return {};
  }
  // The pass that reads TLS begins (true) or ends, for what is started from then on.
  [[nodiscard]] virtual Result<> read_tls(bool) {
    return fail(Fault::input, "TLS is read in the sealed world only", "leave --plain out");
  }
  // What a subject is given while TLS is read; `own` is what it has besides.
  [[nodiscard]] virtual subject::Pairs tls_environment(const subject::Pairs&) const { return {}; }
  // Where the subject has a view of its own of the files (written_files.hpp); empty: it writes to
  // the machine's.
  [[nodiscard]] virtual std::vector<OverlaidFolder> overlaid() const { return {}; }
  [[nodiscard]] virtual ProxyVariables proxy_variables() const { return ProxyVariables::every; }
  // Where the companions of the subject are reached.
  [[nodiscard]] virtual const std::vector<CompanionPlace>& companions() const {
    static const std::vector<CompanionPlace> none;
    return none;
  }
  // The companion that a connection went to or a question was about; nullptr: none.
  [[nodiscard]] virtual const CompanionPlace* companion_at(const Sighting&) const {
    return nullptr;
  }
  // Looks into all that is sent; nullptr: nothing to look for was named. One of observers().
  [[nodiscard]] virtual SentValues* sent_values() const { return nullptr; }
  // "idp.example:80 by the file": servers that were played.
  [[nodiscard]] virtual std::vector<std::string> answered_inside() const { return {}; }
  // What nothing in this setting can see or hold.
  [[nodiscard]] virtual std::vector<evidence::Limit> limits() const { return {}; }
  // What the run did that a reader must know of: "answers: accept-close".
  [[nodiscard]] virtual std::vector<evidence::Row> rows() const { return {}; }
};

// `enclosure` outlives it.
[[nodiscard]] std::unique_ptr<Setting> plain_setting(subject::Enclosure& enclosure);

struct SealedPlan {
  ProxyVariables proxy_variables = ProxyVariables::none;  // else the proxy is one observer more
  AnswerMode answer = AnswerMode::accept_close;
  bool no_such_name = false;  // every DNS question is answered so
  bool witness = true;        // false: none, and reduced assurance
  std::shared_ptr<AnswerTable> answers = std::make_shared<AnswerTable>();
  std::vector<CompanionPlace> companions;
  MakeSentSearch search;      // of values in what is sent; empty: none is looked for
  WorldPlan world;            // what it sees of files, and who it is
  bool changes_user = false;  // the subject is another user than the tool, or root: WorldPlan::ids
  std::filesystem::path capture;  // the tap's file; empty: only its flows are kept
};

// Makes the world: see World::make for when and where to call it.
[[nodiscard]] Result<std::unique_ptr<Setting>> sealed_setting(SealedPlan plan);

// Without namespaces, asked for by name only. `capture` and `changes_user` mean nothing here;
// `keep` are folders whose sockets are the tool's own.
[[nodiscard]] Result<std::unique_ptr<Setting>> landlock_setting(SealedPlan plan);

}  // namespace telltale::catcher

// The observers of one run, together: started, proved around every launch, stopped, and read out
// into the grounds of the verdict.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catcher/attempt.hpp"
#include "catcher/control_caller.hpp"
#include "catcher/daemon_sockets.hpp"
#include "catcher/observer.hpp"
#include "catcher/scene.hpp"
#include "catcher/setting.hpp"
#include "evidence/lane_result.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

class Watch {
 public:
  // `descendants` lists every process that this run has started (Scene). The setting outlives it.
  Watch(Setting& setting, Scene::ProcessList descendants);

  // Starts every observer; the first that cannot ends it. Proof that they see is prove()'s.
  [[nodiscard]] Result<> start();
  // Every observer's control, and the enclosure's own; `when` is "launch 1, before". Required from
  // then on, held or not. Nothing of the subject runs meanwhile: the phase is "control".
  void prove(const std::string& when, ControlCaller& caller);
  // Ends every observer, whatever happens; then their agreement is one control more.
  [[nodiscard]] Result<> stop();

  [[nodiscard]] Scene& scene() { return scene_; }
  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] subject::Enclosure& enclosure() const { return setting_.enclosure(); }
  [[nodiscard]] evidence::Assurance assurance() const { return setting_.assurance(); }
  // The proxy variables and whatever else the observers need the subject to have; nothing, in a
  // launch without them. Who gives variables is proved only in launches that have them.
  [[nodiscard]] subject::Pairs environment() const;
  void give_proxy_variables(bool on) { proxy_variables_ = on; }

  // All so far, by observer; what the control callers did is left out.
  [[nodiscard]] std::vector<Sighting> sightings() const { return sort().outward; }
  // Sightings of one launch so far that lead out, those of companions left out.
  [[nodiscard]] std::size_t seen_in_launch(int launch) const;
  // Where the subject's last connection of that launch went that nobody answered: "stopped at
  // idp.example:443, unanswered"; empty: there was none. For a subject that has ended.
  [[nodiscard]] std::string stopped_at(int launch) const;

  // The question for a companion's name: told as reaching it, and no attempt.
  [[nodiscard]] bool asks_for_companion(const Attempt& attempt) const;
  // What was looked for and left, by value and place.
  [[nodiscard]] std::vector<SentHit> sent_hits() const;
  [[nodiscard]] SentValues* sent_values() const { return setting_.sent_values(); }

  // Where processes of the subject listened in one launch so far, if only for a moment; without
  // those that it asked itself (its own run drove them) and those of companions.
  [[nodiscard]] std::vector<subject::ListeningSocket> listeners(int launch) const;

  // Controls, observers, rows and merged attempts; sightings of the launches in `controls` are
  // those of a deliberate caller and no attempts. Call after stop().
  struct Reading {
    std::vector<Attempt> attempts;
    std::vector<Attempt> deliberate;
    std::vector<Sighting> remarks;   // what was asked and went nowhere: no attempts
    std::vector<Sighting> requests;  // those in which a request was read
  };
  [[nodiscard]] Reading read_into(evidence::LaneRecord& record, const evidence::HostStamp& host,
                                  const std::set<int>& deliberate_launches) const;

 private:
  struct Sorted {
    std::vector<Sighting> outward;    // by observer; what the control callers did is left out
    std::vector<Sighting> to_itself;  // the subject reaching itself, once an address
  };
  [[nodiscard]] Sorted sort() const;
  [[nodiscard]] bool is_the_subjects(const Sighting& sighting) const;
  [[nodiscard]] bool reaches_itself(const Sighting& sighting) const;
  void name(Sighting& sighting) const;
  void name_inside(Sighting& sighting) const;
  using Parties = std::map<pid_t, std::string>;
  // The program of a companion's is then "companion db: /usr/bin/x".
  void name_party(Sighting& sighting, const Parties& witnessed) const;
  [[nodiscard]] bool has_proxy() const;
  void add_companion_rows(const std::vector<Sighting>& remarks, evidence::LaneRecord& record) const;

  Setting& setting_;
  Scene scene_;
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<evidence::Control> controls_;
  bool proxy_variables_;   // the subject is given them in this launch
  DaemonSockets daemons_;  // looked at when it starts and when it stops
};

}  // namespace telltale::catcher

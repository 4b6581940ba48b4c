// The pages that doors opened: which attempts are a page's, and which are the browser's own.
//
// What a browser sends is told by its executable. What it asks for by itself is learnt once a run,
// before the subject's first start: it is left on about:blank for longer than a browser lives that
// opens pages (kBrowserLife). Then, of all that the browser reached out to,
//   what about:blank showed too, and no page asked for, as the browser says, is its own:
//     subtracted, and listed;
//   all the rest is a page's, `page "home"`: of the doors whose page asked for it, or of any, where
//     the browser does not say (what a page sends when it is left, a name or a connection that it
//     wants ahead of any request, WebRTC).
// The browser's account only names and saves from being subtracted; what is counted is what the
// observers saw.
//
// Does not see: what a page does after it was left (its service worker, say); what a page would
// ask for when somebody used it; what a page sends to a host of the browser's own in a way that the
// browser does not say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catcher/attempt.hpp"
#include "catcher/scene.hpp"
#include "evidence/lane_result.hpp"
#include "subject/driver.hpp"

namespace telltale::catcher {

// Of Scene: a browser is left alone, and nothing of the subject runs.
inline constexpr auto kBrowserPhase = "browser";

class Pages {
 public:
  Pages() = default;
  // Of these doors; `opened`: they are opened in this run.
  Pages(std::vector<std::string> doors, bool opened) : doors_(std::move(doors)), opened_(opened) {}

  // The about:blank run; takes 10 s. Once more where something is left that neither it nor a page
  // explains: on a busy machine a browser comes late to its own business. The phase is
  // kBrowserPhase meanwhile, and then what it was.
  [[nodiscard]] Result<> learn_browser(const subject::DoorContext& context, Scene& scene);
  [[nodiscard]] bool is_browser(const std::string& executable) const {
    return browsers_.count(executable) != 0;
  }
  // The drive of one launch.
  void heard(const subject::DriveReport& report);

  // Whether the browser reached out for what no page asked for and about:blank did not show.
  [[nodiscard]] bool puzzled_by(const std::vector<Attempt>& attempts) const;
  // Names the attempts of pages, takes those out that are the browser's own, and returns these.
  [[nodiscard]] std::vector<Attempt> sort_out(std::vector<Attempt>& attempts) const;
  void add_rows(const std::vector<Attempt>& own, evidence::LaneRecord& record) const;
  // "pages": a door answered with a page and none was opened, or page doors were not used.
  [[nodiscard]] std::vector<evidence::Unexamined> unopened() const;

 private:
  [[nodiscard]] std::set<std::string> hosts_of_its_own(const std::vector<Attempt>& all) const;

  struct Asked {
    std::set<std::string> doors;
    std::set<std::string> requests;  // "GET https://cdn.example/x.js", at most kExamples
  };

  std::vector<std::string> doors_;
  bool opened_ = true;
  std::set<std::string> browsers_;      // executables
  std::set<std::string> visited_;       // doors
  std::map<std::string, Asked> asked_;  // by host
  std::set<std::string> html_;          // doors that answered with a page
};

// The host of a URL, as an attempt names it: in small letters, without brackets; empty: none.
[[nodiscard]] std::string host_of(const std::string& url);

}  // namespace telltale::catcher

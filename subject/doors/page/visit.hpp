// One visit of a page, as somebody sees it who was never there before: a browser context of its own
// (no cookie, no cache), the page, what it loads, and its leave-taking.
#pragma once

#include <string>
#include <vector>

#include "subject/doors/page/browser.hpp"

namespace telltale::subject {

struct Visit {
  int status = 0;    // of the document; 0: it was no HTTP (about:blank)
  std::string html;  // the document as scripts have left it
  std::vector<PageRequest> requests;
};

// Ends when the page has loaded and asks for nothing any more, or goes on asking for 3 s after it
// had loaded; then leaves it, so that what a page sends in its last moment is sent too. Frames and
// workers in processes of their own count. Fault::subject: it cannot be reached, or did not load
// before the deadline.
[[nodiscard]] Result<Visit> visit(Browser& browser, const std::string& url,
                                  const Deadline& deadline);

// A browser with a page that asks for nothing, for so long: what is asked for meanwhile is its own
// doing. Returns its executable.
[[nodiscard]] Result<std::string> idle_browser(const DoorContext& context, Milliseconds time);

}  // namespace telltale::subject

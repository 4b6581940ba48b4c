// A control: the observer or the search of this run, pointed at something whose answer is known.
#pragma once

#include <string>

namespace telltale::evidence {

enum class Polarity {
  positive,  // must be seen, found or served
  negative   // must be refused or absent
};

struct Control {
  std::string name;  // unique in its lane; a lane requires controls by this name
  // Whose sight it proves. Empty: no observer's, but a condition of the lane ("every door
  // answered").
  std::string observer;
  Polarity polarity = Polarity::positive;
  std::string expected;  // one line, for a person
  std::string observed;  // one line; what really happened, quoted
  bool held = false;
};

}  // namespace telltale::evidence

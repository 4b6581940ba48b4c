// What should have been looked at and was not.
#pragma once

#include <string>

namespace telltale::canary {

struct Unseen {
  enum class Cause {
    unreadable,  // could not be opened, listed or read
    changed,     // another process wrote to it meanwhile
    undecoded    // read, but something inside it could not be made readable
  };
  std::string path;  // bytes, not text
  std::string why;   // the rest of a sentence that begins with the path
  Cause cause = Cause::unreadable;
};

}  // namespace telltale::canary

// A directory stream of opendir(3) that closes itself.
#pragma once

#include <dirent.h>

#include <memory>

namespace telltale::subject {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

}  // namespace telltale::subject

// What the control run shows of each class of file that the keyed run left.
//
// A control for the folder is not enough: a canary that is found in the write-ahead log hides that
// the search is blind on pages, and the other way round. So each class (file_class() of
// headers.hpp:
// ".db", ".db-wal", "HEX") has to show a canary where nothing was encrypted. In one that does not,
// a zero says that no canary stood there as it was written, not that one would have been seen: the
// program may not write values there, or may write them in a form that the search does not know.
// Such a class is a limit of the run, named; it does not block CLEAN, since every store has files
// that hold no values (locks, process ids). Classes are by name: what differs only in its folder is
// one class.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "canary/store_run.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::canary {

// Class of file -> how many of them the run left with something in them.
using FileClasses = std::map<std::string, std::uint64_t>;
[[nodiscard]] FileClasses file_classes(const StoreRun& run);

// A table with one row a class of the keyed run, and a limit that names those without a canary in
// the control run. One that did not get as far as the search shows nothing of any class.
void add_class_sight(const std::string& keyed_name, const FileClasses& keyed,
                     const StoreRun& control, evidence::LaneRecord& record);

}  // namespace telltale::canary

// Looking for values in bytes. Who can do it well is another lane's room (canary/), which this one
// does not know: the tools hand it in.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::catcher {

// A value that must not leave, and what it is called: "canary 1 of launch 2", "secret NOTES_KEY".
struct SentValue {
  std::string name;
  std::string value;
};

struct SentMatch {
  std::size_t value = 0;  // index into the values
  std::string form;       // "raw", "hex", "base64 offset 1"
};

// Safe to use from any thread.
class SentSearch {
 public:
  virtual ~SentSearch() = default;
  // Every value that stands in the bytes, in each form that it has there.
  [[nodiscard]] virtual std::vector<SentMatch> find(std::string_view bytes) const = 0;
  // Bytes of the longest form: what two pieces of a stream must overlap by, less one.
  [[nodiscard]] virtual std::size_t longest() const = 0;
  // Values that are too short to be told from chance, by index: they are not looked for.
  [[nodiscard]] virtual const std::vector<std::size_t>& left_out() const = 0;
};

using MakeSentSearch =
    std::function<std::unique_ptr<SentSearch>(const std::vector<SentValue>& values)>;

}  // namespace telltale::catcher

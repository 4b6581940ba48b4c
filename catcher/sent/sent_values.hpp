// What must never leave, looked for in all that is sent: the canaries that the file's `cipher:
// write:` steps wrote in this run, the key and the secrets.
//
// Theory of operation. Those who read what the subject sends feed it here, byte by byte as it
// comes: the answerer a whole connection, the proxy requests and bodies, the resolver names and
// messages, the sink of packets each of them, the tap every packet once more (of which it keeps 2
// KiB). A stream keeps the end of its last piece, so that a value cut by two reads is found. Values
// of earlier launches stay looked for: what the first launch kept at home the second may send.
//
// Proof for what was sent in a form that the search knows. Blind to what is encrypted (the limit
// "payload unseen" names where that went), compressed, encoded twice or cut apart by the sender.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "catcher/observer.hpp"
#include "catcher/sent/search.hpp"

namespace telltale::catcher {

// Where bytes went, as whoever read them knows it.
struct SentPlace {
  std::string observer;
  std::string protocol;
  std::string host;  // a name, or a numeric address
  std::uint16_t port = 0;
  std::string executable;  // empty: not known
};

// The bytes of one connection, in order; a packet has one of its own.
struct SentStream {
  std::string tail;
};

// One value at one place.
struct SentHit {
  std::string value;  // its name
  std::string host, protocol;
  std::uint16_t port = 0;
  std::set<std::string> forms, observers, executables;
  std::set<int> launches;
  evidence::Instant first, last;
};

// Hits of one value at one place become one: `name_of` knows the name of an address. What only the
// tap read on its way to a server of the tool (`is_the_tools`: the proxy, a resolver's port) is the
// act of whoever read it there.
[[nodiscard]] std::vector<SentHit> merge_hits(
    std::vector<SentHit> hits,
    const std::function<std::optional<std::string>(const std::string&)>& name_of,
    const std::function<bool(const SentHit&)>& is_the_tools);

class SentValues final : public Observer {
 public:
  // `connections`: the answer mode lets a connection say something. Else only packets and names are
  // fed, and proved.
  SentValues(Scene& scene, MakeSentSearch make, bool connections);

  // More to look for from now on.
  void look_for(const std::vector<SentValue>& values);
  // From any thread. Costs nothing while there is nothing to look for.
  void feed(SentStream& stream, std::string_view bytes, const SentPlace& place);
  [[nodiscard]] std::vector<SentHit> hits() const;
  // Names of values that are not looked for: too short.
  [[nodiscard]] std::vector<std::string> left_out() const;

  [[nodiscard]] std::string_view name() const override { return "sent values"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  // A caller sends a value that nobody knows by TCP and UDP and asks for it as a name: the search
  // must find it with everyone who feeds it.
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  [[nodiscard]] std::vector<Sighting> sightings() const override { return {}; }
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

 private:
  using Key = std::tuple<std::string, std::string, std::uint16_t, std::string>;

  void search_anew();  // with the mutex held
  void note(const SentMatch& match, const SentPlace& place);

  Scene& scene_;
  MakeSentSearch make_;
  const bool connections_;

  std::vector<std::size_t> acts_;  // of the control that runs now

  mutable std::mutex mutex_;  // guards all that follows
  std::condition_variable found_;
  std::vector<SentValue> values_;
  std::string control_;  // the value of the control that runs now
  std::set<std::string> control_seen_by_;
  std::shared_ptr<const SentSearch> search_;  // nullptr: nothing to look for
  std::map<Key, SentHit> hits_;
  std::uint64_t bytes_ = 0;
  std::optional<evidence::Instant> started_, ended_;
};

}  // namespace telltale::catcher

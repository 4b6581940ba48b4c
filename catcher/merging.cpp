#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "catcher/attempt.hpp"
#include "catcher/attempt_building.hpp"
#include "catcher/shared_knowledge.hpp"

namespace telltale::catcher {

namespace {

using ProxyConnection = std::pair<int, std::uint16_t>;                         // launch, port
using Key = std::tuple<std::string, std::uint16_t, std::string, std::string>;  // see key_of

// Equal ones stay as they came. In place, which std::stable_sort is not.
template <class Item, class Value>
void sort_by(std::vector<Item>& items, Value value_of) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return value_of(items[a]) < value_of(items[b]);
  });
  for (std::size_t start = 0; start < order.size(); ++start) {  // each cycle of the permutation
    auto carried = std::move(items[start]);
    auto to = start;
    while (order[to] != start) {
      items[to] = std::move(items[order[to]]);
      to = std::exchange(order[to], to);
    }
    items[to] = std::move(carried);
    order[to] = to;
  }
}

Key key_of(const Sighting& sighting) {
  return {sighting.host, sighting.port, sighting.protocol, sighting.executable};
}

bool is_question(const Sighting& sighting) {
  return sighting.protocol == "dns";
}

bool is_stream(const Attempt& attempt) {
  return attempt.protocol == "tcp" || attempt.protocol == "proxy";
}

// Of a connection that was refused the kernel's last word has the address alone.
bool is_refused(const Sighting& sighting) {
  return sighting.protocol == "tcp" && sighting.port == 0;
}

// Sightings become attempts in the order of what they know: questions and requests first, then
// connections with a program, then what only says where it went.
class Merging {
 public:
  explicit Merging(std::vector<Sighting> sightings) : sightings_(std::move(sightings)) {}

  Merged run() {
    for (const auto& sighting : sightings_) learn(sighting);
    each(&Merging::making_means);
    each(&Merging::with_program);
    claimed_ = programs_;
    each(&Merging::sent_to_peer);
    each(&Merging::carrying_questions);
    each(&Merging::without_program);
    each(&Merging::given_a_peer);
    each(&Merging::through_proxy);
    // There may be a hundred thousand, and the attempts are as many again.
    std::vector<Sighting>().swap(sightings_);
    merged_.attempts.reserve(attempts_.size());
    while (!attempts_.empty()) {
      auto& attempt =
          merged_.attempts.emplace_back(std::move(attempts_.extract(attempts_.begin()).mapped()));
      name_makers(attempt);
    }
    sort_by(merged_.attempts, [](const Attempt& attempt) { return attempt.first; });
    return std::move(merged_);
  }

 private:
  using Destination = std::tuple<std::string, std::uint16_t, std::string>;  // host, port, protocol
  using Step = bool (Merging::*)(const Sighting&);

  static Destination destination_of(const Sighting& sighting) {
    return {sighting.host, sighting.port, sighting.protocol};
  }

  // What a step takes is done with.
  void each(Step step) {
    std::size_t left = 0;
    for (auto& sighting : sightings_) {
      if ((this->*step)(sighting)) continue;
      auto& place = sightings_[left++];
      if (&place != &sighting) place = std::move(sighting);
    }
    sightings_.resize(left);
  }

  void learn(const Sighting& sighting) {
    // The connection that carried a request to the proxy is the request's own act, not one more.
    if (sighting.protocol == "proxy")
      requests_.emplace(ProxyConnection{sighting.launch, sighting.client_port}, key_of(sighting));
    if (sighting.kind != "udp connect") reached_.insert(destination_of(sighting));
    if (is_question(sighting))
      questions_[{sighting.launch, sighting.address}].push_back(
          {sighting.client_port, key_of(sighting)});
  }

  void take(const Sighting& sighting) {
    const auto key = key_of(sighting);
    add_act(attempts_.try_emplace(key, begin_attempt(sighting)).first->second, sighting);
    programs_[destination_of(sighting)].insert(key);
  }

  bool making_means(const Sighting& sighting) {
    if (!is_means(sighting.kind)) return false;
    makers_[{sighting.launch, sighting.kind}].insert(sighting.executable);
    return true;
  }

  // A witness of system calls misses what is done by io_uring, and some datagrams: only those of
  // the programs that made such a thing.
  void name_makers(Attempt& attempt) const {
    if (attempt.executable != kUnknownProgram || attempt.observers.count("witness") != 0) return;
    std::set<std::string> named;
    for (const auto* kind : {"io_uring", "datagram socket"}) {
      if (kind == std::string_view("datagram socket") && is_stream(attempt)) continue;
      std::set<std::string> makers;
      for (const auto& [made, programs] : makers_)
        if (made.second == kind && attempt.launches.count(made.first) != 0)
          std::copy_if(programs.begin(), programs.end(), std::inserter(makers, makers.end()),
                       [&](const auto& program) { return named.insert(program).second; });
      if (!makers.empty())
        attempt.executable += fmt::format(", by {} perhaps {}", kind, fmt::join(makers, " or "));
    }
  }

  bool with_program(const Sighting& sighting) {
    if (sighting.through_proxy || sighting.kind == "udp connect") return false;
    if (leads_nowhere(sighting)) {
      merged_.remarks.push_back(sighting);
      return true;
    }
    if (sighting.port == 53 && !is_question(sighting)) return false;  // carrying_questions
    if (is_refused(sighting)) return false;
    if (sighting.executable.empty() && !is_question(sighting) && sighting.protocol != "proxy")
      return false;
    take(sighting);
    return true;
  }

  // Packets whose sender was gone when it was looked for are those of who had a socket with that
  // peer.
  bool sent_to_peer(const Sighting& sighting) {
    if (sighting.kind != "udp connect" || sighting.through_proxy || sighting.port == 53)
      return false;
    const auto where = destination_of(sighting);
    if (sighting.executable.empty() || claimed_.count(where) != 0 || reached_.count(where) == 0)
      return false;
    take(sighting);
    return true;
  }

  // The packets of the questions that the resolver read, and the sockets that they were sent from.
  // What went to port 53 and was no question is an act of its own.
  bool carrying_questions(const Sighting& sighting) {
    const auto& address = sighting.address.empty() ? sighting.host : sighting.address;
    const auto asked = questions_.find({sighting.launch, address});
    if (sighting.port != 53 || asked == questions_.end()) return false;
    bool carried = false;
    for (const auto& [client_port, key] : asked->second) {
      if (sighting.client_port != 0 && client_port != sighting.client_port) continue;
      add_sight(attempts_.at(key), sighting);
      carried = true;
    }
    return carried;
  }

  bool without_program(const Sighting& sighting) {
    if (sighting.through_proxy || sighting.kind == "udp connect") return false;
    if (!lay_to_others(sighting)) take(sighting);
    return true;
  }

  // True when others saw programs go there.
  bool lay_to_others(const Sighting& sighting) {
    const auto programs = is_refused(sighting)
                              ? std::find_if(programs_.begin(), programs_.end(),
                                             [&](const auto& known) {
                                               return std::get<0>(known.first) == sighting.host;
                                             })
                              : programs_.find(destination_of(sighting));
    if (programs == programs_.end()) return false;
    for (const auto& key : programs->second) add_sight(attempts_.at(key), sighting);
    if (programs->second.size() == 1)
      add_content(attempts_.at(*programs->second.begin()), sighting);
    return true;
  }

  // connect(2) on a UDP socket sends nothing: an act only where a packet followed.
  bool given_a_peer(const Sighting& sighting) {
    if (sighting.kind != "udp connect" || sighting.through_proxy) return false;
    if (!lay_to_others(sighting)) {
      merged_.remarks.push_back(sighting);
      merged_.remarks.back().kind = "nothing sent";
    }
    return true;
  }

  bool through_proxy(const Sighting& sighting) {
    const auto request = requests_.find({sighting.launch, sighting.client_port});
    if (request != requests_.end())
      attempts_.at(request->second).observers.insert(sighting.observer);
    else if (sighting.client_port != 0)
      merged_.unrecorded_by_proxy.push_back(sighting);
    else
      lay_to_requests(sighting);
    return true;
  }

  // Without the caller's port it is one of the requests, of its program where that is known.
  void lay_to_requests(const Sighting& sighting) {
    for (const auto& [connection, key] : requests_) {
      auto& attempt = attempts_.at(key);
      if (connection.first == sighting.launch &&
          (sighting.executable.empty() || sighting.executable == attempt.executable))
        attempt.observers.insert(sighting.observer);
    }
  }

  std::vector<Sighting> sightings_;
  std::map<ProxyConnection, Key> requests_;
  std::map<std::pair<int, std::string>, std::vector<std::pair<std::uint16_t, Key>>>
      questions_;  // by launch and resolver: the asking port
  std::map<Key, Attempt> attempts_;
  std::map<Destination, std::set<Key>> programs_;
  std::map<Destination, std::set<Key>> claimed_;  // those of with_program
  std::set<Destination> reached_;                 // by more than a socket with a peer
  std::map<std::pair<int, std::string>, std::set<std::string>>
      makers_;  // by launch, of which means
  Merged merged_;
};

}  // namespace

Merged merge(std::vector<Sighting> sightings) {
  sort_by(sightings, [](const Sighting& sighting) { return sighting.at; });
  share_what_is_known(sightings);
  return Merging(std::move(sightings)).run();
}

}  // namespace telltale::catcher

#include "subject/answered_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "subject/listening_table.hpp"
#include "subject/socket_inodes.hpp"

namespace telltale::subject {

namespace {

constexpr auto kRemedy =
    "give the subject a port of its own (`ports:`, ${port.NAME}), or stop the other program";

// How closely a listening socket fits an address: what fits best is served. 0: not at all.
int fit(const ListeningSocket& socket, const Endpoint& asked) {
  if (socket.udp || socket.port != asked.port || socket.port == 0) return 0;
  if (socket.address == asked.host || socket.address == "::ffff:" + asked.host) return 3;
  const bool four = asked.host.find(':') == std::string::npos;
  if (socket.address == (four ? "0.0.0.0" : "::")) return 2;
  return four && socket.address == "::" ? 1 : 0;
}

struct Held {
  std::set<std::uint64_t> inodes;
  bool all_readable = true;
};

Held held_by(const std::vector<ProcessEntry>& processes) {
  Held all;
  for (const auto& entry : processes) {
    const auto own = held_sockets(entry.pid);
    all.inodes.insert(own.inodes.begin(), own.inodes.end());
    all.all_readable = all.all_readable && own.readable;
  }
  return all;
}

ListeningTable tables_of(const std::vector<ProcessEntry>& tree) {
  ListeningTable all;
  std::set<std::string> networks;
  for (const auto& entry : tree)
    if (networks.insert(network_of(entry.pid)).second) all.merge(listening_table(entry.pid));
  return all;
}

std::string process_text(pid_t pid) {
  return fmt::format("process {} ({})", pid, executable_of(pid));
}

// The foreign process that holds a socket, of all on this machine.
std::string holder_of(std::uint64_t inode) {
  for (const auto& entry : read_processes()) {
    const auto held = held_sockets(entry.pid).inodes;
    if (std::find(held.begin(), held.end(), inode) != held.end()) return process_text(entry.pid);
  }
  return "a process that this user may not look into";
}

Result<> anothers(const std::string& where, const std::string& who) {
  return fail(Fault::subject,
              fmt::format("{} is answered by {}, which is none of the subject's", where, who),
              kRemedy);
}

Result<> nobodys(const std::string& where) {
  return fail(
      Fault::subject,
      fmt::format("no process of the subject listens at {}: who answered is not known", where),
      kRemedy);
}

Result<> answered_by_tcp(const std::vector<ProcessEntry>& tree, const Endpoint& asked,
                         const Held& held) {
  int best = 0;
  std::vector<std::uint64_t> serving;
  for (const auto& [inode, socket] : tables_of(tree)) {
    const int fits = fit(socket, asked);
    if (fits > best) serving.clear();
    best = std::max(best, fits);
    if (fits != 0 && fits == best) serving.push_back(inode);
  }
  for (const auto inode : serving)
    if (held.inodes.count(inode) == 0) return anothers(asked.text(), holder_of(inode));
  return serving.empty() ? nobodys(asked.text()) : Result<>();
}

Result<> answered_by_unix(const std::vector<ProcessEntry>& tree, const Peer& peer,
                          const std::filesystem::path& folder, const Held& held) {
  const auto is = [&](const ProcessEntry& entry) { return entry.pid == peer.listener; };
  if (std::any_of(tree.begin(), tree.end(), is)) return {};
  const auto& path = peer.endpoint.path;
  for (const auto& [inode, socket] : tables_of(tree)) {
    if (socket.port != 0 || held.inodes.count(inode) == 0) continue;
    if (socket.address == path ||
        (folder / socket.address).lexically_normal() == (folder / path).lexically_normal())
      return {};
  }
  ProcessEntry other;
  const bool alive = peer.listener > 0 && read_process(peer.listener, other);
  return alive ? anothers(path, process_text(peer.listener)) : nobodys(path);
}

}  // namespace

Result<> answered_by(const std::vector<ProcessEntry>& tree, const Peer& peer,
                     const std::filesystem::path& folder) {
  const auto held = held_by(tree);
  if (!held.all_readable) return {};
  return peer.endpoint.path.empty() ? answered_by_tcp(tree, peer.endpoint, held)
                                    : answered_by_unix(tree, peer, folder, held);
}

}  // namespace telltale::subject

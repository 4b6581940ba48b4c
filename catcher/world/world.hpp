// The world that a sealed subject lives in: all of it, and nothing of the machine.
//
//   auto world = World::make({});                         // once a run, on a thread that lives on
//   world->in_world([&] { return open_the_capture(); });  // on the far side of the subject's link
//   accept4(world->redirected().tcp.get(), ...);          // every TCP connection, to any address
//
// Theory of operation. Two network namespaces are joined by a veth pair. S is the subject's: it has
// eth0 and default routes into the pair, for IPv4 and IPv6, and a loopback of its own. W is the
// world's: whatever arrives there, for any address, is delivered locally, and nftables hands it to
// the transparent sockets below. Neither has a way to the machine: there is no third device, no
// forwarding, and the only processes with rights over W and S are the tool's. The subject runs in a
// nested user namespace, which owns neither of them: it cannot touch links, routes and rules, and
// raw and packet sockets are refused to it (EPERM). A PID and a mount namespace (init.hpp,
// mounts.hpp) end every process with the tool and hide the sockets of the machine's daemons.
//
// Root and an ordinary user run the same code: the latter's tool enters a user namespace of its own
// first (user_namespace.hpp).
//
// What the kernel itself sends in S, and no observer should take for the subject: MLD reports
// (ICMPv6 type 143) for its own addresses, in the first seconds. There is no ARP, neighbour or
// router discovery for the world's own addresses (permanent neighbours), and no DAD.
//
// Not a wall against: a hole in the kernel; files that the subject may write and that something
// outside acts upon (a crontab, a mailbox); path sockets of daemons that start after it (seen by
// the witness); a subject run as real root, which can open the machine's device nodes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catcher/world/user_namespace.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct OverlaidFolder;  // overlay.hpp

// Documentation addresses (RFC 5737, RFC 3849): nobody's, so no program has a real peer there.
inline constexpr auto kSubjectAddress4 = "198.51.100.2";
inline constexpr auto kSubjectAddress6 = "2001:db8:77::2";
inline constexpr auto kWorldAddress4 = "198.51.100.1";  // also the nameserver of resolv.conf
inline constexpr auto kWorldAddress6 = "2001:db8:77::1";
inline constexpr auto kSubjectLink = "eth0";
inline constexpr auto kWorldLink = "world0";

// One socket each, of W, transparent (IP_TRANSPARENT), non-blocking, dual stack: an IPv4 peer reads
// as ::ffff:a.b.c.d. The world owns them; who serves one may duplicate it, none may be closed.
struct RedirectedSockets {
  // Listening. Every connection to any port but 53; not those to the world's own addresses, where
  // the tool's own listeners are. getsockname of the accepted socket is the original destination.
  subject::FileDescriptor tcp;
  subject::FileDescriptor dns_tcp;  // listening: port 53 of any address, the world's own included
  // The control message of recvmsg(2) is the original destination: IP_ORIGDSTADDR with a
  // sockaddr_in for an IPv4 packet (though the peer reads as ::ffff:a.b.c.d), IPV6_ORIGDSTADDR with
  // a sockaddr_in6 for an IPv6 one. To answer from it, send with it in IP_PKTINFO or IPV6_PKTINFO,
  // or from a transparent socket bound to it.
  subject::FileDescriptor dns_udp;  // port 53 of any address, the world's own included
  subject::FileDescriptor udp;      // all the rest, but what goes to the world's own addresses
};

struct WorldPlan {
  // Folders that stay as they are, though they lie where the machine's sockets are hidden (/run):
  // the tool's own, with the sockets that it serves for the subject.
  std::vector<std::filesystem::path> keep;
  Ids ids = Ids::own;        // of an ordinary user's world (user_namespace.hpp)
  int process_limit = 4096;  // in the PID namespace, threads count; kernels before 6.14 have none

  // One of the two, or none. Folders that the subject must have a copy-on-write view of, and with
  // them the rest of the machine where it can be (overlay.hpp); or another root (foreign_root.hpp).
  std::vector<std::filesystem::path> covered;
  std::filesystem::path root;
  std::filesystem::path layers;  // for either: an empty folder of the tool's, below one of `keep`

  // Who the subject is, where that is not who the tool is. An ordinary user's tool has one id to
  // give, so the subject is mapped to that one and to no other.
  std::optional<SubjectIds> subject;
};

class World {
 public:
  // Fault::instrument when the machine does not allow it, with the remedy. Call it before the
  // process has a second thread when not root, and on a thread that lives as long as the world:
  // its end is the end of every process inside (PR_SET_PDEATHSIG).
  [[nodiscard]] static Result<std::unique_ptr<World>> make(const WorldPlan& plan);
  // Every process inside is killed, and waited for; the network goes with the last descriptor.
  virtual ~World() = default;

  // Runs it on a thread of its own that is in that network namespace, and waits for it. What is
  // made there belongs there: sockets, capture handles, and threads too.
  using Work = std::function<Result<>()>;
  [[nodiscard]] virtual Result<> in_world(const Work& work) = 0;
  [[nodiscard]] virtual Result<> in_subject(const Work& work) = 0;
  // Likewise with the subject's view of the files, and rights over its mounts.
  [[nodiscard]] virtual Result<> in_mounts(const Work& work) = 0;
  // socket(2), close-on-exec, there.
  [[nodiscard]] virtual Result<subject::FileDescriptor> world_socket(int domain, int type,
                                                                     int protocol) = 0;
  [[nodiscard]] virtual Result<subject::FileDescriptor> subject_socket(int domain, int type,
                                                                       int protocol) = 0;

  [[nodiscard]] virtual const RedirectedSockets& redirected() const = 0;

  // Descriptors of namespaces, for setns(2). They stay the world's.
  [[nodiscard]] virtual int world_network() const = 0;
  [[nodiscard]] virtual int subject_network() const = 0;
  [[nodiscard]] virtual int mounts() const = 0;
  // The machine's view, where the tool's own programs run; the same as mounts() without a root.
  [[nodiscard]] virtual int machine_mounts() const = 0;
  [[nodiscard]] virtual int processes() const = 0;     // the PID namespace
  [[nodiscard]] virtual int messages() const = 0;      // the IPC namespace
  [[nodiscard]] virtual int nested_users() const = 0;  // the user namespace of the subject
  [[nodiscard]] virtual pid_t init() const = 0;        // process 1 of it, as the tool sees it
  [[nodiscard]] virtual bool process_limit_set() const = 0;
  // The folder that is the subject's root (O_PATH); -1: the machine's.
  [[nodiscard]] virtual int root() const = 0;
  // Where the subject has a view of its own of the files. Readable as long as the world lives.
  [[nodiscard]] virtual const std::vector<OverlaidFolder>& overlaid() const = 0;
  // Folders and files that could not be covered as well: what is written there is not thrown away.
  [[nodiscard]] virtual const std::vector<std::string>& uncovered() const = 0;
};

}  // namespace telltale::catcher

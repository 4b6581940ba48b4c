// Two network namespaces joined by a veth pair, as the sealed world has them, without its
// redirection: whatever arrives on world0, for any address, is delivered locally.
//
// Made with the program ip, as root. The namespaces go with the object.
#pragma once

#include <optional>

#include "catcher/within.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::test {

class NetworkPair {
 public:
  // nullopt: this user may not, or there is no `ip`.
  [[nodiscard]] static std::optional<NetworkPair> make();

  [[nodiscard]] catcher::Within in_world() const { return within(world_.get()); }
  [[nodiscard]] catcher::Within in_subject() const { return within(subject_.get()); }
  [[nodiscard]] int subject() const { return subject_.get(); }

 private:
  [[nodiscard]] static catcher::Within within(int network);
  subject::FileDescriptor subject_, world_;
};

}  // namespace telltale::test

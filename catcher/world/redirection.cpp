#include "catcher/world/redirection.hpp"

#include <fmt/format.h>
#include <nftables/libnftables.h>

#include <memory>

#include "catcher/world/world.hpp"

namespace telltale::catcher {

std::string redirection_rules(const RedirectedPorts& ports) {
  return fmt::format(
      "table inet redirection {{\n"
      "  chain arrivals {{\n"
      "    type filter hook prerouting priority mangle; policy accept;\n"
      "    iifname != \"{}\" accept\n"
      "    tcp dport 53 tproxy to :{} accept\n"
      "    udp dport 53 tproxy to :{} accept\n"
      "    ip daddr {} accept\n"
      "    ip6 daddr {} accept\n"
      "    meta l4proto tcp tproxy to :{} accept\n"
      "    meta l4proto udp tproxy to :{} accept\n"
      "  }}\n"
      "}}\n",
      kWorldLink, ports.dns_tcp, ports.dns_udp, kWorldAddress4, kWorldAddress6, ports.tcp,
      ports.udp);
}

Result<> redirect(const RedirectedPorts& ports) {
  const std::unique_ptr<nft_ctx, void (*)(nft_ctx*)> context(nft_ctx_new(NFT_CTX_DEFAULT),
                                                             nft_ctx_free);
  if (context && nft_ctx_buffer_error(context.get()) == 0 &&
      nft_run_cmd_from_buffer(context.get(), redirection_rules(ports).c_str()) == 0)
    return {};
  const char* text = context ? nft_ctx_get_error_buffer(context.get()) : nullptr;
  const std::string said = text != nullptr ? text : "no context";
  return fail(Fault::instrument,
              "the sealed world cannot be made: nftables refused its rules: " +
                  said.substr(0, said.find('\n')),
              "the kernel needs nf_tables with nft_tproxy (modprobe nf_tables nft_tproxy)");
}

}  // namespace telltale::catcher

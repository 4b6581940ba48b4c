// Somebody flushes the ledger's rules as soon as they stand: its sets are there and stay empty.
#include <nftables/libnftables.h>

#include <string_view>

#include "preloaded.hpp"

extern "C" int nft_run_cmd_from_buffer(nft_ctx* context, const char* command) {
  using Run = int (*)(nft_ctx*, const char*);
  const auto run = next_function<Run>("nft_run_cmd_from_buffer");
  const int result = run(context, command);
  if (result == 0 && std::string_view(command).starts_with("table netdev telltale_ledger"))
    run(context, "flush chain netdev telltale_ledger ingress");
  return result;
}

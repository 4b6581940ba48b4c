#include "catcher/ledger/table_dump.hpp"

#include <endian.h>
#include <fmt/core.h>
#include <libmnl/libmnl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace telltale::catcher {

namespace {

struct Wanted {
  std::uint16_t type;
  const nlattr* found = nullptr;  // the first of that type
};

int pick(const nlattr* attribute, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (mnl_attr_get_type(attribute) != wanted.type) return MNL_CB_OK;
  wanted.found = attribute;
  return MNL_CB_STOP;
}

// nullptr: there is none of that type below `parent`, or no parent.
const nlattr* attribute_in(const nlattr* parent, std::uint16_t type) {
  Wanted wanted{type};
  if (parent != nullptr) mnl_attr_parse_nested(parent, pick, &wanted);
  return wanted.found;
}

const nlattr* attribute_of(const nlmsghdr* message, std::uint16_t type) {
  Wanted wanted{type};
  mnl_attr_parse(message, sizeof(nfgenmsg), pick, &wanted);
  return wanted.found;
}

std::uint64_t number_in(const nlattr* parent, std::uint16_t type) {
  const auto* attribute = attribute_in(parent, type);
  return attribute == nullptr ? 0 : be64toh(mnl_attr_get_u64(attribute));
}

using EachElement = std::function<void(const CountedElement&)>;

int visit_element(const nlattr* element, void* each) {
  const auto* value = attribute_in(attribute_in(element, NFTA_SET_ELEM_KEY), NFTA_DATA_VALUE);
  const auto* counter = attribute_in(attribute_in(element, NFTA_SET_ELEM_EXPR), NFTA_EXPR_DATA);
  if (value != nullptr && counter != nullptr)
    (*static_cast<const EachElement*>(each))(
        {static_cast<const std::uint8_t*>(mnl_attr_get_payload(value)),
         mnl_attr_get_payload_len(value), number_in(counter, NFTA_COUNTER_PACKETS),
         number_in(counter, NFTA_COUNTER_BYTES)});
  return MNL_CB_OK;
}

}  // namespace

struct TableDump::State {
  using Each = std::function<void(const nlmsghdr*)>;

  std::string table;
  mnl_socket* socket = nullptr;
  std::vector<char> buffer = std::vector<char>(64 * 1024);
  std::uint32_t sequence = 0;

  ~State() {
    if (socket != nullptr) mnl_socket_close(socket);
  }

  static int on_message(const nlmsghdr* message, void* each) {
    (*static_cast<const Each*>(each))(message);
    return MNL_CB_OK;
  }

  static Result<> refused() {
    return fail(Fault::instrument,
                fmt::format("the kernel's nftables dump failed: {}", std::strerror(errno)));
  }

  Result<> dump(std::uint16_t what, std::uint16_t table_attribute, std::uint16_t set_attribute,
                const std::string& set, const Each& each) {
    alignas(nlmsghdr) std::array<char, 512> request{};
    auto* header = mnl_nlmsg_put_header(request.data());
    header->nlmsg_type = static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8 | what);
    header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    header->nlmsg_seq = ++sequence;
    auto* body = static_cast<nfgenmsg*>(mnl_nlmsg_put_extra_header(header, sizeof(nfgenmsg)));
    body->nfgen_family = NFPROTO_NETDEV;
    body->version = NFNETLINK_V0;
    mnl_attr_put_strz(header, table_attribute, table.c_str());
    if (!set.empty()) mnl_attr_put_strz(header, set_attribute, set.c_str());
    if (mnl_socket_sendto(socket, header, header->nlmsg_len) < 0) return refused();
    for (int more = MNL_CB_OK; more != MNL_CB_STOP;) {
      const auto bytes = mnl_socket_recvfrom(socket, buffer.data(), buffer.size());
      if (bytes < 0) return refused();
      more = mnl_cb_run(buffer.data(), static_cast<std::size_t>(bytes), sequence,
                        mnl_socket_get_portid(socket), on_message, const_cast<Each*>(&each));
      // EINTR: the rules were changed meanwhile, which nobody has any business to do.
      if (more < 0) return refused();
    }
    return {};
  }
};

TableDump::TableDump(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableDump::TableDump(TableDump&&) noexcept = default;
TableDump& TableDump::operator=(TableDump&&) noexcept = default;
TableDump::~TableDump() = default;

Result<TableDump> TableDump::open(std::string table) {
  auto state = std::make_unique<State>();
  state->table = std::move(table);
  state->socket = mnl_socket_open2(NETLINK_NETFILTER, SOCK_CLOEXEC);
  if (state->socket == nullptr || mnl_socket_bind(state->socket, 0, MNL_SOCKET_AUTOPID) < 0)
    return fail(Fault::instrument,
                fmt::format("no netlink socket for nftables: {}", std::strerror(errno)));
  return TableDump(std::move(state));
}

Result<std::map<std::string, std::uint64_t>> TableDump::counters() const {
  std::map<std::string, std::uint64_t> all;
  const auto done =
      state_->dump(NFT_MSG_GETOBJ, NFTA_OBJ_TABLE, 0, {}, [&](const nlmsghdr* message) {
        const auto* name = attribute_of(message, NFTA_OBJ_NAME);
        if (name != nullptr)
          all[mnl_attr_get_str(name)] =
              number_in(attribute_of(message, NFTA_OBJ_DATA), NFTA_COUNTER_PACKETS);
      });
  if (!done) return pass_on(done.error());
  return all;
}

Result<> TableDump::visit(const std::string& set, const EachElement& each) const {
  return state_->dump(NFT_MSG_GETSETELEM, NFTA_SET_ELEM_LIST_TABLE, NFTA_SET_ELEM_LIST_SET, set,
                      [&](const nlmsghdr* message) {
                        if (const auto* list = attribute_of(message, NFTA_SET_ELEM_LIST_ELEMENTS))
                          mnl_attr_parse_nested(list, visit_element,
                                                const_cast<EachElement*>(&each));
                      });
}

}  // namespace telltale::catcher

#include "catcher/resolver_answers.hpp"

#include <arpa/inet.h>

#include <array>

namespace telltale::catcher {

namespace {

bool is_localhost(const std::string& name) {
  return name == "localhost" || name.ends_with(".localhost");
}

}  // namespace

bool ResolverAnswers::exists(const std::string& name) const {
  return !plan_.no_such_name || (plan_.exists && plan_.exists(name));
}

wire::DnsReply ResolverAnswers::reply_to(const wire::DnsQuery& query) const {
  if (query.questions.empty()) return {};
  const auto& name = query.questions.front().name;
  if (is_localhost(name))
    return {wire::dns::Code::no_error,
            {{127, 0, 0, 1}},
            {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}};
  const auto inside = plan_.inside ? plan_.inside(name) : std::string();
  if (std::array<std::uint8_t, 4> four{}; inet_pton(AF_INET, inside.c_str(), four.data()) == 1)
    return {wire::dns::Code::no_error, four, {}};
  if (!exists(name)) return {wire::dns::Code::no_such_name, {}, {}};
  const auto addresses = names_.addresses_of(name);
  return {wire::dns::Code::no_error, addresses.four, addresses.six};
}

}  // namespace telltale::catcher

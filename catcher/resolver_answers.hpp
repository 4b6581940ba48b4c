// What a DNS question is answered: this machine for localhost, a companion's address for its name,
// else an address that no other name has, or that there is no such name.
#pragma once

#include <string>

#include "catcher/name_table.hpp"
#include "catcher/resolver.hpp"
#include "catcher/wire/dns_message.hpp"

namespace telltale::catcher {

class ResolverAnswers {
 public:
  // Both outlive it.
  ResolverAnswers(NameTable& names, const ResolverPlan& plan) : names_(names), plan_(plan) {}

  [[nodiscard]] wire::DnsReply reply_to(const wire::DnsQuery& query) const;
  [[nodiscard]] bool exists(const std::string& name) const;

 private:
  NameTable& names_;
  const ResolverPlan& plan_;
};

}  // namespace telltale::catcher

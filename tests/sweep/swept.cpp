#include "sweep/swept.hpp"

#include <chrono>
#include <filesystem>

#include "support/catch.hpp"

namespace telltale::test {

using namespace telltale::sweep;

Reading greeter() {
  return *read_modules(std::filesystem::path(TELLTALE_FIXTURES) / "go/greeter");
}

Reading reading_of(std::vector<std::pair<std::string, std::string>> modules) {
  Reading reading;
  reading.source = "a test";
  reading.ecosystem = "go";
  reading.claim = "it is built from";
  for (auto& [path, version] : modules) {
    Module module;
    module.ecosystem = "go";
    module.path = path;
    module.version = version;
    reading.modules.push_back(module);
  }
  return reading;
}

Endpoints at(std::vector<std::string> addresses, bool on_any_error) {
  Endpoints endpoints;
  for (auto& address : addresses) endpoints.list.push_back({address, on_any_error});
  endpoints.chosen_by = "--registry";
  return endpoints;
}

Swept run(const Reading& reading, const Endpoints& endpoints, SweepOptions options) {
  FetchOptions fetching;
  fetching.retry_wait = std::chrono::milliseconds(1);
  fetching.timeout = std::chrono::milliseconds(2000);
  auto fetcher = make_fetcher(fetching);
  const auto registry = make_registry("go", {[](const char*) -> const char* { return nullptr; }});
  auto outcome = sweep::sweep(reading, *registry, endpoints, **fetcher, options);
  auto result = evidence::conclude(outcome.record);
  return {std::move(outcome), std::move(result)};
}

Swept run(const Reading& reading, const RegistryServer& server) {
  return run(reading, at({server.url()}));
}

std::string verdict(const Swept& swept) {
  return std::string(evidence::name(swept.result.judgement().verdict()));
}

std::string reasons(const Swept& swept) {
  std::string all;
  for (const auto& reason : swept.result.judgement().reasons()) all += reason + "\n";
  return all;
}

std::int64_t count(const Swept& swept, const std::string& row) {
  for (const auto& one : swept.outcome.record.rows)
    if (one.name() == row) return std::get<std::int64_t>(one.value());
  FAIL("there is no row " << row);
  return -1;
}

}  // namespace telltale::test

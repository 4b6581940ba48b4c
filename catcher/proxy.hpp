// The proxy observer: an HTTP/1.1 forward proxy (RFC 9110 section 3.7, RFC 9112 section 3.2) that
// forwards nothing.
//
// It sits behind the proxy variables of the subject's environment and answers every request with
// 502: CONNECT host:port, the absolute form, and anything else; one that the file answers
// (answers/answer_table.hpp) gets that answer. The caller waits for that answer,
// so it is still alive, and holds its socket, when its process is looked up. Proof of content for a
// program that honours the variables; blind to one that does not.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catcher/answers/answer_table.hpp"
#include "catcher/observer.hpp"
#include "catcher/within.hpp"

namespace telltale::catcher {

// At most so many requests are kept; each one more counts as lost, and lost is not evidence.
inline constexpr std::size_t kProxyRecordLimit = 100'000;

class SentValues;

struct ProxyPlan {
  std::shared_ptr<AnswerTable> answers{};  // nullptr: no answer is played
  SentValues* sent = nullptr;              // is fed all that is read
  std::vector<std::string> direct{};       // hosts that are reached without it: NO_PROXY
};

class Proxy final : public Observer {
 public:
  // `in_subject` enters the network of the subject, where its sockets are looked up.
  Proxy(Scene& scene, Within in_subject, ProxyPlan plan = {});
  ~Proxy() override;

  [[nodiscard]] std::string_view name() const override { return "proxy"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

  // HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, upper and lower case. NO_PROXY holds what
  // curl, wget and Python's urllib all obey: addresses without a port.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const override;

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Server;
  Scene& scene_;
  Within in_subject_;
  std::vector<std::string> direct_;
  std::unique_ptr<Server> server_;
  std::size_t fetch_ = 0;  // the act of the round
};

}  // namespace telltale::catcher

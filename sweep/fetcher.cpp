#include "sweep/fetcher.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>

#include "sweep/address.hpp"
#include "sweep/curl_transfer.hpp"
#include "sweep/retry.hpp"

namespace telltale::sweep {

namespace {

using Clock = std::chrono::steady_clock;

// A question on its way through its attempts.
struct Errand {
  std::size_t index = 0;  // of the request and its response
  Clock::time_point due = Clock::now();
  int attempt = 1;          // of those that retry.hpp counts
  int sent = 0;             // all of them
  bool confirming = false;  // asked again because it was absent
  bool one_byte = false;    // because HEAD was not understood
};

bool knows_no_head(const Response& response) {
  return response.status == 405 || response.status == 501;
}

struct Underway {
  Errand errand;
  std::unique_ptr<CurlTransfer> transfer;
};

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(FetchOptions options) : options_(std::move(options)) {
    multi_ = curl_multi_init();
    if (multi_ == nullptr) throw std::bad_alloc();
    curl_multi_setopt(multi_, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000L);
    curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, 1L);
  }
  ~CurlFetcher() override { curl_multi_cleanup(multi_); }

  std::vector<Response> fetch(const std::vector<Request>& requests) override {
    requests_ = &requests;
    responses_.assign(requests.size(), {});
    waiting_.clear();
    for (std::size_t i = 0; i < requests.size(); ++i) waiting_.push_back({.index = i});
    while (!waiting_.empty() || !underway_.empty()) {
      start_due();
      int running = 0;
      curl_multi_perform(multi_, &running);
      collect();
      if (wait_for_news()) abandon();
    }
    return std::move(responses_);
  }

  const std::map<std::string, std::uint64_t>& hosts() const override { return hosts_; }

 private:
  void start_due() {
    const auto now = Clock::now();
    for (auto next = waiting_.begin();
         next != waiting_.end() && underway_.size() < options_.in_flight;) {
      if (next->due > now) {
        ++next;
        continue;
      }
      ++next->sent;
      auto transfer =
          std::make_unique<CurlTransfer>((*requests_)[next->index], options_, next->one_byte);
      curl_multi_add_handle(multi_, transfer->handle());
      underway_.push_back({*next, std::move(transfer)});
      next = waiting_.erase(next);
    }
  }

  void collect() {
    int left = 0;
    while (const auto* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto code = message->data.result;
      const auto found = std::find_if(underway_.begin(), underway_.end(), [&](const auto& one) {
        return one.transfer->handle() == message->easy_handle;
      });
      auto done = std::move(*found);
      underway_.erase(found);
      curl_multi_remove_handle(multi_, done.transfer->handle());
      settle(std::move(done), code);
    }
  }

  void settle(Underway done, CURLcode code) {
    auto response = done.transfer->finish(code);
    auto& errand = done.errand;
    count_hosts(response);
    widen_for_http1(response);
    if (knows_no_head(response) && (*requests_)[errand.index].presence && !errand.one_byte) {
      errand.one_byte = true;
      waiting_.push_back(errand);
      return;
    }
    const auto wait = retry_after({response, done.transfer->timed_out(), errand.attempt}, options_);
    if (wait) {
      ++errand.attempt;
      errand.due = Clock::now() + *wait;
      waiting_.push_back(errand);
      return;
    }
    if (answer_of(response) == Answer::absent && !errand.confirming &&
        (*requests_)[errand.index].confirm_absent) {
      errand.confirming = true;
      waiting_.push_back(errand);
      return;
    }
    response.attempts = errand.sent;
    response.flapping = errand.confirming && answer_of(response) == Answer::fetchable;
    responses_[errand.index] = std::move(response);
  }

  void count_hosts(const Response& response) {
    ++hosts_[host_of(response.url)];
    for (const auto& host : response.redirect_hosts) ++hosts_[host];
  }

  // One connection a host until it is known to be unable to share it.
  void widen_for_http1(const Response& response) {
    if (widened_ || !response.http_version.starts_with('1')) return;
    widened_ = true;
    curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, options_.http1_connections);
  }

  // Until a transfer moves, a wait is over or the user interrupts; true for the last.
  bool wait_for_news() {
    auto wait = std::chrono::milliseconds(1000);
    for (const auto& errand : waiting_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(errand.due - Clock::now());
      if (underway_.size() < options_.in_flight) wait = std::min(wait, std::max(left, {}));
    }
    if (waiting_.empty() && underway_.empty()) return false;
    curl_waitfd extra{options_.interrupt_fd, CURL_WAIT_POLLIN, 0};
    curl_multi_poll(multi_, &extra, options_.interrupt_fd >= 0 ? 1 : 0,
                    static_cast<int>(wait.count()), nullptr);
    return extra.revents != 0;
  }

  void abandon() {
    for (auto& [errand, transfer] : underway_) {
      curl_multi_remove_handle(multi_, transfer->handle());
      give_up(errand);
    }
    for (const auto& errand : waiting_) give_up(errand);
    underway_.clear();
    waiting_.clear();
  }

  void give_up(const Errand& errand) {
    auto& response = responses_[errand.index];
    response.url = (*requests_)[errand.index].url;
    response.failure = "interrupted";
    response.attempts = errand.sent;
  }

  FetchOptions options_;
  CURLM* multi_ = nullptr;
  bool widened_ = false;
  std::map<std::string, std::uint64_t> hosts_;
  // Of the fetch() that is running.
  const std::vector<Request>* requests_ = nullptr;
  std::vector<Response> responses_;
  std::vector<Errand> waiting_;
  std::vector<Underway> underway_;
};

}  // namespace

Result<std::unique_ptr<Fetcher>> make_fetcher(FetchOptions options) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  if (!options.proxy.empty()) {
    auto proxy = checked_address(options.proxy, "--proxy");
    if (!proxy) return pass_on(proxy.error());
  }
  if (!options.ca_file.empty() && access(options.ca_file.c_str(), R_OK) != 0)
    return fail(Fault::input, fmt::format("--cacert: {} cannot be read", options.ca_file),
                "give a file of certificates in PEM form");
  return std::make_unique<CurlFetcher>(std::move(options));
}

}  // namespace telltale::sweep

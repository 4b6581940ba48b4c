#include "catcher/proxy.hpp"
#include "catcher/sampler.hpp"
#include "catcher/setting.hpp"

namespace telltale::catcher {

namespace {

class PlainSetting final : public Setting {
 public:
  explicit PlainSetting(subject::Enclosure& enclosure) : enclosure_(enclosure) {}

  [[nodiscard]] subject::Enclosure& enclosure() override { return enclosure_; }
  [[nodiscard]] std::vector<std::unique_ptr<Observer>> observers(Scene& scene) override {
    std::vector<std::unique_ptr<Observer>> all;
    auto proxy = std::make_unique<Proxy>(scene, within_this_network());
    const auto* port_of = proxy.get();
    all.push_back(std::move(proxy));
    all.push_back(std::make_unique<Sampler>(scene, within_this_network(), Sampler::Company::alone,
                                            [port_of] { return port_of->port(); }));
    return all;
  }

 private:
  subject::Enclosure& enclosure_;
};

}  // namespace

std::unique_ptr<Setting> plain_setting(subject::Enclosure& enclosure) {
  return std::make_unique<PlainSetting>(enclosure);
}

}  // namespace telltale::catcher

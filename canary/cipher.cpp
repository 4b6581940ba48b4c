#include "canary/cipher.hpp"

#include <fmt/core.h>

#include "canary/cipher_record.hpp"
#include "canary/class_sight.hpp"
#include "canary/store_run.hpp"
#include "canary/write_doors.hpp"
#include "evidence/counted.hpp"
#include "evidence/results.hpp"

namespace telltale::canary {

namespace {

class CipherLane {
 public:
  CipherLane(const subject::Specification& specification, subject::LaneContext& context)
      : specification_(specification), settings_(*specification.cipher), context_(context) {}

  evidence::LaneResult run() {
    auto done = keyed();
    if (done) done = control();
    if (done) done = variants();
    if (done) done = write_hits();
    if (!done) context_.note(done.error(), record_);
    record_.bounds = bounds();
    context_.waivers.apply(record_);
    return context_.conclude(std::move(record_));
  }

 private:
  Result<StoreRun> store(const std::string& name, const subject::Difference* difference,
                         const std::filesystem::path& binary = {}) {
    return run_store(specification_, context_, {name, difference, binary});
  }

  const subject::Difference* keyed_difference() const {
    return settings_.keyed ? &*settings_.keyed : nullptr;
  }

  // With `decrypt:` the control is a command that reads what the keyed run left.
  [[nodiscard]] bool decrypts() const {
    return settings_.control && !settings_.control->decrypt.empty();
  }

  Result<> keyed() {
    require_two_doors();
    auto difference = settings_.keyed.value_or(subject::Difference{});
    if (decrypts()) difference.decrypt = settings_.control->decrypt;
    auto run = store("keyed", &difference);
    if (!run) return pass_on(std::move(run.error()));
    if (!run->refusal.empty())
      return fail(Fault::subject, (run->never_started ? "the keyed run could not be started: "
                                                      : "the keyed run refused: ") +
                                      run->refusal);
    stopped_ = stopped_in_order(*run);
    add_keyed_run(*run, record_);
    keyed_classes_ = file_classes(*run);
    if (decrypts()) add_decryption(*run, record_);
    hits_ += hits_jsonl(*run);
    return {};
  }

  Result<> control() {
    if (decrypts()) return {};
    if (!settings_.control) {
      record_.grounds.required_controls.emplace_back(
          "control run (subject.yaml has no cipher: control)");
      return {};
    }
    auto run = store("control", &*settings_.control);
    if (!run) return pass_on(std::move(run.error()));
    add_control_run(*run, record_);
    add_class_sight("keyed", keyed_classes_, *run, record_);
    hits_ += hits_jsonl(*run);
    return {};
  }

  // --- variants ----------------------------------------------------------------------------------

  Result<> variants() {
    if (settings_.builds.empty()) return {};
    evidence::Table table("builds", {"build", "keyed run", "control run"},
                          "a refusal is a result: the program's own words");
    for (const auto& variant : settings_.builds) {
      auto binary = binary_of(variant);
      if (!binary) {
        table.add({variant.name, "not built: " + binary.error().what, ""});
        record_.grounds.unexamined.push_back(
            {"build:" + variant.name,
             fmt::format("the variant \"{}\" could not be built", variant.name), ""});
        continue;
      }
      if (auto done = one_variant(variant.name, *binary, table); !done) return done;
    }
    record_.tables.push_back(std::move(table));
    return {};
  }

  Result<std::filesystem::path> binary_of(const subject::Variant& variant) {
    if (!variant.build) return variant.binary;
    auto log = context_.log_for("cipher", "build " + variant.name);
    if (!log) return log;
    auto report =
        subject::build_subject(specification_, *variant.build, *log, context_.interruption);
    if (!report) return pass_on(std::move(report.error()));
    return report->output;
  }

  Result<> one_variant(const std::string& name, const std::filesystem::path& binary,
                       evidence::Table& table) {
    auto keyed = store(name, keyed_difference(), binary);
    if (!keyed) return pass_on(std::move(keyed.error()));
    auto plain = settings_.control ? store(name + ", control", &*settings_.control, binary)
                                   : Result<StoreRun>(StoreRun{});
    if (!plain) return pass_on(std::move(plain.error()));
    hits_ += hits_jsonl(*keyed) + hits_jsonl(*plain);
    table.add({name, outcome(*keyed), outcome(*plain)});
    if (keyed->never_started)
      record_.grounds.unexamined.push_back(
          {"build:" + name,
           fmt::format("the variant \"{}\" could not be started: {}", name, keyed->refusal), ""});
    if (!keyed->refusal.empty()) return {};
    add_keyed_run(*keyed, record_);
    add_control_run(*plain, record_);
    add_class_sight(name, file_classes(*keyed), *plain, record_);
    return {};
  }

  static std::string outcome(const StoreRun& run) {
    if (run.never_started) return "not started: " + run.refusal;
    if (!run.refusal.empty()) return "REFUSED: " + run.refusal;
    if (run.name.empty()) return "none given";
    return exposes_canary(run) ? "canary found" : "canary not found";
  }

  // --- the lane ----------------------------------------------------------------------------------

  void require_two_doors() {
    const auto doors = write_doors(settings_.write);
    record_.grounds.required_controls.emplace_back("two distinct writes");
    record_.grounds.controls.push_back({"two distinct writes", "", evidence::Polarity::positive,
                                        "at least two canaries, written through different doors",
                                        doors.text(), doors.distinct()});
    if (doors.kinds.size() == 1)
      record_.limits.push_back(
          {fmt::format("every canary was written through a door of one kind ({}): what the program "
                       "does with what comes by another was not seen",
                       *doors.kinds.begin())});
  }

  Result<> write_hits() {
    if (context_.folder == nullptr) return {};
    const auto folder = context_.folder->lane("cipher");
    if (!folder) return pass_on(folder.error());
    return evidence::write_durably(*folder / "hits.jsonl", context_.masker.mask(hits_));
  }

  [[nodiscard]] std::string canaries() const {
    return evidence::counted(static_cast<std::uint64_t>(settings_.canaries), "canary", "canaries");
  }

  [[nodiscard]] std::string bounds() const {
    return fmt::format("{}, {}, {} enclosure, this configuration", canaries(),
                       stopped_ ? "stopped store" : "store of a killed subject",
                       context_.enclosure.name());
  }

  const subject::Specification& specification_;
  const subject::CipherSettings& settings_;
  subject::LaneContext& context_;
  evidence::LaneRecord record_ = begin_cipher_record();
  FileClasses keyed_classes_;
  std::string hits_;
  bool stopped_ = true;  // the keyed run, in order
};

}  // namespace

evidence::LaneResult run_cipher(const subject::Specification& specification,
                                subject::LaneContext& context) {
  return CipherLane(specification, context).run();
}

}  // namespace telltale::canary

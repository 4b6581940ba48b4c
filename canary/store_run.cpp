#include "canary/store_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "canary/mint.hpp"
#include "canary/search.hpp"
#include "canary/stray_files.hpp"
#include "subject/driver.hpp"

namespace telltale::canary {

namespace {

namespace fs = std::filesystem;

const std::string kWork = "${work}";

bool below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

// Links are not followed; a folder that cannot be read is the search's to report.
template <class Visit>
void each_entry(const fs::path& folder, Visit visit) {
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    visit(*entry);
}

template <class Visit>
void each_file(const fs::path& folder, Visit visit) {
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored)) return visit(folder);  // `data:` may name a file
  each_entry(folder, [&](const fs::directory_entry& entry) {
    std::error_code error;
    if (entry.is_regular_file(error) && !entry.is_symlink(error)) visit(entry.path());
  });
}

// What a link leads to, when that could hold a value: a file or a folder. Nothing for a link that
// leads nowhere, or to a device; the link itself when it cannot be told.
std::optional<fs::path> leads_to(const fs::path& link) {
  std::error_code error;
  auto target = fs::canonical(link, error);
  if (error == std::errc::no_such_file_or_directory) return std::nullopt;
  if (error) return link;
  if (fs::is_regular_file(target, error) || fs::is_directory(target, error)) return target;
  return std::nullopt;
}

bool is_there(const fs::path& program) {
  std::error_code error;
  return fs::is_regular_file(program, error);
}

class Store {
 public:
  Store(const subject::Specification& specification, subject::LaneContext& context,
        const StoreRunPlan& plan)
      : specification_(specification),
        settings_(*specification.cipher),
        context_(context),
        plan_(plan) {
    run_.name = plan.name;
    for (int i = settings_.canaries; i > 0; --i) run_.canaries.push_back(mint_canary());
    run_.read_back.assign(run_.canaries.size(), false);
    key_ = mint_key();
  }

  Result<StoreRun> run() {
    if (!plan_.binary.empty() && !is_there(plan_.binary)) {
      run_.never_started = true;
      run_.refusal = plan_.binary.string() + " is not there, or is no file";
      return std::move(run_);
    }
    if (auto done = launch(); !done) return pass_on(std::move(done.error()));
    if (!launch_) return std::move(run_);
    auto used = use();
    run_.stop = launch_->stop();
    run_.stop_signal = specification_.stop.signal;
    take_output();
    run_.never_started = launch_->pid() == 0;
    if (!used && refused(used.error())) return std::move(run_);
    if (!used) return pass_on(std::move(used.error()));
    decrypt();
    if (auto searched = search_all(); !searched) return pass_on(std::move(searched.error()));
    look_for_stray_files();
    return std::move(run_);
  }

 private:
  // What the program itself would not do is kept as its refusal.
  bool refused(const Error& error) {
    if (error.fault != Fault::subject) return false;
    run_.refusal = error.what;
    return true;
  }

  // Prepared, not started. Without a launch and without an error the program refused its set-up.
  Result<> launch() {
    subject::LaunchOptions options;
    options.name = "cipher " + plan_.name;
    options.difference = plan_.difference;
    options.binary = plan_.binary.empty() ? context_.binary : plan_.binary;
    options.canaries = run_.canaries;
    options.key = key_;
    auto log = context_.log_for("cipher", plan_.name);
    if (!log) return pass_on(std::move(log.error()));
    options.log = std::move(*log);
    auto prepared =
        subject::Launch::prepare(specification_, context_.enclosure, context_.interruption,
                                 context_.scratch, std::move(options));
    if (!prepared) return refused(prepared.error()) ? Result<>() : pass_on(prepared.error());
    launch_ = std::move(*prepared);
    if (auto learned = context_.learn(*launch_); !learned) return learned;
    return make_patterns();
  }

  Result<> make_patterns() {
    unsigned number = 0;
    for (const auto& canary : run_.canaries) {
      auto patterns = canary_patterns(++number, canary);
      if (!patterns) return pass_on(std::move(patterns.error()));
      run_.patterns.insert(run_.patterns.end(), patterns->begin(), patterns->end());
    }
    number = 0;
    for (const auto& [name, value] : launch_->secrets()) {
      auto patterns = key_patterns(value);
      if (!patterns)
        continue;  // too short to be told from chance; the masker has refused it before
      for (auto& pattern : *patterns) pattern.number = number;
      ++number;
      run_.patterns.insert(run_.patterns.end(), patterns->begin(), patterns->end());
    }
    watch_ = std::make_unique<OutputWatch>(run_.patterns);
    launch_->on_output([watch = watch_.get()](std::string_view piece) { watch->feed(piece); });
    return {};
  }

  Result<> use() {
    if (auto started = launch_->start(); !started) return started;
    for (const auto& step : settings_.write) {
      auto written = subject::run_step(step, *launch_, context_.enclosure);
      if (!written) return pass_on(std::move(written.error()));
    }
    for (const auto& step : settings_.read) read_back(step);
    if (context_.interruption.signal() != 0)
      return fail(Fault::interrupted, "stopped by a signal while the canaries were written");
    return {};
  }

  // What a read does not give back is a control that does not hold, not an error.
  void read_back(const subject::Step& step) {
    const auto answer = subject::run_step(step, *launch_, context_.enclosure);
    if (!answer) return;
    for (std::size_t i = 0; i < run_.canaries.size(); ++i)
      if (answer->body.find(run_.canaries[i]) != std::string::npos) run_.read_back[i] = true;
  }

  void take_output() {
    run_.output = watch_->hits();
    run_.output_bytes = watch_->bytes();
  }

  // `decrypt:` is a command that reads the stopped store and prints what is in it.
  void decrypt() {
    if (plan_.difference == nullptr || plan_.difference->decrypt.empty()) return;
    subject::Step step;
    step.name = "decrypt";
    step.call = subject::ExecCall{plan_.difference->decrypt, {}};
    const auto answer = subject::run_step(step, *launch_, context_.enclosure);
    if (!answer) run_.decrypt_failure = answer.error().what;
    for (const auto& canary : run_.canaries)
      run_.decrypted.push_back(answer && answer->body.find(canary) != std::string::npos);
  }

  Result<std::vector<fs::path>> data_folders() const {
    auto folders = launch_->variables().expand(settings_.data);
    if (!folders) return pass_on(std::move(folders.error()));
    std::vector<fs::path> paths(folders->begin(), folders->end());
    if (paths.empty()) paths.push_back(launch_->data());
    return paths;
  }

  Result<> search_all() {
    const auto folders = data_folders();
    if (!folders) return pass_on(folders.error());
    count_files(*folders);
    SearchPlan plan;
    for (const auto& folder : *folders)
      if (std::error_code error; fs::exists(folder, error)) plan.roots.push_back(folder);
    for (const auto& folder : {launch_->work(), launch_->home(), launch_->tmp()})
      plan.roots.push_back(folder);
    plan.patterns = run_.patterns;
    plan.shown = [this](const std::string& path) { return context_.masker.mask(path); };
    plan.interrupted_by = [this] { return context_.interruption.signal(); };
    auto result = search(plan);
    if (!result) return pass_on(std::move(result.error()));
    run_.search = std::move(*result);
    name_links_out(*folders, run_.search.roots);
    run_.search.name_root(launch_->work().string(), kWork);
    if (run_.search.interrupted_by != 0)
      return fail(Fault::interrupted, "stopped by a signal while the files were searched");
    return {};
  }

  // The folders of this run may lie in a shared one.
  void look_for_stray_files() {
    StrayPlan plan{shared_folders(), {context_.scratch}, began_, run_.canaries};
    if (context_.folder != nullptr) plan.without.push_back(fs::absolute(context_.folder->path()));
    auto found = stray_files(plan);
    run_.stray_files = found.files;
    run_.stray_files_cut = found.cut;
    for (auto& hit : found.hits) {
      hit.pattern = pattern_of_canary(hit.pattern + 1);
      const auto& all = run_.search.hits;
      const bool known = std::any_of(all.begin(), all.end(), [&](const Hit& other) {
        return other.path == hit.path && other.pattern == hit.pattern;
      });
      if (!known) run_.search.hits.push_back(std::move(hit));
    }
  }

  [[nodiscard]] std::size_t pattern_of_canary(std::size_t number) const {
    const auto found =
        std::find_if(run_.patterns.begin(), run_.patterns.end(), [number](const Pattern& pattern) {
          return pattern.kind == Kind::canary && pattern.number == number && pattern.form == "raw";
        });
    return static_cast<std::size_t>(found - run_.patterns.begin());
  }

  void count_files(const std::vector<fs::path>& data) {
    for (const auto& file : specification_.files) hand_over(file.first);
    if (plan_.difference != nullptr)
      for (const auto& file : plan_.difference->files) hand_over(file.first);
    for (const auto& folder : data) {
      const auto before = run_.data_files;
      each_file(folder, [this](const fs::path&) { ++run_.data_files; });
      std::error_code error;
      if (run_.data_files == before)
        run_.empty_data.push_back(shown(folder) +
                                  (fs::exists(folder, error) ? " holds no file" : " is not there"));
    }
    const auto outside = [&](const fs::path& file) {
      const bool in_data = std::any_of(data.begin(), data.end(),
                                       [&](const auto& folder) { return below(file, folder); });
      const auto name = shown(file);
      if (!in_data && !handed_over(name)) run_.outside.push_back(name);
    };
    each_file(launch_->work(), outside);
    for (const auto& folder : {launch_->home(), launch_->tmp()})
      if (!below(folder, launch_->work())) each_file(folder, outside);
  }

  // A store behind a link (a tablespace, a log on another disk) was not searched: links are not
  // followed.
  void name_links_out(const std::vector<fs::path>& data, const std::vector<std::string>& roots) {
    std::vector<fs::path> searched;
    for (const auto& root : roots) searched.push_back(fs::canonical(root));
    const auto visit = [&](const fs::directory_entry& entry) {
      std::error_code error;
      if (!entry.is_symlink(error)) return;
      const auto target = leads_to(entry.path());
      if (!target) return;
      const bool inside = *target != entry.path() &&
                          std::any_of(searched.begin(), searched.end(),
                                      [&](const auto& root) { return below(*target, root); });
      if (!inside)
        run_.search.unseen.push_back(
            {entry.path().string(),
             fmt::format("is a link out of what was searched, to {}: that was not looked at",
                         target->string())});
    };
    for (const auto& folder : data) each_entry(folder, visit);
  }

  void hand_over(const std::string& name) {
    run_.handed_over.push_back(shown(launch_->work() / name));
  }
  [[nodiscard]] std::string shown(const fs::path& path) const {
    const auto work = launch_->work().string();
    const auto text = path.string();
    return text.starts_with(work) ? kWork + text.substr(work.size()) : text;
  }
  [[nodiscard]] bool handed_over(const std::string& path) const {
    return std::find(run_.handed_over.begin(), run_.handed_over.end(), path) !=
           run_.handed_over.end();
  }

  const subject::Specification& specification_;
  const subject::CipherSettings& settings_;
  subject::LaneContext& context_;
  const StoreRunPlan& plan_;
  StoreRun run_;
  std::string key_;
  const std::time_t began_ = std::time(nullptr);
  // Outlives the launch, whose reader thread feeds it.
  std::unique_ptr<OutputWatch> watch_;
  std::unique_ptr<subject::Launch> launch_;
};

}  // namespace

Result<StoreRun> run_store(const subject::Specification& specification,
                           subject::LaneContext& context, const StoreRunPlan& plan) {
  return Store(specification, context, plan).run();
}

}  // namespace telltale::canary

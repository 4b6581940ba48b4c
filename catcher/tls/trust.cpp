#include "catcher/tls/trust.hpp"

#include <fmt/core.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catcher/tls/java_trust_store.hpp"
#include "subject/environment.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;

// Where systems keep the authorities that OpenSSL, GnuTLS and Go read: Debian, Alpine, Fedora,
// SUSE. The first one that is there gives the system's own.
const std::vector<std::string> kBundles = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem"};
const std::vector<std::string> kJavaStores = {"/etc/ssl/certs/java/cacerts",
                                              "/etc/pki/ca-trust/extracted/java/cacerts"};

std::string in_folder(const char* name) {
  return std::string(RunTrust::kFolder) + "/" + name;
}

// The last three hold the run's authority alone, and are read beside the system's own.
const auto kBundle = in_folder("bundle.crt"), kJavaStore = in_folder("java.jks"),
           kAuthority = in_folder("authority.crt"), kHashed = in_folder("certs");

constexpr const char* kBundleVariables[] = {"SSL_CERT_FILE",  "CURL_CA_BUNDLE",
                                            "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE",
                                            "PIP_CERT",       "npm_config_cafile"};
constexpr const char* kAuthorityVariables[] = {"NODE_EXTRA_CA_CERTS", "DENO_CERT"};
// Every JVM obeys the first; the launcher `java` obeys the second too.
constexpr const char* kJavaVariables[] = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"};

std::string system_authorities() {
  for (const auto& path : kBundles) {
    std::ifstream in(path);
    std::ostringstream text;
    if (in && text << in.rdbuf()) return text.str() + "\n";
  }
  return {};
}

Error not_laid(const std::string& what, const char* why) {
  return {Fault::instrument,
          fmt::format("the run's authority could not be given: {}: {}", what, why),
          "leave --read-tls out: what is said inside TLS is then not read"};
}

Result<> write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (out && chmod(path.c_str(), 0644) == 0) return {};
  return tl::make_unexpected(not_laid(path, "it could not be written"));
}

}  // namespace

RunTrust::RunTrust(std::string authority, std::string hashed_name)
    : authority_(std::move(authority)), hashed_name_(std::move(hashed_name)) {}

Result<> RunTrust::mount_over(const std::string& source, const std::string& target, bool files) {
  const int done =
      files ? mount(source.c_str(), target.c_str(), nullptr, MS_BIND, nullptr)
            : mount("telltale", target.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=16m");
  if (done != 0) return tl::make_unexpected(not_laid("mounting " + target, std::strerror(errno)));
  mounted_.push_back(target);
  return {};
}

// By their real names, each once: on some systems they are links to each other.
Result<> RunTrust::cover_all(const std::vector<std::string>& paths, const std::string& source) {
  for (const auto& path : paths) {
    std::error_code missing;
    const auto real = fs::canonical(path, missing).string();
    if (missing || std::find(mounted_.begin(), mounted_.end(), real) != mounted_.end()) continue;
    if (auto done = mount_over(source, real, true); !done) return done;
  }
  return {};
}

Result<> RunTrust::lay() {
  const auto bundle = system_authorities() + authority_;  // before anything lies over it
  std::error_code error;
  fs::create_directories(kFolder, error);
  if (error) return tl::make_unexpected(not_laid(kFolder, error.message().c_str()));
  if (auto done = mount_over("", kFolder, false); !done) return done;
  fs::create_directory(kHashed, error);
  const std::pair<std::string, std::string> files[] = {{kBundle, bundle},
                                                       {kAuthority, authority_},
                                                       {kHashed + "/" + hashed_name_, authority_},
                                                       {kJavaStore, java_trust_store(bundle)}};
  for (const auto& [path, text] : files)
    if (auto done = write_file(path, text); !done) return done;
  // It belongs to whom the subject may run as, who is to change none of it.
  if (mount("", kFolder, "", MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    return tl::make_unexpected(not_laid("closing " + std::string(kFolder), std::strerror(errno)));
  if (auto done = cover_all(kBundles, kBundle); !done) return done;
  return cover_all(kJavaStores, kJavaStore);
}

void RunTrust::lift() {
  for (auto one = mounted_.rbegin(); one != mounted_.rend(); ++one)
    umount2(one->c_str(), MNT_DETACH);
  mounted_.clear();
}

subject::Pairs RunTrust::environment(const subject::Pairs& own) {
  subject::Pairs given;
  for (const auto* name : kBundleVariables) given.emplace_back(name, kBundle);
  for (const auto* name : kAuthorityVariables) given.emplace_back(name, kAuthority);
  given.emplace_back("SSL_CERT_DIR", kHashed);
  for (const auto* name : kJavaVariables) {
    if (subject::find_variable(own, name) != nullptr) continue;
    given.emplace_back(name, fmt::format("-Djavax.net.ssl.trustStore={} "
                                         "-Djavax.net.ssl.trustStoreType=JKS "
                                         "-Djavax.net.ssl.trustStorePassword={}",
                                         kJavaStore, kJavaStorePassword));
    break;
  }
  return given;
}

}  // namespace telltale::catcher

#include <fcntl.h>
#include <fmt/core.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "evidence/subject_stamp.hpp"

namespace telltale::evidence {

namespace {

class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("OpenSSL has no SHA-256");
  }
  void add(const void* bytes, std::size_t size) {
    if (EVP_DigestUpdate(context_.get(), bytes, size) != 1)
      throw std::runtime_error("SHA-256 failed");
  }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
    unsigned size = 0;
    if (EVP_DigestFinal_ex(context_.get(), raw.data(), &size) != 1)
      throw std::runtime_error("SHA-256 failed");
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", raw[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

auto unreadable(const std::filesystem::path& path) {
  return fail(Fault::input, fmt::format("{} cannot be read: {}", path.string(), strerror(errno)),
              "name a file that this user may read; its hash is part of the result");
}

}  // namespace

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe of that name must not hang the run.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return unreadable(path);
  const std::unique_ptr<const int, void (*)(const int*)> closer(&fd,
                                                                [](const int* f) { close(*f); });
  struct stat status {};
  if (fstat(fd, &status) != 0) return unreadable(path);
  if (!S_ISREG(status.st_mode))
    return fail(Fault::input, path.string() + " is not a regular file", "name a file to hash");
  Digest digest;
  std::vector<char> buffer(256 * 1024);
  for (;;) {
    const auto got = read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path);
    if (got == 0) return digest.hex();
    digest.add(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string sha256_hex(std::string_view bytes) {
  Digest digest;
  digest.add(bytes.data(), bytes.size());
  return digest.hex();
}

}  // namespace telltale::evidence

// A file that is either whole or not there: written under PATH.tmp, synced, renamed.
#pragma once

#include <filesystem>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::evidence {

class DurableFile {
 public:
  // Creates PATH.tmp; one that a crash left is replaced, a link of that name is not followed.
  [[nodiscard]] static Result<DurableFile> create(const std::filesystem::path& path);
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&&) = delete;
  ~DurableFile();  // closes; PATH.tmp stays as it is, for whoever looks into a run that broke

  [[nodiscard]] Result<> write(std::string_view bytes);
  // fsync, rename over PATH, fsync of the folder. Nothing can be written afterwards.
  [[nodiscard]] Result<> commit();
  // Removes PATH.tmp.
  void discard();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  DurableFile(std::filesystem::path path, int fd);
  [[nodiscard]] std::filesystem::path temporary() const;

  std::filesystem::path path_;
  int fd_ = -1;
};

// "cannot write PATH: No space left on device", with what to do about this errno.
[[nodiscard]] Error write_error(const std::filesystem::path& path, int error);

}  // namespace telltale::evidence

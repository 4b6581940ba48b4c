#include "subject/launch/folders.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>

#include "subject/file_descriptor.hpp"

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

std::string plain_name(std::string name) {
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '.' && letter != '_')
      letter = '-';
  return name.empty() || name.front() == '.' ? "launch" + name : name;
}

tl::unexpected<Error> cannot_write(const fs::path& path) {
  return fail(Fault::instrument, path.string() + " cannot be made: " + strerror(errno),
              "free the disk, or set TMPDIR to a folder that can be written");
}

Result<> give(const fs::path& path, const Identity& owner) {
  if (owner.uid == geteuid() || lchown(path.c_str(), owner.uid, owner.gid) == 0) return {};
  return fail(Fault::input,
              path.string() + " cannot be given to the user " + owner.name + ": " + strerror(errno),
              "run the tool as root, or take `user:` out");
}

Result<> make_folder(const fs::path& path, const Identity& owner) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return cannot_write(path);
  return give(path, owner);
}

// Below the work folder, which nobody but the tool has written to so far.
Result<> make_parents(const fs::path& work, const fs::path& name, const Identity& owner) {
  fs::path walked = work;
  for (const auto& part : name.parent_path())
    if (auto made = make_folder(walked /= part, owner); !made) return made;
  return {};
}

Result<> write_file(const fs::path& path, const std::string& content, const Identity& owner) {
  const FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return cannot_write(path);
  for (std::size_t at = 0; at < content.size();) {
    const ssize_t done = write(file.get(), content.data() + at, content.size() - at);
    if (done < 0 && errno != EINTR) return cannot_write(path);
    if (done > 0) at += static_cast<std::size_t>(done);
  }
  return give(path, owner);
}

bool leads_out(const fs::path& name) {
  const fs::path normal = name.lexically_normal();
  return name.empty() || name.is_absolute() || !normal.has_filename() || *normal.begin() == ".." ||
         normal == ".";
}

}  // namespace

Result<Folders> make_folders(const fs::path& scratch, const std::string& name,
                             const fs::path& shared_home, const Identity& owner) {
  fs::path work = scratch / plain_name(name);
  for (int number = 2; mkdir(work.c_str(), 0700) != 0; ++number) {
    if (errno != EEXIST) return cannot_write(work);
    work = scratch / (plain_name(name) + "-" + std::to_string(number));
  }
  if (owner.uid != geteuid()) chmod(scratch.c_str(), 0711);
  Folders folders{work, work / "data", work / "home", work / "tmp"};
  if (!shared_home.empty()) folders.home = shared_home;
  for (const auto& folder : {folders.work, folders.data, folders.home, folders.tmp})
    if (auto made = make_folder(folder, owner); !made) return pass_on(made.error());
  return folders;
}

Result<> write_files(const fs::path& work, const Pairs& files, const Identity& owner) {
  for (const auto& [name, content] : files) {
    if (leads_out(name))
      return fail(Fault::input, "files: '" + name + "' is no name below the work folder",
                  "write a relative name without ..: etc/config.toml");
    const fs::path normal = fs::path(name).lexically_normal();
    if (auto made = make_parents(work, normal, owner); !made) return made;
    if (auto written = write_file(work / normal, content, owner); !written) return written;
  }
  return {};
}

}  // namespace telltale::subject

// How a subject comes to trust the authority of the run: by every variable that a program is known
// to obey, and by files laid over those of the system, inside the world's mount namespace only.
//
// Theory of operation. A tmpfs in the world holds the system's own authorities and the run's, as
// PEM, as a folder that OpenSSL looks up by hash, and as Java's trust store. The files that
// libraries read without being told are covered by them (bind mounts). What was laid is lifted when
// the pass ends; the files of the machine are never written. Measured: the variables and the
// covers together reach everything that was tried but Chromium, which has a store of its own.
#pragma once

#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

class RunTrust {
 public:
  static constexpr auto kFolder = "/run/.telltale/tls";

  // A certificate in PEM, and the name that OpenSSL looks it up by.
  RunTrust(std::string authority, std::string hashed_name);

  // Both on a thread that is in the mount namespace, with rights over it (World::in_mounts).
  // Fault::instrument, with the path. lift() undoes whatever was laid.
  [[nodiscard]] Result<> lay();
  void lift();

  // SSL_CERT_FILE and the others. `own` is what the subject has besides: options for Java that it
  // is given stay.
  [[nodiscard]] static subject::Pairs environment(const subject::Pairs& own);

 private:
  [[nodiscard]] Result<> mount_over(const std::string& source, const std::string& target,
                                    bool files);
  [[nodiscard]] Result<> cover_all(const std::vector<std::string>& paths,
                                   const std::string& source);

  std::string authority_, hashed_name_;
  std::vector<std::string> mounted_;  // the folder first
};

}  // namespace telltale::catcher

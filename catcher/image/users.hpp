// The user of an image's configuration, as the image's own /etc/passwd and /etc/group say it.
#pragma once

#include <string>

#include "evidence/result.hpp"
#include "subject/identity.hpp"

namespace telltale::catcher::image {

// `user` is NAME or UID, and after a colon GROUP or GID; empty: 0. A number needs no entry; the
// group is then 0. `root` is a descriptor of the image's root folder. Fault::input for a name that
// the image does not know.
[[nodiscard]] Result<subject::Identity> find_image_user(const std::string& user, int root);

}  // namespace telltale::catcher::image

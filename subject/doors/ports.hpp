// Ports as subject.yaml writes them.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/result.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

// A name of `ports:` or a number. Fault::input when it is neither.
[[nodiscard]] Result<std::uint16_t> port_number(const std::string& written,
                                                const Variables& variables);

}  // namespace telltale::subject

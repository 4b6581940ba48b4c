// The readers of the parts of subject.yaml. Each takes the map that holds its part, and adds to the
// specification; mistakes go where the views say.
#pragma once

#include "subject/specification/names.hpp"
#include "subject/specification/section.hpp"

namespace telltale::subject {

void read_subject(const Section& file, Names& names, Specification& specification);
void read_doors(const Section& file, const Names& names, Specification& specification);
void read_phases(const Section& file, const Names& names, Specification& specification);
void read_waivers(const Section& file, const Names& names, Specification& specification);
void read_egress(const Section& file, const Names& names, Specification& specification);
void read_self(const Section& file, const Names& names, Specification& specification);
void read_cipher(const Section& file, const Names& names, Specification& specification);

// `egress: answers:` and `egress: companions:`.
void read_answers(const Section& egress, const Names& names, const std::filesystem::path& folder,
                  std::vector<AnswerEntry>& answers);
void read_companions(const Section& egress, const Names& names, std::vector<Companion>& companions);

// Parts that several of these have.
[[nodiscard]] Difference read_difference(const View& view, const Names& names, bool may_decrypt);
[[nodiscard]] Build read_build(const View& view, const Names& names);
// `what_key` is "what" of a waiver, "host" of an allowed destination.
[[nodiscard]] WaiverEntry read_waiver(const View& view, const Names& names, std::string_view shape,
                                      std::string_view what_key);
void read_ready(const View& view, const Names& names, Readiness& ready);
void read_stop(const View& view, const Names& names, Stop& stop);
// Environment names without '=' (environ(7)); none in both maps.
void read_environment(const Section& section, Pairs& env, Pairs& secrets);
// Names that stay below ${work}.
void read_files(const Section& section, Pairs& files);

}  // namespace telltale::subject

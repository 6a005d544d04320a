// Decrease-and-conquer as a decider, for container types that bring their own rules.
#pragma once

#include "core/decider.hpp"
#include "linchpin/framework.hpp"

namespace linchpin::decide {

/// Decides a history by a container type's rules, with evidence: a violation's core is what remains when no value can
/// be erased any more, made smaller value by value; a witness is found by running the algorithm again on histories
/// whose operations are pinned down one after the other, where that is affordable. Unknown, not applicable: the rules
/// do not decide this history, or it has too many pending removes.
[[nodiscard]] core::Outcome decrease_and_conquer(const history::Subhistory& part, const ContainerRules& rules,
                                                 const core::DeciderOptions& options, core::Budget& budget);

/// For types made by `specify_container`.
[[nodiscard]] const core::Decider& container_framework();

}  // namespace linchpin::decide

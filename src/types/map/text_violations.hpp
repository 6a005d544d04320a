// Violations of keys to which texts are appended, in the words of texts: the core has, for each append in it, an answer
// that shows the text. Used by: append_monitor.cpp, removal_monitor.cpp, whose tests cover it.
#pragma once

#include "algo/chains.hpp"
#include "core/decider.hpp"
#include "types/map/appended.hpp"

namespace linchpin::types::map {

/// The step of an operation that `read_appended` took, an append being a write of its text: for sentences.
[[nodiscard]] algo::ChainStep text_step(const history::Subhistory& part, std::uint32_t i, const Map& map);

/// @pre appended.contradiction has operations
[[nodiscard]] core::Outcome tell_contradiction(const history::Subhistory& part, const Appended& appended);

/// The outcome, where it is a violation with a core that was found in this conflict; else as it is.
[[nodiscard]] core::Outcome tell_texts(const history::Subhistory& part, const Appended& appended,
                                       const algo::ChainConflict& conflict, core::Outcome outcome);

}  // namespace linchpin::types::map

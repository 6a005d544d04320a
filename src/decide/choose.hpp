// Which method decides a sub-history, and why.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decider.hpp"

namespace linchpin::decide {

struct Choice {
  const core::Decider* monitor = nullptr;  ///< nothing: the general search; one with `start` takes turns with it
  std::string why;
  core::Reading reading;  ///< for DeciderOptions
};

/// The first monitor that applies, or the search with what stood in the monitors' way. With `after`, only those that
/// come after it are looked at.
[[nodiscard]] Choice choose(const history::Subhistory& part, const core::Decider* after = nullptr);

/// Instead of `refused`, whose answers did not hold: the first monitor besides that applies, then each general search,
/// which is to run by itself. Nothing: there is no other.
[[nodiscard]] Choice choose_other(const history::Subhistory& part, std::span<const core::Decider* const> refused);

/// A necessary condition that a part does not keep.
struct Condition {
  const core::Decider* decider = nullptr;
  std::string why;
  core::Outcome outcome;
};
/// The first one, if there is any. O(n), and a short search a key for types with keys.
[[nodiscard]] std::optional<Condition> violated_condition(const history::Subhistory& part, core::Budget& budget);

/// Any decider, monitor or search, by name; nothing if there is none.
[[nodiscard]] const core::Decider* find_decider(std::string_view name);

/// Deciders of another library, which are only there to be asked for: found by name from now on, in all threads. They
/// outlive whatever may ask. A list that is there already is not added again.
void add_deciders(std::span<const core::Decider> deciders);

/// Every decider that has a name: first what may be chosen, in the order in which it is tried, then the general
/// searches, then what is only there to be asked for, last of it what was added.
[[nodiscard]] std::vector<const core::Decider*> all_deciders();

/// All names, for messages.
[[nodiscard]] std::string decider_names();

/// Whether the part is refuted within about `steps` steps of a search, by whichever method applies.
struct Refutation {
  bool refuted = false;
  core::Outcome outcome;
};
[[nodiscard]] Refutation refute(const history::Subhistory& part, std::uint64_t steps, core::Budget& budget);

}  // namespace linchpin::decide

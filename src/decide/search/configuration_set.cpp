// Windowed configuration set: breadth first over the events (algo/frontier), with interned states. Any specification.
//
// Everything that has returned is done, so after each event at most 2^k * states configurations remain (k: open
// operations). At a moment with nothing open a configuration is a bare state: the history is cut there by itself.
// With a width, only a few configurations are kept (algo/frontier/narrowing.hpp).
// Cost: O(events * configurations * k) steps; memory 2^k * states, independent of the number of operations; of a
// register with 3 values and 32 open operations a few dozen configurations remain.
// Source: just-in-time linearization (Lowe 2017) with the prunings of interned_states.hpp (docs/design/search.md, facts
// 1-8). Compare: depth_first.cpp (better where a witness is easy, or the state remembers an undecided past). Tests:
// tests/cross.
#include <algorithm>
#include <optional>
#include <utility>

#include "algo/frontier/frontier_search.hpp"
#include "decide/search/interned_states.hpp"
#include "decide/search/quiet_states.hpp"
#include "decide/search/search_task.hpp"

namespace linchpin::decide {

namespace {

template <class Mask>
using ConfigurationSet = algo::FrontierSearch<InternedStates<Mask>>;

[[nodiscard]] algo::FixedSlots slots_of(const Window& window) { return {.slot = window.slot, .used = window.slots}; }

std::unique_ptr<SearchTask> make(const history::Subhistory& part, const core::DeciderOptions& options,
                                 std::optional<std::size_t> width) {
  auto context = std::make_shared<SearchContext>(part);
  return algo::with_any_slots(context->window.slots, [&]<class Mask>() -> std::unique_ptr<SearchTask> {
    const algo::FixedSlots slots = slots_of(context->window);
    auto search =
        std::make_unique<ConfigurationSet<Mask>>(slots, part, options.witness, part, context, width.has_value());
    if (width) search->narrow(*width);
    return search;
  });
}

}  // namespace

std::optional<std::vector<StateId>> states_after(const history::Subhistory& part,
                                                 const std::shared_ptr<SearchContext>& context, Segment segment,
                                                 std::span<const StateId> start, std::uint64_t steps,
                                                 core::Budget& budget) {
  return algo::with_any_slots(context->window.slots, [&]<class Mask>() -> std::optional<std::vector<StateId>> {
    ConfigurationSet<Mask> search(slots_of(context->window), part, false, part, context, false, segment.ignore_pure,
                                  true);
    std::vector<typename InternedStates<Mask>::Configuration> from;
    for (const StateId state : start) from.push_back({.state = state});
    search.set_range(segment.first, segment.last, std::move(from));
    if (!search.run(steps, budget)) return std::nullopt;
    const Verdict verdict = search.outcome().verdict;
    if (verdict == Verdict::unknown) return std::nullopt;
    std::vector<StateId> states;
    if (verdict == Verdict::violation) return states;
    for (const auto& each : search.frontier().current()) states.push_back(each.state);
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    return states;
  });
}

std::unique_ptr<SearchTask> make_configuration_set(const history::Subhistory& part,
                                                   const core::DeciderOptions& options) {
  return make(part, options, std::nullopt);
}

std::unique_ptr<SearchTask> make_few_configurations(const history::Subhistory& part,
                                                    const core::DeciderOptions& options, std::size_t width) {
  return make(part, options, width);
}

}  // namespace linchpin::decide

// Configurations as masks and interned states, without more: a domain of algo::Frontier for any specification, where it
// matters which configurations are possible. The search for a verdict (configuration_set.cpp) prunes more.
//
// A pure operation is done as soon as it is legal: whatever is possible without it is possible with it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "algo/frontier/frontier.hpp"
#include "base/none.hpp"
#include "decide/search/transitions.hpp"

namespace linchpin::decide {

template <class OfSlots>
class States {
 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    StateId state = 0;
    std::uint32_t tail = kNone;  ///< what was done last
    [[nodiscard]] bool has(const Mask& bit) const { return (mask & bit).any(); }
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  /// Both outlive the domain.
  States(Window& window, const Labels& labels, Transitions& transitions)
      : window_(window), labels_(labels), transitions_(transitions) {}

  [[nodiscard]] Configuration start() const { return {.mask = {}, .state = transitions_.initial()}; }
  [[nodiscard]] bool skipped(std::uint32_t) const { return false; }
  [[nodiscard]] bool impossible(std::uint32_t) const { return false; }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const { return labels_.of(a) == labels_.of(b); }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const { return mix(each.mask.hash(), each.state); }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.state == b.state && a.mask == b.mask;
  }
  [[nodiscard]] bool pure(std::uint32_t x) const { return labels_.pure(labels_.of(x)); }

  void open(std::uint32_t x) { open_.push_back(x); }
  void close(std::uint32_t x) { std::erase(open_, x); }
  /// The operations that are taken to be open, in the order of their calls, for `each_after` alone.
  void set_open(std::vector<std::uint32_t> open) { open_ = std::move(open); }

  void call(std::uint32_t x, std::vector<Configuration>& current) {
    if (!pure(x)) return;
    for (Configuration& each : current) take_pure(each);
  }

  template <class Meet>
  void expand(const Configuration& from, std::uint32_t, Meet&& meet) {
    const Mask undone = window_.used() & ~from.mask;
    for (const std::uint32_t x : open_) {
      if (from.has(window_.bit(x)) || !window_.ready(window_.slot(x), undone)) continue;
      each_after(from, x, meet);
    }
  }
  bool prune(std::uint32_t, std::vector<Configuration>& passed) {
    const auto key = [](const Configuration& c) { return std::pair(c.state, c.mask); };
    std::sort(passed.begin(), passed.end(),
              [&](const Configuration& a, const Configuration& b) { return key(a) < key(b); });
    return true;
  }

  /// Calls `use` with what follows when x is done, and what is pure and legal then. @pre x is open, and not done
  template <class Use>
  void each_after(const Configuration& from, std::uint32_t x, Use&& use) {
    const std::span<const StateId> states = after(from.state, x);
    const absl::InlinedVector<StateId, 4> copy(states.begin(), states.end());  // taking pure ones makes further steps
    for (const StateId state : copy) {
      Configuration next{.mask = from.mask | window_.bit(x), .state = state};
      next.tail = window_.extended(from.tail, x);
      take_pure(next);
      use(next);
    }
  }

 private:
  [[nodiscard]] std::span<const StateId> after(StateId state, std::uint32_t x) {
    ++window_.steps;
    return transitions_.after(state, labels_.of(x));
  }
  /// Open pure operations take effect where they are legal.
  void take_pure(Configuration& configuration) {
    const Mask undone = window_.used() & ~configuration.mask;
    for (const std::uint32_t x : open_) {
      if (!pure(x) || configuration.has(window_.bit(x)) || !ready(x, undone)) continue;
      if (after(configuration.state, x).empty()) continue;
      configuration.mask |= window_.bit(x);
      configuration.tail = window_.extended(configuration.tail, x);
    }
  }
  /// Alike ones that are pure are all legal at once, in whatever order; what else has to be done before must be done.
  [[nodiscard]] bool ready(std::uint32_t x, const Mask& undone) const {
    return window_.lines_up() || window_.ready(window_.slot(x), undone);
  }

  Window& window_;
  const Labels& labels_;
  Transitions& transitions_;
  std::vector<std::uint32_t> open_;  // in the order of their calls
};

}  // namespace linchpin::decide

// Refutes queues whose values are counted, by bounds for the numbers of adds and removes at each gap.
//
// Of the values that are certainly inside all through a gap, and of those that may be inside at some time in it, the
// numbers bound what can be counted there: `least` and `most`. The number of adds and the number of removes so far are
// bounded too: the least of each at the start of a gap, the greatest at its end. A test that is over binds the one to
// the other. All of these constraints point forward in time or stay within a gap, so one sweep in each direction solves
// them exactly. Then each test needs a gap at which a number in its range can be counted.
//
// The relaxation forgets which remove took which value, but for the windows, narrowed by the certain order of the
// values (counted_windows.cpp). It refuses only what is not linearizable; what it lets pass is left to a search. Cost
// O(n), and O(k) a gap at worst for the tests, which try their gaps in turn. Source: docs/design/monitors.md. Tests:
// counted_queue_test.cpp.
#include "types/queue/counted_refutation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace linchpin::types::queue {

namespace {

class CountBounds {
 public:
  CountBounds(const history::Subhistory& part, const CountedHistory& history)
      : part_(part), history_(history), gaps_(static_cast<std::size_t>(history.end) + 1) {
    for (auto* const bound : {&least_, &most_, &least_adds_, &most_adds_, &least_removes_, &most_removes_}) {
      bound->assign(gaps_ + 1, 0);
    }
  }

  std::optional<Miscount> run() {
    add_up();
    if (auto wrong = forward()) return wrong;
    if (auto wrong = backward()) return wrong;
    return tests();
  }
  [[nodiscard]] CountLimits limits() && {
    return {.least_adds = std::move(least_adds_),
            .most_adds = std::move(most_adds_),
            .least_removes = std::move(least_removes_),
            .most_removes = std::move(most_removes_)};
  }

 private:
  using Bounds = std::vector<std::int32_t>;

  /// In all gaps after the moment, `change` more.
  void from(Bounds& bounds, Moment moment, std::int32_t change) const {
    if (moment < history_.end) bounds[static_cast<std::size_t>(moment) + 1] += change;
  }

  /// Where values repeat, nothing is known of which value is inside; only of how many.
  void add_up_repeated() {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const bool adds = history_.act[i] == ActKind::add;
      if (!adds && history_.act[i] != ActKind::take) continue;
      from(adds ? most_adds_ : most_removes_, moment_of(part_.call[i]), 1);
      if (part_.pending(i)) continue;
      from(adds ? least_adds_ : least_removes_, moment_of(part_.response[i]), 1);
    }
    most_.assign(gaps_ + 1, 0);
    from(most_, -1, static_cast<std::int32_t>(part_.size()));
  }

  void add_up() {
    if (history_.repeats) {
      add_up_repeated();
    } else {
      add_up_values();
    }
    for (auto* const bound : {&least_, &most_, &least_adds_, &most_adds_, &least_removes_, &most_removes_}) {
      for (std::size_t gap = 1; gap < gaps_; ++gap) (*bound)[gap] += (*bound)[gap - 1];
    }
    for (std::int32_t& most : most_) {
      most = static_cast<std::int32_t>(std::min<std::int64_t>(most, history_.capacity));
    }
  }

  void add_up_values() {
    for (const CountedValue& v : history_.values) {
      if (v.add == kNone) continue;
      from(most_adds_, v.enters_after, 1);
      from(least_adds_, v.enters_by, 1);
      from(most_, v.enters_after, 1);
      from(most_, v.leaves_by, -1);
      if (v.enters_by < v.leaves_after) {
        from(least_, v.enters_by, 1);
        from(least_, v.leaves_after, -1);
      }
      if (v.remove == kNone) continue;
      from(most_removes_, v.leaves_after, 1);
      from(least_removes_, v.leaves_by, 1);
    }
    for (const std::uint32_t i : history_.unfinished) from(most_removes_, moment_of(part_.call[i]), 1);
  }

  /// The test whose event is just before the gap, or just after it; kNone: another event.
  [[nodiscard]] std::uint32_t test_at(std::size_t event, bool response) const {
    if (event >= static_cast<std::size_t>(history_.end)) return kNone;
    const history::Event found = part_.events()[Rank(event)];
    const std::uint32_t i = found.operation();
    return found.is_response() == response && history_.act[i] == ActKind::count ? i : kNone;
  }
  static std::int32_t bounded(std::int64_t number) {
    constexpr std::int64_t kFar = 1 << 30;
    return static_cast<std::int32_t>(std::clamp(number, -kFar, kFar));
  }
  static void raise(std::int32_t& bound, std::int64_t to) { bound = std::max(bound, bounded(to)); }
  static void lower(std::int32_t& bound, std::int64_t to) { bound = std::min(bound, bounded(to)); }

  /// The least numbers at the start of each gap.
  std::optional<Miscount> forward() {
    for (std::size_t gap = 0; gap < gaps_; ++gap) {
      if (gap > 0) {
        raise(least_adds_[gap], least_adds_[gap - 1]);
        raise(least_removes_[gap], least_removes_[gap - 1]);
        if (const std::uint32_t i = test_at(gap - 1, true); i != kNone) {
          const std::size_t first = part_.call[i].number() + 1;
          raise(least_adds_[gap], least_removes_[first] + history_.range[i].least);
          raise(least_removes_[gap], least_adds_[first] - history_.range[i].most);
        }
      }
      raise(least_adds_[gap], std::int64_t{least_removes_[gap]} + least_[gap]);
      raise(least_removes_[gap], std::int64_t{least_adds_[gap]} - most_[gap]);
      if (least_[gap] > most_[gap]) return crowd(gap);
      if (nowhere(gap)) return Miscount{};
    }
    return std::nullopt;
  }
  /// The greatest numbers at the end of each gap.
  std::optional<Miscount> backward() {
    for (std::size_t gap = gaps_; gap-- > 0;) {
      if (gap + 1 < gaps_) {
        lower(most_adds_[gap], most_adds_[gap + 1]);
        lower(most_removes_[gap], most_removes_[gap + 1]);
      }
      if (const std::uint32_t i = test_at(gap, false); i != kNone && !part_.pending(i)) {
        const std::size_t last = part_.response[i].number();
        lower(most_removes_[gap], most_adds_[last] - history_.range[i].least);
        lower(most_adds_[gap], most_removes_[last] + history_.range[i].most);
      }
      lower(most_removes_[gap], std::int64_t{most_adds_[gap]} - least_[gap]);
      lower(most_adds_[gap], std::int64_t{most_removes_[gap]} + most_[gap]);
      if (nowhere(gap)) return Miscount{};
    }
    return std::nullopt;
  }
  [[nodiscard]] bool nowhere(std::size_t gap) const {
    return least_adds_[gap] > most_adds_[gap] || least_removes_[gap] > most_removes_[gap];
  }

  std::optional<Miscount> tests() const {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (history_.act[i] != ActKind::count) continue;
      bool fits = false;
      std::int64_t least = std::int64_t{1} << 40, most = -1;
      for (std::size_t gap = part_.call[i].number() + 1; gap <= part_.response[i].number() && !fits; ++gap) {
        const std::int64_t low = std::max(least_[gap], least_adds_[gap] - most_removes_[gap]);
        const std::int64_t high = std::min(most_[gap], most_adds_[gap] - least_removes_[gap]);
        fits = low <= history_.range[i].most && high >= history_.range[i].least;
        least = std::min(least, low);
        most = std::max(most, high);
      }
      if (!fits) return miscounted(i, least, most);
    }
    return std::nullopt;
  }

  [[nodiscard]] Miscount crowd(std::size_t gap) const {
    if (least_[gap] <= history_.capacity) return {};
    return {
        fmt::format("{} values were certainly in the queue at once, but it holds {}", least_[gap], history_.capacity)};
  }
  [[nodiscard]] Miscount miscounted(std::uint32_t i, std::int64_t least, std::int64_t most) const {
    const CountRange range = history_.range[i];
    const std::string needs = range.least == range.most
                                  ? fmt::format("{} value{}", range.least, range.least == 1 ? "" : "s")
                                  : fmt::format("at least {} value{}", range.least, range.least == 1 ? "" : "s");
    const std::string said =
        fmt::format("{} needs {} in the queue", part_.history->describe(part_.operation[i]), needs);
    if (most < range.least) return {fmt::format("{}, but during the call there can be {} at most", said, most), i};
    if (least > range.most) return {fmt::format("{}, but during the call there are {} at least", said, least), i};
    return {fmt::format("{}, but at no moment of the call there can be so many", said), i};
  }

  const history::Subhistory& part_;
  const CountedHistory& history_;
  std::size_t gaps_;
  Bounds least_, most_;                // values inside, all through the gap and at some time in it
  Bounds least_adds_, least_removes_;  // at the start of a gap
  Bounds most_adds_, most_removes_;    // at its end
};

}  // namespace

std::optional<Miscount> find_miscount(const history::Subhistory& part, CountedHistory& history) {
  if (history.broken || (!history.repeats && !narrow_windows(history))) return Miscount{};
  return CountBounds(part, history).run();
}

std::optional<CountLimits> count_limits(const history::Subhistory& part, const CountedHistory& history) {
  CountBounds bounds(part, history);
  if (bounds.run()) return std::nullopt;
  return std::move(bounds).limits();
}

}  // namespace linchpin::types::queue

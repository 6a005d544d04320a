#include "types/mvcc_kv/times.hpp"

#include <algorithm>

#include "base/none.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;
using history::Subhistory;

class Sweep {
 public:
  Sweep(const Subhistory& part, const Reading& reading) : part_(part), reading_(reading) {}

  Times run() && {
    times_.until.resize(part_.size());
    for (std::uint32_t i = 0; i < part_.size(); ++i) times_.until[i] = {part_.response[i], i};
    bound_compactions();
    // A range at an old revision was there before whatever compacted beyond it.
    for (const At& each : reading_.old) {
      const std::size_t c = first_compaction(reading_, each.revision + 1);
      if (c < times_.compaction_until.size()) earlier(times_.until[each.operation], times_.compaction_until[c]);
    }
    go_forward();
    go_back();
    return std::move(times_);
  }

 private:
  static void earlier(Bound& bound, const Bound& other) {
    if (other.rank < bound.rank) bound = other;
  }
  static void later(Bound& bound, Rank call, std::uint32_t i) {
    if (bound.by == kNone || call > bound.rank) bound = {call, i};
  }
  void check(const Bound& gap, const Bound& until) {
    if (gap.by == kNone || until.rank > gap.rank || times_.clash) return;
    times_.clash = Times::Clash{.returned = until.by, .called = gap.by};
  }

  /// Compactions come in the order of what they compact to, and before those that found their revision gone.
  void bound_compactions() {
    const auto& all = reading_.compactions;
    times_.compaction_until.resize(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) times_.compaction_until[k] = times_.until[all[k].operation];
    for (const At& each : reading_.too_late) {
      const std::size_t k = first_compaction(reading_, each.revision);
      if (k < all.size()) earlier(times_.compaction_until[k], times_.until[each.operation]);
    }
    for (std::size_t k = all.size(); k-- > 1;) earlier(times_.compaction_until[k - 1], times_.compaction_until[k]);
    for (std::size_t k = 0; k < all.size(); ++k) {
      check({part_.call[all[k].operation], all[k].operation}, times_.compaction_until[k]);
    }
  }

  void go_forward() {
    Bound gap;
    std::size_t early = 0;
    times_.before.resize(reading_.event.size());
    const auto pass = [&](std::uint32_t i) {
      later(gap, part_.call[i], i);
      check(gap, times_.until[i]);
    };
    for (std::size_t r = 1; r < reading_.event.size(); ++r) {
      for (; early < reading_.too_early.size() && reading_.index(reading_.too_early[early].revision) <= r; ++early) {
        later(gap, part_.call[reading_.too_early[early].operation], reading_.too_early[early].operation);
      }
      times_.before[r] = gap;
      if (reading_.event[r] != kNone) pass(reading_.event[r]);
      // Among those that saw one revision the order is that of their calls.
      const auto &looks = reading_.looks[r], &either = reading_.either[r];
      for (std::size_t a = 0, b = 0; a < looks.size() || b < either.size();) {
        pass(b == either.size() || (a < looks.size() && looks[a] < either[b]) ? looks[a++] : either[b++]);
      }
      for (auto c = compacted_to(r); c.first != c.second; ++c.first)
        check(gap_of_event(r), times_.compaction_until[c.first]);
    }
    times_.end = gap;
  }

  /// The indices of `compactions` to this revision.
  [[nodiscard]] std::pair<std::size_t, std::size_t> compacted_to(std::size_t r) const {
    const auto revision = static_cast<std::int64_t>(r);
    return {first_compaction(reading_, revision), first_compaction(reading_, revision + 1)};
  }
  [[nodiscard]] Bound gap_of_event(std::size_t r) const {
    Bound gap = times_.before[r];
    if (reading_.event[r] != kNone) later(gap, part_.call[reading_.event[r]], reading_.event[r]);
    return gap;
  }

  void go_back() {
    times_.behind.assign(reading_.event.size() + 1, {history::Rank::none(), kNone});
    for (std::size_t r = reading_.event.size(); r-- > 1;) {
      Bound& bound = times_.behind[r];
      bound = times_.behind[r + 1];
      if (reading_.event[r] != kNone) earlier(bound, times_.until[reading_.event[r]]);
      for (const std::uint32_t i : reading_.looks[r]) earlier(bound, times_.until[i]);
      for (const std::uint32_t i : reading_.either[r]) earlier(bound, times_.until[i]);
      for (auto c = compacted_to(r); c.first != c.second; ++c.first) earlier(bound, times_.compaction_until[c.first]);
    }
  }

  const Subhistory& part_;
  const Reading& reading_;
  Times times_;
};

}  // namespace

std::size_t first_compaction(const Reading& reading, std::int64_t revision) {
  const auto at = std::lower_bound(reading.compactions.begin(), reading.compactions.end(), revision,
                                   [](const At& each, std::int64_t wanted) { return each.revision < wanted; });
  return static_cast<std::size_t>(at - reading.compactions.begin());
}

Times find_times(const Subhistory& part, const Reading& reading) { return Sweep(part, reading).run(); }

}  // namespace linchpin::types::mvcc_kv

#include "types/mvcc_kv/order.hpp"

#include <algorithm>
#include <tuple>

#include "base/none.hpp"
#include "types/mvcc_kv/effects.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;
using history::Subhistory;

/// At one moment, those that found a revision not made yet come first, and compactions last.
enum class Turn : std::uint8_t { too_early, line, compaction, too_late };

struct Moment {
  Rank gap = 0;
  Turn turn = Turn::line;
  std::uint32_t number = 0;  // in the line
  std::uint32_t operation = 0;
};

class Line {
 public:
  Line(const Subhistory& part, const Reading& reading, std::span<const WayStep> way)
      : part_(part), reading_(reading), way_(way), gap_of_(part.size(), 0), event_gap_(reading.event.size(), 0) {}

  std::vector<std::uint32_t> order() && {
    for (std::size_t r = 1; r < reading_.event.size(); ++r) pass(r);
    for (; next_step_ < way_.size(); ++next_step_) place(way_[next_step_].operation, 0);
    for (; next_early_ < reading_.too_early.size(); ++next_early_) {
      const std::uint32_t i = reading_.too_early[next_early_].operation;
      add(i, part_.call[i], Turn::too_early);
    }
    for (const std::uint32_t i : reading_.free) add(i, part_.call[i], Turn::line);
    compact();
    return sorted();
  }
  std::vector<std::uint32_t> order_up_to(std::int64_t end) && {
    for (std::size_t r = 1; r < std::min(reading_.index(end), reading_.event.size()); ++r) pass(r);
    return sorted();
  }

 private:
  std::vector<std::uint32_t> sorted() {
    std::sort(acts_.begin(), acts_.end(), [](const Moment& a, const Moment& b) {
      return std::tie(a.gap, a.turn, a.number) < std::tie(b.gap, b.turn, b.number);
    });
    std::vector<std::uint32_t> order;
    for (const Moment& each : acts_) {
      if (each.gap >= part_.response[each.operation]) return {};
      order.push_back(each.operation);
    }
    return order;
  }

  void add(std::uint32_t i, Rank gap, Turn turn) {
    gap_of_[i] = gap;
    acts_.push_back({gap, turn, static_cast<std::uint32_t>(acts_.size()), i});
  }
  /// Next in the line, not before `since`.
  void place(std::uint32_t i, Rank since) {
    now_ = std::max({now_, part_.call[i], since});
    add(i, now_, Turn::line);
  }

  void pass(std::size_t r) {
    for (; next_early_ < reading_.too_early.size() && reading_.index(reading_.too_early[next_early_].revision) <= r;
         ++next_early_) {
      const std::uint32_t i = reading_.too_early[next_early_].operation;
      add(i, part_.call[i], Turn::too_early);
      now_ = std::max(now_, part_.call[i]);
    }
    std::uint32_t maker = reading_.event[r];
    std::vector<std::uint32_t> behind = reading_.looks[r];
    for (; next_step_ < way_.size() && reading_.index(way_[next_step_].revision) <= r; ++next_step_) {
      if (way_[next_step_].makes) {
        maker = way_[next_step_].operation;
      } else {
        behind.push_back(way_[next_step_].operation);
      }
    }
    if (maker != kNone) place(maker, 0);
    event_gap_[r] = now_;
    // By their calls; what found its lease gone, behind the revoke.
    std::vector<std::tuple<Rank, bool, std::uint32_t>> calls;
    calls.reserve(behind.size() + reading_.either[r].size());
    for (const std::uint32_t i : behind) calls.emplace_back(part_.call[i], false, i);
    for (const std::uint32_t i : reading_.either[r]) {
      if (i == maker) continue;
      const Rank revoke = call_of_revoke(r, i, maker);
      calls.emplace_back(std::max(part_.call[i], revoke), revoke > part_.call[i], i);
    }
    std::sort(calls.begin(), calls.end());
    for (const auto& [since, later, i] : calls) place(i, since);
  }

  /// The call of the last among the revokes of this revision that a put has to wait for, of each lease the first one.
  [[nodiscard]] Rank call_of_revoke(std::size_t r, std::uint32_t i, std::uint32_t maker) const {
    Rank latest = 0;
    if (part_.method[i] == kRevoke) return latest;
    const Operation operation = part_.view(i);
    for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
      if (act.verb != Verb::put || act.lease.is_nil()) return;
      for (const std::uint32_t other : reading_.either[r]) {
        if (other == maker || part_.method[other] != kRevoke || part_.view(other).argument(0) != act.lease) continue;
        if (part_.call[other] < part_.response[i]) latest = std::max(latest, part_.call[other]);
        break;
      }
    });
    return latest;
  }

  void compact() {
    Rank gap = 0;
    std::size_t old = 0;
    for (const At& each : reading_.compactions) {
      gap = std::max({gap, part_.call[each.operation], event_gap_[reading_.index(each.revision)]});
      for (; old < reading_.old.size() && reading_.old[old].revision < each.revision; ++old) {
        gap = std::max(gap, gap_of_[reading_.old[old].operation]);
      }
      add(each.operation, gap, Turn::compaction);
    }
    for (const At& each : reading_.too_late) {
      const std::size_t by = first_compaction(reading_, each.revision);
      if (by == reading_.compactions.size()) continue;
      const Rank since = gap_of_[reading_.compactions[by].operation];
      add(each.operation, std::max(since, part_.call[each.operation]), Turn::too_late);
    }
  }

  const Subhistory& part_;
  const Reading& reading_;
  std::span<const WayStep> way_;
  std::vector<Moment> acts_;
  std::vector<Rank> gap_of_;     // by operation
  std::vector<Rank> event_gap_;  // by revision
  std::size_t next_step_ = 0, next_early_ = 0;
  Rank now_ = 0;
};

}  // namespace

std::vector<std::uint32_t> order_of(const Subhistory& part, const Reading& reading, std::span<const WayStep> way) {
  return Line(part, reading, way).order();
}

std::vector<std::uint32_t> order_up_to(const Subhistory& part, const Reading& reading, std::span<const WayStep> way,
                                       std::int64_t end) {
  return Line(part, reading, way).order_up_to(end);
}

}  // namespace linchpin::types::mvcc_kv

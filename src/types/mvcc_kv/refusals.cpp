#include "types/mvcc_kv/refusals.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "types/mvcc_kv/execution.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;
using history::Subhistory;

/// The lease that a grant, a revoke or a refused put is about.
Value lease_of(const Operation& operation) {
  return operation.method == kPut ? put_of(operation).lease : operation.argument(0);
}

/// Requests about one lease, asked by time.
class Requests {
 public:
  /// @pre called in the order of the calls
  void add(const Subhistory& part, std::uint32_t i) {
    const bool later = by_call_.empty() || part.response[i] > part.response[by_call_.back().second];
    by_call_.emplace_back(part.call[i], later ? i : by_call_.back().second);
    by_response_.emplace_back(part.response[i], i);
  }
  void settle() {
    std::sort(by_response_.begin(), by_response_.end());
    for (std::size_t k = 1; k < by_response_.size(); ++k) {
      by_response_[k].second = std::max(by_response_[k].second, by_response_[k - 1].second);
    }
  }
  /// Of those that returned before the moment: the one that was called last. kNone: there is none. O(log n).
  [[nodiscard]] std::uint32_t last_behind_it(Rank moment) const { return last_below(by_response_, moment); }
  /// Of those that were called before the moment: the one that returned last. O(log n).
  [[nodiscard]] std::uint32_t last_returned(Rank called) const { return last_below(by_call_, called); }

 private:
  using Column = std::vector<std::pair<Rank, std::uint32_t>>;
  static std::uint32_t last_below(const Column& column, Rank moment) {
    const auto end =
        std::partition_point(column.begin(), column.end(), [moment](const auto& each) { return each.first < moment; });
    return end == column.begin() ? kNone : std::prev(end)->second;
  }

  Column by_call_;      // with the one that returned last up to here
  Column by_response_;  // with the one that was called last up to here
};

/// What bears on one lease.
struct LeaseRequests {
  Requests creators;  ///< grants that may have made it
  Requests present;   ///< grants that returned: it is there behind them
  Requests enders;    ///< revokes that may have ended it
  Requests absent;    ///< revokes that returned, and refused puts: it is not there behind them
};

class Leases {
 public:
  Leases(const Subhistory& part, const Reading& reading) : part_(part) {
    for (const std::uint32_t i : reading.refused) leases_.try_emplace(lease_of(part.view(i)).bits());
    for (std::uint32_t i = 0; i < part.size(); ++i) note(i);
    for (auto& [name, lease] : leases_) {
      for (Requests* const each : {&lease.creators, &lease.present, &lease.enders, &lease.absent}) each->settle();
    }
  }

  [[nodiscard]] std::optional<Unrefusable> why_not_refused(std::uint32_t i) const {
    const LeaseRequests& lease = leases_.at(lease_of(part_.view(i)).bits());
    return part_.method[i] == kGrant ? was_not_there(i, lease) : was_there(i, lease);
  }

 private:
  void note(std::uint32_t i) {
    const std::uint16_t method = part_.method[i];
    if (method != kGrant && method != kRevoke && method != kPut) return;
    const Operation operation = part_.view(i);
    const bool refused = answer_of(operation).kind == Answer::Kind::refused;
    if (method == kPut && !refused) return;
    const auto found = leases_.find(lease_of(operation).bits());
    if (found == leases_.end()) return;
    LeaseRequests& lease = found->second;
    if (!refused) (method == kGrant ? lease.creators : lease.enders).add(part_, i);
    if (!part_.pending(i)) (method == kGrant ? lease.present : lease.absent).add(part_, i);
  }

  /// A grant was refused: behind what shows that the lease was gone, somebody must have granted it.
  [[nodiscard]] std::optional<Unrefusable> was_not_there(std::uint32_t i, const LeaseRequests& lease) const {
    const std::uint32_t creator = lease.creators.last_returned(part_.response[i]);
    if (creator == kNone) {
      return Unrefusable{
          .operation = i, .shown_by = {}, .why = "was refused, but nobody else had granted the lease by then"};
    }
    const std::uint32_t gone = lease.absent.last_behind_it(part_.call[i]);
    if (gone == kNone || part_.response[creator] > part_.call[gone]) return std::nullopt;
    return Unrefusable{.operation = i,
                       .shown_by = {creator, gone},
                       .why = fmt::format("was refused, but the lease was gone: {} came before it, and nobody granted "
                                          "the lease since",
                                          part_.history->describe(part_.operation[gone]))};
  }

  /// A revoke or a put was refused: behind what shows that the lease was there, somebody must have revoked it.
  [[nodiscard]] std::optional<Unrefusable> was_there(std::uint32_t i, const LeaseRequests& lease) const {
    const std::uint32_t there = lease.present.last_behind_it(part_.call[i]);
    if (there == kNone) return std::nullopt;
    const std::uint32_t ender = lease.enders.last_returned(part_.response[i]);
    if (ender != kNone && part_.response[ender] > part_.call[there]) return std::nullopt;
    return Unrefusable{.operation = i,
                       .shown_by = {there},
                       .why = fmt::format("was refused, but the lease was there: {} came before it, and nobody revoked "
                                          "the lease since",
                                          part_.history->describe(part_.operation[there]))};
  }

  const Subhistory& part_;
  absl::flat_hash_map<std::uint64_t, LeaseRequests>
      leases_;  // by the bits of their names: those that somebody was refused for
};

/// When each lease was there, in the course of an order.
class Course {
 public:
  Course(const Subhistory& part, const std::vector<std::uint32_t>& order) {
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::uint32_t i = order[place];
      if (part.method[i] != kGrant && part.method[i] != kRevoke) continue;
      changes_[lease_of(part.view(i)).bits()].push_back({place, part.method[i] == kGrant});
    }
  }

  /// The first place in [first, last] before which the lease is there, or is not.
  [[nodiscard]] std::optional<std::size_t> first_place(Value lease, bool there, std::size_t first,
                                                       std::size_t last) const {
    const auto found = changes_.find(lease.bits());
    if (found == changes_.end()) return there ? std::nullopt : std::optional(first);
    auto next = std::partition_point(found->second.begin(), found->second.end(),
                                     [first](const Change& each) { return each.place < first; });
    if ((next == found->second.begin() ? false : std::prev(next)->there) == there) return first;
    while (next != found->second.end() && next->there != there) ++next;
    if (next == found->second.end() || next->place >= last) return std::nullopt;
    return next->place + 1;
  }

 private:
  struct Change {
    std::size_t place = 0;
    bool there = false;
  };
  absl::flat_hash_map<std::uint64_t, std::vector<Change>> changes_;  // by the bits of a lease's name
};

}  // namespace

std::optional<Unrefusable> find_unrefusable(const Subhistory& part, const Reading& reading) {
  if (reading.refused.empty()) return std::nullopt;
  const Leases leases(part, reading);
  for (const std::uint32_t i : reading.refused) {
    if (std::optional<Unrefusable> found = leases.why_not_refused(i)) return found;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> with_refused(const Subhistory& part, const Reading& reading,
                                        std::vector<std::uint32_t> order) {
  if (reading.refused.empty()) return order;
  const Course course(part, order);
  // Behind what returned before its call, and before what was called after its response.
  history::ByRank<std::size_t> behind(part.ranks() + 1, 0), before(part.ranks() + 1, order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint32_t i = order[place];
    if (!part.pending(i)) behind[part.response[i] + 1] = place + 1;
    before[part.call[i]] = place;
  }
  for (Rank rank = 1; rank <= part.ranks(); ++rank) behind[rank] = std::max(behind[rank], behind[rank - 1]);
  for (Rank rank = part.ranks(); rank > 0; --rank) before[rank - 1] = std::min(before[rank], before[rank - 1]);
  // And behind those of its kind that returned before.
  std::vector<std::uint32_t> by_response = reading.refused;
  std::sort(by_response.begin(), by_response.end(),
            [&](std::uint32_t a, std::uint32_t b) { return part.response[a] < part.response[b]; });
  absl::flat_hash_map<std::uint32_t, std::size_t> place_of;
  std::size_t returned = 0, since = 0;
  std::vector<std::pair<std::size_t, std::uint32_t>> places;
  for (const std::uint32_t i : reading.refused) {
    for (; returned < by_response.size() && part.response[by_response[returned]] < part.call[i]; ++returned) {
      since = std::max(since, place_of[by_response[returned]]);
    }
    const auto place = course.first_place(lease_of(part.view(i)), part.method[i] == kGrant,
                                          std::max(since, behind[part.call[i]]), before[part.response[i]]);
    if (!place) return {};
    place_of[i] = *place;
    places.emplace_back(*place, i);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> all;
  all.reserve(order.size() + places.size());
  auto next = places.begin();
  for (std::size_t place = 0; place <= order.size(); ++place) {
    for (; next != places.end() && next->first == place; ++next) all.push_back(next->second);
    if (place < order.size()) all.push_back(order[place]);
  }
  return all;
}

}  // namespace linchpin::types::mvcc_kv

// The moments at which the versions of one key can end, boundary by boundary.
//
// An operation can act in the gaps after its call and before its response; gap g is the one after event g. The moment
// of a boundary is the gap in which its write acts. Every rule concerns one boundary or two neighbours:
//
//   lower, upper   an operation in stage s: boundary s is not before its call, boundary s - 1 before its response
//   writes         a boundary is in the interval of a request that may be its write, or never, if it need not be
//   excluded       an operation in another stage than s: boundary s - 1 is not before its call, or boundary s before
//                  its response
//
// A request belongs to one boundary, so boundaries never compete for one. Hence the moments of boundary b that fit all
// rules up to b are a short list of intervals, and the next list follows from it: from an interval [p, q], a rule of
// `excluded` allows [p, the least response of those that were called after q]. If no list is empty, choosing from the
// last boundary back, each time the latest moment that is not after the next, meets all rules. O(n) for all boundaries.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.hpp"
#include "types/versioned_map/requests.hpp"

namespace linchpin::types::versioned_map {

using Moment = history::Rank;  // of the event before the gap
inline constexpr Moment kNever = Moment::none();

struct Interval {
  Moment from = 0, to = 0;
};

/// Operations by number, each list by call.
struct Lists {
  std::vector<std::uint32_t> begin, operations;
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t number) const {
    return std::span(operations).subspan(begin[number], begin[number + 1] - begin[number]);
  }
};

class Moments {
 public:
  Moments(const history::Subhistory& part, const Requests& requests);

  /// The first boundary that has no moment; nothing: there is a choice, or the budget is spent.
  std::optional<std::uint32_t> find_blocked(core::Budget& budget);
  /// Whether `boundary` has no moment even if the boundary before `first` may be anywhere.
  [[nodiscard]] bool blocked_from(std::uint32_t first, std::uint32_t boundary);

  /// By boundary, the latest choice: as many as are not `kNever`. @pre nothing was blocked
  [[nodiscard]] std::vector<Moment> choose() const;

  /// The operation that a moment of the boundary lies in, and may be its write.
  [[nodiscard]] std::uint32_t writer(std::uint32_t boundary, Moment moment) const;

  /// The first and last moment that simple bounds leave to the boundary, and whose call or response they are.
  [[nodiscard]] Moment lower(std::uint32_t boundary) const { return lower_[boundary]; }
  [[nodiscard]] Moment upper(std::uint32_t boundary) const { return upper_[boundary]; }
  [[nodiscard]] std::uint32_t lower_by(std::uint32_t boundary) const { return lower_by_[boundary]; }
  [[nodiscard]] std::uint32_t upper_by(std::uint32_t boundary) const { return upper_by_[boundary]; }
  /// Requests that may be its write (those whose value does not fit among them), and operations in another stage.
  [[nodiscard]] std::span<const std::uint32_t> writes(std::uint32_t boundary) const { return writes_.of(boundary); }
  [[nodiscard]] std::span<const std::uint32_t> excluded(std::uint32_t stage) const { return excluded_.of(stage); }

  [[nodiscard]] Moment first_gap(std::uint32_t i) const { return part_.call[i]; }
  /// A pending operation's is the last one before never.
  [[nodiscard]] Moment last_gap(std::uint32_t i) const { return part_.response[i] - 1; }

 private:
  void bound_below(std::uint32_t boundary, std::uint32_t i);
  void bound_above(std::uint32_t boundary, std::uint32_t i);
  void read_bounds();
  void read_lists();
  void step(std::uint32_t boundary, std::span<const Interval> before, std::vector<Interval>& out);
  void possible_writes(std::uint32_t boundary);

  const history::Subhistory& part_;
  const Requests& requests_;
  std::uint32_t boundaries_ = 0;
  std::vector<Moment> lower_, upper_;
  std::vector<std::uint32_t> lower_by_, upper_by_;
  Lists writes_, excluded_;
  std::vector<Interval> intervals_;            // of all boundaries, one after the other
  std::vector<std::uint32_t> begin_;           // by boundary
  std::vector<Interval> reachable_, written_;  // scratch
  std::vector<Moment> least_response_;         // scratch
};

}  // namespace linchpin::types::versioned_map

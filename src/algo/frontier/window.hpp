// What a search by a frontier (frontier.hpp) and its domain share: the open operations and their slots, which of them
// have to be done before which, and the chains of what was done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/frontier/slots.hpp"
#include "algo/shared_chains.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

/// What orders operations besides that nothing is done before its call or after its response.
struct Order {
  /// By operation, the rank of its response, none where it need not be done. Empty: not known before it comes.
  std::span<const history::Rank> due = {};
  /// By operation, others that are called before and have to be done before it. Empty: the events say everything.
  std::span<const std::vector<std::uint32_t>> after = {};

  /// Whether, of operations that do the same and can be done at the same moments, one may be said to go first.
  [[nodiscard]] bool lines_up() const { return !due.empty() && after.empty(); }
};

/// @tparam OfSlots  an algo::SlotMask
/// @tparam OfLinks  what a chain consists of
template <class OfSlots, class OfLinks = std::uint32_t>
class Window {
 public:
  using Mask = OfSlots;
  using Link = OfLinks;

  /// @param slots  how many operations there are, or their FixedSlots
  /// @param order  what it refers to outlives the window
  template <class Given>
  Window(const Given& slots, const Order& order, bool witness) : order_(order), witness_(witness), slots_(slots) {}

  /// Gives a slot. Of open operations that are `alike(y, x)` the one that responds first goes first, of pending ones
  /// the one called first. O(k). @pre fewer than Mask::kSlots are open
  template <class Alike>
  Slot open(std::uint32_t x, Alike&& alike) {
    const Mask others = slots_.used();
    const Slot slot = slots_.open(x);
    before_.make_room(slot);
    before_[slot] = {};
    if (order_.lines_up()) {
      for (Mask rest = others; rest.any(); rest.drop_first()) {
        const std::uint32_t y = slots_.holder(rest.first());
        if (!alike(y, x)) continue;
        const bool first = order_.due[y] <= order_.due[x];
        before_[first ? slot : rest.first()] |= slots_.bit(first ? y : x);
      }
    } else if (!order_.after.empty()) {
      for (const std::uint32_t y : order_.after[x]) {
        if (slots_.is_open(y)) before_[slot] |= slots_.bit(y);
      }
    }
    return slot;
  }
  /// It responded, and is done in every configuration.
  void close(std::uint32_t x) {
    const Mask others = ~slots_.bit(x);
    slots_.close(x);
    for (Mask rest = slots_.used(); rest.any(); rest.drop_first()) before_[rest.first()] &= others;
  }

  /// The operations that are open, those of the lowest slots first.
  [[nodiscard]] std::vector<std::uint32_t> open() const {
    std::vector<std::uint32_t> open;
    for (Mask rest = slots_.used(); rest.any(); rest.drop_first()) open.push_back(slots_.holder(rest.first()));
    return open;
  }
  /// Nothing is open any more.
  void clear() { slots_.clear(); }

  [[nodiscard]] Slot slot(std::uint32_t x) const { return slots_.slot(x); }
  [[nodiscard]] Mask bit(std::uint32_t x) const { return slots_.bit(x); }
  [[nodiscard]] bool is_open(std::uint32_t x) const { return slots_.is_open(x); }
  [[nodiscard]] std::uint32_t holder(Slot slot) const { return slots_.holder(slot); }
  [[nodiscard]] const Mask& used() const { return slots_.used(); }
  [[nodiscard]] bool full() const { return slots_.full(); }
  [[nodiscard]] const Slots<Mask>& slots() const { return slots_; }
  [[nodiscard]] bool lines_up() const { return order_.lines_up(); }
  /// Whether nothing that has to be done before the operation in the slot is among what is not done.
  [[nodiscard]] bool ready(Slot slot, const Mask& undone) const { return (before_[slot] & undone).none(); }

  [[nodiscard]] std::uint32_t extended(std::uint32_t tail, const Link& link) {
    return witness_ ? chains_.extend(tail, link) : kNone;
  }
  [[nodiscard]] std::uint32_t extended(std::uint32_t tail, std::span<const Link> links) {
    for (const Link& link : links) tail = extended(tail, link);
    return tail;
  }
  [[nodiscard]] SharedChains<Link>& chains() { return chains_; }
  [[nodiscard]] const SharedChains<Link>& chains() const { return chains_; }

  /// Whether a step of a domain that takes long may go on; where not, it says that it left something out.
  [[nodiscard]] bool may_go_on() const { return budget == nullptr || !budget->spent(); }

  core::Budget* budget = nullptr;  ///< of who drives the frontier
  std::size_t enough = SIZE_MAX;   ///< so many configurations of this response are enough (Effort::met)
  std::size_t kept = SIZE_MAX;     ///< so many of them are kept in the end (Effort::kept)
  bool left_out = false;           ///< a domain says so where it left out what this response may lead to
  std::uint32_t from = 0;          ///< the number, in this response, of the configuration that is being expanded
  std::uint64_t steps = 0;         ///< for taking turns: domains count what costs them time
  history::Rank moment = 0;        ///< of the event that is being passed, if who drives the frontier says so

 private:
  Order order_;
  bool witness_;
  Slots<Mask> slots_;
  BySlot<Mask> before_;
  SharedChains<Link> chains_;
};

}  // namespace linchpin::algo

// The configurations of a stack history between two events: sets of stacks, one for each mask.
//
// A mask has a bit for every open operation that is already done. What a mask has done determines how many values there
// are and which, but not their order; all orders are held in one set (stack_sets.hpp).
//
//   call of x       a slot; a pure operation that is legal is done at once, which may split a set by its top
//   response of x   configurations without x are expanded, as few bits as possible first, sets of equal masks united
//                   before they are expanded, in this normal form (the block of operations done before x responds):
//                     x pops v     pops* x, or push v directly before x
//                     x: empty     pops* x
//                     else         pops* pushes* x
//
// Why the normal form loses nothing: a block without x in which a push is directly followed by the pop of what it
// pushed (and operations that look at it between) can be moved as a unit behind x, as it leaves the stack as it was.
// Repeated, pops that take what the block pushed are gone, except x itself, and then what stands before x's push can be
// moved behind x too. Operations that feel the height would notice: while the history has any, every order is tried.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "algo/frontier/slots.hpp"
#include "history/subhistory.hpp"
#include "types/stack/stack_acts.hpp"
#include "types/stack/stack_sets.hpp"

namespace linchpin::types {

/// A slot for each operation but those that are pending and pure, which are never needed.
[[nodiscard]] algo::FixedSlots stack_slots(const history::Subhistory& part, const StackActs& acts);

/// @tparam OfSlots  an algo::SlotMask; instances: stack_frontier.cpp
template <class OfSlots>
class StackFrontier {
 public:
  using Mask = OfSlots;
  struct Configuration {
    Mask mask;
    StackSets::Set set;
  };
  /// How a configuration came about during a response, for finding the way back.
  struct Derivation {
    std::uint32_t to;
    std::uint32_t from;    ///< kStart: one of the configurations before the response
    std::uint32_t first;   ///< what was done; kNone: nothing
    std::uint32_t second;  ///< done directly after it; kNone: nothing
    Mask between;          ///< the mask after the first
    StackSets::Set part;   ///< the stacks that come this way
  };
  static constexpr std::uint32_t kNone = algo::FixedSlots::kNone;
  static constexpr std::uint32_t kStart = 0xfffffffeU;
  static constexpr std::uint32_t kSlots = Mask::kSlots;

  /// @pre stack_slots(part, acts).used <= kSlots
  StackFrontier(const history::Subhistory& part, const StackActs& acts);

  /// Pure and pending: never needed.
  [[nodiscard]] bool dropped(std::uint32_t local) const { return slot_[local] == kNone; }
  [[nodiscard]] Mask bit(std::uint32_t local) const { return Mask::of(slot_[local]); }

  [[nodiscard]] StackSets& sets() { return sets_; }
  [[nodiscard]] const StackSets& sets() const { return sets_; }
  [[nodiscard]] std::vector<Configuration>& current() { return current_; }
  [[nodiscard]] const std::vector<Configuration>& current() const { return current_; }

  /// Marks an operation as open or as not open, without more: to go to another place in the history.
  void open(std::uint32_t local);
  void shut(std::uint32_t local);

  /// Goes where just these operations are open, without any configuration, and forgets all sets.
  void restart(const std::vector<std::uint32_t>& open);

  /// The event `call of local`. @pre not dropped
  void call(std::uint32_t local);
  /// The event `response of local`: begin, expand until true, finish. Only masks within `allowed` are followed, and
  /// those with more bits no more once `enough` configurations have passed (`left_out`).
  void begin_response(std::uint32_t local, std::size_t enough = SIZE_MAX, const Mask& allowed = Mask::all());
  /// One more configuration; true: none is left.
  bool expand();
  /// False: no configuration passes the response, and the current ones stay.
  bool finish_response();

  /// Whether the last response was passed by enough configurations and others were not followed.
  [[nodiscard]] bool left_out() const { return left_out_; }
  /// Keeps the `width` configurations whose operations are done the least ahead of their responses, in all; true if
  /// there were more. Which ones are kept depends on nothing but the configurations.
  bool narrow(std::size_t width);

  /// While on, each response leaves its derivations, and its configurations stay in `met`.
  void record(bool on) { recording_ = on; }
  [[nodiscard]] const std::vector<Derivation>& derivations() const { return derivations_; }
  [[nodiscard]] Mask mask_of(std::uint32_t entry) const { return met_[entry].mask; }
  [[nodiscard]] StackSets::Set set_of(std::uint32_t entry) const { return met_[entry].set; }
  /// The open operation that has the slot.
  [[nodiscard]] std::uint32_t holder_of(std::uint32_t slot) const { return holder_[slot]; }
  /// The entry of a configuration that has passed the response, or kNone.
  [[nodiscard]] std::uint32_t passed(const Mask& mask) const;

  /// Stacks met so far, pushes and pops, for taking turns.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::size_t growth() const;

 private:
  enum Phase : std::uint8_t { kPopping, kPushing, kPassed };
  struct Entry {
    Mask mask;
    StackSets::Set set;
    Phase phase;
  };
  struct Cause {
    std::uint32_t from = kStart, first = kNone, second = kNone;
    Mask between;
  };

  void list_enabled();
  template <class Emit>
  void normalize(Mask mask, StackSets::Set set, Emit&& emit);
  [[nodiscard]] StackSets::Set after(const StackAct& act, StackSets::Set set);
  void meet(const Mask& mask, StackSets::Set set, Phase phase, const Cause& cause);
  void take(std::uint32_t from, std::uint32_t local, const Mask& mask, StackSets::Set set, Phase phase);
  void push_then_respond(std::uint32_t from);
  std::uint32_t& place_of(const Mask& mask, Phase phase);
  [[nodiscard]] std::size_t home_of(const Mask& mask, Phase phase) const;

  const history::Subhistory& part_;
  const StackActs& acts_;
  StackSets sets_;
  std::vector<Configuration> current_;  // distinct masks
  std::vector<std::uint32_t> slot_;
  std::array<std::uint32_t, kSlots> holder_{};

  std::vector<std::uint32_t> open_;    // not pure
  std::vector<std::uint32_t> sights_;  // pure, but for looks
  Mask looks_;                         // slots of open looks
  std::vector<Mask> looks_at_;         // by value

  // During a response:
  std::uint32_t responder_ = 0;
  Mask allowed_;
  std::size_t enough_ = SIZE_MAX;
  std::size_t passed_ = 0;
  bool left_out_ = false;
  std::vector<std::uint32_t> enabled_;  // open_, by response
  std::vector<Mask> earlier_;           // the operation of the same label that has to go before, or nothing
  std::vector<Entry> met_;
  std::vector<std::uint32_t> index_;                           // open addressing by (mask, phase); entry + 1
  std::array<std::vector<std::uint32_t>, kSlots + 1> layers_;  // entries to expand, by the number of bits
  std::uint32_t layer_ = 0;
  std::size_t in_layer_ = 0;
  std::vector<StackSets::Edge> split_, rest_;
  std::vector<std::pair<std::uint64_t, Configuration>> ahead_;

  bool recording_ = false;
  std::vector<Derivation> derivations_;
  std::uint64_t steps_ = 0;
};

}  // namespace linchpin::types

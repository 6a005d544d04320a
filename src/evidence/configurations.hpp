// All that can have happened by a moment: which of the open operations took effect, and the state.
//
// Left out is from where nothing follows that does not follow from what is kept: where an operation that changes
// nothing could take effect at once and does not, or where of two that do the same the one that returns later took
// effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>

#include "core/budget.hpp"
#include "evidence/semantics.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

/// What returned took effect. History, operations and specification outlive it.
class Configurations {
 public:
  struct Configuration {
    absl::InlinedVector<std::uint64_t, 1> done;  ///< a bit for each place of an open operation
    StateId state = 0;

    friend bool operator==(const Configuration&, const Configuration&) = default;
    template <class Hash>
    friend Hash AbslHashValue(Hash hash, const Configuration& each) {
      return Hash::combine(std::move(hash), each.done, each.state);
    }
  };
  using Set = absl::flat_hash_set<Configuration>;

  /// Of these operations alone, of one object.
  Configurations(const History& history, std::span<const OperationIndex> operations, const Specification& specification,
                 Ties ties, core::Budget& budget);

  /// What is possible just before the tick, and so what is open then; nothing when the budget, or the cap of
  /// `kMostSteps` steps, ends first (evidence/core.hpp). Method: goes from response to response; what lacks the one
  /// that returns is continued by open operations until it has it, since nothing need take effect before a response
  /// calls for it. Exponential in what overlaps. To be called once.
  [[nodiscard]] std::optional<Set> before(Tick tick);
  /// What a configuration leads to when some of these open operations take effect; nothing as above.
  [[nodiscard]] std::optional<Set> from(Configuration configuration, std::span<const OperationIndex> operations);

  /// Ascending.
  [[nodiscard]] std::vector<OperationIndex> open() const;
  /// Just these of the open operations took effect.
  [[nodiscard]] Configuration with(std::span<const OperationIndex> done, StateId state) const;
  /// Whether the open operation took effect.
  [[nodiscard]] bool has(const Configuration& each, OperationIndex i) const { return bit(each.done, place_of(i)); }
  [[nodiscard]] const StateTable& states() const { return *states_; }

 private:
  using Places = std::vector<std::size_t>;
  using Bits = absl::InlinedVector<std::uint64_t, 1>;
  struct Event {
    Tick tick;
    int kind;  // at one tick the lower comes first
    bool response;
    OperationIndex operation;
  };
  struct Open {
    OperationIndex operation;
    bool pure;
    Bits sooner;  // places of those that do the same and return sooner
  };

  [[nodiscard]] std::vector<Event> events_before(Tick end) const;
  [[nodiscard]] std::size_t place_of(OperationIndex i) const;
  [[nodiscard]] Places places() const;
  [[nodiscard]] bool call(OperationIndex i);
  [[nodiscard]] bool respond(OperationIndex i);
  /// Adds to `all` what it leads to by the operations at the places. False: given up.
  [[nodiscard]] bool close(Set& all, std::span<const std::size_t> places);
  /// Calls `visit(configuration)` for each that one more of the operations at `places` leads to. False: given up.
  template <class Visit>
  [[nodiscard]] bool each_after(const Configuration& from, std::span<const std::size_t> places, Visit&& visit);
  /// All pure ones at the places that are legal take effect.
  void look(Configuration& each, std::span<const std::size_t> places);
  /// Into `states`: those after the operation at the place.
  void after(StateId state, std::size_t place, std::vector<StateId>& states);

  static bool bit(const Bits& bits, std::size_t place) { return (bits[place / 64] >> (place % 64) & 1U) != 0; }
  static void flip(Bits& bits, std::size_t place) { bits[place / 64] ^= std::uint64_t{1} << (place % 64); }

  const History& history_;
  std::span<const OperationIndex> operations_;
  const Specification& specification_;
  Ties ties_;
  Binding binding_;
  std::unique_ptr<StateTable> states_;
  core::Budget& budget_;
  std::vector<std::optional<Open>> open_;  // by place; a place is used again
  std::size_t words_ = 1;                  // of bits
  Set current_;
  std::vector<StateId> successors_, seen_;
  std::size_t steps_ = 0;
};

}  // namespace linchpin::evidence

// A sub-history: the operations of one object, or of one key of it, as deciders see them.
//
// Bound to a specification's method table, ordered by call, with dense ranks of its own. Indices into its columns are
// called local; `operation` leads back to the history.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "history/events.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::history {

class Subhistory {
 public:
  const History* history = nullptr;
  const Specification* specification = nullptr;
  ObjectIndex object = 0;
  std::optional<Value> key;      ///< set when these are the operations of one key
  const Field* order = nullptr;  ///< the field of integers by which the operations are said to be ordered, or nothing
  /// The same operations as they were recorded, where they are decided with other times (api/weaker_order.hpp); or
  /// nothing. Local indices differ.
  std::shared_ptr<const Subhistory> recorded;

  std::vector<OperationIndex> operation;  ///< by local index, ascending rank of the call
  std::vector<std::uint16_t> method;      ///< row of the specification's method table
  std::vector<Rank> call;                 ///< ascending
  std::vector<Rank> response;             ///< none: pending
  std::uint32_t pending_count = 0;
  bool promised = false;  ///< of a prefix: what those still open returned later is known, if they took effect

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(operation.size()); }
  /// One beyond the last event: every rank is below.
  [[nodiscard]] Rank ranks() const { return Rank(2 * size() - pending_count); }
  /// Calls and responses by rank, over local indices. Made when first asked for, O(n); threads may ask at once.
  [[nodiscard]] const ByRank<Event>& events() const {
    const ByRank<Event>* const known = by_rank_->known.load(std::memory_order_acquire);
    return known != nullptr ? *known : make_events();
  }
  [[nodiscard]] bool pending(std::uint32_t local) const { return response[local] == Rank::none(); }
  [[nodiscard]] bool happens_before(std::uint32_t a, std::uint32_t b) const { return response[a] < call[b]; }
  [[nodiscard]] std::span<const Value> arguments(std::uint32_t local) const {
    return history->arguments(operation[local]);
  }
  /// Unknown where the response was cut off (see `prefix`), unless it is promised.
  [[nodiscard]] Value result(std::uint32_t local) const {
    const OperationIndex i = operation[local];
    return pending(local) && !promised && !history->pending(i) ? Value::unknown() : history->result(i);
  }
  /// The operation as the specification sees it. Valid while the history lives.
  [[nodiscard]] Operation view(std::uint32_t local) const {
    const OperationIndex i = operation[local];
    return Operation{.method = method[local],
                     .arguments = history->arguments(i),
                     .result = result(local),
                     .process = specification->uses_process() ? history->process(i) : kNoProcess,
                     .pool = &history->pool()};
  }

  /// Columns are of one length; calls ascend; every rank is one event's. O(n).
  void check_invariants() const;

 private:
  struct KnownEvents {
    std::mutex mutex;
    ByRank<Event> events;
    std::atomic<const ByRank<Event>*> known{nullptr};
  };
  const ByRank<Event>& make_events() const;

  std::shared_ptr<KnownEvents> by_rank_ = std::make_shared<KnownEvents>();  // copies share it
};

/// One sub-history an object, in the order of the objects, with `specifications[object]` for each. Errors with the
/// operation's place: unknown_method; bad_arguments. O(n) after one sort of the events.
[[nodiscard]] Result<std::vector<Subhistory>> split_by_object(
    const History& history, std::span<const std::shared_ptr<const Specification>> specifications, Ties ties);

/// One sub-history a key, in the order of first use; nothing where some operation has no key. Only for specifications
/// with keys. O(n).
[[nodiscard]] std::optional<std::vector<Subhistory>> split_by_key(const Subhistory& whole);

/// What was known before the event of the given rank: operations called earlier, those still open being pending with
/// unknown results, or with the promise of what they returned later. Local indices stay. A prefix of a linearizable
/// history is linearizable, with promises, too: those that took effect by then returned that.
[[nodiscard]] Subhistory prefix(const Subhistory& whole, Rank rank, bool promised = false);

/// By local index of `from`: the local index of the same operation in `to`, which has them all. O(operations of the
/// history).
[[nodiscard]] std::vector<std::uint32_t> same_operations(const Subhistory& from, const Subhistory& to);

/// The sub-history of the given local operations (ascending), with ranks made dense again. O(ranks / 64) and the
/// operations.
[[nodiscard]] Subhistory restrict(const Subhistory& whole, std::span<const std::uint32_t> locals);

}  // namespace linchpin::history

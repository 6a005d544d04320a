#include "types/map/steps.hpp"

namespace linchpin::types::map {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using history::Subhistory;

class StepReader {
 public:
  StepReader(const Subhistory& part, std::uint32_t i, const Map& map)
      : operation_(part.view(i)), pending_(part.pending(i)), map_(map) {}

  [[nodiscard]] std::optional<ChainStep> read() const {
    switch (operation_.method) {
      case Map::kGet: return operation_.result_unknown() ? looks() : reads(held(operation_.result));
      case Map::kContains:
        if (pending_ || operation_.result_unknown()) return looks();
        if (says_true(operation_)) return differs(kAbsent);
        return says_false(operation_) ? std::optional(reads(kAbsent)) : std::nullopt;
      case Map::kPut: return map_.is_previous_value(operation_) ? moves(before(), held(1)) : writes(held(1));
      case Map::kPutIfAbsent: return puts_if_absent();
      case Map::kCas: return compares();
      case Map::kReplace: return operation_.arguments.size() == 3 ? compares() : replaces();
      case Map::kRemove:
        if (finds_nothing()) return reads(kAbsent);
        return tells_before() ? moves(before(), kAbsent) : writes(kAbsent);
      default: return std::nullopt;
    }
  }

 private:
  /// The value, or absent where it stands for that.
  [[nodiscard]] Value held(Value value) const { return map_.is_absent(value, *operation_.pool) ? kAbsent : value; }
  [[nodiscard]] Value held(std::size_t argument) const { return held(operation_.argument(argument)); }
  [[nodiscard]] Value before() const { return held(operation_.result); }

  [[nodiscard]] ChainStep ignored() const { return {.role = ChainRole::ignored}; }
  [[nodiscard]] ChainStep looks() const { return pending_ ? ignored() : ChainStep{.role = ChainRole::free}; }
  [[nodiscard]] ChainStep reads(Value from) const {
    return pending_ ? ignored() : ChainStep{.role = ChainRole::reads, .from = from};
  }
  [[nodiscard]] ChainStep differs(Value from) const {
    return pending_ ? ignored() : ChainStep{.role = ChainRole::differs, .from = from};
  }
  [[nodiscard]] static ChainStep writes(Value to) { return {.role = ChainRole::writes, .to = to}; }
  [[nodiscard]] ChainStep moves(Value from, Value to) const {
    return from == to ? reads(from) : ChainStep{.role = ChainRole::moves, .from = from, .to = to};
  }

  /// remove(k), replace(k, v): the result is the value that was there, or nil.
  [[nodiscard]] bool tells_before() const { return !map_.answers(operation_) && map_.is_previous_value(operation_); }
  /// remove(k), replace(k, v)
  [[nodiscard]] bool finds_nothing() const {
    return map_.answers(operation_) ? says_false(operation_) : tells_before() && before() == kAbsent;
  }

  [[nodiscard]] std::optional<ChainStep> puts_if_absent() const {
    const Value fresh = held(1);
    if (map_.only_acknowledges(operation_)) {
      // One that is pending stored the value, or may be left out.
      return pending_ ? std::optional(moves(kAbsent, fresh)) : std::nullopt;
    }
    if (map_.answers(operation_)) return says_true(operation_) ? moves(kAbsent, fresh) : differs(kAbsent);
    return before() == kAbsent ? moves(kAbsent, fresh) : reads(before());
  }

  /// replace(k, v)
  [[nodiscard]] std::optional<ChainStep> replaces() const {
    if (finds_nothing()) return reads(kAbsent);
    return tells_before() ? std::optional(moves(before(), held(1))) : std::nullopt;
  }

  /// cas(k, old, new) and replace(k, old, new)
  [[nodiscard]] std::optional<ChainStep> compares() const {
    if (says_false(operation_)) return differs(held(1));
    if (!operation_.acknowledged() || (operation_.result_unknown() && !pending_)) return std::nullopt;
    return moves(held(1), held(2));
  }

  Operation operation_;
  bool pending_;
  const Map& map_;
};

}  // namespace

std::optional<ChainStep> step_of(const Subhistory& part, std::uint32_t i, const Map& map) {
  return StepReader(part, i, map).read();
}

std::string more_than_one_key(const Subhistory& part, std::uint32_t i, const Map& /*map*/) {
  if (part.method[i] >= Map::kSize) return "an operation concerns all keys";
  if (part.arguments(i)[0] != part.arguments(0)[0]) return "there are several keys";
  return {};
}

}  // namespace linchpin::types::map

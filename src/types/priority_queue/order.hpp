// The order of priorities: which of two goes first.
//
// Total (order=smallest, order=largest), by components (order=componentwise: a list goes before another of its length
// that is no smaller in any component), or a relation written down (order=high<normal,high<low: what follows from it by
// transitivity, and nothing else; low and normal are incomparable). docs/adr/0005-orders-of-priorities.md says why the
// notation is what it is. Two priorities are equal only where they are the same value.
// Tests: order_test.cpp.
#pragma once

#include <compare>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_map.hpp"
#include "linchpin/error.hpp"
#include "linchpin/value.hpp"

namespace linchpin::types {

class PriorityOrder {
 public:
  enum class Kind : std::uint8_t { smallest, largest, componentwise, componentwise_largest, relation };
  static constexpr std::string_view kNotation =
      "smallest, largest, componentwise, componentwise-largest, or a relation such as a<b,a<c";

  /// The smallest first.
  PriorityOrder() = default;
  /// Error: bad_option, for a text that is no order, and for a relation with a cycle.
  [[nodiscard]] static Result<PriorityOrder> parse(std::string_view text);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Whether any two priorities are comparable.
  [[nodiscard]] bool total() const { return kind_ == Kind::smallest || kind_ == Kind::largest; }

  /// Whether `left` goes before `right`: a strict partial order.
  [[nodiscard]] bool before(Value left, Value right, const ValuePool& pool) const;
  /// A total order of which `before` is a part: less goes first or is incomparable; equal is the same priority.
  [[nodiscard]] std::strong_ordering extended(Value left, Value right, const ValuePool& pool) const;

  /// Why the value is no priority of this order; empty when it is one.
  [[nodiscard]] std::string invalid(Value priority, const ValuePool& pool) const;

  /// Of a relation: its priorities in the native notation, in the order of `extended`.
  [[nodiscard]] std::span<const std::string> elements() const;
  /// Of a relation: whether one element goes before another.
  [[nodiscard]] bool element_before(std::size_t left, std::size_t right) const {
    return relation_->before[left][right];
  }
  /// Of a relation: the place of a priority among its elements, or their number.
  [[nodiscard]] std::size_t element(Value priority, const ValuePool& pool) const;

 private:
  struct Relation {
    std::vector<std::string> elements;  // each after all that go before it
    std::vector<std::vector<bool>> before;
    base::StringMap<std::size_t> place;
  };
  [[nodiscard]] static Result<PriorityOrder> parse_relation(std::string_view text);
  [[nodiscard]] static bool smaller_in_components(Value left, Value right, const ValuePool& pool);

  Kind kind_ = Kind::smallest;
  std::shared_ptr<const Relation> relation_;
};

}  // namespace linchpin::types

// What the models of java.util.concurrent share: what Java prints, and collections as arguments.
//
// Contents are integers. `put` waits while there is no room and `take` while there is nothing, as in Java. Removals
// that answer null or throw when there is nothing are avoided unless empty answers are asked for.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "generate/model.hpp"
#include "types/juc/java.hpp"

namespace linchpin::generate::juc {

/// All `kCount` methods of a type: those of the usual mix with their weights, and which only look. Observers may be
/// those of a class with more methods.
template <std::size_t kCount>
constexpr std::array<Weighted, kCount> every_method(std::initializer_list<Weighted> usual,
                                                    std::initializer_list<std::uint16_t> observers) {
  std::array<Weighted, kCount> rows{};
  for (std::size_t i = 0; i < kCount; ++i) rows[i].method = static_cast<std::uint16_t>(i);
  for (const Weighted& row : usual) rows[row.method] = row;
  for (const std::uint16_t method : observers) {
    if (method < kCount) rows[method].observes = true;
  }
  return rows;
}

/// "[a, b]"
template <class Range>
std::string printed(const Range& range) {
  return fmt::format("[{}]", fmt::join(range, ", "));
}

class JavaModel : public Model {
 protected:
  JavaModel(const Plan& plan, ValuePool& pool) : empties_(plan.empties), pool_(pool) {}

  [[nodiscard]] bool empties() const { return empties_; }
  [[nodiscard]] Value text(std::string_view text) { return pool_.string(text); }
  [[nodiscard]] ValuePool& pool() { return pool_; }

  /// A list of up to two of what `draw_one` gives.
  template <class DrawOne>
  [[nodiscard]] Value collection(Draw& draw, DrawOne&& draw_one) {
    std::array<Value, 2> elements{};
    const std::size_t count = draw.random.below(elements.size() + 1);
    for (std::size_t i = 0; i < count; ++i) elements[i] = draw_one();
    return pool_.list(std::span(elements).first(count));
  }
  /// Whether the collection that the operation was given has the number.
  [[nodiscard]] bool names(const Step& step, std::int64_t element) const {
    const auto named = pool_.elements_of(step.arguments[0]);
    return std::find(named.begin(), named.end(), Value::integer(element)) != named.end();
  }
  /// Removes what the operation's collection has, or all else; sets whether anything left.
  template <class Values>
  void filter(Values& values, Step& step, bool keep) const {
    const auto removed = std::erase_if(values, [&](std::int64_t value) { return names(step, value) != keep; });
    step.result = Value::boolean(removed > 0);
  }

 private:
  bool empties_;
  ValuePool& pool_;
};

}  // namespace linchpin::generate::juc

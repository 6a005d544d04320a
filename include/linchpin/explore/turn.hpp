// What is between the templates that bind a container's methods and the engine that runs every schedule of them.
// Compare: linchpin/stress/plan.hpp, whose binder this serves, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linchpin/recorded_value.hpp"
#include "linchpin/stress/plan.hpp"
#include "linchpin/value.hpp"

namespace linchpin::explore_plan {

// The runtime's side: an operation of the calling thread begins and ends. Values are Value::bits(), but for integers
// that have no room there, which are `wide` and themselves: of arguments, a bit each.
void operation_called(unsigned method, const std::uint64_t* arguments, unsigned count, unsigned wide);
void operation_returned(std::uint64_t result, bool wide);
void operation_cancelled();
/// An argument or a result is no value: the schedule ends there, with a finding.
[[noreturn]] void operation_refused(std::uint64_t number);

struct Method {
  unsigned number = 0;
};

/// As linchpin::ThreadLog, for operations whose threads are the explorer's.
class Log {
 public:
  template <class Function, class... Arguments>
  auto record(Method method, Function&& operation, const Arguments&... arguments) {
    return detail::record_call(*this, method, std::forward<Function>(operation), arguments...);
  }
  template <class... Arguments>
  void call(Method method, const Arguments&... arguments) {
    static_assert(sizeof...(Arguments) <= 3, "an explored method has at most 3 arguments");
    const std::array<Word, sizeof...(Arguments)> words = {word_of(arguments)...};
    std::array<std::uint64_t, sizeof...(Arguments) + 1> values = {};
    unsigned wide = 0;
    for (unsigned i = 0; i < words.size(); ++i) {
      values[i] = words[i].bits;
      wide |= words[i].wide ? 1U << i : 0U;
    }
    operation_called(method.number, values.data(), sizeof...(Arguments), wide);
  }
  void returned() { operation_returned(Value::none().bits(), false); }
  template <class Result>
  void returned(const Result& result) {
    const Word word = word_of(result);
    operation_returned(word.bits, word.wide);
  }
  void cancel() { operation_cancelled(); }

 private:
  struct Word {
    std::uint64_t bits = 0;
    bool wide = false;
  };
  template <class T>
  static Word word_of(const T& value) {
    Word word;
    const Value made = detail::recorded_value(
        value,
        [&](std::int64_t number) {
          word.wide = !Value::fits(number);
          return word.wide ? Value::from_bits(static_cast<std::uint64_t>(number)) : Value::integer(number);
        },
        [](auto text) {
          static_assert(sizeof(text) == 0, "an explored value is no text");
          return Value::nil();
        },
        [](std::uint64_t number) -> Value { operation_refused(number); });
    word.bits = made.bits();
    return word;
  }
};

/// One call of an action: its arguments are those of the scenario.
class Turn {
 public:
  static constexpr std::size_t kMostNumbers = 2;

  Turn(unsigned first_method, const std::array<std::int64_t, kMostNumbers>& numbers)
      : first_method_(first_method), numbers_(numbers) {}

  [[nodiscard]] Log& log() { return log_; }
  [[nodiscard]] Method method(std::size_t i = 0) const { return {first_method_ + static_cast<unsigned>(i)}; }
  Fresh fresh() { return {next(Wanted::fresh)}; }
  Fresh fresh_priority() { return {next(Wanted::priority)}; }
  Key key() { return {next(Wanted::key)}; }
  void refuse() { log_.cancel(); }
  static void pause() {}

  /// What the action has asked for, in order.
  enum class Wanted : std::uint8_t { nothing, fresh, priority, key };
  [[nodiscard]] const std::array<Wanted, kMostNumbers>& wanted() const { return wanted_; }

 private:
  std::int64_t next(Wanted wanted) {
    if (next_ == kMostNumbers) return 0;
    wanted_[next_] = wanted;
    return numbers_[next_++];
  }
  unsigned first_method_;
  std::array<std::int64_t, kMostNumbers> numbers_;
  std::array<Wanted, kMostNumbers> wanted_ = {};
  std::size_t next_ = 0;
  Log log_;
};

using Plan = stress_plan::PlanFor<Turn>;
using Action = stress_plan::ActionFor<Turn>;

}  // namespace linchpin::explore_plan

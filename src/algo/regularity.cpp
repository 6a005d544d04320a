#include "algo/regularity.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

namespace {

using history::Subhistory;

class Regularity {
 public:
  Regularity(const Subhistory& part, const ValueSteps& values)
      : part_(part), steps_(values.steps), overwriter_(part.size(), kNone) {
    values_.observe(values.initial);
    for (const auto& step : steps_) {
      if (step && produces(step->role)) values_.observe(step->to);
    }
    values_.prepare();
    if (!values.initial.is_none()) initial_ = values_.add(values.initial).first;
    for (const auto& step : steps_) {
      if (step && produces(step->role)) values_.add(step->to);
    }
    writer_.assign(values_.count(), kNone);
  }

  core::Outcome decide() {
    for (const history::Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      if (!event.is_response()) {
        call(i);
      } else if (!respond(i)) {
        return violation(i);
      }
    }
    return core::not_applicable();
  }

 private:
  void call(std::uint32_t i) {
    overwriter_[i] = latest_;
    if (!steps_[i]) {
      wild_ = later(wild_, i);
    } else if (produces(steps_[i]->role)) {
      std::uint32_t& writer = writer_[values_.find(steps_[i]->to)];
      writer = later(writer, i);
    }
  }

  /// Of two operations the one that returns later.
  [[nodiscard]] std::uint32_t later(std::uint32_t a, std::uint32_t b) const {
    return a == kNone || part_.response[a] < part_.response[b] ? b : a;
  }

  bool respond(std::uint32_t i) {
    if (!steps_[i]) return true;
    const ChainStep& step = *steps_[i];
    if (observes(step.role) && !may_see(i, values_.find(step.from))) return false;
    if (produces(step.role) && (latest_ == kNone || part_.call[i] > part_.call[latest_])) latest_ = i;
    return true;
  }

  [[nodiscard]] bool may_see(std::uint32_t i, ValueNumber value) const {
    const std::uint32_t over = overwriter_[i];
    const auto remains = [&](std::uint32_t writer) {
      return writer != kNone && (over == kNone || part_.response[writer] > part_.call[over]);
    };
    if (remains(wild_)) return true;
    if (value == ValueNumber::none()) return false;
    return remains(writer_[value]) || (value == initial_ && over == kNone);
  }

  [[nodiscard]] core::Outcome violation(std::uint32_t i) const {
    const Value value = steps_[i]->from;
    const auto text = [&](std::uint32_t operation) { return part_.history->describe(part_.operation[operation]); };
    const std::string name = part_.history->pool().to_text(value);
    const std::uint32_t over = overwriter_[i];
    core::Outcome outcome{.verdict = Verdict::violation, .core = {i}, .blocked = i};
    std::uint32_t first_after = kNone;
    for (std::uint32_t k = 0; k < part_.size(); ++k) {
      if (!steps_[k] || !produces(steps_[k]->role) || steps_[k]->to != value || k == i) continue;
      if (part_.call[k] < part_.response[i]) {
        outcome.core.push_back(k);
      } else if (first_after == kNone) {
        first_after = k;
      }
    }
    const bool was_there = outcome.core.size() > 1;
    drop_overtaken(outcome.core);
    if (was_there || (initial_ != ValueNumber::none() && values_.find(value) == initial_)) {
      outcome.core.push_back(over);
      outcome.sentence =
          was_there ? fmt::format(
                          "{} saw a value that was gone: {} was called when all that wrote {} had returned, and "
                          "returned before {} was called",
                          text(i), text(over), name, text(i))
                    : fmt::format("{} saw the initial value {}, but {} had returned before it was called", text(i),
                                  name, text(over));
    } else if (first_after != kNone) {
      outcome.core.push_back(first_after);
      outcome.sentence = fmt::format("{} returned before {} was called, and nothing had written {} before", text(i),
                                     text(first_after), name);
    } else {
      outcome.sentence = fmt::format("{}: nobody had written {}, and it is not the initial value", text(i), name);
    }
    std::sort(outcome.core.begin(), outcome.core.end());
    outcome.core.erase(std::unique(outcome.core.begin(), outcome.core.end()), outcome.core.end());
    return outcome;
  }

  /// Of the writers of a value, which stand behind the first operation, those after which it was surely written again:
  /// what is seen then is no less than what they wrote.
  void drop_overtaken(std::vector<std::uint32_t>& core) const {
    history::Rank last_call = 0;
    for (std::size_t k = 1; k < core.size(); ++k) last_call = std::max(last_call, part_.call[core[k]]);
    const auto overtaken = [&](std::uint32_t writer) { return part_.response[writer] < last_call; };
    core.erase(std::remove_if(core.begin() + 1, core.end(), overtaken), core.end());
  }

  const Subhistory& part_;
  const std::vector<std::optional<ChainStep>>& steps_;
  DenseValues values_;
  ValueNumber initial_ = ValueNumber::none();
  ByValue<std::uint32_t> writer_;          // of those called so far that write it, the last to return
  std::uint32_t wild_ = kNone;             // of those called so far that may have written anything, the last to return
  std::uint32_t latest_ = kNone;           // of those that have written and returned, the last to be called
  std::vector<std::uint32_t> overwriter_;  // by operation: the latest when it was called
};

}  // namespace

core::Outcome refute_regularity(const Subhistory& part, const ValueSteps& values) {
  return Regularity(part, values).decide();
}

}  // namespace linchpin::algo

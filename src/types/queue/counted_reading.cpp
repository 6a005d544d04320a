#include "types/queue/counted.hpp"

#include <algorithm>

#include "algo/number_values.hpp"
#include "types/answers.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

constexpr std::int64_t kMany = CountedHistory::kNoCapacity;

/// The acts of a queue, operation by operation.
class Reader {
 public:
  Reader(const history::Subhistory& part, const Queue& specification, CountedHistory& history)
      : part_(part), specification_(specification), history_(history), about_(part.size()) {}

  void read() {
    if (!read_acts()) return;
    const algo::NumberedValues numbered = algo::number_values(
        about_, [&](std::size_t i) { return history_.act[i] == CountedAct::add; }, history_.value);
    if (numbered.twice && !lost_.empty()) return obstacle("an enqueue returned with its result lost");
    if (numbered.twice) {
      history_.obstacle = "value " + part_.history->pool().to_text(about_[*numbered.twice]) + " is enqueued twice";
      history_.repeats = true;
      return;
    }
    history_.values.resize(numbered.count);
    read_windows();
  }

  void read_named(const std::vector<std::uint32_t>& linearization, std::vector<std::uint32_t>& alike,
                  std::vector<std::uint32_t>& order) {
    if (!read_acts()) return;
    std::vector<std::uint32_t> equal(part_.size(), kNone);
    (void)algo::number_values(
        about_, [&](std::size_t i) { return history_.act[i] == CountedAct::add; }, equal);
    std::uint32_t values = 0;
    const auto number = [&](std::uint32_t add) {
      history_.value[add] = values++;
      alike.push_back(equal[add]);
      order.push_back(history_.value[add]);
    };
    history_.unfinished.clear();
    std::size_t front = 0;
    for (const std::uint32_t i : linearization) {
      if (history_.act[i] == CountedAct::add) {
        number(i);
      } else if (history_.act[i] == CountedAct::look || history_.act[i] == CountedAct::remove) {
        if (front < order.size()) history_.value[i] = order[front];
        if (history_.act[i] == CountedAct::remove) ++front;
      }
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (history_.act[i] == CountedAct::add && history_.value[i] == kNone) number(i);
      if (history_.act[i] == CountedAct::remove && history_.value[i] == kNone) history_.act[i] = CountedAct::nothing;
    }
    history_.values.resize(values);
    read_windows();
  }

 private:
  bool read_acts() {
    const std::uint32_t count = part_.size();
    history_.act.assign(count, CountedAct::nothing);
    history_.range.resize(count);
    history_.capacity = std::min(specification_.capacity.value_or(kMany), kMany);
    history_.counts = specification_.capacity.has_value();
    for (std::uint32_t i = 0; i < count && history_.obstacle.empty(); ++i) read(i);
    history_.end = static_cast<Moment>(part_.ranks());
    history_.value.assign(count, kNone);
    return history_.obstacle.empty();
  }

  void read_windows() {
    find_windows(part_, history_);
    // With a capacity an enqueue whose result was lost put its value in for certain only if somebody saw it.
    for (const std::uint32_t i : lost_) {
      const CountedValue& value = history_.values[history_.value[i]];
      if (value.remove == kNone && !value.looked_at) history_.obstacle = "an enqueue returned with its result lost";
    }
  }

  void obstacle(const char* what) { history_.obstacle = what; }
  void count(std::uint32_t i, std::int64_t least, std::int64_t most) {
    history_.act[i] = CountedAct::count;
    history_.range[i] = {least, most};
    history_.counts = history_.counts || least != 0 || most != 0;
  }

  void read(std::uint32_t i) {
    const Operation operation = part_.view(i);
    const bool pending = part_.pending(i);
    if (operation.method == Queue::kEnqueue) {
      read_enqueue(i, operation, pending);
    } else if (pending && operation.method != Queue::kDequeue) {
      return;  // only looks
    } else if (operation.result_unknown()) {
      if (operation.method != Queue::kDequeue) return;
      if (!pending) return obstacle("the result of a dequeue is unknown");
      history_.act[i] = CountedAct::remove;
      history_.unfinished.push_back(i);
    } else {
      read_answer(i, operation, pending);
    }
  }

  void read_enqueue(std::uint32_t i, const Operation& operation, bool pending) {
    const bool refused = specification_.capacity && says_false(operation);
    if (refused) {
      if (!pending) count(i, *specification_.capacity, *specification_.capacity);
      return;
    }
    if (!operation.acknowledged(0)) return obstacle("the result of an enqueue is not an acknowledgement");
    if (!pending && specification_.capacity && operation.result_unknown()) lost_.push_back(i);
    history_.act[i] = CountedAct::add;
    about_[i] = operation.argument(0);
  }

  void read_answer(std::uint32_t i, const Operation& operation, bool pending) {
    switch (operation.method) {
      case Queue::kDequeue:
      case Queue::kPeek:
        if (operation.result.is_none()) return obstacle("a dequeue or a peek has no result");
        if (operation.result.is_nil()) {
          if (!pending) count(i, 0, 0);
          return;
        }
        if (pending) return obstacle("a dequeue is pending with a result");
        history_.act[i] = operation.method == Queue::kPeek ? CountedAct::look : CountedAct::remove;
        about_[i] = operation.result;
        return;
      case Queue::kSize: {
        if (!is_integer(operation.result)) return obstacle("a size is no number");
        const std::int64_t number = operation.pool->integer_of(operation.result);
        const std::int64_t most = std::clamp<std::int64_t>(number, -1, kMany + 1);  // beyond what can be there
        return count(i, most, most);
      }
      default:
        if (says_true(operation)) return count(i, 0, 0);
        if (says_false(operation)) return count(i, 1, kMany);
        return obstacle("an is_empty has no answer");
    }
  }

  const history::Subhistory& part_;
  const Queue& specification_;
  CountedHistory& history_;
  std::vector<Value> about_;
  std::vector<std::uint32_t> lost_;
};

}  // namespace

bool CountedHistory::looked() const {
  return std::any_of(values.begin(), values.end(), [](const CountedValue& counted) { return counted.looked_at; });
}

CountedHistory read_counted(const history::Subhistory& part) {
  CountedHistory history;
  const auto* const specification = part.specification->get_if<Queue>();
  if (specification == nullptr) {
    history.obstacle = "not a queue";
    history.other_type = true;
  } else {
    Reader(part, *specification, history).read();
  }
  return history;
}

CountedHistory read_named(const history::Subhistory& part, const std::vector<std::uint32_t>& linearization,
                          std::vector<std::uint32_t>& alike, std::vector<std::uint32_t>& order) {
  CountedHistory history;
  Reader(part, *part.specification->get_if<Queue>(), history).read_named(linearization, alike, order);
  return history;
}

}  // namespace linchpin::types::queue

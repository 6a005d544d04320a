#include "types/queue/counted.hpp"

#include <algorithm>

#include "algo/number_values.hpp"
#include "types/answers.hpp"
#include "types/container_acts.hpp"
#include "types/queue/acts.hpp"
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
        about_, [&](std::size_t i) { return history_.act[i] == ActKind::add; }, history_.value);
    if (numbered.twice && !lost_.empty()) return obstacle("an enqueue returned with its result lost");
    if (numbered.twice) {
      history_.obstacle = "value " + part_.history->pool().to_text(about_[*numbered.twice]) + " is enqueued twice";
      history_.repeats = true;
      return;
    }
    history_.values.resize(numbered.count);
    read_windows();
  }

  void read_named(const std::vector<std::uint32_t>& linearization, algo::ByValue<std::uint32_t>& alike,
                  std::vector<ValueNumber>& order) {
    if (!read_acts()) return;
    std::vector<ValueNumber> equal(part_.size(), ValueNumber::none());
    (void)algo::number_values(
        about_, [&](std::size_t i) { return history_.act[i] == ActKind::add; }, equal);
    ValueNumber next = 0;
    const auto number = [&](std::uint32_t add) {
      history_.value[add] = next++;
      alike.push_back(equal[add].number());
      order.push_back(history_.value[add]);
    };
    history_.unfinished.clear();
    std::size_t front = 0;
    for (const std::uint32_t i : linearization) {
      if (history_.act[i] == ActKind::add) {
        number(i);
      } else if (history_.act[i] == ActKind::look || history_.act[i] == ActKind::take) {
        if (front < order.size()) history_.value[i] = order[front];
        if (history_.act[i] == ActKind::take) ++front;
      }
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (history_.act[i] == ActKind::add && history_.value[i] == ValueNumber::none()) number(i);
      if (history_.act[i] == ActKind::take && history_.value[i] == ValueNumber::none()) history_.act[i] = ActKind::free;
    }
    history_.values.resize(next.number());
    read_windows();
  }

 private:
  bool read_acts() {
    const std::uint32_t count = part_.size();
    history_.act.assign(count, ActKind::free);
    history_.range.resize(count);
    history_.capacity = std::min(specification_.capacity.value_or(kMany), kMany);
    history_.counts = specification_.capacity.has_value();
    for (std::uint32_t i = 0; i < count && history_.obstacle.empty(); ++i) read(i);
    history_.end = moment_of(part_.ranks());
    history_.value.assign(count, ValueNumber::none());
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
    history_.act[i] = ActKind::count;
    history_.range[i] = {least, most};
    history_.counts = history_.counts || least != 0 || most != 0;
  }

  void read(std::uint32_t i) {
    const Operation operation = part_.view(i);
    const bool pending = part_.pending(i);
    const bool adds = operation.method == Queue::kEnqueue;
    if (adds && specification_.capacity && says_false(operation)) {
      if (!pending) count(i, *specification_.capacity, *specification_.capacity);
      return;
    }
    const Act act = act_of(kMethods, operation, pending);
    switch (act.kind) {
      case ActKind::empty: return count(i, 0, 0);
      case ActKind::count: {
        const auto countable = [](std::int64_t number) { return std::clamp<std::int64_t>(number, -1, kMany + 1); };
        return count(i, countable(act.least), countable(act.most));
      }
      case ActKind::omitted:
      case ActKind::free: return;
      case ActKind::lost_take:
        if (!pending) return obstacle("the result of a dequeue is unknown");
        history_.act[i] = ActKind::take;
        history_.unfinished.push_back(i);
        return;
      case ActKind::add:
        if (!pending && specification_.capacity && operation.result_unknown()) lost_.push_back(i);
        break;
      case ActKind::take:
        if (pending) return obstacle("a dequeue is pending with a result");
        break;
      case ActKind::look: break;
      default:
        return obstacle(adds ? "an enqueue adds nothing that can be named, or its result is not an acknowledgement"
                             : "a result is none that a queue gives");
    }
    history_.act[i] = act.kind;
    about_[i] = act.value;
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
                          algo::ByValue<std::uint32_t>& alike, std::vector<ValueNumber>& order) {
  CountedHistory history;
  Reader(part, *part.specification->get_if<Queue>(), history).read_named(linearization, alike, order);
  return history;
}

}  // namespace linchpin::types::queue

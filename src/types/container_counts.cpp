// Refutes histories of containers by how often a value was put in and taken by then, and by how many values were.
//
// Whatever the order in which a container gives its values away:
//   - by the response of a take, its value was taken by those that had returned, and put in at most by those called;
//   - so it is for a look, which leaves a value inside that takes which returned before its call did not take;
//   - what finds a value missing, or nothing inside, leaves nothing there: the puts that returned before its call are
//     at most as many as the takes called before its response, with those whose result is lost or that are pending;
//   - what tells a number of values lies between the same bounds, of all values, and so does a capacity that was found
//     used up;
//   - what returned with a result that is legal in no state is a violation by itself.
// Behind a `clear` of a bag, and a `remove` that does not tell what it did, only the first two are asked.
// The core is what was counted: these operations alone are one too many. Where they are many, it is what fewer can be
// found in. One sweep over the events. Values may repeat. Cost: O(n). Compare: queue/counted_refutation.cpp (queues
// with a capacity, all at once). Tests: container_counts_test.cpp.
#include "types/container_counts.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/answers.hpp"
#include "types/bag/acts.hpp"
#include "types/bag/specification.hpp"
#include "types/deque/two_ends.hpp"
#include "types/priority_queue/acts.hpp"
#include "types/queue/acts.hpp"
#include "types/stack/acts.hpp"
#include "types/times.hpp"

namespace linchpin::types {

namespace {

using algo::ValueNumber;
using history::Rank;
using history::Subhistory;
using ReadAct = Act (*)(const Operation& operation, bool pending);

template <const ContainerMethods& methods>
Act read_by(const Operation& operation, bool pending) {
  return act_of(methods, operation, pending);
}

Act read_with_steals(const Operation& operation, bool pending) {
  if (WorkStealingDeque::gave_up(operation)) return {.kind = ActKind::free};
  return act_of(deque::kContainerMethods, operation, pending);
}

/// How the container's operations are read; null: of another type. The heights of a stack say more than numbers.
ReadAct reader_of(const Specification& specification) {
  if (specification.get_if<Queue>() != nullptr) return read_by<queue::kMethods>;
  if (const auto* const stack = specification.get_if<Stack>()) {
    return stack->heights == Stack::Heights::no ? read_by<kStackMethods> : nullptr;
  }
  if (specification.get_if<Deque>() != nullptr) return read_by<deque::kContainerMethods>;
  if (specification.get_if<BoundedDeque>() != nullptr) return read_by<deque::kContainerMethods>;
  if (specification.get_if<WorkStealingDeque>() != nullptr) return read_with_steals;
  if (specification.get_if<PriorityQueue>() != nullptr) return read_by<kPriorityQueueMethods>;
  return specification.get_if<Bag>() != nullptr ? ReadAct{bag::act_of} : nullptr;
}

/// How many values it holds at most. Where there is such a number, an insert that finds no room answers false, and one
/// whose result is lost may have found none.
std::optional<std::int64_t> capacity_of(const Specification& specification) {
  if (const auto* const queue = specification.get_if<Queue>()) return queue->capacity;
  if (const auto* const deque = specification.get_if<BoundedDeque>()) return deque->capacity;
  const auto* const heap = specification.get_if<PriorityQueue>();
  return heap == nullptr ? std::nullopt : heap->capacity;
}

struct CountedAct {
  ActKind kind = ActKind::free;
  bool certain = false;  ///< it returned, and took effect
  ValueNumber value = ValueNumber::none();
};

/// How many values an operation says are inside; none, where it found nothing.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

struct CountedActs {
  std::vector<CountedAct> of;  ///< by local index
  algo::ByValue<Value> values;
  absl::flat_hash_map<std::uint32_t, Range> told;  ///< by operations that tell a number above none
};

/// A core of so many operations is shown as it is: of operations on one value, and on any.
constexpr std::size_t kFewOfOne = 12;
constexpr std::size_t kFewOfAll = 4;
/// So many values are followed one by one where nothing is found.
constexpr std::size_t kFewValues = 64;

/// So many were put in and taken, by events so far.
struct Tally {
  std::int64_t may_add = 0;   ///< called
  std::int64_t adds = 0;      ///< returned, and cannot have been refused
  std::int64_t may_take = 0;  ///< called; of one value with those of which it is known
  std::int64_t takes = 0;     ///< returned
};

/// What was known when an operation that looks was called.
struct AtCall {
  Tally tally;                       ///< of its value, or of all
  algo::ByValue<std::int64_t> adds;  ///< empty where nothing is inside for certain
};

class Counts {
 public:
  Counts(const Subhistory& part, const CountedActs& acts) : part_(part), acts_(acts), of_(acts.values.size()) {}

  /// A violation, or nothing that is known.
  core::Outcome refute() {
    for (const history::Event event : part_.events()) {
      const std::uint32_t x = event.operation();
      if (!event.is_response()) {
        calls(x);
      } else if (responds(x)) {
        return {
            .verdict = Verdict::violation, .core = std::move(core_), .blocked = x, .sentence = std::move(sentence_)};
      }
    }
    return core::not_applicable();
  }

 private:
  [[nodiscard]] const CountedAct& act(std::uint32_t x) const { return acts_.of[x]; }
  [[nodiscard]] Range told(std::uint32_t x) const {
    const auto range = acts_.told.find(x);
    return range == acts_.told.end() ? Range() : range->second;
  }
  [[nodiscard]] bool is_certain_add(std::uint32_t x) const { return act(x).kind == ActKind::add && act(x).certain; }

  void calls(std::uint32_t x) {
    const CountedAct& called = act(x);
    switch (called.kind) {
      case ActKind::add:
        ++all_.may_add;
        ++of_[called.value].may_add;
        break;
      case ActKind::take:
        ++all_.may_take;
        ++of_[called.value].may_take;
        break;
      case ActKind::lost_take:
        ++all_.may_take;
        ++lost_;
        break;
      case ActKind::unclear: any_taken_ = true; break;
      case ActKind::look:
      case ActKind::missing: open_[x].tally = of_[called.value]; break;
      case ActKind::empty: note_values(open_[x]); [[fallthrough]];
      case ActKind::count: open_[x].tally = all_; break;
      default: break;
    }
  }

  /// Whether it is one too many.
  bool responds(std::uint32_t x) {
    const CountedAct& returned = act(x);
    switch (returned.kind) {
      case ActKind::add:
        if (is_certain_add(x)) {
          ++all_.adds;
          ++of_[returned.value].adds;
        }
        return false;
      case ActKind::take: {
        ++all_.takes;
        Tally& own = of_[returned.value];
        return ++own.takes > own.may_add && too_few(x, part_.response[x], returned.value);
      }
      case ActKind::never: core_ = {x}; return true;
      default: return looks(x, returned);
    }
  }
  /// Whether what only looked has seen what cannot be.
  bool looks(std::uint32_t x, const CountedAct& returned) {
    const auto open = open_.find(x);
    if (open == open_.end()) return false;
    const AtCall before = std::move(open->second);
    open_.erase(open);
    const ValueNumber all = ValueNumber::none();
    switch (returned.kind) {
      case ActKind::look:
        return before.tally.takes + 1 > of_[returned.value].may_add && too_few(x, part_.call[x], returned.value);
      case ActKind::missing:
        return !any_taken_ && before.tally.adds > of_[returned.value].may_take + lost_ && too_many(x, returned.value);
      default:
        if (const ValueNumber stays = one_that_stays(before); stays != all) return too_many(x, stays);
        if (!any_taken_ && before.tally.adds - all_.may_take > told(x).most) return too_many(x, all);
        return all_.may_add - before.tally.takes < told(x).least && too_few(x, part_.call[x], all);
    }
  }

  /// Where something is inside as far as is known: how much was put in of each value.
  void note_values(AtCall& open) const {
    if (of_.size() > kFewValues) return;
    const auto inside = [&](const Tally& own) { return own.adds > own.may_take + lost_; };
    if (std::none_of(of_.begin(), of_.end(), inside)) return;
    for (const Tally& own : of_) open.adds.push_back(own.adds);
  }
  /// A value of which not all can have been taken by now; of those the one that is told by the fewest.
  [[nodiscard]] ValueNumber one_that_stays(const AtCall& before) const {
    ValueNumber least = ValueNumber::none();
    if (any_taken_ || before.adds.empty()) return least;
    for (ValueNumber v = 0; v < of_.size(); ++v) {
      if (before.adds[v] <= of_[v].may_take + lost_) continue;
      if (least == ValueNumber::none() || before.adds[v] < before.adds[least]) least = v;
    }
    return least;
  }

  /// Of that value, or of all: the puts called before x returned are fewer than it needs, with the takes that had
  /// returned up to `taken_by`.
  bool too_few(std::uint32_t x, Rank taken_by, ValueNumber value) {
    std::size_t added = 0;
    for (std::uint32_t y = 0; y < part_.size() && part_.call[y] < part_.response[x]; ++y) {
      const CountedAct& other = act(y);
      if (value != ValueNumber::none() && other.value != value) continue;
      const bool adds = other.kind == ActKind::add;
      if (adds) ++added;
      if (adds || y == x || (other.kind == ActKind::take && part_.response[y] <= taken_by)) core_.push_back(y);
    }
    const bool itself = act(x).kind == ActKind::take;
    const std::size_t taken = core_.size() - added - (itself ? 0 : 1);
    if (core_.size() > (value == ValueNumber::none() ? kFewOfAll : kFewOfOne)) keep_all(x, value);
    if (value == ValueNumber::none()) {
      say(x, "of these operations at most {} had put in by then, and {} had taken before", added, taken);
    } else if (added == 0) {
      say(x, "nobody had put {} in by then", text(value));
    } else {
      say(x, "{} was put in {} at most by then, and taken {}{}", text(value), times(added), times(taken),
          itself ? "" : " before");
    }
    return true;
  }
  /// Of one value all that is about it, of which more does not make it possible; of all values no core. Who makes cores
  /// smaller finds fewer in it, and words for these.
  void keep_all(std::uint32_t x, ValueNumber value) {
    core_.clear();
    if (value == ValueNumber::none()) return;
    for (std::uint32_t y = 0; y < part_.size() && part_.call[y] < part_.response[x]; ++y) {
      const ActKind kind = act(y).kind;
      const bool changes = act(y).value == value && (kind == ActKind::add || kind == ActKind::take);
      if (changes || y == x || kind == ActKind::lost_take) core_.push_back(y);
    }
  }

  /// Of that value, or of all: more were put in before x was called than can have been taken until it returned.
  bool too_many(std::uint32_t x, ValueNumber value) {
    std::vector<std::uint32_t> adds, takes;  // by call
    for (std::uint32_t y = 0; y < part_.size() && part_.call[y] < part_.response[x]; ++y) {
      const CountedAct& other = act(y);
      const bool counts = value == ValueNumber::none() || other.value == value || other.kind == ActKind::lost_take;
      if (!counts) continue;
      if (is_certain_add(y) && part_.happens_before(y, x)) adds.push_back(y);
      if (is_take(other.kind)) takes.push_back(y);
    }
    const bool all = adds.size() + takes.size() < kFewOfOne;
    if (!all) keep_last(adds, takes, told(x).most);
    core_ = adds;
    core_.insert(core_.end(), takes.begin(), takes.end());
    core_.push_back(x);
    std::sort(core_.begin(), core_.end());
    if (value == ValueNumber::none() && core_.size() > kFewOfAll) core_.clear();
    if (value == ValueNumber::none()) {
      say(x, "of these operations {} had put in before, and at most {} had taken by then", adds.size(), takes.size());
    } else if (all) {
      say(x, "{} was put in {} before, and taken {} at most by then", text(value), times(adds.size()),
          times(takes.size()));
    } else {
      say(x, "of these operations {} had put in {} before, and at most {} had taken it by then", adds.size(),
          text(value), takes.size());
    }
    return true;
  }
  /// Those behind the last moment from which on more is put in than can be taken, but for `most`: what returned before
  /// it took nothing that was put in later. @pre there is one; ascending by call
  void keep_last(std::vector<std::uint32_t>& adds, std::vector<std::uint32_t>& takes, std::int64_t most) const {
    std::vector<Rank> responses;  // of the takes
    responses.reserve(takes.size());
    for (const std::uint32_t y : takes) responses.push_back(part_.response[y]);
    std::sort(responses.begin(), responses.end());
    for (std::size_t first = adds.size(); first-- > 0;) {
      const auto later =
          responses.end() - std::lower_bound(responses.begin(), responses.end(), part_.call[adds[first]]);
      if (static_cast<std::int64_t>(adds.size() - first) - later <= most) continue;
      const Rank moment = part_.call[adds[first]];
      adds.erase(adds.begin(), adds.begin() + static_cast<std::ptrdiff_t>(first));
      std::erase_if(takes, [&](std::uint32_t y) { return part_.response[y] < moment; });
      return;
    }
  }

  [[nodiscard]] std::string text(ValueNumber value) const { return part_.history->pool().to_text(acts_.values[value]); }
  template <class... Told>
  void say(std::uint32_t x, fmt::format_string<Told...> words, Told&&... told) {
    if (core_.empty()) return;
    sentence_ = part_.history->describe(part_.operation[x]) + ": " + fmt::format(words, std::forward<Told>(told)...);
  }

  const Subhistory& part_;
  const CountedActs& acts_;
  algo::ByValue<Tally> of_;
  Tally all_;
  bool any_taken_ = false;  // `clear`, and a `remove` that does not tell whether it did, may have
  std::int64_t lost_ = 0;   // takes called that may have taken any value
  absl::flat_hash_map<std::uint32_t, AtCall> open_;  // what looks
  std::vector<std::uint32_t> core_;
  std::string sentence_;
};

}  // namespace

core::Applicability container_counts_applicable(const Subhistory& part) {
  const ReadAct read = reader_of(*part.specification);
  if (read == nullptr) return core::not_of_this_type("no container without heights");
  auto acts = std::make_shared<CountedActs>();
  acts->of.resize(part.size());
  std::vector<Value> value(part.size(), Value::none());
  algo::DenseValues numbers;
  const std::optional<std::int64_t> capacity = capacity_of(*part.specification);
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    Act act = read(part.view(x), part.pending(x));
    const bool adds_or_never = act.kind == ActKind::add || act.kind == ActKind::never;
    if (capacity && adds_or_never && says_false(part.view(x))) {
      act = {.kind = ActKind::count, .least = *capacity, .most = *capacity};
    }
    if (act.kind == ActKind::unclear && read != bag::act_of) {
      return {.applies = false, .why = part.history->describe(part.operation[x]) + " puts in what no result tells"};
    }
    const bool may_be_refused = capacity && part.result(x).is_unknown();
    acts->of[x] = {.kind = act.kind, .certain = !part.pending(x) && !may_be_refused};
    if (act.kind == ActKind::count) acts->told[x] = {.least = act.least, .most = act.most};
    value[x] = act.value;
    if (!value[x].is_none()) numbers.observe(value[x]);
  }
  numbers.prepare();
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (value[x].is_none()) continue;
    const auto [number, fresh] = numbers.add(value[x]);
    if (fresh) acts->values.push_back(value[x]);
    acts->of[x].value = number;
  }
  return {.applies = true, .why = "more was taken or seen than put in, or less", .reading = std::move(acts)};
}

core::Outcome refute_by_container_counts(const Subhistory& part, const core::DeciderOptions& options,
                                         core::Budget& budget) {
  const auto acts = core::reading_of<CountedActs>(part, options, container_counts_applicable);
  if (acts == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.reason = budget.reason()};
  return Counts(part, *acts).refute();
}

}  // namespace linchpin::types

// Follows the order that a store claims for its operations: does it respect real time, and does it replay?
//
// Operations with a number (Subhistory::order) are put in its order. Of several with one number those that may change
// the state come first, then those that only look, each in the order of their calls: stores answer a read with the
// revision of the write that it saw.
//
// Real time: going through that order, an operation that had returned before the latest call so far contradicts it.
//
// Replay: the specification is run in that order; for a type with keys, each key has a state of its own, which is what
// an operation costs. Operations without a number are placed on the way:
// - Those that returned and are pure (a read that the store does not number) are placed as soon as they are legal,
//   between the numbered operations before and after them in real time. Early is best: they change nothing (fact 2 of
//   docs/design/search.md).
// - Pending ones are left out, unless the next operation is refused and one of them makes it legal: then that one took
//   effect there. One at a time, the first by call.
// - Any other could stand anywhere: the order says too little, and is refused.
//
// So a yes has a witness. A refusal proves nothing by itself: another order may do. It is a violation where no other
// one can, because results tell versions (core/versions.hpp), whatever the field says:
// - Two operations that returned, in the order that real time forbids, whose versions allow no other.
// - Two that returned and both made one version.
// - One that is refused where the versions up to its own were made one after the other by operations that returned. So
//   nothing else has changed the state before it, whatever became of those that are pending. (More than kMostMade such
//   operations are no core that anybody reads, and the next methods decide.)
// The versions are those of one key, where the type has keys. If one operation is there that may change the state and
// not its version, versions say nothing.
//
// Cost: a sort by the numbers, then one execution of the
// specification for each operation, one more for each change of the state that an operation without a number waits
// for, and at most P^2 for P pending operations without a number. Memory O(n).
// Tests: supplied_order_test.cpp (against brute force over all orders), tests/cli/order_test.cpp.
#include "decide/supplied/supplied_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "core/versions.hpp"
#include "history/process_names.hpp"

namespace linchpin::decide {

namespace {

using history::Rank;
using Local = std::uint32_t;

constexpr std::size_t kStepsBetweenForgetting = 4096;  // of states
constexpr std::size_t kMostMade = 1000;                // versions before an operation that is refused, for a core

class Replay {
 public:
  Replay(const history::Subhistory& part, core::Budget& budget)
      : part_(part), budget_(budget), states_(part.specification->make_states()) {}

  SuppliedOrder run() {
    for (Local x = 0; x < part_.size(); ++x) {
      if (has_number(x)) {
        numbered_.push_back(x);
      } else if (const bool pure = part_.specification->pure(part_.view(x)); part_.pending(x)) {
        if (!pure) optional_.push_back(x);
      } else if (pure) {
        unnumbered_.push_back(x);
      } else {
        refuse({x}, fmt::format("{} has no {}, and may have changed the state", describe(x), name()));
        return std::move(answer_);
      }
    }
    sort();
    assign_keys();
    if (respects_real_time()) {
      find_gaps();
      replay();
      if (too_many_) {
        answer_ = {};
        answer_.outcome = core::not_applicable();
        answer_.outcome.sentence = "lost results leave too many states possible";
      }
    }
    return std::move(answer_);
  }

 private:
  /// An operation without a number that returned and changes nothing.
  struct Waiting {
    Local operation = 0;
    std::uint32_t from = 0;  ///< how many numbered operations stand before it, at least
    std::uint32_t to = 0;    ///< and at most
    StateId tested = kUntested;
  };
  static constexpr StateId kUntested = std::numeric_limits<StateId>::max();

  [[nodiscard]] Value field(Local x) const { return part_.order->values[part_.operation[x].number()]; }
  [[nodiscard]] bool has_number(Local x) const { return !field(x).is_none(); }
  [[nodiscard]] std::int64_t number(Local x) const { return part_.history->pool().integer_of(field(x)); }
  [[nodiscard]] const std::string& name() const { return part_.order->name; }
  [[nodiscard]] std::string describe(Local x) const { return part_.history->describe(part_.operation[x]); }
  [[nodiscard]] std::string numbered(Local x) const {
    return fmt::format("{} with {} {}", describe(x), name(), number(x));
  }

  void refuse(std::vector<Local> against, std::string why) {
    answer_.outcome = {.verdict = Verdict::unknown, .reason = Reason::not_applicable};
    answer_.outcome.sentence = std::move(why);
    answer_.outcome.blocked = against.front();
    answer_.outcome.longest = order_;
    answer_.against = std::move(against);
  }

  void violate(std::vector<Local> core, std::string why) {
    answer_.outcome.verdict = Verdict::violation;
    answer_.outcome.reason = Reason::none;
    answer_.outcome.sentence = std::move(why);
    std::sort(core.begin(), core.end());
    answer_.outcome.core = std::move(core);
    answer_.against.clear();
  }

  /// Whether versions order what changes the state, or what is under one key.
  [[nodiscard]] bool versions_order() const {
    if (!keys_apart_) return false;
    for (Local x = 0; x < part_.size(); ++x) {
      const auto versions = core::versions_of(*part_.specification, part_.view(x));
      if (versions && !versions->ordered()) return false;
    }
    return true;
  }

  /// The versions that an operation tells that took effect for certain.
  [[nodiscard]] std::optional<core::Versions> told(Local x) const {
    return part_.pending(x) ? std::nullopt : core::versions_of(*part_.specification, part_.view(x));
  }

  /// Whether their versions leave no other order.
  [[nodiscard]] bool must_precede(Local x, Local y) const {
    if (key_[x] != key_[y]) return false;
    const auto before = told(x), after = told(y);
    if (!before || !after || before->after > after->before) return false;
    return before->changes() || after->changes() || before->after < after->before;
  }

  /// Makes the refusal of `x` after what was placed so far a violation, where versions leave it no other place.
  void judge_refused(Local x) {
    const auto versions = told(x);
    if (!versions) return;
    std::vector<Local> made;   // what changed the state, one version after the other from the first
    std::int64_t reached = 0;  // the version that they lead to; -1: nobody tells
    for (const Local y : order_) {
      if (key_[y] != key_[x] || part_.specification->pure(part_.view(y))) continue;
      const auto of = told(y);
      const bool both = of && of->changes() && versions->changes();
      if (both && of->before < versions->after && versions->before < of->after) {
        violate({y, x}, fmt::format("{} and {} both made one version", describe(y), describe(x)));
        return;
      }
      const bool next = of && of->changes() && of->before == reached;
      reached = next ? of->after : -1;
      made.push_back(y);
    }
    if (reached != versions->before || made.size() > kMostMade) return;
    made.push_back(x);
    violate(std::move(made), fmt::format("{}, and every version up to its own was told", answer_.outcome.sentence));
  }

  void sort() {
    struct Entry {
      std::int64_t number;
      bool pure;
      Local operation;
      bool operator<(const Entry& other) const {
        return std::tie(number, pure, operation) < std::tie(other.number, other.pure, other.operation);
      }
    };
    std::vector<Entry> entries;
    entries.reserve(numbered_.size());
    for (const Local x : numbered_) entries.push_back({number(x), part_.specification->pure(part_.view(x)), x});
    if (!std::is_sorted(entries.begin(), entries.end())) std::sort(entries.begin(), entries.end());
    std::transform(entries.begin(), entries.end(), numbered_.begin(), [](const Entry& e) { return e.operation; });
  }

  bool respects_real_time() {
    Local latest = 0;  // called last among those so far; locals are in the order of the calls
    for (std::size_t k = 0; k < numbered_.size(); ++k) {
      const Local x = numbered_[k];
      if (k > 0 && part_.happens_before(x, latest)) {
        refuse({x, latest}, fmt::format("{} had returned before {} was called", numbered(x), numbered(latest)));
        if (must_precede(latest, x) && versions_order()) {
          violate({x, latest},
                  fmt::format("{}, but the versions that they tell put the latter first", answer_.outcome.sentence));
        }
        return false;
      }
      latest = k == 0 ? x : std::max(latest, x);
    }
    return true;
  }

  /// Between which numbered operations the others that returned, and the pending ones, have to stand.
  void find_gaps() {
    std::vector<std::uint32_t> position(part_.size(), 0);
    for (std::uint32_t k = 0; k < numbered_.size(); ++k) position[numbered_[k]] = k;
    from_.assign(part_.size(), 0);
    std::vector<std::uint32_t> to(part_.size(), static_cast<std::uint32_t>(numbered_.size()));
    std::uint32_t returned = 0;  // numbered operations up to the last one that has returned
    for (const history::Event event : part_.events()) {
      const Local x = event.operation();
      if (!event.is_response()) {
        from_[x] = returned;
      } else if (has_number(x)) {
        returned = std::max(returned, position[x] + 1);
      }
    }
    auto called =
        static_cast<std::uint32_t>(numbered_.size());  // numbered operations before the first one called later
    for (Rank rank = part_.ranks(); rank-- > 0;) {
      const Local x = part_.events()[rank].operation();
      if (part_.events()[rank].is_response()) {
        to[x] = called;
      } else if (has_number(x)) {
        called = std::min(called, position[x]);
      }
    }
    for (const Local x : unnumbered_) waiting_.push_back({.operation = x, .from = from_[x], .to = to[x]});
    std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
      return std::tie(a.from, a.operation) < std::tie(b.from, b.operation);
    });
  }

  /// Operations of one key share a state; all do where the type has no keys, or an operation names none.
  void assign_keys() {
    key_.assign(part_.size(), 0);
    std::uint32_t keys = 1;
    if (part_.specification->has_keys()) {
      absl::flat_hash_map<std::uint64_t, std::uint32_t> index;
      for (Local x = 0; x < part_.size(); ++x) {
        const std::optional<Value> key = part_.specification->key(part_.view(x));
        if (!key) {
          index.clear();
          key_.assign(part_.size(), 0);
          keys_apart_ = false;
          break;
        }
        key_[x] = index.try_emplace(key->bits(), static_cast<std::uint32_t>(index.size())).first->second;
      }
      keys = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(index.size()));
    }
    const StateId initial = states_->initial();
    possible_.assign(keys, {initial});
  }

  void replay() {
    order_.reserve(part_.size());
    for (std::uint32_t gap = 0; gap <= numbered_.size(); ++gap) {
      if (budget_.spent()) {
        answer_.outcome = {.verdict = Verdict::unknown, .reason = budget_.reason()};
        answer_.outcome.longest = order_;
        return;
      }
      if (!place_waiting(gap) || too_many_) return;
      if (gap == numbered_.size()) break;
      const Local x = numbered_[gap];
      if (!take(x) && !(help(x, gap) && place_waiting(gap) && take(x))) {
        if (!answer_.against.empty()) return;
        refuse({x}, fmt::format("{} is refused: {}", numbered(x), state_before(x)));
        if (versions_order()) judge_refused(x);
        return;
      }
    }
    answer_.outcome.verdict = Verdict::linearizable;
    answer_.outcome.witness = std::move(order_);
  }

  /// Places those of the waiting operations that are legal now; false: one of them cannot wait any longer.
  bool place_waiting(std::uint32_t gap) {
    for (; next_waiting_ < waiting_.size() && waiting_[next_waiting_].from <= gap; ++next_waiting_) {
      // By call, so that one that happens before another is asked first.
      const Waiting& next = waiting_[next_waiting_];
      const auto later = [](const Waiting& a, const Waiting& b) { return a.operation < b.operation; };
      open_.insert(std::upper_bound(open_.begin(), open_.end(), next, later), next);
    }
    while (true) {
      take_legal_waiting();
      const auto last_call = [&](const Waiting& waiting) { return waiting.to == gap; };
      const auto stuck = std::find_if(open_.begin(), open_.end(), last_call);
      if (stuck == open_.end()) return true;
      const Local x = stuck->operation;
      if (help(x, gap)) continue;  // it is legal now, and perhaps others are
      refuse({x}, fmt::format("{}, which has no {}, is refused wherever it may stand: {}", describe(x), name(),
                              state_before(x)));
      return false;
    }
  }

  void take_legal_waiting() {
    Rank first_response = history::Rank::none();  // of those that go on waiting
    std::size_t kept = 0;
    for (Waiting& waiting : open_) {
      const bool first = part_.call[waiting.operation] < first_response;
      if (first && ready(waiting) && take(waiting.operation)) continue;
      first_response = std::min(first_response, part_.response[waiting.operation]);
      open_[kept++] = waiting;
    }
    open_.resize(kept);
  }

  /// Whether the state is another than when the operation was last refused. Notes that it is tested now.
  bool ready(Waiting& waiting) {
    const std::vector<StateId>& possible = possible_[key_[waiting.operation]];
    if (possible.size() == 1 && possible[0] == waiting.tested) return false;
    waiting.tested = possible.size() == 1 ? possible[0] : kUntested;
    return true;
  }

  /// Lets a pending operation without a number take effect now if that makes `x` legal.
  bool help(Local x, std::uint32_t gap) {
    Rank first_response = history::Rank::none();  // of those that wait, which have to come before what is called later
    for (const Waiting& waiting : open_) first_response = std::min(first_response, part_.response[waiting.operation]);
    if (part_.call[x] > first_response) return false;
    std::vector<StateId>& possible = possible_[key_[x]];
    for (std::size_t k = 0; k < optional_.size() && !budget_.spent(); ++k) {
      const Local helper = optional_[k];
      if (key_[helper] != key_[x] || from_[helper] > gap || part_.call[helper] > first_response) continue;
      std::vector<StateId> before = possible;
      if (after(helper).empty()) continue;
      possible = next_;
      if (!after(x).empty()) {
        order_.push_back(helper);
        optional_.erase(optional_.begin() + static_cast<std::ptrdiff_t>(k));
        return true;
      }
      possible = std::move(before);
    }
    return false;
  }

  /// The states after `x` in the present ones.
  const std::vector<StateId>& after(Local x) {
    constexpr std::size_t kMostStates = std::size_t{1} << 16;
    next_.clear();
    for (const StateId state : possible_[key_[x]]) {
      states_->successors(state, part_.view(x), next_);
      too_many_ = too_many_ || next_.size() > kMostStates;
      if (too_many_) break;
    }
    if (next_.size() > 1) {
      std::sort(next_.begin(), next_.end());
      next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
    }
    return next_;
  }

  /// Appends `x` where it is legal.
  bool take(Local x) {
    if (after(x).empty()) return false;
    possible_[key_[x]] = next_;
    order_.push_back(x);
    if (++steps_ % kStepsBetweenForgetting == 0) forget();
    return true;
  }

  void forget() {
    std::vector<StateId> live;
    for (const std::vector<StateId>& possible : possible_) live.insert(live.end(), possible.begin(), possible.end());
    states_->retain(live);
    for (Waiting& waiting : open_) waiting.tested = kUntested;  // its id may become another state's
  }

  [[nodiscard]] std::string state_before(Local x) const {
    constexpr std::size_t kMost = 80;
    std::string text = states_->describe(possible_[key_[x]][0], part_.history->pool());
    if (part_.specification->uses_process()) text = history::with_process_names(*part_.history, std::move(text));
    if (text.size() > kMost) {
      std::size_t cut = kMost;
      while ((static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80) --cut;  // not inside a character
      text = text.substr(0, cut) + "...";
    }
    return fmt::format("the state before it is {}", text);
  }

  const history::Subhistory& part_;
  core::Budget& budget_;
  std::unique_ptr<StateTable> states_;
  std::vector<Local> numbered_;                 // in their order
  std::vector<Local> unnumbered_;               // returned, pure
  std::vector<Local> optional_;                 // pending, not placed so far, by call
  std::vector<std::uint32_t> from_;             // by local: how many numbered operations stand before it, at least
  std::vector<Waiting> waiting_;                // the unnumbered by `from`
  std::size_t next_waiting_ = 0;                // the first of them that is not in `open_` yet
  std::vector<Waiting> open_;                   // may be placed now, by call
  std::vector<std::uint32_t> key_;              // by local
  bool keys_apart_ = true;                      // no operation is about several keys of the type
  std::vector<std::vector<StateId>> possible_;  // by key; more than one where the specification leaves a choice
  std::vector<StateId> next_;
  bool too_many_ = false;     // states are possible: what was found since is nothing
  std::vector<Local> order_;  // placed so far
  std::size_t steps_ = 0;
  SuppliedOrder answer_;
};

core::Applicability has_order(const history::Subhistory& part) {
  if (part.order == nullptr) return {.applies = false, .why = "no order is supplied: name its field with --order-by"};
  return {.applies = true, .why = fmt::format("the order of {} respects real time and replays", part.order->name)};
}

core::Outcome decide_by_order(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                              core::Budget& budget) {
  return follow_supplied_order(part, budget).outcome;
}

}  // namespace

SuppliedOrder follow_supplied_order(const history::Subhistory& part, core::Budget& budget) {
  return Replay(part, budget).run();
}

const core::Decider& supplied_order() {
  static constexpr core::Decider kDecider{
      .name = "supplied-order",
      .kind = core::Kind::published,
      .about = {.types = "all",
                .when = "--order-by FIELD: operations carry a version, a revision or a time of commit",
                .method =
                    "executes the order that the store claims; a violation where results tell versions that leave no "
                    "other, else linearizable or no answer",
                .cost = "O(n log n) and n steps",
                .source = "own: src/decide/supplied/supplied_order.cpp"},
      .applicable = has_order,
      .at_once = decide_by_order};
  return kDecider;
}

}  // namespace linchpin::decide

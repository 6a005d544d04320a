// Searches histories of types whose content is a function of which operations are done: bags, priority queues,
// counters.
//
// Idea: go through the events with the window of open operations. A configuration is a mask over the open operations
// that are done, and nothing else: what returned is done, and the content follows. One content is kept, and moved from
// mask to mask by doing and undoing what differs. Pure operations are done as soon as they are legal; of operations
// that need and change the same, the one that responds first goes first (docs/design/search.md, facts 2 and 3).
//
// Before the response of x, in a configuration without x:
// - x is legal, and makes no open operation illegal that it does not stand for itself: x alone. Whatever else is done
//   before x in this block can be done right after it as well.
// - otherwise, what is legal, until x is done. Of what puts something in, only x itself, and what is taken at once by a
//   removal that needs it: what else was put in can be put in after x, as long as no open operation waits for more.
//
// Late: a configuration that holds y as well as others of the same response is dropped where the one without y is there
// and y is legal in it: y can still be done, and leads to the same content. Only this keeps them few.
//
// Precondition: see each type's contents.cpp: results of operations that change something are known where they
// returned. At most 1,024 operations open. Cost: O(k) a configuration and step; at most 2^k configurations, a few
// hundred in practice at 16 open (no bound proved). Memory: the configurations, and O(n) for a witness. Source:
// docs/design/search.md, contents. Compare: decide/search (any history). Tests: content_search_test.cpp.
#include "types/content_search.hpp"

#include <algorithm>
#include <array>

#include <absl/container/flat_hash_set.h>

#include "algo/frontier/slots.hpp"
#include "algo/shared_chains.hpp"
#include "types/held_content.hpp"

namespace linchpin::types {

namespace {

using Local = std::uint32_t;
using algo::kNoLink;

/// What never has to run and changes nothing, or is illegal wherever it runs, never helps.
bool needless(const history::Subhistory& part, const ContentHistory& history, Local x) {
  const ContentAct& act = history.acts[x];
  return part.pending(x) && (act.change == 0 || act.need == ContentNeed::never);
}

std::uint32_t slots_needed(const history::Subhistory& part, const ContentHistory& history) {
  return history::most_open(part.events(), [&](Local x) { return !needless(part, history, x); });
}

template <class Mask>
class ContentSearch final : public core::SearchTask {
 public:
  ContentSearch(const history::Subhistory& part, ContentHistory history, const core::DeciderOptions& options)
      : part_(part), history_(std::move(history)), witness_(options.witness), content_(history_), slots_(part.size()) {
    current_.push_back({});
  }
  ContentSearch(const ContentSearch&) = delete;
  ContentSearch& operator=(const ContentSearch&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_ + steps;
    while (status_ == Status::searching) {
      if (steps_ >= stop_at) return false;
      if (budget.spent() || !may_grow(budget)) {
        status_ = Status::gave_up;
        reason_ = budget.reason();
      } else if (expanding_) {
        expand_one();
      } else if (rank_ == part_.ranks()) {
        status_ = Status::found;
      } else {
        advance();
      }
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome;
    if (status_ == Status::found) {
      outcome.verdict = Verdict::linearizable;
      if (witness_) outcome.witness = chains_.from_start(current_.front().tail);
      return outcome;
    }
    outcome.verdict = status_ == Status::refuted ? Verdict::violation : Verdict::unknown;
    if (status_ != Status::refuted) outcome.reason = reason_;
    for (history::Rank rank = rank_; rank < part_.ranks() && !outcome.blocked; ++rank) {
      if (part_.events()[rank].is_response()) outcome.blocked = part_.events()[rank].operation();
    }
    const auto done = [](const Configuration& a, const Configuration& b) { return a.mask.count() < b.mask.count(); };
    if (witness_) outcome.longest = chains_.from_start(std::max_element(current_.begin(), current_.end(), done)->tail);
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return passed_; }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  struct Configuration {
    Mask mask;
    std::uint32_t tail = kNoLink;  // what was done last
  };

  [[nodiscard]] const ContentAct& act(Local x) const { return history_.acts[x]; }
  [[nodiscard]] bool pure(Local x) const { return act(x).change == 0; }

  void advance() {
    const history::Event event = part_.events()[rank_];
    const Local x = event.operation();
    ++steps_;
    if (needless(part_, history_, x)) {
      ++rank_;
      return;
    }
    if (event.is_response()) {
      respond(x);
    } else {
      open(x);
      ++rank_;
    }
  }

  void open(Local x) {
    const Mask others = slots_.used();
    const std::uint32_t slot = slots_.open(x);
    const Mask own = slots_.bit(x);
    if (pure(x)) pure_ |= own;
    if (waits_for_more(act(x))) waiting_ |= own;
    hindered_[slot] = earlier_[slot] = {};
    for (Mask rest = others; rest.any(); rest.drop_first()) {
      const std::uint32_t other_slot = rest.first();
      const Local other = slots_.holder(other_slot);
      if (hinders(history_, act(x), act(other))) hindered_[slot] |= slots_.bit(other);
      if (hinders(history_, act(other), act(x))) hindered_[other_slot] |= own;
      if (pure(x) || act(x) != act(other)) continue;
      // Of equals the one that responds first goes first; of pending ones the one called first.
      if (part_.response[other] <= part_.response[x]) {
        earlier_[slot] |= slots_.bit(other);
      } else {
        earlier_[other_slot] |= own;
      }
    }
    if (!pure(x)) return;
    for (Configuration& each : current_) {
      move_to(each.mask);
      ++steps_;
      if (content_.legal(act(x))) each = {each.mask | own, extended(each.tail, x)};
    }
  }

  /// Makes the content that of everything that returned and of `mask`.
  void move_to(const Mask& mask) {
    for (Mask rest = held_ & ~mask; rest.any(); rest.drop_first()) content_.undo(act(slots_.holder(rest.first())));
    for (Mask rest = mask & ~held_; rest.any(); rest.drop_first()) content_.apply(act(slots_.holder(rest.first())));
    held_ = mask;
  }

  void respond(Local x) {
    if (act(x).need == ContentNeed::never) {
      status_ = Status::refuted;
      return;
    }
    const Mask own = slots_.bit(x);
    result_.clear();
    stack_.clear();
    met_.clear();
    for (const Configuration& each : current_) ((each.mask & own).any() ? result_ : stack_).push_back(each);
    if (stack_.empty()) {
      std::swap(current_, result_);
      close(x);
      return;
    }
    for (const Configuration& each : current_) met_.insert(each.mask);
    expanding_ = true;
  }

  void expand_one() {
    const Local x = part_.events()[rank_].operation();
    if (stack_.empty()) {
      finish(x);
      return;
    }
    const Configuration from = stack_.back();
    stack_.pop_back();
    move_to(from.mask);
    const Mask undone = slots_.used() & ~from.mask;
    steps_ += 2;
    if (content_.legal(act(x)) && (hindered_[slots_.slot(x)] & undone).none() &&
        (earlier_[slots_.slot(x)] & undone).none()) {
      visit(from, x, x);
      return;
    }
    const bool units = history_.units && (waiting_ & undone).none();
    for (Mask rest = undone & ~pure_; rest.any(); rest.drop_first()) {
      const std::uint32_t slot = rest.first();
      const Local y = slots_.holder(slot);
      if ((earlier_[slot] & undone).any() || (units && act(y).change > 0 && y != x)) continue;
      ++steps_;
      move_to(from.mask);
      if (content_.legal(act(y))) {
        visit(from, y, x);
      } else if (units && act(y).change < 0) {
        visit_unit(from, y, x);
      }
    }
  }

  /// Puts in what `y` lacks, and does `y`, where that makes it legal.
  void visit_unit(const Configuration& from, Local y, Local x) {
    const Mask undone = slots_.used() & ~from.mask;
    for (Mask rest = undone & ~pure_; rest.any(); rest.drop_first()) {
      const std::uint32_t slot = rest.first();
      const Local put = slots_.holder(slot);
      if (act(put).change < 0 || act(put).cell != act(y).cell || (earlier_[slot] & undone).any()) continue;
      ++steps_;
      if (!content_.legal(act(put))) continue;
      move_to(from.mask | slots_.bit(put));
      if (content_.legal(act(y))) visit({from.mask | slots_.bit(put), extended(from.tail, put)}, y, x);
      return;  // all that put into the cell are alike
    }
  }

  /// Does `y`, which is legal, and the pure operations that are legal then.
  void visit(const Configuration& from, Local y, Local x) {
    Mask mask = from.mask | slots_.bit(y);
    move_to(mask);
    const Mask looks = legal_looks() & ~mask;
    mask |= looks;
    held_ = mask;  // they change nothing
    if (!met_.insert(mask).second) return;
    Configuration to{mask, extended(from.tail, y)};
    for (Mask rest = looks; rest.any(); rest.drop_first()) {
      to.tail = extended(to.tail, slots_.holder(rest.first()));
    }
    ((mask & slots_.bit(x)).any() ? result_ : stack_).push_back(to);
  }

  /// The open pure operations that are legal now.
  Mask legal_looks() {
    Mask legal;
    for (Mask rest = slots_.used() & pure_; rest.any(); rest.drop_first()) {
      const std::uint32_t slot = rest.first();
      ++steps_;
      if (content_.legal(act(slots_.holder(slot)))) legal |= Mask::of(slot);
    }
    return legal;
  }

  void finish(Local x) {
    expanding_ = false;
    if (result_.empty()) {
      status_ = Status::refuted;
      return;
    }
    drop_early(slots_.bit(x));
    std::swap(current_, result_);
    close(x);
  }

  /// Keeps the configurations that no other of `result_` leads to by operations that are still legal in it.
  void drop_early(const Mask& own) {
    // Those with the same operations that change something stand together, behind those with fewer.
    const auto acts = [&](const Configuration& each) { return each.mask & ~pure_; };
    std::sort(result_.begin(), result_.end(), [&](const Configuration& a, const Configuration& b) {
      return acts(a) != acts(b) ? acts(a) < acts(b) : a.mask > b.mask;
    });
    const auto first_of = [&](const Mask& wanted) {
      return std::lower_bound(result_.begin(), result_.end(), wanted,
                              [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
    };
    kept_.clear();
    for (const Configuration& each : result_) {
      move_to(each.mask);
      const Mask looks = each.mask & pure_ & ~legal_looks();  // what cannot be had again
      bool needed = true;
      for (auto at = first_of(acts(each)); needed && at != result_.end() && acts(*at) == acts(each); ++at) {
        needed = at->mask == each.mask || (each.mask & ~at->mask).any();
      }
      for (Mask rest = acts(each) & ~own; needed && rest.any(); rest.drop_first()) {
        const Mask last = Mask::of(rest.first());
        auto at = first_of(acts(each) & ~last);
        if (at == result_.end() || acts(*at) != (acts(each) & ~last)) continue;
        ++steps_;
        move_to(each.mask & ~last);
        if (!content_.legal(act(slots_.holder(rest.first())))) continue;
        for (; needed && at != result_.end() && acts(*at) == (acts(each) & ~last); ++at) {
          needed = (looks & ~at->mask).any();
        }
      }
      if (needed) kept_.push_back(each);
    }
    std::swap(result_, kept_);
  }

  void close(Local x) {
    const Mask own = slots_.bit(x);
    if ((held_ & own).none()) content_.apply(act(x));
    held_ &= ~own;  // done for good
    for (Configuration& each : current_) each.mask &= ~own;
    slots_.close(x);
    pure_ &= ~own;
    waiting_ &= ~own;
    for (Mask rest = slots_.used(); rest.any(); rest.drop_first()) {
      hindered_[rest.first()] &= ~own;
      earlier_[rest.first()] &= ~own;
    }
    ++rank_;
    ++passed_;
    if (chains_.worth_collecting(std::size_t{1} << 18)) {
      chains_.collect(current_, [](Configuration& each) -> std::uint32_t& { return each.tail; });
    }
  }

  std::uint32_t extended(std::uint32_t tail, Local x) { return witness_ ? chains_.extend(tail, x) : kNoLink; }

  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    constexpr std::size_t kAhead = 4096;
    const auto growth = [](const auto& list, std::size_t each) {
      return list.size() + kAhead > list.capacity() ? 2 * list.capacity() * each : 0;
    };
    const std::size_t bytes = chains_.growth(kAhead) + growth(stack_, sizeof(Configuration)) +
                              growth(result_, sizeof(Configuration)) + growth(met_, 2 * sizeof(Mask));
    return bytes < (std::size_t{1} << 20) || budget.allows(bytes);
  }

  const history::Subhistory& part_;
  ContentHistory history_;
  bool witness_;
  HeldContent content_;  // of all that returned, and of what is in held_
  Mask held_;
  algo::Slots<Mask> slots_;
  std::array<Mask, Mask::kSlots> hindered_{};         // by slot: what it may make illegal
  std::array<Mask, Mask::kSlots> earlier_{};          // by slot: its equals that go first
  Mask pure_, waiting_;                               // of what is open
  std::vector<Configuration> current_;                // before the next event; distinct masks
  std::vector<Configuration> stack_, result_, kept_;  // during a response
  absl::flat_hash_set<Mask> met_;
  algo::SharedChains<Local> chains_;
  history::Rank rank_ = 0;  // of the next event
  bool expanding_ = false;  // in the middle of its response
  std::uint64_t steps_ = 0;
  std::uint32_t passed_ = 0;
  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

}  // namespace

core::Applicability content_applies(const history::Subhistory& part, const ContentHistory& history) {
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  if (!history.obstacle.empty()) return {.applies = false, .why = history.obstacle};
  if (slots_needed(part, history) > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true, .why = "the content follows from what is done"};
}

std::unique_ptr<core::SearchTask> start_contents(const history::Subhistory& part, ContentHistory history,
                                                 const core::DeciderOptions& options) {
  return algo::with_slots(slots_needed(part, history), [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<ContentSearch<Mask>>(part, std::move(history), options);
  });
}

}  // namespace linchpin::types

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
// Lost: a pending removal of unknown result takes something only right before an operation that is illegal otherwise,
// and then only what is in its way (docs/design/search.md, contents). So a configuration has, besides the mask, what
// such removals took. They are alike but for their calls: the one called first goes first.
//
// Late: a configuration that holds y as well as others of the same response is dropped where the one without y is there
// and y is legal in it: y can still be done, and leads to the same content. Only this keeps them few. Besides, what is
// pending and can wait is none that the other has to have done: a put is legal at any time, and what a pending removal
// took, with its result or without, is in the way of nothing before it can be taken.
//
// Precondition: see each type's contents.cpp: results of operations that change something are known where they
// returned; where removals are lost, the sum is only compared with zero. At most 1,024 operations open. Cost: O(k) a
// configuration and step; at most 2^k configurations, a few hundred in practice at 16 open (no bound proved). Memory:
// the configurations, and O(n) for a witness. Source: docs/design/search.md, contents. Compare: decide/search (any
// history). Tests: content_search_test.cpp.
#include "types/content_search.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "algo/frontier/frontier_search.hpp"
#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "types/held_content.hpp"
#include "types/taken_cells.hpp"

namespace linchpin::types {

namespace {

using Local = std::uint32_t;

/// What never has to run and changes nothing, or is illegal wherever it runs, never helps.
bool needless(const history::Subhistory& part, const ContentHistory& history, Local x) {
  const ContentAct& act = history.acts[x];
  return part.pending(x) && (act.change == 0 || act.need == ContentNeed::never);
}

/// Whether an operation looks at how much there is, and not only whether there is something.
bool counts_things(const ContentHistory& history) {
  return std::any_of(history.acts.begin(), history.acts.end(), [](const ContentAct& act) {
    return act.need == ContentNeed::room || (act.need == ContentNeed::total && act.number != 0);
  });
}

bool loses_removals(const ContentHistory& history) {
  return std::any_of(history.acts.begin(), history.acts.end(),
                     [](const ContentAct& act) { return act.need == ContentNeed::lost; });
}

std::uint32_t slots_needed(const history::Subhistory& part, const ContentHistory& history) {
  return history::most_open(part.events(), [&](Local x) { return !needless(part, history, x); });
}

/// A domain of algo::Frontier.
template <class OfSlots>
class Contents {
 public:
  using Mask = OfSlots;
  using Link = Local;
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    std::uint32_t tail = kNone;    // what was done last
    TakenCells::Number taken = 0;  // by lost removals, since all took the same
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::latest_met;

  Contents(Window& window, const history::Subhistory& part, ContentHistory history)
      : window_(window),
        part_(part),
        history_(std::move(history)),
        content_(history_),
        counted_(counts_things(history_)) {
    for (Local x = 0; x < part.size(); ++x) {
      if (act(x).need == ContentNeed::lost) lost_.push_back(x);
    }
    std::sort(lost_.begin(), lost_.end(), [&](Local a, Local b) { return part.call[a] < part.call[b]; });
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  [[nodiscard]] Configuration start() const { return {}; }
  [[nodiscard]] bool skipped(Local x) const { return needless(part_, history_, x); }
  [[nodiscard]] bool impossible(Local x) const { return act(x).need == ContentNeed::never; }
  [[nodiscard]] bool alike(Local a, Local b) const { return !pure(b) && act(a) == act(b); }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    return each.taken == 0 ? each.mask.hash() : mix(each.mask.hash(), each.taken);
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.mask == b.mask && a.taken == b.taken;
  }

  void open(Local x) {
    const Mask own = window_.bit(x);
    const algo::Slot slot = window_.slot(x);
    if (pure(x)) pure_ |= own;
    if (waits_for_more(act(x))) waiting_ |= own;
    if (can_wait(x)) optional_ |= own;
    hindered_.make_room(slot);
    acts_.make_room(slot);
    acts_[slot] = act(x);
    hindered_[slot] = {};
    for (Mask rest = window_.used() & ~own; rest.any(); rest.drop_first()) {
      const ContentAct& other = held_in(rest.first());
      if (hinders(history_, act(x), other)) hindered_[slot] |= Mask::of(rest.first());
      if (hinders(history_, other, act(x))) hindered_[rest.first()] |= own;
    }
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!pure(x)) return;
    for (Configuration& each : current) {
      move_to(each);
      ++window_.steps;
      if (content_.legal(act(x))) each = {each.mask | window_.bit(x), window_.extended(each.tail, x), each.taken};
    }
  }

  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    move_to(from);
    const Mask undone = window_.used() & ~from.mask;
    window_.steps += 2;
    const algo::Slot responder = window_.slot(x);
    if (content_.legal(act(x)) && (hindered_[responder] & undone).none() && window_.ready(responder, undone)) {
      visit(from, x, meet);
      return;
    }
    const bool units = history_.units && (waiting_ & undone).none();
    for (Mask rest = spare(from) > 0 ? undone : undone & ~pure_; rest.any(); rest.drop_first()) {
      const Local y = window_.holder(rest.first());
      if (!window_.ready(rest.first(), undone) || (units && act(y).change > 0 && y != x)) continue;
      ++window_.steps;
      move_to(from);
      if (content_.legal(act(y))) {
        visit(from, y, meet);
      } else if (!visit_taking(from, y, meet) && units && act(y).change < 0) {
        visit_unit(from, y, meet);
      }
    }
  }

  /// Keeps the configurations that no other of `passed` leads to by operations that are still legal in it.
  bool prune(Local x, std::vector<Configuration>& passed) {
    const Mask own = window_.bit(x);
    // Those with the same operations that change something stand together, behind those with fewer.
    const auto acts = [&](const Configuration& each) { return each.mask & ~pure_ & ~optional_; };
    std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
      return acts(a) != acts(b) ? acts(a) < acts(b) : a.mask > b.mask;
    });
    const auto first_of = [&](const Mask& wanted) {
      return std::lower_bound(passed.begin(), passed.end(), wanted,
                              [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
    };
    const auto did_no_more = [&](const Configuration& one, const Configuration& other) {
      return (one.mask & optional_ & ~other.mask).none() && taken_.within(one.taken, other.taken);
    };
    kept_.clear();
    for (const Configuration& each : passed) {
      move_to(each);
      const Mask looks = each.mask & pure_ & ~legal_looks();  // what cannot be had again
      bool needed = true;
      for (auto at = first_of(acts(each)); needed && at != passed.end() && acts(*at) == acts(each); ++at) {
        const bool same = at->taken == each.taken && (at->mask & optional_) == (each.mask & optional_);
        needed = same ? at->mask == each.mask || (each.mask & ~at->mask).any()
                      : (looks & ~at->mask).any() || !did_no_more(*at, each);
      }
      for (Mask rest = acts(each) & ~own; needed && rest.any(); rest.drop_first()) {
        const Mask last = Mask::of(rest.first());
        auto at = first_of(acts(each) & ~last);
        if (at == passed.end() || acts(*at) != (acts(each) & ~last)) continue;
        ++window_.steps;
        move_to(each.mask & ~last, each.taken);
        if (!content_.legal(held_in(rest.first()))) continue;
        for (; needed && at != passed.end() && acts(*at) == (acts(each) & ~last); ++at) {
          needed = (looks & ~at->mask).any() || !did_no_more(*at, each);
        }
      }
      if (needed) kept_.push_back(each);
    }
    std::swap(passed, kept_);
    if (!lost_.empty()) take_for_good(passed);
    return true;
  }

  void close(Local x) {
    const Mask own = window_.bit(x);
    if ((held_ & own).none()) content_.apply(act(x));
    held_ &= ~own;  // done for good
    pure_ &= ~own;
    waiting_ &= ~own;
    optional_ &= ~own;
    for (Mask rest = window_.used(); rest.any(); rest.drop_first()) hindered_[rest.first()] &= ~own;
  }

 private:
  [[nodiscard]] const ContentAct& act(Local x) const { return history_.acts[x]; }
  [[nodiscard]] const ContentAct& held_in(algo::Slot slot) const { return acts_[slot]; }
  [[nodiscard]] bool pure(Local x) const { return act(x).change == 0; }
  /// Whether it need not be done before something is illegal without it.
  [[nodiscard]] bool can_wait(Local x) const {
    if (!part_.pending(x)) return false;
    if (act(x).need == ContentNeed::nothing) return true;
    return history_.units && !counted_ && (act(x).need == ContentNeed::present || act(x).need == ContentNeed::best);
  }

  void move_to(const Configuration& to) { move_to(to.mask, to.taken); }
  /// Makes the content that of everything that returned and of `mask`, without what was taken.
  void move_to(const Mask& mask, TakenCells::Number taken) {
    if (taken != held_taken_) {
      for (const std::uint32_t cell : taken_.cells(held_taken_)) content_.put_back(cell);
      for (const std::uint32_t cell : taken_.cells(taken)) content_.take(cell);
      held_taken_ = taken;
    }
    for (Mask rest = held_ & ~mask; rest.any(); rest.drop_first()) content_.undo(held_in(rest.first()));
    for (Mask rest = mask & ~held_; rest.any(); rest.drop_first()) content_.apply(held_in(rest.first()));
    held_ = mask;
  }

  /// How many lost removals were called and have taken nothing.
  [[nodiscard]] std::size_t spare(const Configuration& in) {
    while (lost_called_ < lost_.size() && part_.call[lost_[lost_called_]] < window_.moment) ++lost_called_;
    return lost_called_ - used(in);
  }
  [[nodiscard]] std::size_t used(const Configuration& in) const {
    return used_for_good_ + taken_.cells(in.taken).size();
  }

  /// Does `y` behind lost removals that take what is in its way, where that makes it legal. @pre the content is that of
  /// `from`; `y` is not legal
  template <class Meet>
  bool visit_taking(const Configuration& from, Local y, Meet&& meet) {
    const std::size_t most = spare(from);
    if (most == 0 || !content_.in_the_way(act(y), most, in_the_way_)) return false;
    const std::span<const Local> removals = std::span(lost_).subspan(used(from), in_the_way_.size());
    visit({from.mask, window_.extended(from.tail, removals), taken_.with(from.taken, in_the_way_)}, y, meet);
    return true;
  }

  /// What was taken in all of these was taken for good.
  void take_for_good(std::vector<Configuration>& passed) {
    constexpr std::size_t kManySets = 256;
    const auto took = [](const Configuration& each) { return each.taken != 0; };
    if (!std::all_of(passed.begin(), passed.end(), took) && taken_.count() < kManySets + 4 * passed.size()) return;
    move_to(held_, 0);
    const std::vector<std::uint32_t> common = taken_.take_out_common([&](auto&& visit) {
      for (Configuration& each : passed) visit(each.taken);
    });
    for (const std::uint32_t cell : common) content_.take(cell);
    used_for_good_ += common.size();
  }

  /// Puts in what `y` lacks, and does `y`, where that makes it legal.
  template <class Meet>
  void visit_unit(const Configuration& from, Local y, Meet&& meet) {
    const Mask undone = window_.used() & ~from.mask;
    for (Mask rest = undone & ~pure_; rest.any(); rest.drop_first()) {
      const Local put = window_.holder(rest.first());
      if (act(put).change < 0 || act(put).cell != act(y).cell || !window_.ready(rest.first(), undone)) continue;
      ++window_.steps;
      if (!content_.legal(act(put))) continue;
      const Configuration with{from.mask | window_.bit(put), window_.extended(from.tail, put), from.taken};
      move_to(with);
      if (content_.legal(act(y))) {
        visit(with, y, meet);
      } else {
        visit_taking(with, y, meet);
      }
      return;  // all that put into the cell are alike
    }
  }

  /// Does `y`, which is legal, and the pure operations that are legal then.
  template <class Meet>
  void visit(const Configuration& from, Local y, Meet&& meet) {
    Mask mask = from.mask | window_.bit(y);
    move_to(mask, from.taken);
    const Mask looks = legal_looks() & ~mask;
    mask |= looks;
    held_ = mask;  // they change nothing
    const auto to = meet(Configuration{.mask = mask, .taken = from.taken});
    if (!to.fresh) return;
    std::uint32_t& tail = to.entry->tail;
    tail = window_.extended(from.tail, y);
    for (Mask rest = looks; rest.any(); rest.drop_first()) {
      tail = window_.extended(tail, window_.holder(rest.first()));
    }
  }

  /// The open pure operations that are legal now.
  Mask legal_looks() {
    Mask legal;
    for (Mask rest = window_.used() & pure_; rest.any(); rest.drop_first()) {
      ++window_.steps;
      if (content_.legal(held_in(rest.first()))) legal |= Mask::of(rest.first());
    }
    return legal;
  }

  Window& window_;
  const history::Subhistory& part_;
  ContentHistory history_;
  HeldContent content_;  // of all that returned, and of what is in held_, without what is in held_taken_
  Mask held_;
  TakenCells::Number held_taken_ = 0;
  TakenCells taken_;
  bool counted_;
  std::vector<Local> lost_;  // removals, by call
  std::size_t lost_called_ = 0, used_for_good_ = 0;
  std::vector<std::uint32_t> in_the_way_;
  algo::BySlot<ContentAct> acts_;
  algo::BySlot<Mask> hindered_;     // what it may make illegal
  Mask pure_, waiting_, optional_;  // of what is open
  std::vector<Configuration> kept_;
};

}  // namespace

core::Applicability content_applies(const history::Subhistory& part, const ContentHistory& history) {
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  if (!history.obstacle.empty()) return {.applies = false, .why = history.obstacle};
  if (loses_removals(history) && counts_things(history)) {
    return {.applies = false, .why = "a removal lost its result, and sizes are told"};
  }
  if (slots_needed(part, history) > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true, .why = "the content follows from what is done"};
}

std::unique_ptr<core::SearchTask> start_contents(const history::Subhistory& part, ContentHistory history,
                                                 const core::DeciderOptions& options) {
  return algo::with_slots(slots_needed(part, history), [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<algo::FrontierSearch<Contents<Mask>>>(part, options.witness, part, std::move(history));
  });
}

}  // namespace linchpin::types

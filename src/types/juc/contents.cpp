// Decides histories of Java's queues, deques and heaps with whatever methods, keeping few contents after each response.
//
// A domain of algo::Frontier. A configuration is a content, the open operations that are done, and those that are
// *free*: what removes all that an addition put in hides it, if that was open then; it may have been done just before,
// unseen. So it need not be done any more, but can. Operations that only look are done as soon as they are legal; of
// open operations that do the same, the one that returns first goes first.
//
// What makes such histories hard is that the order of additions, and what was removed unseen, shows much later. But the
// operations to come are known. So a configuration is left out at once if an element that is put in once
// (foresight.hpp)
// - left, and an operation to come needs it;
// - came in, and stays beyond the response of an open operation that excludes it;
// - stands before another one that is at the front by a response, and nothing takes it away by then;
// - stands in another order than that in which it is going to be printed.
// Of elements that are put in more often, what is inside and what can still be put in has to be enough for what is soon
// needed or printed (demands.hpp). And elements that nobody names any more have no name (content_states.hpp).
//
// At first few configurations are kept (algo/frontier/narrowing.hpp). So it finds witnesses, and refutes where nothing
// was cut. What it heeds is in the whole history, and so is the core.
// Precondition: at most 1,024 operations open at once. Cost: exponential at worst; O(width * open operations) a
// response where few are enough. Source: own. Compare: decide/search (any history), types/log/contents.cpp (free
// writes), both without the elements. Tests: contents_test.cpp.
#include "types/juc/contents.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "types/juc/content_states.hpp"
#include "types/juc/demands.hpp"
#include "types/juc/foresight.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

using history::Rank;
using history::Subhistory;
using Kind = Deed::Kind;
using Local = std::uint32_t;

struct Reading {
  Deeds deeds;
  Foresight foresight;
  std::vector<bool> looks;  // by operation: it changes nothing
};

/// What never has to run and changes nothing, or is illegal wherever it runs, never helps.
bool needless(const Subhistory& part, const Reading& reading, Local x) {
  return part.pending(x) && (reading.looks[x] || reading.deeds.of[x].kind == Kind::impossible);
}

template <class OfSlots>
class Contents {
 public:
  using Mask = OfSlots;
  using Link = Local;  // with algo::kUnseen: done unseen before something that removed what it put in
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask, free;  ///< what is done; what need not be done
    ContentStates::Id content = ContentStates::kEmpty;
    std::uint32_t tail = kNone;
    bool hidden = false;  ///< what came last would be hidden by a clear
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  Contents(Window& window, const Subhistory& part, std::shared_ptr<const Reading> reading)
      : window_(window),
        part_(part),
        reading_(std::move(reading)),
        deeds_(reading_->deeds),
        foresight_(reading_->foresight),
        states_(part, deeds_, foresight_),
        demands_(part, deeds_, foresight_),
        can_be_hidden_(part.size(), false),
        turn_(algo::turns(part, [](Local) { return true; })),
        promise_(turn_) {
    find_what_can_be_hidden();
    for (const auto& foreseen : foresight_.of) {
      if (foreseen.last_mention != Rank::none()) loses_name_.push_back(foreseen.last_mention);
    }
    std::sort(loses_name_.begin(), loses_name_.end());
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  [[nodiscard]] Configuration start() const { return {}; }
  [[nodiscard]] bool skipped(Local x) const { return needless(part_, *reading_, x); }
  [[nodiscard]] bool impossible(Local x) const { return deed(x).kind == Kind::impossible; }
  [[nodiscard]] bool alike(Local, Local) const { return false; }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    return mix(mix(each.mask.hash(), each.content), each.free.hash());
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.content == b.content && a.mask == b.mask && a.free == b.free;
  }

  void clear() {
    forget_looks();
    looks_.clear();
    changes_.clear();
    look_bits_ = {};
  }
  void open(Local x) {
    forget_looks();
    std::vector<Local>& list = reading_->looks[x] ? looks_ : changes_;
    const auto after = std::upper_bound(list.begin(), list.end(), x,
                                        [&](Local a, Local b) { return part_.response[a] < part_.response[b]; });
    list.insert(after, x);
    if (reading_->looks[x]) look_bits_ |= window_.bit(x);
  }
  void close(Local x) {
    forget_looks();
    std::erase(reading_->looks[x] ? looks_ : changes_, x);
    look_bits_ &= ~window_.bit(x);
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!reading_->looks[x]) return;
    for (Configuration& each : current) {
      ++window_.steps;
      if (states_.after(each.content, x) == ContentStates::kIllegal) continue;
      each.mask |= window_.bit(x);
      each.tail = window_.extended(each.tail, x);
      each.hidden = false;
    }
  }

  /// Where the responder need not be done, it is done unseen.
  template <class Meet>
  void begin(Local x, const std::vector<Configuration>& current, Meet&& meet) {
    look_ahead(window_.moment);
    for (const Configuration& each : current) {
      if (is_free(each, x)) unseen(each, x, meet);
    }
  }

  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    const bool was_free = is_free(from, x);
    for (const Local y : changes_) {
      // What came last would be hidden: without it, it is free, and that is better.
      if (from.hidden && deed(y).kind == Kind::clears) continue;
      if (from.mask.has(window_.slot(y)) || has_equal_before(from, y)) continue;
      ++window_.steps;
      const ContentStates::Id next = states_.after(from.content, y);
      if (next == ContentStates::kIllegal) continue;
      Configuration to{.mask = from.mask | window_.bit(y), .free = from.free, .content = next};
      to.free = (to.free | hidden_by(y)) & ~to.mask;
      to.hidden = can_be_hidden_[y];
      if (!can_go_on(from, to, y)) continue;
      const Mask looks = legal_looks(to);
      to.mask |= looks;
      if (looks.any()) to.hidden = false;
      const auto met = meet(to);
      if (!met.fresh) continue;
      to.tail = window_.extended(from.tail, y);
      for (Mask rest = looks; rest.any(); rest.drop_first()) {
        to.tail = window_.extended(to.tail, window_.holder(rest.first()));
      }
      met.entry->tail = to.tail;
      if (!was_free && is_free(to, x)) unseen(to, x, meet);
    }
  }

  /// Leaves out what others can do as well.
  bool prune(Local x, std::vector<Configuration>& passed) {
    if (std::binary_search(loses_name_.begin(), loses_name_.end(), window_.moment)) {
      for (Configuration& each : passed) each.content = states_.renamed(each.content, window_.moment + 1);
    }
    for (Configuration& each : passed) each.hidden = false;
    drop_what_another_is(passed);
    drop_what_another_leads_to(passed, x);
    return true;
  }

  [[nodiscard]] std::size_t growth() const {
    const bool grows = states_.size() + kAhead > seen_.size();
    return states_.growth() + (grows ? 2 * seen_.size() * sizeof(Seen) : 0);
  }

  /// Which configurations are promising: those that have done little before it was due, and in which what is due soon
  /// is done or legal, or few elements have to come and go before it is.
  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    look_ahead(window_.moment + 1);
    promise_.weigh(window_, attempts, passed, [this](Local y) { return bool{reading_->looks[y]}; });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    return promise_.cost(each.mask, [&](Local y, std::int64_t cost) -> std::int64_t {
      if (each.free.has(window_.slot(y))) return 0;
      if (!reading_->looks[y] && states_.after(each.content, y) != ContentStates::kIllegal) return 0;
      const std::int64_t apart = demands_.apart(y, states_.elements(each.content));
      return cost * (2 + std::min(apart, kMostApart)) / 2;
    });
  }

  template <class EachKept>
  void forget(std::vector<Configuration>& current, EachKept&& each_kept) {
    if (!states_.has_many()) return;
    std::vector<ContentStates::Id> live;
    const auto gather = [&live](const std::vector<Configuration>& configurations) {
      for (const Configuration& each : configurations) live.push_back(each.content);
    };
    gather(current);
    each_kept(gather);
    states_.retain(live);
    forget_looks();
  }

  /// The operations of a chain: what nobody sees stands before what hides it.
  [[nodiscard]] std::vector<Local> order(std::uint32_t tail) const {
    return algo::order_with_unseen(window_.chains(), tail, [this](Local y, Local x) { return hides(y, x); });
  }

 private:
  /// Which of the looks that are open are legal in a content.
  struct Seen {
    std::uint64_t since = 0;
    Mask asked, legal;
  };
  static constexpr std::int64_t kMostApart = 16;  // elements: further than that is as bad
  static constexpr std::size_t kAhead = 4096;     // contents that a few steps may come to
  static constexpr std::size_t kCompared = 64;    // configurations of one content, with one
  static constexpr std::size_t kPrinted = 4;      // lists that an element is looked up in
  static constexpr std::size_t kPastEnd = SIZE_MAX;

  [[nodiscard]] const Deed& deed(Local x) const { return deeds_.of[x]; }
  [[nodiscard]] const ElementFacts& facts(Element v) const { return foresight_.of[v]; }
  [[nodiscard]] bool is_free(const Configuration& each, Local x) const {
    return each.free.has(window_.slot(x)) && !each.mask.has(window_.slot(x));
  }

  /// What tells nothing and is legal whatever is inside: additions where there is always room, and `clear`.
  void find_what_can_be_hidden() {
    std::size_t added = 0;
    for (const ElementFacts& each : foresight_.of) added += each.additions;
    std::int64_t room = kMaxInteger;
    if (const auto* const queue = part_.specification->get_if<FifoQueue>()) room = queue->capacity;
    if (const auto* const deque = part_.specification->get_if<LinkedDeque>()) room = deque->capacity;
    if (static_cast<std::int64_t>(added) > room) return;
    for (Local x = 0; x < part_.size(); ++x) {
      if (part_.pending(x)) continue;  // it need not be done anyway
      const bool adds = deed(x).kind == Kind::adds && !deed(x).elements.empty();
      if (!adds && deed(x).kind != Kind::clears) continue;
      can_be_hidden_[x] = states_.after(ContentStates::kEmpty, x) != ContentStates::kIllegal;
    }
  }
  /// Whether what x puts in, if done just before z, is not there after z, and all else is as if x had not been.
  [[nodiscard]] bool hides(Local z, Local x) const {
    if (!can_be_hidden_[x]) return false;
    const Deed& hider = deed(z);
    if (hider.kind == Kind::clears) return true;
    // A heap is put in order anew: where its elements stand tells what was between.
    if (deeds_.collection == Collection::heap || deed(x).kind == Kind::clears) return false;
    const bool removes = hider.kind == Kind::removes_all, keeps = hider.kind == Kind::keeps;
    if (!removes && !keeps) return false;
    return std::all_of(deed(x).elements.begin(), deed(x).elements.end(),
                       [&](Element v) { return hider.has(v) == removes; });
  }
  [[nodiscard]] Mask hidden_by(Local z) const {
    Mask hidden;
    const Kind kind = deed(z).kind;
    if (kind != Kind::clears && kind != Kind::removes_all && kind != Kind::keeps) return hidden;
    for (const Local x : changes_) {
      if (hides(z, x)) hidden |= window_.bit(x);
    }
    return hidden;
  }
  /// Whether an operation that does the same goes before y.
  [[nodiscard]] bool has_equal_before(const Configuration& from, Local y) const {
    for (const Local z : changes_) {
      if (z == y) return false;
      if (states_.label(z) != states_.label(y) || from.mask.has(window_.slot(z))) continue;
      if (from.free.has(window_.slot(z)) == from.free.has(window_.slot(y))) return true;
    }
    return false;
  }

  template <class Meet>
  void unseen(const Configuration& each, Local x, Meet&& meet) {
    const Mask& done = each.mask;
    for (const Element v : deed(x).elements) {
      if (facts(v).once() && is_still_needed(v, done)) return;
    }
    algo::pass_unseen(window_, each, x, meet);
  }

  /// Of those that are not done. What is legal in a content is found once while the same operations are open.
  [[nodiscard]] Mask legal_looks(const Configuration& each) {
    if (seen_.size() <= each.content) seen_.resize(std::max<std::size_t>(2 * seen_.size(), each.content + 1));
    Seen& seen = seen_[each.content];
    if (seen.since != opened_) seen = {.since = opened_, .asked = {}, .legal = {}};
    for (Mask rest = look_bits_ & ~(each.mask | seen.asked); rest.any(); rest.drop_first()) {
      const Local y = window_.holder(rest.first());
      ++window_.steps;
      if (states_.after(each.content, y) != ContentStates::kIllegal) seen.legal |= window_.bit(y);
      seen.asked |= window_.bit(y);
    }
    return seen.legal & ~each.mask;
  }
  /// Other operations are open, or contents have other numbers.
  void forget_looks() { ++opened_; }

  // What is to come: operations that returned in the end, called after this moment or open and not done.

  [[nodiscard]] bool is_to_come(Local z, const Mask& done) const {
    if (part_.call[z] > window_.moment) return true;
    return part_.response[z] >= window_.moment && !done.has(window_.slot(z));
  }
  [[nodiscard]] bool is_any_to_come(const std::vector<Local>& list, Rank by, const Mask& done) const {
    return std::any_of(list.begin(), list.end(),
                       [&](Local z) { return part_.call[z] < by && !skipped(z) && is_to_come(z, done); });
  }
  [[nodiscard]] bool is_still_needed(Element v, const Mask& done) const {
    if (facts(v).last_needed_call > window_.moment) return true;
    const auto needs_it = [&](Local z) { return !part_.pending(z) && !done.has(window_.slot(z)) && needs(deed(z), v); };
    return std::any_of(looks_.begin(), looks_.end(), needs_it) ||
           std::any_of(changes_.begin(), changes_.end(), needs_it);
  }

  /// At what has to be inside of what returns at that rank or later.
  void look_ahead(Rank moment) { demands_.look(moment, changes_); }
  [[nodiscard]] bool can_be_met(const Configuration& to, const std::vector<Element>& inside) {
    return demands_.can_be_met(inside, [&](Local z) { return to.mask.has(window_.slot(z)); });
  }

  [[nodiscard]] bool can_go_on(const Configuration& from, const Configuration& to, Local y) {
    const Kind kind = deed(y).kind;
    const std::vector<Element>& inside = states_.elements(to.content);
    if (!can_be_met(to, inside)) return false;
    const auto is_inside = [&](Element v) { return std::find(inside.begin(), inside.end(), v) != inside.end(); };
    if (kind == Kind::adds || kind == Kind::may_add) {
      return std::all_of(deed(y).elements.begin(), deed(y).elements.end(),
                         [&](Element v) { return !facts(v).once() || !is_inside(v) || is_in_place(v, inside, to); });
    }
    for (const Element v : states_.elements(from.content)) {
      if (v == kNoElement || !facts(v).once() || is_inside(v)) continue;
      if (is_still_needed(v, to.mask)) return false;
    }
    return true;
  }

  /// Of an element that came in just now.
  [[nodiscard]] bool is_in_place(Element v, const std::vector<Element>& inside, const Configuration& to) const {
    const Mask& done = to.mask;
    const Mask settled = to.mask | to.free;
    if (facts(v).last_needed_call > window_.moment) {
      const auto is_excluded = [&](Local z) {
        return part_.response[z] < facts(v).last_needed_call && !settled.has(window_.slot(z)) && excludes(deed(z), v);
      };
      if (std::any_of(looks_.begin(), looks_.end(), is_excluded)) return false;
      if (std::any_of(changes_.begin(), changes_.end(), is_excluded)) return false;
    }
    return leave_in_order(v, inside, done) && is_printed_so(v, inside, done);
  }

  /// The first response at which the element is at that end, or none.
  [[nodiscard]] Rank due_at(Element v, End end, const Mask& done) const {
    Rank due = Rank::none();
    if (v == kNoElement || !facts(v).once()) return due;
    for (const Local z : end == End::front ? facts(v).at_front : facts(v).at_back) {
      if (is_to_come(z, done)) due = std::min(due, part_.response[z]);
    }
    return due;
  }
  /// Whether an element, which may have no name, can leave by then, and `stays` not with it.
  [[nodiscard]] bool can_leave(Element v, Element stays, Rank by, const Mask& done) const {
    if (v != kNoElement && is_any_to_come(facts(v).left_by, by, done)) return true;
    if (is_any_to_come(facts(stays).kept_by, by, done)) return true;
    for (const Local z : changes_) {
      if (deed(z).kind == Kind::may_take && !done.has(window_.slot(z))) return true;
    }
    const auto& takes = foresight_.any_takes;
    const auto next =
        std::partition_point(takes.begin(), takes.end(), [&](Local z) { return part_.call[z] < window_.moment; });
    return next != takes.end() && part_.call[*next] < by;
  }
  [[nodiscard]] bool comes_before(Element a, Element b) const {
    return a != kNoElement && b != kNoElement && part_.history->pool().compare(deeds_.value[a], deeds_.value[b]) < 0;
  }

  /// Whether what stands before it can leave before it is at the end at which it was seen, and it before what stands
  /// behind it.
  [[nodiscard]] bool leave_in_order(Element v, const std::vector<Element>& inside, const Mask& done) const {
    const Rank at_front = due_at(v, End::front, done), at_back = due_at(v, End::back, done);
    const bool is_heap = deeds_.collection == Collection::heap;
    bool passed_v = false;
    for (const Element other : inside) {
      if (other == v) {
        passed_v = true;
        continue;
      }
      const bool before = is_heap ? comes_before(other, v) : !passed_v;
      const bool behind = is_heap ? comes_before(v, other) : passed_v;
      if (before) {
        if (at_front != Rank::none() && !can_leave(other, v, at_front, done)) return false;
        const Rank its = due_at(other, End::back, done);
        if (its != Rank::none() && !can_leave(v, other, its, done)) return false;
      }
      if (behind) {
        if (at_back != Rank::none() && !can_leave(other, v, at_back, done)) return false;
        const Rank its = due_at(other, End::front, done);
        if (its != Rank::none() && !can_leave(v, other, its, done)) return false;
      }
    }
    return true;
  }

  /// Whether what is to be printed with it can be: what is inside of that stands together there, at the front of a
  /// queue, since the rest comes in at an end.
  [[nodiscard]] bool is_printed_so(Element v, const std::vector<Element>& inside, const Mask& done) const {
    if (deeds_.collection == Collection::heap) return true;
    std::size_t looked_up = 0;
    for (const Local z : facts(v).listed_by) {
      if (!is_to_come(z, done)) continue;
      if (++looked_up > kPrinted) break;
      const std::vector<Element>& printed = deed(z).elements;
      const bool repeats = std::any_of(printed.begin(), printed.end(), [&](Element e) { return !facts(e).once(); });
      if (repeats) continue;
      std::size_t next = printed.size();
      for (const Element e : inside) {
        if (e == kNoElement || !deed(z).has(e)) continue;
        if (next == printed.size()) {
          next = static_cast<std::size_t>(std::find(printed.begin(), printed.end(), e) - printed.begin());
          if (next != 0 && deeds_.collection == Collection::queue) return false;
        } else if (next == kPastEnd || printed[next] != e) {
          return false;
        }
        if (++next == printed.size()) next = kPastEnd;
      }
    }
    return true;
  }
  /// Drops a configuration where another one of the same content has done less, and all that it saw; what else was done
  /// need not be.
  void drop_what_another_is(std::vector<Configuration>& passed) {
    std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
      if (a.content != b.content) return a.content < b.content;
      const std::uint32_t done_a = (a.mask & ~look_bits_).count(), done_b = (b.mask & ~look_bits_).count();
      if (done_a != done_b) return done_a < done_b;
      const std::uint32_t looks_a = (a.mask & look_bits_).count(), looks_b = (b.mask & look_bits_).count();
      if (looks_a != looks_b) return looks_a > looks_b;
      return a.free.count() > b.free.count();
    });
    Mask optional;
    for (const Local y : changes_) {
      if (part_.pending(y)) optional |= window_.bit(y);
    }
    std::size_t kept = 0, group = 0;
    for (std::size_t at = 0; at < passed.size(); ++at) {
      const Configuration b = passed[at];
      if (kept > 0 && passed[group].content != b.content) group = kept;
      bool needless = false;
      const std::size_t end = std::min(kept, group + kCompared);
      for (std::size_t other = group; other < end && !needless; ++other) {
        ++window_.steps;
        const Configuration& a = passed[other];
        const Mask more = b.mask & ~a.mask;
        needless =
            (a.mask & ~b.mask & ~look_bits_).none() && (more & ~a.free & ~optional).none() && (b.free & ~a.free).none();
      }
      if (!needless) passed[kept++] = b;
    }
    passed.resize(kept);
  }

  /// Drops a configuration where another one, by one more operation, which it can do later, has done the same.
  void drop_what_another_leads_to(std::vector<Configuration>& passed, Local x) {
    if (passed.size() < 2) return;
    by_key_.clear();
    const auto key_of = [&](const Mask& mask, ContentStates::Id content) {
      return mix((mask & ~look_bits_).hash(), content);
    };
    for (std::uint32_t at = 0; at < passed.size(); ++at)
      by_key_[key_of(passed[at].mask, passed[at].content)].push_back(at);
    dropped_.assign(passed.size(), false);
    for (const Configuration& a : passed) {
      for (const Local y : changes_) {
        if (y == x || a.mask.has(window_.slot(y))) continue;
        ++window_.steps;
        const ContentStates::Id next = states_.after(a.content, y);
        if (next == ContentStates::kIllegal) continue;
        const Mask mask = a.mask | window_.bit(y);
        const auto found = by_key_.find(key_of(mask, next));
        if (found == by_key_.end()) continue;
        Configuration to{.mask = mask, .free = (a.free | hidden_by(y)) & ~mask, .content = next};
        to.mask |= legal_looks(to);
        for (const std::uint32_t at : found->second) {
          const Configuration& b = passed[at];
          if (b.content != next || (b.mask & ~look_bits_) != (mask & ~look_bits_)) continue;
          if ((b.mask & ~to.mask).none() && (b.free & ~to.free).none()) dropped_[at] = true;
        }
      }
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < passed.size(); ++at) {
      if (!dropped_[at]) passed[kept++] = passed[at];
    }
    passed.resize(kept);
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<const Reading> reading_;
  const Deeds& deeds_;
  const Foresight& foresight_;
  ContentStates states_;
  Demands demands_;
  std::vector<bool> can_be_hidden_;  // by operation
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  std::vector<Rank> loses_name_;        // responses after which an element has no name, ascending
  std::vector<Local> looks_, changes_;  // open operations, by response
  Mask look_bits_;
  std::uint64_t opened_ = 1;  // how often other operations came to be open
  std::vector<Seen> seen_;    // by content
  absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> by_key_;
  std::vector<bool> dropped_;
};

/// The whole history is the core, since what is called later was heeded.
class WholeCore final : public core::SearchTask {
 public:
  WholeCore(std::uint32_t operations, std::unique_ptr<core::SearchTask> search)
      : operations_(operations), search_(std::move(search)) {}
  bool run(std::uint64_t steps, core::Budget& budget) override { return search_->run(steps, budget); }
  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome = search_->outcome();
    if (outcome.verdict != Verdict::violation) return outcome;
    outcome.blocked.reset();  // what was called before it may be linearizable
    outcome.core.resize(operations_);
    std::iota(outcome.core.begin(), outcome.core.end(), 0U);
    return outcome;
  }
  [[nodiscard]] std::uint32_t passed() const override { return search_->passed(); }

 private:
  std::uint32_t operations_;
  std::unique_ptr<core::SearchTask> search_;
};

constexpr std::size_t kFewConfigurations = 24;

}  // namespace

core::Applicability contents_applicable(const Subhistory& part) {
  auto reading = std::make_shared<Reading>();
  reading->deeds = read_deeds(part);
  if (reading->deeds.other_type) return core::not_of_this_type(reading->deeds.obstacle);
  if (!reading->deeds.obstacle.empty()) return {.applies = false, .why = reading->deeds.obstacle};
  reading->foresight = foresee(part, reading->deeds);
  reading->looks.resize(part.size());
  for (Local x = 0; x < part.size(); ++x) reading->looks[x] = part.specification->pure(part.view(x));
  const auto counts = [&](Local x) { return !needless(part, *reading, x); };
  if (history::most_open(part.events(), counts) > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true, .why = "what operations to come say of elements", .reading = std::move(reading)};
}

std::unique_ptr<core::SearchTask> start_contents(const Subhistory& part, const core::DeciderOptions& options) {
  return start_few_contents(part, options, kFewConfigurations);
}

std::unique_ptr<core::SearchTask> start_few_contents(const Subhistory& part, const core::DeciderOptions& options,
                                                     std::size_t width) {
  const std::shared_ptr<const Reading> reading = core::reading_of<Reading>(part, options, contents_applicable);
  if (reading == nullptr) return std::make_unique<core::Decided>(core::not_applicable());
  const algo::FixedSlots slots = algo::fixed_slots(part, [&](Local x) { return !needless(part, *reading, x); });
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<Contents<Mask>>>(slots, part, options.witness, part, reading);
    search->narrow(width);
    return std::make_unique<WholeCore>(part.size(), std::move(search));
  });
}

}  // namespace linchpin::types::juc

// Decides priority queues in which values repeat and the order among equals, or of priorities, matters.
//
// A configuration says which open operations took effect, and what is inside: entries, each a priority and a value.
// Nothing takes effect before a response needs it; an insert only as the responder, or right before what takes or sees
// its entry.
//
// Ages: with ties=fifo, in which order inserts of one priority took effect shows when they are polled, mostly much
// later. So it stays open. Let e have been inserted in the block of response r. An entry f that came in while e
// was inside can as well have come in just before e if its insert was called before r: its priority was there anyway.
// An entry keeps two numbers: how many inserts of its priority were called before its own (earliest), and before its
// block (latest). e has to leave before f iff latest(e) <= earliest(f). A peek puts its entry before all others. The
// witness puts each insert right before the first that leaves later, if that stands before it.
//
// Lost polls that are pending take what is in the way of another operation, right before it.
//
// What leaves a poll that is due soon no way in time gives its place to others: foresight.hpp.
//
// A domain of algo::Frontier that keeps few configurations. Precondition: no capacity, no sizes, since a later moment
// of an insert would show; at most 1,024 open at once. Cost: exponential at worst. Source: own: docs/design/search.md,
// entries of priority queues. Compare: contents.cpp (any order among equals, one priority a value), monitor.cpp (no
// value twice). Tests: priority_queue_entries_test.cpp.
#include "types/priority_queue/entries.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/thrift.hpp"
#include "algo/interned_rows.hpp"
#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "types/priority_queue/entries_reading.hpp"
#include "types/priority_queue/foresight.hpp"

namespace linchpin::types::priority_queue {

namespace {

using Kind = EntryAct::Kind;
using Local = std::uint32_t;

/// An operation, and the insert of what it takes or sees, where that is known.
struct EntryLink {
  Local operation = kNone, insert = kNone;
};

/// A domain of algo::Frontier.
template <class OfSlots>
class Entries {
 public:
  using Mask = OfSlots;
  using Link = EntryLink;
  using Window = algo::Window<Mask, Link>;
  struct Configuration {
    Mask mask;
    std::uint32_t row = 0;       // what is inside
    std::uint32_t tail = kNone;  // what was done last
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  Entries(Window& window, const history::Subhistory& part, std::shared_ptr<const EntryActs> acts)
      : window_(window),
        part_(part),
        acts_(std::move(acts)),
        turn_(algo::turns(part, [this](Local x) { return !skipped(x); })),
        promise_(turn_) {}
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  [[nodiscard]] Configuration start() { return {.mask = {}, .row = id_of({})}; }
  [[nodiscard]] bool skipped(Local x) const { return acts_->needless(x); }
  [[nodiscard]] bool impossible(Local x) const { return act(x).kind == Kind::never; }
  [[nodiscard]] bool alike(Local a, Local b) const { return act(a) == act(b) && act(a).kind != Kind::insert; }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const { return mix(each.mask.hash(), each.row); }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.row == b.row && a.mask == b.mask;
  }

  void clear() { looks_ = inserts_ = polls_ = lost_ = pending_ = {}; }
  void open(Local x) {
    if (act(x).looks()) looks_ |= window_.bit(x);
    if (act(x).kind == Kind::insert) inserts_ |= window_.bit(x);
    if (act(x).kind == Kind::poll) polls_ |= window_.bit(x);
    if (part_.pending(x)) pending_ |= window_.bit(x);
    if (is_lost(x)) lost_ |= window_.bit(x);
  }
  void close(Local x) {
    looks_ &= ~window_.bit(x);
    inserts_ &= ~window_.bit(x);
    polls_ &= ~window_.bit(x);
  }
  void call(Local x, std::vector<Configuration>& current) {
    if (!act(x).looks()) return;
    for (Configuration& each : current) {
      ++window_.steps;
      if (!sees(act(x), rows_.row(each.row))) continue;
      each.mask |= window_.bit(x);
      each.tail = window_.extended(each.tail, Link{x});
    }
  }

  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    const auto row = rows_.row(from.row);
    from_row_.assign(row.begin(), row.end());
    const Mask undone = window_.used() & ~from.mask;
    for (Mask rest = undone; rest.any(); rest.drop_first()) {
      const Local y = window_.holder(rest.first());
      if (!window_.ready(rest.first(), undone)) continue;
      ++window_.steps;
      switch (act(y).kind) {
        case Kind::insert:
          if (y == x) insert(from, y, meet);
          break;
        case Kind::poll:
        case Kind::peek: leave(from, undone, y, meet); break;
        case Kind::poll_any:
          if (!is_lost(y)) leave(from, undone, y, meet);
          break;
        case Kind::empty: make_empty(from, undone, y, meet); break;
        case Kind::filled: fill(from, undone, y, meet); break;
        case Kind::nothing: visit(from, from.mask | window_.bit(y), std::array{Link{y}}, from_row_, meet); break;
        case Kind::never: break;
      }
    }
  }

  /// Leaves out a configuration where another one leads to it by a poll that is still legal there, with or without an
  /// insert right before; and, where not all are kept, those in which something that is due comes too late.
  bool prune(Local x, std::vector<Configuration>& passed) {
    if (passed.size() > window_.kept) {
      foresight_.look(window_.moment);
      if (std::erase_if(passed, [this](const Configuration& each) { return hopeless(each); }) > 0) {
        window_.left_out = true;
      }
    }
    if (passed.size() < 2) return true;
    if (pending_.any()) {
      algo::drop_spendthrifts(passed, pending_, ~pending_, kMostCompared, window_.steps,
                              [](const auto&, const auto&) { return true; });
    }
    const auto acts = [&](const Configuration& each) { return each.mask & ~looks_; };
    std::sort(passed.begin(), passed.end(),
              [&](const Configuration& a, const Configuration& b) { return acts(a) < acts(b); });
    window_.steps += passed.size();
    needless_.assign(passed.size(), false);
    for (std::size_t index = 0; index < passed.size(); ++index) {
      const Configuration& b = passed[index];
      const auto leads = [&](const Mask& wanted, const auto& by) {
        auto at = std::lower_bound(passed.begin(), passed.end(), wanted,
                                   [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
        for (std::size_t looked = 0; at != passed.end() && acts(*at) == wanted && looked < kMostCompared;
             ++at, ++looked) {
          ++window_.steps;
          if (!needless_[static_cast<std::size_t>(at - passed.begin())] && by(*at) && can_see(b, *at)) return true;
        }
        return false;
      };
      const Mask polls = acts(b) & polls_ & ~window_.bit(x);
      for (Mask rest = polls; rest.any() && !needless_[index]; rest.drop_first()) {
        const std::uint32_t value = act(window_.holder(rest.first())).value;
        const Mask without = acts(b) & ~Mask::of(rest.first());
        needless_[index] = leads(without, [&](const Configuration& a) { return leaves(a, b, value); });
        for (Mask puts = without & inserts_ & ~window_.bit(x); puts.any() && !needless_[index]; puts.drop_first()) {
          const Local put = window_.holder(puts.first());
          if (act(put).value != value) continue;
          needless_[index] = leads(without & ~Mask::of(puts.first()), [&](const Configuration& a) {
            return a.row == b.row && obstacles(rows_.row(a.row), entry_of(put), 0) == 0;
          });
        }
      }
    }
    std::size_t kept = 0;
    for (std::size_t index = 0; index < passed.size(); ++index) {
      if (!needless_[index]) passed[kept++] = passed[index];
    }
    passed.resize(kept);
    return true;
  }

  void weigh(std::uint32_t, std::uint32_t passed) {
    promise_.weigh_by(window_, 1, passed, [this](Local x) { return act(x).looks(); });
  }
  [[nodiscard]] auto costs(const Configuration& each) {
    ++window_.steps;
    const auto row = rows_.row(each.row);
    return promise_.costs(each.mask, [&](Local x, std::int64_t cost) { return legal(act(x), row) ? 0 : cost; });
  }
  [[nodiscard]] std::size_t growth() const { return rows_.growth(); }
  template <class EachKept>
  void forget(std::vector<Configuration>& current, EachKept&& each_kept) {
    rows_.forget(kBytesKept, current, each_kept);
  }

  /// The operations of a chain, each insert before those that leave later.
  [[nodiscard]] std::vector<Local> order(std::uint32_t tail) const {
    const std::vector<Link> chain = window_.chains().from_start(tail);
    if (!acts_->by_age()) return plain(chain);
    struct Place {
      std::size_t before, of_equals;  // the place in the chain that it goes before; which of those goes first
      Local operation;
    };
    std::vector<Place> places;
    std::vector<std::size_t> place(part_.size(), SIZE_MAX);  // of an insert
    std::vector<std::vector<Local>> leaving(acts_->priorities());
    const auto leaves = [&](Local insert) { leaving[act(insert).priority].push_back(insert); };
    for (std::size_t at = 0; at < chain.size(); ++at) {
      const Local x = chain[at].operation;
      if (act(x).kind == Kind::insert) place[x] = at;
      places.push_back({at, 0, x});
      if (chain[at].insert != kNone && act(x).kind != Kind::peek) leaves(chain[at].insert);
    }
    std::vector<bool> left(part_.size(), false);
    for (const auto& of_priority : leaving) {
      for (const Local insert : of_priority) left[insert] = true;
    }
    for (const Link& link : chain) {  // what was seen, and is still inside
      if (link.insert == kNone || left[link.insert]) continue;
      leaves(link.insert);
      left[link.insert] = true;
    }
    std::vector<std::size_t> first_inside(leaving.size(), SIZE_MAX);
    for (const Link& link : chain) {
      const Local x = link.operation;
      if (act(x).kind != Kind::insert || left[x]) continue;
      first_inside[act(x).priority] = std::min(first_inside[act(x).priority], place[x]);
    }
    for (std::size_t priority = 0; priority < leaving.size(); ++priority) {
      std::size_t first = first_inside[priority];
      for (std::size_t k = leaving[priority].size(); k-- > 0;) {
        const Local insert = leaving[priority][k];
        first = std::min(first, place[insert]);
        places[place[insert]].before = first;
        places[place[insert]].of_equals = k;
      }
      if (first_inside[priority] != SIZE_MAX) places[first_inside[priority]].of_equals = leaving[priority].size();
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return std::tie(a.before, a.of_equals) < std::tie(b.before, b.of_equals);
    });
    std::vector<Local> order;
    order.reserve(places.size());
    for (const Place& each : places) order.push_back(each.operation);
    return order;
  }

 private:
  static constexpr std::size_t kThrifty = 8192;                   // configurations of a response
  static constexpr std::size_t kMostCompared = 32;                // configurations that did the same
  static constexpr std::size_t kCompared = std::size_t{1} << 16;  // pairs of priorities
  static constexpr std::size_t kBytesKept = std::size_t{2} << 20;

  static std::vector<Local> plain(std::span<const Link> chain) {
    std::vector<Local> order;
    order.reserve(chain.size());
    for (const Link& link : chain) order.push_back(link.operation);
    return order;
  }
  [[nodiscard]] const EntryAct& act(Local x) const { return (*acts_)[x]; }
  /// It may take what is in the way, whatever that is.
  [[nodiscard]] bool is_lost(Local x) const { return act(x).kind == Kind::poll_any && part_.pending(x); }
  [[nodiscard]] Entry entry_of(Local insert) const {
    const EntryAct& it = act(insert);
    return {it.priority, it.value, it.earliest, acts_->latest(it.priority, window_.moment)};
  }
  [[nodiscard]] Local insert_of(const Entry& entry) const {
    return acts_->by_age() ? acts_->insert(entry.priority, entry.earliest) : kNone;
  }
  [[nodiscard]] static bool sees(const EntryAct& look, std::span<const Entry> row) {
    return look.kind == Kind::nothing || row.empty() == (look.kind == Kind::empty);
  }
  /// Whether the priority `left` has to leave before `right`. Compared lists are remembered.
  [[nodiscard]] bool better(std::uint32_t left, std::uint32_t right) {
    if (acts_->total() || left >= right) return left < right;
    const std::uint64_t both = (std::uint64_t{left} << 32) | right;
    Compared& known = compared_[mix(0, both) % compared_.size()];
    if (known.both != both) known = {both, acts_->better(left, right)};
    return known.better;
  }
  /// Whether `other` has to leave before the entry.
  [[nodiscard]] bool in_the_way(const Entry& other, const Entry& entry) {
    return other.priority == entry.priority ? other.goes_before(entry) : better(other.priority, entry.priority);
  }
  /// How many entries have to leave before it, or `most` + 1 where there are more.
  [[nodiscard]] std::size_t obstacles(std::span<const Entry> row, const Entry& entry, std::size_t most) {
    std::size_t found = 0;
    bool met = false;
    for (const Entry& other : row) {
      if (other.priority > entry.priority || found > most) break;
      if (!met && other == entry) {
        met = true;
      } else if (in_the_way(other, entry)) {
        ++found;
      }
    }
    return found;
  }
  [[nodiscard]] bool legal(const EntryAct& act, std::span<const Entry> row) {
    if (act.kind == Kind::insert || act.kind == Kind::poll_any) return true;
    if (act.looks()) return sees(act, row);
    for (const Entry& each : row) {
      if (each.value == act.value && obstacles(row, each, 0) == 0) return true;
      if (acts_->total() && each.priority > row.front().priority) break;
    }
    return false;
  }
  /// Whether some poll or peek that is due cannot be done in time.
  [[nodiscard]] bool hopeless(const Configuration& each) {
    foresight_.begin(rows_.row(each.row));
    for (Mask rest = window_.used() & ~each.mask; rest.any(); rest.drop_first()) {
      foresight_.comes(window_.holder(rest.first()));
    }
    const auto done = [&](Local y) { return window_.is_open(y) && each.mask.has(window_.slot(y)); };
    const auto in_the_way = [this](const Entry& other, const Entry& entry) { return this->in_the_way(other, entry); };
    return foresight_.hopeless(done, in_the_way, window_.steps);
  }

  /// Whether the rows differ by an entry of that value that can leave.
  [[nodiscard]] bool leaves(const Configuration& a, const Configuration& b, std::uint32_t value) {
    const auto before = rows_.row(a.row), after = rows_.row(b.row);
    if (before.size() != after.size() + 1) return false;
    const auto gone = std::mismatch(after.begin(), after.end(), before.begin()).second;
    if (gone->value != value || !std::equal(gone + 1, before.end(), after.begin() + (gone - before.begin())))
      return false;
    return obstacles(before, *gone, 0) == 0;
  }
  /// Whether what b saw was seen by a, or can be seen once it comes to b's row.
  [[nodiscard]] bool can_see(const Configuration& b, const Configuration& a) const {
    for (Mask rest = b.mask & looks_ & ~a.mask; rest.any(); rest.drop_first()) {
      if (!sees(act(window_.holder(rest.first())), rows_.row(b.row))) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t spare(const Mask& undone) const { return (lost_ & undone).count(); }

  template <class Meet>
  void insert(const Configuration& from, Local y, Meet&& meet) {
    to_row_ = from_row_;
    add(to_row_, entry_of(y));
    visit(from, from.mask | window_.bit(y), std::array{Link{y}}, to_row_, meet);
  }
  /// Some entry leaves, or is seen, that fits: one that is inside, or one that comes in right before.
  template <class Meet>
  void leave(const Configuration& from, const Mask& undone, Local y, Meet&& meet) {
    const EntryAct& it = act(y);
    const bool any = it.kind == Kind::poll_any;
    if (any && from_row_.empty()) visit(from, from.mask | window_.bit(y), std::array{Link{y}}, from_row_, meet);
    std::size_t most = 0;  // lost polls: what need not be done comes last
    bool found = false;
    const auto leave_by = [&](const Mask& puts) {
      for (const Entry& entry : from_row_) {
        if ((!any && entry.value != it.value) || beaten(entry)) continue;
        found = leave_from(from, undone, y, from_row_, entry, kNone, most, meet) || found;
      }
      for (Mask rest = puts; rest.any(); rest.drop_first()) {
        const Local put = window_.holder(rest.first());
        if (!any && act(put).value != it.value) continue;
        ++window_.steps;
        row_ = from_row_;
        const Entry entry = entry_of(put);
        add(row_, entry);
        found = leave_from(from, undone, y, row_, entry, put, most, meet) || found;
      }
    };
    leave_by(undone & inserts_ & ~pending_);
    if ((undone & pending_).none()) return;
    if (found && window_.enough < kThrifty) {
      window_.left_out = true;
      return;
    }
    most = spare(undone);
    leave_by(undone & inserts_);
  }
  /// Whether another entry of its value and priority, which can leave, had better do so: one before which no fewer can
  /// leave, and after which no more have to.
  [[nodiscard]] bool beaten(const Entry& entry) {
    return std::any_of(from_row_.begin(), from_row_.end(), [&](const Entry& other) {
      return other.priority == entry.priority && other.value == entry.value && other != entry &&
             other.latest <= entry.latest && other.earliest >= entry.earliest && obstacles(from_row_, other, 0) == 0;
    });
  }
  template <class Meet>
  bool leave_from(const Configuration& from, const Mask& undone, Local y, const std::vector<Entry>& row, Entry entry,
                  Local put, std::size_t most, Meet&& meet) {
    const std::size_t found = obstacles(row, entry, most);
    if (found > most) return false;
    window_.steps += 1 + row.size() / 16;
    links_.clear();
    Mask mask = from.mask | window_.bit(y);
    if (put != kNone) {
      mask |= window_.bit(put);
      links_.push_back(Link{put});
    }
    to_row_.clear();
    bool gone = false;
    way_.clear();
    for (const Entry& other : row) {
      if (!gone && other == entry) {
        gone = true;
        if (act(y).kind == Kind::peek) {
          to_row_.push_back(other);
          if (acts_->by_age()) to_row_.back().latest = 0;
        }
      } else if (found > 0 && in_the_way(other, entry)) {
        way_.push_back(other);
      } else {
        to_row_.push_back(other);
      }
    }
    take_away(undone, mask);
    links_.push_back(Link{y, insert_of(entry)});
    std::sort(to_row_.begin(), to_row_.end());
    visit(from, mask, links_, to_row_, meet);
    return true;
  }
  /// Lost polls, those first that were called first, take what is in the way: the best priorities first, and of equal
  /// ones those that have to.
  void take_away(const Mask& undone, Mask& mask) {
    std::sort(way_.begin(), way_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.priority, a.latest, a.earliest) < std::tie(b.priority, b.latest, b.earliest);
    });
    Mask lost = lost_ & undone;
    for (const Entry& each : way_) {
      Local taker = window_.holder(lost.first());
      for (Mask rest = lost; rest.any(); rest.drop_first()) {
        const Local other = window_.holder(rest.first());
        if (part_.call[other] < part_.call[taker]) taker = other;
      }
      lost &= ~window_.bit(taker);
      mask |= window_.bit(taker);
      links_.push_back(Link{taker, insert_of(each)});
    }
  }
  template <class Meet>
  void make_empty(const Configuration& from, const Mask& undone, Local y, Meet&& meet) {
    if (from_row_.size() > spare(undone)) return;
    links_.clear();
    Mask mask = from.mask | window_.bit(y);
    way_ = from_row_;
    take_away(undone, mask);
    links_.push_back(Link{y});
    visit(from, mask, links_, {}, meet);
  }
  template <class Meet>
  void fill(const Configuration& from, const Mask& undone, Local y, Meet&& meet) {
    if (!from_row_.empty()) return visit(from, from.mask | window_.bit(y), std::array{Link{y}}, from_row_, meet);
    for (Mask rest = undone & inserts_; rest.any(); rest.drop_first()) {
      const Local put = window_.holder(rest.first());
      to_row_ = {entry_of(put)};
      visit(from, from.mask | window_.bit(y) | window_.bit(put), std::array{Link{put}, Link{y}}, to_row_, meet);
    }
  }

  [[nodiscard]] std::uint32_t id_of(std::span<const Entry> row) {
    std::uint64_t hash = row.size();
    for (const Entry& each : row) hash += each.hash();
    return rows_.id_of(row, mix(hash, 0));
  }
  static void add(std::vector<Entry>& row, const Entry& entry) {
    row.insert(std::upper_bound(row.begin(), row.end(), entry), entry);
  }
  /// Notes a configuration, with the looks that are legal in it.
  template <class Meet>
  void visit(const Configuration& from, Mask mask, std::span<const Link> links, std::span<const Entry> row,
             Meet&& meet) {
    Mask looks;
    for (Mask rest = looks_ & ~mask; rest.any(); rest.drop_first()) {
      if (sees(act(window_.holder(rest.first())), row)) looks |= Mask::of(rest.first());
    }
    const auto met = meet(Configuration{.mask = mask | looks, .row = id_of(row)});
    if (!met.fresh) return;
    std::uint32_t tail = window_.extended(from.tail, links);
    for (Mask rest = looks; rest.any(); rest.drop_first()) {
      tail = window_.extended(tail, Link{window_.holder(rest.first())});
    }
    met.entry->tail = tail;
  }

  struct Compared {
    std::uint64_t both = 0;  // priorities
    bool better = false;
  };

  Window& window_;
  const history::Subhistory& part_;
  std::shared_ptr<const EntryActs> acts_;
  std::vector<Compared> compared_ =
      std::vector<Compared>(acts_->total() ? 0 : std::min(kCompared, acts_->priorities() * acts_->priorities() + 1));
  std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  Foresight foresight_{part_, *acts_};
  algo::InternedRows<Entry> rows_;                 // what is inside, ascending
  Mask looks_, inserts_, polls_, lost_, pending_;  // of what is open
  std::vector<Entry> from_row_, to_row_, row_, way_;
  std::vector<Link> links_;
  std::vector<bool> needless_;
};

constexpr std::array<std::size_t, 4> kWidths{24, 64, 12, 160};  // by way
static_assert(kWidths.size() == kEntries.ways);

}  // namespace

core::Applicability entries_applicable(const history::Subhistory& part) {
  auto acts = std::make_shared<EntryActs>(part);
  if (acts->other_type()) return core::not_of_this_type(acts->obstacle());
  if (!acts->obstacle().empty()) return {.applies = false, .why = acts->obstacle()};
  const std::uint32_t open = history::most_open(part.events(), [&](Local x) { return !acts->needless(x); });
  if (open > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {
      .applies = true, .why = "few configurations, with the order among equals left open", .reading = std::move(acts)};
}

std::unique_ptr<core::SearchTask> start_entries(const history::Subhistory& part, const core::DeciderOptions& options) {
  return start_few_entries(part, options, kWidths[options.way]);
}

std::unique_ptr<core::SearchTask> start_few_entries(const history::Subhistory& part,
                                                    const core::DeciderOptions& options, std::size_t width) {
  const auto acts = core::reading_of<EntryActs>(part, options, entries_applicable);
  const algo::FixedSlots slots = algo::fixed_slots(part, [&](Local x) { return !acts->needless(x); });
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<Entries<Mask>>>(slots, part, options.witness, part, acts);
    search->narrow(width);
    return search;
  });
}

}  // namespace linchpin::types::priority_queue

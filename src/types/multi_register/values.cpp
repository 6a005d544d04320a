// Decides transactions on registers whose values repeat.
//
// A configuration says which open transactions took effect, and what the keys hold. Nothing is done before a response
// needs it, and what only reads as soon as it is legal. If x is legal, and no other open transaction writes what x
// touches or touches what x writes, x alone is done: whatever else is done before it in this block can be done after it
// as well. Of equal transactions the one that returns first goes first.
//
// A pending transaction is done where a later one of the same block needs it: one that reads what it leaves, or writes
// what it read, or overwrites a part of what it leaves. Otherwise it can be done later, or not at all. A configuration
// says which are done and not needed yet (loose): a block ends with none, and where nobody is left who could need one,
// or all that it leaves is overwritten first, the configuration is dropped.
//
// Foresight: which value a key holds shows when somebody reads it, mostly some responses later. Where a value is
// overwritten, let R be the first transaction to return, open or called later, that has to read it and has not. If no
// transaction that writes it is open and undone, and none is called before R returns, R can never take effect, and the
// configuration is dropped at once (Wants).
//
// A domain of algo::Frontier that keeps few configurations and refutes by windows. Where one forgets what came before
// (algo/frontier/windows.hpp), the keys hold anything, and what is open may have taken effect earlier: it may pass its
// response without.
// Precondition: at most 1,024 open at once. Cost: exponential at worst. Source: own: docs/design/search.md, values of
// registers. Compare: monitor.cpp (no value twice; nearly linear), decide/search. Tests: register_values_test.cpp.
#include "types/multi_register/values.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/thrift.hpp"
#include "algo/interned_rows.hpp"
#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "types/multi_register/specification.hpp"
#include "types/multi_register/values_reading.hpp"

namespace linchpin::types::multi_register {

namespace {

using history::Rank;
using history::Subhistory;

constexpr std::size_t kFewContents = 32;

/// Of what the keys hold, the hash is the sum of these.
[[nodiscard]] std::uint64_t hash_of_key(std::uint32_t key, Content content) { return mix(mix(0, key), content); }

/// What is known beforehand.
struct KnownContents {
  KnownContents(const Subhistory& part, ContentTouches touches) : all(std::move(touches)), wants(part, all) {}

  ContentTouches all;
  Wants wants;
};

template <class OfSlots>
class KeyContents {
 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;
  using Window = algo::Window<Mask>;
  using BySlot = algo::BySlot<Mask>;
  struct Configuration {
    Mask mask;                   // of what is open
    Mask loose;                  // of what is pending and was done in this block: nothing done since needs it
    std::uint32_t row = 0;       // what the keys hold
    std::uint32_t tail = kNone;  // what was done last
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::nearest;
  static constexpr bool kSkipsIdle = true;
  static constexpr bool kLooksAhead = true;

  KeyContents(Window& window, const Subhistory& part, std::shared_ptr<const KnownContents> known)
      : window_(window),
        part_(part),
        known_(std::move(known)),
        turn_(algo::turns(part, [this](std::uint32_t x) { return !skipped(x); })),
        promise_(turn_),
        open_(all().keys) {}
  KeyContents(Window& window, const KeyContents& alike) : KeyContents(window, alike.part_, alike.known_) {}
  KeyContents(const KeyContents&) = delete;
  KeyContents& operator=(const KeyContents&) = delete;

  [[nodiscard]] Configuration start() { return filled(all().initial); }
  /// What is open may have taken effect before. No other row is needed any more.
  [[nodiscard]] Configuration anywhere() {
    free_ = window_.used();
    rows_ = {};
    return filled(kAnyContent);
  }
  [[nodiscard]] bool skipped(std::uint32_t x) const { return all().idle[x]; }
  [[nodiscard]] bool impossible(std::uint32_t x) const { return all().impossible[x]; }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const {
    return all().alike[a] == all().alike[b] && is_free(a) == is_free(b);
  }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const { return mix(each.mask.hash(), each.row); }
  /// Whether b is not needed beside a.
  [[nodiscard]] static bool same(const Configuration& a, const Configuration& b) {
    return a.row == b.row && a.mask == b.mask && (a.loose & ~b.loose).none();
  }

  void clear() {
    free_ = looks_ = pending_ = {};
    for (auto& touches : open_) touches.clear();
  }
  void open(std::uint32_t x) {
    if (!all().leaves[x]) looks_ |= window_.bit(x);
    if (part_.response[x] == Rank::none()) pending_ |= window_.bit(x);
    relate(x);
    for (const ContentTouch& touch : all().of(x)) open_[touch.key].push_back({x, window_.slot(x), touch});
  }
  void close(std::uint32_t x) {
    looks_ &= ~window_.bit(x);
    free_ &= ~window_.bit(x);
    pending_ &= ~window_.bit(x);
    for (Mask rest = pending_; rest.any(); rest.drop_first()) {
      needing_[rest.first()] &= ~window_.bit(x);
      hiding_[rest.first()] &= ~window_.bit(x);
    }
    for (const ContentTouch& touch : all().of(x)) {
      std::erase_if(open_[touch.key], [x](const OpenTouch& each) { return each.x == x; });
    }
  }

  void call(std::uint32_t x, std::vector<Configuration>& current) {
    if (all().leaves[x] || all().impossible[x]) return;
    for (Configuration& each : current) {
      ++window_.steps;
      if (!changes_nothing(rows_.row(each.row), x)) continue;
      each.mask |= window_.bit(x);
      each.tail = window_.extended(each.tail, x);
    }
  }

  /// Where the responder may have taken effect before the window, it passes as it is.
  template <class Meet>
  void begin(std::uint32_t x, const std::vector<Configuration>& current, Meet&& meet) {
    if (!is_free(x)) return;
    for (Configuration each : current) {
      each.mask |= window_.bit(x);
      meet(each);
    }
  }
  template <class Meet>
  void finish(const Configuration& from, std::uint32_t x, Meet&& meet) {
    ++window_.steps;
    if (legal(rows_.row(from.row), x)) visit(from, x, x, meet);
  }
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    const Mask undone = window_.used() & ~from.mask;
    if (!is_free(x) && legal(rows_.row(from.row), x) && uncontested(undone, x)) return;
    for (Mask rest = undone & ~window_.bit(x); rest.any(); rest.drop_first()) {
      const std::uint32_t y = window_.holder(rest.first());
      if (all().impossible[y] || !window_.ready(rest.first(), undone)) continue;
      if (pending_.has(rest.first()) && (needing_[rest.first()] & undone).none()) continue;
      ++window_.steps;
      if (legal(rows_.row(from.row), y)) visit(from, y, x, meet);
    }
  }

  bool prune(std::uint32_t x, std::vector<Configuration>& passed);

  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    promise_.weigh(window_, attempts, passed, [this](std::uint32_t y) { return !all().leaves[y]; });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    const std::span<const Content> row = rows_.row(each.row);
    return promise_.cost(each.mask, [&](std::uint32_t y, std::int64_t cost) { return legal(row, y) ? 0 : cost; });
  }

  [[nodiscard]] std::size_t growth() const { return rows_.growth(); }

  /// Forgets the rows that nobody has any more, where they are many.
  template <class EachKept>
  void forget(std::vector<Configuration>& current, EachKept&& each_kept) {
    rows_.forget(kBytesKept, current, each_kept);
  }

 private:
  static constexpr std::size_t kBytesKept = std::size_t{1} << 20;

  struct OpenTouch {
    std::uint32_t x = 0;
    algo::Slot slot = 0;
    ContentTouch touch;
  };

  [[nodiscard]] const ContentTouches& all() const { return known_->all; }
  [[nodiscard]] bool is_free(std::uint32_t x) const { return free_.has(window_.slot(x)); }

  [[nodiscard]] Configuration filled(Content content) {
    scratch_.assign(all().keys, content);
    std::uint64_t hash = 0;
    for (std::uint32_t key = 0; key < all().keys; ++key) hash += hash_of_key(key, content);
    return {.row = rows_.id_of(scratch_, hash)};
  }

  [[nodiscard]] bool legal(std::span<const Content> row, std::uint32_t x) const {
    const std::span<const ContentTouch> touches = all().of(x);
    return std::all_of(touches.begin(), touches.end(), [&](const ContentTouch& touch) {
      return touch.need == kAnyContent || row[touch.key] == touch.need || row[touch.key] == kAnyContent;
    });
  }
  /// Whether x, which only reads, is legal and tells nothing new.
  [[nodiscard]] bool changes_nothing(std::span<const Content> row, std::uint32_t x) const {
    const std::span<const ContentTouch> touches = all().of(x);
    return std::all_of(touches.begin(), touches.end(),
                       [&](const ContentTouch& touch) { return row[touch.key] == touch.need; });
  }

  /// Whether what b has looked at and a has not can be looked at where the contents are those of b.
  [[nodiscard]] bool can_have_looks_of(const Configuration& b, const Configuration& a) const {
    for (Mask looks = b.mask & looks_ & ~a.mask; looks.any(); looks.drop_first()) {
      if (!changes_nothing(rows_.row(b.row), window_.holder(looks.first()))) return false;
    }
    return true;
  }

  /// Makes of the row in scratch_, with the given hash, what it is after y. Returns the hash.
  std::uint64_t apply(std::uint32_t y, std::uint64_t hash) {
    for (const ContentTouch& touch : all().of(y)) {
      const Content after = touch.leave == kSameContent ? touch.need : touch.leave;
      Content& content = scratch_[touch.key];
      if (after == kAnyContent || after == content) continue;
      hash += hash_of_key(touch.key, after) - hash_of_key(touch.key, content);
      content = after;
    }
    return hash;
  }

  /// Whether somebody must still read what y overwrites in the row, and nobody writes it again in time.
  [[nodiscard]] bool spoils(std::span<const Content> row, const Mask& done, std::uint32_t y) const {
    const std::span<const ContentTouch> touches = all().of(y);
    return std::any_of(touches.begin(), touches.end(), [&](const ContentTouch& touch) {
      const Content content = row[touch.key];
      if (touch.leave == kSameContent || touch.leave == content || content == kAnyContent) return false;
      const std::uint32_t want = known_->wants.find(touch.key, content);
      if (want == kNone) return false;
      Rank due = known_->wants.read_by(want, window_.moment);
      for (const OpenTouch& each : open_[touch.key]) {
        if (each.x == y || done.has(each.slot)) continue;
        if (each.touch.leave == content) return false;
        if (each.touch.need == content && !free_.has(each.slot)) due = std::min(due, part_.response[each.x]);
      }
      return due != Rank::none() && known_->wants.written_from(want, window_.moment) > due;
    });
  }

  /// Whether no other open transaction writes what x touches, or touches what x writes.
  [[nodiscard]] bool uncontested(const Mask& undone, std::uint32_t x) const {
    const std::span<const ContentTouch> touches = all().of(x);
    return std::all_of(touches.begin(), touches.end(), [&](const ContentTouch& touch) {
      const bool writes = touch.leave != kSameContent;
      return std::none_of(open_[touch.key].begin(), open_[touch.key].end(), [&](const OpenTouch& each) {
        return each.x != x && undone.has(each.slot) && (writes || each.touch.leave != kSameContent);
      });
    });
  }

  /// Notes between x, which was called, and each that is open: who needs the other one before, or hides it.
  void relate(std::uint32_t x) {
    const algo::Slot slot = window_.slot(x);
    for (BySlot* const column : {&needing_, &hiding_}) {
      column->make_room(slot);
      (*column)[slot] = {};
    }
    for (const ContentTouch& touch : all().of(x)) {
      for (const OpenTouch& each : open_[touch.key]) {
        relate(x, touch, each.x, each.touch);
        relate(each.x, each.touch, x, touch);
      }
    }
  }
  /// By what both do with one key: whether z, if it is pending, may have to be done before y, and whether y hides it.
  void relate(std::uint32_t z, const ContentTouch& of_z, std::uint32_t y, const ContentTouch& of_y) {
    if (!pending_.has(window_.slot(z))) return;
    const bool overwrites = of_z.leave != kSameContent && of_y.leave != kSameContent;
    if (overwrites) hiding_[window_.slot(z)] |= window_.bit(y);
    const bool reads = of_z.leave != kSameContent && of_y.need == of_z.leave;
    const bool changes = of_z.need != kAnyContent && of_y.leave != kSameContent;
    if (reads || changes || (overwrites && leaves_several(z))) needing_[window_.slot(z)] |= window_.bit(y);
  }
  [[nodiscard]] bool leaves_several(std::uint32_t x) const {
    const std::span<const ContentTouch> touches = all().of(x);
    return std::count_if(touches.begin(), touches.end(),
                         [](const ContentTouch& touch) { return touch.leave != kSameContent; }) > 1;
  }

  /// Of those that are loose, those that do not have to be done before y.
  [[nodiscard]] Mask not_needed(Mask loose, algo::Slot y) const {
    for (Mask rest = loose; rest.any(); rest.drop_first()) {
      if (needing_[rest.first()].has(y)) loose &= ~Mask::of(rest.first());
    }
    return loose;
  }

  /// Does y, and then what only reads and is legal, on the way to x. @pre y is legal
  template <class Meet>
  void visit(const Configuration& from, std::uint32_t y, std::uint32_t x, Meet&& meet) {
    const std::span<const Content> before = rows_.row(from.row);
    Mask mask = from.mask | window_.bit(y);
    ++window_.steps;
    Mask loose = not_needed(from.loose, window_.slot(y));
    for (Mask rest = loose; rest.any(); rest.drop_first()) {
      if (hiding_[rest.first()].has(window_.slot(y))) return;
    }
    loose |= window_.bit(y) & pending_;
    if (spoils(before, mask, y)) return;
    scratch_.assign(before.begin(), before.end());
    const std::uint64_t hash = apply(y, rows_.hash(from.row));
    taken_.assign({y});
    for (Mask rest = looks_ & ~mask; rest.any(); rest.drop_first()) {
      const std::uint32_t look = window_.holder(rest.first());
      if (all().impossible[look] || !changes_nothing(scratch_, look)) continue;
      mask |= window_.bit(look);
      loose = not_needed(loose, rest.first());
      taken_.push_back(look);
    }
    // Those that can still be done in this block.
    const Mask undone = mask.has(window_.slot(x)) ? Mask() : window_.used() & ~mask;
    for (Mask rest = loose; rest.any(); rest.drop_first()) {
      if ((needing_[rest.first()] & undone).none()) return;
    }
    const auto met = meet(Configuration{.mask = mask, .loose = loose, .row = rows_.id_of(scratch_, hash)});
    if (met.fresh) met.entry->tail = window_.extended(from.tail, std::span<const std::uint32_t>(taken_));
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<const KnownContents> known_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  algo::InternedRows<Content> rows_;          // what all keys hold
  std::vector<std::vector<OpenTouch>> open_;  // by key
  // Of what is open: that changes nothing; that may have taken effect before the window; that is pending.
  Mask looks_, free_, pending_;
  BySlot needing_, hiding_;  // of what is pending: who may need it to be done before, and who overwrites it
  std::vector<Content> scratch_;
  std::vector<std::uint32_t> taken_;
};

/// Leaves out a configuration where another one leads to it by one transaction that is still legal there.
template <class OfSlots>
bool KeyContents<OfSlots>::prune(std::uint32_t x, std::vector<Configuration>& passed) {
  if (passed.size() < 2) return true;
  if (pending_.any()) {
    algo::drop_spendthrifts(passed, pending_, ~(looks_ | pending_), SIZE_MAX, window_.steps,
                            [this](const Configuration& a, const Configuration& b) { return can_have_looks_of(b, a); });
  }
  const auto acts = [&](const Configuration& each) { return each.mask & ~looks_; };
  std::sort(passed.begin(), passed.end(),
            [&](const Configuration& a, const Configuration& b) { return acts(a) < acts(b); });
  window_.steps += passed.size();
  std::vector<bool> needless(passed.size(), false);
  for (std::size_t index = 0; index < passed.size(); ++index) {
    const Configuration& b = passed[index];
    const std::span<const Content> row = rows_.row(b.row);
    // Whether one of those that did `wanted` has b's row by `leads`, and can have had the looks that b had.
    const auto replaced = [&](const Mask& wanted, const auto& leads) {
      auto at = std::lower_bound(passed.begin(), passed.end(), wanted,
                                 [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
      for (; at != passed.end() && acts(*at) == wanted; ++at) {
        ++window_.steps;
        const auto other = static_cast<std::size_t>(at - passed.begin());
        if (other == index || needless[other] || !leads(*at)) continue;
        if (can_have_looks_of(b, *at)) return true;
      }
      return false;
    };
    needless[index] = replaced(acts(b), [&](const Configuration& a) { return a.row == b.row; });
    for (Mask rest = acts(b) & ~window_.bit(x); rest.any() && !needless[index]; rest.drop_first()) {
      const std::uint32_t y = window_.holder(rest.first());
      needless[index] = replaced(acts(b) & ~Mask::of(rest.first()), [&](const Configuration& a) {
        const std::span<const Content> before = rows_.row(a.row);
        if (!legal(before, y)) return false;
        scratch_.assign(before.begin(), before.end());
        return apply(y, rows_.hash(a.row)) == rows_.hash(b.row) && std::equal(row.begin(), row.end(), scratch_.begin());
      });
    }
  }
  std::size_t kept = 0;
  for (std::size_t index = 0; index < passed.size(); ++index) {
    if (!needless[index]) passed[kept++] = passed[index];
  }
  passed.resize(kept);
  return true;
}

}  // namespace

core::Applicability values_applicable(const Subhistory& part) {
  if (part.specification->get_if<MultiRegister>() == nullptr) return core::not_of_this_type("not a multi-register");
  auto all = std::make_shared<ContentTouches>(read_contents(part));
  const std::uint32_t open = history::most_open(part.events(), [&](std::uint32_t x) { return !all->idle[x]; });
  if (open > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
  return {.applies = true,
          .why = "values repeat: few configurations, in which what has to be read still can be",
          .reading = std::move(all)};
}

std::unique_ptr<core::SearchTask> start_values(const Subhistory& part, const core::DeciderOptions& options) {
  return start_few_values(part, options, kFewContents);
}

std::unique_ptr<core::SearchTask> start_few_values(const Subhistory& part, const core::DeciderOptions& options,
                                                   std::size_t width) {
  const auto all = core::reading_of<ContentTouches>(part, options, values_applicable);
  const algo::FixedSlots slots = algo::fixed_slots(part, [&](std::uint32_t x) { return !all->idle[x]; });
  const auto known = std::make_shared<const KnownContents>(part, *all);
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<KeyContents<Mask>>>(slots, part, options.witness, part, known);
    search->narrow(width);
    return search;
  });
}

}  // namespace linchpin::types::multi_register

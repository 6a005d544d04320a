// Decides list-append transactions whose elements repeat.
//
// Lists only grow. So the longest list that was read of a key begins with every other, and says what stands at each
// place; a read says how long the list was. What a list is like then follows from its length, and its length from which
// transactions took effect: a configuration is a set of open transactions, nothing else. One is legal where the lists
// are as long as it read, and where what it appends stands at the places behind. Lengths never go down: a configuration
// in which a list is longer than a transaction read that is still to come is dropped.
//
// Nothing is done before a response needs it, and what only reads as soon as it is legal. If x is legal, and no other
// open transaction touches the keys that x appends to, x alone is done: whatever else is done before it in this block
// can be done after it as well. Of equal transactions the one that returns first goes first.
//
// A domain of algo::Frontier that keeps few configurations and refutes by windows. Where one forgets what came before
// (algo/frontier/windows.hpp), transactions that are open may have been executed earlier: they are legal anywhere, and
// take effect by their response. Those that returned before have.
//
// First of all, reads of one key of which neither begins the other are refuted, transactions whose result does not
// complete them, and reads that are too short or too long for what others did (lengths_conflicts.cpp).
// Precondition: no pending transaction says what it would read; at most 1,024 open at once. Cost: exponential at worst.
// Source: own. Compare: monitor.cpp (no element twice; nearly linear), decide/search. Tests:
// list_append_lengths_test.cpp.
#include "types/list_append/lengths.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "base/none.hpp"
#include "types/list_append/lengths_conflicts.hpp"
#include "types/list_append/lengths_core.hpp"
#include "types/list_append/lengths_reading.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::types::list_append {

namespace {

using history::Rank;
using history::Subhistory;

constexpr std::size_t kFewConfigurations = 16;

/// How often something was told by then: cumulative numbers by rank.
struct Course {
  std::vector<Rank> rank;
  std::vector<std::uint32_t> value;
};

/// What is known beforehand.
class Known {
 public:
  Known(const Subhistory& part, Transactions transactions) : all_(std::move(transactions)) {
    returned_.resize(all_.longest.size());
    most_.resize(all_.longest.size());
    for (const history::Event event : part.events()) {
      const Local x = event.operation();
      if (!event.is_response()) continue;
      for (const Touch& touch : all_.of(x)) {
        if (touch.adds == 0) continue;
        Course& course = returned_[touch.key];
        course.value.push_back((course.value.empty() ? 0 : course.value.back()) + touch.adds);
        course.rank.push_back(part.response[x]);
      }
    }
    for (Local x = part.size(); x-- > 0;) {
      if (part.pending(x)) continue;
      for (const Touch& touch : all_.of(x)) {
        if (touch.need == kUntold) continue;
        Course& course = most_[touch.key];
        course.value.push_back(course.value.empty() ? touch.need : std::min(course.value.back(), touch.need));
        course.rank.push_back(part.call[x]);
      }
    }
  }

  [[nodiscard]] const Transactions& all() const { return all_; }
  /// What all that returned before the event of that rank appended to the key.
  [[nodiscard]] std::uint32_t appended(std::uint32_t key, Rank rank) const {
    const Course& course = returned_[key];
    const auto at = std::lower_bound(course.rank.begin(), course.rank.end(), rank) - course.rank.begin();
    return at == 0 ? 0 : course.value[static_cast<std::size_t>(at - 1)];
  }
  /// The shortest list that a transaction read of the key which is called from that rank on; kUntold: none did.
  [[nodiscard]] std::uint32_t most_later(std::uint32_t key, Rank rank) const {
    const Course& course = most_[key];  // by falling ranks
    const auto at =
        std::partition_point(course.rank.begin(), course.rank.end(), [&](Rank each) { return each >= rank; }) -
        course.rank.begin();
    return at == 0 ? kUntold : course.value[static_cast<std::size_t>(at - 1)];
  }
  /// Whether what the transaction appends to the key stands behind a list of that length.
  [[nodiscard]] bool stands_at(const Touch& touch, std::uint32_t length) const {
    const std::vector<Value>& longest = all_.longest[touch.key];
    for (std::uint32_t at = 0; at < touch.adds && length + at < longest.size(); ++at) {
      if (longest[length + at] != all_.values[touch.first + at]) return false;
    }
    return true;
  }

 private:
  Transactions all_;
  std::vector<Course> returned_;  // by key: what was appended, by the rank of the response
  std::vector<Course> most_;      // by key: the least length that was read, by the rank of the call, falling
};

template <class OfSlots>
class Lengths {
 public:
  using Mask = OfSlots;
  using Link = Local;
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;                   // of what is open
    std::uint32_t tail = kNone;  // what was done last
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::nearest;
  static constexpr bool kSkipsIdle = true;
  static constexpr bool kLooksAhead = true;

  Lengths(Window& window, const Subhistory& part, std::shared_ptr<const Known> known)
      : window_(window),
        part_(part),
        known_(std::move(known)),
        turn_(algo::turns(part, [this](Local x) { return !skipped(x); })),
        promise_(turn_) {}
  Lengths(Window& window, const Lengths& alike) : Lengths(window, alike.part_, alike.known_) {}
  Lengths(const Lengths&) = delete;
  Lengths& operator=(const Lengths&) = delete;

  [[nodiscard]] static Configuration start() { return {}; }
  /// What is open may have taken effect before: it is legal anywhere.
  [[nodiscard]] Configuration anywhere() {
    free_ = window_.used();
    return {};
  }
  [[nodiscard]] bool skipped(Local x) const { return all().idle[x]; }
  [[nodiscard]] static bool impossible(Local) { return false; }
  [[nodiscard]] bool alike(Local a, Local b) const {
    return all().alike[a] == all().alike[b] && is_free(a) == is_free(b);
  }
  [[nodiscard]] static std::uint64_t hash(const Configuration& each) { return each.mask.hash(); }
  [[nodiscard]] static bool same(const Configuration& a, const Configuration& b) { return a.mask == b.mask; }

  void clear() { free_ = looks_ = {}; }
  void open(Local x) {
    if (looks(x)) looks_ |= window_.bit(x);
  }
  void close(Local x) {
    looks_ &= ~window_.bit(x);
    free_ &= ~window_.bit(x);
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!looks(x)) return;
    prepare();
    for (Configuration& each : current) {
      measure(each.mask);
      if (legal(each.mask, x)) each = {each.mask | window_.bit(x), window_.extended(each.tail, x)};
    }
  }

  template <class Meet>
  void begin(Local /*x*/, const std::vector<Configuration>& /*current*/, Meet&& /*meet*/) {
    prepare();
  }
  template <class Meet>
  void finish(const Configuration& from, Local x, Meet&& meet) {
    measure(from.mask);
    window_.steps += keys_.size();
    if (legal(from.mask, x)) visit(from, x, meet);
  }
  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    measure(from.mask);
    window_.steps += keys_.size();
    const Mask undone = window_.used() & ~from.mask;
    if (legal(from.mask, x) && uncontested(undone, x)) return;
    before_ = lengths_;
    for (Mask rest = undone & ~window_.bit(x); rest.any(); rest.drop_first()) {
      const Local y = window_.holder(rest.first());
      if (!window_.ready(rest.first(), undone)) continue;
      ++window_.steps;
      if (!legal(from.mask, y)) continue;
      visit(from, y, meet);
      lengths_ = before_;
    }
  }

  bool prune(Local x, std::vector<Configuration>& passed);

  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    prepare();
    promise_.weigh(window_, attempts, passed, [this](Local y) { return looks(y); });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    measure(each.mask);
    return promise_.cost(each.mask, [&](Local y, std::int64_t cost) { return legal(each.mask, y) ? 0 : cost; });
  }

 private:
  struct Key {
    std::uint32_t key = 0;
    std::uint32_t base = 0;                                             // its length by all that returned
    std::uint32_t most_later = 0;                                       // that may still be read
    Mask touch;                                                         // open transactions that touch it
    std::vector<std::pair<algo::Slot, std::uint32_t>> adding, needing;  // and how many, or which length
  };

  [[nodiscard]] const Transactions& all() const { return known_->all(); }
  [[nodiscard]] std::span<const Touch> touches(Local x) const { return all().of(x); }
  [[nodiscard]] bool looks(Local x) const { return !all().adds[x]; }
  [[nodiscard]] bool is_free(Local x) const { return free_.has(window_.slot(x)); }

  /// Reads what is open now.
  void prepare() {
    keys_.clear();
    for (Mask rest = window_.used(); rest.any(); rest.drop_first()) {
      const algo::Slot slot = rest.first();
      const Local y = window_.holder(slot);
      for (const Touch& touch : touches(y)) {
        Key& key = key_of(touch.key);
        key.touch |= Mask::of(slot);
        if (touch.adds > 0) key.adding.emplace_back(slot, touch.adds);
        if (touch.need != kUntold && !part_.pending(y)) key.needing.emplace_back(slot, touch.need);
      }
    }
  }
  Key& key_of(std::uint32_t number) {
    for (Key& each : keys_) {
      if (each.key == number) return each;
    }
    keys_.push_back({.key = number,
                     .base = known_->appended(number, window_.moment),
                     .most_later = known_->most_later(number, window_.moment),
                     .touch = {},
                     .adding = {},
                     .needing = {}});
    return keys_.back();
  }
  [[nodiscard]] std::size_t place_of(std::uint32_t number) const {
    std::size_t at = 0;
    while (keys_[at].key != number) ++at;
    return at;
  }

  /// How long the lists are.
  void measure(const Mask& done) {
    lengths_.clear();
    for (const Key& key : keys_) {
      std::uint32_t length = key.base;
      for (const auto& [slot, adds] : key.adding) length += done.has(slot) ? adds : 0;
      lengths_.push_back(length);
    }
  }

  /// Whether it can take effect now, and nothing that is still to come has read less. @pre measured
  [[nodiscard]] bool legal(const Mask& done, Local y) const {
    for (const Touch& touch : touches(y)) {
      const std::size_t at = place_of(touch.key);
      const Key& key = keys_[at];
      const std::uint32_t length = lengths_[at], after = length + touch.adds;
      if (!is_free(y) && touch.need != kUntold && touch.need != length) return false;
      if (touch.adds == 0) continue;
      if (!is_free(y) && !known_->stands_at(touch, length)) return false;
      if (after > key.most_later) return false;
      for (const auto& [slot, need] : key.needing) {
        if (need < after && !done.has(slot) && !free_.has(slot) && slot != window_.slot(y)) return false;
      }
    }
    return true;
  }

  /// Whether no other open transaction touches the keys that x appends to.
  [[nodiscard]] bool uncontested(const Mask& undone, Local x) const {
    const Mask others = undone & ~window_.bit(x);
    for (const Touch& touch : touches(x)) {
      if (touch.adds > 0 && (keys_[place_of(touch.key)].touch & others).any()) return false;
    }
    return true;
  }

  /// Does y, and then what only reads and is legal. @pre measured
  template <class Meet>
  void visit(const Configuration& from, Local y, Meet&& meet) {
    Mask mask = from.mask | window_.bit(y);
    for (const Touch& touch : touches(y)) lengths_[place_of(touch.key)] += touch.adds;
    taken_.assign({y});
    for (Mask rest = looks_ & ~mask; rest.any(); rest.drop_first()) {
      const Local look = window_.holder(rest.first());
      if (!legal(mask, look)) continue;
      mask |= window_.bit(look);
      taken_.push_back(look);
    }
    ++window_.steps;
    const auto met = meet(Configuration{.mask = mask});
    if (met.fresh) met.entry->tail = window_.extended(from.tail, std::span<const Local>(taken_));
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<const Known> known_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  Mask looks_, free_;      // of what is open: that only read; that may have taken effect before the window
  std::vector<Key> keys_;  // that open transactions touch
  std::vector<std::uint32_t> lengths_, before_;  // by place in keys_
  std::vector<Local> taken_;
};

/// Leaves out a configuration where another one leads to it by one transaction that is still legal there.
template <class OfSlots>
bool Lengths<OfSlots>::prune(Local x, std::vector<Configuration>& passed) {
  if (passed.size() < 2) return true;
  const auto acts = [&](const Configuration& each) { return each.mask & ~looks_; };
  std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
    const Mask acts_a = acts(a), acts_b = acts(b);
    return acts_a != acts_b ? acts_a < acts_b : a.mask > b.mask;
  });
  window_.steps += passed.size();
  std::vector<bool> needless(passed.size(), false);
  for (std::size_t index = 0; index < passed.size(); ++index) {
    const Configuration& b = passed[index];
    // Looks that were had are had by whoever replaces it, so only those of the same looks, or more, are compared.
    const auto replaced = [&](const Mask& wanted, const auto& leads) {
      auto at = std::lower_bound(passed.begin(), passed.end(), wanted,
                                 [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
      for (; at != passed.end() && acts(*at) == wanted; ++at) {
        ++window_.steps;
        const auto other = static_cast<std::size_t>(at - passed.begin());
        if (other == index || needless[other]) continue;
        if ((b.mask & looks_ & ~at->mask).none() && leads(*at)) return true;
      }
      return false;
    };
    needless[index] = replaced(acts(b), [](const Configuration&) { return true; });
    for (Mask rest = acts(b) & ~window_.bit(x); rest.any() && !needless[index]; rest.drop_first()) {
      const Local y = window_.holder(rest.first());
      needless[index] = replaced(acts(b) & ~Mask::of(rest.first()), [&](const Configuration& a) {
        measure(a.mask);
        return legal(a.mask, y);
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

core::Applicability lengths_applicable(const Subhistory& part) {
  if (part.specification->get_if<ListAppend>() == nullptr) return core::not_of_this_type("not list-append");
  auto all = std::make_shared<Transactions>(read_lengths(part));
  if (std::string why = why_not_searched(part, *all); !why.empty()) return {.applies = false, .why = std::move(why)};
  return {.applies = true, .why = "lists only grow, and reads say how long they were", .reading = std::move(all)};
}

std::unique_ptr<core::SearchTask> start_lengths(const Subhistory& part, const core::DeciderOptions& options) {
  const auto read_before = core::reading_of<Transactions>(part, options, lengths_applicable);
  LINCHPIN_ASSERT(read_before != nullptr);
  Transactions all = *read_before;
  find_length_conflict(part, all);
  if (!all.impossible.empty()) return std::make_unique<core::Decided>(impossible(all));
  auto search = start_search(part, std::move(all), options);
  return options.witness ? with_core(part, std::move(search)) : std::move(search);
}

std::unique_ptr<core::SearchTask> start_search(const Subhistory& part, Transactions all,
                                               const core::DeciderOptions& options) {
  const algo::FixedSlots slots = algo::fixed_slots(part, [&](Local x) { return !all.idle[x]; });
  const auto known = std::make_shared<const Known>(part, std::move(all));
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<Lengths<Mask>>>(slots, part, options.witness, part, known);
    search->narrow(kFewConfigurations);
    return search;
  });
}

}  // namespace linchpin::types::list_append

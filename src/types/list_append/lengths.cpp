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
// Where the search forgets what came before (types/narrow_search.hpp), transactions that are open may have been
// executed earlier: they are legal anywhere, and take effect by their response. Those that returned before have.
//
// First of all, reads of one key of which neither begins the other are refuted, transactions whose result does not
// complete them, and reads that are too short or too long for what others did (lengths_conflicts.cpp).
// Precondition: no pending transaction says what it would read; at most 1,024 open at once. Cost: exponential at worst.
// Source: own. Compare: monitor.cpp (no element twice; nearly linear), decide/search. Tests:
// list_append_lengths_test.cpp.
#include "types/list_append/lengths.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/slots.hpp"
#include "types/list_append/lengths_conflicts.hpp"
#include "types/list_append/lengths_core.hpp"
#include "types/list_append/lengths_reading.hpp"
#include "types/list_append/specification.hpp"
#include "types/narrow_search.hpp"

namespace linchpin::types::list_append {

namespace {

using history::Subhistory;

/// How often something was told by then: cumulative numbers by rank.
struct Course {
  std::vector<std::uint32_t> rank, value;
};

template <class MaskOf>
class Problem {
 public:
  using Mask = MaskOf;
  static constexpr bool kLooksAhead = true;
  struct Configuration {
    Mask done;     // of what is open
    Mask excused;  // always empty: what took effect before a window has to have done so by its response
    Mask free;     // may have taken effect before the window: legal anywhere
    bool operator==(const Configuration&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Configuration& configuration) {
      return H::combine(std::move(hash), configuration.done, configuration.free);
    }
  };
  class Window;

  Problem(const Subhistory& part, Transactions transactions) : part_(&part), all_(std::move(transactions)) {
    slots_ = algo::fixed_slots(part, [&](Local x) { return counts(x); });
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

  [[nodiscard]] bool counts(Local x) const { return !all_.idle[x]; }
  [[nodiscard]] std::uint32_t slot(Local x) const { return slots_.slot[x]; }
  [[nodiscard]] bool looks(Local x) const { return !all_.adds[x]; }
  [[nodiscard]] std::span<const Touch> touches(Local x) const { return all_.of(x); }
  [[nodiscard]] std::uint32_t deadline(Local x) const { return part_->response[x]; }
  [[nodiscard]] bool pending(Local x) const { return part_->pending(x); }
  [[nodiscard]] std::uint32_t alike(Local x) const { return all_.alike[x]; }
  [[nodiscard]] Configuration start() const { return {}; }
  [[nodiscard]] Configuration anywhere() const { return {}; }
  void forgive(Configuration& configuration, Local x) const { configuration.free |= Mask::of(slot(x)); }

  /// What all that returned before the event of that rank appended to the key.
  [[nodiscard]] std::uint32_t appended(std::uint32_t key, std::uint32_t rank) const {
    const Course& course = returned_[key];
    const auto at = std::lower_bound(course.rank.begin(), course.rank.end(), rank) - course.rank.begin();
    return at == 0 ? 0 : course.value[static_cast<std::size_t>(at - 1)];
  }
  /// The shortest list that a transaction read of the key which is called from that rank on; kUntold: none did.
  [[nodiscard]] std::uint32_t most_later(std::uint32_t key, std::uint32_t rank) const {
    const Course& course = most_[key];  // by falling ranks
    const auto at =
        std::partition_point(course.rank.begin(), course.rank.end(), [&](std::uint32_t each) { return each >= rank; }) -
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

  [[nodiscard]] std::vector<Local> witness(const std::vector<Local>& done) const {
    std::vector<Local> order, idle;
    for (Local x = 0; x < part_->size(); ++x) {
      if (!counts(x) && !part_->pending(x)) idle.push_back(x);
    }
    std::sort(idle.begin(), idle.end(), [&](Local a, Local b) { return part_->response[a] < part_->response[b]; });
    std::size_t next = 0;
    for (const Local x : done) {
      while (next < idle.size() && part_->response[idle[next]] < part_->call[x]) order.push_back(idle[next++]);
      order.push_back(x);
    }
    order.insert(order.end(), idle.begin() + static_cast<std::ptrdiff_t>(next), idle.end());
    return order;
  }

 private:
  const Subhistory* part_;
  Transactions all_;
  algo::FixedSlots slots_;
  std::vector<Course> returned_;  // by key: what was appended, by the rank of the response
  std::vector<Course> most_;      // by key: the least length that was read, by the rank of the call, falling
};

template <class MaskOf>
class Problem<MaskOf>::Window {
 public:
  explicit Window(const Problem& problem) : problem_(problem) {}

  void prepare(std::span<const Local> open, Local /*x*/, std::uint32_t rank) {
    open_.assign(open.begin(), open.end());
    std::sort(open_.begin(), open_.end(), [&](Local a, Local b) {
      return std::tuple(problem_.alike(a), problem_.deadline(a), a) <
             std::tuple(problem_.alike(b), problem_.deadline(b), b);
    });
    keys_.clear();
    for (const Local y : open_) {
      for (const Touch& touch : problem_.touches(y)) {
        Key& key = key_of(touch.key, rank);
        const Mask own = Mask::of(problem_.slot(y));
        key.touch |= own;
        if (touch.adds > 0) key.adding.emplace_back(problem_.slot(y), touch.adds);
        if (touch.need != kUntold && !problem_.pending(y)) key.needing.emplace_back(problem_.slot(y), touch.need);
      }
    }
  }

  bool called(Configuration& configuration, Local x) {
    measure(configuration);
    if (!legal(configuration, x)) return false;
    configuration.done |= Mask::of(problem_.slot(x));
    return true;
  }

  [[nodiscard]] bool ready(const Configuration& configuration, Local y) {
    measure(configuration);
    return legal(configuration, y);
  }

  template <class Emit>
  std::uint64_t expand(const Configuration& from, Local x, bool last, Emit&& emit) {
    work_ = 0;
    measure(from);
    before_ = lengths_;
    const bool is_legal = legal(from, x);
    if (last && is_legal) visit(from, x, emit);
    if (last || (is_legal && uncontested(from, x))) return work_;
    for (std::size_t at = 0; at < open_.size(); ++at) {
      const Local y = open_[at];
      if (y == x || !undone(from, y) || has_earlier_equal(at, from)) continue;
      ++work_;
      lengths_ = before_;
      if (legal(from, y)) visit(from, y, emit);
    }
    return work_;
  }

  template <class Entries>
  std::uint64_t prune(Entries& entries);

  void forget(Configuration& configuration, Local x) const {
    const Mask own = Mask::of(problem_.slot(x));
    configuration.done &= ~own;
    configuration.free &= ~own;
  }

  [[nodiscard]] std::int64_t burden(const Configuration& /*configuration*/) const { return 0; }
  [[nodiscard]] bool lives(const Configuration& /*configuration*/, Local /*x*/) const { return true; }
  [[nodiscard]] std::size_t growth() const { return 0; }

 private:
  struct Key {
    std::uint32_t key = 0;
    std::uint32_t base = 0;                                                // its length by all that returned
    std::uint32_t most_later = 0;                                          // that may still be read
    Mask touch;                                                            // open transactions that touch it
    std::vector<std::pair<std::uint32_t, std::uint32_t>> adding, needing;  // slot; how many, or which length
  };

  Key& key_of(std::uint32_t number, std::uint32_t rank) {
    for (Key& each : keys_) {
      if (each.key == number) return each;
    }
    keys_.push_back({.key = number,
                     .base = problem_.appended(number, rank),
                     .most_later = problem_.most_later(number, rank),
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
  [[nodiscard]] bool undone(const Configuration& configuration, Local y) const {
    return !configuration.done.has(problem_.slot(y));
  }

  /// How long the lists are.
  void measure(const Configuration& configuration) {
    lengths_.clear();
    for (const Key& key : keys_) {
      std::uint32_t length = key.base;
      for (const auto& [slot, adds] : key.adding) length += configuration.done.has(slot) ? adds : 0;
      lengths_.push_back(length);
    }
    work_ += keys_.size();
  }

  /// Whether it can take effect now, and nothing that is still to come has read less. @pre measured
  [[nodiscard]] bool legal(const Configuration& configuration, Local y) const {
    const Mask own = Mask::of(problem_.slot(y));
    const bool is_free = configuration.free.has(problem_.slot(y));
    for (const Touch& touch : problem_.touches(y)) {
      const std::size_t at = place_of(touch.key);
      const Key& key = keys_[at];
      const std::uint32_t length = lengths_[at], after = length + touch.adds;
      if (!is_free && touch.need != kUntold && touch.need != length) return false;
      if (touch.adds == 0) continue;
      if (!is_free && !problem_.stands_at(touch, length)) return false;
      if (after > key.most_later) return false;
      for (const auto& [slot, need] : key.needing) {
        if (need < after && !configuration.done.has(slot) && !configuration.free.has(slot) && !own.has(slot))
          return false;
      }
    }
    return true;
  }

  /// Whether no other open transaction touches the keys that x appends to.
  [[nodiscard]] bool uncontested(const Configuration& configuration, Local x) const {
    const Mask others = ~configuration.done & ~Mask::of(problem_.slot(x));
    for (const Touch& touch : problem_.touches(x)) {
      if (touch.adds > 0 && (keys_[place_of(touch.key)].touch & others).any()) return false;
    }
    return true;
  }

  [[nodiscard]] bool has_earlier_equal(std::size_t at, const Configuration& configuration) const {
    const bool is_free = configuration.free.has(problem_.slot(open_[at]));
    for (std::size_t other = at; other-- > 0 && problem_.alike(open_[other]) == problem_.alike(open_[at]);) {
      if (undone(configuration, open_[other]) && configuration.free.has(problem_.slot(open_[other])) == is_free)
        return true;
    }
    return false;
  }

  /// Does y, and then what only reads and is legal.
  template <class Emit>
  void visit(const Configuration& from, Local y, Emit&& emit) {
    Configuration to = from;
    to.done |= Mask::of(problem_.slot(y));
    lengths_ = before_;
    for (const Touch& touch : problem_.touches(y)) lengths_[place_of(touch.key)] += touch.adds;
    taken_.assign({y});
    for (const Local look : open_) {
      if (!problem_.looks(look) || !undone(to, look) || !legal(to, look)) continue;
      to.done |= Mask::of(problem_.slot(look));
      taken_.push_back(look);
    }
    emit(to, std::span<const Local>(taken_));
  }

  const Problem& problem_;
  std::vector<Local> open_;  // equals together, those that return first before the others
  std::vector<Key> keys_;    // that open transactions touch
  std::vector<std::uint32_t> lengths_, before_;
  std::vector<Local> taken_;
  std::uint64_t work_ = 0;
};

/// Leaves out an entry where another one leads to it by one transaction that is still legal there.
template <class MaskOf>
template <class Entries>
std::uint64_t Problem<MaskOf>::Window::prune(Entries& entries) {
  Mask looks;
  for (const Local y : open_) {
    if (problem_.looks(y)) looks |= Mask::of(problem_.slot(y));
  }
  const auto acts = [&](const auto& entry) { return entry.configuration.done & ~looks; };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    const Mask acts_a = acts(a), acts_b = acts(b);
    return acts_a != acts_b ? acts_a < acts_b : a.configuration.done > b.configuration.done;
  });
  std::uint64_t work = entries.size();
  std::vector<bool> needless(entries.size(), false);
  for (std::size_t index = 0; index < entries.size(); ++index) {
    const Configuration& b = entries[index].configuration;
    // Looks that were had are had by whoever replaces it, so only those of the same looks, or more, are compared.
    const auto replaced = [&](const Mask& wanted, const auto& leads) {
      auto at = std::lower_bound(entries.begin(), entries.end(), wanted,
                                 [&](const auto& entry, const Mask& value) { return acts(entry) < value; });
      for (; at != entries.end() && acts(*at) == wanted; ++at) {
        ++work;
        const std::size_t other = static_cast<std::size_t>(at - entries.begin());
        if (other == index || needless[other]) continue;
        if ((b.done & looks & ~at->configuration.done).none() && leads(at->configuration)) return true;
      }
      return false;
    };
    needless[index] = replaced(acts(entries[index]), [](const Configuration&) { return true; });
    for (std::size_t at = 0; at < open_.size() && !needless[index]; ++at) {
      const Local y = open_[at];
      if (problem_.looks(y) || !b.done.has(problem_.slot(y))) continue;
      needless[index] = replaced(acts(entries[index]) & ~Mask::of(problem_.slot(y)), [&](const Configuration& a) {
        measure(a);
        return legal(a, y);
      });
    }
  }
  std::size_t kept = 0;
  for (std::size_t index = 0; index < entries.size(); ++index) {
    if (!needless[index]) entries[kept++] = entries[index];
  }
  entries.resize(kept);
  return work;
}

/// A violation that was found without a search.
core::Outcome impossible(const Transactions& all) {
  core::Outcome outcome{.verdict = Verdict::violation};
  outcome.core = all.impossible;
  outcome.blocked = all.blocked;
  outcome.sentence = all.sentence;
  return outcome;
}

}  // namespace

core::Applicability lengths_applicable(const Subhistory& part) {
  if (part.specification->get_if<ListAppend>() == nullptr) return core::not_of_this_type("not list-append");
  auto all = std::make_shared<Transactions>(read_lengths(part));
  if (!all->obstacle.empty()) return {.applies = false, .why = all->obstacle};
  const std::uint32_t open = history::most_open(part.events(), [&](Local x) { return !all->idle[x]; });
  if (open > algo::kMostOpen) return {.applies = false, .why = algo::kTooManyOpen};
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
  const std::uint32_t open = history::most_open(part.events(), [&](Local x) { return !all.idle[x]; });
  return algo::with_slots(open, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<NarrowSearch<Problem<Mask>>>(part, Problem<Mask>(part, std::move(all)), options);
  });
}

}  // namespace linchpin::types::list_append

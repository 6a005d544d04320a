#include "types/queue/foreseen_contents.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "linchpin/hash.hpp"
#include "types/queue/counted_refutation.hpp"
#include "types/queue/leaving_order.hpp"

namespace linchpin::types::queue {

namespace {

using Local = std::uint32_t;
using history::Subhistory;

/// Sequences of values, as nodes of a tree: one for each, below the one without its last value.
template <class Mask>
class Sequences {
 public:
  using Id = std::uint32_t;
  using Place = typename LeavingOrder<Mask>::Place;
  static constexpr Id kEmpty = 0;
  static constexpr Id kNever = 0xffffffffU;

  explicit Sequences(const LeavingOrder<Mask>& leaving) : leaving_(leaving), nodes_(1) {}

  /// kNever: the values cannot leave in this order.
  Id append(Id sequence, std::uint32_t value, history::Rank now) {
    const auto [at, fresh] = children_.try_emplace(key(sequence, value), kNever);
    if (!fresh) return at->second;
    Node node{.value = value, .since = now, .before = sequence, .place = nodes_[sequence].place};
    if (!leaving_.advance(node.place, nodes_[sequence].length, value)) return kNever;
    const Node& before = nodes_[sequence];
    // Ways back of lengths that double, as digits of a number whose digits may be two: one walk is O(log length).
    const Node& back = nodes_[before.jump];
    const bool joins = sequence != kEmpty && before.length - back.length == back.length - nodes_[back.jump].length;
    node.jump = joins ? back.jump : sequence;
    node.length = before.length + 1;
    node.hash = times_base(before.hash) + mix(value, kSeed);
    nodes_.push_back(node);
    return at->second = static_cast<Id>(nodes_.size() - 1);
  }
  [[nodiscard]] std::uint32_t length(Id sequence) const { return nodes_[sequence].length; }
  /// @pre at < its length
  [[nodiscard]] std::uint32_t value(Id sequence, std::uint32_t at) const {
    return nodes_[beginning(sequence, at + 1)].value;
  }
  /// When the value there was appended first.
  [[nodiscard]] history::Rank since(Id sequence, std::uint32_t at) const {
    return nodes_[beginning(sequence, at + 1)].since;
  }
  [[nodiscard]] const Place& place(Id sequence) const { return nodes_[sequence].place; }
  /// Equal for sequences that are equal from there on and whose values to come leave alike.
  [[nodiscard]] std::uint64_t key_from(Id sequence, std::uint32_t from) {
    const Node& node = nodes_[sequence];
    const std::uint64_t before = nodes_[beginning(sequence, from)].hash;
    return mix(mix(node.hash - before * power(node.length - from), node.place.turn), node.place.ahead.hash());
  }

  [[nodiscard]] bool has_many() const { return nodes_.size() > 2 * kept_ + kMany; }
  /// Forgets all but these and their beginnings, and renames them.
  void retain(const std::vector<Id*>& kept) {
    std::vector<Id> renamed(nodes_.size(), kNever);
    renamed[kEmpty] = kEmpty;
    for (const Id* const each : kept) {
      for (Id at = *each; renamed[at] == kNever; at = nodes_[at].before) renamed[at] = kEmpty;
    }
    Id next = 0;
    for (Id at = 0; at < nodes_.size(); ++at) {
      if (renamed[at] == kNever) continue;
      Node node = nodes_[at];
      node.before = renamed[node.before];
      node.jump = renamed[node.jump];
      nodes_[next] = node;
      renamed[at] = next++;
    }
    nodes_.resize(next);
    children_.clear();
    for (Id at = 1; at < next; ++at) children_.emplace(key(nodes_[at].before, nodes_[at].value), at);
    for (Id* const each : kept) *each = renamed[*each];
    kept_ = next;
  }
  [[nodiscard]] std::size_t growth() const {
    constexpr std::size_t kAhead = 8192;
    const bool grows = nodes_.size() + kAhead > nodes_.capacity();
    return grows ? nodes_.capacity() * 2 * (sizeof(Node) + 3 * sizeof(std::uint64_t)) : 0;
  }

 private:
  struct Node {
    std::uint32_t value = kNone;
    history::Rank since = 0;
    Id before = kEmpty, jump = kEmpty;
    std::uint32_t length = 0;
    std::uint64_t hash = 0;
    Place place = {};
  };
  static constexpr std::size_t kMany = std::size_t{1} << 17;
  static constexpr std::uint64_t kSeed = 0x5851f42d4c957f2dULL;
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15ULL;  // odd: its powers lose nothing

  static std::uint64_t key(Id sequence, std::uint32_t value) { return (std::uint64_t{sequence} << 32) | value; }
  static std::uint64_t times_base(std::uint64_t hash) { return hash * kBase; }
  [[nodiscard]] std::uint64_t power(std::uint32_t exponent) {
    while (powers_.size() <= exponent) powers_.push_back(times_base(powers_.back()));
    return powers_[exponent];
  }
  [[nodiscard]] Id beginning(Id sequence, std::uint32_t length) const {
    while (nodes_[sequence].length > length) {
      const Node& here = nodes_[sequence];
      sequence = nodes_[here.jump].length >= length ? here.jump : here.before;
    }
    return sequence;
  }

  const LeavingOrder<Mask>& leaving_;
  std::vector<Node> nodes_;
  absl::flat_hash_map<std::uint64_t, Id> children_;
  std::vector<std::uint64_t> powers_ = {1};
  std::size_t kept_ = 1;
};

/// A domain of algo::Frontier.
template <class OfSlots>
class ForeseenContents {
 public:
  using Mask = OfSlots;
  using Link = Local;
  using Window = algo::Window<Mask>;
  using Entered = Sequences<Mask>;
  struct Configuration {
    Mask mask;
    typename Entered::Id entered = Entered::kEmpty;
    std::uint32_t left = 0;  // how many values
    std::uint32_t tail = algo::kNoLink;
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  ForeseenContents(Window& window, const Subhistory& part, std::shared_ptr<const CountedHistory> history,
                   CountLimits limits)
      : window_(window),
        part_(part),
        history_(std::move(history)),
        limits_(std::move(limits)),
        leaving_(part, *history_, limits_),
        entered_(leaving_),
        turn_(algo::turns(part, [](Local) { return true; })),
        promise_(turn_) {}
  ForeseenContents(const ForeseenContents&) = delete;
  ForeseenContents& operator=(const ForeseenContents&) = delete;

  [[nodiscard]] Configuration start() const { return {}; }
  [[nodiscard]] bool skipped(Local x) const { return part_.pending(x) && looks(x); }
  [[nodiscard]] bool impossible(Local) const { return false; }
  [[nodiscard]] bool alike(Local a, Local b) const {
    return !looks(b) && act(a) == act(b) && history_->value[a] == history_->value[b];
  }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const { return mix(each.mask.hash(), each.entered); }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.entered == b.entered && a.mask == b.mask;
  }

  void clear() {
    looks_.clear();
    changes_.clear();
    look_bits_ = {};
  }
  void open(Local x) {
    std::vector<Local>& list = looks(x) ? looks_ : changes_;
    const auto after = std::upper_bound(list.begin(), list.end(), x,
                                        [&](Local a, Local b) { return part_.response[a] < part_.response[b]; });
    list.insert(after, x);
    if (looks(x)) look_bits_ |= window_.bit(x);
  }
  void close(Local x) {
    std::erase(looks(x) ? looks_ : changes_, x);
    look_bits_ &= ~window_.bit(x);
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!looks(x)) return;
    for (Configuration& each : current) {
      ++window_.steps;
      if (!legal(each, x)) continue;
      each.mask |= window_.bit(x);
      each.tail = window_.extended(each.tail, x);
    }
  }

  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    const Wanted wanted = wanted_for(from, x);
    const Mask undone = window_.used() & ~from.mask;
    for (const Local y : changes_) {
      const std::uint32_t slot = window_.slot(y);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      if (y != x && !(act(y) == ActKind::add ? wanted.more : wanted.fewer)) continue;
      ++window_.steps;
      Configuration to = from;
      if (!change(to, y)) continue;
      const Mask seen = legal_looks(to);
      to.mask |= seen;
      const auto met = meet(to);
      if (!met.fresh) continue;
      to.tail = window_.extended(from.tail, y);
      for (Mask rest = seen; rest.any(); rest.drop_first()) {
        to.tail = window_.extended(to.tail, window_.holder(rest.first()));
      }
      met.entry->tail = to.tail;
    }
  }

  /// Leaves out what is inside another one in all that matters, and what another one leads to.
  bool prune(Local x, std::vector<Configuration>& passed) {
    if (passed.size() < 2) return true;
    by_key_.clear();
    std::size_t kept = 0;
    for (const Configuration& each : passed) {
      std::vector<std::uint32_t>& alike = by_key_[key_of(each)];
      const auto is_this = [&](std::uint32_t other) { return passed[other].mask == each.mask; };
      if (std::any_of(alike.begin(), alike.end(), is_this)) continue;
      alike.push_back(static_cast<std::uint32_t>(kept));
      passed[kept++] = each;
    }
    passed.resize(kept);
    needless_.assign(kept, false);
    for (const Configuration& each : passed) {
      const Mask undone = window_.used() & ~each.mask;
      for (const Local y : changes_) {
        const std::uint32_t slot = window_.slot(y);
        if (y == x || !undone.has(slot) || !window_.ready(slot, undone)) continue;
        ++window_.steps;
        Configuration to = each;
        if (!change(to, y)) continue;
        to.mask |= legal_looks(to);
        const auto found = by_key_.find(key_of(to));
        if (found == by_key_.end()) continue;
        for (const std::uint32_t at : found->second) {
          if ((passed[at].mask & ~to.mask).none()) needless_[at] = true;
        }
      }
    }
    std::size_t needed = 0;
    for (std::size_t at = 0; at < kept; ++at) {
      if (!needless_[at]) passed[needed++] = passed[at];
    }
    passed.resize(needed);
    return true;
  }

  [[nodiscard]] std::size_t growth() const { return entered_.growth(); }

  /// Which configurations are promising: those that have done little before it was due, and in which what is due soon
  /// is done or legal.
  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    out_of_turn_ = kOutOfTurn[attempts % kOutOfTurn.size()];
    promise_.weigh(window_, attempts, passed, [this](Local y) { return looks(y); });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    return out_of_turn_ * leaving_.out_of_turn(entered_.place(each.entered)) +
           promise_.cost(each.mask, [&](Local y, std::int64_t cost) { return cost * distance(each, y); });
  }

  /// When what is at the front now entered: then the order may have been chosen wrongly.
  [[nodiscard]] history::Rank cause(const std::vector<Configuration>& current) const {
    history::Rank first = window_.moment;
    for (const Configuration& each : current) {
      if (count(each) > 0) first = std::min(first, entered_.since(each.entered, each.left));
    }
    return first;
  }

  template <class EachKept>
  void forget(std::vector<Configuration>& current, EachKept&& each_kept) {
    if (!entered_.has_many()) return;
    std::vector<typename Entered::Id*> kept;
    const auto gather = [&kept](std::vector<Configuration>& configurations) {
      for (Configuration& each : configurations) kept.push_back(&each.entered);
    };
    gather(current);
    each_kept(gather);
    entered_.retain(kept);
  }

 private:
  static constexpr std::int64_t kFarthest = 4;  // a count that is so far away is as bad as any
  static constexpr std::array<std::int64_t, 5> kOutOfTurn{4, 8, 1, 16, 2};  // of dequeues that come before others

  /// What may be done besides the responder: enqueues, dequeues.
  struct Wanted {
    bool more = false, fewer = false;
  };

  [[nodiscard]] ActKind act(Local x) const { return history_->act[x]; }
  [[nodiscard]] bool looks(Local x) const { return act(x) != ActKind::add && act(x) != ActKind::take; }
  [[nodiscard]] std::int64_t count(const Configuration& each) const {
    return std::int64_t{entered_.length(each.entered)} - each.left;
  }
  [[nodiscard]] std::uint64_t key_of(const Configuration& each) {
    return mix((each.mask & ~look_bits_).hash(), entered_.key_from(each.entered, each.left));
  }
  [[nodiscard]] bool is_at_front(const Configuration& each, std::uint32_t value) const {
    return count(each) > 0 && entered_.value(each.entered, each.left) == value;
  }

  /// Of what changes nothing.
  [[nodiscard]] bool legal(const Configuration& each, Local y) const {
    switch (act(y)) {
      case ActKind::look: return is_at_front(each, history_->value[y]);
      case ActKind::count: return history_->range[y].holds(count(each));
      default: return true;
    }
  }
  [[nodiscard]] Mask legal_looks(const Configuration& each) {
    Mask legal_ones;
    for (const Local y : looks_) {
      if (each.mask.has(window_.slot(y))) continue;
      ++window_.steps;
      if (legal(each, y)) legal_ones |= window_.bit(y);
    }
    return legal_ones;
  }
  /// Does what changes the queue; false: it cannot be done.
  [[nodiscard]] bool change(Configuration& each, Local y) {
    if (act(y) == ActKind::add) {
      const auto adds = static_cast<std::int32_t>(entered_.length(each.entered));
      if (count(each) >= history_->capacity || adds >= limits_.most_adds[window_.moment]) return false;
      each.entered = entered_.append(each.entered, history_->value[y], window_.moment);
      if (each.entered == Entered::kNever) return false;
    } else {
      if (count(each) == 0 || static_cast<std::int32_t>(each.left) >= limits_.most_removes[window_.moment])
        return false;
      if (!part_.pending(y) && !is_at_front(each, history_->value[y])) return false;
      ++each.left;
    }
    each.mask |= window_.bit(y);
    return true;
  }

  /// What may be needed before x, or to be seen by what looks.
  [[nodiscard]] Wanted wanted_for(const Configuration& from, Local x) const {
    const std::int64_t now = count(from);
    Wanted wanted;
    switch (act(x)) {
      case ActKind::add:
        wanted.more = true;
        wanted.fewer = now >= history_->capacity;
        break;
      case ActKind::take: wanted = {.more = now == 0, .fewer = true}; break;
      default: break;
    }
    for (const Local y : looks_) {
      if (from.mask.has(window_.slot(y))) continue;
      if (act(y) == ActKind::look) {
        wanted.fewer = true;
        wanted.more = wanted.more || now == 0;
      } else if (act(y) == ActKind::count) {
        (history_->range[y].least > now ? wanted.more : wanted.fewer) = true;
      }
    }
    // Neither way is there room, or enough, for long.
    if (wanted.more && now >= history_->capacity) wanted.fewer = true;
    if (wanted.fewer && now == 0) wanted.more = true;
    return wanted;
  }

  /// How far it is from being possible.
  [[nodiscard]] std::int64_t distance(const Configuration& each, Local y) const {
    const std::int64_t now = count(each);
    switch (act(y)) {
      case ActKind::add: return now < history_->capacity ? 0 : 1;
      case ActKind::take: return part_.pending(y) || is_at_front(each, history_->value[y]) ? 0 : 1;
      case ActKind::look: return 1;
      case ActKind::count: {
        const CountRange& range = history_->range[y];
        return std::min(kFarthest, std::max(range.least - now, now - range.most));
      }
      default: return 0;
    }
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<const CountedHistory> history_;
  const CountLimits limits_;
  const LeavingOrder<Mask> leaving_;
  Entered entered_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  std::vector<Local> looks_, changes_;  // open operations, by response
  Mask look_bits_;
  absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> by_key_;  // numbers of configurations
  std::vector<bool> needless_;
  std::int64_t out_of_turn_ = 0;
};

/// Contents are compared by their hashes: what cannot be passed refutes nothing.
class WitnessOnly final : public core::SearchTask {
 public:
  explicit WitnessOnly(std::unique_ptr<core::SearchTask> search) : search_(std::move(search)) {}
  bool run(std::uint64_t steps, core::Budget& budget) override { return search_->run(steps, budget); }
  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome = search_->outcome();
    return outcome.verdict == Verdict::violation ? core::not_applicable() : outcome;
  }
  [[nodiscard]] std::uint32_t passed() const override { return search_->passed(); }

 private:
  std::unique_ptr<core::SearchTask> search_;
};

constexpr std::size_t kFewConfigurations = 24;

}  // namespace

std::unique_ptr<core::SearchTask> start_foreseen_contents(const Subhistory& part, CountedHistory history,
                                                          const core::DeciderOptions& options) {
  const auto counts = [&](Local x) {
    const bool changes = history.act[x] == ActKind::add || history.act[x] == ActKind::take;
    return changes || !part.pending(x);
  };
  const algo::FixedSlots slots = algo::fixed_slots(part, counts);
  if (slots.used > algo::kMostOpen) return std::make_unique<core::Decided>(core::not_applicable());
  std::optional<CountLimits> limits = count_limits(part, history);
  if (!limits) return std::make_unique<core::Decided>(core::not_applicable());
  auto read = std::make_shared<const CountedHistory>(std::move(history));
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<ForeseenContents<Mask>>>(slots, part, options.witness, part,
                                                                                 read, std::move(*limits));
    search->narrow(kFewConfigurations);
    return std::make_unique<WitnessOnly>(std::move(search));
  });
}

}  // namespace linchpin::types::queue

// Wing and Gong's search with Lowe's cache, as published, and its variants. Any specification. For comparing with.
//
// Idea: the events in a linked list. From its front, try the operations called before the first response: where one is
// legal and leads to a configuration that is not in the cache, lift its two events out of the list and begin at the
// front again. At a response nothing could be taken: unlift what was taken last and go on behind it. Done when no
// response is left in the list.
// A configuration is the set of all linearized operations, n bits, and the state; nothing is pruned. With `lru` the
// cache holds a bounded number of configurations: what was evicted may be searched again, which costs time but never
// changes an answer. The partitioned variants are given one key at a time. Without a cache it is the search of Wing and
// Gong, which the paper's authors tried first; with a hash worked out anew at each step, Lowe's.
// Cost: exponential at worst; n/8 bytes for each configuration, O(n^2) bytes even where nothing is taken back.
// Source: A. Horn, D. Kroening, Faster linearizability checking via P-compositionality, FORTE 2015, Algorithms 1 to 3,
// with the cache of G. Lowe, Testing for linearizability, 2017. Differences: states are interned; operations that never
// returned have no response event; specifications may be nondeterministic. The bound is one on bytes as well.
// Compare: depth_first.cpp, the same search with a windowed memo and prunings. Tests: tests/cross.
#include "research/published/wgl.hpp"

#include <algorithm>
#include <array>

#include "core/search_task.hpp"
#include "decide/search/transitions.hpp"
#include "research/published/wgl_cache.hpp"

namespace linchpin::research {

namespace {

using history::Rank;

constexpr std::size_t kMostCached = std::size_t{1} << 16;
constexpr std::size_t kMostCachedBytes = std::size_t{64} << 20;
constexpr std::size_t kFewCached = 1024;

enum class Cache : std::uint8_t { none, all, bounded, few };
enum class Hashing : std::uint8_t { kept, anew };

struct Form {
  Cache cache = Cache::all;
  Hashing hashing = Hashing::kept;
};

std::size_t lru_bound(std::size_t operations) {
  return std::clamp<std::size_t>(kMostCachedBytes / (operations / 8 + 1), 256, kMostCached);
}

/// How many configurations the cache holds; 0: all.
std::size_t bound_of(Cache cache, std::size_t operations) {
  switch (cache) {
    case Cache::bounded: return lru_bound(operations);
    case Cache::few: return std::min(kFewCached, lru_bound(operations));
    default: return 0;
  }
}

class Wgl final : public core::SearchTask {
 public:
  Wgl(const history::Subhistory& part, const core::DeciderOptions& options, Form form)
      : part_(part),
        options_(options),
        form_(form),
        labels_(part),
        transitions_(part, labels_),
        cache_(part.size(), bound_of(form.cache, part.size())),
        set_(part.size()),
        state_(transitions_.initial()),
        remaining_(part.size() - part.pending_count) {
    const Rank end = part.ranks();
    next_.resize(end + 1);
    previous_.resize(end + 1);
    for (Rank rank = 0; rank <= end; ++rank) {
      next_[rank] = rank == end ? 0 : rank + 1;  // a ring; the head is at `end`
      previous_[rank] = rank == 0 ? end : rank - 1;
    }
    rank_ = next_[end];
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    for (; status_ == Status::searching && remaining_ > 0; --steps) {
      if (steps == 0) return false;
      constexpr std::size_t kLargeGrowth = std::size_t{1} << 18;
      const std::size_t growth = cache_.growth() + transitions_.growth();
      if (budget.spent() || (growth > kLargeGrowth && !budget.allows(growth))) {
        status_ = Status::gave_up;
        reason_ = budget.reason();
        return true;
      }
      advance();
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    if (remaining_ == 0) {
      outcome.verdict = Verdict::linearizable;
      if (options_.witness) outcome.witness = path();
      return outcome;
    }
    if (status_ == Status::exhausted) {
      outcome.verdict = Verdict::violation;
    } else {
      outcome.reason = reason_;
    }
    if (best_blocked_ != Rank::none()) outcome.blocked = part_.events()[best_blocked_].operation();
    outcome.longest = best_;
    if (frames_.size() > best_.size()) outcome.longest = path();
    return outcome;
  }

  std::uint32_t passed() const override { return static_cast<std::uint32_t>(frames_.size()); }

 private:
  enum class Status : std::uint8_t { searching, exhausted, gave_up };
  struct Frame {
    Rank rank;             // of the call that was taken
    std::uint32_t branch;  // which of its successors
    StateId before;
  };

  void lift(Rank rank) {
    next_[previous_[rank]] = next_[rank];
    previous_[next_[rank]] = previous_[rank];
  }
  void unlift(Rank rank) {
    next_[previous_[rank]] = rank;
    previous_[next_[rank]] = rank;
  }

  void advance() {
    const Rank head = part_.ranks();
    if (rank_ == head || part_.events()[rank_].is_response()) {
      take_back();
      return;
    }
    const std::uint32_t local = part_.events()[rank_].operation();
    const std::span<const StateId> after = transitions_.after(state_, labels_.of(local));
    if (branch_ >= after.size()) {
      rank_ = next_[rank_];
      branch_ = 0;
      return;
    }
    const StateId next = after[branch_];
    set_.flip(local);
    if (!fresh(next)) {
      set_.flip(local);
      ++branch_;
      return;
    }
    frames_.push_back({.rank = rank_, .branch = branch_, .before = state_});
    state_ = next;
    lift(rank_);
    if (!part_.pending(local)) {
      lift(part_.response[local]);
      --remaining_;
    }
    rank_ = next_[head];
    branch_ = 0;
  }

  /// Whether the configuration is not known to have been tried. Remembers it.
  bool fresh(StateId state) {
    if (form_.cache == Cache::none) return true;
    return cache_.insert(set_, form_.hashing == Hashing::kept ? set_.hash() : set_.hash_anew(), state);
  }

  void take_back() {
    remember();
    if (frames_.empty()) {
      status_ = Status::exhausted;
      return;
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    common_ = std::min(common_, frames_.size());
    const std::uint32_t local = part_.events()[frame.rank].operation();
    set_.flip(local);
    state_ = frame.before;
    if (!part_.pending(local)) {
      unlift(part_.response[local]);
      ++remaining_;
    }
    unlift(frame.rank);
    rank_ = frame.rank;
    branch_ = frame.branch + 1;
  }

  /// Keeps the path whose first response not linearized is the latest; copies what changed since the last copy.
  void remember() {
    Rank blocked = next_[part_.ranks()];
    while (!part_.events()[blocked].is_response()) blocked = next_[blocked];
    if (best_blocked_ != Rank::none() && blocked <= best_blocked_) return;
    best_blocked_ = blocked;
    best_.resize(std::min(common_, best_.size()));
    for (std::size_t k = best_.size(); k < frames_.size(); ++k) {
      best_.push_back(part_.events()[frames_[k].rank].operation());
    }
    common_ = frames_.size();
  }
  [[nodiscard]] std::vector<std::uint32_t> path() const {
    std::vector<std::uint32_t> order;
    order.reserve(frames_.size());
    for (const Frame& frame : frames_) order.push_back(part_.events()[frame.rank].operation());
    return order;
  }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  Form form_;
  decide::Labels labels_;
  decide::Transitions transitions_;
  WglCache cache_;
  LinearizedSet set_;
  StateId state_;
  std::uint32_t remaining_;                // responses in the list
  history::ByRank<Rank> next_, previous_;  // by rank
  std::vector<Frame> frames_;
  Rank rank_;                 // the event in question
  std::uint32_t branch_ = 0;  // the next of its successors

  Rank best_blocked_ = Rank::none();
  std::vector<std::uint32_t> best_;
  std::size_t common_ = 0;  // best_ and the frames agree so far
  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
};

core::Applicability applies_to_all(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "any history of any type"};
}

template <Cache cache, Hashing hashing = Hashing::kept>
core::Outcome decide_published(const history::Subhistory& part, const core::DeciderOptions& options,
                               core::Budget& budget) {
  Wgl search(part, options, {.cache = cache, .hashing = hashing});
  search.run(UINT64_MAX, budget);
  return search.outcome();
}

constexpr std::array kPublished{
    core::Decider{.name = "wgl",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as published, the whole object at once",
                            .cost = "exponential at worst",
                            .source = "Horn, Kroening, 2015; Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::all>},
    core::Decider{.name = "wgl-lru",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as published, the whole object at once, with a bounded cache",
                            .cost = "exponential at worst",
                            .source = "Horn, Kroening, 2015; Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::bounded>},
    core::Decider{.name = "wgl-partitioned",
                  .kind = core::Kind::published,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as published, a key at a time",
                            .cost = "exponential at worst",
                            .source = "Horn, Kroening, 2015; Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::all>},
    core::Decider{.name = "wgl-lru-partitioned",
                  .kind = core::Kind::published,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as published, a key at a time, with a bounded cache",
                            .cost = "exponential at worst",
                            .source = "Horn, Kroening, 2015; Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::bounded>},
    core::Decider{.name = "wgl-lru-few",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as published, with a cache of 1,024 configurations",
                            .cost = "exponential at worst",
                            .source = "Horn, Kroening, 2015; Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::few>},
    core::Decider{.name = "wgl-linear-hash",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "the search as before the paper: each hash is worked out anew",
                            .cost = "exponential at worst; O(n) a step",
                            .source = "Lowe, 2017"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::all, Hashing::anew>},
    core::Decider{.name = "wg",
                  .kind = core::Kind::published,
                  .about = {.types = "all",
                            .when = "on request",
                            .method = "depth first, without any memory of what was tried",
                            .cost = "exponential at worst, and often",
                            .source = "Wing, Gong, 1993"},
                  .applicable = &applies_to_all,
                  .at_once = &decide_published<Cache::none>},
};

}  // namespace

std::span<const core::Decider> published_searches() { return kPublished; }

}  // namespace linchpin::research

// Windowed configuration set: breadth first over the events. Any specification.
//
// Idea: a configuration is (mask over the open operations that are already linearized, state). Everything that has
// returned is linearized, so after each event at most 2^k * states configurations remain (k: open operations).
// Operations are linearized only when a response forces it (complete, because points can always be moved right to just
// before the next response). At a moment with nothing open a configuration is a bare state: the history is cut there by
// itself. Prunings: a pure operation that is open and legal is linearized at once; of open operations with one label
// only the one that responds first is taken; of configurations that differ in pending operations only, the one that
// used a subset of them stays (a pending operation is never obliged to run). Witness: each configuration holds the end
// of a chain of linearized operations; chains share their beginnings, and what no configuration reaches any more is
// collected. Cost: O(events * configurations * k) steps; memory 2^k * states, independent of the number of operations.
// Source: just-in-time linearization (Lowe 2017) with the prunings above (docs/design/search.md).
// Compare: depth_first.cpp (better where a witness is easy, or the state remembers an undecided past). Tests:
// tests/cross.
#include <algorithm>
#include <numeric>

#include "decide/search/quiet_states.hpp"
#include "decide/search/search_task.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

namespace {

constexpr std::uint32_t kNoLink = 0xffffffffU;

/// Chains of linearized operations with shared beginnings.
class Chains {
 public:
  std::uint32_t extend(std::uint32_t tail, std::uint32_t local) {
    links_.push_back({local, tail});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }
  [[nodiscard]] std::vector<std::uint32_t> from_start(std::uint32_t tail) const {
    std::vector<std::uint32_t> order;
    for (; tail != kNoLink; tail = links_[tail].previous) order.push_back(links_[tail].local);
    std::reverse(order.begin(), order.end());
    return order;
  }
  [[nodiscard]] bool worth_collecting() const { return links_.size() > 2 * kept_ + (std::size_t{1} << 20); }
  /// Drops what none of `tails` reaches, and renames `tails`.
  void collect(std::vector<std::uint32_t>& tails) {
    std::vector<std::uint32_t> renamed(links_.size(), kNoLink);
    std::vector<bool> live(links_.size(), false);
    for (std::uint32_t tail : tails) {
      for (; tail != kNoLink && !live[tail]; tail = links_[tail].previous) live[tail] = true;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      if (!live[i]) continue;
      renamed[i] = kept;
      links_[kept] = {links_[i].local, links_[i].previous == kNoLink ? kNoLink : renamed[links_[i].previous]};
      ++kept;
    }
    links_.resize(kept);
    for (std::uint32_t& tail : tails) tail = tail == kNoLink ? kNoLink : renamed[tail];
    kept_ = kept;
  }
  [[nodiscard]] std::size_t bytes() const { return links_.capacity() * sizeof(Link); }
  /// Bytes that the next extension, or the collection that is due, takes at once.
  [[nodiscard]] std::size_t growth() const {
    const std::size_t extension = links_.size() + kEntriesAhead > links_.capacity() ? 2 * bytes() : 0;
    return extension + (worth_collecting() ? links_.size() * sizeof(std::uint32_t) + links_.size() / 8 : 0);
  }

 private:
  struct Link {
    std::uint32_t local;
    std::uint32_t previous;
  };
  std::vector<Link> links_;
  std::size_t kept_ = 0;
};

/// A list of configurations in flat arrays: masks of `words` words each, states, chains.
struct Configurations {
  std::uint32_t words;
  std::vector<std::uint64_t> masks;
  std::vector<StateId> states;
  std::vector<std::uint32_t> tails;

  explicit Configurations(std::uint32_t mask_words) : words(mask_words) {}
  [[nodiscard]] std::size_t size() const { return states.size(); }
  [[nodiscard]] std::uint64_t* mask(std::size_t i) { return &masks[i * words]; }
  [[nodiscard]] const std::uint64_t* mask(std::size_t i) const { return &masks[i * words]; }
  [[nodiscard]] bool has(std::size_t i, std::uint32_t slot) const {
    return ((mask(i)[slot >> 6] >> (slot & 63)) & 1U) != 0;
  }
  void set(std::size_t i, std::uint32_t slot) { mask(i)[slot >> 6] |= std::uint64_t{1} << (slot & 63); }
  void clear(std::size_t i, std::uint32_t slot) { mask(i)[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63)); }
  void push(const std::uint64_t* from, StateId state, std::uint32_t tail) {
    // `from` may point into `masks`, which may move.
    const std::size_t at = masks.size();
    if (from >= masks.data() && from < masks.data() + at) {
      const std::size_t offset = static_cast<std::size_t>(from - masks.data());
      masks.resize(at + words);
      std::copy_n(masks.begin() + static_cast<std::ptrdiff_t>(offset), words,
                  masks.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      masks.insert(masks.end(), from, from + words);
    }
    states.push_back(state);
    tails.push_back(tail);
  }
  void pop() {
    masks.resize(masks.size() - words);
    states.pop_back();
    tails.pop_back();
  }
  void clear_all() {
    masks.clear();
    states.clear();
    tails.clear();
  }
  void assign(std::size_t to, std::size_t from) {
    std::copy_n(mask(from), words, mask(to));
    states[to] = states[from];
    tails[to] = tails[from];
  }
  void truncate(std::size_t count) {
    masks.resize(count * words);
    states.resize(count);
    tails.resize(count);
  }
  [[nodiscard]] std::size_t bytes() const {
    return masks.capacity() * sizeof(std::uint64_t) + (states.capacity() + tails.capacity()) * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::size_t bytes_each() const { return words * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t); }
  [[nodiscard]] std::size_t growth() const {
    return states.size() + kEntriesAhead > states.capacity() ? 2 * bytes() : 0;
  }
};

/// The configurations met during one response: a hash set of indices into `met`.
class Visited {
 public:
  explicit Visited(std::uint32_t words) : met_(words), index_(256, 0) {}
  void clear() {
    met_.clear_all();
    if (index_.size() > 4096) {
      index_.assign(256, 0);
    } else {
      std::fill(index_.begin(), index_.end(), 0);
    }
  }
  /// True if the configuration is new.
  bool insert(const std::uint64_t* mask, StateId state) {
    if ((met_.size() + 1) * 2 > index_.size()) grow();
    std::size_t slot = hash(mask, state) & (index_.size() - 1);
    for (; index_[slot] != 0; slot = (slot + 1) & (index_.size() - 1)) {
      const std::size_t at = index_[slot] - 1;
      if (met_.states[at] == state && std::equal(mask, mask + met_.words, met_.mask(at))) return false;
    }
    met_.push(mask, state, kNoLink);
    index_[slot] = static_cast<std::uint32_t>(met_.size());
    return true;
  }
  [[nodiscard]] std::size_t bytes() const { return met_.bytes() + index_.capacity() * sizeof(std::uint32_t); }
  [[nodiscard]] std::size_t growth() const {
    return met_.growth() +
           ((met_.size() + kEntriesAhead) * 2 > index_.size() ? 2 * index_.size() * sizeof(std::uint32_t) : 0);
  }

 private:
  [[nodiscard]] std::uint64_t hash(const std::uint64_t* mask, StateId state) const {
    std::uint64_t seed = mix(2, state);
    for (std::uint32_t w = 0; w < met_.words; ++w) seed = mix(seed, mask[w]);
    return seed;
  }
  void grow() {
    index_.assign(index_.size() * 2, 0);
    for (std::size_t at = 0; at < met_.size(); ++at) {
      std::size_t slot = hash(met_.mask(at), met_.states[at]) & (index_.size() - 1);
      while (index_[slot] != 0) slot = (slot + 1) & (index_.size() - 1);
      index_[slot] = static_cast<std::uint32_t>(at + 1);
    }
  }
  Configurations met_;
  std::vector<std::uint32_t> index_;  // open addressing; position + 1
};

class ConfigurationSet final : public SearchTask {
 public:
  ConfigurationSet(const history::Subhistory& part, const core::DeciderOptions& options)
      : ConfigurationSet(part, options, std::make_shared<SearchContext>(part)) {
    current_.push(scratch_.data(), transitions_.initial(), kNoLink);
  }

  /// Only the events between two quiet points, from the given states.
  ConfigurationSet(const history::Subhistory& part, std::shared_ptr<SearchContext> context, Segment segment,
                   std::span<const StateId> start)
      : ConfigurationSet(part, {.witness = false}, std::move(context)) {
    rank_ = segment.first;
    end_ = segment.last;
    ignore_pure_ = segment.ignore_pure;
    forget_states_ = false;
    for (const StateId state : start) current_.push(scratch_.data(), state, kNoLink);
    if (start.empty()) status_ = Status::refuted;
  }

  /// The states after the last event. @pre found
  [[nodiscard]] const std::vector<StateId>& final_states() const { return current_.states; }

 private:
  ConfigurationSet(const history::Subhistory& part, const core::DeciderOptions& options,
                   std::shared_ptr<SearchContext> context)
      : part_(part),
        options_(options),
        context_(std::move(context)),
        labels_(context_->labels),
        transitions_(context_->transitions),
        window_(context_->window),
        end_(static_cast<history::Rank>(part.events.size())),
        current_(window_.words()),
        stack_(window_.words()),
        result_(window_.words()),
        visited_(window_.words()),
        optional_(window_.words(), 0),
        scratch_(window_.words(), 0) {}

 public:
  bool run(std::uint64_t steps, core::Budget& budget) override {
    const std::uint64_t stop_at = steps_ + steps;
    while (status_ == Status::searching) {
      if (steps_ >= stop_at) return false;
      if (budget.spent()) return give_up(budget.reason());
      if (const std::size_t growth = upcoming_growth(); growth > kLargeGrowth && !budget.allows(growth)) {
        return give_up(budget.reason());
      }
      advance();
    }
    return true;
  }

  core::Outcome outcome() const override {
    core::Outcome outcome;
    if (status_ == Status::found) {
      outcome.verdict = Verdict::linearizable;
      if (options_.witness) outcome.witness = chains_.from_start(current_.tails[0]);
      return outcome;
    }
    if (status_ == Status::refuted) {
      outcome.verdict = Verdict::violation;
    } else {
      outcome.reason = reason_;
    }
    // `current_` still holds the configurations from before the response that could not be passed.
    if (rank_ < end_) outcome.blocked = next_responder();
    if (options_.witness) {
      // In the middle of a response, what it has led to so far goes further.
      const bool further = expanding_ && stack_.size() > 0;
      outcome.longest = chains_.from_start(further ? stack_.tails.back() : current_.tails[longest_configuration()]);
    }
    std::vector<StateId> states = current_.states;
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    for (std::size_t i = 0; i < states.size() && i < kStatesKept; ++i)
      outcome.states.push_back(transitions_.describe(states[i]));
    return outcome;
  }

  std::uint32_t passed() const override { return passed_; }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  static constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
  static constexpr std::size_t kStatesKept = 16;
  static constexpr std::size_t kStateBytesKept = std::size_t{32} << 20;

  bool give_up(Reason reason) {
    status_ = Status::gave_up;
    reason_ = reason;
    return true;
  }
  [[nodiscard]] std::size_t upcoming_growth() const {
    std::size_t growth =
        visited_.growth() + stack_.growth() + result_.growth() + chains_.growth() + transitions_.growth();
    if (!expanding_) {
      // A response begins by copying all configurations to where they are looked up and to one of two lists.
      const std::size_t needed = 2 * current_.size() * current_.bytes_each();
      for (const std::size_t held : {visited_.bytes(), stack_.bytes(), result_.bytes()}) {
        growth += needed > held ? needed - held : 0;
      }
    }
    return growth;
  }
  [[nodiscard]] std::uint32_t next_responder() const {
    Rank rank = rank_;
    while (rank + 1 < end_ && !part_.events[rank].is_response()) ++rank;
    return part_.events[rank].operation();
  }
  [[nodiscard]] std::size_t longest_configuration() const {
    std::size_t best = 0;
    int most = -1;
    for (std::size_t i = 0; i < current_.size(); ++i) {
      int bits = 0;
      for (std::uint32_t w = 0; w < current_.words; ++w) bits += __builtin_popcountll(current_.mask(i)[w]);
      if (bits > most) {
        most = bits;
        best = i;
      }
    }
    return best;
  }

  std::uint32_t extended(std::uint32_t tail, std::uint32_t local) {
    return options_.witness ? chains_.extend(tail, local) : kNoLink;
  }

  void advance() {
    if (expanding_) {
      expand_one();
      return;
    }
    if (rank_ == end_) {
      status_ = Status::found;
      return;
    }
    const history::Event event = part_.events[rank_];
    if (event.is_response() && skipped(event.operation())) {
      ++rank_;
      return;
    }
    if (!event.is_response()) {
      open(event.operation());
      ++rank_;
      ++steps_;
      return;
    }
    respond(event.operation());
  }

  [[nodiscard]] bool skipped(std::uint32_t local) const {
    return window_.dropped(local) || (ignore_pure_ && labels_.pure(labels_.of(local)));
  }

  void open(std::uint32_t local) {
    if (skipped(local)) return;
    open_.push_back(local);
    const Label label = labels_.of(local);
    if (part_.pending(local)) optional_[window_.slot[local] >> 6] |= std::uint64_t{1} << (window_.slot[local] & 63);
    if (!labels_.pure(label)) return;
    open_pure_.push_back(local);
    for (std::size_t i = 0; i < current_.size(); ++i) {
      ++steps_;
      if (!transitions_.legal(current_.states[i], label)) continue;
      current_.set(i, window_.slot[local]);
      current_.tails[i] = extended(current_.tails[i], local);
    }
  }

  /// Starts the response of `local`: keeps the configurations that have it and expands the others.
  void respond(std::uint32_t local) {
    const std::uint32_t slot = window_.slot[local];
    ++steps_;
    bool all = true;
    for (std::size_t i = 0; i < current_.size() && all; ++i) all = current_.has(i, slot);
    if (all) {
      for (std::size_t i = 0; i < current_.size(); ++i) current_.clear(i, slot);
      close(local);
      return;
    }
    visited_.clear();
    stack_.clear_all();
    result_.clear_all();
    for (std::size_t i = current_.size(); i-- > 0;) {
      visited_.insert(current_.mask(i), current_.states[i]);
      (current_.has(i, slot) ? result_ : stack_).push(current_.mask(i), current_.states[i], current_.tails[i]);
    }
    find_labels();
    expanding_ = true;
  }

  /// The operations that may be linearized during this response, in order of their own responses: `enabled_`, with the
  /// slots of the operations of the same label that come first (`earlier_`: they must be done before).
  void find_labels() {
    enabled_.clear();
    for (const std::uint32_t local : open_) {
      if (!labels_.pure(labels_.of(local))) enabled_.push_back(local);
    }
    std::stable_sort(enabled_.begin(), enabled_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; });
    earlier_.assign(enabled_.size(), kNoLink);
    last_of_label_.resize(labels_.count(), kNoLink);
    for (std::size_t i = 0; i < enabled_.size(); ++i) {
      std::uint32_t& last = last_of_label_[labels_.of(enabled_[i])];
      earlier_[i] = std::exchange(last, window_.slot[enabled_[i]]);
    }
    for (const std::uint32_t local : enabled_) last_of_label_[labels_.of(local)] = kNoLink;
  }

  void expand_one() {
    const std::uint32_t responder = part_.events[rank_].operation();
    if (stack_.size() == 0) {
      finish_response(responder);
      return;
    }
    const std::uint32_t slot = window_.slot[responder];
    const std::size_t top = stack_.size() - 1;
    std::copy_n(stack_.mask(top), stack_.words, scratch_.begin());
    const StateId state = stack_.states[top];
    const std::uint32_t tail = stack_.tails[top];
    stack_.pop();
    from_ = scratch_;
    for (std::size_t i = 0; i < enabled_.size(); ++i) {
      const std::uint32_t local = enabled_[i];
      const std::uint32_t own = window_.slot[local];
      if (bit(from_, own) || (earlier_[i] != kNoLink && !bit(from_, earlier_[i]))) continue;
      ++steps_;
      successors_.clear();
      for (const StateId next : transitions_.after(state, labels_.of(local))) successors_.push_back(next);
      for (const StateId next : successors_) {
        scratch_ = from_;
        scratch_[own >> 6] |= std::uint64_t{1} << (own & 63);
        normalized_.clear();
        for (const std::uint32_t pure : open_pure_) {
          const std::uint32_t pure_slot = window_.slot[pure];
          if (bit(scratch_, pure_slot)) continue;
          ++steps_;
          if (!transitions_.legal(next, labels_.of(pure))) continue;
          scratch_[pure_slot >> 6] |= std::uint64_t{1} << (pure_slot & 63);
          normalized_.push_back(pure);
        }
        if (!visited_.insert(scratch_.data(), next)) continue;
        std::uint32_t chain = extended(tail, local);
        for (const std::uint32_t pure : normalized_) chain = extended(chain, pure);
        (bit(scratch_, slot) ? result_ : stack_).push(scratch_.data(), next, chain);
      }
    }
  }

  static bool bit(const std::vector<std::uint64_t>& mask, std::uint32_t slot) {
    return ((mask[slot >> 6] >> (slot & 63)) & 1U) != 0;
  }

  void finish_response(std::uint32_t responder) {
    if (result_.size() == 0) {
      status_ = Status::refuted;
      return;
    }
    drop_dominated();
    for (std::size_t i = 0; i < result_.size(); ++i) result_.clear(i, window_.slot[responder]);
    std::swap(current_, result_);
    expanding_ = false;
    close(responder);
  }

  void close(std::uint32_t responder) {
    std::erase(open_, responder);
    if (labels_.pure(labels_.of(responder))) std::erase(open_pure_, responder);
    ++rank_;
    ++passed_;
    if (chains_.worth_collecting()) chains_.collect(current_.tails);
    if (forget_states_ && transitions_.bytes() > 2 * state_bytes_kept_ + kStateBytesKept) {
      transitions_.retain(current_.states);
      state_bytes_kept_ = transitions_.bytes();
    }
  }

  /// Of configurations with equal state and equal bits of completed operations, keeps those whose set of pending
  /// operations contains no other's.
  void drop_dominated() {
    if (std::all_of(optional_.begin(), optional_.end(), [](std::uint64_t word) { return word == 0; })) return;
    const std::size_t count = result_.size();
    if (count < 2) return;
    const auto word = [&](std::size_t i, std::uint32_t w) { return result_.mask(i)[w]; };
    const auto group_order = [&](std::size_t a, std::size_t b) {
      if (result_.states[a] != result_.states[b]) return result_.states[a] < result_.states[b] ? -1 : 1;
      for (std::uint32_t w = 0; w < result_.words; ++w) {
        const std::uint64_t x = word(a, w) & ~optional_[w];
        const std::uint64_t y = word(b, w) & ~optional_[w];
        if (x != y) return x < y ? -1 : 1;
      }
      return 0;
    };
    const auto used = [&](std::size_t i) {
      int bits = 0;
      for (std::uint32_t w = 0; w < result_.words; ++w) bits += __builtin_popcountll(word(i, w) & optional_[w]);
      return bits;
    };
    const auto within = [&](std::size_t a, std::size_t b) {  // the pending operations of a are among b's
      for (std::uint32_t w = 0; w < result_.words; ++w) {
        if ((word(a, w) & ~word(b, w) & optional_[w]) != 0) return false;
      }
      return true;
    };
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (const int by_group = group_order(a, b); by_group != 0) return by_group < 0;
      if (const int by_use = used(a) - used(b); by_use != 0) return by_use < 0;
      return a < b;
    });
    std::vector<bool> dropped(count, false);
    std::vector<std::uint32_t> minimal;  // of the current group
    for (std::size_t k = 0; k < count; ++k) {
      if (k == 0 || group_order(order[k - 1], order[k]) != 0) minimal.clear();
      const auto contains_a_minimal = [&](std::uint32_t kept) { return within(kept, order[k]); };
      if (std::any_of(minimal.begin(), minimal.end(), contains_a_minimal)) {
        dropped[order[k]] = true;
      } else {
        minimal.push_back(order[k]);
      }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (dropped[i]) continue;
      if (kept != i) result_.assign(kept, i);
      ++kept;
    }
    result_.truncate(kept);
  }

  using Rank = history::Rank;

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::shared_ptr<SearchContext> context_;
  const Labels& labels_;
  Transitions& transitions_;
  const Window& window_;
  Chains chains_;

  Rank rank_ = 0;                         // the next event
  Rank end_;                              // stop before this event
  bool ignore_pure_ = false;              // pass over pure operations
  bool forget_states_ = true;             // states that no configuration has any more
  std::vector<std::uint32_t> open_;       // kept operations that are open, in order of their calls
  std::vector<std::uint32_t> open_pure_;  // those of them that are pure
  Configurations current_;                // before the next event; all distinct
  // During a response that not all configurations have passed yet:
  bool expanding_ = false;
  Configurations stack_;   // met, without the responder, not expanded
  Configurations result_;  // with the responder
  Visited visited_;
  std::vector<std::uint32_t> enabled_, earlier_;
  std::vector<std::uint32_t> last_of_label_;  // by label, kNoLink outside find_labels
  std::vector<std::uint64_t> optional_;       // slots of pending operations
  std::vector<std::uint64_t> scratch_, from_;
  std::vector<std::uint32_t> normalized_;
  std::vector<StateId> successors_;
  std::size_t state_bytes_kept_ = 0;

  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
  std::uint64_t steps_ = 0;
  std::uint32_t passed_ = 0;  // responses
};

}  // namespace

std::optional<std::vector<StateId>> states_after(const history::Subhistory& part,
                                                 const std::shared_ptr<SearchContext>& context, Segment segment,
                                                 std::span<const StateId> start, std::uint64_t steps,
                                                 core::Budget& budget) {
  ConfigurationSet search(part, context, segment, start);
  if (!search.run(steps, budget)) return std::nullopt;
  const Verdict verdict = search.outcome().verdict;
  if (verdict == Verdict::unknown) return std::nullopt;
  if (verdict == Verdict::violation) return std::vector<StateId>();
  std::vector<StateId> states = search.final_states();
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

std::unique_ptr<SearchTask> make_configuration_set(const history::Subhistory& part,
                                                   const core::DeciderOptions& options) {
  return std::make_unique<ConfigurationSet>(part, options);
}

}  // namespace linchpin::decide

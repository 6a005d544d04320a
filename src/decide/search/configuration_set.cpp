// Windowed configuration set: breadth first over the events. Any specification.
//
// Idea: a configuration is (mask over the open operations that are already linearized, state). Everything that has
// returned is linearized, so after each event at most 2^k * states configurations remain (k: open operations).
// Operations are linearized only when a response forces it (complete, because points can always be moved right to just
// before the next response). At a moment with nothing open a configuration is a bare state: the history is cut there by
// itself. Prunings: a pure operation that is open and legal is linearized at once; of open operations with one label
// only the one that responds first is taken; after a response, what another configuration can do as well is dropped
// (redundancy.hpp); what is overwritten unseen is not taken at all, but may be counted as done when it responds.
// With a `Narrowing`, only a few configurations are kept, those that did little are expanded first, and where none goes
// on, the search goes back (narrowing.hpp).
// Witness: each configuration holds the end of a chain of linearized operations (chains.hpp).
// Cost: O(events * configurations * k) steps; memory 2^k * states, independent of the number of operations; of a
// register with 3 values and 32 open operations a few dozen configurations remain.
// Source: just-in-time linearization (Lowe 2017) with the prunings above (docs/design/search.md, facts 1-8).
// Compare: depth_first.cpp (better where a witness is easy, or the state remembers an undecided past). Tests:
// tests/cross.
#include <algorithm>
#include <optional>

#include "decide/search/chains.hpp"
#include "decide/search/configurations.hpp"
#include "decide/search/narrowing.hpp"
#include "decide/search/open_groups.hpp"
#include "decide/search/quiet_states.hpp"
#include "decide/search/redundancy.hpp"
#include "decide/search/search_task.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

namespace {

class ConfigurationSet final : public SearchTask {
 public:
  ConfigurationSet(const history::Subhistory& part, const core::DeciderOptions& options)
      : ConfigurationSet(part, options, std::make_shared<SearchContext>(part)) {
    current_.push(scratch_.data(), transitions_.initial(), kNoLink);
  }

  /// Keeps so many configurations at first. @pre nothing was run
  void narrow(std::size_t width) { narrowing_.emplace(window_, transitions_, current_, width); }

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
        end_(part.ranks()),
        words_(window_.words()),
        stride_(labels_.any_overwrites() ? 2 * words_ : words_),
        groups_(part, labels_, window_),
        current_(stride_),
        stack_(stride_),
        result_(stride_),
        visited_(stride_),
        redundancy_(transitions_, window_),
        scratch_(stride_, 0),
        from_(stride_, 0) {}

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
      if (options_.witness) outcome.witness = chain(current_.tails[0]);
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
      const bool further = phase_ == Phase::expanding && stack_.size() > 0;
      outcome.longest = chain(further ? stack_.tails.back() : current_.tails[longest_configuration()]);
    }
    std::vector<StateId> states = current_.states;
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    for (std::size_t i = 0; i < states.size() && i < kStatesKept; ++i)
      outcome.states.push_back(transitions_.describe(states[i]));
    return outcome;
  }

  std::uint32_t passed() const override { return std::max(passed_, furthest_); }

 private:
  enum class Status : std::uint8_t { searching, found, refuted, gave_up };
  static constexpr std::size_t kLargeGrowth = std::size_t{1} << 20;
  static constexpr std::size_t kStatesKept = 16;
  static constexpr std::size_t kStateBytesKept = std::size_t{32} << 20;
  static constexpr std::size_t kFewStateBytesKept = std::size_t{2} << 20;  // few come back: they stay in the cache

  bool give_up(Reason reason) {
    status_ = Status::gave_up;
    reason_ = reason;
    return true;
  }
  [[nodiscard]] std::size_t upcoming_growth() const {
    std::size_t growth =
        visited_.growth() + stack_.growth() + result_.growth() + chains_.growth() + transitions_.growth();
    if (phase_ == Phase::between) {
      // A response begins by copying all configurations to where they are looked up and to one of two lists.
      const std::size_t needed = 2 * current_.size() * current_.bytes_each();
      for (const std::size_t held : {visited_.bytes(), stack_.bytes(), result_.bytes()}) {
        growth += needed > held ? needed - held : 0;
      }
    } else if (phase_ == Phase::expanding) {
      growth += redundancy_.growth(result_.size());
    }
    if (narrowing_) growth += current_.size() * current_.bytes_each();  // a checkpoint
    return growth;
  }
  [[nodiscard]] std::uint32_t next_responder() const {
    Rank rank = rank_;
    while (rank + 1 < end_ && !part_.events()[rank].is_response()) ++rank;
    return part_.events()[rank].operation();
  }
  [[nodiscard]] std::size_t longest_configuration() const {
    std::size_t best = 0;
    int most = -1;
    for (std::size_t i = 0; i < current_.size(); ++i) {
      int bits = 0;
      for (std::uint32_t w = 0; w < words_; ++w) bits += __builtin_popcountll(current_.mask(i)[w]);
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

  [[nodiscard]] std::vector<std::uint32_t> chain(std::uint32_t tail) const {
    return chains_.from_start(tail, [&](std::uint32_t local) { return labels_.overwrites(labels_.of(local)); });
  }

  void advance() {
    if (phase_ == Phase::expanding) {
      expand_one();
      return;
    }
    if (phase_ == Phase::pruning) {
      prune_some();
      return;
    }
    if (rank_ == end_) {
      status_ = Status::found;
      return;
    }
    const history::Event event = part_.events()[rank_];
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
    groups_.open(local);
    const Label label = labels_.of(local);
    if (!labels_.pure(label)) return;
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
      groups_.close(local);
      next_event();
      return;
    }
    visited_.clear();
    stack_.clear_all();
    expanded_ = 0;
    hidden_.clear();
    result_.clear_all();
    for (std::size_t i = current_.size(); i-- > 0;) {
      const std::uint64_t* const mask = current_.mask(i);
      visited_.insert(mask, current_.states[i]);
      if (current_.has(i, slot)) {
        result_.push(mask, current_.states[i], current_.tails[i]);
        continue;
      }
      if (free(mask, slot)) result_.push(mask, current_.states[i], unseen(current_.tails[i], local));
      stack_.push(mask, current_.states[i], current_.tails[i]);
      hidden_.push_back(Labels::kNowhere);
    }
    phase_ = Phase::expanding;
  }

  /// Expands one configuration by each label's operation that responds first, and by what is pure and legal then.
  void expand_one() {
    const std::uint32_t responder = part_.events()[rank_].operation();
    const bool enough = narrowing_ && narrowing_->enough(result_.size(), visited_.size());
    if (expanded_ == stack_.size() || enough) {
      if (expanded_ != stack_.size()) narrowing_->cut();
      finish_response(responder);
      return;
    }
    const std::uint32_t slot = window_.slot[responder];
    // Where few are kept, those first that did little.
    const std::size_t at = narrowing_ ? expanded_++ : stack_.size() - 1;
    std::copy_n(stack_.mask(at), stride_, from_.begin());
    const StateId state = stack_.states[at];
    const std::uint32_t tail = stack_.tails[at];
    const std::uint32_t hidden = hidden_[at];
    if (!narrowing_) {
      stack_.pop();
      hidden_.pop_back();
    }
    const bool was_free = free(from_.data(), slot);
    for (const OpenGroup& group : groups_.others()) {
      // What came last would be overwritten before anything saw it: without it, it is free, and that is better.
      if (group.overwrites != Labels::kNowhere && group.overwrites == hidden) continue;
      const auto first = std::find_if(group.locals.begin(), group.locals.end(),
                                      [&](std::uint32_t local) { return !bit(from_, window_.slot[local]); });
      if (first == group.locals.end()) continue;
      ++steps_;
      successors_.clear();
      for (const StateId next : transitions_.after(state, group.label)) successors_.push_back(next);
      for (const StateId next : successors_) {
        scratch_ = from_;
        do_one(*first, group);
        const bool seen = take_pure(next);
        if (!visited_.insert(scratch_.data(), next)) continue;
        const std::uint32_t chain = extended_by_step(tail, *first);
        if (bit(scratch_, slot)) {
          result_.push(scratch_.data(), next, chain);
          continue;
        }
        if (!was_free && free(scratch_.data(), slot)) result_.push(scratch_.data(), next, unseen(chain, responder));
        stack_.push(scratch_.data(), next, chain);
        hidden_.push_back(seen ? Labels::kNowhere : group.overwrites);
      }
    }
  }

  /// Does `local`, of the group, in `scratch_`: all that it overwrites can have been done just before it.
  void do_one(std::uint32_t local, const OpenGroup& group) {
    set_bit(scratch_, window_.slot[local]);
    if (group.overwrites == Labels::kNowhere) return;
    for (const OpenGroup& other : groups_.others()) {
      if (other.overwrites != group.overwrites) continue;
      for (std::uint32_t w = 0; w < words_; ++w) scratch_[words_ + w] |= other.bits[w];
    }
    for (std::uint32_t w = 0; w < words_; ++w) scratch_[words_ + w] &= ~scratch_[w];
  }

  /// Does what is pure and legal in `next`, in `scratch_`; false: there was nothing.
  bool take_pure(StateId next) {
    taken_.clear();
    for (const OpenGroup& look : groups_.pure()) {
      bool all = true;
      for (std::uint32_t w = 0; w < words_ && all; ++w) all = (look.bits[w] & ~scratch_[w]) == 0;
      if (all) continue;
      ++steps_;
      if (!transitions_.legal(next, look.label)) continue;
      for (std::uint32_t w = 0; w < words_; ++w) scratch_[w] |= look.bits[w];
      taken_.push_back(&look);
    }
    return !taken_.empty();
  }

  /// The chain after `local` and the pure operations taken with it.
  std::uint32_t extended_by_step(std::uint32_t tail, std::uint32_t local) {
    if (!options_.witness) return kNoLink;
    tail = chains_.extend(tail, local);
    for (const OpenGroup* const look : taken_) {
      for (const std::uint32_t each : look->locals) {
        if (!bit(from_, window_.slot[each])) tail = chains_.extend(tail, each);
      }
    }
    return tail;
  }
  std::uint32_t unseen(std::uint32_t tail, std::uint32_t local) {
    return options_.witness ? chains_.extend_unseen(tail, local) : kNoLink;
  }

  [[nodiscard]] bool free(const std::uint64_t* mask, std::uint32_t slot) const {
    return stride_ > words_ && ((mask[words_ + (slot >> 6)] >> (slot & 63)) & 1U) != 0;
  }
  static bool bit(const std::vector<std::uint64_t>& mask, std::uint32_t slot) {
    return ((mask[slot >> 6] >> (slot & 63)) & 1U) != 0;
  }
  static void set_bit(std::vector<std::uint64_t>& mask, std::uint32_t slot) {
    mask[slot >> 6] |= std::uint64_t{1} << (slot & 63);
  }

  void finish_response(std::uint32_t responder) {
    if (result_.size() == 0) {
      if (narrowing_ && narrowing_->has_cut()) {
        go_back();
      } else {
        status_ = Status::refuted;
      }
      return;
    }
    const std::uint32_t slot = window_.slot[responder];
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_.clear(i, slot);
      if (stride_ > words_) result_.clear(i, slot + 64 * words_);
    }
    groups_.close(responder);
    phase_ = Phase::pruning;
    redundancy_.begin(result_, groups_);
    steps_ += result_.size();
  }

  /// Goes on with looking for what is redundant among the configurations that passed the response.
  void prune_some() {
    if (!redundancy_.advance()) return;
    redundancy_.drop_from(result_);
    if (narrowing_) {
      steps_ += result_.size();
      narrowing_->keep_best(result_, groups_, passed_);
    }
    std::swap(current_, result_);
    phase_ = Phase::between;
    next_event();
  }

  /// To where the search can go on from with more configurations.
  void go_back() {
    const Narrowing::Checkpoint& to = narrowing_->go_back(passed_);
    furthest_ = std::max(furthest_, passed_);
    rank_ = to.rank;
    passed_ = to.passed;
    current_ = to.configurations;
    groups_.clear();
    for (const std::uint32_t local : to.open) groups_.open(local);
    phase_ = Phase::between;
  }

  /// After a response.
  void next_event() {
    ++rank_;
    ++passed_;
    if (narrowing_) narrowing_->note(rank_, passed_, groups_, current_);
    if (chains_.worth_collecting()) collect_chains();
    const std::size_t more = narrowing_ ? kFewStateBytesKept : kStateBytesKept;
    if (forget_states_ && transitions_.bytes() > 2 * state_bytes_kept_ + more) {
      std::vector<StateId> live = current_.states;
      if (narrowing_) {
        narrowing_->each(
            [&](const Configurations& kept) { live.insert(live.end(), kept.states.begin(), kept.states.end()); });
      }
      transitions_.retain(live);
      state_bytes_kept_ = transitions_.bytes();
    }
  }

  void collect_chains() {
    if (!narrowing_) {
      chains_.collect(current_.tails);
      return;
    }
    std::vector<std::uint32_t> tails = current_.tails;
    narrowing_->each(
        [&](const Configurations& kept) { tails.insert(tails.end(), kept.tails.begin(), kept.tails.end()); });
    chains_.collect(tails);
    auto next = tails.begin();
    const auto give_back = [&](Configurations& kept) {
      std::copy_n(next, kept.tails.size(), kept.tails.begin());
      next += static_cast<std::ptrdiff_t>(kept.tails.size());
    };
    give_back(current_);
    narrowing_->each(give_back);
  }

  using Rank = history::Rank;

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::shared_ptr<SearchContext> context_;
  const Labels& labels_;
  Transitions& transitions_;
  const Window& window_;
  Chains chains_;

  Rank rank_ = 0;              // the next event
  Rank end_;                   // stop before this event
  bool ignore_pure_ = false;   // pass over pure operations
  bool forget_states_ = true;  // states that no configuration has any more
  std::uint32_t words_;        // of a mask: what is done
  std::uint32_t stride_;       // and behind it, where operations overwrite others, what is free
  OpenGroups groups_;          // the open operations
  Configurations current_;     // before the next event; all distinct
  // During a response that not all configurations have passed yet:
  enum class Phase : std::uint8_t { between, expanding, pruning };
  Phase phase_ = Phase::between;
  Configurations stack_;               // met, without the responder, not expanded
  std::size_t expanded_ = 0;           // where few are kept: those before this one are expanded
  std::vector<std::uint32_t> hidden_;  // by position in it: what its last operation overwrote, if nothing saw it since
  Configurations result_;              // with the responder
  Visited visited_;
  Redundancy redundancy_;
  std::vector<std::uint64_t> scratch_, from_;
  std::vector<const OpenGroup*> taken_;  // pure ones, by the last step
  std::vector<StateId> successors_;
  std::size_t state_bytes_kept_ = 0;

  Status status_ = Status::searching;
  Reason reason_ = Reason::none;
  std::uint64_t steps_ = 0;
  std::uint32_t passed_ = 0;            // responses
  std::uint32_t furthest_ = 0;          // before it went back
  std::optional<Narrowing> narrowing_;  // where few are kept
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

std::unique_ptr<SearchTask> make_few_configurations(const history::Subhistory& part,
                                                    const core::DeciderOptions& options, std::size_t width) {
  auto search = std::make_unique<ConfigurationSet>(part, options);
  search->narrow(width);
  return search;
}

}  // namespace linchpin::decide

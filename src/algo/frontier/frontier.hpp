// The just-in-time search over configurations: one engine for every way to keep them.
//
// Idea (just-in-time linearization, Lowe 2017): go through calls and responses. What returned is done; a configuration
// says which of the open operations are done as well (a mask over their slots) and what follows from that. Nothing is
// done before a response needs it, which loses nothing, since a point can always be moved right to just before the next
// response. At a response the configurations without the responder are expanded by other open operations until they
// have it; where none has, the events so far are refuted. The engine has the slots, the response as a search of its own
// that can be interrupted, the merging of equal configurations, the chains that lead to each, and the memory; a
// *domain* says what a configuration is and what leads to it:
//
//   Mask, Link, Configuration   the latter with `Mask mask` and `std::uint32_t tail`
//   kMerges                     whether configurations can be met twice; then `hash(c)` and `same(a, b)`, and
//                               `merge(into, c)` where equal ones hold different things
//   kFirst                      which are expanded first (Expand)
//   Domain(Window&, ...)        and `start()`, the first configuration
//   skipped(x)                  never needed: its events are passed over
//   impossible(x)               legal nowhere: its response is passed by no configuration
//   alike(y, x)                 do the same: one goes first (Window::open)
//   open(x), close(x)           its slot has been given, or is about to be taken back
//   call(x, current)            does what is best done at once
//   expand(from, x, meet)       what `from`, without the responder x, leads to: `meet(c)` says where it is kept and
//                               whether it is new (Met), for its tail to be set; `window.left_out` where it left
//                               something out, as it may where not all is wanted (`window.enough`)
//   prune(x, passed)            drops what others make needless; true: it is done, else it is called again. Where it
//                               leaves nothing, the response cannot be passed
//
// Optional: `begin(x, current, meet)` before anything is expanded; `finish(from, x, meet)`, with Expand::nearest, what
// leads to x at once, and `expand` has the rest; `keep(passed, c)` instead of appending c; `clear()`, nothing is open,
// for a frontier that goes back.
// Events come one at a time and nothing but `Order` speaks of later ones, so that it is a monitor of a history that is
// going on. Cost: a domain's. Memory: the configurations of one response, and O(n) links for a witness.
// Source: docs/design/search.md. Tests: frontier_test.cpp, and those of the domains.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "algo/frontier/window.hpp"
#include "base/assert.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"

namespace linchpin::algo {

/// Which of the configurations of a response are expanded first.
enum class Expand : std::uint8_t {
  first_met,    ///< those that did little, so that the rest can be left out
  latest_met,   ///< those that differ the least from the one before
  fewest_done,  ///< by number, so that all that are to be merged are by then
  nearest,      ///< those that are the fewest moves away, and of these first what leads to the responder at once
};

/// When a response is passed well enough; what is not expanded by then is left out.
struct Effort {
  std::size_t passed =
      SIZE_MAX;  ///< configurations that pass, before those further away (Expand::fewest_done, Expand::nearest)
  std::size_t met = SIZE_MAX;                ///< configurations, where one has passed
  std::size_t met_before_passed = SIZE_MAX;  ///< where none has
  std::size_t kept = SIZE_MAX;               ///< of those that pass, when the response is over
};

template <class Domain>
class Frontier {
 public:
  using Mask = typename Domain::Mask;
  using Configuration = typename Domain::Configuration;
  using OfWindow = Window<Mask, typename Domain::Link>;

  /// A configuration of a response, where the domain merges.
  struct Met {
    Configuration* entry = nullptr;
    std::uint32_t number = kNone;
    bool fresh = false;
  };

  /// @param slots      how many operations there are, or their FixedSlots
  /// @param order      what it refers to outlives the frontier
  /// @param arguments  of the domain, behind the window
  template <class Given, class... Arguments>
  Frontier(const Given& slots, const Order& order, bool witness, Arguments&&... arguments)
      : window_(slots, order, witness), domain_(window_, std::forward<Arguments>(arguments)...) {
    current_.push_back(domain_.start());
  }
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  /// The event "call of x". @pre not busy; x is not skipped; fewer than Mask::kSlots operations are open
  void call(std::uint32_t x) {
    ++window_.steps;
    open(x);
    domain_.call(x, current_);
  }
  /// The event "response of x": begins it, and `step` goes on while `busy`. @pre not busy; x is open
  void respond(std::uint32_t x, const Effort& effort = {}) {
    effort_ = effort;
    left_out_ = false;
    window_.enough = effort.met;
    window_.kept = effort.kept;
    window_.left_out = false;
    ++window_.steps;
    responder_ = x;
    own_ = window_.bit(x);
    if (domain_.impossible(x)) {
      phase_ = Phase::refuted;
      return;
    }
    const auto done = [this](const Configuration& each) { return (each.mask & own_).any(); };
    if (std::all_of(current_.begin(), current_.end(), done)) {
      close();
      return;
    }
    forget_met();
    for (const Configuration& each : current_) meet(each);
    phase_ = Phase::expanding;
    const auto meets = [this](const Configuration& to) { return meet(to); };
    if constexpr (requires { domain_.begin(x, current_, meets); }) domain_.begin(x, current_, meets);
  }
  [[nodiscard]] bool busy() const { return phase_ == Phase::expanding || phase_ == Phase::pruning; }
  /// @pre busy
  void step() {
    if (phase_ == Phase::pruning) {
      prune();
      return;
    }
    if (!expand()) collect_passed();
  }
  /// Expands one configuration, without more; false: there is none. @pre busy, and not pruning
  bool expand() {
    const std::uint32_t next = next_to_expand();
    if (next == kNone) return false;
    const Configuration from = met_[next];
    const auto meets = [this](const Configuration& to) { return meet(to); };
    window_.from = next;
    if constexpr (Domain::kFirst == Expand::nearest) {
      if (finishing_) {
        domain_.finish(from, responder_, meets);
        return true;
      }
    }
    domain_.expand(from, responder_, meets);
    return true;
  }
  /// As if the response had not begun. @pre busy
  void abandon() { phase_ = Phase::between; }
  /// The response cannot be passed; `current` are the configurations from before.
  [[nodiscard]] bool refuted() const { return phase_ == Phase::refuted; }

  /// Whether the last response left configurations out.
  [[nodiscard]] bool left_out() const { return left_out_ || window_.left_out; }
  /// Keeps the `width` configurations of the least `cost(c)`, of equal ones those of the least masks; true if there
  /// were more. @pre not busy
  template <class Cost>
  bool narrow(std::size_t width, Cost&& cost) {
    return narrow_by<1>(width, [&](const Configuration& each) {
      return std::array<std::int64_t, 1>{static_cast<std::int64_t>(cost(each))};
    });
  }
  /// The same where a configuration has N costs, `costs(c)`: by each in turn, of what is left, as many of the `width`.
  template <std::size_t N, class Costs>
  bool narrow_by(std::size_t width, Costs&& costs) {
    if (current_.size() <= width) return false;
    ranking_.clear();
    costs_.clear();
    for (std::uint32_t at = 0; at < current_.size(); ++at) {
      ranking_.emplace_back(0, at);
      for (const std::int64_t cost : costs(current_[at])) costs_.push_back(cost);
    }
    const auto less = [this](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : current_[a.second].mask < current_[b.second].mask;
    };
    auto left = ranking_.begin();
    for (std::size_t k = 0; k < N; ++k) {
      for (auto each = left; each != ranking_.end(); ++each) each->first = costs_[each->second * N + k];
      const auto next = ranking_.begin() + static_cast<std::ptrdiff_t>((k + 1) * width / N);
      std::nth_element(left, next, ranking_.end(), less);
      left = next;
    }
    ranking_.resize(width);
    std::sort(ranking_.begin(), ranking_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t k = 0; k < width; ++k) current_[k] = current_[ranking_[k].second];
    current_.resize(width);
    return true;
  }

  /// To where just these operations are open, in the order of their calls. @pre not busy
  void go_to(std::span<const std::uint32_t> opened, std::vector<Configuration> configurations,
             std::uint32_t passed = 0) {
    responses_ = passed;
    phase_ = Phase::between;
    window_.clear();
    domain_.clear();
    for (const std::uint32_t x : opened) open(x);
    current_ = std::move(configurations);
  }
  /// Back before the response of x, or before its call, but for the configurations.
  void open(std::uint32_t x) {
    window_.open(x, [this](std::uint32_t y, std::uint32_t z) { return domain_.alike(y, z); });
    domain_.open(x);
  }
  void shut(std::uint32_t x) {
    domain_.close(x);
    window_.close(x);
  }

  /// What was met during the last response that not all had passed, by number.
  [[nodiscard]] const std::vector<Configuration>& met() const { return met_; }
  /// Between two events; distinct where the domain merges.
  [[nodiscard]] const std::vector<Configuration>& current() const { return current_; }
  [[nodiscard]] std::vector<Configuration>& current() { return current_; }
  [[nodiscard]] Domain& domain() { return domain_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  [[nodiscard]] const OfWindow& window() const { return window_; }
  void set_moment(history::Rank moment) { window_.moment = moment; }
  /// For the steps to come. It outlives them.
  void set_budget(core::Budget& budget) { window_.budget = &budget; }
  [[nodiscard]] std::uint64_t steps() const { return window_.steps; }
  /// Responses.
  [[nodiscard]] std::uint32_t passed() const { return responses_; }
  /// Of what is known, what has the most operations done.
  [[nodiscard]] const Configuration& furthest() const {
    const auto fewer = [](const Configuration& a, const Configuration& b) { return a.mask.count() < b.mask.count(); };
    const bool further = phase_ == Phase::expanding && !met_.empty();
    const std::vector<Configuration>& known = further ? met_ : current_;
    return *std::max_element(known.begin(), known.end(), fewer);
  }

  /// After a response: collects the links that nobody needs, where they are many. `each_kept(visit)` calls
  /// `visit(configurations)` for those that are kept besides the current ones.
  template <class EachKept>
  void collect_links(EachKept&& each_kept) {
    SharedChains<typename Domain::Link>& chains = window_.chains();
    if (!chains.worth_collecting(std::size_t{1} << 18)) return;
    std::vector<std::uint32_t*> tails;
    const auto gather = [&](std::vector<Configuration>& configurations) {
      for (Configuration& each : configurations) tails.push_back(&each.tail);
    };
    gather(current_);
    each_kept(gather);
    chains.collect(tails, [](std::uint32_t* tail) -> std::uint32_t& { return *tail; });
  }

  /// Whether the budget allows what the next few steps may take at once.
  [[nodiscard]] bool may_grow(core::Budget& budget) const {
    const auto growth = [](const auto& list) {
      return list.size() + kAhead > list.capacity() ? 2 * list.capacity() * sizeof(list[0]) : 0;
    };
    std::size_t bytes = window_.chains().growth(kAhead) + growth(met_) + growth(passed_) + 2 * growth(index_);
    if constexpr (requires { domain_.growth(); }) bytes += domain_.growth();
    return bytes < kLarge || budget.allows(bytes);
  }

 private:
  enum class Phase : std::uint8_t { between, expanding, pruning, refuted };

  /// Notes a configuration of this response.
  Met meet(const Configuration& configuration) {
    if constexpr (!Domain::kMerges) {
      if ((configuration.mask & own_).any()) {
        if constexpr (requires { domain_.keep(passed_, configuration); }) {
          domain_.keep(passed_, configuration);
        } else {
          passed_.push_back(configuration);
        }
        return {};
      }
    } else {
      if (2 * (met_.size() + 1) > index_.size()) grow_index();
      std::uint32_t& place = place_of(configuration);
      if (place != 0) {
        Configuration& known = met_[place - 1];
        if constexpr (requires { domain_.merge(known, configuration); }) domain_.merge(known, configuration);
        return {.entry = &known, .number = place - 1, .fresh = false};
      }
      place = static_cast<std::uint32_t>(met_.size()) + 1;
    }
    const auto at = static_cast<std::uint32_t>(met_.size());
    met_.push_back(configuration);
    // In the middle of a long step: where there is no room, the budget is spent, and the domain ends the step.
    const bool asks = met_.size() + kAhead == met_.capacity() && window_.budget != nullptr;
    if (asks) std::ignore = may_grow(*window_.budget);
    if ((configuration.mask & own_).any()) {
      through_.push_back(at);
    } else {
      if constexpr (Domain::kFirst == Expand::fewest_done) {
        const std::uint32_t bits = configuration.mask.count();
        if (layers_.size() <= bits) layers_.resize(bits + 1);
        layers_[bits].push_back(at);
      } else {
        waiting_.push_back(at);
      }
    }
    return {.entry = &met_[at], .number = at, .fresh = true};
  }

  [[nodiscard]] std::uint32_t next_to_expand() {
    if constexpr (Domain::kFirst == Expand::fewest_done) {
      if (through_.empty() && met_.size() >= effort_.met_before_passed) {
        left_out_ = true;
        return kNone;
      }
      for (; layer_ < layers_.size(); ++layer_, next_ = 0) {
        if (next_ < layers_[layer_].size()) return layers_[layer_][next_++];
        if (through_.size() < effort_.passed) continue;
        left_out_ = std::any_of(layers_.begin() + static_cast<std::ptrdiff_t>(layer_) + 1, layers_.end(),
                                [](const auto& layer) { return !layer.empty(); });
        break;
      }
      return kNone;
    } else if constexpr (Domain::kFirst == Expand::nearest) {
      return next_of_level();
    } else {
      if (next_ == waiting_.size()) return kNone;
      if constexpr (Domain::kFirst == Expand::latest_met) {
        const std::uint32_t latest = waiting_.back();
        waiting_.pop_back();
        return latest;
      }
      if (met_.size() >= (through_.empty() ? effort_.met_before_passed : effort_.met)) {
        left_out_ = true;
        return kNone;
      }
      return waiting_[next_++];
    }
  }

  /// Of a level each is asked twice: what leads to the responder at once, then, if too few have passed, for the rest.
  [[nodiscard]] std::uint32_t next_of_level() {
    while (true) {
      if (next_ < level_end_) {
        if (finishing_ || met_.size() < effort_.met_before_passed) return waiting_[next_++];
        left_out_ = true;
        next_ = level_end_;
      } else if (finishing_) {
        if (through_.size() >= effort_.passed || met_.size() >= effort_.met_before_passed) {
          left_out_ = true;
          return kNone;
        }
        finishing_ = false;
        next_ = level_begin_;
      } else {
        if (level_end_ == waiting_.size()) return kNone;
        level_begin_ = level_end_;
        level_end_ = waiting_.size();
        finishing_ = true;
      }
    }
  }

  [[nodiscard]] std::size_t home_of(const Configuration& configuration) const {
    return domain_.hash(configuration) & (index_.size() - 1);
  }
  /// Where the configuration stands in the index, or 0 for it to be put.
  [[nodiscard]] std::uint32_t& place_of(const Configuration& configuration) {
    std::size_t at = home_of(configuration);
    while (index_[at] != 0 && !domain_.same(met_[index_[at] - 1], configuration)) at = (at + 1) & (index_.size() - 1);
    return index_[at];
  }
  void grow_index() {
    index_.assign(std::max(kLeastIndex, 2 * index_.size()), 0);
    for (std::uint32_t at = 0; at < met_.size(); ++at) {
      std::size_t place = home_of(met_[at]);
      while (index_[place] != 0) place = (place + 1) & (index_.size() - 1);
      index_[place] = at + 1;
    }
  }
  void forget_met() {
    if constexpr (Domain::kMerges) {
      if (met_.size() * 8 > index_.size()) {
        index_.assign(std::max(kLeastIndex, index_.size() / 2), 0);
      } else {
        // Every place on the way of an entry belongs to some entry: all are cleared.
        for (const Configuration& each : met_) {
          for (std::size_t at = home_of(each); index_[at] != 0; at = (at + 1) & (index_.size() - 1)) index_[at] = 0;
        }
      }
    }
    met_.clear();
    waiting_.clear();
    through_.clear();
    passed_.clear();
    for (auto& layer : layers_) layer.clear();
    layer_ = 0;
    next_ = level_begin_ = level_end_ = 0;
    finishing_ = false;
  }

  void collect_passed() {
    const std::size_t bytes = through_.size() * sizeof(Configuration);
    if (bytes > kLarge && window_.budget != nullptr && !window_.budget->allows(bytes)) return;
    passed_.reserve(through_.size());
    for (const std::uint32_t at : through_) passed_.push_back(met_[at]);
    if (passed_.empty()) {
      phase_ = Phase::refuted;
      return;
    }
    phase_ = Phase::pruning;
    prune();
  }
  void prune() {
    if (!domain_.prune(responder_, passed_)) return;
    if (passed_.empty()) {
      phase_ = Phase::refuted;
    } else {
      finish();
    }
  }

  void finish() {
    std::swap(current_, passed_);
    close();
  }
  void close() {
    phase_ = Phase::between;
    domain_.close(responder_);
    for (Configuration& each : current_) each.mask &= ~own_;
    window_.close(responder_);
    ++responses_;
  }

  static constexpr std::size_t kLeastIndex = 256;
  static constexpr std::size_t kAhead = 4096;                  // configurations and links that a short step may take
  static constexpr std::size_t kLarge = std::size_t{1} << 20;  // bytes: the budget is asked for more

  OfWindow window_;
  Domain domain_;
  std::vector<Configuration> current_;
  std::uint32_t responses_ = 0;
  // During a response:
  Phase phase_ = Phase::between;
  std::uint32_t responder_ = 0;
  Mask own_;
  std::vector<Configuration> met_;
  std::vector<std::uint32_t> index_;                // open addressing; number in met_ + 1
  std::vector<std::uint32_t> waiting_, through_;    // in met_: without the responder, with it
  std::vector<std::vector<std::uint32_t>> layers_;  // instead of waiting_, by the number of operations done
  std::size_t layer_ = 0, next_ = 0;                // to be expanded
  std::size_t level_begin_ = 0, level_end_ = 0;     // of waiting_: those that are so many moves away
  bool finishing_ = false;                          // asks for what leads to the responder at once
  std::vector<Configuration> passed_;
  Effort effort_;
  bool left_out_ = false;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ranking_;  // cost, number
  std::vector<std::int64_t> costs_;                              // of each configuration, all that it has
};

}  // namespace linchpin::algo

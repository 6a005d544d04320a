#include "explain/late_start.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_set.h>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/frontier_search.hpp"
#include "core/data_type.hpp"
#include "decide/search/states.hpp"

namespace linchpin::explain {

namespace {

using history::Rank;

constexpr std::size_t kMostRemembered = 1U << 20;  // configurations of the last moments
constexpr std::size_t kMostMoments = 4096;         // looked at, from the last one back
constexpr std::size_t kMostStarts = 8;             // configurations tried at one moment

/// The configurations before the event of a rank, where the clock went on.
struct Moment {
  Rank rank = 0;
  std::size_t first = 0, last = 0;  // of `remembered_`
};

template <class Mask>
class StartSearch {
  using Domain = decide::States<Mask>;
  using Configuration = typename Domain::Configuration;

 public:
  StartSearch(const history::Subhistory& part, std::uint64_t steps, core::Budget& budget)
      : part_(part),
        budget_(budget),
        labels_(part),
        transitions_(part, labels_),
        frontier_(std::size_t{part.size()}, algo::Order{.due = part.response}, false, labels_, transitions_),
        most_steps_(steps) {}

  std::optional<LateStart> run() {
    const std::optional<Rank> stuck = pass_all();
    if (!stuck) return std::nullopt;
    std::optional<LateStart> best;
    std::uint32_t called = 0;  // since the moment looked at
    Rank rank = *stuck;
    for (std::size_t back = 0; back < std::min(moments_.size(), kMostMoments); ++back) {
      const Moment& moment = moments_[moments_.size() - 1 - back];
      for (; rank > moment.rank; --rank) called += part_.events()[rank - 1].is_response() ? 0 : 1;
      if (best && called > best->locals.size()) break;
      if (out_of_budget()) break;
      const std::optional<Configuration> start = start_at(moment);
      if (!start) continue;
      LateStart found{.tick = algo::tick(part_, moment.rank), .locals = locals_from(moment.rank, start->mask, *stuck)};
      if (best && found.locals.size() > best->locals.size()) continue;  // of equal ones the first
      found.end = *stuck + 1;
      found.state = transitions_.describe(start->state);
      found.from = starting_in(*part_.specification, found.state, part_.history->pool());
      if (found.from != nullptr) best = std::move(found);
    }
    return best;
  }

 private:
  bool out_of_budget() { return frontier_.steps() > most_steps_ || budget_.spent(); }

  [[nodiscard]] bool pure(std::uint32_t local) const { return frontier_.domain().pure(local); }
  [[nodiscard]] Mask bit(std::uint32_t local) const { return frontier_.window().bit(local); }

  /// The rank of the response at which no configuration is left; nothing where there is none, or out of budget.
  std::optional<Rank> pass_all() {
    for (Rank rank = 0; rank < part_.ranks(); ++rank) {
      if (rank > 0 && algo::tick(part_, rank - 1) < algo::tick(part_, rank)) remember(rank);
      const history::Event event = part_.events()[rank];
      if (!event.is_response()) {
        frontier_.call(event.operation());
        continue;
      }
      frontier_.respond(event.operation());
      while (frontier_.busy()) {
        if (out_of_budget()) return std::nullopt;
        frontier_.step();
      }
      if (frontier_.refuted()) return rank;
    }
    return std::nullopt;
  }

  void remember(Rank rank) {
    if (remembered_.size() + frontier_.current().size() > kMostRemembered) {  // the older half goes
      const std::size_t half = moments_.size() / 2;
      moments_.erase(moments_.begin(), moments_.begin() + static_cast<std::ptrdiff_t>(half));
      const std::size_t gone = moments_.empty() ? remembered_.size() : moments_.front().first;
      remembered_.erase(remembered_.begin(), remembered_.begin() + static_cast<std::ptrdiff_t>(gone));
      for (Moment& each : moments_) {
        each.first -= gone;
        each.last -= gone;
      }
    }
    moments_.push_back({rank, remembered_.size(), remembered_.size() + frontier_.current().size()});
    remembered_.insert(remembered_.end(), frontier_.current().begin(), frontier_.current().end());
  }

  /// Whether what follows from `other` follows from `one` as well: the same state, and the same took effect, but that
  /// `one` may have more pure operations behind it, and others for which ones that it has before it can stand.
  [[nodiscard]] bool covers(const Configuration& one, const Configuration& other) {
    if (one.state != other.state) return false;
    only_in_one_.clear();
    only_in_other_.clear();
    for (const std::uint32_t local : open_) {
      const bool in_one = one.has(bit(local));
      if (in_one == other.has(bit(local)) || (pure(local) && in_one)) continue;
      (in_one ? only_in_one_ : only_in_other_).push_back(local);
    }
    if (only_in_one_.size() != only_in_other_.size()) return false;
    const auto later = [this](std::uint32_t a, std::uint32_t b) { return part_.response[a] > part_.response[b]; };
    std::sort(only_in_one_.begin(), only_in_one_.end(), later);
    std::sort(only_in_other_.begin(), only_in_other_.end(), later);
    return std::all_of(only_in_one_.begin(), only_in_one_.end(), [this](std::uint32_t local) {
      const auto found = std::find_if(only_in_other_.begin(), only_in_other_.end(),
                                      [&](std::uint32_t other_local) { return stands_for(other_local, local); });
      if (found == only_in_other_.end()) return false;
      only_in_other_.erase(found);
      return true;
    });
  }

  /// Whether operation `a` can take the place of `b`, both being open: it does the same, or may do so, its result being
  /// lost, and need not return earlier.
  [[nodiscard]] bool stands_for(std::uint32_t a, std::uint32_t b) const {
    if (part_.response[a] < part_.response[b]) return false;
    if (labels_.of(a) == labels_.of(b)) return true;
    const Operation mine = part_.view(a), its = part_.view(b);
    return mine.result_unknown() && mine.method == its.method && mine.process == its.process &&
           std::equal(mine.arguments.begin(), mine.arguments.end(), its.arguments.begin(), its.arguments.end());
  }

  /// A configuration of the moment that can go on to all the others.
  std::optional<Configuration> start_at(const Moment& moment) {
    std::vector<Configuration> all(remembered_.begin() + static_cast<std::ptrdiff_t>(moment.first),
                                   remembered_.begin() + static_cast<std::ptrdiff_t>(moment.last));
    open_.clear();
    Mask pure_ones;
    for (const std::uint32_t local : open_at(moment.rank)) {
      open_.push_back(local);
      if (pure(local)) pure_ones |= bit(local);
    }
    frontier_.domain().set_open(open_);
    const auto count = [&](const Configuration& c) { return (c.mask & ~pure_ones).count(); };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Configuration& a, const Configuration& b) { return count(a) < count(b); });
    for (std::size_t k = 0; k < all.size() && k < kMostStarts && count(all[k]) == count(all[0]); ++k) {
      if (goes_on_to_all(all[k], all)) return all[k];
      if (out_of_budget()) break;
    }
    return std::nullopt;
  }

  bool goes_on_to_all(const Configuration& start, const std::vector<Configuration>& all) {
    if (all.size() == 1) return true;
    seen_ = {{start.mask, start.state}};
    reached_ = {start};
    for (std::size_t next = 0; next < reached_.size();) {
      const Configuration from = reached_[next++];
      for (const std::uint32_t local : open_) {
        if (from.has(bit(local))) continue;
        frontier_.domain().each_after(from, local, [&](const Configuration& to) {
          if (seen_.insert({to.mask, to.state}).second) reached_.push_back(to);
        });
      }
      if (out_of_budget()) return false;
    }
    return std::all_of(all.begin(), all.end(), [&](const Configuration& other) {
      return std::any_of(reached_.begin(), reached_.end(),
                         [&](const Configuration& one) { return covers(one, other); });
    });
  }

  /// The operations open just before the event of the rank: the pending ones, and of the others as many as there are,
  /// looked for from the latest call back.
  [[nodiscard]] std::vector<std::uint32_t> open_at(Rank rank) {
    if (open_before_.empty()) count_open();
    std::vector<std::uint32_t> open;
    for (std::uint32_t local = called_before(rank), left = open_before_[rank]; left > 0;) {
      --local;
      if (part_.pending(local) || part_.response[local] < rank) continue;
      open.push_back(local);
      --left;
    }
    for (const std::uint32_t local : pending_) {
      if (part_.call[local] < rank) open.push_back(local);
    }
    std::sort(open.begin(), open.end());
    return open;
  }

  void count_open() {
    std::uint32_t open = 0;
    for (const history::Event event : part_.events()) {
      open_before_.push_back(open);
      if (part_.pending(event.operation())) {
        pending_.push_back(event.operation());
      } else {
        open += event.is_response() ? ~0U : 1U;
      }
    }
  }

  [[nodiscard]] std::uint32_t called_before(Rank rank) const {
    return static_cast<std::uint32_t>(std::lower_bound(part_.call.begin(), part_.call.end(), rank) -
                                      part_.call.begin());
  }

  /// What was open at the rank and not done, and what was called from there to the end.
  [[nodiscard]] std::vector<std::uint32_t> locals_from(Rank rank, const Mask& done, Rank end) {
    std::vector<std::uint32_t> locals;
    for (const std::uint32_t local : open_at(rank)) {
      if ((done & bit(local)).none()) locals.push_back(local);
    }
    for (std::uint32_t local = called_before(rank); local < called_before(end); ++local) locals.push_back(local);
    return locals;
  }

  const history::Subhistory& part_;
  core::Budget& budget_;
  decide::Labels labels_;
  decide::Transitions transitions_;
  algo::Frontier<Domain> frontier_;
  std::vector<std::uint32_t> open_;  // at the moment looked at: locals, in the order of their calls
  std::vector<Configuration> reached_;
  absl::flat_hash_set<std::pair<Mask, StateId>> seen_;
  std::vector<std::uint32_t> only_in_one_, only_in_other_;  // locals
  std::vector<Configuration> remembered_;
  std::vector<Moment> moments_;
  history::ByRank<std::uint32_t> open_before_;  // open operations that return
  std::vector<std::uint32_t> pending_;          // locals
  const std::uint64_t most_steps_;
};

/// The built-in type that the specification was made of, where it can be told to start in another state.
std::optional<core::MadeBy> startable(const Specification& specification) {
  auto made = core::made_by(specification);
  return made && !made->data_type->start_option.empty() ? std::move(made) : std::nullopt;
}

}  // namespace

bool has_starts(const Specification& specification) { return startable(specification).has_value(); }

std::shared_ptr<const Specification> starting_in(const Specification& specification, const std::string& state,
                                                 const ValuePool& pool) {
  auto made = startable(specification);
  if (!made) return nullptr;
  const core::DataType& data_type = *made->data_type;
  std::erase_if(made->type.options, [&](const auto& each) { return each.first == data_type.start_option; });
  if (std::string value = data_type.start_value(state); !value.empty()) {
    made->type.options.emplace_back(data_type.start_option, std::move(value));
  }
  const auto started = data_type.make(made->type);
  if (!started) return nullptr;  // not every state can be written as an option
  const auto states = (*started)->make_states();
  return states->describe(states->initial(), pool) == state ? *started : nullptr;
}

std::optional<LateStart> find_late_start(const history::Subhistory& part, std::uint64_t steps, core::Budget& budget) {
  const std::uint32_t open = history::most_open(part.events());
  if (open > algo::kMostOpen) return std::nullopt;
  return algo::with_slots(open, [&]<class Mask>() { return StartSearch<Mask>(part, steps, budget).run(); });
}

std::optional<LateStart> late_start_at(const history::Subhistory& part, const core::CertainMoment& moment,
                                       std::uint32_t blocked) {
  LateStart start{.tick = algo::tick(part, moment.rank),
                  .locals = {},
                  .end = part.response[blocked] + 1,
                  .from = starting_in(*part.specification, moment.state, part.history->pool()),
                  .state = moment.state};
  if (start.from == nullptr) return std::nullopt;
  for (std::uint32_t local = 0; local < part.size() && part.call[local] < part.response[blocked]; ++local) {
    const bool over = part.response[local] < moment.rank ||
                      std::find(moment.done.begin(), moment.done.end(), local) != moment.done.end();
    if (!over) start.locals.push_back(local);
  }
  return start;
}

}  // namespace linchpin::explain

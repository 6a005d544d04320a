// The portfolio: several searches in turn, and side by side where a history stays hard. All general searches as
// deciders.
//
// Breadth first wins on long histories with few states and on negative answers; depth first where a witness is easy or
// the state remembers an undecided past; breadth first with few configurations where there are many states and a
// witness; a search made for the type, where there is one and it applies, on most of the rest. None is known in advance
// to be the best: each gets a budget of steps, which doubles until one decides. The time lost is at most a factor of
// twenty over the best of the general three; a type's own search has most of the time.
// After the first search's first turn comes the lift of the type's monitor, where there is one: a run of the monitor on
// a first guess, often a witness already, and more turns while it sees hope. What is small is decided before that.
// What is undecided after a second or so goes on in all threads that it may use: the type's own search in one, the
// others by turns in another, and in further ones the type's own search in its other ways, since one may be lucky.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "decide/search/search_task.hpp"
#include "decide/search/side_by_side.hpp"
#include "decide/search/turns.hpp"

namespace linchpin::decide {

namespace {

/// Their places in `searches()`.
enum : std::size_t { kGeneral, kConfigurationSet, kDepthFirst, kFewConfigurations };

class TurnsThenThreads final : public Portfolio {
 public:
  /// The general three; `own` and a lift of the type's monitor besides, where there are such and `with_lift`.
  TurnsThenThreads(const history::Subhistory& part, const core::DeciderOptions& options, const core::Decider* own,
                   bool with_lift)
      : part_(part), options_(options), own_(own) {
    std::vector<Turns::Member> members;
    // At a weaker level all operations overlap: a step of the general searches takes as long as there are operations,
    // and so many steps are needed to get on.
    const std::uint64_t overlap = part.recorded == nullptr ? 1 : 1 + part.size() / kFewOpen;
    const std::uint64_t own_share = kOwnShare * overlap * overlap;
    if (own != nullptr) members.push_back({.decider = own, .share = own_share});
    members.push_back({.decider = &searches()[kDepthFirst]});
    if (with_lift) members.insert(members.begin() + 1, {.share = kOwnShare});
    members.push_back(
        {.decider = &searches()[kFewConfigurations], .share = own == nullptr ? kFewShare : kFewShareBesideOwn});
    members.push_back({.decider = &searches()[kConfigurationSet]});
    const std::uint64_t first_look = std::max<std::uint64_t>(kFirstLook, part.size()) / kOwnShare;
    turns_ =
        std::make_unique<Turns>(part, options, std::move(members), own == nullptr ? Turns::kFirstQuantum : first_look);
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (threads_ > 1 && steps_ >= kInTurns) use_threads();
    steps_ += steps;
    return task().run(steps, budget);
  }

  core::Outcome outcome() const override { return task().outcome(); }
  const core::Decider* decided_by() const override { return task().decided_by(); }
  std::uint32_t passed() const override { return task().passed(); }

  void may_use(unsigned threads) override { threads_ = threads; }

 private:
  static constexpr std::uint64_t kFirstLook = 4096;  // or a step an operation: a type's own search, before its lift
  static constexpr std::uint64_t kOwnShare = 8;
  static constexpr std::uint64_t kFewOpen = 64;
  static constexpr std::uint64_t kFewShare = 8;  // it finds most witnesses of hard histories
  static constexpr std::uint64_t kFewShareBesideOwn = 2;
  static constexpr std::uint64_t kInTurns = std::uint64_t{1} << 20;  // steps, before several threads are used

  [[nodiscard]] core::SearchTask& task() const {
    if (side_by_side_ != nullptr) return *side_by_side_;
    return *turns_;
  }

  void use_threads() {
    if (side_by_side_ == nullptr) {
      side_by_side_ = std::make_unique<SideBySide>();
      auto best = own_ != nullptr ? turns_->take_out(*own_) : std::nullopt;
      if (!best) {
        own_ = nullptr;  // it did not apply after all
        best = turns_->take_out(searches()[kFewConfigurations]);
      }
      side_by_side_->add({.decider = best->decider, .task = std::move(best->task)});
      if (threads_ == 2 && more_ways())
        turns_->add({.decider = own_, .share = kOwnShare, .way = way_++, .spare = true});
      side_by_side_->add({.task = std::move(turns_)});
    }
    for (; side_by_side_->size() < threads_ && more_ways(); ++way_) {
      core::DeciderOptions options = options_;
      options.way = way_;
      side_by_side_->add({.decider = own_, .task = own_->start(part_, options), .spare = true});
    }
  }
  [[nodiscard]] bool more_ways() const { return own_ != nullptr && way_ < own_->ways; }

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  const core::Decider* own_;
  std::unique_ptr<Turns> turns_;              // handed on to those side by side
  std::unique_ptr<SideBySide> side_by_side_;  // null: not yet
  unsigned threads_ = 1;
  unsigned way_ = 1;  // the next one that nobody goes
  std::uint64_t steps_ = 0;
};

core::Applicability always(const history::Subhistory& /*part*/) {
  return {.applies = true, .why = "any history of any type"};
}

std::unique_ptr<SearchTask> make_general(const history::Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<TurnsThenThreads>(part, options, nullptr, false);
}

constexpr std::array kSearches{
    core::Decider{
        .name = "search",
        .kind = core::Kind::search,
        .by_key = true,
        .about = {.types = "all",
                  .when = "always",
                  .method = "configuration-set, few-configurations and depth-first in turn, with budgets that double",
                  .cost = "exponential at worst",
                  .source = "docs/design/search.md"},
        .applicable = &always,
        .start = &make_general},
    core::Decider{
        .name = "configuration-set",
        .kind = core::Kind::search,
        .by_key = true,
        .about = {.types = "all",
                  .when = "always",
                  .method =
                      "the configurations that are possible after each event, those pruned that others make needless",
                  .cost = "exponential at worst",
                  .source = "Wing, Gong, 1993; Lowe, 2017: docs/design/search.md"},
        .applicable = &always,
        .start = &make_configuration_set},
    core::Decider{.name = "depth-first",
                  .kind = core::Kind::search,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "always",
                            .method = "depth first, with a memo of the configurations of a window",
                            .cost = "exponential at worst",
                            .source = "Wing, Gong, 1993; Lowe, 2017: docs/design/search.md"},
                  .applicable = &always,
                  .start = &make_depth_first},
    core::Decider{.name = "few-configurations",
                  .kind = core::Kind::search,
                  .by_key = true,
                  .about = {.types = "all",
                            .when = "always",
                            .method = "the configuration set, of which only a few are kept; more where none goes on",
                            .cost = "exponential at worst",
                            .source = "own: docs/design/search.md"},
                  .applicable = &always,
                  .start = [](const history::Subhistory& part,
                              const core::DeciderOptions& options) { return make_few_configurations(part, options); }},
};

}  // namespace

std::unique_ptr<Portfolio> make_portfolio(const history::Subhistory& part, const core::DeciderOptions& options,
                                          const core::Decider* own) {
  return std::make_unique<TurnsThenThreads>(part, options, own, true);
}

std::span<const core::Decider> searches() { return kSearches; }

}  // namespace linchpin::decide

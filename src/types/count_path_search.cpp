#include "types/count_path_search.hpp"

#include <utility>

#include "algo/count_paths.hpp"
#include "algo/frontier/frontier_search.hpp"

namespace linchpin::types {

namespace {

using algo::CountPathInput;
using algo::CountStep;

constexpr std::int64_t kMostNumber = std::int64_t{1} << 59;  // keeps all arithmetic below from overflowing
constexpr std::int64_t kMostAmount = std::int64_t{1} << 27;

struct CountReading {
  std::string obstacle;  // empty: there is none
  CountPathInput input;
};

std::int64_t size_of(std::int64_t change) {
  if (change < -kMostAmount || change > kMostAmount) return kMostAmount + 1;
  return change < 0 ? -change : change;
}

/// Counts in units of the one amount, from 0 at first.
CountReading read_count(const history::Subhistory& part, const ContentHistory& history) {
  CountReading reading;
  if (!history.obstacle.empty()) return {.obstacle = history.obstacle, .input = {}};
  std::int64_t amount = 0;
  for (const ContentAct& act : history.acts) {
    if (act.change == 0) continue;
    if (size_of(act.change) > kMostAmount) return {.obstacle = "the amounts are too big", .input = {}};
    if (amount != 0 && size_of(act.change) != amount)
      return {.obstacle = "the amounts of the changes differ", .input = {}};
    amount = size_of(act.change);
  }
  if (amount == 0) amount = 1;
  if (history.initial < -kMostNumber || history.initial > kMostNumber) {
    return {.obstacle = "the number at first is too big", .input = {}};
  }
  CountPathInput& input = reading.input;
  input.operations.resize(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const ContentAct& act = history.acts[i];
    CountPathInput::Operation& operation = input.operations[i];
    const bool pending = part.pending(i);
    operation.deadline = part.response[i];
    if (act.need == ContentNeed::total && act.change != 0) {
      return {.obstacle = "a change returned the number", .input = {}};
    }
    if (act.need == ContentNeed::never) {
      if (pending) continue;
      operation = {.step = CountStep::look, .deadline = part.response[i], .least = 1, .most = 0};  // no count is
    } else if (act.change != 0) {
      operation.step = act.change > 0 ? CountStep::up : CountStep::down;
      if (act.need == ContentNeed::some) input.lowest = -history.initial / amount;
    } else if (!pending) {
      operation.step = act.need == ContentNeed::nothing ? CountStep::free : CountStep::look;
      operation.least = 1;  // no count is
      operation.most = 0;
      const bool near = act.number >= -kMostNumber && act.number <= kMostNumber;
      if (near && (act.number - history.initial) % amount == 0) {
        operation.least = operation.most = (act.number - history.initial) / amount;
      }
    }
  }
  input.ends.reserve(part.ranks().number());
  for (history::Rank rank = 0; rank < part.ranks(); ++rank) input.ends.push_back({rank, part.events()[rank]});
  return reading;
}

}  // namespace

core::Applicability count_paths_apply(const history::Subhistory& part, const ContentHistory& history) {
  if (history.other_type) return core::not_of_this_type(history.obstacle);
  core::Applicability contents = content_applies(part, history);  // says how much may be open
  if (!contents.applies) return contents;
  std::string obstacle = read_count(part, history).obstacle;
  if (!obstacle.empty()) return {.applies = false, .why = std::move(obstacle)};
  return {.applies = true, .why = "all changes are by the same amount, up or down"};
}

std::unique_ptr<core::SearchTask> start_count_paths(const history::Subhistory& part, const ContentHistory& history,
                                                    const core::DeciderOptions& options) {
  CountReading reading = read_count(part, history);
  const std::uint32_t open = reading.obstacle.empty() ? algo::most_open(reading.input) : 0;
  if (!reading.obstacle.empty() || open > algo::kMostOpen)
    return std::make_unique<core::Decided>(core::not_applicable());
  return algo::with_slots(open, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    return std::make_unique<algo::FrontierSearch<algo::Counts<Mask>>>(
        part, options.witness, std::make_shared<const CountPathInput>(std::move(reading.input)));
  });
}

}  // namespace linchpin::types

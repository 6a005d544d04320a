// See random_history.hpp. Method, arguments and results come from a simulation run one operation at a time (so that
// they are of the right kinds), with the results then dealt out again among the operations of one method.
#include "generate/random_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "linchpin/check.hpp"

namespace linchpin::generate {

namespace {

constexpr int kTries = 100'000;
constexpr double kTicks = 10;  // a unit of time

}  // namespace

Result<History> RandomHistories::draw() {
  Plan plan = plan_.plan;
  plan.processes = 1;
  plan.in_flight.reset();
  plan.seed = random_.next();
  auto simulation = Simulation::make(plan);
  if (!simulation) return simulation.error();
  auto rows = all_rows(*simulation);
  if (!rows) return rows.error();

  const auto between = [&](std::pair<double, double> range) {
    return static_cast<Tick>(std::llround(kTicks * (range.first + random_.unit() * (range.second - range.first))));
  };
  std::vector<Tick> free(plan_.plan.processes, 0);
  std::map<std::uint16_t, std::vector<std::size_t>> same_method;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    Row& row = (*rows)[i];
    row.process = static_cast<ProcessId>(random_.below(free.size()));
    row.call = free[row.process] + between(plan_.offset) + 1;
    row.response = row.call + between(plan_.duration);
    free[row.process] = row.response;
    same_method[row.method].push_back(i);
  }
  for (const auto& [method, members] : same_method) {
    for (std::size_t k = members.size(); k > 1; --k) {
      std::swap((*rows)[members[k - 1]].result, (*rows)[members[random_.below(k)]].result);
    }
  }
  std::sort(rows->begin(), rows->end(), [](const Row& left, const Row& right) {
    return std::pair(left.call, left.process) < std::pair(right.call, right.process);
  });
  return to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
}

Result<History> RandomHistories::next() {
  if (!plan_.linearizable) return draw();
  // Labels are spread evenly: after k histories, round(share * k) are linearizable.
  const bool wanted = std::floor(*plan_.linearizable * (given_ + 1) + 0.5) > linearizable_;
  for (int tries = 0; tries < kTries; ++tries) {
    auto history = draw();
    if (!history) return history;
    CheckOptions options;
    options.witness = false;
    options.shrink = false;
    options.limits.time = std::chrono::duration<double>(1);
    const auto verdict = check(*history, options);
    if (!verdict) return verdict.error();
    if (verdict->verdict != (wanted ? Verdict::linearizable : Verdict::violation)) continue;
    ++given_;
    if (wanted) ++linearizable_;
    return history;
  }
  return Error{
      .code = ErrorCode::unsupported,
      .message = fmt::format("none of {} random histories is {}", kTries, wanted ? "linearizable" : "a violation"),
      .hint = "ask for fewer operations, longer durations, or another --linearizable share"};
}

}  // namespace linchpin::generate

// See random_history.hpp. Method, arguments and results come from a simulation run one operation at a time (so that
// they are of the right kinds), with the results then dealt out again among the operations of one method that have as
// many arguments. Of transactions it is what their reads saw that is dealt out, among the reads of one key.
#include "generate/random_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <vector>

#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/transactions.hpp"
#include "linchpin/check.hpp"

namespace linchpin::generate {

namespace {

constexpr double kTicks = 10;  // a unit of time

/// Deals out again what `of` finds at each of the places.
template <class Place, class Of>
void deal(std::vector<Place>& places, Random& random, const Of& of) {
  for (std::size_t k = places.size(); k > 1; --k) std::swap(of(places[k - 1]), of(places[random.below(k)]));
}

/// Among the operations of one method that have as many arguments.
void deal_results(std::vector<Row>& rows, Random& random) {
  std::map<std::pair<std::uint16_t, std::uint8_t>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_transaction(rows[i])) alike[{rows[i].method, rows[i].count}].push_back(i);
  }
  for (auto& [method, members] : alike) {
    deal(members, random, [&](std::size_t member) -> Value& { return rows[member].result; });
  }
}

void deal_reads(std::vector<Row>& rows, Random& random, ValuePool& pool) {
  struct Place {
    std::size_t row;
    std::size_t part;
    Value value;
  };
  std::map<std::uint64_t, std::vector<Place>> of_key;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Read& read : reads_of(rows[i], pool)) of_key[read.key.bits()].push_back({i, read.part, read.value});
  }
  for (auto& [key, places] : of_key) {
    deal(places, random, [](Place& place) -> Value& { return place.value; });
    for (const Place& place : places) see(rows[place.row], place.part, place.value, pool);
  }
}

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
  for (Row& row : *rows) {
    row.process = static_cast<ProcessId>(random_.below(free.size()));
    row.call = free[row.process] + between(plan_.offset) + 1;
    row.response = row.call + between(plan_.duration);
    free[row.process] = row.response;
  }
  deal_results(*rows, random_);
  deal_reads(*rows, random_, simulation->pool());
  std::sort(rows->begin(), rows->end(), [](const Row& left, const Row& right) {
    return std::pair(left.call, left.process) < std::pair(right.call, right.process);
  });
  return to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
}

Result<History> RandomHistories::next(const Limits& limits) {
  if (!plan_.linearizable) return draw();
  // Labels are spread evenly: after k histories, round(share * k) are linearizable.
  const bool wanted = std::floor(*plan_.linearizable * (given_ + 1) + 0.5) > linearizable_;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::size_t drawn = 0;
  while (!limits.time || Clock::now() - begin < *limits.time) {
    if (limits.stop.stop_requested()) return Error{.code = ErrorCode::interrupted, .message = "interrupted"};
    auto history = draw();
    if (!history) return history;
    ++drawn;
    CheckOptions options;
    options.witness = false;
    options.shrink = false;
    options.limits = limits;
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
      .message = fmt::format("none of {} random histories is {}", drawn, wanted ? "linearizable" : "a violation"),
      .hint = "ask for fewer operations, longer durations, or another --linearizable share"};
}

}  // namespace linchpin::generate

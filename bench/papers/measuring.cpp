#include "papers/measuring.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"

namespace linchpin::papers {

bool make_history(const std::filesystem::path& file, const std::function<Result<History>()>& make) {
  bench::Usage usage;
  const auto written = bench::in_child<bool>(usage, [&](bool& done) {
    const auto history = make();
    const auto text = history ? write_history(*history, "binary") : Result<std::string>(history.error());
    if (!text) {
      fmt::print(stderr, "error: {}\n", text.error().to_string());
      return;
    }
    std::FILE* const output = std::fopen(file.c_str(), "wb");
    done = output != nullptr && std::fwrite(text->data(), 1, text->size(), output) == text->size();
    if (output != nullptr) done = std::fclose(output) == 0 && done;
  });
  return written.value_or(false);
}

Result<History> simulated(const generate::Plan& plan, bool broken) {
  auto simulation = generate::Simulation::make(plan);
  if (!simulation) return simulation.error();
  auto rows = generate::all_rows(*simulation);
  if (!rows) return rows.error();
  if (broken) {
    auto changed = generate::break_history(*rows, *simulation, simulation->pool(), generate::Where::late);
    if (!changed) return changed.error();
  }
  return generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
}

namespace {

/// How many operations are open, this one included, when one is called: the mean. All have returned.
double mean_in_flight(const History& history) {
  std::vector<Tick> calls, responses;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    calls.push_back(history.call(i));
    responses.push_back(history.response(i));
  }
  std::sort(calls.begin(), calls.end());
  std::sort(responses.begin(), responses.end());
  double open = 0;
  std::size_t returned = 0;
  for (std::size_t called = 0; called < calls.size(); ++called) {
    while (responses[returned] < calls[called]) ++returned;
    open += static_cast<double>(called + 1 - returned);
  }
  return calls.empty() ? 0 : open / static_cast<double>(calls.size());
}

}  // namespace

Checked timed_check(const History& history, CheckOptions options) {
  options.threads = 1;
  Checked result;
  result.operations = history.size();
  result.in_flight = mean_in_flight(history);
  const double before = bench::cpu_seconds();
  const auto verdict = check(history, options);
  result.seconds = bench::cpu_seconds() - before;
  if (!verdict) return result;
  result.verdict = verdict->verdict;
  result.reason = verdict->reason;
  for (const ObjectVerdict& object : verdict->objects) {
    result.evidence_refuted = result.evidence_refuted || object.witness_checked == std::optional(false) ||
                              object.core_checked == std::optional(false);
    const std::size_t length = object.decider.copy(result.decider.data(), result.decider.size() - 1);
    result.decider[length] = '\0';
  }
  return result;
}

std::optional<Measured> measured_check(const std::filesystem::path& file, const CheckOptions& options) {
  Measured measured;
  const auto checked = bench::in_child<Checked>(measured.usage, [&](Checked& result) {
    const auto histories = read_histories(file.string(), {});
    if (histories && histories->size() == 1 && histories->front()) {
      result = timed_check(*histories->front(), options);
    }
  });
  if (!checked) return std::nullopt;
  measured.checked = *checked;
  return measured;
}

CheckOptions check_options(const Options& options, std::string decider) {
  CheckOptions check;
  check.decider = std::move(decider);
  check.threads = 1;
  check.limits.time = std::chrono::duration<double>(options.seconds);
  check.limits.memory = static_cast<std::size_t>(options.memory_gigabytes * (std::size_t{1} << 30));
  return check;
}

}  // namespace linchpin::papers

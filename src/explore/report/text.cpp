// What an exploration says to people, and to programs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "explore/option_names.hpp"
#include "explore/report/json_text.hpp"
#include "linchpin/explore.hpp"

namespace linchpin {

namespace {

using explorer::json_text;

constexpr std::array<std::string_view, 18> kNames = {
    "none",   "not_linearizable", "race",           "use_after_free", "out_of_bounds", "double_free", "bad_free",
    "leak",   "deadlock",         "lost_wakeup",    "endless",        "exception",     "assertion",   "crash",
    "misuse", "undecided",        "nondeterminism", "unsupported"};

std::string grouped(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// A column each thread; beside the access, its value, and what else there is to say.
std::string columns(const std::vector<ExploreStep>& steps) {
  unsigned threads = 0;
  std::size_t width = 0, where = 0;
  const auto cell = [](const ExploreStep& step) {
    return step.value.empty() ? step.what : fmt::format("{} {}", step.what, step.value);
  };
  const auto place = [](const ExploreStep& step) {
    return step.function.empty() ? step.where : fmt::format("{} {}", step.where, step.function);
  };
  constexpr std::size_t kWidest = 44;
  for (const ExploreStep& step : steps) {
    threads = std::max(threads, step.thread + 1);
    width = std::max(width, std::min(cell(step).size(), kWidest));
    where = std::max(where, std::min(place(step).size(), kWidest));
  }
  std::string text = "  step ";
  for (unsigned thread = 0; thread < threads; ++thread) {
    text += fmt::format(" {:<{}}", fmt::format("thread {}", thread + 1), width);
  }
  text += "\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string line = fmt::format("  {:>4} ", i + 1);
    for (unsigned thread = 0; thread < threads; ++thread) {
      line += fmt::format(" {:<{}}", thread == steps[i].thread ? cell(steps[i]) : "", width);
    }
    line += fmt::format("  {:<{}}", place(steps[i]), where);
    if (!steps[i].note.empty()) line += "  " + steps[i].note;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string bounds(const ExploreResult& result) {
  const ExploreOptions& options = result.options;
  const std::string memory =
      std::string(options.memory == ExploreMemory::cpp20 ? "C++20 memory model" : "sequential consistency") +
      (options.order == ExploreOrder::happens_before ? ", ordered by what happens before what" : "");
  switch (options.strategy) {
    case ExploreStrategy::bounded: break;
    case ExploreStrategy::random: return fmt::format("schedules at random, seed {}, {}", options.seed, memory);
    case ExploreStrategy::pct: return fmt::format("schedules by random priorities, seed {}, {}", options.seed, memory);
    case ExploreStrategy::dpor:
      return fmt::format("all schedules, but for those that swap independent steps only, {}", memory);
    case ExploreStrategy::exhaustive: return fmt::format("all schedules, {}", memory);
    case ExploreStrategy::hitting:
      return fmt::format("operations as a whole, in orders that hit all tuples of {}, {}", options.depth, memory);
  }
  return fmt::format("all schedules with at most {} deviation{} (preemptions{}), {}", options.deviations,
                     options.deviations == 1 ? "" : "s",
                     options.memory == ExploreMemory::cpp20 ? " and loads of older stores" : "", memory);
}

std::string_view reuse_text(ExploreReuse reuse) {
  return reuse == ExploreReuse::none   ? ""
         : reuse == ExploreReuse::lifo ? ", memory used again"
                                       : ", oldest memory used again";
}

std::string coverage_text(const ExploreCoverage& covered) {
  const std::string scenarios =
      covered.scenarios == covered.scenarios_in_all
          ? fmt::format("all {} scenarios", grouped(covered.scenarios))
          : fmt::format("{} of {} scenarios", grouped(covered.scenarios), grouped(covered.scenarios_in_all));
  std::string text = fmt::format("  {}{} threads x {} operation{}{}: {}, {} schedules, {} different histories\n",
                                 covered.beyond ? "beyond: " : "", covered.threads, covered.operations,
                                 covered.operations == 1 ? "" : "s", reuse_text(covered.reuse), scenarios,
                                 grouped(covered.schedules), grouped(covered.histories));
  if (covered.one_by_one > 0) {
    text += fmt::format("    of {} of them all schedules one by one: threads spin or share their stacks\n",
                        grouped(covered.one_by_one));
  }
  if (covered.held_back > 0) {
    text += fmt::format(
        "    in {} of them a thread had to wait after 31 looks in vain (or 1,000 steps): what it does after more is "
        "not "
        "covered\n",
        grouped(covered.held_back));
  }
  return text;
}

}  // namespace

std::string_view name(ExploreFinding finding) { return kNames[static_cast<std::size_t>(finding)]; }

std::string ExploreResult::to_string() const {
  if (error) return error->to_string();
  const std::string ran = fmt::format("{} schedules of {} scenario{}, {:.2f} s", grouped(schedules), grouped(scenarios),
                                      scenarios == 1 ? "" : "s", seconds);
  if (finding == ExploreFinding::none) {
    std::string text = complete ? "nothing found: " : "nothing found in what was covered: ";
    text += bounds(*this) + "\n";
    for (const ExploreCoverage& covered : coverage) text += coverage_text(covered);
    if (!outcomes.empty()) {
      text += "  outcomes:";
      for (const std::string& outcome : outcomes) text.append(" ").append(outcome);
      text += "\n";
    }
    if (known > 0) text += fmt::format("  {} of the scenarios by the certificate, from earlier runs\n", grouped(known));
    if (!complete) text += "  not all was covered: the time or the number of schedules was used up\n";
    return text + "  " + ran;
  }
  std::string text = message + "\n";
  if (!scenario.empty()) text += fmt::format("\nscenario: {}\n", scenario);
  if (!interleaving.empty()) text.append("\n").append(columns(interleaving));
  text += fmt::format("\nfound after {}", ran);
  if (options.strategy == ExploreStrategy::bounded && options.replay.empty()) {
    text += fmt::format(", with {} deviation{}", deviations, deviations == 1 ? "" : "s");
  }
  if (!token.empty()) text += fmt::format("\nreplay it with --replay '{}'", token);
  return text;
}

std::string ExploreResult::to_json() const {
  std::string json = fmt::format("{{\"finding\": {}", json_text(name(finding)));
  if (error) json += fmt::format(", \"error\": {}", json_text(error->to_string()));
  if (!message.empty()) json += fmt::format(", \"message\": {}", json_text(message));
  if (!scenario.empty()) json += fmt::format(", \"scenario\": {}", json_text(scenario));
  if (!token.empty()) json += fmt::format(", \"token\": {}, \"deviations\": {}", json_text(token), deviations);
  json += fmt::format(
      ", \"complete\": {}, \"schedules\": {}, \"steps\": {}, \"scenarios\": {}, \"known\": {}, \"histories\": {}, "
      "\"seconds\": {:.3f}",
      complete, schedules, steps, scenarios, known, histories, seconds);
  json += ", \"coverage\": [";
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    const ExploreCoverage& covered = coverage[i];
    json += fmt::format(
        "{}{{\"threads\": {}, \"operations\": {}, \"reuse\": {}, \"beyond\": {}, \"scenarios\": {}, "
        "\"scenarios_in_all\": {}, \"schedules\": {}, "
        "\"histories\": {}, \"one_by_one\": {}, \"held_back\": {}}}",
        i == 0 ? "" : ", ", covered.threads, covered.operations, json_text(explorer::name_of(covered.reuse)),
        covered.beyond, covered.scenarios, covered.scenarios_in_all, covered.schedules, covered.histories,
        covered.one_by_one, covered.held_back);
  }
  json += "], \"outcomes\": [";
  for (std::size_t i = 0; i < outcomes.size(); ++i) json += (i == 0 ? "" : ", ") + json_text(outcomes[i]);
  json += "], \"interleaving\": [";
  for (std::size_t i = 0; i < interleaving.size(); ++i) {
    const ExploreStep& step = interleaving[i];
    json +=
        fmt::format("{}{{\"thread\": {}, \"what\": {}, \"value\": {}, \"where\": {}, \"function\": {}, \"note\": {}}}",
                    i == 0 ? "" : ", ", step.thread + 1, json_text(step.what), json_text(step.value),
                    json_text(step.where), json_text(step.function), json_text(step.note));
  }
  return json + "]}";
}

}  // namespace linchpin

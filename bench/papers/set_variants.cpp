#include "papers/set_variants.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "app/quantities.hpp"

namespace linchpin::papers {

namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::optional<DecidedSet> decide_set(const SetHistories& set, const SetWorkload& workload, const Limits& limits,
                                     const Options& options, Page& page) {
  const auto file = options.scratch / "set.lch";
  const std::size_t operations = workload.threads * workload.operations;
  const std::string what = fmt::format("{}, {} operations, seed {}", set.name, operations, workload.seed);
  progress(what);
  if (!make_history(file, [&] { return set.record(workload); })) {
    page.wrong(what + ": it could not be recorded");
    return std::nullopt;
  }
  DecidedSet decided{.verdict = set.linearizable ? Verdict::linearizable : Verdict::unknown, .by = {}};
  for (std::size_t which = kSetVariants.size(); which-- > 0;) {
    CheckOptions check = check_options(options, kSetVariants[which].decider);
    check.limits = limits;
    check.shrink = false;
    check.witness = which + 1 == kSetVariants.size();  // the published variants' cost is that of the verdict
    check.verify = Verify::never;
    decided.by[which] = measured_check(file, check);
    if (!decided.by[which]) {
      page.wrong(fmt::format("{}: the process of {} failed", what, kSetVariants[which].name));
      continue;
    }
    const Checked& checked = decided.by[which]->checked;
    page.measured({set.name, fmt::to_string(operations), fmt::to_string(workload.seed), kSetVariants[which].name,
                   std::string(name(checked.verdict)), std::string(name(checked.reason)),
                   fmt::format("{:.4g}", checked.seconds), fmt::format("{:.0f}", decided.by[which]->usage.megabytes)});
    if (checked.verdict == Verdict::unknown) {
      if (checked.reason == Reason::not_applicable) {
        page.wrong(fmt::format("{}: {} does not apply", what, kSetVariants[which].name));
      }
      continue;
    }
    if (decided.verdict == Verdict::unknown) decided.verdict = checked.verdict;
    if (checked.verdict != decided.verdict) {
      page.wrong(fmt::format("{}: {} has the wrong verdict", what, kSetVariants[which].name));
    }
  }
  std::filesystem::remove(file);
  return decided;
}

void SetCell::add(const std::optional<Measured>& measured) {
  if (!measured) return;
  if (measured->checked.verdict == Verdict::unknown) {
    ++gave_up_[std::string(name(measured->checked.reason))];
    return;
  }
  seconds_.push_back(measured->checked.seconds);
  megabytes_.push_back(measured->usage.megabytes);
}

std::string SetCell::means() const { return text(false); }
std::string SetCell::means_and_most() const { return text(true); }

std::string SetCell::text(bool most) const {
  std::string text;
  if (!seconds_.empty()) {
    text = duration(mean(seconds_));
    if (most) text += fmt::format(" (max {})", duration(*std::max_element(seconds_.begin(), seconds_.end())));
    text += fmt::format(", {} MB", app::grouped(static_cast<std::size_t>(mean(megabytes_))));
  }
  for (const auto& [reason, count] : gave_up_) {
    text += fmt::format("{}{} gave up ({})", text.empty() ? "" : "; ", count, reason);
  }
  return text;
}

}  // namespace linchpin::papers

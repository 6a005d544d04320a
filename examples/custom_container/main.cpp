// Decides histories of a container that the library does not know in polynomial time, with nothing but public headers.
//
//   custom_container; echo $?     0: all verdicts are as they should be
#include <iostream>

#include "job_pool.hpp"
#include "linchpin/check.hpp"

namespace {

using linchpin::Value;

/// Twelve workers submit and take at the same time, so that a search would have much to try; then `last` is taken while
/// an urgent job is still there.
linchpin::Result<linchpin::History> record(bool urgent_first) {
  linchpin::HistoryBuilder builder;
  for (std::int64_t job = 0; job < 12; ++job) {
    const auto process = static_cast<linchpin::ProcessId>(job);
    builder.add(
        {.process = process, .method = "submit", .arguments = {Value::integer(job)}, .call = job, .response = 50});
    builder.add(
        {.process = process, .method = "take", .result = Value::integer((job + 5) % 12), .call = 51, .response = 100});
  }
  builder.add({.process = 20, .method = "submit", .arguments = {Value::integer(70)}, .call = 101, .response = 102});
  builder.add(
      {.process = 20, .method = "submit_urgent", .arguments = {Value::integer(71)}, .call = 103, .response = 104});
  const std::int64_t first = urgent_first ? 71 : 70, second = urgent_first ? 70 : 71;
  builder.add({.process = 21, .method = "take", .result = Value::integer(first), .call = 105, .response = 106});
  builder.add({.process = 21, .method = "take", .result = Value::integer(second), .call = 107, .response = 108});
  return std::move(builder).build();
}

}  // namespace

int main() {
  linchpin::CheckOptions options;
  options.specification = linchpin::specify_container<JobPool>("job-pool");
  options.verify = linchpin::Verify::thoroughly;
  bool as_expected = true;
  for (const bool urgent_first : {true, false}) {
    const auto history = record(urgent_first);
    if (!history) return 2;
    const auto verdict = linchpin::check(*history, options);
    if (!verdict) return 2;
    const linchpin::ObjectVerdict& object = verdict->objects[0];
    std::cout << (urgent_first ? "urgent job taken first: " : "urgent job taken last: ")
              << linchpin::name(verdict->verdict) << " by " << object.decider << '\n';
    if (object.violation) std::cout << "  " << object.violation->sentence << '\n';
    as_expected = as_expected && (verdict->verdict == linchpin::Verdict::linearizable) == urgent_first &&
                  object.witness_checked.value_or(true) && object.core_checked.value_or(true);
  }
  return as_expected ? 0 : 1;
}

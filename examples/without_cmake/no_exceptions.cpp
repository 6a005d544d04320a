// Compiled with -fno-exceptions: a verdict is a value, and so is an error.
#include <cstdio>

#include <linchpin/check.hpp>
#include <linchpin/record.hpp>

namespace {

linchpin::Result<linchpin::History> last_in_first_out() {
  using linchpin::Value;
  linchpin::HistoryBuilder builder;
  builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 2});
  builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(2)}, .call = 3, .response = 4});
  builder.add({.process = 1, .method = "dequeue", .result = Value::integer(2), .call = 5, .response = 6});
  return std::move(builder).build();
}

/// The verdict as that type, or the error; empty: something went wrong that should not.
std::string_view judged(const char* type) {
  const auto history = last_in_first_out();
  if (!history) return {};
  linchpin::CheckOptions options;
  options.type = {.name = type, .options = {}};
  const auto verdict = linchpin::check(*history, options);
  const std::string_view said = verdict ? name(verdict->verdict) : name(verdict.error().code);
  std::printf("as a %s: %.*s\n", type, static_cast<int>(said.size()), said.data());
  return said;
}

}  // namespace

int main() {
  const bool as_expected =
      judged("queue") == "violation" && judged("bag") == "linearizable" && judged("cueue") == "unknown_type";
  return as_expected ? 0 : 1;
}

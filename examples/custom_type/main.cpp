// Decides two histories of a data type that the library does not know, with nothing but its public headers.
//
//   custom_type; echo $?     0: both verdicts are as they should be
#include <iostream>

#include "linchpin/check.hpp"
#include "max_register.hpp"

namespace {

/// One process writes 7 and then 3; another reads while both have returned.
linchpin::Result<linchpin::History> record(std::int64_t seen) {
  using linchpin::Value;
  linchpin::HistoryBuilder builder;
  builder.add({.process = 0, .method = "write_max", .arguments = {Value::integer(7)}, .call = 1, .response = 2});
  builder.add({.process = 0, .method = "write_max", .arguments = {Value::integer(3)}, .call = 3, .response = 4});
  builder.add({.process = 1, .method = "read_max", .result = Value::integer(seen), .call = 5, .response = 6});
  return std::move(builder).build();
}

}  // namespace

int main() {
  linchpin::CheckOptions options;
  options.specification = linchpin::specify<MaxRegister>("max-register");
  bool as_expected = true;
  for (const std::int64_t seen : {7, 3}) {
    const auto history = record(seen);
    if (!history) return 2;
    const auto verdict = linchpin::check(*history, options);
    if (!verdict) return 2;
    std::cout << "read_max -> " << seen << ": " << linchpin::name(verdict->verdict) << '\n';
    as_expected = as_expected && (verdict->verdict == linchpin::Verdict::linearizable) == (seen == 7);
  }
  return as_expected ? 0 : 1;
}

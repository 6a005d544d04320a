// Reads two logs in a format that the library does not know, and decides them.
//
//   custom_format; echo $?     0: both verdicts, and the error of a damaged log, are as they should be
#include <iostream>

#include "access_log.hpp"
#include "linchpin/check.hpp"

namespace {

/// A client gives up setting a colour; whether it was set is seen by the next.
std::string log_that_sees(const std::string& colour) {
  return "1200 17 begin set colour red\n"
         "1350 17 end ok\n"
         "1400 18 begin set colour blue\n"
         "1500 19 begin get colour\n"
         "1900 18 end timeout\n"
         "2000 19 end " +
         colour + "\n";
}

/// The verdict, or the error's code.
std::string_view judged(const std::string& log) {
  std::istringstream input(log);
  const auto history = AccessLog::read(input);
  if (!history) return name(history.error().code);
  const auto verdict = linchpin::check(*history);
  return verdict ? name(verdict->verdict) : name(verdict.error().code);
}

bool expect(const std::string& log, std::string_view expected) {
  const std::string_view found = judged(log);
  std::cout << found << '\n';
  return found == expected;
}

}  // namespace

int main() {
  const bool as_expected = expect(log_that_sees("red"), "linearizable") &&
                           expect(log_that_sees("blue"), "linearizable") &&
                           expect(log_that_sees("green"), "violation") &&
                           expect("1350 17 end ok\n", "return_without_call") && expect("begin\n", "missing_field");
  return as_expected ? 0 : 1;
}

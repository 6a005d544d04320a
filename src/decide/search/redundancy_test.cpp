// What the search over configurations drops as redundant is never the only way on.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"

namespace linchpin {
namespace {

/// By the search over configurations alone.
Verdict verdict_of(const std::string& text) {
  const auto read = parse_histories(text);
  if (!read || !read->front()) throw std::logic_error("no history");
  CheckOptions options;
  options.decider = "configuration-set";
  return check(*read->front(), options)->verdict;
}

// After the read responds, one configuration has 1 inside since the beginning, and can do the removal, which overwrites
// nothing. The other one began with 7, and has done the removal and an add. They are in the same state then, and yet
// the add of 1, which responds, must be in the second: in the first it cannot happen any more.
TEST(Redundancy, WhatAnOperationDoesNotOverwriteIsStillToBeDone) {
  const std::string history =
      "# linchpin 1\n"
      "# type: set\n"
      "0 0 10 add 1 -> true\n"
      "1 1 11 add 7 -> true\n"
      "2 2 12 clear\n"
      "3 20 21 size -> 1\n"
      "0 30 50 add 1 -> true\n"
      "1 31 - add 1 -> true\n"
      "2 32 60 remove 7 -> ?\n"
      "3 33 40 read -> [1]\n";
  EXPECT_EQ(verdict_of(history), Verdict::linearizable);
  EXPECT_EQ(verdict_of(history + "3 51 55 contains 7 -> true\n"), Verdict::violation);
}

}  // namespace
}  // namespace linchpin

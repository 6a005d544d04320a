// Linearizability in Catch2 (2.x and 3.x). The failure message is the explanation.
//
//   CHECK_LINEARIZABLE(history, "queue");           // a History, a Result<History> or a Recorder
//   REQUIRE_LINEARIZABLE(recorder, "stack");
//   CHECK_THAT(history, linchpin::IsLinearizable("queue"));
//
// CMake: find_package(linchpin COMPONENTS catch2), target_link_libraries(... linchpin::catch2).
#pragma once

#include <string>
#include <utility>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "linchpin/judgement.hpp"

namespace linchpin {

/// Matches a History that is linearizable as one of the type.
class IsLinearizable : public Catch::Matchers::
#if __has_include(<catch2/catch_test_macros.hpp>)
                           MatcherBase<History>
#else
                           Impl::MatcherBase<History>
#endif
{
 public:
  explicit IsLinearizable(std::string type) : type_(std::move(type)) {}

  bool match(const History& history) const override {
    judgement_ = judge(history, type_);
    return judgement_.linearizable;
  }
  std::string describe() const override { return "is linearizable as a " + type_ + ", but is " + judgement_.message; }

 private:
  std::string type_;
  mutable Judgement judgement_;
};

}  // namespace linchpin

template <>
struct Catch::StringMaker<linchpin::History> {
  static std::string convert(const linchpin::History& history) {
    return "a history of " + std::to_string(history.size()) + " operations";
  }
};

#define LINCHPIN_CATCH2_JUDGE(assertion, ...)                               \
  do {                                                                      \
    const ::linchpin::Judgement judgement = ::linchpin::judge(__VA_ARGS__); \
    INFO(judgement.message);                                                \
    assertion(judgement.linearizable);                                      \
  } while (false)
#define CHECK_LINEARIZABLE(...) LINCHPIN_CATCH2_JUDGE(CHECK, __VA_ARGS__)
#define REQUIRE_LINEARIZABLE(...) LINCHPIN_CATCH2_JUDGE(REQUIRE, __VA_ARGS__)

// Linearizability in GoogleTest. The failure message is the explanation.
//
//   EXPECT_LINEARIZABLE(history, "queue");          // a History, a Result<History> or a Recorder
//   ASSERT_LINEARIZABLE(recorder, "stack");
//   EXPECT_LINEARIZABLE(history, linchpin::specify<MyType>("my type"));
//   EXPECT_THAT(history, linchpin::IsLinearizable("queue"));            // GoogleMock
//   EXPECT_THAT(linchpin::stress(linchpin::as::queue, make), linchpin::IsLinearizable());
//
// CMake: find_package(linchpin COMPONENTS gtest), target_link_libraries(... linchpin::gtest).
#pragma once

#include <ostream>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/judgement.hpp"

namespace linchpin {

/// For EXPECT_PRED_FORMAT2: GoogleTest gives the expressions as they are written.
template <class Subject, class Type>
::testing::AssertionResult linearizable_as(const char* subject_text, const char* /*type_text*/, const Subject& subject,
                                           const Type& type) {
  const Judgement judgement = judge(subject, type);
  if (judgement.linearizable) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << subject_text << " is " << judgement.message;
}

/// The matcher behind IsLinearizable.
template <class... Type>
class LinearizableMatcher {
 public:
  using is_gtest_matcher = void;  // NOLINT(readability-identifier-naming): GoogleMock looks for this name
  explicit LinearizableMatcher(Type... type) : type_(std::move(type)...) {}

  template <class Subject>
  bool MatchAndExplain(const Subject& subject, ::testing::MatchResultListener* listener) const {  // NOLINT
    const Judgement judgement = std::apply([&](const Type&... type) { return judge(subject, type...); }, type_);
    if (!judgement.linearizable) *listener << judgement.message;
    return judgement.linearizable;
  }
  void DescribeTo(std::ostream* out) const { *out << "is linearizable"; }              // NOLINT
  void DescribeNegationTo(std::ostream* out) const { *out << "is not linearizable"; }  // NOLINT

 private:
  std::tuple<Type...> type_;
};

/// Of a history or a recorder with its type, or of the result of `stress` without.
template <class... Type>
[[nodiscard]] auto IsLinearizable(Type... type) {  // NOLINT(readability-identifier-naming): named as matchers are
  return LinearizableMatcher<Type...>(std::move(type)...);
}

// GoogleTest prints what fails: not the bytes of an object, please.
inline void PrintTo(const History& history, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << "a history of " << history.size() << " operations";
}
inline void PrintTo(const Recorder& recorder, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << "a recording of " << recorder.size() << " operations";
}
inline void PrintTo(const StressResult& result, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << "a stress run of " << result.rounds << " rounds";
}

}  // namespace linchpin

#define EXPECT_LINEARIZABLE(subject, type) EXPECT_PRED_FORMAT2(::linchpin::linearizable_as, subject, type)
#define ASSERT_LINEARIZABLE(subject, type) ASSERT_PRED_FORMAT2(::linchpin::linearizable_as, subject, type)

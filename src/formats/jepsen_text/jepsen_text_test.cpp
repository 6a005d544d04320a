#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

/// An event's line.
std::string event(const std::string& text) {
  std::string line = "INFO  jepsen.util - " + text + "\n";
  for (std::size_t at = line.find(" :"); at != std::string::npos; at = line.find(" :", at)) line[at] = '\t';
  return line;
}

TEST(JepsenText, ReadsTheExampleOfItsGrammarPage) {
  const History history = history_of("", example("jepsen_text/examples/register.log"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "cas-register");
  EXPECT_THAT(operations_of(history),
              ElementsAre("read() -> nil@0-2", "write(3)@1-3", "cas(3, 4) -> true@4-5", "cas(3, 1) -> false@6-7",
                          "write(2) pending@8-", "read() -> 4@10-11"));
  EXPECT_EQ(history.place(0).line, 2U);
}

TEST(JepsenText, AFailedCasIsDroppedWhenAskedTo) {
  const std::string log = event("0 :invoke :cas [1 2]") + event("0 :fail :cas [1 2]") + event("0 :invoke :write 1");
  EXPECT_THAT(operations_of(history_of("", log)), ElementsAre("cas(1, 2) -> false@0-1", "write(1) pending@2-"));
  ReadOptions options;
  options.fail = FailPolicy::drop;
  EXPECT_THAT(operations_of(history_of("", log, options)), ElementsAre("write(1) pending@2-"));
}

TEST(JepsenText, FailedReadsAndWritesDidNotHappen) {
  EXPECT_EQ(history_of("", event("0 :invoke :read nil") + event("0 :fail :read :timed-out") +
                               event("0 :invoke :write 3") + event("0 :fail :write 3"))
                .size(),
            0U);
}

TEST(JepsenText, SkipsWhatIsNoEventOfTheRegister) {
  EXPECT_EQ(history_of("jepsen-text", "starting\n\nINFO  jepsen.core - Worker 3 starting\n" +
                                          event(":nemesis :info :start nil") + event("0 :invoke :read nil"))
                .size(),
            1U);
}

TEST(JepsenText, RefusesWhatIsWrongWithItsPlace) {
  const std::string call = event("0 :invoke :cas [1 2]");
  expect_refused("jepsen-text",
                 {{"Empty", "", ErrorCode::truncated, 0, 0},
                  {"NoEvents", "hello\n", ErrorCode::missing_field, 1, 1},
                  {"Truncated", "INFO  jepsen.util - 0\t:invoke\t:read", ErrorCode::missing_field, 1, 36},
                  {"NoFunction", "INFO  jepsen.util - 0\t:invoke\n", ErrorCode::missing_field, 1, 30},
                  {"WrongType", event("0 :begin :read nil"), ErrorCode::syntax, 1, 23},
                  {"WrongMethod", event("0 :invoke :add 1"), ErrorCode::unknown_method, 1, 31},
                  {"ProcessOutOfRange", event("99999999999 :invoke :read nil"), ErrorCode::bad_number, 1, 21},
                  {"CasOfOneValue", event("0 :invoke :cas 1"), ErrorCode::bad_arguments, 1, 36},
                  {"CasNotClosed", event("0 :invoke :cas [1 2"), ErrorCode::syntax, 1, 36},
                  {"TwoValues", event("0 :invoke :write 1 2"), ErrorCode::syntax, 1, 40},
                  {"ReturnWithoutCall", event("0 :ok :read 1"), ErrorCode::return_without_call, 1, 21},
                  {"OtherFunction", call + event("0 :ok :read 1"), ErrorCode::return_without_call, 2, 21},
                  {"OtherValue", call + event("0 :ok :cas [1 3]"), ErrorCode::bad_arguments, 2, 32},
                  {"TwoOpenInOneProcess", call + call, ErrorCode::overlapping_operations, 2, 21},
                  {"GoesOnAfterInfo", call + event("0 :info :cas :timed-out") + call, ErrorCode::after_pending, 3, 21},
                  {"ReturnsAfterInfo", call + event("0 :info :cas :timed-out") + event("0 :ok :cas [1 2]"),
                   ErrorCode::return_without_call, 3, 21},
                  {"NotUtf8", call + "\xff\n", ErrorCode::encoding, 2, 1}});
}

TEST(JepsenText, IsTotal) { expect_total("jepsen-text", example("jepsen_text/examples/register.log")); }

}  // namespace
}  // namespace linchpin

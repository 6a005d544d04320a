#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

std::string event(std::string_view what, int client, int operation) {
  return fmt::format("{{\"event\":{{{}}},\"client_id\":{},\"op_id\":{}}}\n", what, client, operation);
}
std::string append(std::string_view fields, int client, int operation) {
  return event(fmt::format(R"("Start":{{"Append":{{{}}}}})", fields), client, operation);
}
std::string finish(std::string_view what, int client, int operation) {
  return event(fmt::format(R"("Finish":{})", what), client, operation);
}

/// An append that says everything, a read and a check of the tail.
std::string whole() {
  return append(R"("num_records":2,"record_hashes":[11,18446744073709551615],"set_fencing_token":"b",)"
                R"("fencing_token":"a","match_seq_num":0)",
                0, 7) +
         event(R"("Start":"Read")", 1, 8) + finish(R"({"AppendSuccess":{"tail":2}})", 0, 7) +
         finish(R"({"ReadSuccess":{"tail":2,"stream_hash":18446744073709551615}})", 1, 8) +
         event(R"("Start":"CheckTail")", 0, 9) + finish(R"({"CheckTailSuccess":{"tail":2}})", 0, 9);
}

TEST(S2, ReadsCallsAndTheirAnswers) {
  const History history = history_of("", whole());
  EXPECT_EQ(history.objects()[0].type.to_string(), "stream");
  EXPECT_THAT(operations_of(history),
              ElementsAre("append([11 -1], 0, a, b) -> 2@0-2", "read() -> [2 -1]@1-3", "check_tail() -> 2@4-5"));
}

TEST(S2, LeavesOutWhatAnAppendDoesNotSay) {
  const std::string one = R"("num_records":1,"record_hashes":[5])";
  EXPECT_THAT(operations_of(history_of("", append(one, 0, 0))), ElementsAre("append([5]) pending@0-"));
  EXPECT_THAT(operations_of(history_of("", append(one + R"(,"match_seq_num":null,"fencing_token":"t")", 0, 0))),
              ElementsAre("append([5], nil, t) pending@0-"));
  EXPECT_THAT(operations_of(history_of("", append(one + R"(,"match_seq_num":18446744073709551615)", 0, 0))),
              ElementsAre("append([5], -1) pending@0-"));
}

TEST(S2, FailuresAreFalseWhenTheyAreDefinite) {
  EXPECT_THAT(operations_of(history_of(
                  "", append(R"("num_records":1,"record_hashes":[5])", 0, 0) + event(R"("Start":"Read")", 1, 1) +
                          event(R"("Start":"CheckTail")", 2, 2) + finish(R"("AppendDefiniteFailure")", 0, 0) +
                          finish(R"("ReadFailure")", 1, 1) + finish(R"("CheckTailFailure")", 2, 2))),
              ElementsAre("append([5]) -> false@0-3", "read() -> false@1-4", "check_tail() -> false@2-5"));
}

// The recorder keeps them for the end, where they bound nothing.
TEST(S2, AnUnknownFateIsBoundedByWhatFollows) {
  const std::string one = R"("num_records":1,"record_hashes":[5])";
  const std::string unknown = finish(R"("AppendIndefiniteFailure")", 0, 0);
  const std::string tail = event(R"("Start":"CheckTail")", 1, 1) + finish(R"({"CheckTailSuccess":{"tail":0}})", 1, 1);
  EXPECT_THAT(operations_of(history_of("", append(one, 0, 0) + tail + unknown)),
              ElementsAre("append([5]) pending@0-", "check_tail() -> 0@1-2"));
  EXPECT_THAT(operations_of(history_of("", append(one, 0, 0) + unknown + tail)),
              ElementsAre("append([5]) -> ?@0-1", "check_tail() -> 0@2-3"));
}

TEST(S2, ReadsTheFirstRecordingsWhichHadNoHashes) {
  EXPECT_THAT(
      operations_of(history_of("", append(R"("num_records":3,"match_seq_num":null)", 0, 0) +
                                       finish(R"({"Success":{"tail":3}})", 0, 0) + event(R"("Start":"Read")", 0, 1) +
                                       finish(R"({"Success":{"tail":3}})", 0, 1) + append(R"("num_records":1)", 0, 2) +
                                       finish(R"("DefiniteFailure")", 0, 2) + append(R"("num_records":1)", 0, 3) +
                                       finish(R"("IndefiniteFailure")", 0, 3))),
      ElementsAre("append([0 0 0]) -> 3@0-1", "read() -> 3@2-3", "append([0]) -> false@4-5", "append([0]) pending@6-"));
}

// An append of nothing has no hashes to leave out.
TEST(S2, AnAppendOfNoRecordsNeedsNoHashes) {
  EXPECT_THAT(operations_of(history_of("", append(R"("num_records":0,"set_fencing_token":"t")", 0, 0) +
                                               event(R"("Start":"Read")", 1, 1) +
                                               finish(R"({"ReadSuccess":{"tail":0,"stream_hash":0}})", 1, 1))),
              ElementsAre("append([], nil, nil, t) pending@0-", "read() -> [0 0]@1-2"));
}

TEST(S2, IsDecidedAsAStream) {
  const auto verdict = [](const std::string& bytes) {
    const auto checked = check(history_of("", bytes));
    EXPECT_TRUE(checked) << checked.error().to_string();
    return checked ? checked->verdict : Verdict::unknown;
  };
  const std::string appended = append(R"("num_records":1,"record_hashes":[5])", 0, 0);
  // XXH3 of 5 as eight bytes, the lowest first, with the seed 0.
  const std::string seen = finish(R"({"ReadSuccess":{"tail":1,"stream_hash":10233279695637096332}})", 1, 1);
  const std::string begun = event(R"("Start":"Read")", 1, 1);
  const std::string other = finish(R"({"ReadSuccess":{"tail":1,"stream_hash":10233279695637096333}})", 1, 1);
  const std::string unknown = finish(R"("AppendIndefiniteFailure")", 0, 0);
  EXPECT_EQ(verdict(appended + begun + seen + unknown), Verdict::linearizable);
  EXPECT_EQ(verdict(appended + begun + other + unknown), Verdict::violation);
  EXPECT_EQ(verdict(appended + unknown + begun + seen), Verdict::linearizable);
  EXPECT_EQ(verdict(appended + finish(R"("AppendDefiniteFailure")", 0, 0) + begun + seen), Verdict::violation);
}

TEST(S2, RefusesWhatIsWrongWithItsPlace) {
  const std::string one = R"("num_records":1,"record_hashes":[5])";
  const std::string call = append(one, 0, 0);
  expect_refused(
      "s2",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"Blank", "\n\n", ErrorCode::truncated, 1, 1},
       {"NotJson", "{\"event\":\n", ErrorCode::truncated, 1, 10},
       {"NoObject", "[1]\n", ErrorCode::syntax, 1, 1},
       {"NoClient", R"({"event":{"Start":"Read"},"op_id":0})", ErrorCode::missing_field, 1, 1},
       {"ClientOutOfRange", R"({"event":{"Start":"Read"},"client_id":2147483648,"op_id":0})", ErrorCode::bad_number, 1,
        39},
       {"NegativeOperation", R"({"event":{"Start":"Read"},"client_id":0,"op_id":-1})", ErrorCode::bad_number, 1, 49},
       {"UnknownField", R"({"event":{"Start":"Read"},"client_id":0,"op_id":1,"time":2})", ErrorCode::syntax, 1, 58},
       {"FieldTwice", R"({"event":{"Start":"Read"},"client_id":0,"client_id":0,"op_id":1})", ErrorCode::syntax, 1, 53},
       {"NoEvent", R"({"event":7,"client_id":0,"op_id":1})", ErrorCode::missing_field, 1, 10},
       {"StartAndFinish", R"({"event":{"Start":"Read","Finish":"ReadFailure"},"client_id":0,"op_id":1})",
        ErrorCode::missing_field, 1, 10},
       {"OtherEvent", event(R"("Begin":"Read")", 0, 0), ErrorCode::syntax, 1, 19},
       {"UnknownCall", event(R"("Start":"Trim")", 0, 0), ErrorCode::unknown_method, 1, 19},
       {"UnknownArgument", append(one + R"(,"crc":7)", 0, 0), ErrorCode::syntax, 1, 72},
       {"RecordsMissing", append(R"("record_hashes":[5])", 0, 0), ErrorCode::missing_field, 1, 29},
       {"TooManyRecords", append(R"("num_records":99999999999)", 0, 0), ErrorCode::bad_number, 1, 44},
       {"HashesMissing", append(R"("num_records":2,"record_hashes":[5])", 0, 0), ErrorCode::bad_arguments, 1, 62},
       {"NegativeHash", append(R"("num_records":2,"record_hashes":[5,-5])", 0, 0), ErrorCode::bad_number, 1, 65},
       {"TokenIsANumber", append(one + R"(,"fencing_token":7)", 0, 0), ErrorCode::bad_arguments, 1, 82},
       {"StartTwice", call + call, ErrorCode::overlapping_operations, 2, 10},
       {"FinishWithoutStart", finish(R"("ReadFailure")", 0, 0), ErrorCode::return_without_call, 1, 10},
       {"FinishTwice", call + finish(R"("AppendDefiniteFailure")", 0, 0) + finish(R"("AppendDefiniteFailure")", 0, 0),
        ErrorCode::return_without_call, 3, 10},
       {"OtherClient", call + finish(R"("AppendDefiniteFailure")", 1, 0), ErrorCode::return_without_call, 2, 10},
       {"OtherCall", call + finish(R"("ReadFailure")", 0, 0), ErrorCode::return_without_call, 2, 20},
       {"UnknownFinish", call + finish(R"("Lost")", 0, 0), ErrorCode::syntax, 2, 20},
       {"SuccessWithoutTail", call + finish(R"("AppendSuccess")", 0, 0), ErrorCode::syntax, 2, 20},
       {"TailMissing", call + finish(R"({"AppendSuccess":{}})", 0, 0), ErrorCode::missing_field, 2, 37},
       {"HashOfWhatHasNone",
        append(R"("num_records":1)", 0, 0) + event(R"("Start":"Read")", 1, 1) +
            finish(R"({"ReadSuccess":{"tail":1,"stream_hash":77}})", 1, 1),
        ErrorCode::bad_arguments, 3, 59},
       {"HashesMissingBehindARead",
        event(R"("Start":"Read")", 1, 1) + finish(R"({"ReadSuccess":{"tail":0,"stream_hash":0}})", 1, 1) +
            append(R"("num_records":1)", 0, 0),
        ErrorCode::missing_field, 3, 29},
       {"HashOfAnAppend", call + finish(R"({"AppendSuccess":{"tail":1,"stream_hash":2}})", 0, 0), ErrorCode::syntax, 2,
        61}});
}

TEST(S2, IsTotal) { expect_total("s2", whole()); }

}  // namespace
}  // namespace linchpin

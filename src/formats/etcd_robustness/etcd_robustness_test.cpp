#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"
#include "formats/report_files.hpp"
#include "formats/source.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

namespace fs = std::filesystem;

/// A line of one operation.
std::string line(const std::string& input, const std::string& output, int call = 1, int returned = 2) {
  return R"({"ClientId":1,"Input":)" + input + R"(,"Call":)" + std::to_string(call) + R"(,"Output":)" + output +
         R"(,"Return":)" + std::to_string(returned) + "}\n";
}
std::string put(const std::string& key, const std::string& value) {
  return R"({"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":")" + key +
         R"(","Value":{"Value":")" + value + R"("}}}]}})";
}
std::string watch(const std::string& key, const std::string& value, int revision, int time) {
  return R"({"Request":{},"Responses":[{"Time":)" + std::to_string(time) +
         R"(,"Events":[{"Type":"put-operation","Key":")" + key + R"(","Value":{"Value":")" + value +
         R"("},"Revision":)" + std::to_string(revision) + "}]}]}\n";
}

TEST(EtcdRobustness, ReadsOperations) {
  const History history = history_of("", example("etcd_robustness/examples/operations.json"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "mvcc-kv");
  EXPECT_THAT(
      operations_of(history),
      ElementsAre("txn([], [[put a \"1\"]], []) -> [2 true [nil]]@10-20", "txn([], [[put a \"2\"]], []) pending@21-",
                  "txn([[mod a 2]], [[delete a]], [[range a]]) -> [3 false [[[[a \"2\" 3 2]] 1]]]@30-40",
                  "range(a, c, [limit 2 revision 2]) -> [3 [[a \"1\" 2 1]] 1]@41-45"));
  EXPECT_EQ(history.place(1).line, 3U);
}

TEST(EtcdRobustness, ReadsSeveralFilesAsOneHistory) {
  const History history = history_of("", example("etcd_robustness/examples/report.txt"));
  ASSERT_THAT(operations_of(history), SizeIs(4));
  EXPECT_EQ(operations_of(history)[1], "txn([], [[put a \"2\"]], []) -> 3@21-28");
  ASSERT_THAT(history.annotations(), SizeIs(1));
  EXPECT_EQ(
      history.annotations()[0].text,
      "inferred: the request of client 2 that put \"2\" under a failed, and was executed at revision 3, for a watch "
      "saw it");
}

TEST(EtcdRobustness, InfersNothingFromValuesThatSeveralPut) {
  const std::string failed = R"({"Error":"timeout"})";
  const std::string once = line(put("a", "x"), failed) + watch("a", "x", 2, 9);
  EXPECT_THAT(operations_of(history_of("", once)), ElementsAre("txn([], [[put a x]], []) -> 2@1-9"));
  const std::string twice = line(put("a", "x"), failed) + line(put("a", "x"), failed, 3, 0) + watch("a", "x", 2, 9);
  EXPECT_THAT(history_of("", twice).annotations(), IsEmpty());
  EXPECT_EQ(history_of("", twice).pending_count(), 2U);
  // Seen before it was called, or never.
  EXPECT_EQ(history_of("", line(put("a", "x"), failed, 10) + watch("a", "x", 2, 9)).pending_count(), 1U);
  EXPECT_EQ(history_of("", line(put("a", "x"), failed) + watch("a", "y", 2, 9)).pending_count(), 1U);
}

std::string transaction(const std::string& success, const std::string& failure) {
  return R"({"Type":"txn","Txn":{"OperationsOnSuccess":[)" + success + R"(],"OperationsOnFailure":[)" + failure + "]}}";
}
std::string act(const std::string& key, const std::string& value) {
  return R"({"Type":"put-operation","Put":{"Key":")" + key + R"(","Value":{"Value":")" + value + R"("}}})";
}

TEST(EtcdRobustness, TheFirstWatchThatSawAPutOfARequestCounts) {
  const std::string two =
      line(transaction(act("a", "x") + "," + act("b", "y"), ""), R"({"Error":"timeout"})") + watch("a", "x", 2, 90);
  EXPECT_THAT(operations_of(history_of("", two + watch("b", "y", 2, 9))),
              ElementsAre("txn([], [[put a x] [put b y]], []) -> 2@1-9"));
  // Of what was told before the call, or is not of this request alone, nothing is inferred.
  const std::string later = watch("b", "y", 2, 0) + line(put("b", "y"), R"({"Error":"timeout"})", 3, 0);
  EXPECT_THAT(operations_of(history_of("", two + later)),
              ElementsAre("txn([], [[put a x] [put b y]], []) -> 2@1-90", "txn([], [[put b y]], []) pending@3-"));
}

TEST(EtcdRobustness, ARequestThatPutsTheSameInBothBranchesIsOne) {
  const std::string both = line(transaction(act("a", "x"), act("a", "x")), R"({"Error":"timeout"})");
  EXPECT_THAT(operations_of(history_of("", both + watch("a", "x", 2, 9))),
              ElementsAre("txn([], [[put a x]], [[put a x]]) -> 2@1-9"));
  const std::string twice = both + line(transaction(act("a", "x"), act("a", "x")), R"({"Error":"timeout"})", 3, 0);
  EXPECT_EQ(history_of("", twice + watch("a", "x", 2, 9)).pending_count(), 2U);
}

TEST(EtcdRobustness, TheBranchThatPutWhatAWatchSawWasTaken) {
  const std::string failed = R"({"Error":"timeout"})";
  const auto transaction = [&](const std::string& success, const std::string& failure) {
    return line(R"({"Type":"txn","Txn":{"Conditions":[{"Key":"k","ExpectedRevision":3}],"OperationsOnSuccess":[)" +
                    success + R"(],"OperationsOnFailure":[)" + failure + "]}}",
                failed);
  };
  const auto read = [&](const std::string& operation, const std::string& watches) {
    const auto operations = operations_of(history_of("", operation + watches));
    return operations[0].substr(operations[0].find("->"));
  };
  const std::string either = transaction(act("a", "x"), act("a", "y"));
  EXPECT_EQ(read(either, watch("a", "x", 4, 9)), "-> [4 true]@1-9");
  EXPECT_EQ(read(either, watch("a", "y", 4, 9)), "-> [4 false]@1-9");
  EXPECT_EQ(read(transaction(act("a", "x"), ""), watch("a", "x", 4, 9)), "-> [4 true]@1-9");
  // Both branches put it: another put tells which it was.
  const std::string both = transaction(act("a", "x"), act("a", "x") + "," + act("b", "y"));
  EXPECT_EQ(read(both, watch("a", "x", 4, 9)), "-> 4@1-9");
  EXPECT_EQ(read(both, watch("a", "x", 4, 9) + watch("b", "y", 4, 12)), "-> [4 false]@1-9");
}

TEST(EtcdRobustness, AnErrorGoesBeforeWhatPersisted) {
  EXPECT_THAT(operations_of(history_of(
                  "", line(put("a", "x"), R"({"Error":"timeout","Persisted":true,"PersistedRevision":2})", 1, 7))),
              ElementsAre("txn([], [[put a x]], []) pending@1-"));
  EXPECT_THAT(
      operations_of(history_of(
          "", line(put("a", "x"), R"({"ClientError":"timeout","Persisted":true,"PersistedRevision":2})", 1, 7))),
      ElementsAre("txn([], [[put a x]], []) -> 2@1-7"));
}

TEST(EtcdRobustness, ReadsWhatIsKnownToHaveBeenPersisted) {
  const std::string all = line(put("a", "x"), R"({"Persisted":true,"PersistedRevision":2})", 1, 7) +
                          line(put("b", "x"), R"({"Persisted":true})", 8, 0) +
                          line(put("c", "x"), R"({"PartialResponse":true,"Revision":5})", 9, 11);
  EXPECT_THAT(operations_of(history_of("", all)),
              ElementsAre("txn([], [[put a x]], []) -> 2@1-7", "txn([], [[put b x]], []) -> ?@8-10",
                          "txn([], [[put c x]], []) -> 5@9-11"));
}

TEST(EtcdRobustness, ReadsLeasesAndCompactions) {
  const std::string all =
      line(R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":7}})", R"({"LeaseGrant":{"LeaseID":7},"Revision":1})") +
      line(R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":0}})", R"({"Error":"timeout"})", 3, 0) +
      line(R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}})", R"({"LeaseRevoke":{},"Revision":1})", 5, 6) +
      line(R"({"Type":"compact","Compact":{"Revision":1}})", R"({"Compact":{},"Revision":-1})", 7, 8) +
      line(R"({"Type":"compact","Compact":{"Revision":1}})",
           R"({"ClientError":"etcdserver: mvcc: required revision has been compacted"})", 9, 10) +
      line(R"({"Type":"range","Range":{"Start":"a","Revision":9}})",
           R"({"ClientError":"etcdserver: mvcc: required revision is a future revision"})", 11, 12) +
      line(R"({"Type":"range","Range":{"Start":"a"}})", R"({"Error":"timeout"})", 13, 0) +
      line(R"({"Type":"defragment"})", R"({"Defragment":{},"Revision":-1})", 15, 16);
  EXPECT_THAT(
      operations_of(history_of("", all)),
      ElementsAre("grant(7) -> 1@1-2", "revoke(7) -> 1@5-6", "compact(1) -> ok@7-8", "compact(1) -> compacted@9-10",
                  "range(a, nil, [revision 9]) -> future@11-12", "defragment() -> ok@15-16"));
}

// A lease lives for a second at least. Without logs nobody knows whether it ended by itself.
TEST(EtcdRobustness, LeasesMayExpire) {
  const auto at = [](const std::string& input, const std::string& output, long call, long returned) {
    return R"({"ClientId":1,"Input":)" + input + R"(,"Call":)" + std::to_string(call) + R"(,"Output":)" + output +
           R"(,"Return":)" + std::to_string(returned) + "}\n";
  };
  const auto grant = [&](int lease, long call) {
    const std::string number = std::to_string(lease);
    return at(R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":)" + number + "}}",
              R"({"LeaseGrant":{"LeaseID":)" + number + R"(},"Revision":1})", call, call + 1);
  };
  const auto put_under = [&](int lease, int revision, long call) {
    return at(
        R"({"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":"a","Value":{"Value":"1"},)"
        R"("LeaseID":)" +
            std::to_string(lease) + "}}]}}",
        R"({"Txn":{"Results":[{}]},"Revision":)" + std::to_string(revision) + "}", call, call + 1);
  };
  constexpr long kSecond = 1'000'000'000;
  const std::string text = grant(7, 1) + grant(8, 3) + put_under(7, 2, 5) + grant(9, kSecond) +
                           put_under(9, 3, kSecond + 2) +
                           at(R"({"Type":"range","Range":{"Start":"a"}})", R"({"Range":{"Count":0},"Revision":4})",
                              kSecond + 4, kSecond + 5);
  const History assumed = history_of("", text);
  EXPECT_THAT(operations_of(assumed), SizeIs(6));
  ASSERT_THAT(assumed.annotations(), SizeIs(1));
  EXPECT_THAT(assumed.annotations()[0].text, ::testing::StartsWith("assumed: no lease expired by itself"));
  // The lease 8 has no keys, and the lease 9 is too young.
  const History loose = history_of("", text, {.leases_expire = true});
  EXPECT_THAT(operations_of(loose), SizeIs(7));
  EXPECT_THAT(operations_of(loose), ::testing::Contains("revoke(7) pending@900000001-"));
  EXPECT_THAT(loose.annotations(), IsEmpty());
  // Nothing is assumed where it makes no difference.
  EXPECT_THAT(history_of("", grant(7, 1) + put_under(7, 2, 5)).annotations(), IsEmpty());
}

TEST(EtcdRobustness, ReadsHashesOfLongValues) {
  const std::string range = line(R"({"Type":"range","Range":{"Start":"a"}})",
                                 R"({"Range":{"KVs":[{"Key":"a","Value":{"Hash":77}}],"Count":1},"Revision":2})");
  EXPECT_THAT(operations_of(history_of("", range)), ElementsAre("range(a) -> [2 [[a 77 nil nil]] 1]@1-2"));
}

TEST(EtcdRobustness, RefusesWhatIsWrongWithItsPlace) {
  const std::string ok = R"({"LeaseRevoke":{},"Revision":1})";
  const std::string revoke = R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}})";
  expect_refused(
      "etcd-robustness",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"NoLine", "\n\n", ErrorCode::truncated, 2, 1},
       {"NotJson", "{]\n", ErrorCode::syntax, 1, 2},
       {"NoObject", "[1]\n", ErrorCode::syntax, 1, 1},
       {"Neither", "{\"Call\":1}\n", ErrorCode::missing_field, 1, 1},
       {"NoOutput", R"({"Input":{"Type":"defragment"},"Call":1})", ErrorCode::missing_field, 1, 1},
       {"KeyTwice", R"({"Input":{"Type":"defragment","Type":"txn"}})", ErrorCode::syntax, 1, 38},
       {"NoRequest", line(R"({"Type":"watch"})", ok), ErrorCode::unknown_method, 1, 31},
       {"NoField", line(R"({"Type":"leaseRevoke"})", ok), ErrorCode::missing_field, 1, 23},
       {"WrongNumber", line(R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":"x"}})", ok), ErrorCode::bad_number, 1,
        70},
       {"WrongText", line(R"({"Type":7})", ok), ErrorCode::syntax, 1, 31},
       {"NoAct", line(R"({"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"get"}]}})", ok),
        ErrorCode::unknown_method, 1, 75},
       {"TooFewResults", line(put("a", "x"), R"({"Txn":{"Results":[]},"Revision":2})"), ErrorCode::bad_arguments, 1,
        160},
       {"NegativeRevision", line(revoke, R"({"LeaseRevoke":{},"Revision":-2})"), ErrorCode::bad_number, 1, 121},
       {"NegativePersistedRevision", line(revoke, R"({"Persisted":true,"PersistedRevision":-1})"),
        ErrorCode::bad_number, 1, 130},
       {"TwoNamesOfAClient", R"({"ClientId":1,"ClientID":2,"Input":{"Type":"defragment"},"Call":1,"Output":{}})",
        ErrorCode::syntax, 1, 26},
       {"ReturnsBeforeItsCall", line(R"({"Type":"defragment"})", "{}", 5, 4), ErrorCode::response_before_call, 1, 75}});
}

TEST(EtcdRobustness, NamesTheFileOfWhatIsWrong) {
  const Error error = error_of("", "==> client-1/operations.json <==\n\n{\"Input\":3}\n");
  EXPECT_EQ(error.source, "input/client-1/operations.json");
  EXPECT_EQ(error.line, 2U);
}

TEST(EtcdRobustness, ReadsTheDirectoryOfAReport) {
  const fs::path directory = fs::temp_directory_path() / "linchpin-etcd-robustness-report";
  fs::remove_all(directory);
  fs::create_directories(directory / "client-10");
  fs::create_directories(directory / "client-2");
  EXPECT_THAT(*formats::files_of_report(directory.string()), IsEmpty());
  std::ofstream(directory / "client-10" / "watch.json") << watch("a", "x", 2, 9);
  std::ofstream(directory / "client-2" / "operations.json") << line(put("a", "x"), R"({"Error":"timeout"})");
  EXPECT_THAT(*formats::files_of_report(directory.string()),
              ElementsAre("client-2/operations.json", "client-10/watch.json"));
  const auto histories = read_histories(directory.string(), {});
  ASSERT_TRUE(histories) << histories.error().to_string();
  ASSERT_TRUE((*histories)[0]) << (*histories)[0].error().to_string();
  EXPECT_THAT(operations_of(*(*histories)[0]), ElementsAre("txn([], [[put a x]], []) -> 2@1-9"));
  fs::remove_all(directory);
}

// What a client left may be compressed, or not be there to be read; a name that is no client's may hide some of it.
TEST(EtcdRobustness, NothingThatAClientLeftIsPassedOver) {
  const fs::path directory = fs::temp_directory_path() / "linchpin-etcd-robustness-clients";
  fs::remove_all(directory);
  fs::create_directories(directory / "client-1");
  fs::create_directories(directory / "client-2");
  const std::string first = line(put("a", "x"), R"({"Error":"timeout"})");
  std::ofstream(directory / "client-1" / "operations.json") << first;
  std::ofstream(directory / "client-2" / "operations.json.gz") << first;
  EXPECT_THAT(*formats::files_of_report(directory.string()),
              ElementsAre("client-1/operations.json", "client-2/operations.json.gz"));
  std::ofstream(directory / "client-2" / "operations.json") << first;
  EXPECT_THAT(*formats::files_of_report(directory.string()),
              ElementsAre("client-1/operations.json", "client-2/operations.json"));
  fs::remove_all(directory / "client-2");
  fs::create_directories(directory / "client-2");
  fs::create_symlink("nowhere", directory / "client-2" / "operations.json");
  const auto dangling = read_histories(directory.string(), {});
  ASSERT_FALSE(dangling);
  EXPECT_EQ(dangling.error().source, (directory / "client-2" / "operations.json").string());
  for (const char* const name : {"member-2", "client-x", "Client-3", "client-18446744073709551617", "client-1a"}) {
    fs::rename(directory / "client-2", directory / name);
    const auto files = formats::files_of_report(directory.string());
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().source, (directory / name).string());
    EXPECT_EQ(read_histories(directory.string(), {}).error().source, files.error().source);
    fs::rename(directory / name, directory / "client-2");
  }
  fs::remove_all(directory);
}

TEST(EtcdRobustness, AWatchThatTellsNoRevisionTellsNothing) {
  const std::string lost = line(put("a", "x"), R"({"Error":"timeout"})");
  EXPECT_THAT(operations_of(history_of("", lost + watch("a", "x", 2, 9))),
              ElementsAre("txn([], [[put a x]], []) -> 2@1-9"));
  EXPECT_THAT(operations_of(history_of("", lost + watch("a", "x", 0, 9))),
              ElementsAre("txn([], [[put a x]], []) pending@1-"));
  EXPECT_EQ(error_of("", lost + watch("a", "x", -2, 9)).code, ErrorCode::bad_number);
}

TEST(EtcdRobustness, IsTotal) { expect_total("etcd-robustness", example("etcd_robustness/examples/report.txt")); }

}  // namespace
}  // namespace linchpin

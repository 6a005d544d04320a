// Reports with members' logs: what is inferred, and that it is sound. A simulated store executes the requests of some
// clients, loses answers, and leaves logs of which some lag behind, are torn, begin late, or hold what another leader
// replaced. LINCHPIN_CROSS_COUNT sets how many reports (20,000).
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"
#include "formats/report_files.hpp"
#include "formats/source.hpp"
#include "generate/random.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "support/etcd_log.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"

namespace linchpin {
namespace etcd_persisted_test {

using formats::testing::operations_of;
using test::EtcdLogWriter;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Files of members' logs: of server-m0, server-m1 and so on.
std::vector<core::FileBeside> files_of(const std::vector<EtcdLogWriter>& members) {
  std::vector<core::FileBeside> files;
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (std::size_t i = 0; i < members[m].files().size(); ++i) {
      files.push_back({fmt::format("server-m{}/member/wal/{:016x}-{:016x}.wal", m, i, i), members[m].files()[i]});
    }
  }
  return files;
}

Result<History> read_report(const std::string& text, const std::vector<EtcdLogWriter>& members,
                            bool leases_expire = false) {
  const auto files = files_of(members);
  const core::Source source{.name = "input", .bytes = text, .beside = files};
  std::optional<Result<History>> read;
  const auto done = formats::read_source(source, {.format = "etcd-robustness", .leases_expire = leases_expire},
                                         [&](Result<History> history) {
                                           read.emplace(std::move(history));
                                           return true;
                                         });
  if (!done) return done.error();
  return std::move(*read);
}

History report(const std::string& text, const std::vector<EtcdLogWriter>& members, bool leases_expire = false) {
  auto read = read_report(text, members, leases_expire);
  EXPECT_TRUE(read) << read.error().to_string();
  return read ? std::move(*read) : History();
}

std::vector<std::string> annotations_of(const History& history) {
  std::vector<std::string> texts;
  for (const Annotation& each : history.annotations()) texts.push_back(each.text);
  return texts;
}

std::string line(int client, const std::string& input, const std::string& output, Tick call, Tick returned) {
  return fmt::format(R"({{"ClientId":{},"Input":{},"Call":{},"Output":{},"Return":{}}})", client, input, call, output,
                     returned) +
         "\n";
}
std::string put_act(const std::string& key, const std::string& value, std::int64_t lease = 0) {
  return fmt::format(R"({{"Type":"put-operation","Put":{{"Key":"{}","Value":{{"Value":"{}"}},"LeaseID":{}}}}})", key,
                     value, lease);
}
std::string delete_act(const std::string& key) {
  return fmt::format(R"({{"Type":"delete-operation","Delete":{{"Key":"{}"}}}})", key);
}
std::string plain(const std::string& act) {
  return fmt::format(R"({{"Type":"txn","Txn":{{"OperationsOnSuccess":[{}]}}}})", act);
}
std::string done(std::int64_t revision, int deleted = 0) {
  return fmt::format(R"({{"Txn":{{"Results":[{{"Deleted":{}}}]}},"Revision":{}}})", deleted, revision);
}
const std::string kLost = R"({"Error":"context deadline exceeded"})";  // NOLINT(cert-err58-cpp)

std::string put(const std::string& key, const std::string& value) {
  return test::logged_request(4, test::logged_put(key, value));
}
std::string erase(const std::string& key) { return test::logged_request(5, test::logged_delete(key)); }

/// A log with these entries, all committed.
EtcdLogWriter log_of(const std::vector<std::string>& entries, std::size_t committed = 1000) {
  EtcdLogWriter writer;
  for (std::size_t i = 0; i < entries.size(); ++i) writer.entry(i + 1, 2, entries[i]);
  writer.commit(std::min(entries.size(), committed));
  return writer;
}

TEST(EtcdPersisted, RequestsInTheLogWereExecuted) {
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(3), 6, 7);
  const History history = report(text, {log_of({put("a", "1"), put("a", "2")})});
  EXPECT_THAT(operations_of(history), ElementsAre("txn([], [[put a \"1\"]], []) -> [2 true [nil]]@1-7",
                                                  "txn([], [[put a \"2\"]], []) -> [3 true [nil]]@6-7"));
  EXPECT_THAT(
      annotations_of(history),
      ElementsAre("inferred: the put of \"1\" under a of client 1 failed, and was executed at revision 2, for it "
                  "is the entry 1 of the members' logs"));
  EXPECT_EQ(history.annotations()[0].end, 7);
}

TEST(EtcdPersisted, RequestsThatAreNotInTheLogChangedNothing) {
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(2), 6, 7);
  const History history = report(text, {log_of({put("a", "2")})});
  EXPECT_THAT(operations_of(history), SizeIs(1));
  EXPECT_THAT(annotations_of(history),
              ElementsAre("inferred: the put of \"1\" under a of client 1 failed, and had no effect, for the members' "
                          "logs have none of it"));
}

TEST(EtcdPersisted, NothingIsSaidOfRequestsBehindTheLog) {
  // Somebody saw the revision 3, which the log does not have.
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(3), 6, 7);
  for (const std::size_t committed : {0, 1, 2}) {
    const History history = report(text, {log_of({put("a", "7"), put("a", "2")}, committed)});
    EXPECT_EQ(history.pending_count(), 1U) << committed;
  }
  EXPECT_EQ(report(text, {log_of({})}).pending_count(), 1U);
}

TEST(EtcdPersisted, AnAnswerProvesWhatIsBeforeIt) {
  // No member knows yet that anything is committed, but the last put was answered.
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(3), 6, 7);
  const EtcdLogWriter lagging = log_of({put("a", "1"), put("a", "2")}, 0);
  EXPECT_EQ(report(text, {lagging, lagging, log_of({})}).pending_count(), 0U);
  EXPECT_EQ(report(text, {lagging, log_of({}), log_of({})}).pending_count(), 1U);  // a member alone proves nothing
}

TEST(EtcdPersisted, RequestsAlikeAreTakenInTheOrderOfTheirCalls) {
  const std::string first = line(1, plain(delete_act("a")), kLost, 3, 5),
                    second = line(3, plain(delete_act("a")), kLost, 20, 25);
  const std::string text = line(2, plain(put_act("a", "1")), done(2), 1, 2) + second + first +
                           line(2, plain(put_act("a", "2")), done(4), 10, 11);
  const History history = report(text, {log_of({put("a", "1"), erase("a"), put("a", "2")})});
  EXPECT_THAT(operations_of(history), ElementsAre("txn([], [[put a \"1\"]], []) -> [2 true [nil]]@1-2",
                                                  "txn([], [[delete a]], []) -> [3 true [1]]@3-11",
                                                  "txn([], [[put a \"2\"]], []) -> [4 true [nil]]@10-11"));
  EXPECT_THAT(annotations_of(history),
              ElementsAre(HasSubstr("(2 requests alike failed, and 1 of them had an effect: those called first"),
                          HasSubstr("had no effect")));
}

TEST(EtcdPersisted, WhatContradictsTheAnswersTellsNothing) {
  const std::string lost = line(1, plain(put_act("a", "1")), kLost, 1, 5);
  const auto problem = [&](const std::string& text, const EtcdLogWriter& log) {
    const History history = report(lost + text, {log});
    EXPECT_EQ(history.pending_count(), 1U);
    EXPECT_THAT(history.annotations(), SizeIs(1));
    return history.annotations().empty() ? "" : history.annotations()[0].text;
  };
  const std::string other = line(2, plain(put_act("a", "2")), done(2), 6, 7);
  EXPECT_THAT(problem(other, log_of({put("a", "1"), put("a", "2")})),
              HasSubstr("another revision than it was told (2)"));
  EXPECT_THAT(problem(other, log_of({put("a", "1")})), HasSubstr("was not executed at revision 2, as it was told"));
  EXPECT_THAT(problem(other, log_of({put("a", "2"), put("b", "7")})),
              HasSubstr("the entry 2 made a revision, and no client"));
  EXPECT_THAT(problem(other, log_of({put("a", "2"), put("a", "1"), put("a", "1")})),
              HasSubstr("the entry 3 had an effect"));
  EXPECT_THAT(problem(other, log_of({put("a", "2"), test::logged_request(10, "")})),
              HasSubstr("may have been refused"));
  const std::string early = line(2, plain(put_act("a", "2")), done(3), -5, -4);
  EXPECT_THAT(problem(early, log_of({put("a", "1"), put("a", "2")})), HasSubstr("their order"));
  const std::string swapped =
      line(2, plain(put_act("a", "2")), done(2), 6, 7) + line(3, plain(put_act("a", "3")), done(3), 2, 3);
  EXPECT_THAT(problem(swapped, log_of({put("a", "2"), put("a", "3")})), HasSubstr("their order"));
}

TEST(EtcdPersisted, LogsMayBeginLate) {
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(2), 6, 7) +
      line(1, plain(put_act("a", "3")), kLost, 8, 9) + line(1, plain(put_act("a", "4")), kLost, 8, 9) +
      line(2, plain(put_act("a", "5")), done(4), 10, 11);
  EtcdLogWriter log(7);
  log.entry(7, 2, put("a", "2"));
  log.entry(8, 2, put("a", "3"));
  log.entry(9, 2, put("a", "5"));
  log.commit(9);
  // Of the first put nothing is known: it may have been executed before. The third was called later.
  EXPECT_THAT(operations_of(report(text, {log})), ElementsAre("txn([], [[put a \"1\"]], []) pending@1-",
                                                              "txn([], [[put a \"2\"]], []) -> [2 true [nil]]@6-7",
                                                              "txn([], [[put a \"3\"]], []) -> [3 true [nil]]@8-11",
                                                              "txn([], [[put a \"5\"]], []) -> [4 true [nil]]@10-11"));
}

// --- Logs as members leave them that were killed, lost elections, or came late ---

/// The record that has the lost put was being written when the member was killed.
TEST(EtcdPersisted, ATornRecordIsNoRecord) {
  const std::string lost = line(1, plain(put_act("a", "1")), kLost, 1, 5);
  const std::string text = lost + line(2, plain(put_act("a", "2")), done(2), 6, 7);
  EtcdLogWriter whole = log_of({put("a", "2")});
  whole.entry(2, 2, put("a", "1"));
  EtcdLogWriter torn = whole, told = whole;
  torn.tear(9);
  // Nobody saw it: that it was not executed is as good as that it was.
  EXPECT_EQ(report(text, {torn}).size(), 1U);
  // Two members have it. Neither knows that it is committed, but a client does: somebody saw the revision.
  const std::string seen = text + line(3, R"({"Type":"range","Range":{"Start":"b"}})",
                                       R"({"Range":{"KVs":[],"Count":0},"Revision":3})", 8, 9);
  EXPECT_EQ(report(seen, {torn}).pending_count(), 1U);
  EXPECT_EQ(report(seen, {torn, whole, whole}).pending_count(), 1U);
  // One of them was killed when it wrote that down, the other had done so.
  told.commit(2);
  const History history = report(seen, {torn, whole, told});
  EXPECT_THAT(operations_of(history), SizeIs(3));
  EXPECT_THAT(annotations_of(history),
              ElementsAre(HasSubstr("not written whole"), HasSubstr("was executed at revision 3")));
  told.tear(9);
  EXPECT_EQ(report(seen, {torn, whole, told}).pending_count(), 1U);
}

/// Of requests alike only one had an effect, and its client was told so, or another was told that it had none.
TEST(EtcdPersisted, OfRequestsAlikeTheAnswerTellsWhoseTheEffectIs) {
  const std::string first = line(1, plain(put_act("a", "1")), done(2), 1, 2);
  const std::string lost = line(2, plain(delete_act("a")), kLost, 3, 0);
  const std::string last = line(1, plain(put_act("a", "2")), done(4), 20, 21);
  const auto log = log_of({put("a", "1"), erase("a"), erase("a"), put("a", "2")});
  const History told = report(first + lost + line(3, plain(delete_act("a")), done(3, 1), 4, 6) + last, {log});
  EXPECT_THAT(operations_of(told), ElementsAre("txn([], [[put a \"1\"]], []) -> [2 true [nil]]@1-2",
                                               "txn([], [[delete a]], []) -> [3 true [1]]@4-6",
                                               "txn([], [[put a \"2\"]], []) -> [4 true [nil]]@20-21"));
  const History none = report(first + lost + line(3, plain(delete_act("a")), done(3, 0), 4, 6) + last, {log});
  EXPECT_THAT(operations_of(none), ElementsAre("txn([], [[put a \"1\"]], []) -> [2 true [nil]]@1-2",
                                               "txn([], [[delete a]], []) -> [3 true [1]]@3-21",
                                               "txn([], [[delete a]], []) -> [3 true [0]]@4-6",
                                               "txn([], [[put a \"2\"]], []) -> [4 true [nil]]@20-21"));
}

/// The only log begins behind a snapshot that has all that clients asked for.
TEST(EtcdPersisted, NothingIsSaidOfWhatASnapshotHas) {
  const std::string text =
      line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(3), 6, 7);
  EtcdLogWriter late(7);
  late.entry(7, 2, {});
  late.commit(7);
  EXPECT_EQ(report(text, {late}).pending_count(), 1U);
  // It had the lost put once, from a leader that lost, and says that more is committed before it writes of the
  // snapshot.
  EtcdLogWriter stale;
  stale.entry(1, 1, put("a", "1"));
  stale.commit(9);
  EXPECT_EQ(report(text, {stale}).pending_count(), 1U);
  stale.snapshot(9, 2);
  stale.entry(10, 2, {});
  stale.commit(10);
  EXPECT_EQ(report(text, {stale}).pending_count(), 1U);
}

/// The store was restored from a snapshot: the revisions go on from there.
TEST(EtcdPersisted, AStoreThatWasRestoredHasOtherRevisions) {
  EtcdLogWriter log;
  log.entry(1, 1, "a member", 1);
  log.commit(1);
  log.snapshot(1, 1);
  log.entry(2, 2, put("b", "1"));
  log.entry(3, 2, put("a", "1"));
  log.commit(3);
  const std::string text = line(2, plain(put_act("b", "1")), kLost, 1, 5) +
                           line(1, plain(put_act("a", "1")), kLost, 1, 5) +
                           line(3, R"({"Type":"range","Range":{"Start":"b"}})",
                                R"({"Range":{"KVs":[{"Key":"b","Value":{"Value":"1"},"ModRevision":3,"Version":2}],)"
                                R"("Count":1},"Revision":3})",
                                8, 9);
  EXPECT_EQ(report(text, {log}).pending_count(), 2U);
}

/// An entry of a leader that lost is replaced. The others never saw it; it may still be in the log of whoever was cut
/// off.
TEST(EtcdPersisted, WhatAnotherLeaderReplacedHadNoEffect) {
  const std::string text = line(1, plain(put_act("a", "1")), kLost, 1, 5) +
                           line(2, plain(put_act("a", "2")), done(2), 6, 7) +
                           line(2, plain(put_act("a", "3")), done(3), 8, 9);
  EtcdLogWriter old_leader;
  old_leader.entry(1, 1, put("a", "1"));
  const EtcdLogWriter cut_off = old_leader;
  old_leader.entry(1, 2, put("a", "2"));
  old_leader.entry(2, 2, put("a", "3"));
  const EtcdLogWriter other = log_of({put("a", "2"), put("a", "3")}, 1);
  for (const EtcdLogWriter& first : {old_leader, cut_off}) {
    const History history = report(text, {first, other, other});
    EXPECT_THAT(operations_of(history), ElementsAre("txn([], [[put a \"2\"]], []) -> [2 true [nil]]@6-7",
                                                    "txn([], [[put a \"3\"]], []) -> [3 true [nil]]@8-9"));
  }
  // Alone it says nothing, even of what was committed.
  EXPECT_EQ(report(text, {cut_off}).pending_count(), 1U);
  EXPECT_EQ(report(text, {cut_off, log_of({}), log_of({})}).pending_count(), 1U);
}

TEST(EtcdPersisted, RevisionsDoNotGoBack) {
  const std::string text =
      line(2, plain(put_act("a", "1")), done(20), 1, 9) + line(3, plain(put_act("a", "2")), done(10), 2, 8) +
      line(1, plain(put_act("a", "3")), kLost, 5, 0) + line(2, plain(put_act("a", "4")), done(21), 11, 12);
  EtcdLogWriter log(7);
  log.entry(7, 2, put("a", "1"));
  log.commit(7);
  log.snapshot(8, 2);
  log.entry(9, 2, put("a", "2"));
  log.entry(10, 2, put("a", "3"));
  log.commit(10);
  EXPECT_EQ(report(text, {log}).pending_count(), 1U);
}

TEST(EtcdPersisted, LeasesMayExpire) {
  const std::string before = line(1, R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":7}})",
                                  R"({"LeaseGrant":{"LeaseID":7},"Revision":1})", 1, 2) +
                             line(1, plain(put_act("a", "1", 7)), done(2), 3, 4);
  const std::string lost = line(1, R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}})", kLost, 5, 0);
  const std::string behind = line(2, plain(put_act("a", "2")), done(4), 6, 7);
  const auto log = [](std::int64_t seconds) {
    return log_of({test::logged_grant(7, seconds), test::logged_request(4, test::logged_put("a", "1", 7)),
                   test::logged_revoke(7), put("a", "2")});
  };
  EXPECT_THAT(operations_of(report(before + lost + behind, {log(1000)})),
              ElementsAre("grant(7) -> 1@1-2", "txn([], [[put a \"1\" 7]], []) -> [2 true [nil]]@3-4",
                          "revoke(7) -> 3@5-7", "txn([], [[put a \"2\"]], []) -> [4 true [nil]]@6-7"));
  // Whether it was the store or the client makes no difference; the store may have done so at any time.
  for (const std::string& text : {before + behind, before + lost + behind}) {
    const History expired = report(text, {log(1)});
    EXPECT_THAT(operations_of(expired),
                ElementsAre("grant(7) -> 1@1-2", "txn([], [[put a \"1\" 7]], []) -> [2 true [nil]]@3-4",
                            "revoke(7) -> 3@3-7", "txn([], [[put a \"2\"]], []) -> [4 true [nil]]@6-7"));
    EXPECT_THAT(annotations_of(expired), ::testing::Contains(HasSubstr("the lease 7 expired at revision 3")));
  }
  // One that lives longer than the recording has not expired.
  EXPECT_THAT(annotations_of(report(before + behind, {log(1000)})), ElementsAre(HasSubstr("nothing is inferred")));
  // If the log ends before what somebody was told, it may have expired behind it.
  EXPECT_THAT(annotations_of(report(before + behind, {log_of({test::logged_grant(7, 1)})})),
              ElementsAre(HasSubstr("a lease may have expired")));
}

std::string grant_line(int client, Tick call, Tick returned) {
  return line(client, R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":7}})",
              returned == 0 ? kLost : R"({"LeaseGrant":{"LeaseID":7},"Revision":1})", call, returned);
}
std::string revoke_line(int client, Tick call, Tick returned) {
  return line(client, R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}})",
              returned == 0 ? kLost : R"({"LeaseRevoke":{},"Revision":1})", call, returned);
}

// Such a lease comes and goes without a revision, so that the log may lack it although it has every revision.
TEST(EtcdPersisted, LeasesMayExpireBehindALogThatHasEveryRevision) {
  constexpr Tick kLater = 5'000'000'000;
  const auto grant_at = [](std::int64_t revision, Tick call) {
    return line(1, R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":7}})",
                fmt::format(R"({{"LeaseGrant":{{"LeaseID":7}},"Revision":{}}})", revision), call, call + 5);
  };
  const std::string short_lived = test::logged_grant(7, 1), revoke = test::logged_revoke(7);
  const std::string twice = grant_at(1, 10) + grant_at(1, kLater);
  const std::string moved = grant_at(1, 10) + line(2, plain(put_act("a", "1")), done(2), 30, 40) + grant_at(2, kLater);
  const std::vector<std::pair<std::string, EtcdLogWriter>> reports{
      {twice, log_of({short_lived})},
      {twice, log_of({short_lived, revoke, short_lived}, 1)},
      {moved, log_of({short_lived, put("a", "1")})}};
  for (const auto& [text, log] : reports) {
    EXPECT_THAT(annotations_of(report(text, {log})),
                ElementsAre(HasSubstr("a lease may have expired"), ::testing::StartsWith("assumed: no lease expired")));
    const auto verdict = check(report(text, {log}, true));
    EXPECT_TRUE(verdict && verdict->verdict == Verdict::linearizable);
  }
  // The log has its end.
  for (const auto& log : {log_of({short_lived, revoke, short_lived}), log_of({short_lived, revoke})}) {
    EXPECT_THAT(annotations_of(report(twice, {log})), ElementsAre(HasSubstr("the lease 7 expired at revision 1")));
  }
  // One that lives longer does not expire. One that is granted once, behind the log, may expire there unseen.
  EXPECT_THAT(annotations_of(report(twice, {log_of({test::logged_grant(7, 1000)})})), IsEmpty());
  const std::string once = line(2, plain(put_act("b", "1")), kLost, 20, 0) +
                           line(1, plain(put_act("a", "1")), done(2), 30, 40) + grant_at(2, 50);
  EXPECT_THAT(annotations_of(report(once, {log_of({put("a", "1")})})), ElementsAre(HasSubstr("had no effect")));
}

TEST(EtcdPersisted, LeasesMayExpireInWhatIsMissingOfALog) {
  constexpr Tick kLater = 5'000'000'000;
  const auto grant_at = [](Tick call) {
    return line(1, R"({"Type":"leaseGrant","LeaseGrant":{"LeaseID":7}})",
                R"({"LeaseGrant":{"LeaseID":7},"Revision":1})", call, call + 5);
  };
  const std::string text = grant_at(10) + grant_at(kLater) +
                           line(1, plain(put_act("a", "1")), done(2), kLater + 6, kLater + 7) +
                           line(1, plain(put_act("a", "2")), done(3), kLater + 8, kLater + 9);
  for (const std::int64_t seconds : {1, 1000}) {
    EtcdLogWriter late(3);  // behind the first grant and its end
    late.entry(3, 2, test::logged_grant(7, seconds));
    late.entry(4, 2, put("a", "1"));
    late.entry(5, 2, put("a", "2"));
    late.commit(5);
    const bool told = seconds > 5;
    const auto notes = annotations_of(report(text, {late}));
    EXPECT_EQ(notes.size(), told ? 0U : 1U) << seconds;
    if (!told && !notes.empty()) {
      EXPECT_THAT(notes[0], ::testing::StartsWith("assumed: no lease expired by itself"));
    }
    const auto verdict = check(report(text, {late}, true));
    EXPECT_TRUE(verdict && verdict->verdict == (told ? Verdict::violation : Verdict::linearizable)) << seconds;
  }
}

// It needs no grant before it.
TEST(EtcdPersisted, ARevokeBehindTheLogKeepsNoGrant) {
  const std::string text =
      line(1, plain(put_act("a", "1")), done(2), 1, 2) + grant_line(1, 3, 0) +
      line(2, R"({"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}})", R"({"LeaseRevoke":{},"Revision":2})", 5, 6);
  const History history = report(text, {log_of({put("a", "1")})});
  EXPECT_EQ(history.pending_count(), 0U);
  const auto verdict = check(history);
  EXPECT_TRUE(verdict && verdict->verdict == Verdict::linearizable);
}

TEST(EtcdPersisted, LeasesThatComeAndGoWithoutARevisionAreLeftAlone) {
  // The log ends before the revoke that was answered: the one that it has is of a request that failed.
  const std::string text =
      grant_line(1, 1, 2) + revoke_line(2, 3, 0) + revoke_line(3, 4, 0) + grant_line(1, 5, 6) + revoke_line(1, 7, 8);
  const std::string grant = test::logged_grant(7, 1000), revoke = test::logged_revoke(7);
  EXPECT_EQ(report(text, {log_of({grant, revoke, grant})}).pending_count(), 2U);
  EXPECT_EQ(report(text, {log_of({grant, revoke, grant, revoke})}).pending_count(), 2U);
  // One that is in no log is left out, if all grants are in it.
  const std::string later =
      grant_line(1, 1, 2) + revoke_line(2, 3, 0) + line(1, plain(put_act("a", "1")), done(2), 5, 6);
  EXPECT_EQ(report(later, {log_of({grant, put("a", "1")})}).pending_count(), 0U);
  EXPECT_EQ(report(later + grant_line(1, 7, 0), {log_of({grant, put("a", "1")})}).pending_count(), 1U);
  EXPECT_EQ(report(later + grant_line(1, 7, 0), {log_of({grant, put("a", "1"), revoke, grant})}).pending_count(), 0U);
}

TEST(EtcdPersisted, TornLogsAreTold) {
  EtcdLogWriter log = log_of({put("a", "2")});
  log.entry(2, 2, put("a", "3"));
  log.tear(9);
  const std::string text = line(2, plain(put_act("a", "2")), done(2), 6, 7);
  EXPECT_THAT(annotations_of(report(text, {log})),
              ElementsAre("the log of server-m0 ends in a record that was not written whole"));
}

TEST(EtcdPersisted, DamagedLogsAreErrors) {
  const std::string text = line(2, plain(put_act("a", "2")), done(2), 6, 7);
  const auto read = read_report(text, {log_of({put("a", "2")}), log_of({put("a", "3")})});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().source, "input/server-m1");
  EXPECT_THAT(read.error().message, HasSubstr("the entry 1 is committed here, and another one in server-m0"));
}

TEST(EtcdPersisted, LogsAreReadFromTheDirectoryOfAReport) {
  namespace fs = std::filesystem;
  const fs::path directory = fs::temp_directory_path() / "linchpin-etcd-persisted";
  fs::remove_all(directory);
  fs::create_directories(directory / "client-1");
  fs::create_directories(directory / "server-m0" / "member" / "wal");
  std::ofstream(directory / "client-1" / "operations.json")
      << line(1, plain(put_act("a", "1")), kLost, 1, 5) + line(2, plain(put_act("a", "2")), done(2), 6, 7);
  const EtcdLogWriter log = log_of({put("a", "2")});
  std::ofstream(directory / "server-m0" / "member" / "wal" / "0.wal", std::ios::binary) << log.files()[0];
  std::ofstream(directory / "server-m0" / "member" / "wal" / "0.tmp") << "no log";
  EXPECT_THAT(formats::logs_of_report(directory.string()), ElementsAre("server-m0/member/wal/0.wal"));
  const auto histories = read_histories(directory.string(), {});
  ASSERT_TRUE(histories) << histories.error().to_string();
  ASSERT_TRUE((*histories)[0]) << (*histories)[0].error().to_string();
  EXPECT_THAT(operations_of(*(*histories)[0]), SizeIs(1));
  fs::remove_all(directory);
}

// --- Simulated reports ---

/// The store of the simulation.
struct Store {
  struct Content {
    std::string value;
    std::int64_t mod = 0, version = 0, lease = 0;
  };
  std::map<std::string, Content> keys;
  std::set<std::int64_t> leases;
  std::int64_t revision = 1;

  bool put(const std::string& key, const std::string& value, std::int64_t lease) {
    if (lease != 0 && !leases.contains(lease)) return false;
    Content& content = keys[key];
    content = {.value = value, .mod = ++revision, .version = content.version + 1, .lease = lease};
    return true;
  }
  bool erase(const std::string& key) {
    if (keys.erase(key) == 0) return false;
    ++revision;
    return true;
  }
  bool revoke(std::int64_t lease) {
    leases.erase(lease);
    const auto before = keys.size();
    std::erase_if(keys, [lease](const auto& each) { return each.second.lease == lease; });
    if (keys.size() != before) ++revision;
    return keys.size() != before;
  }
  [[nodiscard]] std::string shown(const std::string& key) const {
    const auto at = keys.find(key);
    if (at == keys.end()) return R"({"KVs":[],"Count":0})";
    return fmt::format(R"({{"KVs":[{{"Key":"{}","Value":{{"Value":"{}"}},"ModRevision":{},"Version":{}}}],"Count":1}})",
                       key, at->second.value, at->second.mod, at->second.version);
  }
};

struct Shape {
  std::size_t requests = 7, clients = 3;
  double lost = 0.4, reads = 0.25, leases = 0.2, broken = 0.2, expiry = 0;
  bool few_leases = false;
};

class Simulation {
 public:
  Simulation(generate::Random& random, const Shape& shape) : random_(random), shape_(shape) {}

  void run() {
    std::size_t called = 0;
    std::vector<std::optional<std::size_t>> open(shape_.clients);
    const auto busy = [&] {
      return std::any_of(open.begin(), open.end(), [](const auto& each) { return each.has_value(); });
    };
    while (called < shape_.requests || busy()) {
      ++now_;
      const std::size_t client = random_.below(shape_.clients);
      if (!open[client]) {
        if (called == shape_.requests) continue;
        ++called;
        open[client] = requests_.size();
        requests_.push_back(draw(static_cast<int>(client) + 1));
      } else {
        Request& request = requests_[*open[client]];
        const std::size_t what = random_.below(3);
        if (what == 0 && !request.applied) apply(request);
        if (what == 1) {
          if (chance(shape_.lost)) {
            request.lost = true;
          } else {
            if (!request.applied) apply(request);
            request.returned = now_;
          }
          open[client].reset();
        }
      }
      // What was given up may still be executed.
      if (chance(0.15)) {
        for (Request& each : requests_) {
          if (each.lost && !each.applied && !each.reads && chance(0.3)) {
            ++now_;
            apply(each);
            break;
          }
        }
      }
      if (shape_.expiry > 0 && chance(shape_.expiry) && !store_.leases.empty()) {
        const std::int64_t lease = *store_.leases.begin();
        log_.push_back(test::logged_revoke(lease));
        store_.revoke(lease);
        ++now_;
        // Nobody was told; in what truly happened it is a request as any other.
        ends_ += line(1000 + static_cast<int>(log_.size()),
                      fmt::format(R"({{"Type":"leaseRevoke","LeaseRevoke":{{"LeaseID":{}}}}})", lease),
                      fmt::format(R"({{"LeaseRevoke":{{}},"Revision":{}}})", store_.revision), now_, now_);
      }
    }
    if (chance(shape_.broken)) damage();
  }

  /// What clients recorded; a step takes so many nanoseconds.
  [[nodiscard]] std::string recorded(Tick step = 1) const {
    std::string text;
    for (const Request& each : requests_) {
      text += line(each.client, each.input, each.lost ? kLost : each.output, each.call * step,
                   each.lost ? 0 : each.returned * step);
    }
    return text;
  }
  /// What truly happened: leases expired, requests of unknown fate that were executed have their answers, the others
  /// are not there.
  [[nodiscard]] std::string truth() const {
    std::string text = ends_;
    for (const Request& each : requests_) {
      if (each.lost && (!each.applied || each.reads || each.refused)) continue;
      // Its client has gone on.
      const int client = each.lost ? 100 + static_cast<int>(&each - requests_.data()) : each.client;
      text += line(client, each.input, each.output, each.call, each.lost ? each.executed : each.returned);
    }
    return text;
  }
  [[nodiscard]] bool expired() const { return !ends_.empty(); }
  [[nodiscard]] bool damaged() const { return damaged_; }

  /// Copies of the members' logs, taken at some time each.
  [[nodiscard]] std::vector<EtcdLogWriter> members() {
    std::vector<EtcdLogWriter> members;
    const std::size_t count = 1 + random_.below(3);
    const bool whole = chance(0.6);
    for (std::size_t m = 0; m < count; ++m) {
      const std::size_t length = whole || chance(0.5) ? log_.size() : random_.below(log_.size() + 1);
      members.push_back(member(length));
    }
    return members;
  }

 private:
  struct Request {
    int client = 0;
    std::string input, logged;  // an empty entry: it only reads
    std::function<std::string(Store&, bool& changed)> execute;
    bool reads = false, applied = false, lost = false, refused = false;
    std::string output;
    std::int64_t revision = 0;
    Tick call = 0, executed = 0, returned = 0;
  };

  bool chance(double share) { return static_cast<double>(random_.next() >> 11U) * 0x1p-53 < share; }

  void apply(Request& request) {
    request.applied = true;
    request.executed = now_;
    bool changed = false;
    request.output = request.execute(store_, changed);
    request.revision = store_.revision;
    if (!request.logged.empty()) log_.push_back(request.logged);
    if (request.output.empty()) request.refused = request.lost = true;
  }

  Request draw(int client) {
    Request request{.client = client, .call = now_};
    const std::string key(1, static_cast<char>('a' + random_.below(2)));
    const std::string value = std::to_string(random_.below(3));
    if (chance(shape_.reads)) {
      request.reads = true;
      request.input = fmt::format(R"({{"Type":"range","Range":{{"Start":"{}"}}}})", key);
      request.execute = [key](Store& store, bool&) {
        return fmt::format(R"({{"Range":{},"Revision":{}}})", store.shown(key), store.revision);
      };
      return request;
    }
    if (chance(shape_.leases)) {
      const std::int64_t lease = 1 + static_cast<std::int64_t>(shape_.few_leases ? 0 : random_.below(2));
      switch (random_.below(3)) {
        case 0:
          request.input = fmt::format(R"({{"Type":"leaseGrant","LeaseGrant":{{"LeaseID":{}}}}})", lease);
          request.logged = test::logged_grant(lease, shape_.expiry > 0 ? 1 : 100);
          request.execute = [lease](Store& store, bool&) {
            if (!store.leases.insert(lease).second) return std::string();
            return fmt::format(R"({{"LeaseGrant":{{"LeaseID":{}}},"Revision":{}}})", lease, store.revision);
          };
          return request;
        case 1:
          request.input = fmt::format(R"({{"Type":"leaseRevoke","LeaseRevoke":{{"LeaseID":{}}}}})", lease);
          request.logged = test::logged_revoke(lease);
          request.execute = [lease](Store& store, bool& changed) {
            if (!store.leases.contains(lease)) return std::string();
            changed = store.revoke(lease);
            return fmt::format(R"({{"LeaseRevoke":{{}},"Revision":{}}})", store.revision);
          };
          return request;
        default:
          request.input = plain(put_act(key, value, lease));
          request.logged = test::logged_request(4, test::logged_put(key, value, lease));
          request.execute = [key, value, lease](Store& store, bool& changed) {
            changed = store.put(key, value, lease);
            return changed ? done(store.revision) : std::string();
          };
          return request;
      }
    }
    switch (random_.below(4)) {
      case 0:
        request.input = plain(delete_act(key));
        request.logged = erase(key);
        request.execute = [key](Store& store, bool& changed) {
          changed = store.erase(key);
          return done(store.revision, changed ? 1 : 0);
        };
        return request;
      case 1: {
        const std::int64_t mod = chance(0.3) ? 0 : 1 + static_cast<std::int64_t>(random_.below(5));
        request.input = fmt::format(
            R"({{"Type":"txn","Txn":{{"Conditions":[{{"Key":"{}","ExpectedRevision":{}}}],"OperationsOnSuccess":[{}],"OperationsOnFailure":[{{"Type":"range-operation","Range":{{"Start":"{}"}}}}]}}}})",
            key, mod, put_act(key, value), key);
        test::WireMessage txn;
        txn.bytes(1, test::logged_mod(key, mod))
            .bytes(2, test::logged_act(2, test::logged_put(key, value)))
            .bytes(3, test::logged_act(1, test::logged_range(key)));
        request.logged = test::logged_request(6, txn.text());
        request.execute = [key, value, mod](Store& store, bool& changed) {
          const auto at = store.keys.find(key);
          changed = (at == store.keys.end() ? 0 : at->second.mod) == mod;
          if (changed) store.put(key, value, 0);
          return changed ? done(store.revision)
                         : fmt::format(R"({{"Txn":{{"Failure":true,"Results":[{}]}},"Revision":{}}})", store.shown(key),
                                       store.revision);
        };
        return request;
      }
      default:
        request.input = plain(put_act(key, value));
        request.logged = put(key, value);
        request.execute = [key, value](Store& store, bool& changed) {
          changed = store.put(key, value, 0);
          return done(store.revision);
        };
        return request;
    }
  }

  /// Changes a number of an answer.
  void damage() {
    for (Request& each : requests_) {
      if (each.lost || !chance(0.4)) continue;
      std::vector<std::size_t> digits;
      for (std::size_t i = 0; i < each.output.size(); ++i) {
        if (each.output[i] >= '0' && each.output[i] <= '9') digits.push_back(i);
      }
      if (digits.empty()) continue;
      each.output[digits[random_.below(digits.size())]] = static_cast<char>('1' + random_.below(6));
      damaged_ = true;
      return;
    }
  }

  /// A request that is in no log, as a leader proposes it that loses.
  std::string never_executed() {
    for (const Request& each : requests_) {
      if (each.lost && !each.applied && !each.logged.empty() && chance(0.5)) return each.logged;
    }
    return {};
  }

  EtcdLogWriter member(std::size_t length) {
    std::uint64_t index = 1;
    if (chance(0.1) && length > 1) index = 1 + random_.below(length);
    EtcdLogWriter log(index);
    const bool by_snapshot = index == 1 && length > 1 && chance(0.1);
    for (std::uint64_t committed = index - 1; index <= length; ++index) {
      if (by_snapshot && index == 2) {
        if (chance(0.5)) log.entry(index, 1, never_executed());
        if (chance(0.5)) log.commit(index + 1);  // as older members do
        log.snapshot(++index, 2);
        log.commit(committed = index);
        continue;
      }
      if (chance(0.1)) log.entry(index, 1, never_executed());  // and is replaced
      log.entry(index, 2, log_[index - 1]);
      if (chance(0.5)) {
        committed = std::max<std::uint64_t>(committed, random_.below(index + 1));
        if (chance(0.7)) committed = index;
        log.commit(committed);
      }
      if (chance(0.05)) log.cut();
    }
    if (chance(0.2)) log.entry(index, 1, never_executed());
    if (chance(0.2)) log.tear(random_.below(60));
    if (chance(0.3)) log.zeroes(8 * (1 + random_.below(90)));
    return log;
  }

  generate::Random& random_;
  const Shape shape_;
  Store store_;
  Tick now_ = 0;
  std::vector<Request> requests_;
  std::vector<std::string> log_;
  std::string ends_;  // of leases that expired
  bool damaged_ = false;
};

/// The truth about a history.
bool linearizable(const History& history, const std::shared_ptr<const Specification>& specification) {
  const auto parts = history::split_by_object(history, {&specification, 1}, Ties::concurrent);
  EXPECT_TRUE(parts) << parts.error().to_string();
  if (!parts || parts->empty()) return true;
  return test::Oracle(*specification).linearizable((*parts)[0]);
}

struct Counts {
  std::size_t expired = 0, expired_by_logs = 0;  // and found linearizable; which nobody could see without the logs
  std::size_t may_have_expired = 0;              // linearizable only if a lease may have
  std::size_t reports = 0, inferred = 0, violations = 0, decided_more = 0, problems = 0;
};

void compare(const Shape& shape, std::size_t count, std::uint64_t seed, Counts& counts) {
  const auto specification = make_specification({.name = "mvcc-kv", .options = {}});
  ASSERT_TRUE(specification);
  for (std::size_t n = 0; n < count && !::testing::Test::HasFailure(); ++n) {
    generate::Random random(seed + n);
    Shape drawn = shape;
    drawn.requests = 2 + random.below(shape.requests);
    Simulation simulation(random, drawn);
    simulation.run();
    const std::string text = simulation.recorded();
    const auto members = simulation.members();
    // Where leases expire, a tick is a second, so that they can by the times of the report.
    constexpr Tick kSecond = 1'000'000'000;
    const History known = report(text, {});
    const History more = report(shape.expiry > 0 ? simulation.recorded(kSecond) : text, members);
    if (::testing::Test::HasFailure()) break;
    const std::string truth = simulation.truth();
    const bool without = linearizable(known, *specification), with = linearizable(more, *specification);
    const bool right = truth.empty() || linearizable(report(truth, {}), *specification);
    const auto notes = annotations_of(more);
    const auto context = [&] {
      std::string all = fmt::format("seed {}\n{}", seed + n, text);
      for (const std::string& each : notes) all += each + "\n";
      return all;
    };
    EXPECT_TRUE(right || simulation.damaged()) << context();
    // Where a lease expired, and the logs do not say so, the history is judged by what clients saw: as if none did. It
    // says so.
    const bool nothing = std::any_of(notes.begin(), notes.end(),
                                     [](const std::string& each) { return each.starts_with("nothing is inferred"); });
    const bool judged_so =
        std::any_of(notes.begin(), notes.end(), [](const std::string& each) { return each.starts_with("assumed: "); });
    EXPECT_TRUE(!right || with || judged_so) << "made wrong by the logs: " << context();
    if (nothing) {
      EXPECT_EQ(with, without) << context();
    }
    // The store may end a lease at any time, and a client only when it asks.
    EXPECT_TRUE(!with || without || shape.expiry > 0) << "the logs allow more: " << context();
    if (shape.expiry > 0) {
      const History loose = report(simulation.recorded(kSecond), {}, true);
      const bool may_expire = linearizable(loose, *specification);
      EXPECT_TRUE(!right || may_expire) << "a lease cannot have expired: " << context();
      EXPECT_TRUE(!without || may_expire) << "no lease need expire: " << context();
      const auto verdict = check(loose);
      EXPECT_TRUE(verdict && verdict->verdict == (may_expire ? Verdict::linearizable : Verdict::violation))
          << context();
      counts.may_have_expired += may_expire && !without ? 1 : 0;
    }
    counts.expired += simulation.expired() && right && with ? 1 : 0;
    counts.expired_by_logs += simulation.expired() && right && with && !without ? 1 : 0;
    ++counts.reports;
    const auto holds = [&](std::string_view part) {
      return std::any_of(notes.begin(), notes.end(), [&](const std::string& each) { return each.find(part) == 0; });
    };
    counts.inferred += holds("inferred") ? 1 : 0;
    counts.problems += holds("nothing") ? 1 : 0;
    counts.violations += right ? 0 : 1;
    counts.decided_more += without && !with ? 1 : 0;
  }
}

TEST(EtcdPersisted, InferencesAreSound) {
  const std::size_t count = test::random_histories(20'000);
  Counts counts;
  compare({}, count / 4, 1, counts);
  compare({.requests = 12, .clients = 2, .lost = 0.6, .reads = 0.3, .leases = 0}, count / 4, 1'000'000'000, counts);
  compare({.requests = 6, .clients = 3, .lost = 0.4, .reads = 0.1, .leases = 0.95, .few_leases = true}, count / 4,
          4'000'000'000, counts);
  compare({.requests = 5, .clients = 3, .lost = 0.7, .leases = 0.5, .broken = 0.5}, count / 4, 2'000'000'000, counts);
  compare({.requests = 8, .clients = 2, .lost = 0.3, .leases = 0.6, .broken = 0, .expiry = 0.1}, count / 4,
          3'000'000'000, counts);
  if (HasFailure()) return;
  // The reports have what they are about.
  EXPECT_GT(counts.inferred, counts.reports / 4);
  EXPECT_GT(counts.violations, counts.reports / 50);
  if (!test::few()) {
    EXPECT_GT(counts.decided_more, 0U);  // these are rare
  }
  EXPECT_GT(counts.problems, counts.reports / 100);
  EXPECT_GT(counts.expired, counts.reports / 100);
  EXPECT_GT(counts.expired_by_logs, 0U);
  EXPECT_GT(counts.may_have_expired, 0U);
}

}  // namespace etcd_persisted_test
}  // namespace linchpin

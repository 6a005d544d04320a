#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/etcd_robustness/log/checksum.hpp"
#include "formats/etcd_robustness/log/cluster.hpp"
#include "formats/etcd_robustness/log/replay.hpp"
#include "formats/etcd_robustness/log/wire.hpp"
#include "support/etcd_log.hpp"

namespace linchpin::formats::etcd_robustness::log {
namespace etcd_log_test {

using test::EtcdLogWriter;
using test::WireMessage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<LogFile> files_of(const EtcdLogWriter& writer) {
  std::vector<LogFile> files;
  for (const std::string& bytes : writer.files()) {
    files.push_back({"server-m0/member/wal/" + std::to_string(files.size()) + ".wal", bytes});
  }
  return files;
}

MemberLog member_of(const EtcdLogWriter& writer) {
  const auto files = files_of(writer);
  auto log = read_member("server-m0", files);
  EXPECT_TRUE(log) << log.error().to_string();
  return log ? std::move(*log) : MemberLog{};
}

Error error_of(const EtcdLogWriter& writer) {
  const auto files = files_of(writer);
  const auto log = read_member("server-m0", files);
  EXPECT_FALSE(log);
  return log ? Error{} : log.error();
}

std::vector<std::string> entries_of(const std::vector<Entry>& entries) {
  std::vector<std::string> texts;
  for (const Entry& each : entries) {
    texts.push_back(std::to_string(each.index) + "/" + std::to_string(each.term) + " " + std::string(each.data));
  }
  return texts;
}

TEST(EtcdLog, ChecksumsAreThoseOfCastagnoli) {
  EXPECT_EQ(checksum(0, "123456789"), 0xE3069283U);
  std::string text;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(checksum(7, text), EtcdLogWriter::checksum(7, text)) << i;
    text += static_cast<char>(i * 37);
  }
}

TEST(EtcdLog, MessagesAreReadFieldByField) {
  const std::string text = WireMessage().number(1, 300).bytes(100, "abc").number(2, ~std::uint64_t{0}).text();
  Message message(text);
  ASSERT_TRUE(message.next());
  EXPECT_EQ(message.field(), 1U);
  EXPECT_EQ(message.number(), 300U);
  ASSERT_TRUE(message.next());
  EXPECT_EQ(message.field(), 100U);
  EXPECT_EQ(message.bytes(), "abc");
  ASSERT_TRUE(message.next());
  EXPECT_EQ(message.integer(), -1);
  EXPECT_FALSE(message.next());
  EXPECT_FALSE(message.fault());
}

TEST(EtcdLog, MessagesHaveFaults) {
  const auto fault = [](std::string_view bytes) {
    Message message(bytes);
    while (message.next()) message.bytes();
    return message.fault();
  };
  EXPECT_TRUE(fault("\x08"));                                              // a number that is cut off
  EXPECT_TRUE(fault("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"));  // and one that does not end
  EXPECT_TRUE(
      fault("\x0a\x05"
            "abc"));                                    // fewer bytes than it says
  EXPECT_TRUE(fault("\x0b"));                           // a group
  EXPECT_TRUE(fault(std::string_view("\x02\x00", 2)));  // the field 0
  EXPECT_TRUE(fault("\x08\x05"));                       // a number where bytes are wanted
}

TEST(EtcdLog, EntriesAreReadFromSeveralFiles) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  writer.commit(1);
  writer.cut();
  writer.entry(2, 1, "b");
  writer.entry(3, 2, {});
  writer.commit(2);
  writer.zeroes(4096);
  const MemberLog log = member_of(writer);
  EXPECT_THAT(entries_of(log.entries), ElementsAre("1/1 a", "2/1 b", "3/2 "));
  EXPECT_EQ(log.commit, 2U);
  EXPECT_EQ(log.committed(), 2U);
  EXPECT_FALSE(log.torn);
}

TEST(EtcdLog, LaterEntriesReplaceThoseOfTheirIndexAndAllBehind) {
  EtcdLogWriter writer;
  for (std::uint64_t i = 1; i <= 4; ++i) writer.entry(i, 1, "old");
  writer.commit(1);
  writer.entry(2, 2, "new");
  EXPECT_THAT(entries_of(member_of(writer).entries), ElementsAre("1/1 old", "2/2 new"));
  writer.entry(1, 1, "old");  // written again
  EXPECT_THAT(member_of(writer).entries, SizeIs(2));
  writer.entry(1, 3, "other");
  EXPECT_THAT(error_of(writer).message, ::testing::HasSubstr("the entry 1 was committed, and is replaced"));
}

TEST(EtcdLog, EntriesMustNotBeMissing) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  writer.entry(3, 1, "c");
  const Error error = error_of(writer);
  EXPECT_THAT(error.message, ::testing::HasSubstr("the entry 3 follows the entry 1"));
  EXPECT_EQ(error.source, "server-m0/member/wal/0.wal");
  EXPECT_FALSE(error.hint.empty());
}

TEST(EtcdLog, SnapshotsStandForWhatIsMissing) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  writer.commit(1);
  writer.entry(2, 1, "of a leader that lost");
  writer.snapshot(9, 3);
  writer.entry(10, 3, "j");
  writer.commit(10);
  writer.snapshot(10, 3);  // its own
  writer.entry(11, 3, "k");
  const MemberLog log = member_of(writer);
  EXPECT_THAT(entries_of(log.entries), ElementsAre("1/1 a", "10/3 j", "11/3 k"));
  EXPECT_EQ(log.committed(), 2U);
}

/// Members of older versions write what is committed before they write of the snapshot that has it.
TEST(EtcdLog, WhatASnapshotReplacesWasNotCommitted) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  writer.commit(1);
  writer.entry(2, 1, "of a leader that lost");
  writer.commit(9);
  EXPECT_EQ(member_of(writer).committed(), 1U);
  writer.snapshot(9, 3);
  writer.entry(10, 3, "j");
  writer.commit(10);
  const MemberLog log = member_of(writer);
  EXPECT_THAT(entries_of(log.entries), ElementsAre("1/1 a", "10/3 j"));
  EXPECT_EQ(log.committed(), 2U);
}

TEST(EtcdLog, WhatASnapshotStandsForIsNotWrittenAgain) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  writer.commit(1);
  writer.snapshot(9, 3);
  writer.entry(10, 3, "j");
  EtcdLogWriter gap = writer, committed = writer;
  gap.entry(5, 4, "e");
  EXPECT_THAT(error_of(gap).message, ::testing::HasSubstr("the entry 5 follows the entry 1"));
  committed.commit(10);
  committed.entry(5, 4, "e");
  EXPECT_THAT(error_of(committed).message, ::testing::HasSubstr("the entry 5 was committed, and is replaced"));
  writer.entry(10, 4, "another leader's");
  EXPECT_THAT(entries_of(member_of(writer).entries), ElementsAre("1/1 a", "10/4 another leader's"));
}

TEST(EtcdLog, AStoreThatWasRestoredWasNotEmpty) {
  EtcdLogWriter restored, usual;
  for (EtcdLogWriter* const writer : {&restored, &usual}) {
    for (std::uint64_t i = 1; i <= 3; ++i) writer->entry(i, 1, "a member", 1);
    if (writer == &usual) writer->entry(4, 1, "a");
    writer->commit(3);
    writer->snapshot(3, 1);
  }
  EXPECT_TRUE(member_of(restored).restored);
  EXPECT_FALSE(member_of(usual).restored);
}

TEST(EtcdLog, AMemberMayHaveDroppedItsFirstFiles) {
  EtcdLogWriter writer(5);
  writer.entry(5, 1, "e");
  EXPECT_THAT(entries_of(member_of(writer).entries), ElementsAre("5/1 e"));
}

/// Wherever the log is cut off: what is left is read, and only a cut between two records is not told.
TEST(EtcdLog, TornEndsAreTheEnd) {
  EtcdLogWriter whole;
  whole.entry(1, 1, "a");
  const std::size_t first = whole.files()[0].size();
  whole.entry(2, 1, std::string(1500, 'b'));
  const std::size_t last = whole.files()[0].size() - first;
  for (std::size_t missing = 0; missing <= last; ++missing) {
    EtcdLogWriter writer = whole;
    writer.tear(missing);
    for (const std::size_t zeroes : {0, 100, 3000}) {
      SCOPED_TRACE(std::to_string(missing) + " " + std::to_string(zeroes));
      writer.zeroes(zeroes);
      const MemberLog log = member_of(writer);
      // Zeroes that were missing are the padding.
      const bool padded = missing > 0 && missing < 8 && log.entries.size() == 2;
      EXPECT_THAT(log.entries, SizeIs(missing == 0 || padded ? 2 : 1));
      if (!padded) {
        EXPECT_EQ(log.torn, missing != 0 && missing != last);
      }
    }
  }
}

/// A disk may have written the end of a record, and not its beginning.
TEST(EtcdLog, AnEndWithoutItsFrameIsTorn) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "a");
  std::string bytes = writer.files()[0];
  bytes.append(1024, '\0');
  EXPECT_FALSE(read_member("server-m0", std::vector<LogFile>{{"0.wal", bytes}})->torn);
  bytes += "the rest of a record";
  const auto torn = read_member("server-m0", std::vector<LogFile>{{"0.wal", bytes}});
  EXPECT_THAT(torn->entries, SizeIs(1));
  EXPECT_TRUE(torn->torn);
  // A frame that says nothing of a length is none.
  std::string odd = writer.files()[0] + std::string("\0\0\0\0\0\0\0\x80", 8) + std::string(1024, 'x');
  const auto error = read_member("server-m0", std::vector<LogFile>{{"0.wal", odd}});
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::checksum);
}

TEST(EtcdLog, DamageIsAnError) {
  EtcdLogWriter writer;
  writer.entry(1, 1, "aaaaaaaa");
  writer.entry(2, 1, "bbbbbbbb");
  std::string bytes = writer.files()[0];
  bytes[bytes.find("aaaa")] = 'x';
  const std::vector<LogFile> files{{"0.wal", bytes}};
  const auto damaged = read_member("server-m0", files);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::checksum);
  // The files of a log have to follow one another, and only the last may be torn.
  EtcdLogWriter two;
  two.entry(1, 1, "a");
  two.cut();
  two.entry(2, 1, "b");
  std::vector<LogFile> wrong = files_of(two);
  wrong.erase(wrong.begin());
  EXPECT_TRUE(read_member("server-m0", wrong));  // the first one may be gone
  wrong = files_of(two);
  wrong[0].bytes.remove_suffix(5);
  EXPECT_FALSE(read_member("server-m0", wrong));
  EtcdLogWriter other;
  other.entry(1, 1, "another");
  std::vector<LogFile> mixed{files_of(other)[0], files_of(two)[1]};
  const auto error = read_member("server-m0", mixed);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::checksum);
}

TEST(EtcdLog, MembersAgreeOnWhatIsCommitted) {
  EtcdLogWriter ahead, behind, stale;
  for (std::uint64_t i = 1; i <= 3; ++i) ahead.entry(i, 1, "x");
  ahead.entry(4, 2, "y");
  ahead.entry(5, 2, "only here");
  ahead.commit(3);
  behind.entry(1, 1, "x");
  behind.commit(1);
  for (std::uint64_t i = 1; i <= 3; ++i) stale.entry(i, 1, "x");
  stale.commit(2);
  stale.entry(4, 2, "y");
  const std::vector<EtcdLogWriter> writers{ahead, behind, stale};
  std::vector<MemberLog> members;
  for (const EtcdLogWriter& each : writers) members.push_back(member_of(each));
  const auto log = join(members);
  ASSERT_TRUE(log) << log.error().to_string();
  EXPECT_EQ(log->sure, 3U);
  EXPECT_THAT(entries_of(log->entries), ElementsAre("1/1 x", "2/1 x", "3/1 x", "4/2 y"));
}

TEST(EtcdLog, MembersThatDisagreeAreAnError) {
  EtcdLogWriter left, right;
  left.entry(1, 1, "x");
  left.commit(1);
  right.entry(1, 2, "y");
  right.commit(1);
  const std::vector<EtcdLogWriter> writers{left, right};
  std::vector<MemberLog> members{member_of(writers[0]), member_of(writers[1])};
  members[1].name = "server-m1";
  const auto log = join(members);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().source, "server-m1");
  EXPECT_THAT(log.error().message, ::testing::HasSubstr("another one in server-m0"));
  EXPECT_FALSE(log.error().hint.empty());
}

std::string txn_of(const std::string& compare, const std::string& success, const std::string& failure) {
  WireMessage txn;
  if (!compare.empty()) txn.bytes(1, compare);
  if (!success.empty()) txn.bytes(2, success);
  if (!failure.empty()) txn.bytes(3, failure);
  return test::logged_request(6, txn.text());
}

TEST(EtcdLog, EntriesAreRequests) {
  ValuePool pool;
  const auto words = [&](const std::string& data) {
    const LoggedRequest request = request_of_entry(data);
    std::string text(method_of(request.kind));
    if (const auto arguments = arguments_of(request, pool)) {
      for (const Value each : *arguments) text += " " + pool.to_text(each);
    }
    return text;
  };
  using test::logged_act;
  EXPECT_EQ(words(test::logged_request(4, test::logged_put("a", "1", 7))), "txn [] [[put a \"1\" 7]] []");
  EXPECT_EQ(words(test::logged_request(5, test::logged_delete("a", "c"))), "txn [] [[delete a c]] []");
  EXPECT_EQ(words(txn_of(test::logged_mod("a", 4), logged_act(2, test::logged_put("a", "x")),
                         logged_act(1, test::logged_range("a")))),
            "txn [[mod a 4]] [[put a x]] [[range a]]");
  EXPECT_EQ(words(txn_of(WireMessage().number(2, 0).bytes(3, "a").number(4, 2).text(), {}, {})),
            "txn [[version a 2]] [] []");
  EXPECT_EQ(words(test::logged_grant(7, 60)), "grant 7");
  EXPECT_EQ(words(test::logged_revoke(7)), "revoke 7");
  EXPECT_EQ(words(test::logged_compaction(9)), "compact 9");
  // Long values are known by their hash.
  EXPECT_EQ(words(test::logged_request(4, test::logged_put("a", "aaaaaaaaaaaaaaaaaaaa"))),
            "txn [] [[put a 932493001]] []");
}

TEST(EtcdLog, WhatIsNotFollowedIsKnownToBe) {
  using Kind = LoggedRequest::Kind;
  const auto kind = [](const std::string& data) { return request_of_entry(data).kind; };
  EXPECT_EQ(kind(WireMessage().number(1, 5).bytes(2, "PUT").bytes(3, "/0/version").text()), Kind::none);
  EXPECT_EQ(kind(test::logged_request(1300, "")), Kind::none);
  EXPECT_EQ(kind(test::logged_request(11, "")), Kind::none);
  EXPECT_EQ(kind(test::logged_request(10, "")), Kind::changing);    // an alarm
  EXPECT_EQ(kind(test::logged_request(1000, "")), Kind::changing);  // users have rights from now on
  EXPECT_EQ(kind("\x08"), Kind::changing);
  EXPECT_EQ(kind(test::logged_request(4, WireMessage().bytes(1, "a").number(5, 1).text())), Kind::odd);
  EXPECT_EQ(kind(txn_of({}, test::logged_act(4, ""), {})), Kind::odd);  // a transaction in a transaction
  EXPECT_EQ(kind(txn_of({}, test::logged_act(1, WireMessage().bytes(1, "a").number(4, 3).text()), {})), Kind::odd);
  EXPECT_EQ(kind(txn_of(WireMessage().number(1, 1).number(2, 2).bytes(3, "a").text(), {}, {})), Kind::odd);
  EXPECT_EQ(kind(txn_of(WireMessage().number(2, 3).bytes(3, "a").text(), {}, {})), Kind::odd);
}

class EtcdReplay : public ::testing::Test {
 protected:
  Outcome apply(std::string data, const Told* told = nullptr) {
    kept_.push_back(std::make_unique<std::string>(std::move(data)));
    return replay_.apply(request_of_entry(*kept_.back()), told);
  }
  std::string did(std::string data, const Told* told = nullptr) {
    const Outcome outcome = apply(std::move(data), told);
    const std::string changed = outcome.changed == Truth::unknown ? "?" : outcome.changed == Truth::yes ? "yes" : "no";
    return changed + " " + (outcome.revision ? std::to_string(*outcome.revision) : "?");
  }
  static std::string put(const std::string& key, std::int64_t lease = 0) {
    return test::logged_request(4, test::logged_put(key, "v", lease));
  }
  static std::string erase(const std::string& key, const std::string& end = {}) {
    return test::logged_request(5, test::logged_delete(key, end));
  }
  static std::string put_if(const std::string& key, std::int64_t mod) {
    return txn_of(test::logged_mod(key, mod), test::logged_act(2, test::logged_put(key, "w")), {});
  }
  Replay replay_{true};

 private:
  std::vector<std::unique_ptr<std::string>> kept_;
};

TEST_F(EtcdReplay, KnowsEveryRevisionFromTheStartOn) {
  EXPECT_EQ(did(put("a")), "yes 2");
  EXPECT_EQ(did(erase("b")), "no 2");
  EXPECT_EQ(did(put_if("a", 2)), "yes 3");
  EXPECT_EQ(did(put_if("a", 2)), "no 3");
  EXPECT_EQ(did(put("b")), "yes 4");
  EXPECT_EQ(did(erase("a", "c")), "yes 5");
  EXPECT_EQ(did(put_if("a", 0)), "yes 6");
  EXPECT_EQ(did(erase("a", std::string("\0", 1))), "yes 7");
  const Outcome none = apply(erase("a", "z"));
  EXPECT_EQ(none.changed, Truth::no);
  EXPECT_THAT(none.deleted, ElementsAre(0));
}

TEST_F(EtcdReplay, KnowsLeases) {
  EXPECT_EQ(did(put("a", 7)), "no 1");  // the lease is not there
  EXPECT_EQ(did(test::logged_grant(7, 60)), "no 1");
  EXPECT_EQ(did(put("a", 7)), "yes 2");
  EXPECT_EQ(did(put("b", 7)), "yes 3");
  EXPECT_EQ(did(put("b")), "yes 4");  // no longer under the lease
  EXPECT_EQ(did(test::logged_revoke(7)), "yes 5");
  EXPECT_EQ(did(erase("a")), "no 5");
  EXPECT_EQ(did(erase("b")), "yes 6");
  EXPECT_EQ(did(test::logged_revoke(7)), "no 6");
}

TEST_F(EtcdReplay, SaysNothingOfWhatItDoesNotKnow) {
  replay_.forget();
  EXPECT_EQ(did(put("a")), "yes ?");
  EXPECT_EQ(did(erase("a")), "yes ?");
  EXPECT_EQ(did(erase("b")), "? ?");
  EXPECT_EQ(did(erase("b")), "no ?");
  EXPECT_EQ(did(put("a", 7)), "? ?");
  const Told told{.revision = 9};
  EXPECT_EQ(did(put("c"), &told), "yes ?");
  EXPECT_EQ(did(put("c")), "yes 10");
  EXPECT_EQ(did(put_if("c", 10)), "yes 11");
  EXPECT_EQ(did(put_if("d", 10)), "? ?");
  EXPECT_EQ(did(put("c"), &told), "yes ?");
  EXPECT_EQ(did(test::logged_revoke(7)), "? ?");
}

TEST_F(EtcdReplay, SeesWhatCannotHaveBeenTold) {
  const Told told{.revision = 3};
  EXPECT_TRUE(apply(put("a"), &told).contradicts);
  const Told right{.revision = 4};
  EXPECT_FALSE(apply(put("a"), &right).contradicts);
  const Told nothing{.revision = 4, .succeeded = false, .changed = false};
  EXPECT_FALSE(apply(put_if("a", 3), &nothing).contradicts);
  EXPECT_TRUE(apply(put_if("a", 4), &nothing).contradicts);
}

TEST_F(EtcdReplay, IsOverWhereRequestsMayBeRefused) {
  EXPECT_EQ(did(put("a")), "yes 2");
  EXPECT_EQ(did(test::logged_request(10, "")), "? ?");
  const Told told{.revision = 9};
  EXPECT_EQ(did(put("a"), &told), "? ?");
  EXPECT_EQ(did(put("a")), "? ?");
}

}  // namespace etcd_log_test
}  // namespace linchpin::formats::etcd_robustness::log

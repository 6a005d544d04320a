#include <cstring>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "formats/binary/format.hpp"
#include "formats/binary/layout.hpp"
#include "history/columns.hpp"
#include "support/histories.hpp"

namespace linchpin::formats::binary {
namespace {

using linchpin::testing::dump;
using linchpin::testing::error_of;
using linchpin::testing::read_all;

/// A history with every section.
History sample() {
  HistoryBuilder builder;
  ValuePool& pool = builder.pool();
  builder.set_type(builder.object("a"), TypeName{"queue", {{"capacity", "3"}}});
  builder.object("b");
  const Value list = pool.list({pool.string("some text"), pool.list({pool.integer(INT64_MAX)}), Value::nil()});
  builder.add(
      {.process = 0, .object = 0, .method = "put", .arguments = {list}, .call = 1, .response = 4, .place = {2, 3}});
  builder.add(
      {.process = builder.process("client"), .object = 1, .method = "take", .result = list, .call = 2, .response = 3});
  builder.add({.process = 0, .object = 1, .method = "take", .call = 5, .place = {4, 1}});
  builder.annotate({.begin = 1, .end = 3, .text = "partition", .process = "n1", .colour = "red"});
  return *std::move(builder).build();
}

std::string written(const History& history) {
  std::string bytes;
  EXPECT_TRUE(write(history, bytes));
  return bytes;
}

/// The same written in parts.
std::string written_in_parts(const std::vector<History>& parts) {
  const auto writer = write_parts();
  for (const History& part : parts) EXPECT_TRUE(writer->add(part));
  std::string bytes;
  EXPECT_TRUE(writer->finish([&](std::string_view piece) {
    bytes += piece;
    return true;
  }));
  return bytes;
}

/// The bytes with every checksum made right again: what a file made to harm looks like.
std::string resealed(std::string bytes) {
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t head = sizeof header + header.section_count * sizeof(SectionEntry);
  if (header.section_count > kLastSection || head > bytes.size()) return bytes;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    char* const at = bytes.data() + sizeof header + i * sizeof(SectionEntry);
    SectionEntry entry{};
    std::memcpy(&entry, at, sizeof entry);
    if (entry.offset > bytes.size() || padded(entry.size) > bytes.size() - entry.offset) continue;
    entry.checksum = XXH3_64bits(bytes.data() + entry.offset, padded(entry.size));
    std::memcpy(at, &entry, sizeof entry);
  }
  header.checksum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = XXH3_64bits(bytes.data(), head);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// Changes the entries of one section, then seals the file.
template <class T>
std::string with(std::string bytes, Section section, std::size_t index, T value) {
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::size_t i = 0; i < header.section_count; ++i) {
    SectionEntry entry{};
    std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.section != static_cast<std::uint32_t>(section)) continue;
    EXPECT_LE((index + 1) * sizeof value, entry.size);
    std::memcpy(bytes.data() + entry.offset + index * sizeof value, &value, sizeof value);
    return resealed(bytes);
  }
  ADD_FAILURE() << "no such section";
  return bytes;
}

TEST(Binary, WhatIsWrittenReadsBackTheSame) {
  linchpin::testing::RandomHistories random(20260102);
  std::string together;
  std::vector<std::string> expected;
  for (int round = 0; round < 1000; ++round) {
    const History history = random.next();
    const std::string bytes = written(history);
    const auto again = read_all(read, bytes);
    ASSERT_EQ(again.size(), 1U);
    ASSERT_TRUE(again[0]) << again[0].error().to_string();
    ASSERT_EQ(dump(*again[0]), dump(history)) << "round " << round;
    EXPECT_EQ(written(*again[0]), bytes);
    together += bytes;
    expected.push_back(dump(history));
  }
  const auto all = read_all(read, together);
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(dump(*all[i]), expected[i]);
}

TEST(Binary, KeepsPlacesAndLeavesOutUnusedValues) {
  const History history = sample();
  const auto again = read_all(read, written(history));
  ASSERT_TRUE(again.at(0)) << again[0].error().to_string();
  EXPECT_EQ(dump(*again[0]), dump(history));
  EXPECT_EQ(again[0]->place(0).line, 2U);
  EXPECT_EQ(again[0]->place(0).column, 3U);
  const OperationIndex last[] = {2};
  EXPECT_EQ(written(history.restricted_to(last)).find("some text"), std::string::npos);
}

TEST(Binary, IsReadFromAnyAddress) {
  const std::string bytes = written(sample());
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string moved = std::string(shift, ' ') + bytes;
    const auto again = read_all(read, std::string_view(moved).substr(shift));
    ASSERT_TRUE(again.at(0));
    EXPECT_EQ(dump(*again[0]), dump(sample()));
  }
}

TEST(Binary, TheTypeAskedForReplacesTheFiles) {
  ReadOptions options;
  options.type = TypeName{.name = "stack", .options = {}};
  const auto again = read_all(read, written(sample()), options);
  for (const Object& object : again.at(0)->objects()) EXPECT_EQ(object.type.name, "stack");
}

TEST(Binary, TwoThingsOfOneNameAreRefused) {
  HistoryBuilder builder;
  builder.set_type(builder.object("object-one"), TypeName{"queue", {{"option-one", "3"}, {"option-two", "4"}}});
  builder.object("object-two");
  builder.add({.process = builder.process("process-one"), .method = "method-one", .call = 1, .response = 2});
  builder.add({.process = builder.process("process-two"), .object = 1, .method = "method-two", .call = 1});
  const std::string good = written(*std::move(builder).build());
  ASSERT_TRUE(read_all(read, good).at(0));
  for (const std::string what : {"object", "option", "process", "method"}) {
    std::string bytes = good;
    const std::size_t at = bytes.find(what + "-two");
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, what.size() + 4, what + "-one");
    const Error error = error_of(read, resealed(bytes));
    EXPECT_EQ(error.code, ErrorCode::syntax) << error.to_string();
    EXPECT_NE(error.message.find("'" + what + "-one'"), std::string::npos) << error.to_string();
    EXPECT_NE(error.message.find("at byte " + std::to_string(at - 8)), std::string::npos) << error.to_string();
  }
}

TEST(Binary, EveryTruncationIsAnError) {
  const std::string bytes = written(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Error error = error_of(read, bytes.substr(0, length));
    EXPECT_EQ(name(error.code), "truncated") << length << ' ' << error.to_string();
    EXPECT_FALSE(error.hint.empty());
  }
}

TEST(Binary, EveryBitFlippedIsAnError) {
  const std::string bytes = written(sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const Error error = error_of(read, changed);
      EXPECT_FALSE(error.hint.empty()) << i;
    }
  }
}

TEST(Binary, BytesBehindAHistoryAreAnError) {
  const auto histories = read_all(read, written(sample()) + "more");
  ASSERT_EQ(histories.size(), 2U);
  EXPECT_TRUE(histories[0]);
  EXPECT_FALSE(histories[1]);
}

// With right checksums around wrong content every outcome is allowed but a crash; a history that comes out must be one
// that can be used.
TEST(Binary, FilesMadeToHarmGiveErrorsOrSoundHistories) {
  const std::string bytes = written(sample());
  std::size_t errors = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int byte = 0; byte < 256; byte += (i < 600 ? 3 : 1)) {
      std::string changed = bytes;
      if (changed[i] == static_cast<char>(byte)) continue;
      changed[i] = static_cast<char>(byte);
      const auto histories = read_all(read, resealed(changed));
      ASSERT_FALSE(histories.empty());
      if (!histories[0]) {
        ++errors;
        continue;
      }
      EXPECT_FALSE(dump(*histories[0]).empty());
      EXPECT_FALSE(written(*histories[0]).empty());
    }
  }
  EXPECT_GT(errors, 10000U);
}

TEST(Binary, RefusesWhatTheBuilderRefuses) {
  const std::string bytes = written(sample());
  EXPECT_EQ(error_of(read, with<Tick>(bytes, Section::response, 0, 0)).code, ErrorCode::response_before_call);
  EXPECT_EQ(error_of(read, with<Tick>(bytes, Section::response, 0, 9)).code, ErrorCode::overlapping_operations);
  EXPECT_EQ(error_of(read, with<Tick>(bytes, Section::response, 0, kPending)).code, ErrorCode::after_pending);
}

TEST(Binary, RefusesWhatTheFileDoesNotDefine) {
  const std::string bytes = written(sample());
  for (const std::string& bad :
       {with<std::uint16_t>(bytes, Section::method, 0, 2), with<std::uint32_t>(bytes, Section::object, 0, 2),
        with<std::uint32_t>(bytes, Section::process, 0, 0x80000001U),
        with<std::uint32_t>(bytes, Section::argument_begin, 1, 7),
        with<std::uint32_t>(bytes, Section::argument_begin, 0, 1),
        with<std::uint64_t>(bytes, Section::result, 0, (1U << kTagBits) | kString),
        with<std::uint64_t>(bytes, Section::result, 0, (2U << kTagBits) | kList),
        with<std::uint64_t>(bytes, Section::result, 0, (1U << kTagBits) | kBigInteger),
        with<std::uint64_t>(bytes, Section::result, 0, kSpecials << kTagBits),
        with<std::uint64_t>(bytes, Section::result, 0, 7),
        // A list that holds itself, one that holds a later one, and one that is there already.
        with<std::uint64_t>(bytes, Section::list, 0, (0U << kTagBits) | kList),
        with<std::uint64_t>(bytes, Section::list, 0, (1U << kTagBits) | kList),
        with<std::uint64_t>(bytes, Section::list_ends, 0, 9), with<std::uint64_t>(bytes, Section::text_ends, 0, 2),
        // An integer that belongs inline.
        with<std::int64_t>(bytes, Section::integers, 0, 5)}) {
    EXPECT_EQ(name(error_of(read, bad).code), "syntax");
  }
}

TEST(Binary, ListsInListsAreBoundedInDepthAndSize) {
  const auto nested = [](int depth, bool twice) {
    HistoryBuilder builder;
    Value value = Value::integer(1);
    for (int i = 0; i < depth; ++i) {
      value = twice ? builder.pool().list({value, value}) : builder.pool().list({value});
    }
    builder.add({.method = "m", .arguments = {value}, .call = 1, .response = 2});
    return written(*std::move(builder).build());
  };
  EXPECT_TRUE(read_all(read, nested(64, false)).at(0));
  EXPECT_EQ(error_of(read, nested(65, false)).code, ErrorCode::too_large);
  EXPECT_TRUE(read_all(read, nested(20, true)).at(0));
  EXPECT_EQ(error_of(read, nested(60, true)).code, ErrorCode::too_large);
}

TEST(Binary, IsRecognisedByItsMagic) {
  EXPECT_EQ(detect(written(sample())), 100);
  EXPECT_EQ(detect("LNCHPIN"), 0);
  EXPECT_EQ(detect(""), 0);
}

TEST(Binary, PartsMakeTheSameHistory) {
  const auto history = [](std::int64_t from, std::int64_t to, bool objects) {
    HistoryBuilder builder;
    builder.set_type(builder.object("a"), TypeName{"queue", {}});
    if (objects) builder.object("b");
    builder.method("put");
    for (std::int64_t i = from; i < to; ++i) {
      ValuePool& pool = builder.pool();
      const Value text = pool.string("text " + std::to_string(i % 3));
      const Value list = pool.list({text, pool.integer(INT64_MAX - i % 2), pool.list({pool.integer(i)})});
      builder.add({.process = static_cast<ProcessId>(i % 2),
                   .object = objects ? ObjectIndex(static_cast<unsigned>(i % 2)) : 0,
                   .method = "put",
                   .arguments = i % 4 == 0 ? std::vector<Value>{} : std::vector<Value>{list, text},
                   .result = i % 5 == 0 ? list : Value::none(),
                   .call = 2 * i,
                   .response = 2 * i + 1});
    }
    return *std::move(builder).build();
  };
  for (const bool objects : {false, true}) {
    std::vector<History> parts;
    parts.push_back(history(0, 7, objects));
    parts.push_back(history(7, 8, objects));
    parts.push_back(history(8, 20, objects));
    // Strings and lists are numbered in another order.
    const auto read_back = read_all(read, written_in_parts(parts));
    ASSERT_EQ(read_back.size(), 1U);
    ASSERT_TRUE(read_back[0]) << read_back[0].error().message;
    EXPECT_EQ(dump(*read_back[0]), dump(history(0, 20, objects)));
  }
  EXPECT_EQ(write_parts()->add(sample()).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace linchpin::formats::binary

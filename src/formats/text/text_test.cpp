// The native text format: reading, errors, and the round trip of random histories.
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "formats/reading_test.hpp"
#include "formats/text/format.hpp"

namespace linchpin {
namespace {

using formats::testing::error_of;
using formats::testing::example;
using formats::testing::history_of;

History text(const std::string& bytes) { return history_of("text", bytes); }
Error text_error(const std::string& bytes) { return error_of("text", bytes); }

/// A complete description, for comparing histories whose ids and pools differ.
std::string content_of(const History& history) {
  std::ostringstream out;
  const ValuePool& pool = history.pool();
  for (const Object& object : history.objects())
    out << "object " << object.name << ": " << object.type.to_string() << "\n";
  for (const Annotation& annotation : history.annotations()) {
    out << "annotation " << annotation.begin << " " << (annotation.end ? std::to_string(*annotation.end) : "-") << " "
        << annotation.text << "|" << annotation.process << "|" << annotation.colour << "\n";
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    out << history.process_name(history.process(i)) << "|" << history.call(i) << "|" << history.response(i) << "|"
        << history.objects()[history.object(i).number()].name << "|" << history.method_name(history.method(i)) << "|";
    for (const Value value : history.arguments(i)) out << pool.to_text(value) << ",";
    out << "|" << pool.to_text(history.result(i)) << "\n";
  }
  return out.str();
}

TEST(TextFormat, ReadsTheExampleOfItsGrammarPage) {
  const History history = text(example("text/examples/queue.txt"));
  ASSERT_EQ(history.size(), 5U);
  EXPECT_EQ(history.objects()[0].type.to_string(), "queue capacity=3");
  EXPECT_EQ(history.describe(0), "enqueue(1)");
  EXPECT_EQ(history.describe(1), "dequeue() -> 1");
  EXPECT_EQ(history.describe(2), "enqueue(2) pending");
  EXPECT_EQ(history.describe(3), "dequeue() -> ?");
  EXPECT_EQ(history.process_name(history.process(3)), "client-a");
  EXPECT_EQ(history.process(4), kNoProcess);
  EXPECT_EQ(history.result(4), Value::nil());
  EXPECT_EQ(history.place(1).line, 6U);
  ASSERT_EQ(history.annotations().size(), 1U);
  EXPECT_EQ(history.annotations()[0].text, "the network splits");
}

TEST(TextFormat, GivesEachObjectItsType) {
  const History history = text(
      "# linchpin 1\n# object q: queue\n# object \"the set\": set initial=3\n"
      "0 1 2 object=q enqueue 1\n1 1 2 object=\"the set\" add 4 -> true\n");
  ASSERT_EQ(history.objects().size(), 2U);
  EXPECT_EQ(history.objects()[0].type.name, "queue");
  EXPECT_EQ(history.objects()[1].name, "the set");
  EXPECT_EQ(history.objects()[1].type.to_string(), "set initial=3");
  EXPECT_EQ(history.object(1), ObjectIndex(1));
}

TEST(TextFormat, GivesOneTypeToEveryObjectWithoutOne) {
  const History history = text("# linchpin 1\n# type: queue\n0 1 2 object=a enqueue 1\n0 3 4 object=b enqueue 1\n");
  ASSERT_EQ(history.objects().size(), 2U);
  EXPECT_EQ(history.objects()[0].type.name, "queue");
  EXPECT_EQ(history.objects()[1].type.name, "queue");
}

TEST(TextFormat, TheCallersTypeReplacesEveryType) {
  ReadOptions options;
  options.type = TypeName{.name = "stack", .options = {}};
  const History history = history_of(
      "text", "# linchpin 1\n# type: queue\n# object b: set\n0 1 2 object=a push 1\n0 3 4 object=b push 1\n", options);
  EXPECT_EQ(history.objects()[0].type.name, "stack");
  EXPECT_EQ(history.objects()[1].type.name, "stack");
}

TEST(TextFormat, ReadsEveryKindOfValue) {
  const History history = text(
      "# linchpin 1\n- 1 2 f 7 -3 true false nil none word \"a b\" [1 [2 \"x\"]] 9223372036854775807 -> [?] # said "
      "so\n");
  EXPECT_EQ(history.describe(0),
            "f(7, -3, true, false, nil, none, word, \"a b\", [1 [2 x]], 9223372036854775807) -> [?]");
}

TEST(TextFormat, AFieldsNameMayBeEmptyInQuotes) {
  const History history = text("# linchpin 1\n# type: queue\n0 1 2 @\"\"=5 enqueue 1\n");
  EXPECT_EQ(history.describe_fields(0), " 5");
  std::string written;
  ASSERT_TRUE(formats::text::write(history, written));
  EXPECT_EQ(text(written).describe_fields(0), " 5") << written;
  EXPECT_EQ(text_error("0 1 2 @=5 f\n").code, ErrorCode::syntax);
}

TEST(TextFormat, AnArgumentIsKnown) {
  const Error error = error_of("text", "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n  0 3 4 enqueue ?\n");
  EXPECT_EQ(error.code, ErrorCode::bad_arguments);
  EXPECT_EQ(error.line, 4U);
  EXPECT_EQ(error.column, 3U);
  EXPECT_FALSE(error.hint.empty());
  EXPECT_EQ(text("# linchpin 1\n# type: multi-register\n0 1 2 txn [[read x ?]]\n").size(), 1U);
}

TEST(TextFormat, AcceptsWindowsLineEndsAByteOrderMarkAndNoLastNewline) {
  const History history =
      text("\xef\xbb\xbf# linchpin 1\r\n# type: queue\r\n\r\n0 1 2 enqueue x\r\n0 3 4 dequeue -> x");
  EXPECT_EQ(history.size(), 2U);
  EXPECT_EQ(history.describe(1), "dequeue() -> x");
  EXPECT_EQ(formats::testing::detected("\xef\xbb\xbf# linchpin 1\r\n"), "text");
}

TEST(TextFormat, ProcessesMayStandInAnyOrderAndTouch) {
  EXPECT_EQ(text("# linchpin 1\n0 5 6 f\n0 1 5 f\n70000 5 6 f\n70000 1 2 f\nx 5 6 f\nx 1 2 f\n0 6 6 f\n").size(), 7U);
  EXPECT_EQ(text_error("0 5 6 f\n0 1 7 f\n").code, ErrorCode::overlapping_operations);
  EXPECT_EQ(text_error("70000 1 6 f\n70000 5 7 f\n").code, ErrorCode::overlapping_operations);
  EXPECT_EQ(text_error("x 5 6 f\nx 1 - f\n").code, ErrorCode::after_pending);
}

TEST(TextFormat, HeaderAloneIsAnEmptyHistory) { EXPECT_EQ(text("# linchpin 1\n# type: queue\n").size(), 0U); }

struct BadText {
  const char* what;
  const char* bytes;
  ErrorCode code;
  std::uint64_t line;
  std::uint64_t column;
};

class TextErrors : public ::testing::TestWithParam<BadText> {};

TEST_P(TextErrors, HaveACodeAPlaceAndAHint) {
  const Error error = text_error(GetParam().bytes);
  EXPECT_EQ(error.code, GetParam().code) << error.to_string();
  EXPECT_EQ(error.line, GetParam().line) << error.to_string();
  EXPECT_EQ(error.column, GetParam().column) << error.to_string();
  EXPECT_FALSE(error.message.empty());
  EXPECT_FALSE(error.hint.empty()) << error.to_string();
}

INSTANTIATE_TEST_SUITE_P(
    TextFormat, TextErrors,
    ::testing::Values(BadText{"Empty", "", ErrorCode::truncated, 0, 0},
                      BadText{"NotUtf8", "# linchpin 1\n0 1 2 enqueue \xff\n", ErrorCode::encoding, 2, 15},
                      BadText{"NewerVersion", "# linchpin 2\n", ErrorCode::unsupported, 1, 12},
                      BadText{"TruncatedAfterCall", "0 1", ErrorCode::missing_field, 1, 4},
                      BadText{"NoMethod", "0 1 2\n", ErrorCode::missing_field, 1, 6},
                      BadText{"NoResponse", "0 1 enqueue 5\n", ErrorCode::bad_number, 1, 5},
                      BadText{"MethodIsANumber", "0 1 2 5\n", ErrorCode::syntax, 1, 7},
                      BadText{"MethodIsAnArrow", "0 1 2 -> 5\n", ErrorCode::syntax, 1, 7},
                      BadText{"CallOutOfRange", "0 99999999999999999999 2 f\n", ErrorCode::bad_number, 1, 3},
                      BadText{"ResponseAtTheClocksEnd", "0 1 9223372036854775807 f\n", ErrorCode::bad_number, 1, 5},
                      BadText{"ValueOutOfRange", "0 1 2 f 99999999999999999999\n", ErrorCode::bad_number, 1, 9},
                      BadText{"ResponseBeforeCall", "0 5 2 f\n", ErrorCode::response_before_call, 1, 5},
                      BadText{"NothingAfterArrow", "0 1 2 f ->\n", ErrorCode::missing_field, 1, 11},
                      BadText{"TwoResults", "0 1 2 f -> 1 2\n", ErrorCode::syntax, 1, 14},
                      BadText{"UnclosedString", "0 1 2 f \"abc\n", ErrorCode::syntax, 1, 9},
                      BadText{"UnclosedList", "0 1 2 f [1 2\n", ErrorCode::syntax, 1, 9},
                      BadText{"GluedValues", "0 1 2 f \"a\"\"b\"\n", ErrorCode::syntax, 1, 12},
                      BadText{"SecondType", "# type: queue\n# type: stack\n", ErrorCode::syntax, 2, 8},
                      BadText{"EmptyType", "# type:\n", ErrorCode::missing_field, 1, 8},
                      BadText{"BadTypeOption", "# type: queue 3\n", ErrorCode::bad_option, 1, 8},
                      BadText{"ObjectWithoutColon", "# object q queue\n", ErrorCode::syntax, 1, 11},
                      BadText{"ObjectTwice", "# object q: queue\n# object q: queue\n", ErrorCode::syntax, 2, 10},
                      BadText{"WhichObject", "# object q: queue\n# object s: set\n0 1 2 enqueue 1\n",
                              ErrorCode::missing_field, 3, 7},
                      BadText{"ObjectAfterNone", "0 1 2 f\n0 3 4 object=q f\n", ErrorCode::missing_field, 2, 7},
                      BadText{"NoneAfterObject", "0 1 2 object=q f\n0 3 4 f\n", ErrorCode::missing_field, 2, 7},
                      BadText{"AnnotationWithoutText", "# annotation 5 6\n", ErrorCode::missing_field, 1, 17},
                      BadText{"AnnotationUnknownPart", "# annotation 5 - \"x\" color=red\n", ErrorCode::syntax, 1, 22},
                      BadText{"TwoOpenInOneProcess", "0 1 9 f\n0 3 4 f\n", ErrorCode::overlapping_operations, 2, 1},
                      BadText{"GoesOnAfterPending", "0 1 - f\n0 3 4 f\n", ErrorCode::after_pending, 2, 1}),
    [](const auto& bad) { return bad.param.what; });

TEST(TextFormat, ReadsAVeryLongLineInLinearTime) {
  std::string bytes = "# linchpin 1\n# type: set\n0 1 2 add_all [";
  for (int i = 0; i < 500'000; ++i) bytes += "123456 ";
  bytes += "]\n";
  const History history = text(bytes);
  EXPECT_EQ(history.pool().elements_of(history.arguments(0)[0]).size(), 500'000U);
}

TEST(TextFormat, EveryPrefixOfAFileIsAHistoryOrAnErrorWithItsPlace) {
  const std::string whole = example("text/examples/queue.txt");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    for (const auto& result : formats::testing::read("text", whole.substr(0, length))) {
      if (!result) {
        EXPECT_TRUE(length == 0 || result.error().line > 0) << result.error().to_string();
      }
    }
  }
}

std::string random_name(std::mt19937_64& random) {
  static const std::vector<std::string> kNames{
      "a",    "queue", "-",        "->",   "?",     "7",   "-7",   "",   "a b",  "x=y", "#x",  "\"", "\\", "é",
      "true", "nil",   "object=q", "\n\t", "Log:1", "a]b", "none", "03", "e[f]", " ",   "a:b", "+",  "!"};
  return kNames[random() % kNames.size()];
}

/// @param known  an argument, of which no part is unknown
Value random_value(std::mt19937_64& random, ValuePool& pool, bool known, int depth = 0) {
  switch (random() % (depth < 3 ? 9 : 8)) {
    case 0: return Value::nil();
    case 1: return Value::boolean(random() % 2 == 0);
    case 2: return known ? Value::none() : Value::unknown();
    case 3: return Value::none();
    case 4: return pool.string(random_name(random));
    case 5: return pool.integer(static_cast<std::int64_t>(random()));
    case 6: return pool.integer(std::numeric_limits<std::int64_t>::min());
    case 7: return pool.integer(static_cast<std::int64_t>(random() % 20));
    default: break;
  }
  std::vector<Value> elements;
  for (std::size_t i = random() % 4; i > 0; --i) elements.push_back(random_value(random, pool, known, depth + 1));
  return pool.list(elements);
}

History random_history(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  HistoryBuilder builder;
  builder.set_source("random");
  const std::size_t objects = random() % 3;
  for (std::size_t i = 0; i < objects; ++i) {
    TypeName type;
    if (random() % 2 == 0) type = TypeName{.name = "queue", .options = {{"capacity", "3"}, {"x", ""}}};
    builder.set_type(builder.object(random_name(random)), type);
  }
  if (random() % 2 == 0) builder.set_type(TypeName{.name = "set", .options = {}});
  for (std::size_t i = random() % 3; i > 0; --i) {
    builder.annotate(Annotation{.begin = static_cast<Tick>(random() >> 1) - 5,
                                .end = random() % 2 == 0 ? std::optional<Tick>(7) : std::nullopt,
                                .text = random_name(random),
                                .process = random_name(random),
                                .colour = random_name(random)});
  }
  Tick now = static_cast<Tick>(random() % 100) - 50;
  for (std::size_t i = random() % 8; i > 0; --i) {
    for (std::size_t k = random() % 4; k > 0; --k) builder.argument(random_value(random, builder.pool(), true));
    const bool pending = random() % 4 == 0;
    const ProcessId process = random() % 4 == 0 ? kNoProcess : builder.process(random_name(random) + std::to_string(i));
    const Tick call = now;
    now += static_cast<Tick>(random() % 3);
    const auto object = objects == 0 ? ObjectIndex{0} : builder.object("a");
    const Value result = pending && random() % 2 == 0 ? Value::unknown() : random_value(random, builder.pool(), false);
    builder.add(process, object, builder.method(random_name(random)), result, call, pending ? kPending : now);
  }
  auto history = std::move(builder).build();
  EXPECT_TRUE(history) << history.error().to_string();
  return std::move(*history);
}

TEST(TextFormat, WritingAndReadingGivesTheSameHistory) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const History history = random_history(seed);
    std::string written;
    ASSERT_TRUE(formats::text::write(history, written));
    SCOPED_TRACE(written);
    const auto read = formats::testing::read("text", written);
    ASSERT_EQ(read.size(), 1U);
    ASSERT_TRUE(read[0]) << read[0].error().to_string();
    ASSERT_EQ(content_of(*read[0]), content_of(history));
    std::string again;
    ASSERT_TRUE(formats::text::write(*read[0], again));
    ASSERT_EQ(again, written);
  }
}

TEST(TextFormat, RefusesToWriteWhatItCouldNotReadBack) {
  HistoryBuilder builder;
  builder.set_type(TypeName{.name = "two words", .options = {}});
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  std::string out;
  const auto written = formats::text::write(*history, out);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
}

TEST(TextFormat, WritesBytesThatAreNoTextAsEscapes) {
  HistoryBuilder bytes;
  bytes.add({.method = "f", .arguments = {bytes.pool().string("\xff\x1b")}, .call = 1, .response = 2});
  const auto binary = std::move(bytes).build();
  ASSERT_TRUE(binary);
  std::string out;
  ASSERT_TRUE(formats::text::write(*binary, out));
  EXPECT_EQ(out.find('\xff'), std::string::npos);
  const History again = text(out);
  EXPECT_EQ(again.pool().text_of(again.arguments(0)[0]), "\xff\x1b");
}

}  // namespace
}  // namespace linchpin

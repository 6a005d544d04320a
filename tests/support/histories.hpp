// What the tests of readers and writers share: reading from memory, comparing histories, random histories.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/format.hpp"
#include "linchpin/history.hpp"

namespace linchpin::testing {

using ReadFunction = void (*)(const core::Source&, const ReadOptions&, const core::Emit&);

/// Everything a reader emits for `bytes`.
inline std::vector<Result<History>> read_all(ReadFunction read, std::string_view bytes,
                                             const ReadOptions& options = {}) {
  std::vector<Result<History>> histories;
  read({.name = "input", .bytes = bytes}, options, [&](Result<History> history) {
    histories.push_back(std::move(history));
    return true;
  });
  return histories;
}

/// The error that a reader gives for `bytes`; the test fails when the first thing emitted is none.
inline Error error_of(ReadFunction read, std::string_view bytes, const ReadOptions& options = {}) {
  auto histories = read_all(read, bytes, options);
  if (histories.empty() || histories[0]) {
    ADD_FAILURE() << "no error for: " << bytes.substr(0, 200);
    return {};
  }
  return histories[0].error();
}

/// An error of a text format as every reader owes it: where, what, and what to do about it.
inline void expect_useful(const Error& error) {
  EXPECT_EQ(error.source, "input") << error.to_string();
  EXPECT_GE(error.line, 1U) << error.to_string();
  EXPECT_GE(error.column, 1U) << error.to_string();
  EXPECT_FALSE(error.message.empty());
  EXPECT_FALSE(error.hint.empty()) << error.to_string();
}

/// "3 q.enqueue(1) -> 2 [4, 9]" for each operation, then objects, annotations and fields: equal iff the histories are,
/// apart from places and the source's name.
inline std::string dump(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::string arguments;
    for (const Value value : history.arguments(i)) arguments += history.pool().to_text(value) + ',';
    const bool named = history.process(i) != kNoProcess;
    text += fmt::format("{} {}.{}({}) -> {} [{}, {}]\n",
                        named ? fmt::format("'{}'", history.process_name(history.process(i))) : "-",
                        history.object(i).number(), history.method_name(history.method(i)), arguments,
                        history.pool().to_text(history.result(i)), history.call(i),
                        history.pending(i) ? "pending" : fmt::to_string(history.response(i)));
  }
  for (const Object& object : history.objects()) {
    text += fmt::format("object '{}': {}\n", object.name, object.type.to_string());
  }
  for (const Annotation& a : history.annotations()) {
    text += fmt::format("annotation {} {} '{}' '{}' '{}'\n", a.begin, a.end ? fmt::to_string(*a.end) : "-", a.text,
                        a.process, a.colour);
  }
  for (const Field& field : history.fields()) {
    for (OperationIndex i = 0; i < history.size(); ++i) {
      if (field.values[i.number()].is_none()) continue;
      text += fmt::format("field '{}' of {}: {}\n", field.name, i.number(),
                          history.pool().to_text(field.values[i.number()]));
    }
  }
  return text + fmt::format("pending: {}\n", history.pending_count());
}

/// A random history that uses everything a History can hold; valid by construction.
class RandomHistories {
 public:
  explicit RandomHistories(std::uint64_t seed) : random_(seed) {}

  History next() {
    HistoryBuilder builder;
    const bool named_objects = below(2) == 0;
    const std::size_t objects = named_objects ? 1 + below(3) : 1;
    for (std::size_t k = 0; k < objects; ++k) {
      const ObjectIndex object = builder.object(named_objects ? "object " + std::to_string(k) : "");
      if (below(2) == 0) builder.set_type(object, TypeName{"queue", {{"capacity", std::to_string(k)}}});
    }
    const bool processes = below(4) != 0;
    std::vector<Tick> free_from(4, -5);
    const std::size_t n = below(12);
    const bool fields = below(3) == 0;
    const std::string odd_name = "@" + text() + "=";
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t p = below(free_from.size());
      if (free_from[p] == kPending) continue;
      const Tick call = free_from[p] + static_cast<Tick>(below(4));
      const bool pending = below(8) == 0;
      const Tick response = pending ? kPending : call + static_cast<Tick>(below(5));
      free_from[p] = response;
      for (std::size_t k = below(3); k > 0; --k) builder.argument(value(builder.pool(), 0, true));
      const ProcessId process = !processes ? kNoProcess
                                : p < 2    ? static_cast<ProcessId>(p * 1000)
                                           : builder.process("client " + std::to_string(p));
      const OperationIndex added =
          builder.add(process, static_cast<ObjectIndex>(below(objects)),
                      builder.method(std::string("method") + std::to_string(below(3))),
                      below(2) == 0 ? Value::none() : value(builder.pool(), 0), call, response);
      if (fields && below(3) != 0)
        builder.field(added, "revision", Value::integer(static_cast<std::int64_t>(below(9)) - 4));
      if (fields && below(3) == 0) {
        builder.field(added, odd_name, builder.pool().integer(below(2) == 0 ? INT64_MAX : INT64_MIN));
      }
      if (fields && below(3) == 0) builder.field(added, "server", builder.pool().string(text()));
    }
    for (std::size_t k = below(3); k > 0; --k) {
      Annotation annotation{.begin = static_cast<Tick>(below(9)), .text = text()};
      if (below(2) == 0) annotation.end = annotation.begin + 3;
      if (below(2) == 0) annotation.process = "nemesis";
      if (below(2) == 0) annotation.colour = "#ff8800";
      builder.annotate(annotation);
    }
    auto history = std::move(builder).build();
    EXPECT_TRUE(history) << history.error().to_string();
    return std::move(*history);
  }

  /// @param known  an argument, of which no part is unknown
  Value value(ValuePool& pool, int depth, bool known = false) {
    static constexpr std::int64_t kEdges[] = {INT64_MAX,
                                              INT64_MIN,
                                              (std::int64_t{1} << 60) - 1,
                                              std::int64_t{1} << 60,
                                              -(std::int64_t{1} << 60),
                                              -(std::int64_t{1} << 60) - 1};
    switch (below(depth < 3 ? 9 : 7)) {
      case 0: return Value::nil();
      case 1: return Value::boolean(below(2) == 0);
      case 2: return known ? Value::none() : Value::unknown();
      case 3: return pool.integer(kEdges[below(std::size(kEdges))]);
      case 4: return pool.integer(static_cast<std::int64_t>(below(100)) - 50);
      case 5:
      case 6: return pool.string(text());
      default: {
        std::vector<Value> elements;
        for (std::size_t k = below(4); k > 0; --k) elements.push_back(value(pool, depth + 1, known));
        return pool.list(elements);
      }
    }
  }

  /// UTF-8 with everything that wants an escape.
  std::string text() {
    static constexpr std::string_view kPieces[] = {"a",
                                                   "\"",
                                                   "\\",
                                                   "\n",
                                                   "\t",
                                                   "\x01",
                                                   "\xc3\xa9",
                                                   "\xe2\x82\xac",
                                                   "\xf0\x9f\x98\x80",
                                                   " ",
                                                   "nil",
                                                   "{",
                                                   "]",
                                                   ":",
                                                   std::string_view("\0", 1)};
    std::string result;
    for (std::size_t k = below(5); k > 0; --k) result += kPieces[below(std::size(kPieces))];
    return result;
  }

  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }

 private:
  std::mt19937_64 random_;
};

}  // namespace linchpin::testing

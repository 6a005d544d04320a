// Writes fastlin's format. The names of methods go through the type's own table, so that aliases are understood.
#include <array>

#include <fmt/format.h>

#include "base/names.hpp"
#include "core/data_type.hpp"
#include "formats/fastlin/format.hpp"

namespace linchpin::formats::fastlin {

namespace {

enum class Shape : std::uint8_t { add, take, change, contains };

struct Word {
  std::string_view method;  // the type's own name for it
  std::string_view word;
  Shape shape;
};

struct Kind {
  std::string_view type;
  std::string_view header;
  std::array<Word, 3> words;
};

constexpr std::array kWritten{
    Kind{"queue",
         "queue",
         {{{"enqueue", "enq", Shape::add}, {"dequeue", "deq", Shape::take}, {"peek", "peek", Shape::take}}}},
    Kind{
        "stack", "stack", {{{"push", "push", Shape::add}, {"pop", "pop", Shape::take}, {"peek", "peek", Shape::take}}}},
    Kind{"priority-queue",
         "priorityqueue",
         {{{"insert", "insert", Shape::add}, {"poll", "poll", Shape::take}, {"peek", "peek", Shape::take}}}},
    Kind{"set",
         "set",
         {{{"add", "insert", Shape::change},
           {"remove", "remove", Shape::change},
           {"contains", "contains", Shape::contains}}}},
};

Error unsupported(std::string message) {
  return Error{.code = ErrorCode::unsupported,
               .message = "fastlin's format cannot say this: " + std::move(message),
               .hint = "write the native text format"};
}

Result<void> write_rows(const History& history, std::string& out, bool with_header) {
  if (history.objects().size() != 1) return unsupported("a history of several objects");
  const TypeName& type = history.objects()[0].type;
  const core::DataType* const data_type = core::find_data_type(type.name);
  const Kind* kind = nullptr;
  for (const Kind& possible : kWritten) {
    if (data_type != nullptr && data_type->name == possible.type) kind = &possible;
  }
  if (kind == nullptr) return unsupported(fmt::format("the type '{}'", type.to_string()));
  const bool priorities = kind->type == "priority-queue";
  const bool largest_first =
      type.options.size() == 1 && type.options[0].first == "order" && type.options[0].second == "largest";
  if (priorities ? !largest_first : !type.options.empty()) {
    return unsupported(fmt::format("the type '{}' with these options", type.to_string()));
  }
  const auto specification = data_type->make(type);
  if (!specification) return specification.error();

  std::vector<const Word*> words;
  for (const std::string& name : history.method_names()) {
    const auto row = (*specification)->find_method(name);
    const Word* found = nullptr;
    for (const Word& word : kind->words) {
      if (row && (*specification)->methods()[*row].name == word.method) found = &word;
    }
    words.push_back(found);
  }
  if (with_header) out += fmt::format("# {}\n", kind->header);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Word* const word = words[history.method(i)];
    const auto arguments = history.arguments(i);
    const Value result = history.result(i);
    const auto refuse = [&]() { return unsupported(history.describe(i)); };
    if (word == nullptr || history.pending(i) || history.call(i) < 0) return refuse();
    if (arguments.size() != (word->shape == Shape::take ? 0U : 1U)) return refuse();
    const Value value = word->shape == Shape::take ? result : arguments[0];
    const bool integer = value.is_integer() || value.kind() == Value::Kind::big_integer;
    std::string_view suffix;
    bool possible = integer;
    switch (word->shape) {
      case Shape::add:
        possible = possible && value != Value::integer(-1) && (result.is_none() || result.is_nil());
        break;
      case Shape::take: possible = value.is_nil() || (possible && value != Value::integer(-1)); break;
      case Shape::change: possible = possible && result == Value::boolean(true); break;
      case Shape::contains:
        possible = possible && result.is_boolean();
        suffix = result == Value::boolean(true) ? "_true" : "_false";
        break;
    }
    if (!possible) return refuse();
    out += fmt::format("{}{} {} {} {}\n", word->word, suffix, value.is_nil() ? -1 : history.pool().integer_of(value),
                       history.call(i), history.response(i));
  }
  return {};
}

}  // namespace

Result<void> write(const History& history, std::string& out) { return write_rows(history, out, true); }

Result<void> append(const History& history, std::string& out) { return write_rows(history, out, false); }

}  // namespace linchpin::formats::fastlin

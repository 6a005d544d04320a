#include "stress/notation.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "history/text_notation.hpp"

namespace linchpin::stress_plan {

Result<History> read_notation(const History& recorded) {
  HistoryBuilder builder;
  std::optional<Error> error;
  const auto read = [&](Value value, OperationIndex i) -> Value {
    const ValuePool& pool = recorded.pool();
    if (value.kind() == Value::Kind::big_integer) return builder.pool().integer(pool.integer_of(value));
    if (!value.is_string()) return value;
    std::string_view text = pool.text_of(value);
    auto said = history::parse_value(text, builder.pool());
    if (said && text.empty()) return *said;
    if (!error) {
      error =
          said ? Error{.code = ErrorCode::syntax, .message = fmt::format("there is more behind the value: '{}'", text)}
               : said.error();
      error->message = fmt::format("operation {}: {}", i.number(), error->message);
    }
    return Value::nil();
  };
  builder.set_type(recorded.objects()[0].type);
  builder.reserve(recorded.size());
  for (OperationIndex i = 0; i < recorded.size(); ++i) {
    for (const Value argument : recorded.arguments(i)) builder.argument(read(argument, i));
    builder.add(recorded.process(i), 0, builder.method(recorded.method_name(recorded.method(i))),
                read(recorded.result(i), i), recorded.call(i), recorded.response(i));
  }
  if (error) return *error;
  for (const Annotation& each : recorded.annotations()) builder.annotate(each);
  return std::move(builder).build();
}

}  // namespace linchpin::stress_plan

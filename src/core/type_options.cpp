#include <algorithm>

#include <fmt/format.h>

#include "core/data_type.hpp"

namespace linchpin::core {

namespace {

Error bad_option(const TypeName& type, std::string_view option, std::string_view value, std::string expected) {
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("type {}: {}={} is not possible", type.name, option, value),
               .hint = std::move(expected)};
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::string_view> TypeOptions::text(std::string_view option) {
  std::optional<std::string_view> found;
  for (std::size_t i = 0; i < type_.options.size(); ++i) {
    if (type_.options[i].first != option) continue;
    taken_[i] = true;
    found = type_.options[i].second;
  }
  return found;
}

std::string_view TypeOptions::choice(std::string_view option, std::initializer_list<std::string_view> choices) {
  const auto given = text(option);
  if (!given) return *choices.begin();
  const auto* const found = std::find(choices.begin(), choices.end(), *given);
  if (found != choices.end()) return *found;
  std::string expected = "possible values: ";
  for (const std::string_view possible : choices) {
    if (possible != *choices.begin()) expected += ", ";
    expected += possible;
  }
  if (!error_) error_ = bad_option(type_, option, *given, expected);
  return *choices.begin();
}

std::optional<std::int64_t> TypeOptions::integer(std::string_view option, std::int64_t least, std::int64_t most) {
  const auto given = text(option);
  if (!given) return std::nullopt;
  const auto number = parse_integer(*given);
  if (number && *number >= least && *number <= most) return number;
  if (!error_) {
    std::string hint = least == INT64_MIN ? "give an integer" : fmt::format("give an integer of at least {}", least);
    if (most != INT64_MAX) hint += fmt::format(", and at most {}", most);
    error_ = bad_option(type_, option, *given, std::move(hint));
  }
  return std::nullopt;
}

std::optional<Value> TypeOptions::value(std::string_view option) {
  const auto given = text(option);
  if (!given) return std::nullopt;
  if (*given == "nil" || *given == "null") return Value::nil();
  if (*given == "true") return Value::boolean(true);
  if (*given == "false") return Value::boolean(false);
  const auto number = parse_integer(*given);
  if (number && Value::fits(*number)) return Value::integer(*number);
  if (!error_) error_ = bad_option(type_, option, *given, "give nil, true, false or an integer from -2^60 to 2^60 - 1");
  return std::nullopt;
}

std::vector<Value> TypeOptions::values(std::string_view option) {
  const auto given = text(option);
  if (!given) return {};
  std::vector<Value> values;
  bool good = given->size() >= 2 && given->front() == '[' && given->back() == ']';
  std::string_view rest = good ? given->substr(1, given->size() - 2) : std::string_view();
  while (good && !rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    const auto number = parse_integer(word);
    if (number && Value::fits(*number)) {
      values.push_back(Value::integer(*number));
    } else if (word == "true" || word == "false") {
      values.push_back(Value::boolean(word == "true"));
    } else {
      good = false;
    }
    good = good && comma + 1 != rest.size();
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  if (good) return values;
  if (!error_)
    error_ = bad_option(type_, option, *given,
                        "give integers from -2^60 to 2^60 - 1, true or false, such as [1,2,3], without blanks");
  return {};
}

Result<void> TypeOptions::finish(std::string_view known_options) const {
  if (error_) return *error_;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    return Error{.code = ErrorCode::bad_option,
                 .message = fmt::format("type {} has no option '{}'", type_.name, type_.options[i].first),
                 .hint = known_options.empty() ? std::string("it has no options")
                                               : fmt::format("its options: {}", known_options)};
  }
  return {};
}

}  // namespace linchpin::core

// Names of enumerations and the text form of errors and types.
#include <cctype>

#include <fmt/format.h>

#include "base/foreign_text.hpp"
#include "base/names.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::io: return "io";
    case ErrorCode::compression: return "compression";
    case ErrorCode::unknown_format: return "unknown_format";
    case ErrorCode::unknown_type: return "unknown_type";
    case ErrorCode::unknown_method: return "unknown_method";
    case ErrorCode::bad_option: return "bad_option";
    case ErrorCode::bad_arguments: return "bad_arguments";
    case ErrorCode::syntax: return "syntax";
    case ErrorCode::encoding: return "encoding";
    case ErrorCode::missing_field: return "missing_field";
    case ErrorCode::bad_number: return "bad_number";
    case ErrorCode::response_before_call: return "response_before_call";
    case ErrorCode::return_without_call: return "return_without_call";
    case ErrorCode::overlapping_operations: return "overlapping_operations";
    case ErrorCode::duplicate_id: return "duplicate_id";
    case ErrorCode::after_pending: return "after_pending";
    case ErrorCode::truncated: return "truncated";
    case ErrorCode::checksum: return "checksum";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::interrupted: return "interrupted";
    case ErrorCode::model: return "model";
  }
  return "error";
}

std::string Error::to_string() const {
  std::string text;
  if (!source.empty()) text += base::foreign_text(source) + ":";
  if (line != 0) text += fmt::format("{}:", line);
  if (line != 0 && column != 0) text += fmt::format("{}:", column);
  if (!text.empty()) text += ' ';
  text += fmt::format("error: {} [{}]", base::foreign_text(message), name(code));
  if (!hint.empty()) text += "\n  hint: " + base::foreign_text(hint);
  return text;
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::linearizable: return "linearizable";
    case Verdict::violation: return "violation";
    case Verdict::unknown: return "unknown";
  }
  return "unknown";
}

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::none: return "";
    case Reason::time: return "time";
    case Reason::memory: return "memory";
    case Reason::cancelled: return "cancelled";
    case Reason::not_applicable: return "not_applicable";
    case Reason::internal: return "internal";
  }
  return "";
}

Result<TypeName> TypeName::parse(std::string_view text) {
  TypeName type;
  const auto next_word = [&text]() {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text[0])) != 0) text.remove_prefix(1);
    std::size_t length = 0;
    while (length < text.size() && std::isspace(static_cast<unsigned char>(text[length])) == 0) ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
  };
  type.name = next_word();
  for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("'{}' is not an option of a type", word),
                   .hint = "write options as name=value after the type's name"};
    }
    const std::string_view option = word.substr(0, equals);
    for (const auto& [known, value] : type.options) {
      if (known != option) continue;
      return Error{.code = ErrorCode::bad_option,
                   .message = fmt::format("the option '{}' stands twice", option),
                   .hint = "keep one of them"};
    }
    type.options.emplace_back(option, word.substr(equals + 1));
  }
  return type;
}

std::string TypeName::to_string() const {
  std::string text = name;
  for (const auto& [option, value] : options) text += fmt::format(" {}={}", option, value);
  return text;
}

std::optional<std::uint16_t> Specification::find_method(std::string_view name) const {
  const std::span<const Method> table = methods();
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (base::same_name(table[row].name, name)) return static_cast<std::uint16_t>(row);
  }
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (base::is_listed(table[row].aliases, name)) return static_cast<std::uint16_t>(row);
  }
  return std::nullopt;
}

}  // namespace linchpin

// Writes the native text format: see format.hpp for what cannot be written.
#include <fmt/format.h>

#include "formats/text/format.hpp"
#include "formats/utf8.hpp"
#include "history/text_notation.hpp"

namespace linchpin::formats::text {

namespace {

/// Names that read back as themselves without quotes, wherever names stand in the grammar.
bool is_plain_name(std::string_view name) {
  if (name.empty() || name[0] == '-') return false;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       c == '.' || c == '/' || c == '+' || c == '!' || c == '*';
    if (!plain && c != '-') return false;
  }
  return true;
}

void append_quoted(std::string& out, std::string_view text) {
  ValuePool pool;
  // A string of the value notation is quoted unless it is a plain word; the leading blank makes sure that it is not.
  std::string notation;
  history::append_text(notation, pool.string(std::string(" ").append(text)), pool);
  notation.erase(1, 1);
  out += notation;
}

void append_name(std::string& out, std::string_view name) {
  if (is_plain_name(name)) {
    out += name;
  } else {
    append_quoted(out, name);
  }
}

/// Methods stand where a reader looks for mistakes: numbers in their place are refused unless in quotes.
void append_method(std::string& out, std::string_view name) {
  const bool letter_first = !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  if (is_plain_name(name) && letter_first) {
    out += name;
  } else {
    append_quoted(out, name);
  }
}

bool holds_blanks(std::string_view text) { return text.find_first_of(" \t\n\v\f\r") != std::string_view::npos; }

Error unsupported(std::string message, std::string hint) {
  return Error{.code = ErrorCode::unsupported, .message = std::move(message), .hint = std::move(hint)};
}

Result<void> check_type(const TypeName& type) {
  bool writable = !holds_blanks(type.name) && (!type.name.empty() || type.options.empty());
  for (const auto& [option, value] : type.options) {
    writable = writable && !option.empty() && !holds_blanks(option) && !holds_blanks(value) &&
               option.find('=') == std::string::npos;
  }
  if (writable) return {};
  return unsupported(fmt::format("the type '{}' cannot be written in a text file", type.to_string()),
                     "its name and options must not hold blanks; write the binary format");
}

bool is_single(std::span<const Object> objects) { return objects.size() == 1 && objects[0].name.empty(); }

/// @param begin where the text to check begins in `out`
Result<void> check_utf8(const std::string& out, std::size_t begin) {
  if (is_utf8(std::string_view(out).substr(begin))) return {};
  return unsupported("a name or a value holds bytes that are not UTF-8", "write the binary format");
}

}  // namespace

Result<void> write(const History& history, std::string& out) {
  const std::size_t begin = out.size();
  const auto objects = history.objects();
  const bool single = is_single(objects);
  out += "# linchpin 1\n";
  for (const Object& object : objects) {
    if (auto checked = check_type(object.type); !checked) return checked;
    if (single) {
      if (!object.type.name.empty()) out += fmt::format("# type: {}\n", object.type.to_string());
      continue;
    }
    out += "# object ";
    append_name(out, object.name);
    out += ':';
    if (!object.type.name.empty()) out += fmt::format(" {}", object.type.to_string());
    out += '\n';
  }
  for (const Annotation& annotation : history.annotations()) {
    if (annotation.begin == kPending || annotation.end == kPending) {
      return unsupported("an annotation at the clock's last tick cannot be written", "shift the ticks");
    }
    out += fmt::format("# annotation {} ", annotation.begin);
    out += annotation.end ? fmt::format("{} ", *annotation.end) : "- ";
    append_quoted(out, annotation.text);
    if (!annotation.process.empty()) {
      out += " process=";
      append_name(out, annotation.process);
    }
    if (!annotation.colour.empty()) {
      out += " colour=";
      append_name(out, annotation.colour);
    }
    out += '\n';
  }
  if (auto checked = check_utf8(out, begin); !checked) return checked;
  return append(history, out);
}

Result<void> append(const History& history, std::string& out) {
  const std::size_t begin = out.size();
  const auto objects = history.objects();
  std::vector<std::string> object_fields(objects.size());
  if (!is_single(objects)) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      object_fields[i] = " object=";
      append_name(object_fields[i], objects[i].name);
    }
  }
  std::vector<std::string> methods;
  for (const std::string& name : history.method_names()) {
    methods.emplace_back(" ");
    append_method(methods.back(), name);
  }
  std::vector<std::string> field_names;
  for (const Field& field : history.fields()) {
    field_names.emplace_back(" @");
    append_name(field_names.back(), field.name);
    field_names.back() += '=';
  }
  const ValuePool& pool = history.pool();
  const auto append_integer = [&out](std::int64_t number) {
    const fmt::format_int text(number);
    out.append(text.data(), text.size());
  };
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.call(i) == kPending) {
      return unsupported(fmt::format("{} is called at the clock's last tick", history.describe(i)), "shift the ticks");
    }
    const ProcessId process = history.process(i);
    if (process == kNoProcess) {
      out += '-';
    } else {
      append_name(out, history.process_name(process));
    }
    out += ' ';
    append_integer(history.call(i));
    out += ' ';
    if (history.pending(i)) {
      out += '-';
    } else {
      append_integer(history.response(i));
    }
    out += object_fields[history.object(i).number()];
    for (std::size_t k = 0; k < field_names.size(); ++k) {
      if (history.fields()[k].values[i.number()].is_none()) continue;
      out += field_names[k];
      history::append_text(out, history.fields()[k].values[i.number()], pool);
    }
    out += methods[history.method(i)];
    for (const Value argument : history.arguments(i)) {
      out += ' ';
      history::append_text(out, argument, pool);
    }
    const Value result = history.result(i);
    const bool usual = history.pending(i) ? result.is_unknown() : result.is_none();
    if (!usual) {
      out += " -> ";
      history::append_text(out, result, pool);
    }
    out += '\n';
  }
  return check_utf8(out, begin);
}

}  // namespace linchpin::formats::text

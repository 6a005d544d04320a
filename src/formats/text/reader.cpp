// Reads the native text format.
//
// Rows are scanned field by field; integers, the usual values, never leave the fast path, and the last method's id is
// remembered so that a run of one method costs no hashing. Anything else goes through history/text_notation.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "formats/lines.hpp"
#include "formats/method_cache.hpp"
#include "formats/text/format.hpp"
#include "history/process_names.hpp"
#include "history/text_notation.hpp"

namespace linchpin::formats::text {

namespace {

constexpr std::string_view kRowHint = "a row is: process call response method arguments... [-> result]";

/// The text after `keyword` of a header line "# keyword...", or nothing.
std::optional<std::string_view> after(std::string_view text, std::string_view keyword) {
  if (text.substr(0, keyword.size()) != keyword) return std::nullopt;
  return text.substr(keyword.size());
}

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.reserve(estimate_rows(source_.bytes));
    while (lines_.next()) {
      Fields fields(lines_.text(), lines_.end());
      if (fields.done()) continue;
      if (*fields.at() == '#' ? !header(fields) : !row(fields)) return std::move(*error_);
    }
    if (options_.type) {
      builder_.set_type(*options_.type);
      for (const ObjectIndex object : typed_objects_) builder_.set_type(object, *options_.type);
    }
    if (source_.limits != nullptr) source_.limits->take(field_names_.size() * builder_.size() * sizeof(std::int64_t));
    return std::move(builder_).build();
  }

 private:
  bool fail(ErrorCode code, const char* at, std::string message, std::string_view hint) {
    error_ = lines_.error(code, at, std::move(message), std::string(hint));
    return false;
  }

  // ---- headers and comments ----

  bool header(Fields& fields) {
    fields.skip(1);
    fields.skip_blanks();
    const std::string_view text = fields.rest();
    if (const auto version = after(text, "linchpin ")) return header_version(trim(*version));
    if (const auto type = after(text, "type:")) return header_type(*type);
    if (const auto object = after(text, "object ")) return header_object(*object);
    if (const auto annotation = after(text, "annotation ")) return header_annotation(*annotation);
    return true;
  }

  bool header_version(std::string_view version) {
    if (version == "1") return true;
    return fail(ErrorCode::unsupported, version.data(),
                fmt::format("version {} of the text format", in_quotes(version)),
                "this program reads version 1; a newer one wrote the file");
  }

  bool parse_type(std::string_view text, TypeName& type) {
    auto parsed = TypeName::parse(text);
    if (!parsed) return fail(parsed.error().code, text.data(), parsed.error().message, parsed.error().hint);
    type = std::move(*parsed);
    return true;
  }

  bool header_type(std::string_view text) {
    if (type_seen_) {
      return fail(ErrorCode::syntax, text.data(), "a second '# type:' line",
                  "one type serves every object; '# object NAME: type' gives an object its own");
    }
    type_seen_ = true;
    TypeName type;
    if (!parse_type(text, type)) return false;
    if (type.name.empty()) {
      return fail(ErrorCode::missing_field, text.data(), "'# type:' names no type", "for example '# type: queue'");
    }
    builder_.set_type(std::move(type), lines_.place(trim(text).data()));
    return true;
  }

  bool header_object(std::string_view text) {
    constexpr std::string_view kHint =
        "write '# object NAME: type'; a comment that begins with 'object' needs another first word";
    const char* const begin = text.data();
    std::string name;
    text = trim(text);
    if (!text.empty() && text[0] == '"') {
      if (!parse_name(text, name)) return false;
    } else {
      const std::size_t length = std::min(text.find_first_of(": \t"), text.size());
      name = text.substr(0, length);
      text.remove_prefix(length);
    }
    if (text.empty() || text[0] != ':') {
      return fail(ErrorCode::syntax, text.empty() ? begin : text.data(), "an object's name ends in ':'", kHint);
    }
    text.remove_prefix(1);
    const std::size_t before = objects_.size();
    const ObjectIndex object = object_named(name);
    if (objects_.size() == before) {
      return fail(ErrorCode::syntax, begin,
                  fmt::format("object {} is declared twice or after its use", in_quotes(name)),
                  "declare each object once, before the first row");
    }
    ++declared_;
    TypeName type;
    if (!parse_type(text, type)) return false;
    if (!type.name.empty()) {
      typed_objects_.push_back(object);
      builder_.set_type(object, std::move(type), lines_.place(trim(text).data()));
    }
    return true;
  }

  bool header_annotation(std::string_view text) {
    constexpr std::string_view kHint = "write '# annotation BEGIN [END|-] \"text\" [process=P] [colour=C]'";
    Annotation annotation;
    Fields fields(text);
    const std::string_view begin = fields.take();
    if (!tick(begin, "the annotation's begin", annotation.begin)) return false;
    fields.skip_blanks();
    if (fields.rest().substr(0, 1) != "\"") {
      const std::string_view end = fields.take();
      if (end != "-") {
        Tick last = 0;
        if (!tick(end, "the annotation's end", last)) return false;
        annotation.end = last;
      }
    }
    fields.skip_blanks();
    std::string_view rest = fields.rest();
    if (rest.empty() || rest[0] != '"') {
      return fail(ErrorCode::missing_field, rest.data(), "the annotation has no text in quotes", kHint);
    }
    if (!parse_name(rest, annotation.text)) return false;
    for (rest = trim(rest); !rest.empty(); rest = trim(rest)) {
      std::string* target = nullptr;
      const char* const key = rest.data();
      if (const auto process = after(rest, "process=")) {
        target = &annotation.process;
        rest = *process;
      } else if (const auto colour = after(rest, "colour=")) {
        target = &annotation.colour;
        rest = *colour;
      }
      if (target == nullptr) {
        return fail(ErrorCode::syntax, key, fmt::format("unknown part {} of an annotation", in_quotes(rest)), kHint);
      }
      if (!parse_name(rest, *target)) return false;
    }
    builder_.annotate(std::move(annotation));
    return true;
  }

  // ---- rows ----

  bool tick(std::string_view field, std::string_view what, Tick& out) {
    return tick(parse_number(field, out), field, what, out);
  }

  /// Of a field that was taken for a number, with what became of it.
  bool tick(NumberError error, std::string_view field, std::string_view what, Tick out) {
    if (error == NumberError::none && out == kPending) error = NumberError::out_of_range;
    return error == NumberError::none || no_tick(error, field, what);
  }

  bool no_tick(NumberError error, std::string_view field, std::string_view what) {
    if (field.empty()) {
      return fail(ErrorCode::missing_field, field.data(), fmt::format("{} is missing", what), kRowHint);
    }
    error_ = number_error(lines_, error, field, what);
    error_->hint += fmt::format("; {}", kRowHint);
    return false;
  }

  /// A name at the start of `text`, bare up to a blank or in quotes up to a blank or `mark`; advances past it.
  bool parse_name(std::string_view& text, std::string& name, char mark = ':') {
    if (!text.empty() && text[0] == '"') {
      const char* const begin = text.data();
      auto value = history::parse_value(text, scratch_);
      if (!value) {
        const Error& error = value.error();
        return fail(error.code, begin + (error.column == 0 ? 0 : error.column - 1), error.message, error.hint);
      }
      name = scratch_.text_of(*value);
      if (!text.empty() && !is_blank(text[0]) && text[0] != mark) {
        return fail(ErrorCode::syntax, text.data(), "a blank is missing after a name in quotes",
                    "separate fields by blanks");
      }
      return true;
    }
    const std::size_t length = std::min(text.find_first_of(" \t"), text.size());
    name = text.substr(0, length);
    text.remove_prefix(length);
    return true;
  }

  bool process(Fields& fields, ProcessId& out) {
    const char* const begin = fields.at();
    if (*begin == '"') {
      std::string_view rest = fields.rest();
      std::string name;
      if (!parse_name(rest, name)) return false;
      fields.skip(static_cast<std::size_t>(rest.data() - begin));
      out = builder_.process(name);
      return true;
    }
    const std::string_view field = fields.take();
    if (field == "-") {
      out = kNoProcess;
      return true;
    }
    std::uint32_t number = 0;
    const bool canonical = field[0] != '0' || field.size() == 1;
    if (canonical && parse_number(field, number) == NumberError::none && number < history::kNamedProcess) {
      out = number;
    } else {
      out = builder_.process(field);
    }
    return true;
  }

  ObjectIndex object_named(std::string_view name) {
    const ObjectIndex object = builder_.object(name);
    if (object.number() == objects_.size()) objects_.emplace_back(name);
    return object;
  }

  bool object(Fields& fields, ObjectIndex& out) {
    constexpr std::string_view kKey = "object=";
    fields.skip_blanks();
    const char* const begin = fields.at();
    std::string_view rest = fields.rest();
    if (rest.substr(0, kKey.size()) == kKey) {
      rest.remove_prefix(kKey.size());
      std::string name;
      if (!parse_name(rest, name)) return false;
      if (implied_ && name != objects_[(*implied_).number()]) {
        return fail(ErrorCode::missing_field, begin, "rows before this one name no object",
                    "once a history has several objects, every row says which: object=NAME before the method");
      }
      out = object_named(name);
      fields.skip(static_cast<std::size_t>(rest.data() - begin));
      fields.skip_blanks();
      return true;
    }
    if (!implied_) {
      if (objects_.size() > 1 || (objects_.size() == 1 && declared_ == 0)) {
        return fail(ErrorCode::missing_field, begin, "the row does not say which object it is about",
                    "write object=NAME before the method");
      }
      implied_ = objects_.empty() ? object_named("") : 0;
    }
    out = *implied_;
    return true;
  }

  /// "@revision=12 @server=n1": what the row's operation carries, kept until it is there.
  bool carried(Fields& fields) {
    carried_.clear();
    while (!fields.done() && *fields.at() == '@') {
      const char* const begin = fields.at();
      std::string_view rest = fields.rest().substr(1);
      std::string name;
      const bool quoted = !rest.empty() && rest[0] == '"';
      if (quoted) {
        if (!parse_name(rest, name, '=')) return false;
      } else {
        const std::size_t length = length_until(rest, [](char c) { return c == '=' || is_blank(c); });
        name = rest.substr(0, length);
        rest.remove_prefix(length);
      }
      if ((name.empty() && !quoted) || rest.empty() || rest[0] != '=') return bad_field(begin);
      rest.remove_prefix(1);
      if (rest.empty() || is_blank(rest[0])) return bad_field(begin);
      const char* const written = rest.data();
      const std::string_view number = rest.substr(0, length_until(rest, is_blank));
      Value value;
      if (std::int64_t integer = 0; parse_number(number, integer) == NumberError::none) {
        value = builder_.pool().integer(integer);
        rest.remove_prefix(number.size());
      } else {
        auto parsed = history::parse_value(rest, builder_.pool());
        if (!parsed) {
          return fail(parsed.error().code, written + parsed.error().column - 1, std::move(parsed.error().message),
                      std::move(parsed.error().hint));
        }
        value = *parsed;
        if (!rest.empty() && !is_blank(rest[0])) return bad_field(begin);
      }
      for (const auto& [known, _] : carried_) {
        if (known == name) {
          return fail(ErrorCode::syntax, begin, fmt::format("the field {} stands twice in a row", in_quotes(name)),
                      "keep one of them");
        }
      }
      carried_.emplace_back(std::move(name), value);
      fields.skip(static_cast<std::size_t>(rest.data() - begin));
      fields.skip_blanks();
    }
    return true;
  }
  bool bad_field(const char* at) {
    return fail(ErrorCode::syntax, at, "a field is not NAME=VALUE",
                "write for example @revision=12 before the method; a method that begins with '@' needs quotes");
  }

  bool method(Fields& fields, MethodIndex& out) {
    const char* const begin = fields.at();
    if (fields.done()) return fail(ErrorCode::missing_field, begin, "the method is missing", kRowHint);
    if (*fields.at() == '"') {
      std::string_view rest = fields.rest();
      std::string name;
      if (!parse_name(rest, name)) return false;
      fields.skip(static_cast<std::size_t>(rest.data() - fields.at()));
      out = builder_.method(name);
      return true;
    }
    const std::string_view name = fields.take();
    const bool word = name != "->" && name != "-" && name != "?" && !is_digit(name[0]) && name[0] != '#' &&
                      !(name[0] == '-' && is_digit(name[1]));
    if (!word) {
      return fail(ErrorCode::syntax, name.data(), fmt::format("{} stands where the method should", in_quotes(name)),
                  kRowHint);
    }
    out = methods_.find(builder_, name);
    return true;
  }

  /// One value; integers of one field are the fast path.
  bool value(Fields& fields, Value& out) {
    const char* const begin = fields.at();
    const std::string_view rest = fields.rest();
    if (is_digit(rest[0]) || rest[0] == '-') {
      Fields ahead = fields;
      std::string_view field;
      std::int64_t number = 0;
      const NumberError error = take_number(ahead, field, number);
      if (error == NumberError::none) {
        out = builder_.pool().integer(number);
        fields = ahead;
        return true;
      }
      if (error == NumberError::out_of_range) {
        error_ = number_error(lines_, error, field, "the value");
        error_->hint += "; write a longer one in quotes, as a string";
        return false;
      }
    }
    std::string_view text = rest;
    auto parsed = history::parse_value(text, builder_.pool());
    if (!parsed) {
      const Error& error = parsed.error();
      return fail(error.code, begin + (error.column == 0 ? 0 : error.column - 1), error.message,
                  error.hint.empty() ? "values: 7, true, nil, word, \"any text\", [1 2]" : error.hint);
    }
    if (!text.empty() && !is_blank(text[0])) {
      return fail(ErrorCode::syntax, text.data(), "a blank is missing after a value",
                  "separate fields by blanks; put text that holds brackets, commas or quotes in quotes");
    }
    out = *parsed;
    fields.skip(static_cast<std::size_t>(text.data() - begin));
    return true;
  }

  bool row(Fields& fields) {
    const Place place = lines_.place(fields.at());
    ProcessId by = kNoProcess;
    if (!process(fields, by)) return false;
    Tick call = 0;
    std::string_view field;
    if (!tick(take_number(fields, field, call), field, "the call's tick", call)) return false;
    Tick response = kPending;
    const NumberError no_response = take_number(fields, field, response);
    if (field == "-") {
      response = kPending;
    } else if (!tick(no_response, field, "the response's tick", response)) {
      return false;
    }
    if (response < call) {
      return fail(ErrorCode::response_before_call, field.data(),
                  fmt::format("the operation responds at {}, before its call at {}", response, call), kRowHint);
    }
    ObjectIndex on = 0;
    MethodIndex what = 0;
    if (!object(fields, on) || !carried(fields) || !method(fields, what)) return false;
    Value result = Value::none();
    while (!fields.done()) {
      const std::string_view rest = fields.rest();
      if (rest[0] == '#') break;  // a comment to the end of the line
      const bool arrow = rest.substr(0, 2) == "->" && (rest.size() == 2 || is_blank(rest[2]));
      if (!arrow) {
        Value argument;
        if (!value(fields, argument)) return false;
        builder_.argument(argument);
        continue;
      }
      fields.skip(2);
      if (fields.done() || *fields.at() == '#') {
        return fail(ErrorCode::missing_field, fields.at(), "the result is missing after '->'",
                    "leave out '->' for a method without a result; '?' is a result that was lost");
      }
      if (!value(fields, result)) return false;
      if (!fields.done() && *fields.at() != '#') {
        return fail(ErrorCode::syntax, fields.at(), fmt::format("{} follows the result", in_quotes(fields.rest())),
                    *fields.at() == '@' ? "a field such as @revision=12 stands before the method"
                                        : "a result is one value; write several as a list, [1 2]");
      }
      break;
    }
    const OperationIndex operation = builder_.add(by, on, what, result, call, response, place);
    for (const auto& [name, value] : carried_) {
      builder_.field(operation, name, value);
      field_names_.insert(name);
    }
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  MethodCache methods_;
  ValuePool scratch_;                                   // of names in quotes
  std::vector<std::string> objects_;                    // by index
  std::vector<ObjectIndex> typed_objects_;              // declared with a type of their own
  std::size_t declared_ = 0;                            // by '# object'
  std::optional<ObjectIndex> implied_;                  // of rows that name none
  std::vector<std::pair<std::string, Value>> carried_;  // the row's fields
  absl::flat_hash_set<std::string> field_names_;        // each becomes a column
  bool type_seen_ = false;
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  // The header stands on the first line that is not blank.
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  while (lines.next()) {
    Fields fields(lines.text());
    if (fields.done()) continue;
    if (*fields.at() != '#') return 0;
    fields.skip(1);
    if (fields.take() == "linchpin") return 100;
    // Comments may come first, but the header of another format ends the search.
    if (lines.number() == 1 && fields.done()) return 0;
  }
  return 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::text

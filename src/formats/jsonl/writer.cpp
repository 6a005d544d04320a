// Writes the native JSON Lines format (docs/formats/jsonl.md).
#include <fmt/format.h>

#include "formats/json/document.hpp"
#include "formats/jsonl/format.hpp"
#include "formats/utf8.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::jsonl {

namespace {

void append_integer(std::string& out, std::int64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

class Writer {
 public:
  Writer(const History& history, std::string& out) : history_(history), out_(out) {}

  Result<void> run(bool with_header) {
    const std::span<const Object> objects = history_.objects();
    single_ = objects.size() == 1 && objects[0].name.empty();
    if (with_header) header(objects);
    methods_ = in_quotes(history_.method_names());
    for (const Field& field : history_.fields()) name(field.name, "field's name", field_names_.emplace_back());
    for (OperationIndex i = 0; i < history_.size(); ++i) operation(i);
    if (mistaken_ != nullptr) {
      return Error{
          .code = ErrorCode::unsupported,
          .source = history_.source(),
          .message = fmt::format("the type '{}' cannot be written in a JSON Lines file", mistaken_->to_string()),
          .hint = "its name and options must not hold blanks; write the binary format"};
    }
    if (!bad_.empty()) {
      return Error{.code = ErrorCode::unsupported,
                   .source = history_.source(),
                   .message = fmt::format("a {} that is not UTF-8 cannot be written as JSON", bad_),
                   .hint = "use the binary format"};
    }
    return {};
  }

 private:
  void name(std::string_view text, std::string_view what) { name(text, what, out_); }
  void name(std::string_view text, std::string_view what, std::string& out) {
    if (!is_utf8(text)) bad_ = what;
    json::append_string(out, text);
  }

  void type(const TypeName& type) {
    const std::string text = type.to_string();
    const auto again = TypeName::parse(text);
    if (!again || *again != type) mistaken_ = &type;
    name(text, "type");
  }

  void header(std::span<const Object> objects) {
    out_ += R"({"linchpin":1)";
    if (single_ && !objects[0].type.name.empty()) {
      out_ += R"(,"type":)";
      type(objects[0].type);
    }
    if (!single_) {
      out_ += R"(,"objects":{)";
      bool first = true;
      for (const Object& object : objects) {
        if (!first) out_ += ',';
        first = false;
        name(object.name, "object's name");
        out_ += ':';
        if (object.type.name.empty()) {
          out_ += "null";
        } else {
          type(object.type);
        }
      }
      out_ += '}';
    }
    if (!history_.annotations().empty()) annotations();
    out_ += "}\n";
  }

  void annotations() {
    out_ += R"(,"annotations":[)";
    bool first = true;
    for (const Annotation& annotation : history_.annotations()) {
      out_ += first ? R"({"begin":)" : R"(,{"begin":)";
      first = false;
      append_integer(out_, annotation.begin);
      if (annotation.end) {
        out_ += R"(,"end":)";
        append_integer(out_, *annotation.end);
      }
      const auto field = [&](std::string_view key, const std::string& text) {
        if (text.empty()) return;
        out_ += key;
        name(text, "annotation");
      };
      field(R"(,"text":)", annotation.text);
      field(R"(,"process":)", annotation.process);
      field(R"(,"colour":)", annotation.colour);
      out_ += '}';
    }
    out_ += ']';
  }

  /// The names as JSON strings, made once.
  std::vector<std::string> in_quotes(std::span<const std::string> names) {
    std::vector<std::string> result;
    for (const std::string& text : names) {
      if (!is_utf8(text)) bad_ = "method's name";
      json::append_string(result.emplace_back(), text);
    }
    return result;
  }

  void operation(OperationIndex i) {
    out_ += '{';
    const ProcessId process = history_.process(i);
    if (process != kNoProcess) {
      out_ += R"("process":)";
      if ((process & history::kNamedProcess) != 0) {
        name(history_.process_name(process), "process's name");
      } else {
        append_integer(out_, process);
      }
      out_ += ',';
    }
    out_ += R"("call":)";
    append_integer(out_, history_.call(i));
    out_ += R"(,"response":)";
    if (history_.pending(i)) {
      out_ += "null";
    } else {
      append_integer(out_, history_.response(i));
    }
    out_ += R"(,"method":)";
    out_ += methods_[history_.method(i)];
    if (!history_.arguments(i).empty()) {
      out_ += R"(,"arguments":[)";
      bool first = true;
      for (const Value value : history_.arguments(i)) {
        if (!first) out_ += ',';
        first = false;
        json::append_value(out_, value, history_.pool());
      }
      out_ += ']';
    }
    // A pending operation without a result is read back with an unknown one.
    const Value result = history_.result(i);
    if (!(history_.pending(i) ? result.is_unknown() : result.is_none())) {
      out_ += R"(,"result":)";
      json::append_value(out_, result, history_.pool());
    }
    if (!single_) {
      out_ += R"(,"object":)";
      name(history_.objects()[history_.object(i).number()].name, "object's name");
    }
    fields(i);
    out_ += "}\n";
  }

  void fields(OperationIndex i) {
    const std::span<const Field> fields = history_.fields();
    bool first = true;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].values[i.number()].is_none()) continue;
      out_ += first ? R"(,"fields":{)" : ",";
      first = false;
      out_ += field_names_[k];
      out_ += ':';
      json::append_value(out_, fields[k].values[i.number()], history_.pool());
    }
    if (!first) out_ += '}';
  }

  const History& history_;
  std::string& out_;
  bool single_ = true;  // one object without a name
  std::vector<std::string> methods_;
  std::vector<std::string> field_names_;
  std::string bad_;                     // what cannot be written; empty: nothing
  const TypeName* mistaken_ = nullptr;  // a type that would read back as another
};

Result<void> run(const History& history, std::string& out, bool with_header) {
  const std::size_t before = out.size();
  auto written = Writer(history, out).run(with_header);
  if (!written) out.resize(before);
  return written;
}

}  // namespace

Result<void> write(const History& history, std::string& out) { return run(history, out, true); }

Result<void> append(const History& history, std::string& out) { return run(history, out, false); }

}  // namespace linchpin::formats::jsonl

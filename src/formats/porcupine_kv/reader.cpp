// Reads Porcupine's key-value files: one event a line, {:process 4, :type :invoke, :f :put, :key "0", :value "x"}.
// A tick is an event's index. An operation that never returns is pending.
#include "formats/porcupine_kv/format.hpp"

#include <array>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "formats/lines.hpp"
#include "formats/method_cache.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::porcupine_kv {

namespace {

constexpr std::string_view kEventHint =
    R"(an event is: {:process 0, :type :invoke, :f :put, :key "k", :value "v"}, with :type :invoke or :ok)";

/// A value of the map: text of a string (unescaped), or the bare token.
struct Token {
  std::string_view text;  // in the source, or in `unescaped`
  std::string unescaped;
  const char* at = nullptr;  // null: absent
  bool is_string = false;
};

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.set_type(options_.type ? *options_.type
                                    : TypeName{.name = "map", .options = {{"absent", "empty-string"}}});
    builder_.reserve(estimate_rows(source_.bytes) / 2 + 1);
    while (lines_.next()) {
      const std::string_view line = trim(lines_.text());
      if (line.empty() || line[0] == ';' || line[0] == '#') continue;
      if (!parse(line) || !event(line)) return std::move(*error_);
    }
    return std::move(builder_).build();
  }

 private:
  enum Field : std::uint8_t { kProcess, kType, kFunction, kKey, kValue, kFields };
  static constexpr std::array<std::string_view, kFields> kNames{":process", ":type", ":f", ":key", ":value"};

  struct Open {
    OperationIndex operation = 0;
    MethodIndex method = 0;
    Value key;
    Value value;
  };

  bool fail(ErrorCode code, const char* at, std::string message, std::string_view hint = kEventHint) {
    error_ = lines_.error(code, at, std::move(message), std::string(hint));
    return false;
  }

  static bool is_space(char c) { return is_blank(c) || c == ','; }

  bool parse(std::string_view line) {
    for (Token& token : tokens_) token.at = nullptr;
    if (line[0] != '{') return fail(ErrorCode::syntax, line.data(), "an event begins with '{'");
    if (line.back() != '}')
      return fail(ErrorCode::truncated, line.data() + line.size(), "the event does not end in '}'");
    std::string_view rest = line.substr(1, line.size() - 2);
    const auto skip = [&rest]() {
      while (!rest.empty() && is_space(rest[0])) rest.remove_prefix(1);
    };
    std::size_t expected = 0;
    for (skip(); !rest.empty(); skip()) {
      const std::size_t length = length_until(rest, &is_space);
      const std::string_view name = rest.substr(0, length);
      // The fields mostly stand in one order.
      std::size_t field = expected < kFields && kNames[expected] == name ? expected : 0;
      while (field < kFields && kNames[field] != name) ++field;
      expected = field + 1;
      if (field == kFields)
        return fail(ErrorCode::syntax, name.data(), fmt::format("unknown field {}", in_quotes(name)));
      Token& token = tokens_[field];
      if (token.at != nullptr) return fail(ErrorCode::syntax, name.data(), fmt::format("{} stands there twice", name));
      rest.remove_prefix(length);
      skip();
      if (rest.empty()) return fail(ErrorCode::missing_field, rest.data(), fmt::format("{} has no value", name));
      if (!take(rest, token)) return false;
    }
    return true;
  }

  bool take(std::string_view& rest, Token& token) {
    token.at = rest.data();
    token.is_string = rest[0] == '"';
    if (!token.is_string) {
      const std::size_t length = length_until(rest, &is_space);
      token.text = rest.substr(0, length);
      rest.remove_prefix(length);
      return true;
    }
    std::size_t i = 1;
    while (i < rest.size() && rest[i] != '"' && rest[i] != '\\') ++i;
    if (i < rest.size() && rest[i] == '"') {
      token.text = rest.substr(1, i - 1);
    } else if (!unescape(rest, i, token)) {
      return false;
    }
    rest.remove_prefix(i + 1);
    if (!rest.empty() && !is_space(rest[0])) {
      return fail(ErrorCode::syntax, rest.data(), "a blank or a comma is missing after a string");
    }
    return true;
  }

  /// The string at the start of `rest`, whose first escape is at `i`; moves `i` to its closing quote.
  bool unescape(std::string_view rest, std::size_t& i, Token& token) {
    token.unescaped.assign(rest.substr(1, i - 1));
    for (; i < rest.size() && rest[i] != '"'; ++i) {
      if (rest[i] != '\\') {
        token.unescaped.push_back(rest[i]);
        continue;
      }
      if (++i == rest.size()) break;
      switch (rest[i]) {
        case 'n': token.unescaped.push_back('\n'); break;
        case 't': token.unescaped.push_back('\t'); break;
        case 'r': token.unescaped.push_back('\r'); break;
        case '"':
        case '\\': token.unescaped.push_back(rest[i]); break;
        default: return fail(ErrorCode::syntax, &rest[i], "unknown escape in a string", R"(use \n \t \r \" or \\)");
      }
    }
    if (i >= rest.size()) return fail(ErrorCode::syntax, token.at, "the string does not end", "close it with \"");
    token.text = token.unescaped;
    return true;
  }

  bool event(std::string_view line) {
    for (std::size_t field = 0; field < kFields; ++field) {
      if (tokens_[field].at == nullptr) {
        return fail(ErrorCode::missing_field, line.data(), fmt::format("{} is missing", kNames[field]));
      }
    }
    std::uint32_t process = 0;
    const Token& process_token = tokens_[kProcess];
    if (parse_number(process_token.text, process) != NumberError::none || process >= history::kNamedProcess) {
      return fail(ErrorCode::bad_number, process_token.at,
                  fmt::format("the process {} is not a number", in_quotes(process_token.text)),
                  "processes are integers from 0 to 2^31 - 1");
    }
    const std::string_view function = tokens_[kFunction].text;
    const bool get = function == ":get";
    if (!get && function != ":put" && function != ":append") {
      return fail(ErrorCode::unknown_method, tokens_[kFunction].at,
                  fmt::format("this format has no method {}", in_quotes(function)), "its methods: :get, :put, :append");
    }
    if (!tokens_[kKey].is_string) return fail(ErrorCode::bad_arguments, tokens_[kKey].at, "the key is not a string");
    const std::string_view type = tokens_[kType].text;
    const bool invoke = type == ":invoke";
    if (!invoke && type != ":ok") {
      return fail(ErrorCode::syntax, tokens_[kType].at, fmt::format("{} is neither :invoke nor :ok", in_quotes(type)),
                  "an operation that timed out has no second event: it is pending");
    }
    // The value of a read that has not answered is nil, or anything: it says nothing.
    if (!(get && invoke) && !tokens_[kValue].is_string) {
      return fail(ErrorCode::bad_arguments, tokens_[kValue].at, "the value is not a string");
    }
    const MethodIndex method = methods_.find(builder_, function.substr(1));
    ValuePool& pool = builder_.pool();
    const auto found = open_.find(process);
    if (invoke) {
      if (found != open_.end()) {
        return fail(ErrorCode::overlapping_operations, line.data(),
                    fmt::format("process {} calls again before its last call has returned", process),
                    "a process runs one operation at a time; give a client that goes on after a crash a new process");
      }
      const Value key = pool.string(tokens_[kKey].text);
      const Value value = get ? Value::unknown() : pool.string(tokens_[kValue].text);
      builder_.argument(key);
      if (!get) builder_.argument(value);
      const OperationIndex operation =
          builder_.add(process, 0, method, Value::unknown(), tick_++, kPending, lines_.place(line.data()));
      open_.emplace(process, Open{operation, method, key, value});
      return true;
    }
    if (found == open_.end()) {
      return fail(ErrorCode::return_without_call, line.data(),
                  fmt::format("process {} returns, but no call of it is open", process),
                  "write its :invoke before its :ok");
    }
    const Open open = found->second;
    const bool same = open.method == method && pool.text_of(open.key) == tokens_[kKey].text &&
                      (get || pool.text_of(open.value) == tokens_[kValue].text);
    if (!same) {
      return fail(ErrorCode::return_without_call, line.data(),
                  fmt::format("process {} returns from another operation than it called", process),
                  "an :ok repeats the :f, the :key and, but for a read, the :value of its :invoke");
    }
    open_.erase(found);
    builder_.respond(open.operation, tick_++, get ? pool.string(tokens_[kValue].text) : Value::none());
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  MethodCache methods_;
  std::array<Token, kFields> tokens_;
  absl::flat_hash_map<std::uint32_t, Open> open_;  // by process
  Tick tick_ = 0;
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  while (lines.next()) {
    const std::string_view line = trim(lines.text());
    if (line.empty() || line[0] == ';' || line[0] == '#') continue;
    if (line[0] != '{') return 0;
    const auto holds = [line](std::string_view word) { return line.find(word) != std::string_view::npos; };
    const bool method = holds(":f :get") || holds(":f :put") || holds(":f :append");
    return method && holds(":process") && holds(":type") && holds(":key") ? 97 : 0;
  }
  return 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::porcupine_kv

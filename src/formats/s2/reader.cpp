// Reads recordings of S2 streams: {"event":{"Start":...},"client_id":0,"op_id":3}, an event a line in the order of
// time.
//
// A tick is an event's number. Hashes and tails are unsigned integers of 64 bits; a history has the signed ones of the
// same bits, which is how the type `stream` takes them.
//
// An append that failed for good is `false`. One whose fate is unknown is `?` at its finish. The recorder keeps the
// finishes of these for the end of the file, where they bound nothing: such appends are pending.
//
// The first recordings have no hashes: each is 0 then, which says nothing as long as no read shows a hash.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include "formats/json/document.hpp"
#include "formats/lines.hpp"
#include "formats/method_cache.hpp"
#include "formats/s2/format.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::s2 {

namespace {

namespace dom = simdjson::dom;
using json::Fault;

constexpr std::string_view kEventHint =
    R"(an event is {"event":{"Start":"Read"},"client_id":0,"op_id":3}, or {"event":{"Finish":{...}},...})";
constexpr std::string_view kStartHint =
    R"(a start is "Read", "CheckTail" or {"Append":{"num_records":1,"record_hashes":[7],"match_seq_num":0}})";
constexpr std::string_view kFinishHint =
    "a finish is AppendSuccess, AppendDefiniteFailure, AppendIndefiniteFailure, ReadSuccess, ReadFailure, "
    "CheckTailSuccess or CheckTailFailure";

enum class Call : std::uint8_t { append, read, check_tail };
constexpr std::array<std::string_view, 3> kMethods{"append", "read", "check_tail"};

/// What a finish may be called. Older recorders did not say of which call it is.
struct Outcome {
  std::string_view name;
  std::optional<Call> call;
  enum class Kind : std::uint8_t { success, definite, indefinite } kind;
};
constexpr std::array kOutcomes{
    Outcome{"AppendSuccess", Call::append, Outcome::Kind::success},
    Outcome{"AppendDefiniteFailure", Call::append, Outcome::Kind::definite},
    Outcome{"AppendIndefiniteFailure", Call::append, Outcome::Kind::indefinite},
    Outcome{"ReadSuccess", Call::read, Outcome::Kind::success},
    Outcome{"ReadFailure", Call::read, Outcome::Kind::definite},
    Outcome{"CheckTailSuccess", Call::check_tail, Outcome::Kind::success},
    Outcome{"CheckTailFailure", Call::check_tail, Outcome::Kind::definite},
    Outcome{"Success", std::nullopt, Outcome::Kind::success},
    Outcome{"DefiniteFailure", std::nullopt, Outcome::Kind::definite},
    Outcome{"IndefiniteFailure", std::nullopt, Outcome::Kind::indefinite},
};

const Outcome* find_outcome(std::string_view name) {
  const auto* const found =
      std::find_if(kOutcomes.begin(), kOutcomes.end(), [name](const Outcome& outcome) { return outcome.name == name; });
  return found == kOutcomes.end() ? nullptr : found;
}

/// An object in the line, and where it begins.
struct Object {
  dom::object fields;
  std::size_t offset = 0;
};

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options)
      : source_(source), options_(options), lines_(source), parser_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.set_type(options_.type ? *options_.type : TypeName{.name = "stream", .options = {}});
    while (lines_.next()) {
      text_ = lines_.text();
      if (trim(text_).empty()) continue;
      if (auto fault = line()) return json::error_at({text_, lines_.number()}, source_.name, std::move(*fault));
      ++tick_;
    }
    if (tick_ == 0) {
      return Error{.code = ErrorCode::truncated,
                   .source = source_.name,
                   .line = 1,
                   .column = 1,
                   .message = "the input holds no event",
                   .hint = std::string(kEventHint)};
    }
    for (const Unknown& append : unknown_) {
      if (append.finish < last_other_) builder_.respond(append.operation, append.finish, Value::unknown());
    }
    return std::move(builder_).build();
  }

 private:
  struct Open {
    OperationIndex operation = 0;
    std::int64_t client = 0;
    Call call = Call::append;
  };
  /// An append of unknown fate and the tick of its finish.
  struct Unknown {
    OperationIndex operation = 0;
    Tick finish = 0;
  };

  /// A fault at the value of `key` in the object, or at the object where it lacks the key.
  [[nodiscard]] Fault at(const Object& object, std::string_view key, ErrorCode code, std::string message,
                         std::string_view hint = kEventHint) const {
    return {json::member_offset(text_, object.offset, key).value_or(object.offset), code, std::move(message),
            std::string(hint)};
  }

  /// The object must have no other fields than these, each at most once.
  [[nodiscard]] std::optional<Fault> only(const Object& object, std::initializer_list<std::string_view> known) const {
    if (const auto key = json::repeated_key(object.fields)) return json::repeated(text_, object.offset, *key);
    for (const auto [key, value] : object.fields) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      return at(object, key, ErrorCode::syntax, fmt::format("there is no field {}", in_quotes(key)),
                fmt::format("fields: {}", fmt::join(known, ", ")));
    }
    return std::nullopt;
  }

  /// The object's field as an integer from 0 to `most`.
  [[nodiscard]] std::optional<Fault> number(const Object& object, std::string_view key, std::uint64_t most,
                                            std::uint64_t& out) const {
    dom::element value;
    if (object.fields[key].get(value) != simdjson::SUCCESS) {
      return at(object, key, ErrorCode::missing_field, fmt::format("\"{}\" is missing", key));
    }
    if (value.get(out) != simdjson::SUCCESS || out > most) {
      return at(object, key, ErrorCode::bad_number, fmt::format("\"{}\" is no integer from 0 to {}", key, most));
    }
    return std::nullopt;
  }

  [[nodiscard]] Value integer(std::uint64_t bits) { return builder_.pool().integer(static_cast<std::int64_t>(bits)); }

  std::optional<Fault> line() {
    dom::element element;
    if (auto fault = parser_.parse(text_, element)) return fault;
    Object record{.offset = text_.find('{')};
    if (element.get(record.fields) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "a line must hold one JSON object", std::string(kEventHint)};
    }
    if (auto fault = only(record, {"event", "client_id", "op_id"})) return fault;
    std::uint64_t client = 0, operation = 0;
    if (auto fault = number(record, "client_id", history::kNamedProcess - 1, client)) return fault;
    if (auto fault = number(record, "op_id", ~std::uint64_t{0}, operation)) return fault;
    Object event;
    if (record.fields["event"].get(event.fields) != simdjson::SUCCESS || event.fields.size() != 1) {
      return at(record, "event", ErrorCode::missing_field, R"("event" must be an object with "Start" or "Finish")");
    }
    event.offset = json::member_offset(text_, record.offset, "event").value_or(0);
    const auto [kind, content] = *event.fields.begin();
    if (kind == "Start") return start(event, content, static_cast<std::int64_t>(client), operation);
    if (kind == "Finish") return finish(event, content, static_cast<std::int64_t>(client), operation);
    return at(event, kind, ErrorCode::syntax, fmt::format("{} is neither Start nor Finish", in_quotes(kind)));
  }

  std::optional<Fault> start(const Object& event, dom::element content, std::int64_t client, std::uint64_t id) {
    Call call = Call::append;
    std::string_view name;
    dom::object wrapped;
    if (content.get(name) == simdjson::SUCCESS && (name == "Read" || name == "CheckTail")) {
      call = name == "Read" ? Call::read : Call::check_tail;
    } else if (content.get(wrapped) == simdjson::SUCCESS && wrapped.size() == 1 && (*wrapped.begin()).key == "Append") {
      const std::size_t outer = json::member_offset(text_, event.offset, "Start").value_or(0);
      Object append{.offset = json::member_offset(text_, outer, "Append").value_or(0)};
      if (wrapped["Append"].get(append.fields) != simdjson::SUCCESS) {
        return at(event, "Start", ErrorCode::syntax, "an append is an object", kStartHint);
      }
      if (auto fault = arguments(append)) return fault;
    } else {
      return at(event, "Start", ErrorCode::unknown_method, "no call of a stream", kStartHint);
    }
    const auto [at_id, fresh] = open_.try_emplace(id);
    if (!fresh) {
      return Fault{event.offset, ErrorCode::overlapping_operations,
                   fmt::format("operation {} starts again before it has finished", id), "op_id names one operation"};
    }
    const Place place{.line = lines_.place(text_.data()).line, .column = 1};
    const MethodIndex method = methods_.find(builder_, kMethods[static_cast<std::size_t>(call)]);
    at_id->second = {
        .operation = builder_.add(static_cast<ProcessId>(client), 0, method, Value::unknown(), tick_, kPending, place),
        .client = client,
        .call = call};
    last_other_ = tick_;
    return std::nullopt;
  }

  /// Hands the arguments of an append to the builder: hashes, position, token, new token; the last ones may be left
  /// out.
  std::optional<Fault> arguments(const Object& append) {
    if (auto fault =
            only(append, {"num_records", "record_hashes", "set_fencing_token", "fencing_token", "match_seq_num"})) {
      return fault;
    }
    std::uint64_t records = 0;
    // A record takes some bytes where it is sent; more of them than this are a mistake that costs memory.
    constexpr std::uint64_t kMostRecords = 1U << 24U;
    if (auto fault = number(append, "num_records", kMostRecords, records)) return fault;
    absl::InlinedVector<Value, 16> hashes;
    dom::element listed;
    if (append.fields["record_hashes"].get(listed) == simdjson::SUCCESS) {
      if (auto fault = hashes_of(append, listed, hashes)) return fault;
      if (hashes.size() != records) {
        return at(append, "record_hashes", ErrorCode::bad_arguments,
                  fmt::format("{} hashes for {} records", hashes.size(), records));
      }
    } else {  // older recordings say only how many
      if (records > 0) {
        if (hash_read_ > 0) {
          return at(append, "record_hashes", ErrorCode::missing_field,
                    fmt::format("\"record_hashes\" is missing, and the read of line {} shows a hash", hash_read_),
                    kStartHint);
        }
        if (not_hashed_ == 0) not_hashed_ = lines_.number();
      }
      hashes.assign(records, Value::integer(0));
    }
    std::array<Value, 3> rest{};
    dom::element position;
    if (append.fields["match_seq_num"].get(position) == simdjson::SUCCESS && !position.is_null()) {
      std::uint64_t tail = 0;
      if (auto fault = number(append, "match_seq_num", ~std::uint64_t{0}, tail)) return fault;
      rest[0] = integer(tail);
    } else {
      rest[0] = Value::nil();
    }
    if (auto fault = token(append, "fencing_token", rest[1])) return fault;
    if (auto fault = token(append, "set_fencing_token", rest[2])) return fault;
    builder_.argument(builder_.pool().list({hashes.data(), hashes.size()}));
    std::size_t given = rest.size();
    while (given > 0 && rest[given - 1].is_nil()) --given;
    for (std::size_t i = 0; i < given; ++i) builder_.argument(rest[i]);
    return std::nullopt;
  }

  std::optional<Fault> hashes_of(const Object& append, dom::element listed, absl::InlinedVector<Value, 16>& out) {
    dom::array elements;
    if (listed.get(elements) != simdjson::SUCCESS) {
      return at(append, "record_hashes", ErrorCode::bad_arguments, "\"record_hashes\" is not a list", kStartHint);
    }
    for (const dom::element element : elements) {
      std::uint64_t hash = 0;
      if (element.get(hash) != simdjson::SUCCESS) {
        const std::size_t list = json::member_offset(text_, append.offset, "record_hashes").value_or(0);
        const std::vector<std::size_t> offsets = json::element_offsets(text_, list);
        return Fault{out.size() < offsets.size() ? offsets[out.size()] : list, ErrorCode::bad_number,
                     "a hash is no integer from 0 to 2^64 - 1", std::string(kStartHint)};
      }
      out.push_back(integer(hash));
    }
    return std::nullopt;
  }

  std::optional<Fault> token(const Object& append, std::string_view key, Value& out) {
    out = Value::nil();
    dom::element value;
    if (append.fields[key].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
      return at(append, key, ErrorCode::bad_arguments, fmt::format("\"{}\" is neither a string nor null", key));
    }
    out = builder_.pool().string(text);
    return std::nullopt;
  }

  std::optional<Fault> finish(const Object& event, dom::element content, std::int64_t client, std::uint64_t id) {
    const auto found = open_.find(id);
    if (found == open_.end()) {
      return Fault{event.offset, ErrorCode::return_without_call,
                   fmt::format("operation {} finishes, but it is not open", id), "its Start must stand before"};
    }
    const Open open = found->second;
    if (open.client != client) {
      return Fault{
          event.offset, ErrorCode::return_without_call,
          fmt::format("operation {} was started by client {}, and finishes at client {}", id, open.client, client),
          "an event repeats the client_id of its Start"};
    }
    std::string_view name;
    dom::object wrapped;
    std::optional<Object> answer;
    if (content.get(name) != simdjson::SUCCESS) {
      if (content.get(wrapped) != simdjson::SUCCESS || wrapped.size() != 1) {
        return at(event, "Finish", ErrorCode::syntax, "no finish of a call", kFinishHint);
      }
      const auto [key, value] = *wrapped.begin();
      name = key;
      const std::size_t outer = json::member_offset(text_, event.offset, "Finish").value_or(0);
      answer.emplace().offset = json::member_offset(text_, outer, name).value_or(outer);
      if (value.get(answer->fields) != simdjson::SUCCESS) {
        return at(event, "Finish", ErrorCode::syntax, "an answer is an object", kFinishHint);
      }
    }
    const Outcome* const outcome = find_outcome(name);
    const bool success = outcome != nullptr && outcome->kind == Outcome::Kind::success;
    if (outcome == nullptr || success != answer.has_value()) {
      return at(event, "Finish", ErrorCode::syntax, fmt::format("{} is no finish of a call", in_quotes(name)),
                kFinishHint);
    }
    if (outcome->call.value_or(open.call) != open.call) {
      return at(event, "Finish", ErrorCode::return_without_call,
                fmt::format("{} of a call that is {}", name, kMethods[static_cast<std::size_t>(open.call)]),
                kFinishHint);
    }
    Value result = Value::boolean(false);
    if (success) {
      if (auto fault = seen(*answer, open.call, result)) return fault;
    }
    open_.erase(found);
    if (outcome->kind == Outcome::Kind::indefinite && open.call == Call::append) {
      unknown_.push_back({open.operation, tick_});
      return std::nullopt;
    }
    builder_.respond(open.operation, tick_, result);
    last_other_ = tick_;
    return std::nullopt;
  }

  /// The result of a call that succeeded: the tail, and for a read of hashed records their hash as well.
  std::optional<Fault> seen(const Object& answer, Call call, Value& out) {
    if (auto fault = call == Call::read ? only(answer, {"tail", "stream_hash"}) : only(answer, {"tail"})) return fault;
    std::uint64_t tail = 0, hash = 0;
    if (auto fault = number(answer, "tail", ~std::uint64_t{0}, tail)) return fault;
    out = integer(tail);
    dom::element given;
    if (answer.fields["stream_hash"].get(given) != simdjson::SUCCESS) return std::nullopt;
    if (auto fault = number(answer, "stream_hash", ~std::uint64_t{0}, hash)) return fault;
    if (not_hashed_ > 0) {
      return at(answer, "stream_hash", ErrorCode::bad_arguments,
                fmt::format("a read shows a hash, and the append of line {} has no \"record_hashes\"", not_hashed_),
                "reads of a recording without hashes show the tail alone");
    }
    if (hash_read_ == 0) hash_read_ = lines_.number();
    out = builder_.pool().list({integer(tail), integer(hash)});
    return std::nullopt;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  json::Parser parser_;
  HistoryBuilder builder_;
  MethodCache methods_;
  std::string_view text_;                          // of the current line
  absl::flat_hash_map<std::uint64_t, Open> open_;  // by op_id
  std::vector<Unknown> unknown_;
  Tick tick_ = 0;
  std::uint64_t not_hashed_ = 0;  // the line of the first append of records without their hashes; 0: there is none
  std::uint64_t hash_read_ = 0;   // the line of the first read that shows a hash
  Tick last_other_ = 0;           // of the last event that is not the finish of an append of unknown fate
};

}  // namespace

int detect(std::string_view head) {
  const std::string_view line = first_line(head);
  if (!line.starts_with('{')) return 0;
  const auto holds = [line](std::string_view word) { return line.find(word) != std::string_view::npos; };
  return holds("\"client_id\"") && holds("\"op_id\"") && holds("\"event\"") ? 97 : 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::s2

// The C interface: every function a thin one over the facade, with all exceptions (there are only those of the
// allocator) caught at the boundary.
// Models of the caller's own are in model.cpp, whole columns of operations in columns.cpp. Tests:
// tests/c/linchpin_test.c.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/c/objects.hpp"
#include "history/operation_error.hpp"
#include "linchpin/json.hpp"
#include "linchpin/message.hpp"
#include "linchpin/page.hpp"
#include "linchpin/parsing.hpp"

namespace {

using linchpin::Error;
using linchpin::ErrorCode;
using linchpin::Value;
using linchpin::c::guarded;
using linchpin::c::kept;
using linchpin::c::report;

linchpin_value to_c(Value value) { return {value.bits()}; }
Value from_c(linchpin_value value) { return Value::from_bits(value.bits); }

linchpin::Result<std::optional<linchpin::TypeName>> type_of(const char* type) {
  if (type == nullptr || *type == '\0') return std::optional<linchpin::TypeName>();
  auto parsed = linchpin::TypeName::parse(type);
  if (!parsed) return parsed.error();
  return std::optional(std::move(*parsed));
}

linchpin_kind to_c(linchpin::Verdict verdict) {
  switch (verdict) {
    case linchpin::Verdict::linearizable: return LINCHPIN_LINEARIZABLE;
    case linchpin::Verdict::violation: return LINCHPIN_VIOLATION;
    case linchpin::Verdict::unknown: break;
  }
  return LINCHPIN_UNKNOWN;
}

// An index is its number and nothing else.
static_assert(std::is_standard_layout_v<linchpin::OperationIndex> && sizeof(linchpin::OperationIndex) == 4);

const uint32_t* span_of(const std::vector<linchpin::OperationIndex>& operations, size_t* count) {
  if (count != nullptr) *count = operations.size();
  return operations.empty() ? nullptr : reinterpret_cast<const uint32_t*>(operations.data());
}

const linchpin::ObjectVerdict& object_of(const linchpin_verdict* verdict, size_t object) {
  LINCHPIN_REQUIRE(object < verdict->verdict.objects.size(), "there is no object of this index");
  return verdict->verdict.objects[object];
}

/// For linchpin_free.
char* copy_of(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// The one history that `read` gives for the options that these words mean.
template <class Read>
linchpin_history* only_history(const char* source, const char* format, const char* type, size_t memory_limit,
                               linchpin_error** error, Read read) {
  return guarded(error, static_cast<linchpin_history*>(nullptr), [&]() -> linchpin_history* {
    linchpin::ReadOptions options;
    if (memory_limit > 0) options.limits.memory = memory_limit;
    if (format != nullptr) options.format = format;
    auto parsed = type_of(type);
    if (!parsed) {
      report(error, std::move(parsed.error()));
      return nullptr;
    }
    options.type = std::move(*parsed);
    linchpin::Result<std::vector<linchpin::Result<linchpin::History>>> histories = read(options);
    if (!histories) {
      report(error, std::move(histories.error()));
      return nullptr;
    }
    if (histories->size() != 1) {
      report(error, Error{.code = ErrorCode::unsupported,
                          .source = source,
                          .message = "the input holds " + std::to_string(histories->size()) + " histories, not one",
                          .hint = "take one out with: linchpin convert --index"});
      return nullptr;
    }
    if (auto& only = histories->front()) {
      return new linchpin_history{std::move(*only), std::make_shared<linchpin::c::Opaque>()};
    }
    report(error, std::move(histories->front().error()));
    return nullptr;
  });
}

constexpr std::uint32_t kMostNesting = 64;  // as in all formats: what is built can be written, and read again

/// How deep a list with these elements is; 1: it holds no lists.
std::uint32_t nesting_of(const linchpin_builder& builder, const std::vector<Value>& elements) {
  std::uint32_t deepest = 0;
  for (const Value element : elements) {
    if (!element.is_list()) continue;
    const auto known = builder.nesting.find(element.bits());
    deepest = std::max(deepest, known == builder.nesting.end() ? 1U : known->second);
  }
  return deepest + 1;
}

/// Which object an operation is on can be left out where no other operation says it, or where there is one.
std::optional<Error> object_missing(const linchpin_builder& builder, const linchpin::History& history) {
  if (!builder.without_object || !builder.names_objects || history.objects().size() == 1) return std::nullopt;
  const linchpin::OperationIndex i = *builder.without_object;
  return linchpin::history::error_at(
      history, i, ErrorCode::missing_field, fmt::format("{} does not say which object it is on", history.describe(i)),
      "others name objects, of which there are several: once a history has several, every call says which");
}

/// Packages for other languages pass it on, with names of their own.
constexpr const char* kNumberOfCall = "an operation is named by the number that its call gave";

const uint32_t* nothing(size_t* count) {
  if (count != nullptr) *count = 0;
  return nullptr;
}

}  // namespace

const char* linchpin_version(void) { return LINCHPIN_VERSION; }
int linchpin_compatible(int major, int minor) {
  return major == LINCHPIN_VERSION_MAJOR && minor <= LINCHPIN_VERSION_MINOR ? 1 : 0;
}

// Names and messages of errors and verdicts are views of literals, or strings of the object.
const char* linchpin_error_code(const linchpin_error* error) { return linchpin::name(error->error.code).data(); }
const char* linchpin_error_message(const linchpin_error* error) { return error->error.message.c_str(); }
const char* linchpin_error_hint(const linchpin_error* error) { return error->error.hint.c_str(); }
const char* linchpin_error_source(const linchpin_error* error) { return error->error.source.c_str(); }
uint64_t linchpin_error_line(const linchpin_error* error) { return error->error.line; }
uint64_t linchpin_error_column(const linchpin_error* error) { return error->error.column; }
void linchpin_error_free(linchpin_error* error) { delete error; }

linchpin_value linchpin_none(void) { return to_c(Value::none()); }
linchpin_value linchpin_nil(void) { return to_c(Value::nil()); }
linchpin_value linchpin_unknown(void) { return to_c(Value::unknown()); }
linchpin_value linchpin_boolean(int truth) { return to_c(Value::boolean(truth != 0)); }

linchpin_value linchpin_integer(linchpin_builder* builder, int64_t integer) {
  return kept(builder, linchpin_unknown(), [&] { return to_c(builder->builder.pool().integer(integer)); });
}

linchpin_value linchpin_string(linchpin_builder* builder, const char* text, size_t bytes) {
  return kept(builder, linchpin_unknown(), [&] { return to_c(builder->builder.pool().string({text, bytes})); });
}

linchpin_value linchpin_list(linchpin_builder* builder, const linchpin_value* elements, size_t count) {
  return kept(builder, linchpin_unknown(), [&] {
    std::vector<Value> values;
    values.reserve(count);
    for (size_t i = 0; i < count; ++i) values.push_back(from_c(elements[i]));
    const std::uint32_t nesting = nesting_of(*builder, values);
    if (nesting > kMostNesting) {
      if (!builder->error) {
        builder->error = Error{.code = ErrorCode::too_large,
                               .message = "lists are nested too deeply",
                               .hint = "values nest up to 64 deep"};
      }
      return linchpin_unknown();
    }
    const Value list = builder->builder.pool().list(values);
    if (nesting > 1) builder->nesting.emplace(list.bits(), nesting);
    return to_c(list);
  });
}

linchpin_builder* linchpin_builder_new(const char* type) {
  return guarded(nullptr, static_cast<linchpin_builder*>(nullptr), [&] {
    auto builder = std::make_unique<linchpin_builder>();
    auto parsed = type_of(type);
    if (!parsed) {
      builder->error = parsed.error();
    } else if (*parsed) {
      builder->builder.set_type(std::move(**parsed));
    }
    return builder.release();
  });
}

void linchpin_builder_free(linchpin_builder* builder) { delete builder; }

int linchpin_object_type(linchpin_builder* builder, const char* object, const char* type) {
  return kept(builder, -1, [&] {
    auto parsed = linchpin::TypeName::parse(type);
    if (!parsed) {
      if (!builder->error) builder->error = parsed.error();
      return -1;
    }
    const std::string written = parsed->to_string();
    const auto [known, is_new] = builder->type_given.emplace(object, written);
    if (!is_new && known->second != written) {
      if (!builder->error) {
        builder->error = Error{
            .code = ErrorCode::bad_option,
            .message = fmt::format("the object '{}' is given two types, '{}' and '{}'", object, known->second, written),
            .hint = "each object has a name of its own"};
      }
      return -1;
    }
    builder->builder.set_type(builder->builder.object(object), std::move(*parsed));
    return 0;
  });
}

uint32_t linchpin_process(linchpin_builder* builder, const char* name) {
  return kept(builder, LINCHPIN_NO_PROCESS, [&] { return builder->builder.process(name); });
}

size_t linchpin_call(linchpin_builder* builder, uint32_t process, const char* object, const char* method,
                     const linchpin_value* arguments, size_t count, int64_t tick) {
  return kept(builder, LINCHPIN_NONE, [&] {
    linchpin::HistoryBuilder& into = builder->builder;
    const linchpin::ObjectIndex which = object == nullptr ? 0 : into.object(object);
    const linchpin::MethodIndex called = into.method(method);
    for (size_t i = 0; i < count; ++i) into.argument(from_c(arguments[i]));
    const linchpin::OperationIndex added = into.add(process, which, called, Value::none(), tick, linchpin::kPending);
    builder->note_object(object != nullptr, added);
    return added.number();
  });
}

void linchpin_return(linchpin_builder* builder, size_t operation, linchpin_value result, int64_t tick) {
  kept(builder, 0, [&] {
    if (operation < builder->builder.size()) {
      builder->builder.respond(static_cast<linchpin::OperationIndex>(operation), tick, from_c(result));
    } else if (!builder->error) {
      builder->error = Error{.code = ErrorCode::return_without_call,
                             .message = "a response to an operation that was never called",
                             .hint = kNumberOfCall};
    }
    return 0;
  });
}

void linchpin_field(linchpin_builder* builder, size_t operation, const char* name, linchpin_value value) {
  kept(builder, 0, [&] {
    if (operation < builder->builder.size()) {
      builder->builder.field(static_cast<linchpin::OperationIndex>(operation), name, from_c(value));
    } else if (!builder->error) {
      builder->error = Error{.code = ErrorCode::return_without_call,
                             .message = "a field of an operation that was never called",
                             .hint = kNumberOfCall};
    }
    return 0;
  });
}

void linchpin_annotate(linchpin_builder* builder, int64_t begin, int64_t end, const char* text, const char* process,
                       const char* colour) {
  kept(builder, 0, [&] {
    linchpin::Annotation annotation{.begin = begin, .text = text};
    if (end >= begin) annotation.end = end;
    if (process != nullptr) annotation.process = process;
    if (colour != nullptr) annotation.colour = colour;
    builder->builder.annotate(std::move(annotation));
    return 0;
  });
}

linchpin_history* linchpin_builder_finish(linchpin_builder* builder, linchpin_error** error) {
  const std::unique_ptr<linchpin_builder> taken(builder);
  return guarded(error, static_cast<linchpin_history*>(nullptr), [&]() -> linchpin_history* {
    if (taken->error) {
      report(error, std::move(*taken->error));
      return nullptr;
    }
    auto built = std::move(taken->builder).build();
    if (!built) {
      report(error, std::move(built.error()));
      return nullptr;
    }
    if (auto missing = object_missing(*taken, *built)) {
      report(error, std::move(*missing));
      return nullptr;
    }
    return new linchpin_history{std::move(*built), taken->opaque};
  });
}

linchpin_history* linchpin_history_read(const char* path, const char* format, const char* type,
                                        linchpin_error** error) {
  return linchpin_history_read_within(path, format, type, 0, error);
}

linchpin_history* linchpin_history_read_within(const char* path, const char* format, const char* type,
                                               size_t memory_limit, linchpin_error** error) {
  return only_history(path, format, type, memory_limit, error,
                      [&](const linchpin::ReadOptions& options) { return linchpin::read_histories(path, options); });
}

linchpin_history* linchpin_history_parse(const char* bytes, size_t size, const char* format, const char* type,
                                         size_t memory_limit, linchpin_error** error) {
  return only_history("", format, type, memory_limit, error, [&](const linchpin::ReadOptions& options) {
    return linchpin::parse_histories({bytes, size}, options);
  });
}

char* linchpin_history_write(const linchpin_history* history, const char* format, size_t* bytes,
                             linchpin_error** error) {
  return guarded(error, static_cast<char*>(nullptr), [&]() -> char* {
    auto text = linchpin::write_history(history->history, format);
    if (!text) {
      report(error, std::move(text.error()));
      return nullptr;
    }
    if (bytes != nullptr) *bytes = text->size();
    return copy_of(*text);
  });
}

size_t linchpin_history_size(const linchpin_history* history) { return history->history.size(); }
char* linchpin_operation_fields(const linchpin_history* history, size_t operation) {
  LINCHPIN_REQUIRE(operation < history->history.size(), "there is no operation of this number");
  return guarded(nullptr, static_cast<char*>(nullptr), [&] {
    return copy_of(history->history.describe_fields(static_cast<linchpin::OperationIndex>(operation)));
  });
}
void linchpin_history_free(linchpin_history* history) { delete history; }
void linchpin_free(char* text) { std::free(text); }

namespace linchpin::c {

Result<CheckOptions> check_options(const linchpin_options* options) {
  // Fields that a caller built against an older header does not know keep their defaults.
  linchpin_options given = linchpin_options_default();
  if (options != nullptr) std::memcpy(&given, options, std::min(options->size, sizeof(given)));
  CheckOptions check;
  auto type = type_of(given.type);
  if (!type) return type.error();
  check.type = std::move(*type);
  if (given.decider != nullptr) check.decider = given.decider;
  if (given.time_limit > 0) check.limits.time = std::chrono::duration<double>(given.time_limit);
  if (given.memory_limit > 0) check.limits.memory = given.memory_limit;
  check.threads = given.threads;
  check.ties = given.response_first != 0 ? Ties::response_first : Ties::concurrent;
  check.all = given.all != 0;
  check.witness = given.no_witness == 0;
  if (given.verify != 0) check.verify = Verify::thoroughly;
  if (given.no_verify != 0) check.verify = Verify::never;
  if (given.stop != nullptr) check.limits.stop = given.stop->source.get_token();
  return check;
}

linchpin_verdict* verdict_of(HistoryVerdict verdict, CheckOptions options) {
  auto result = std::make_unique<linchpin_verdict>();
  if (verdict.verdict == Verdict::unknown) result->reason = name(verdict.reason);
  for (const ObjectVerdict& object : verdict.objects) result->refused.push_back(refused_text(object));
  result->verdict = std::move(verdict);
  result->options = std::move(options);
  return result.release();
}

}  // namespace linchpin::c

linchpin_stop* linchpin_stop_new(void) {
  return guarded(nullptr, static_cast<linchpin_stop*>(nullptr), [] { return new linchpin_stop(); });
}
void linchpin_stop_request(linchpin_stop* stop) { stop->source.request_stop(); }
void linchpin_stop_free(linchpin_stop* stop) { delete stop; }

linchpin_verdict* linchpin_check(const linchpin_history* history, const linchpin_options* options,
                                 linchpin_error** error) {
  return guarded(error, static_cast<linchpin_verdict*>(nullptr), [&]() -> linchpin_verdict* {
    auto check = linchpin::c::check_options(options);
    if (!check) {
      report(error, std::move(check.error()));
      return nullptr;
    }
    auto verdict = linchpin::check(history->history, *check);
    if (!verdict) {
      report(error, std::move(verdict.error()));
      return nullptr;
    }
    return linchpin::c::verdict_of(std::move(*verdict), std::move(*check));
  });
}

void linchpin_verdict_free(linchpin_verdict* verdict) { delete verdict; }

linchpin_kind linchpin_verdict_kind(const linchpin_verdict* verdict) { return to_c(verdict->verdict.verdict); }
const char* linchpin_verdict_reason(const linchpin_verdict* verdict) { return verdict->reason.c_str(); }
size_t linchpin_verdict_objects(const linchpin_verdict* verdict) { return verdict->verdict.objects.size(); }

const char* linchpin_object_name(const linchpin_verdict* verdict, size_t object) {
  return object_of(verdict, object).name.c_str();
}
linchpin_kind linchpin_object_kind(const linchpin_verdict* verdict, size_t object) {
  return to_c(object_of(verdict, object).verdict);
}
const char* linchpin_object_decider(const linchpin_verdict* verdict, size_t object) {
  return object_of(verdict, object).decider.c_str();
}
const char* linchpin_object_why(const linchpin_verdict* verdict, size_t object) {
  return object_of(verdict, object).why.c_str();
}
const char* linchpin_object_sentence(const linchpin_verdict* verdict, size_t object) {
  const auto& violation = object_of(verdict, object).violation;
  return violation ? violation->sentence.c_str() : "";
}
const uint32_t* linchpin_object_core(const linchpin_verdict* verdict, size_t object, size_t* count) {
  const auto& violation = object_of(verdict, object).violation;
  return violation ? span_of(violation->core, count) : nothing(count);
}
const uint32_t* linchpin_object_context(const linchpin_verdict* verdict, size_t object, size_t* count) {
  const auto& violation = object_of(verdict, object).violation;
  return violation ? span_of(violation->context, count) : nothing(count);
}
const uint32_t* linchpin_object_witness(const linchpin_verdict* verdict, size_t object, size_t* count) {
  const auto& witness = object_of(verdict, object).witness;
  return witness ? span_of(witness->order, count) : nothing(count);
}
const uint32_t* linchpin_object_longest(const linchpin_verdict* verdict, size_t object, size_t* count) {
  const linchpin::ObjectVerdict& of = object_of(verdict, object);
  return span_of(of.violation ? of.violation->longest : of.longest, count);
}
size_t linchpin_object_blocked(const linchpin_verdict* verdict, size_t object) {
  const linchpin::ObjectVerdict& of = object_of(verdict, object);
  const auto blocked = of.violation ? of.violation->blocked : of.reached;
  return blocked ? size_t{blocked->number()} : LINCHPIN_NONE;
}
int linchpin_object_verified(const linchpin_verdict* verdict, size_t object) {
  const linchpin::ObjectVerdict& of = object_of(verdict, object);
  const std::optional<bool> checked =
      of.verdict == linchpin::Verdict::linearizable ? of.witness_checked : of.core_checked;
  return checked ? static_cast<int>(*checked) : -1;
}
const char* linchpin_object_refused(const linchpin_verdict* verdict, size_t object) {
  LINCHPIN_REQUIRE(object < verdict->refused.size(), "there is no object of this index");
  return verdict->refused[object].c_str();
}

char* linchpin_verdict_text(const linchpin_verdict* verdict, const linchpin_history* history, linchpin_error** error) {
  return guarded(error, static_cast<char*>(nullptr),
                 [&] { return copy_of(linchpin::message_of(history->history, verdict->verdict, verdict->options)); });
}

char* linchpin_verdict_json(const linchpin_verdict* verdict, const linchpin_history* history, linchpin_error** error) {
  return guarded(error, static_cast<char*>(nullptr), [&]() -> char* {
    const auto json = linchpin::verdict_json(history->history, verdict->verdict, verdict->options);
    if (json) return copy_of(*json);
    report(error, json.error());
    return nullptr;
  });
}

int linchpin_verdict_report(const linchpin_verdict* verdict, const linchpin_history* history, const char* path,
                            const char* label, linchpin_error** error) {
  return linchpin_verdict_report_within(verdict, history, path, label, SIZE_MAX, error);
}

int linchpin_verdict_report_within(const linchpin_verdict* verdict, const linchpin_history* history, const char* path,
                                   const char* label, size_t operations, linchpin_error** error) {
  return guarded(error, -1, [&] {
    auto page = linchpin::ReportPage::open(path);
    if (page) page->limit(operations);
    auto written = page ? page->add(label == nullptr ? "" : label, history->history, verdict->verdict, verdict->options)
                        : linchpin::Result<void>(page.error());
    if (written) written = page->close();
    if (written) return 0;
    report(error, std::move(written.error()));
    return -1;
  });
}

// Histories: what was called, when, by whom, and what came back.
//
//   linchpin::HistoryBuilder builder;
//   builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 4});
//   builder.add({.process = 1, .method = "dequeue", .result = Value::integer(1), .call = 2, .response = 3});
//   Result<History> history = std::move(builder).build();
//
// Time. Ticks are 64-bit integers of any one monotone clock; an operation occupies the closed interval
// [call, response]. `a` happens before `b` iff a.response < b.call, strictly: equal ticks are concurrent. Two events
// with one tick could have happened in either order, so concurrency is the weaker assumption and never a false alarm.
//
// Pending. An operation without a response may have taken effect at any time after its call, or never.
// An operation may also have returned with its result lost (`Value::unknown()`): it took effect.
//
// A history is columns, not a vector of structs: about 50 bytes an operation with one argument.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/index.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

using Tick = std::int64_t;
inline constexpr Tick kPending =
    std::numeric_limits<Tick>::max();  ///< the response of an operation that never returned

using OperationIndex =
    Index<class IndexOfOperations>;  ///< counts a history's operations from 0, in the order of their calls in the input
using ObjectIndex = Index<class IndexOfObjects>;  ///< counts a history's objects from 0
using ProcessId = std::uint32_t;    ///< a small integer as written in the input, or a name: see History::process_name
using MethodIndex = std::uint16_t;  ///< counts a history's method names from 0
inline constexpr ProcessId kNoProcess = 0xffffffffU;  ///< the input does not say which process

/// What an input says about an object's data type: "queue capacity=3" has the name "queue" and one option.
struct TypeName {
  std::string name;                                          ///< empty: the input does not say
  std::vector<std::pair<std::string, std::string>> options;  ///< in the order written

  /// Parses "name key=value key=value".
  static Result<TypeName> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;
  bool operator==(const TypeName&) const = default;
};

/// Where an operation stands in its input, or a type is named; 0: unknown.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Object {
  std::string name;  ///< empty for the only object of an input that names none
  TypeName type;
  Place type_place = {};  ///< where the type is named
};

/// Something that happened beside the operations: a fault injected, a server's event.
struct Annotation {
  Tick begin = 0;
  std::optional<Tick> end;
  std::string text;
  std::string process;  ///< empty: none
  std::string colour;   ///< a CSS colour; empty: the viewer's choice
};

/// What operations carry beside their arguments and results: a server, a trace's id, an error's text; or an integer by
/// which their store claims an order of its own, such as a revision. No decider looks at it but for `order_by`.
struct Field {
  std::string name;
  std::vector<Value> values;  ///< an operation each, of the history's pool; none: it has none
};

class History {
 public:
  [[nodiscard]] std::size_t size() const { return call_.size(); }
  [[nodiscard]] std::size_t pending_count() const { return pending_count_; }

  [[nodiscard]] ProcessId process(OperationIndex i) const {
    return process_.empty() ? kNoProcess : process_[i.number()];
  }
  [[nodiscard]] ObjectIndex object(OperationIndex i) const { return object_.empty() ? 0 : object_[i.number()]; }
  [[nodiscard]] MethodIndex method(OperationIndex i) const { return method_[i.number()]; }
  [[nodiscard]] std::span<const Value> arguments(OperationIndex i) const {
    return std::span(arguments_)
        .subspan(argument_begin_[i.number()], argument_begin_[i.number() + 1] - argument_begin_[i.number()]);
  }
  [[nodiscard]] Value result(OperationIndex i) const { return result_[i.number()]; }
  [[nodiscard]] Tick call(OperationIndex i) const { return call_[i.number()]; }
  [[nodiscard]] Tick response(OperationIndex i) const { return response_[i.number()]; }
  [[nodiscard]] bool pending(OperationIndex i) const { return response_[i.number()] == kPending; }
  [[nodiscard]] Place place(OperationIndex i) const {
    if (line_.empty() || line_[i.number()] == 0) return Place{};
    return Place{.line = line_[i.number()], .column = column_.empty() ? 1 : column_[i.number()]};
  }

  [[nodiscard]] std::span<const Tick> calls() const { return call_; }
  [[nodiscard]] std::span<const Tick> responses() const { return response_; }
  [[nodiscard]] std::span<const MethodIndex> methods() const { return method_; }
  [[nodiscard]] std::span<const Value> results() const { return result_; }

  /// The method's name as the input writes it.
  [[nodiscard]] std::string_view method_name(MethodIndex method) const { return method_names_[method]; }
  [[nodiscard]] std::span<const std::string> method_names() const { return method_names_; }
  /// "3", "client-a", or "" for kNoProcess.
  [[nodiscard]] std::string process_name(ProcessId process) const;
  /// At least one object.
  [[nodiscard]] std::span<const Object> objects() const { return objects_; }
  [[nodiscard]] std::span<const Annotation> annotations() const { return annotations_; }
  [[nodiscard]] std::span<const Field> fields() const { return fields_; }
  /// The field of that name, or nothing.
  [[nodiscard]] const Field* find_field(std::string_view name) const;
  [[nodiscard]] const ValuePool& pool() const { return *pool_; }
  [[nodiscard]] const std::shared_ptr<ValuePool>& shared_pool() const { return pool_; }

  /// File name, "-" for standard input, or empty.
  [[nodiscard]] const std::string& source() const { return source_; }

  /// "enqueue(1) -> ok", without times: for messages. On one line and of characters that show as themselves.
  [[nodiscard]] std::string describe(OperationIndex i) const;

  /// "server n1, error timeout": the fields of an operation, for messages; empty: it has none.
  [[nodiscard]] std::string describe_fields(OperationIndex i) const;

  /// The history of the given operations only (ascending), with the same pool, objects and names.
  [[nodiscard]] History restricted_to(std::span<const OperationIndex> operations) const;
  /// The same operations, with every object's type replaced.
  [[nodiscard]] History with_type(const TypeName& type) const;

  /// Bytes held by the columns and the pool, approximately.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class HistoryBuilder;
  friend class HistoryColumns;       // src/history/columns.hpp: whole columns in and out, for the binary format
  std::vector<ProcessId> process_;   // empty: no operation has one
  std::vector<ObjectIndex> object_;  // empty: one object
  std::vector<MethodIndex> method_;
  std::vector<std::uint32_t> argument_begin_ = {
      0};  // size() + 1 entries into arguments_: row i ends where i + 1 begins
  std::vector<Value> arguments_;
  std::vector<Value> result_;
  std::vector<Tick> call_;
  std::vector<Tick> response_;
  std::vector<std::uint32_t> line_;    // empty: not recorded
  std::vector<std::uint32_t> column_;  // of the input; empty: every operation begins its line
  std::size_t pending_count_ = 0;
  std::vector<std::string> method_names_;
  std::vector<std::string> process_names_;  // of the ids with kNamedProcess set
  std::vector<Object> objects_;
  std::vector<Annotation> annotations_;
  std::vector<Field> fields_;
  std::shared_ptr<ValuePool> pool_ = std::make_shared<ValuePool>();
  std::string source_;
};

/// Builds a History from complete operations, or from calls and responses, in any mix; validates it as a whole.
/// Readers use the finer interface (ids instead of names) on their hot path.
class HistoryBuilder {
 public:
  struct Operation {
    ProcessId process = kNoProcess;
    ObjectIndex object = 0;
    std::string_view method;
    std::vector<Value> arguments = {};
    Value result = Value::none();
    Tick call = 0;
    Tick response = kPending;
    Place place = {};
    std::vector<std::pair<std::string_view, Value>> fields = {};
  };

  HistoryBuilder();

  /// Interns strings, lists and big integers of this history.
  [[nodiscard]] ValuePool& pool() { return *history_.pool_; }

  /// The id of a method name; the same name gives the same id.
  MethodIndex method(std::string_view name);
  /// The id of a process called `name`; a decimal number below 2^31 is its own id.
  ProcessId process(std::string_view name);
  /// The index of the object called `name`, made on first use with the default type.
  ObjectIndex object(std::string_view name);
  /// The type of every object that has none of its own. Later calls replace earlier ones.
  void set_type(TypeName type, Place place = {}) {
    default_type_ = std::move(type);
    default_type_place_ = place;
  }
  /// The type of one object, likewise.
  void set_type(ObjectIndex object, TypeName type, Place place = {});
  void set_source(std::string source) { history_.source_ = std::move(source); }
  void annotate(Annotation annotation) { history_.annotations_.push_back(std::move(annotation)); }
  void reserve(std::size_t operations);
  [[nodiscard]] std::size_t size() const { return history_.call_.size(); }

  /// Appends an operation; its arguments are those pushed since the last one with `argument`.
  /// A pending operation's result is made unknown unless one is given.
  OperationIndex add(ProcessId process, ObjectIndex object, MethodIndex method, Value result, Tick call, Tick response,
                     Place place = {});
  void argument(Value value) { history_.arguments_.push_back(value); }
  OperationIndex add(const Operation& operation);

  /// Gives an operation that was added a field; a later call with the same name replaces the value. Nil or none: it has
  /// none. A name costs a column of 8 bytes an operation, and is looked for among the others.
  void field(OperationIndex operation, std::string_view name, Value value);

  /// The response of an operation added as pending. A second one is an error of `build`.
  void respond(OperationIndex operation, Tick response, Value result);

  /// Checks and yields the history. Errors (at the operation's place): response_before_call; overlapping_operations of
  /// one process (ties are fine); after_pending: a process goes on after a pending operation; return_without_call: a
  /// second response; bad_arguments: an unknown argument (but of a transaction's read); too_large: 2^31 - 2 operations
  /// or arguments, 65,535 methods, 64 fields. O(n), or O(n log n) where calls are not in order of ticks.
  [[nodiscard]] Result<History> build() &&;

 private:
  struct Names;
  History history_;
  TypeName default_type_;
  Place default_type_place_;
  std::shared_ptr<Names> names_;
  bool any_process_ = false, any_object_ = false, any_line_ = false, any_column_ = false, too_many_methods_ = false;

  /// Appends to a column that stays empty as long as all that it has is usual.
  template <class Entry>
  void append(std::vector<Entry>& column, bool& any, Entry entry, Entry usual) {
    if (entry != usual && !any) {
      any = true;
      column.reserve(history_.call_.capacity());
      column.assign(history_.call_.size(), usual);
    }
    if (any) column.push_back(entry);
  }
};

// Here, since readers call it for every operation.
inline OperationIndex HistoryBuilder::add(ProcessId process, ObjectIndex object, MethodIndex method, Value result,
                                          Tick call, Tick response, Place place) {
  const OperationIndex index(history_.call_.size());
  append(history_.process_, any_process_, process, kNoProcess);
  append(history_.object_, any_object_, object, ObjectIndex{0});
  append(history_.line_, any_line_, place.line, 0U);
  append(history_.column_, any_column_, place.line == 0 ? 1U : place.column, 1U);
  history_.method_.push_back(method);
  history_.argument_begin_.push_back(static_cast<std::uint32_t>(history_.arguments_.size()));  // the row's end
  if (response == kPending) {
    ++history_.pending_count_;
    if (result.is_none()) result = Value::unknown();
  }
  history_.result_.push_back(result);
  history_.call_.push_back(call);
  history_.response_.push_back(response);
  return index;
}

}  // namespace linchpin

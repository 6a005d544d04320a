// HistoryBuilder: interning of names and appending; validation.cpp checks the whole.
#include <algorithm>
#include <charconv>
#include <optional>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/string_map.hpp"
#include "history/operation_error.hpp"
#include "history/process_names.hpp"
#include "history/validation.hpp"
#include "linchpin/history.hpp"

namespace linchpin {

namespace {
constexpr std::size_t kMostMethods = 0xffff;
constexpr std::size_t kMostFields = 64;  // each is a column as long as the history

template <class Id>
bool all_below(const std::vector<Id>& ids, std::size_t bound) {
  return ids.empty() || *std::max_element(ids.begin(), ids.end()) < bound;
}

}  // namespace

struct HistoryBuilder::Names {
  base::StringMap<MethodIndex> methods;
  base::StringMap<ProcessId> processes;
  base::StringMap<ObjectIndex> objects;
  absl::flat_hash_set<std::uint32_t> promised;   // by number: never returned, and what it would have is known
  std::optional<OperationIndex> returned_twice;  // the first that did
  bool too_many_fields = false;
};

HistoryBuilder::HistoryBuilder() : names_(std::make_shared<Names>()) {}

MethodIndex HistoryBuilder::method(std::string_view name) {
  const auto found = names_->methods.find(name);
  if (found != names_->methods.end()) return found->second;
  if (history_.method_names_.size() == kMostMethods) {
    too_many_methods_ = true;
    return 0;
  }
  const auto index = static_cast<MethodIndex>(history_.method_names_.size());
  history_.method_names_.emplace_back(name);
  names_->methods.emplace(std::string(name), index);
  return index;
}

ProcessId HistoryBuilder::process(std::string_view name) {
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool canonical = name == "0" || (!name.empty() && name[0] != '0');
  if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() && canonical &&
      number < history::kNamedProcess) {
    return number;
  }
  const auto found = names_->processes.find(name);
  if (found != names_->processes.end()) return found->second;
  const ProcessId id = history::kNamedProcess | static_cast<ProcessId>(history_.process_names_.size());
  history_.process_names_.emplace_back(name);
  names_->processes.emplace(std::string(name), id);
  return id;
}

ObjectIndex HistoryBuilder::object(std::string_view name) {
  const auto found = names_->objects.find(name);
  if (found != names_->objects.end()) return found->second;
  const ObjectIndex index(history_.objects_.size());
  history_.objects_.push_back(Object{.name = std::string(name), .type = {}, .type_place = {}});
  names_->objects.emplace(std::string(name), index);
  return index;
}

void HistoryBuilder::set_type(ObjectIndex object, TypeName type, Place place) {
  LINCHPIN_REQUIRE(object < history_.objects_.size(), "the object was not made by this builder");
  history_.objects_[object.number()].type = std::move(type);
  history_.objects_[object.number()].type_place = place;
}

void HistoryBuilder::reserve(std::size_t operations) {
  history_.method_.reserve(operations);
  history_.argument_begin_.reserve(operations + 1);
  history_.arguments_.reserve(operations);
  history_.result_.reserve(operations);
  history_.call_.reserve(operations);
  history_.response_.reserve(operations);
}

OperationIndex HistoryBuilder::add(const Operation& operation) {
  for (const Value value : operation.arguments) argument(value);
  const OperationIndex index = add(operation.process, operation.object, method(operation.method), operation.result,
                                   operation.call, operation.response, operation.place);
  for (const auto& [name, value] : operation.fields) field(index, name, value);
  return index;
}

void HistoryBuilder::field(OperationIndex operation, std::string_view name, Value value) {
  LINCHPIN_REQUIRE(operation < size(), "the operation was not added to this builder");
  const auto found = std::find_if(history_.fields_.begin(), history_.fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  if (found == history_.fields_.end() && history_.fields_.size() == kMostFields) {
    names_->too_many_fields = true;
    return;
  }
  Field& field = found != history_.fields_.end() ? *found : history_.fields_.emplace_back(Field{std::string(name), {}});
  // A column is as long as its last value until the history is built.
  const std::size_t row = operation.number();
  if (field.values.size() <= row) field.values.resize(row + 1);
  field.values[row] = value.is_nil() ? Value::none() : value;
}

void HistoryBuilder::respond(OperationIndex operation, Tick response, Value result) {
  LINCHPIN_REQUIRE(operation < size(), "the operation was not added to this builder");
  absl::flat_hash_set<std::uint32_t>& promised = names_->promised;
  const bool has_promise = !promised.empty() && promised.contains(operation.number());
  if (has_promise || history_.response_[operation.number()] != kPending) {
    if (!names_->returned_twice) names_->returned_twice = operation;
    return;
  }
  if (response == kPending) {
    promised.insert(operation.number());
  } else {
    --history_.pending_count_;
  }
  history_.response_[operation.number()] = response;
  // None of what never returned is nothing known, as everywhere.
  history_.result_[operation.number()] = response == kPending && result.is_none() ? Value::unknown() : result;
}

Result<History> HistoryBuilder::build() && {
  constexpr std::size_t kMost = 0x7ffffffeU;  // an event is an operation and one bit
  if (history_.call_.size() > kMost || history_.arguments_.size() > kMost) {
    return Error{.code = ErrorCode::too_large,
                 .source = history_.source_,
                 .message = "more than 2^31 - 2 operations or arguments in one history",
                 .hint = "split the recording"};
  }
  if (too_many_methods_) {
    return Error{.code = ErrorCode::too_large,
                 .source = history_.source_,
                 .message = "more than 65,535 different method names in one history",
                 .hint = "is this a history? the method's field seems to hold data"};
  }
  if (names_->too_many_fields) {
    return Error{
        .code = ErrorCode::too_large,
        .source = history_.source_,
        .message = "more than 64 different fields in one history",
        .hint = "a field is what many operations carry, such as a server; put what has names of its own into one text"};
  }
  if (names_->returned_twice) {
    const OperationIndex i = *names_->returned_twice;
    return history::error_at(history_, i, ErrorCode::return_without_call,
                             fmt::format("{} returns a second time", history_.describe(i)),
                             "an operation returns once: every call is an operation of its own");
  }
  for (OperationIndex i = 0; i < history_.process_.size(); ++i) {
    const ProcessId process = history_.process_[i.number()];
    if (process < history::kNamedProcess || process == kNoProcess) continue;
    if ((process & ~history::kNamedProcess) < history_.process_names_.size()) continue;
    history_.process_[i.number()] = kNoProcess;  // so that the operation can be told
    return history::error_at(history_, i, ErrorCode::bad_number,
                             fmt::format("{}: its process is none of this history", history_.describe(i)),
                             "processes are numbers below 2^31, or have names");
  }
  if (history_.objects_.empty()) history_.objects_.push_back(Object{});
  LINCHPIN_REQUIRE(all_below(history_.method_, history_.method_names_.size()), "a method's id is not of this builder");
  LINCHPIN_REQUIRE(all_below(history_.object_, history_.objects_.size()), "an object's index is not of this builder");
  for (Object& object : history_.objects_) {
    if (!object.type.name.empty()) continue;
    object.type = default_type_;
    object.type_place = default_type_place_;
  }
  for (Field& field : history_.fields_) field.values.resize(history_.size());
  if (const auto never = std::find(history_.call_.begin(), history_.call_.end(), kPending);
      never != history_.call_.end()) {
    const OperationIndex i(static_cast<std::size_t>(never - history_.call_.begin()));
    return history::error_at(
        history_, i, ErrorCode::bad_number,
        fmt::format("{} is called at 2^63 - 1, the tick that stands for never", history_.describe(i)),
        "ticks of calls are below 2^63 - 1");
  }
  if (auto checked = history::check_operations(history_); !checked) return checked.error();
  return std::move(history_);
}

}  // namespace linchpin

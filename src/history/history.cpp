#include "linchpin/history.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/foreign_text.hpp"
#include "history/process_names.hpp"

namespace linchpin {

std::string History::process_name(ProcessId process) const {
  if (process == kNoProcess) return {};
  if ((process & history::kNamedProcess) != 0) return process_names_[process & ~history::kNamedProcess];
  return std::to_string(process);
}

std::string history::with_process_names(const History& history, std::string description) {
  constexpr std::string_view kBefore = "process ";
  for (std::size_t at = description.find(kBefore); at != std::string::npos; at = description.find(kBefore, at)) {
    at += kBefore.size();
    ProcessId process = 0;
    const char* const begin = description.data() + at;
    const auto [end, error] = std::from_chars(begin, description.data() + description.size(), process);
    if (error != std::errc()) continue;
    const std::string name = base::foreign_text(history.process_name(process));
    description.replace(at, static_cast<std::size_t>(end - begin), name);
    at += name.size();  // a name may speak of a process itself
  }
  return description;
}

std::string History::describe(OperationIndex i) const {
  std::string text = base::foreign_text(method_name(method(i)));
  text += '(';
  bool first = true;
  for (const Value value : arguments(i)) {
    if (!first) text += ", ";
    first = false;
    text += pool_->to_text(value);
  }
  text += ')';
  if (pending(i)) {
    text += result(i).is_unknown() ? " pending" : fmt::format(" pending -> {}", pool_->to_text(result(i)));
  } else if (!result(i).is_none()) {
    text += " -> " + pool_->to_text(result(i));
  }
  return text;
}

std::string History::describe_fields(OperationIndex i) const {
  std::string text;
  for (const Field& field : fields_) {
    if (field.values[i.number()].is_none()) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", base::foreign_text(field.name), pool_->to_text(field.values[i.number()]));
  }
  return text;
}

History History::restricted_to(std::span<const OperationIndex> operations) const {
  History part;
  part.method_names_ = method_names_;
  part.process_names_ = process_names_;
  part.objects_ = objects_;
  part.annotations_ = annotations_;
  part.pool_ = pool_;
  part.source_ = source_;
  for (const Field& field : fields_) {
    Field& kept = part.fields_.emplace_back(Field{field.name, {}});
    kept.values.reserve(operations.size());
    for (const OperationIndex i : operations) kept.values.push_back(field.values[i.number()]);
  }
  for (const OperationIndex i : operations) {
    const std::size_t row = i.number();
    if (!process_.empty()) part.process_.push_back(process_[row]);
    if (!object_.empty()) part.object_.push_back(object_[row]);
    part.method_.push_back(method_[row]);
    const auto values = arguments(i);
    part.arguments_.insert(part.arguments_.end(), values.begin(), values.end());
    part.argument_begin_.push_back(static_cast<std::uint32_t>(part.arguments_.size()));
    part.result_.push_back(result_[row]);
    part.call_.push_back(call_[row]);
    part.response_.push_back(response_[row]);
    if (!line_.empty()) part.line_.push_back(line_[row]);
    if (!column_.empty()) part.column_.push_back(column_[row]);
    part.pending_count_ += pending(i) ? 1 : 0;
  }
  return part;
}

History History::with_type(const TypeName& type) const {
  History copy = *this;
  for (Object& object : copy.objects_) object.type = type;
  return copy;
}

const Field* History::find_field(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::size_t History::bytes() const {
  std::size_t fields = 0;
  for (const Field& field : fields_) fields += field.values.capacity() * sizeof(Value);
  return fields + process_.capacity() * sizeof(ProcessId) + object_.capacity() * sizeof(ObjectIndex) +
         method_.capacity() * sizeof(MethodIndex) + argument_begin_.capacity() * sizeof(std::uint32_t) +
         (arguments_.capacity() + result_.capacity()) * sizeof(Value) +
         (call_.capacity() + response_.capacity()) * sizeof(Tick) +
         (line_.capacity() + column_.capacity()) * sizeof(std::uint32_t) + pool_->bytes();
}

}  // namespace linchpin

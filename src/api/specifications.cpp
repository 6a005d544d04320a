#include "api/specifications.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/data_type.hpp"

namespace linchpin {

namespace {

/// An object whose type nobody named, though others may have one: with its first operation.
Error without_type(const History& history, std::uint32_t index, Error error) {
  const Object& object = history.objects()[index];
  if (object.name.empty()) return error;
  error.message = fmt::format("the input does not say which data type the object {} has", object.name);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) != ObjectIndex(index)) continue;
    error.line = history.place(i).line;
    error.column = history.place(i).column;
    break;
  }
  return error;
}

}  // namespace

Result<Specifications> specifications_of(const History& history, const CheckOptions& options) {
  Specifications specifications;
  for (std::uint32_t index = 0; index < history.objects().size(); ++index) {
    const Object& object = history.objects()[index];
    if (options.specification != nullptr) {
      specifications.push_back(options.specification);
      continue;
    }
    auto specification = make_specification(options.type ? *options.type : object.type);
    if (!specification) {
      Error error = specification.error();
      error.source = history.source();
      if (!options.type) {
        error.line = object.type_place.line;
        error.column = object.type_place.column;
        if (object.type.name.empty()) return without_type(history, index, std::move(error));
      }
      return error;
    }
    specifications.push_back(*specification);
  }
  return specifications;
}

std::shared_ptr<const Specification> specification_from(const CoreStart& start) {
  const auto type = TypeName::parse(start.type);
  const auto specification = type ? make_specification(*type) : type.error();
  return specification ? *specification : nullptr;
}

std::vector<TypeSummary> list_types() {
  std::vector<TypeSummary> list;
  for (const core::DataType& type : core::data_types()) {
    list.push_back({.name = type.name, .aliases = type.aliases, .summary = type.summary, .options = type.options});
  }
  return list;
}

Result<std::shared_ptr<const Specification>> make_specification(const TypeName& type) {
  std::string known;
  for (const core::DataType& each : core::data_types()) {
    if (!known.empty()) known += ", ";
    known += each.name;
  }
  if (type.name.empty()) {
    return Error{.code = ErrorCode::unknown_type,
                 .message = "the input does not say which data type the object has",
                 .hint = fmt::format("name one with --type: {}", known)};
  }
  const core::DataType* const found = core::find_data_type(type.name);
  if (found == nullptr) {
    return Error{.code = ErrorCode::unknown_type,
                 .message = fmt::format("there is no data type '{}'", type.name),
                 .hint = fmt::format("the types are {}", known)};
  }
  return found->make(type);
}

}  // namespace linchpin

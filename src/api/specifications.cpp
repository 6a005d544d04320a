#include "api/specifications.hpp"

#include <fmt/format.h>

#include "core/data_type.hpp"

namespace linchpin {

Result<Specifications> specifications_of(const History& history, const CheckOptions& options) {
  Specifications specifications;
  for (const Object& object : history.objects()) {
    if (options.specification != nullptr) {
      specifications.push_back(options.specification);
      continue;
    }
    auto specification = make_specification(options.type ? *options.type : object.type);
    if (!specification) {
      Error error = specification.error();
      error.source = history.source();
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

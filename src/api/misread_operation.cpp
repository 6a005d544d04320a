#include "api/misread_operation.hpp"

#include <fmt/format.h>

#include "history/operation_error.hpp"

namespace linchpin {

namespace {

constexpr const char* kHint = "look at the kind of a value (is_integer, is_nil, ...) before reading it";

bool is_of(const MisreadOperation& misread, const History& history, OperationIndex i,
           const Specification& specification) {
  const auto method = specification.find_method(history.method_name(history.method(i)));
  return method &&
         misread.is_of(Operation{.method = *method, .arguments = history.arguments(i), .result = history.result(i)});
}

}  // namespace

Error error_of(const Misread& misread, const History& history, const CheckOptions& options) {
  const auto* const operation = dynamic_cast<const MisreadOperation*>(&misread);
  const auto specifications = specifications_of(history, options);
  for (OperationIndex i = 0; operation != nullptr && specifications && i < history.size(); ++i) {
    const Specification& specification = *(*specifications)[history.object(i).number()];
    if (!is_of(*operation, history, i, specification)) continue;
    return history::error_at(history, i, ErrorCode::bad_arguments,
                             fmt::format("{}: the specification of {} cannot read it: {}", history.describe(i),
                                         specification.name(), misread.what()),
                             kHint);
  }
  return Error{.code = ErrorCode::bad_arguments,
               .source = history.source(),
               .message = fmt::format("the specification cannot read an operation: {}", misread.what()),
               .hint = kHint};
}

}  // namespace linchpin

#include "history/operation_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace linchpin::history {

Error error_at(const History& history, OperationIndex i, ErrorCode code, std::string message, std::string hint) {
  const Place place = history.place(i);
  return Error{.code = code,
               .source = history.source(),
               .line = place.line,
               .column = place.column,
               .message = place.line != 0 ? std::move(message) : fmt::format("operation {}: {}", i.number(), message),
               .hint = std::move(hint)};
}

}  // namespace linchpin::history

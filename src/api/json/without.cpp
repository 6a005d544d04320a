// What stands for JSON in a library that is built without it.
#include "linchpin/json.hpp"

namespace linchpin {

Result<std::string> verdict_json(const History&, const HistoryVerdict&, const CheckOptions&) {
  return Error{.code = ErrorCode::unsupported,
               .message = "this library was built without JSON",
               .hint = "build it with LINCHPIN_WITH_JSON=ON"};
}

}  // namespace linchpin

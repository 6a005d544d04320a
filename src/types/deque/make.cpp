// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/deque/specification.hpp"
#include "types/executed.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Deque::make(const TypeName& type) {
  core::TypeOptions given(type);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("deque", type), Deque{});
}

std::unique_ptr<Replay> Deque::make_replay() const { return execute_on<Row>(*this); }

}  // namespace linchpin::types

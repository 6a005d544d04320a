// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/executed.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> ListAppend::make(const TypeName& type) {
  core::TypeOptions given(type);
  ListAppend specification;
  specification.level = take_level(given);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("list-append", type), specification);
}

std::unique_ptr<Replay> ListAppend::make_replay() const { return execute_on<Lists>(*this); }

}  // namespace linchpin::types

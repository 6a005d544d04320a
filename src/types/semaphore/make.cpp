// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Semaphore::make(const TypeName& type) {
  core::TypeOptions given(type);
  Semaphore specification;
  specification.initial_value = given.integer("initial", 0, kMostAtFirst).value_or(0);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("semaphore", type), specification);
}

}  // namespace linchpin::types

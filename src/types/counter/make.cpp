// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/counter/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Counter::make(const TypeName& type) {
  core::TypeOptions given(type);
  Counter specification;
  specification.initial_value = given.integer("initial").value_or(0);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("counter", type), specification);
}

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/rmw/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> ReadModifyWrite::make(const TypeName& type) {
  core::TypeOptions given(type);
  ReadModifyWrite specification;
  specification.initial_value = given.value("initial").value_or(Value::nil());
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("rmw", type), specification);
}

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/array/specification.hpp"
#include "types/executed.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Array::make(const TypeName& type) {
  core::TypeOptions given(type);
  Array specification;
  specification.initial_value = given.value("initial").value_or(Value::nil());
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("array", type), specification);
}

std::unique_ptr<Replay> Array::make_replay() const { return execute_on<HashedMap<Value>>(*this); }

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/register/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Register::make(const TypeName& type) {
  core::TypeOptions given(type);
  Register specification;
  if (given.text("initial") == "undefined") {
    specification.initial_value = Value::none();
  } else {
    specification.initial_value = given.value("initial").value_or(Value::nil());
  }
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("register", type), specification);
}

}  // namespace linchpin::types

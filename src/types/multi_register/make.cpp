// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/executed.hpp"
#include "types/multi_register/specification.hpp"
#include "types/multi_register/versioned.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> MultiRegister::make(const TypeName& type) {
  core::TypeOptions given(type);
  MultiRegister specification;
  if (given.text("initial").value_or("any") != "any") specification.initial_value = given.value("initial");
  specification.level = take_level(given);
  const bool versions = given.choice("versions", {"none", "told"}) == "told";
  if (auto finished = given.finish(options); !finished) return finished.error();
  if (versions) {
    return specify(full_name("multi-register", type),
                   VersionedRegisters{.initial_value = specification.initial_value, .level = specification.level});
  }
  return specify(full_name("multi-register", type), specification);
}

std::unique_ptr<Replay> MultiRegister::make_replay() const { return execute_on<HashedMap<Value>>(*this); }

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/bag/specification.hpp"
#include "types/filled.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Bag::make(const TypeName& type) {
  core::TypeOptions given(type);
  const std::vector<Value> held = given.values("initial");
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify_filled(full_name("bag", type), Bag{}, held);
}

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/filled.hpp"
#include "types/stack/specification.hpp"
#include "types/unordered.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Stack::make(const TypeName& type) {
  core::TypeOptions given(type);
  Stack specification;
  const std::string_view heights = given.choice("heights", {"no", "yes", "before"});
  if (heights == "yes") specification.heights = Heights::after;
  if (heights == "before") specification.heights = Heights::before;
  const std::vector<Value> held = given.values("initial");
  const bool is_unordered = given.text("unordered").has_value();
  std::vector<Value> unordered = given.values("unordered");
  if (auto finished = given.finish(options); !finished) return finished.error();
  if (is_unordered) return specify_unordered(type, full_name("stack", type), specification, std::move(unordered));
  return specify_filled(full_name("stack", type), specification, held);
}

}  // namespace linchpin::types

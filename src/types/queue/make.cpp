// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/executed.hpp"
#include "types/filled.hpp"
#include "types/queue/specification.hpp"
#include "types/unordered.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Queue::make(const TypeName& type) {
  core::TypeOptions given(type);
  Queue specification;
  specification.capacity = given.integer("capacity", 0);
  const std::vector<Value> held = given.values("initial");
  const bool is_unordered = given.text("unordered").has_value();
  std::vector<Value> unordered = given.values("unordered");
  if (auto finished = given.finish(options); !finished) return finished.error();
  if (is_unordered) return specify_unordered(type, full_name("queue", type), specification, std::move(unordered));
  return specify_filled(full_name("queue", type), specification, held);
}

std::unique_ptr<Replay> Queue::make_replay() const { return execute_on<Row>(*this); }

}  // namespace linchpin::types

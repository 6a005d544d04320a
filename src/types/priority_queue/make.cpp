// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/filled.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> PriorityQueue::make(const TypeName& type) {
  core::TypeOptions given(type);
  PriorityQueue specification;
  if (const auto text = given.text("order")) {
    auto order = PriorityOrder::parse(*text);
    if (!order) return order.error();
    specification.order = std::move(*order);
  }
  specification.fifo_ties = given.choice("ties", {"any", "fifo"}) == "fifo";
  specification.capacity = given.integer("capacity", 0);
  const std::vector<Value> held = given.values("initial");
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify_filled(full_name("priority-queue", type), specification, held);
}

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/deque/specification.hpp"
#include "types/executed.hpp"
#include "types/filled.hpp"
#include "types/replay_from.hpp"
#include "types/unordered.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Deque::make(const TypeName& type) {
  core::TypeOptions given(type);
  const std::optional<std::int64_t> capacity = given.integer("capacity", 0);
  const bool stealing = given.choice("work-stealing", {"no", "yes"}) == "yes";
  const std::vector<Value> held = given.values("initial");
  const bool is_unordered = given.text("unordered").has_value();
  std::vector<Value> unordered = given.values("unordered");
  if (auto finished = given.finish(options); !finished) return finished.error();
  if (is_unordered) return specify_unordered(type, full_name("deque", type), Deque{}, std::move(unordered));
  if (capacity && stealing) {
    return Error{.code = ErrorCode::bad_option,
                 .message = full_name("deque", type) + ": work-stealing=yes goes with no capacity",
                 .hint = "leave out one of the two"};
  }
  if (capacity) {
    BoundedDeque specification;
    specification.capacity = *capacity;
    return specify_filled(full_name("deque", type), specification, held);
  }
  if (stealing) return specify_filled(full_name("deque", type), WorkStealingDeque{}, held);
  return specify_filled(full_name("deque", type), Deque{}, held);
}

std::unique_ptr<Replay> Deque::make_replay() const { return execute_on<Row>(*this); }

std::unique_ptr<Replay> BoundedDeque::make_replay() const { return execute_on<Row>(*this); }

namespace {

/// In place, until the result of a steal is lost: from there on it may have taken a value, or not.
class WorkStealingReplay final : public ReplayInPlaceAtFirst {
 private:
  bool step_in_place(const Operation& operation) override {
    if (operation.method == Deque::kPopFront && operation.result_unknown()) {
      keep_states_from(WorkStealingDeque{}, Deque::State(inside_.begin(), inside_.end()));
      return step_states(operation);
    }
    if (WorkStealingDeque::gave_up(operation)) return true;
    return Deque::step(inside_, operation);
  }

  Row inside_;
};

}  // namespace

std::unique_ptr<Replay> WorkStealingDeque::make_replay() const { return std::make_unique<WorkStealingReplay>(); }

}  // namespace linchpin::types

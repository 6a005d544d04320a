// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> MutexMethods::make(const TypeName& type) {
  core::TypeOptions given(type);
  const bool owned = given.choice("owner", {"no", "yes"}) == "yes";
  Mutex without_owners;
  without_owners.held_at_first = given.choice("held", {"no", "yes"}) == "yes";
  if (auto finished = given.finish(options); !finished) return finished.error();
  if (owned && without_owners.held_at_first) {
    return Error{.code = ErrorCode::bad_option,
                 .message = "type mutex: held=yes is not possible with owner=yes",
                 .hint = "a lock that nobody of the history acquired has no owner who could release it"};
  }
  if (owned) return specify(full_name("mutex", type), OwnedMutex{});
  return specify(full_name("mutex", type), without_owners);
}

}  // namespace linchpin::types

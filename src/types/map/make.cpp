// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/executed.hpp"
#include "types/map/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Map::make(const TypeName& type) {
  core::TypeOptions given(type);
  Map specification;
  specification.empty_string_is_absent = given.choice("absent", {"nil", "empty-string"}) == "empty-string";
  specification.previous_results = given.choice("results", {"ack", "previous"}) == "previous";
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("map", type), specification);
}

std::unique_ptr<Replay> Map::make_replay() const { return execute_on<HashedMap<Content>>(*this); }

}  // namespace linchpin::types

// The type from its options, behind the interface of all types.
#include <memory>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/versioned_map/replay.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> VersionedMap::make(const TypeName& type) {
  core::TypeOptions given(type);
  VersionedMap specification;
  specification.maybe_executed = given.choice("maybe", {"executed", "either"}) == "executed";
  specification.returns_versions = given.choice("writes", {"ack", "version"}) == "version";
  specification.absent_version = static_cast<std::uint64_t>(given.integer("first").value_or(1)) - 1;
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("versioned-map", type), specification);
}

std::unique_ptr<Replay> VersionedMap::make_replay() const { return std::make_unique<VersionedMapReplay>(*this); }

}  // namespace linchpin::types

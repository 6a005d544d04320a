// Which types have versions.
#include "core/versions.hpp"

#include "types/log/specification.hpp"
#include "types/mvcc_kv/specification.hpp"
#include "types/stream/specification.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::core {

namespace {

template <class... Types>
std::optional<Versions> first_of(const Specification& specification, const Operation& operation) {
  std::optional<Versions> versions;
  const auto ask = [&](const auto* type) {
    if (type != nullptr) versions = type->versions(operation);
    return type != nullptr;
  };
  (ask(specification.get_if<Types>()) || ...);
  return versions;
}

}  // namespace

std::optional<Versions> versions_of(const Specification& specification, const Operation& operation) {
  return first_of<types::VersionedMap, types::MvccKv, types::Stream, types::Log>(specification, operation);
}

}  // namespace linchpin::core

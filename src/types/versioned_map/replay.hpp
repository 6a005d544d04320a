// Executes a versioned map in place, for witnesses of any length: O(1) a step.
//
// A put that may or may not have taken effect leaves two contents of its key. Keys do not touch each other, so what is
// possible is kept key by key, and not as states of the whole map. Tests: versioned_map_test.cpp.
#pragma once

#include <cstdint>

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include "types/versioned_map/specification.hpp"

namespace linchpin::types {

class VersionedMapReplay final : public Replay {
 public:
  explicit VersionedMapReplay(const VersionedMap& specification) : specification_(specification) {}
  bool step(const Operation& operation) override;

 private:
  using Possible = absl::InlinedVector<VersionedMap::Content, 1>;

  VersionedMap specification_;
  absl::flat_hash_map<std::uint64_t, Possible> keys_;  // by the keys' bits
};

}  // namespace linchpin::types

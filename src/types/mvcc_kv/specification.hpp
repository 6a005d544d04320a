// A multi-version key-value store as etcd is one: range, put, delete, txn, grant and revoke of leases, compact.
//
// One counter, the revision, is moved on by every request that changes something, and each key remembers the revisions
// at which it was created and last put. The state is a product of nothing: revisions tie all keys together.
// Semantics: README.md beside this file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/versions.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/mvcc_kv/store.hpp"

namespace linchpin::types {

struct MvccKv {
  using State = mvcc_kv::Store;
  static constexpr std::array methods{Method{"range", std::pair{1, 3}, "get read"},
                                      Method{"put", std::pair{2, 3}, "set write"},
                                      Method{"delete", std::pair{1, 2}, "remove delete_range"},
                                      Method{"txn", 3, "transaction"},
                                      Method{"grant", 1, "lease_grant"},
                                      Method{"revoke", 1, "lease_revoke"},
                                      Method{"compact", 1, "compaction"},
                                      Method{"defragment", 0, "defrag"}};
  static constexpr std::string_view options = "";

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  static bool step(State& state, const Operation& operation) { return mvcc_kv::execute(state, operation); }

  static bool pure(const Operation& operation);
  static std::optional<core::Versions> versions(const Operation& operation);
  static std::string invalid(const Operation& operation);
  static std::string describe(const State& state, const ValuePool& pool);
  static std::size_t bytes(const State& state) { return state.bytes(); }
};

}  // namespace linchpin::types

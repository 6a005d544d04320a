// A history of registers with versions as flat arrays: which transaction made which version, and who saw it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/multi_register/versioned.hpp"
#include "types/shared/dependencies.hpp"

namespace linchpin::types::multi_register {

/// A version of a key, and the transaction that made it.
struct Made {
  std::uint32_t key = 0;
  std::int64_t version = 0;
  std::uint32_t transaction = 0;
  /// Who saw it, where its transaction is pending and known to have made it from that; else kNone.
  std::uint32_t told_by = kNone;
};

/// A read of what was there before its transaction.
struct Saw {
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  std::uint32_t made = kNone;  ///< index of `made`; kNone: what the key began with
};

struct Versions {
  std::string obstacle;  ///< why the history cannot be read so; empty: it can
  /// Transactions that contradict each other, or one by itself, whatever the others do.
  struct Contradiction {
    std::vector<std::uint32_t> transactions;  ///< ascending
    std::uint32_t blocked = 0;
    std::string sentence;
  };
  std::optional<Contradiction> contradiction;
  std::vector<Value> keys;  ///< by their numbers
  std::vector<bool> kept;   ///< by local index: it took effect
  std::vector<Made> made;   ///< ascending by key and version
  std::vector<Saw> saw;     ///< by transaction
};

/// O(micro-operations), and a sort of the versions. `registers`: the type of the part, without its sessions.
[[nodiscard]] Versions read_versions(const history::Subhistory& part, const VersionedRegisters& registers);

}  // namespace linchpin::types::multi_register

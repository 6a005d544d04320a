// Levels of transactions: which order an order of all transactions has to keep, besides what they read.
//
// The levels differ in nothing else. A type with transactions takes one as its option `level`; where it is not strict
// serializability, the history is decided with other times (api/weaker_order.hpp), and for sessions with a
// specification that keeps them (in_sessions.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/data_type.hpp"

namespace linchpin::types {

enum class Level : std::uint8_t {
  strict,   ///< real time: linearizability of the transactions
  session,  ///< each process its own order
  plain,    ///< none
};

constexpr std::string_view kStrict = "strict-serializable", kSession = "strong-session-serializable",
                           kPlain = "serializable";

/// The option `level`.
inline Level take_level(core::TypeOptions& given) {
  const std::string_view name = given.choice("level", {kStrict, kSession, kPlain});
  return name == kPlain ? Level::plain : name == kSession ? Level::session : Level::strict;
}

}  // namespace linchpin::types

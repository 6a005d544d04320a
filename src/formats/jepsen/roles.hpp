// How an operation's `:f` says where its argument and its result stand in `:value`; and how the type is told.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/data_type.hpp"

namespace linchpin::formats::jepsen {

enum class Role : std::uint8_t {
  read,         ///< the completion's value is the result; nil: unknown
  take,         ///< the completion's value is the result; nil: nothing was there
  get,          ///< the same, and a value of the invocation is the argument, a key
  put,          ///< the value is the argument; no result
  swap,         ///< [old new] are two arguments; the result is whether it happened
  transaction,  ///< the value is one list of micro-operations; the completed list is the result
  other,        ///< an invocation's value is the argument, a different one of the completion the result
};

[[nodiscard]] inline Role role_of(std::string_view f) {
  struct Row {
    std::string_view f;
    Role role;
  };
  static constexpr Row kRows[] = {
      {"read", Role::read}, {"write", Role::put}, {"cas", Role::swap},        {"get", Role::get},
      {"put", Role::put},   {"add", Role::put},   {"push", Role::put},        {"enqueue", Role::put},
      {"enq", Role::put},   {"pop", Role::take},  {"dequeue", Role::take},    {"deq", Role::take},
      {"poll", Role::take}, {"peek", Role::take}, {"txn", Role::transaction},
  };
  for (const Row& row : kRows) {
    if (row.f == f) return row.role;
  }
  return Role::other;
}

/// Begins the comment before a history that tells its type, which EDN has no place for.
inline constexpr std::string_view kTypeComment = "; linchpin type: ";
/// Begins the one that tells with which options it reads back the same, as they are written for the command.
inline constexpr std::string_view kOptionsComment = "; linchpin options: ";
inline constexpr std::string_view kIndependent = "--independent", kFailConstraint = "--fail constraint";

/// Whether transactions that failed stay in the history, as returning false: in list-append they tell whose elements
/// nobody may read.
[[nodiscard]] inline bool keeps_aborted(const TypeName& type) {
  const core::DataType* const found = core::find_data_type(type.name);
  return found != nullptr && found->name == "list-append";
}

}  // namespace linchpin::formats::jepsen

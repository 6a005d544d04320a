// The options of a generated history.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin::generate {

/// Most reads and writes of a generated transaction.
inline constexpr std::uint32_t kMostParts = 16;

/// One operation of a generated history.
struct Row {
  ProcessId process = 0;
  ObjectIndex object = 0;
  std::uint16_t method = 0;  ///< row of the specification's method table
  std::uint8_t count = 0;    ///< arguments
  std::array<Value, 3> arguments{};
  Value result;
  Tick call = 0;
  Tick response = kPending;
};

struct Plan {
  TypeName type;
  std::uint64_t operations = 1000;
  std::uint32_t processes = 8;
  std::optional<double> in_flight;                  ///< mean; unset: two thirds of the processes
  std::vector<std::pair<std::string, double>> mix;  ///< method and weight; empty: the type's usual mix
  bool all_methods = false;                         ///< every method, with the weight 1 unless `mix` says another
  std::optional<double> peeks;                      ///< share of the operations that only look
  std::optional<std::uint64_t> values;              ///< how many; 0: no value twice; unset: as usual for the type
  std::uint64_t keys = 8;                           ///< of maps and arrays
  std::optional<std::uint64_t> priorities;          ///< how many, or how many in a component; unset: as usual
  std::optional<std::uint64_t> parts;               ///< of each transaction; unset: a few, drawn anew for each
  bool empties = false;                             ///< removals may find nothing
  double pending = 0;                               ///< below 1: share of the operations; else their number
  double unknown = 0;                               ///< share of results that are lost
  double ties = 0;                                  ///< share of events with the tick of the event before
  std::uint32_t objects = 1;
  std::uint64_t seed = 1;
};

}  // namespace linchpin::generate

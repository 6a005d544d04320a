// What the runtime itself finds wrong with a schedule; histories are decided elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linchpin/explore/finding.hpp"

namespace linchpin::explorer {

struct Finding {
  static constexpr unsigned kText = 256;
  ExploreFinding kind = ExploreFinding::none;
  int thread = -1;              ///< -1: none of the scenario's
  const void* place = nullptr;  ///< in the code under test: a return address
  bool writes = false;          ///< of a race: what happens at `place` is a write
  bool frees = false;           ///< or frees the memory
  int other_thread = -1;        ///< of a race, or who freed the block
  const void* other_place = nullptr;
  bool other_writes = false;
  bool blocks = false;  ///< seen by a clock, not by a step: to repeat it would take as long
  std::uintptr_t address = 0;
  const void* allocated = nullptr;  ///< where the block was allocated
  const void* freed = nullptr;
  char text[kText] = {};
};

}  // namespace linchpin::explorer

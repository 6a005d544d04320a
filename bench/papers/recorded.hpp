// Histories recorded from real containers, by producers and consumers as the papers' authors did it.
//
// Half of a history's operations are by producers, which add values that were never there before; the others take them
// out, as far as there are any. With peeks, two fifths of what consumers do is looking. All threads start together. Now
// and then a thread gives way inside an operation, before or after the call: with more threads than processors, and
// operations that are much shorter than what the scheduler gives a thread, hardly any would overlap otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::papers {

struct Workload {
  std::size_t operations = 1000;
  unsigned producers = 10, consumers = 10;
  bool peeks = false;
  double pauses = 0.1;  ///< share of calls before which, and after which, a thread gives way
  std::uint64_t seed = 1;
};

struct RecordedContainer {
  std::string_view type;     ///< "queue"
  std::string_view name;     ///< "std::deque under a mutex"
  bool linearizable = true;  ///< else it is relaxed: several containers of which a call takes one at random, and so on
  bool peeks = false;        ///< whether it can be looked into
  Result<History> (*record)(const Workload& workload);
};

/// Of each type the usual one first; those whose packages are missing are not there.
[[nodiscard]] std::vector<RecordedContainer> recorded_containers(std::string_view type);

/// A k-FIFO queue or a k-stack.
struct SegmentedContainer {
  std::size_t slots;  ///< k
  Result<History> (*record)(const Workload& workload);
};
/// For the type "queue" or "stack", by ascending k.
[[nodiscard]] std::vector<SegmentedContainer> segmented_containers(std::string_view type);

}  // namespace linchpin::papers

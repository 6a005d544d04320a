// How many operations have to be delayed to show that a history is linearizable.
//
//   auto depth = linchpin::measure_depth(history, {});
//   if (depth && depth->objects[0].depth) std::cout << *depth->objects[0].depth;
//
// A schedule is an order of all operations that respects happens-before. It strongly hits the operations x_0 ...
// x_{d-1} when each stands as late as the later ones let it. A strong d-hitting family has a schedule for every d
// operations. The *witness depth* of an object is the smallest d such that such a family (see Family) holds a witness
// of linearizability. Its *linearizability depth* is the smallest d for which some d operations have only witnesses
// among all schedules that strongly hit them; it is never smaller. Source: B. Kulahcioglu Ozkan, R. Majumdar, F.
// Niksic: Checking linearizability using hitting families. PPoPP 2019.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linchpin/check.hpp"

namespace linchpin {

/// How the schedules of a strong d-hitting family are made.
enum class ScheduleFamily : std::uint8_t {
  enumerated,  ///< each schedule once, wrong results cutting off whole subtrees
  published,   ///< Algorithm 1 of the paper: n^(d-1) schedules a process, each from its beginning
};

struct DepthOptions {
  Limits limits;
  Ties ties = Ties::concurrent;
  std::optional<TypeName> type;  ///< instead of what the history says
  /// Instead of `type`: a specification of the caller's own, for every object.
  std::shared_ptr<const Specification> specification;
  ScheduleFamily family = ScheduleFamily::enumerated;
  std::uint32_t most = 0;                  ///< the largest d to try; 0: up to the number of operations
  bool by_segment = false;                 ///< between quiet points, each segment with a family of its own
  bool linearizability = false;            ///< also the linearizability depth: all schedules are looked at
  bool count = true;                       ///< count the distinct schedules of the families; not with by_segment
  std::uint32_t count_to = 0;              ///< ... up to this d; 0: as far as a witness was looked for
  std::uint64_t most_counted = 1'000'000;  ///< larger families are not counted
  bool count_all = false;                  ///< count all schedules, and the witnesses among them
};

/// The schedules for one d.
struct DepthLevel {
  std::optional<std::uint64_t> schedules;  ///< distinct ones in the family; unset: not counted, or more than allowed
  std::uint64_t tried = 0;                 ///< branches followed to a wrong result or to the end
};

/// One stretch between quiet points.
struct DepthSegment {
  OperationIndex first = 0;  ///< its first operation
  std::size_t operations = 0;
  std::uint32_t depth = 0;  ///< of the schedule that the witness has here
};

struct ObjectDepth {
  ObjectIndex object = 0;
  std::string name;  ///< the object's
  std::string type;  ///< with its options
  std::size_t operations = 0;
  std::size_t pending = 0;
  std::uint32_t chains = 0;       ///< of the partition: processes, as a rule
  std::uint32_t concurrency = 0;  ///< the most operations that are mutually concurrent
  std::uint64_t concurrent_pairs = 0;
  Verdict verdict = Verdict::unknown;  ///< by schedules, else as `check` decides
  Reason reason = Reason::none;        ///< why the verdict is unknown, or the search for a witness ended early
  std::optional<std::uint32_t> depth;  ///< the witness depth; unset: see `searched`
  std::uint32_t searched = 0;          ///< the families up to this d were searched to the witness, or in vain
  std::vector<DepthLevel> levels;      ///< by d - 1
  std::optional<Witness> witness;
  std::vector<DepthSegment> segments;  ///< with by_segment, where there is a witness
  std::optional<std::uint32_t> linearizability_depth;
  std::vector<OperationIndex> tuple;  ///< operations whose strong hitting makes every schedule a witness
  /// With count_all: how many schedules there are, in a family or not, and how many of them are witnesses. Unset: 2^64
  /// or more, or a limit was reached.
  std::optional<std::uint64_t> schedules, witnesses;
};

struct HistoryDepth {
  Verdict verdict = Verdict::unknown;
  double seconds = 0;  ///< wall clock, without reading
  std::vector<ObjectDepth> objects;
};

/// Measures each object of a history. First the deciders of `check` say whether there is a witness at all: where there
/// is none, families are not searched. Errors as of `check`.
[[nodiscard]] Result<HistoryDepth> measure_depth(const History& history, const DepthOptions& options = {});

}  // namespace linchpin

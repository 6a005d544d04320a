// What members' logs tell of requests whose fate nobody was told. Tested in persisted_test.cpp.
//
// The log of a cluster is the order in which its members executed requests, so replaying it gives each request's
// revision. Answers that clients were told are found in it by request and revision. An entry that changed something and
// is nobody's answer is that of a request of unknown fate, and a request without an entry changed nothing. Where logs
// and answers contradict each other, nothing is inferred at all: the history is judged by what clients saw.
#pragma once

#include <string>
#include <vector>

#include "formats/etcd_robustness/log/cluster.hpp"
#include "formats/etcd_robustness/row.hpp"

namespace linchpin::formats::etcd_robustness {

/// A sentence about a row, or about all logs.
struct Inference {
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  std::size_t row = kAll;
  std::string text;
};

struct Inferred {
  std::vector<Inference> sentences;
  bool leases = false;  ///< the logs tell of every lease whether and when it ended
};

/// Fills in what is known now: rows that were executed have their revision and the latest time at which they ended;
/// those that changed nothing are marked as nothing. Leases that expired have rows of their own, behind the others.
/// Sound: if the history is linearizable with what truly happened to each request and lease, it is so with what is
/// filled in. O(n log n).
///
/// @param watched  the greatest revision that a watch told, or 0
/// @param last     the last time in the report
[[nodiscard]] Inferred infer_from_log(const log::ClusterLog& log, std::vector<Row>& rows, ValuePool& pool,
                                      std::int64_t watched, Tick last);

}  // namespace linchpin::formats::etcd_robustness

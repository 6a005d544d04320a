// What a Jepsen history says about faults and other events that are no operations.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/jepsen/event.hpp"

namespace linchpin::formats::jepsen {

/// A fault and its end pair up: start and stop, or start-x and stop-x, of one process. Jepsen logs each twice, when
/// it begins to act and when it has acted: the fault lasts from the first start to the last stop.
class FaultLog {
 public:
  void add(const Event& event, Tick tick);
  [[nodiscard]] std::vector<Annotation>& annotations() { return annotations_; }

 private:
  std::vector<Annotation> annotations_;
  std::map<std::pair<std::string, std::string>, std::size_t> faults_;  // (process, kind) to its last annotation
};

}  // namespace linchpin::formats::jepsen

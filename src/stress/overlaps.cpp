#include "stress/overlaps.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace linchpin::stress_plan {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  hash = (hash ^ next) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29U);
}

}  // namespace

void Overlaps::add(const History& history) {
  struct Event {
    Tick tick;
    bool returns;  // equal ticks are concurrent, so calls come first
    OperationIndex operation;
  };
  struct Open {
    OperationIndex operation;
    std::uint64_t kind;
    bool overlaps;
  };
  std::vector<Event> events;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.pending(i)) continue;
    events.push_back({history.call(i), false, i});
    events.push_back({history.response(i), true, i});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.tick, a.returns, a.operation) < std::tie(b.tick, b.returns, b.operation);
  });
  std::vector<Open> open;
  for (const Event& event : events) {
    const std::uint64_t what = history.method(event.operation) * 2U + (event.returns ? 1 : 0);
    if (event.returns) {
      const auto own =
          std::find_if(open.begin(), open.end(), [&](const Open& each) { return each.operation == event.operation; });
      if (own->overlaps) add(own->kind);
      open.erase(own);
    }
    std::uint64_t others = 0;  // in whatever order
    for (Open& each : open) {
      each.kind = mixed(each.kind, what + 1);
      each.overlaps = true;
      others += mixed(1, history.method(each.operation) + 1U);
    }
    if (!event.returns) {
      open.push_back({event.operation, mixed(mixed(2, what), others), !open.empty()});
    }
  }
}

void Overlaps::add(std::uint64_t kind) {
  ++operations_;
  const auto found = seen_.find(kind);
  if (found != seen_.end()) {
    once_ -= found->second ? 0 : 1;
    found->second = true;
  } else if (seen_.size() < kMostKinds) {
    seen_.emplace(kind, false);
    ++once_;
  }
}

}  // namespace linchpin::stress_plan

#include "types/deque/without_capacity.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/specification.hpp"
#include "types/deque/monitor.hpp"
#include "types/deque/specification.hpp"
#include "types/deque/two_ends.hpp"

namespace linchpin::types::deque {

namespace {

struct WithoutCapacity {
  std::vector<std::uint32_t> found_room;  // or pushed nothing: by local index here, that in the part
  std::shared_ptr<const Specification> specification;
  history::Subhistory part;
  core::Reading reading;  // of the monitor
};

}  // namespace

core::Applicability without_capacity_applicable(const history::Subhistory& part) {
  if (part.specification->get_if<BoundedDeque>() == nullptr)
    return core::not_of_this_type("not a deque with a capacity");
  if (always_has_room(part).applies) return {.applies = false, .why = "there is always room"};
  auto read = std::make_shared<WithoutCapacity>();
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (BoundedDeque::refused(part.view(x))) continue;
    if (kContainerMethods.adds(part.method[x]) && !part.pending(x) && part.result(x).is_unknown()) {
      return {.applies = false, .why = part.history->describe(part.operation[x]) + " may have found no room"};
    }
    read->found_room.push_back(x);
  }
  read->specification = specify("deque", Deque{});
  read->part = history::restrict(part, read->found_room);
  read->part.specification = read->specification.get();
  core::Applicability found = monitor_applicable(read->part);
  if (!found.applies) return found;
  read->reading = std::move(found.reading);
  return {.applies = true, .why = "also without a capacity", .reading = std::move(read)};
}

core::Outcome refute_without_capacity(const history::Subhistory& part, const core::DeciderOptions& options,
                                      core::Budget& budget) {
  const auto read = core::reading_of<WithoutCapacity>(part, options, without_capacity_applicable);
  if (read == nullptr) return core::not_applicable();
  core::DeciderOptions own = options;
  own.witness = false;
  own.reading = std::move(read->reading);
  core::Outcome outcome = monitor_decide(read->part, own, budget);
  if (outcome.verdict == Verdict::linearizable) return core::not_applicable();
  for (std::uint32_t& local : outcome.core) local = read->found_room[local];
  if (outcome.blocked) outcome.blocked = read->found_room[*outcome.blocked];
  return outcome;
}

}  // namespace linchpin::types::deque

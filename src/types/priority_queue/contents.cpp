// Reads priority queues for the search over contents: one cell for each value, with the rank of its priority. Which
// value a poll took that returned without its result depends on the order, and so does which of several equals is the
// oldest, and, with a capacity, whether an insert with a lost result found room; such histories are not read.
#include "types/priority_queue/contents.hpp"

#include <algorithm>
#include <optional>

#include "types/answers.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types::priority_queue {

namespace {

ContentAct insertion(const PriorityQueue& type, const Operation& operation, bool pending, ContentCells& cells,
                     std::string& obstacle) {
  if (type.refused(operation)) return {.need = ContentNeed::total, .number = *type.capacity};
  if (!operation.acknowledged(0)) return {.need = ContentNeed::never};
  if (!type.capacity) return {.cell = cells.of(operation.argument(0)), .change = 1};
  if (operation.result_unknown() && !pending) obstacle = "an insert lost its result";
  return {.need = ContentNeed::room, .cell = cells.of(operation.argument(0)), .change = 1, .number = *type.capacity};
}

ContentAct content_act_of(const PriorityQueue& type, const Operation& operation, bool pending, ContentCells& cells,
                          std::string& obstacle) {
  switch (operation.method) {
    case PriorityQueue::kInsert: return insertion(type, operation, pending, cells, obstacle);
    case PriorityQueue::kPoll:
      if (operation.result_unknown()) return lost_removal(pending, "a poll lost its result", obstacle);
      if (operation.result.is_nil()) return {.need = ContentNeed::total};
      return {.need = ContentNeed::best, .cell = cells.of(operation.result), .change = -1};
    case PriorityQueue::kPeek:
      if (operation.result_unknown()) return {};
      if (operation.result.is_nil()) return {.need = ContentNeed::total};
      return {.need = ContentNeed::best, .cell = cells.of(operation.result)};
    case PriorityQueue::kSize: return shows_number(operation);
    default: return shows_empty(operation);
  }
}

/// The rank of each cell's priority; false: a value was inserted with two.
bool rank_cells(const history::Subhistory& part, const PriorityQueue& type, ContentHistory& history) {
  std::vector<std::optional<Value>> priority(history.cells);  // nothing: never inserted
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    if (operation.method != PriorityQueue::kInsert || history.acts[x].change == 0) continue;  // it does nothing
    const Value own = operation.arguments.back();
    std::optional<Value>& known = priority[history.acts[x].cell];
    if (known && *known != own) return false;
    known = own;
  }
  std::vector<Value> order;
  for (const std::optional<Value>& each : priority) {
    if (each) order.push_back(*each);
  }
  const ValuePool& pool = part.history->pool();
  std::sort(order.begin(), order.end(), [&](Value a, Value b) { return type.order.extended(a, b, pool) < 0; });
  order.erase(std::unique(order.begin(), order.end()), order.end());
  absl::flat_hash_map<std::uint64_t, std::uint32_t> rank_of;
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) rank_of.emplace(order[rank].bits(), rank);
  for (const std::optional<Value>& each : priority) {
    // What was never inserted is never inside.
    history.rank.push_back(each ? rank_of[each->bits()] : static_cast<std::uint32_t>(order.size()));
  }
  return true;
}

}  // namespace

ContentHistory read_contents(const history::Subhistory& part) {
  const PriorityQueue* const type = part.specification->get_if<PriorityQueue>();
  if (type == nullptr) return {.obstacle = "not a priority queue", .other_type = true};
  if (type->fifo_ties) return {.obstacle = "of equals the oldest goes first"};
  if (!type->order.total()) return {.obstacle = "not all priorities are comparable"};
  ContentHistory history =
      read_acts(part, [&](const Operation& operation, bool pending, ContentCells& cells, std::string& obstacle) {
        return content_act_of(*type, operation, pending, cells, obstacle);
      });
  if (history.obstacle.empty() && !rank_cells(part, *type, history)) {
    history.obstacle = "a value was inserted with two priorities";
  }
  return history;
}

}  // namespace linchpin::types::priority_queue

// Reads bags for the search over contents: one cell for each value. A take that returned without its result, and
// `clear`, depend on the order, so such histories are not read.
#include "types/bag/contents.hpp"

#include "types/answers.hpp"
#include "types/bag/specification.hpp"

namespace linchpin::types::bag {

namespace {

ContentAct content_act_of(const Operation& operation, bool pending, ContentCells& cells, std::string& obstacle) {
  const auto removal = [&](Value value) {
    return ContentAct{.need = ContentNeed::present, .cell = cells.of(value), .change = -1};
  };
  switch (operation.method) {
    case Bag::kAdd:
      if (!operation.acknowledged(0)) return {.need = ContentNeed::never};
      return {.cell = cells.of(operation.argument(0)), .change = 1};
    case Bag::kRemove:
      if (says_true(operation) || (pending && operation.result_unknown())) return removal(operation.argument(0));
      if (says_false(operation)) return {.need = ContentNeed::absent, .cell = cells.of(operation.argument(0))};
      if (operation.acknowledged(0)) obstacle = "a remove does not tell whether it found its value";
      return {.need = ContentNeed::never};
    case Bag::kTake:
      if (operation.result_unknown()) return lost_removal(pending, "a take lost its result", obstacle);
      return operation.result.is_nil() ? ContentAct{.need = ContentNeed::total} : removal(operation.result);
    case Bag::kContains: return shows_presence(operation, cells.of(operation.argument(0)));
    case Bag::kSize: return shows_number(operation);
    case Bag::kIsEmpty: return shows_empty(operation);
    default: obstacle = "the bag is cleared"; return {};
  }
}

}  // namespace

ContentHistory read_contents(const history::Subhistory& part) {
  if (part.specification->get_if<Bag>() == nullptr) return {.obstacle = "not a bag", .other_type = true};
  if (has_several_keys(part)) return {.obstacle = "each operation is on one value"};
  return read_acts(part, content_act_of);
}

}  // namespace linchpin::types::bag

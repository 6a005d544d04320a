// Reads sets for the search over contents: one cell for each element. An operation that does not tell whether it found
// its element, a list of the elements, and `clear` depend on the order, so such histories are not read.
#include "types/set/contents.hpp"

#include "types/answers.hpp"
#include "types/set/specification.hpp"

namespace linchpin::types::set {

namespace {

ContentAct content_act_of(const Operation& operation, bool pending, ContentCells& cells, std::string& obstacle) {
  switch (operation.method) {
    case Set::kAdd:
    case Set::kRemove: {
      const bool add = operation.method == Set::kAdd;
      const std::uint32_t cell = cells.of(operation.argument(0));
      if (says_true(operation) || (pending && operation.result_unknown())) {
        return {.need = add ? ContentNeed::absent : ContentNeed::present, .cell = cell, .change = add ? 1 : -1};
      }
      if (says_false(operation)) return {.need = add ? ContentNeed::present : ContentNeed::absent, .cell = cell};
      if (operation.acknowledged(0)) obstacle = "an operation does not tell whether it found its element";
      return {.need = ContentNeed::never};
    }
    case Set::kContains: return shows_presence(operation, cells.of(operation.argument(0)));
    case Set::kRead:
      if (!operation.result_unknown()) obstacle = "all elements are read";
      return {};
    case Set::kSize: return shows_number(operation);
    case Set::kIsEmpty: return shows_empty(operation);
    default: obstacle = "the set is cleared"; return {};
  }
}

}  // namespace

ContentHistory read_contents(const history::Subhistory& part) {
  if (part.specification->get_if<Set>() == nullptr) return {.obstacle = "not a set", .other_type = true};
  if (has_several_keys(part)) return {.obstacle = "each operation is on one element"};
  return read_acts(part, content_act_of);
}

}  // namespace linchpin::types::set

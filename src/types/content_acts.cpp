// Says of operations of several types what they need of a content and what they do to it.
#include <optional>

#include "types/answers.hpp"
#include "types/content_search.hpp"

namespace linchpin::types {

ContentAct shows_number(const Operation& operation) {
  if (operation.result_unknown()) return {};
  if (!is_integer(operation.result)) return {.need = ContentNeed::never};
  return {.need = ContentNeed::total, .number = operation.pool->integer_of(operation.result)};
}

ContentAct shows_empty(const Operation& operation) {
  if (operation.result_unknown()) return {};
  if (says_true(operation)) return {.need = ContentNeed::total, .number = 0};
  return {.need = says_false(operation) ? ContentNeed::some : ContentNeed::never};
}

ContentAct shows_presence(const Operation& operation, std::uint32_t cell) {
  if (operation.result_unknown()) return {};
  if (!operation.result.is_boolean()) return {.need = ContentNeed::never};
  return {.need = says_true(operation) ? ContentNeed::present : ContentNeed::absent, .cell = cell};
}

ContentAct lost_removal(bool pending, std::string_view why_not, std::string& obstacle) {
  if (!pending) obstacle = why_not;
  return {.need = ContentNeed::lost};
}

bool has_several_keys(const history::Subhistory& part) {
  std::optional<Value> first;
  bool several = false;
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const std::optional<Value> key = part.specification->key(part.view(x));
    if (!key) return false;
    several = several || (first && *first != *key);
    first = key;
  }
  return several;
}

}  // namespace linchpin::types

// See transactions.hpp.
#include "generate/transactions.hpp"

#include <algorithm>

namespace linchpin::generate {

bool is_transaction(const Row& row) { return row.count == 1 && row.arguments[0].is_list() && row.result.is_list(); }

std::vector<Read> reads_of(const Row& row, const ValuePool& pool) {
  std::vector<Read> reads;
  if (!is_transaction(row)) return reads;
  std::vector<Value> touched;
  const auto parts = pool.elements_of(row.result);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto fields = pool.elements_of(parts[i]);
    const bool before = std::find(touched.begin(), touched.end(), fields[1]) != touched.end();
    if (pool.text_of(fields[0]) == "r") reads.push_back({i, fields[1], fields[2], before});
    touched.push_back(fields[1]);
  }
  return reads;
}

void see(Row& row, std::size_t part, Value value, ValuePool& pool) {
  const auto held = pool.elements_of(row.result);
  std::vector<Value> parts(held.begin(), held.end());
  const auto fields = pool.elements_of(parts[part]);
  std::vector<Value> seen(fields.begin(), fields.end());  // with a version, where there is one
  seen[2] = value;
  parts[part] = pool.list(seen);
  row.result = pool.list(parts);
}

}  // namespace linchpin::generate

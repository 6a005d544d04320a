#include "algo/interned_rows.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace linchpin::algo {
namespace {

using Row = std::vector<int>;

/// Few, so that different rows have one.
std::uint64_t hash_of(const Row& row) { return row.size() % 3; }

TEST(InternedRows, HaveOneNumberForEqualRowsAndKeepWhatIsReferredTo) {
  std::mt19937_64 random(1);
  InternedRows<int> rows;
  std::map<Row, std::uint32_t> known;
  for (int round = 0; round < 2000; ++round) {
    Row row(random() % 5);
    for (int& each : row) each = static_cast<int>(random() % 4);
    const std::uint32_t id = rows.id_of(row, hash_of(row));
    const auto [at, fresh] = known.try_emplace(row, id);
    EXPECT_EQ(at->second, id);
    if (fresh) {
      EXPECT_EQ(id + 1, known.size());
    }
  }
  for (const auto& [row, id] : known) {
    EXPECT_TRUE(std::ranges::equal(rows.row(id), row));
    EXPECT_EQ(rows.hash(id), hash_of(row));
  }
  std::erase_if(known, [](const auto& each) { return each.second % 2 == 0; });
  std::vector<std::uint32_t*> referring;
  for (auto& [row, id] : known) referring.push_back(&id);
  const std::size_t before = rows.bytes();
  rows.retain(referring);
  EXPECT_LT(rows.bytes(), before);
  for (const auto& [row, id] : known) {
    EXPECT_LT(id, known.size());
    EXPECT_TRUE(std::ranges::equal(rows.row(id), row));
  }
}

}  // namespace
}  // namespace linchpin::algo

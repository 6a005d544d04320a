// Indices of different kinds, and bare integers, do not mix: most of it is said to the compiler.
#include "linchpin/index.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "linchpin/history.hpp"

using linchpin::ObjectIndex;
using linchpin::OperationIndex;

namespace {

template <class A, class B>
concept Equatable = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept Ordered = requires(A a, B b) {
  a < b;
};

static_assert(!std::is_convertible_v<std::uint32_t, OperationIndex> &&
              !std::is_convertible_v<std::size_t, OperationIndex>);
static_assert(!std::is_convertible_v<OperationIndex, std::uint32_t> &&
              !std::is_convertible_v<OperationIndex, std::size_t>);
static_assert(!std::is_constructible_v<OperationIndex, ObjectIndex> &&
              !std::is_constructible_v<ObjectIndex, OperationIndex>);
static_assert(std::is_constructible_v<OperationIndex, std::uint32_t> &&
              std::is_constructible_v<OperationIndex, std::size_t>);
static_assert(std::equality_comparable<OperationIndex> && std::totally_ordered<OperationIndex>);
static_assert(!Equatable<OperationIndex, ObjectIndex> && !Ordered<OperationIndex, ObjectIndex>);
static_assert(!Equatable<OperationIndex, std::uint32_t>);
static_assert(Ordered<OperationIndex, std::size_t>, "so that a loop can end at a history's size");
static_assert(sizeof(OperationIndex) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<OperationIndex>);

}  // namespace

TEST(Index, IsItsNumber) {
  OperationIndex i = 3;
  EXPECT_EQ(i.number(), 3U);
  ++i;
  EXPECT_EQ(i, OperationIndex(std::size_t{4}));
  EXPECT_TRUE(i < std::size_t{5});
  EXPECT_FALSE(i < std::size_t{4});
}

TEST(Index, NoneIsBehindEveryOther) {
  EXPECT_LT(OperationIndex(0xfffffffeU), OperationIndex::none());
  EXPECT_EQ(OperationIndex::none(), OperationIndex::none());
  EXPECT_FALSE(OperationIndex::none() < std::size_t{0xffffffffU});
}

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Java, HeapsPrintTheirArray) {
  EXPECT_TRUE(legal("PriorityBlockingQueue", {"offer 2 -> true", "offer 1 -> true", "offer 0 -> true",
                                              "toString -> \"[0, 2, 1]\"", "poll -> 0", "toArray -> \"[1, 2]\""}));
  EXPECT_FALSE(legal("PriorityBlockingQueue", {"addAll [2 1 0] -> true", "toString -> \"[0, 1, 2]\""}));
}

TEST(Java, HeapsAreRebuiltAfterBulkRemoval) {
  // One removal moves the last element into the hole; removing many closes the gaps and sifts all anew.
  EXPECT_THAT(outcomes("PriorityBlockingQueue", {"addAll [0 1 4 5 6] -> true", "remove 0 -> true"}),
              ElementsAre("[1, 5, 4, 6]"));
  EXPECT_THAT(outcomes("PriorityBlockingQueue", {"addAll [0 1 4 5 6] -> true", "removeAll [0] -> true"}),
              ElementsAre("[1, 4, 5, 6]"));
  EXPECT_THAT(outcomes("PriorityBlockingQueue", {"addAll [0 5 1 6 7 2 3] -> true", "removeAll [0 1] -> true"}),
              ElementsAre("[2, 3, 7, 6, 5]"));
}

TEST(Java, ExceptionsAreResults) {
  EXPECT_TRUE(
      legal("ConcurrentLinkedDeque", {"getFirst -> java.util.NoSuchElementException", "addFirst 1", "getFirst -> 1"}));
  EXPECT_FALSE(legal("ConcurrentLinkedDeque", {"removeLast -> nil"}));
}

TEST(Java, BoundedQueuesRefuse) {
  EXPECT_TRUE(legal("java.util.concurrent.ArrayBlockingQueue capacity=1",
                    {"offer 1 -> true", "offer 2 -> false", "remainingCapacity -> 0",
                     "add 2 -> java.lang.IllegalStateException", "addAll [3] -> java.lang.IllegalStateException"}));
}

TEST(Java, WhatWaitsAtAnEndOfADequeNeverRefuses) {
  EXPECT_TRUE(legal("LinkedBlockingDeque", {"putFirst 1", "putLast 2", "takeLast -> 2", "takeFirst -> 1"}));
  EXPECT_FALSE(legal("LinkedBlockingDeque", {"takeFirst -> nil"}));
  for (const char* const put : {"putFirst 2 -> java.lang.IllegalStateException", "putLast 2"}) {
    EXPECT_FALSE(legal("LinkedBlockingDeque capacity=1", {"put 1", put})) << put;
  }
}

TEST(Java, ATransferQueueAlwaysHasRoom) {
  EXPECT_TRUE(legal("LinkedTransferQueue", {"put 1", "remainingCapacity -> 2147483647"}));
  EXPECT_FALSE(legal("LinkedTransferQueue", {"put 1", "remainingCapacity -> 2147483646"}));
  EXPECT_TRUE(legal("LinkedBlockingQueue", {"put 1", "remainingCapacity -> 2147483646"}));
}

TEST(Java, HashMapsPrintLargeKeysInAnyOrder) {
  EXPECT_TRUE(legal("ConcurrentHashMap", {"put 17 1 -> nil", "put 2 5 -> nil", "keySet -> \"[17, 2]\"",
                                          "keySet -> \"[2, 17]\"", "toString -> \"{17=1, 2=5}\""}));
  EXPECT_FALSE(legal("ConcurrentHashMap", {"put 17 1 -> nil", "put 2 5 -> nil", "keySet -> \"[17, 3]\""}));
  EXPECT_FALSE(legal("ConcurrentHashMap", {"put 7 1 -> nil", "put 2 5 -> nil", "keySet -> \"[7, 2]\""}));
}

TEST(Java, HashMapsPrintEntriesWhole) {
  const auto prints = [](const char* text) {
    return legal("ConcurrentHashMap", {"put \"a\" \"x, y\" -> nil", "put \"b\" \"z\" -> nil", "put \"c\" \"x\" -> nil",
                                       fmt::format("values -> \"{}\"", text)});
  };
  for (const char* const text : {"[x, y, z, x]", "[x, x, y, z]", "[z, x, x, y]", "[x, z, x, y]"}) {
    EXPECT_TRUE(prints(text)) << text;
  }
  for (const char* const text : {"[y, x, z, x]", "[x, z, y, x]", "[x, y, z]", "[x, y, z, y]"}) {
    EXPECT_FALSE(prints(text)) << text;
  }
  EXPECT_FALSE(
      legal("ConcurrentHashMap", {"put 17 \"1, 2\" -> nil", "put -1 1 -> nil", "toString -> \"{17=1, -1=1, 2}\""}));
  EXPECT_TRUE(
      legal("ConcurrentHashMap", {"put 17 \"1, 2\" -> nil", "put -1 1 -> nil", "toString -> \"{17=1, 2, -1=1}\""}));
}

// A core that starts in a later state is told that state as it is written here.
TEST(Java, StatesTellTextsFromNumbers) {
  EXPECT_THAT(outcomes("ConcurrentLinkedQueue", {"add \"1\" -> true", "add 1 -> true", "add \"\" -> true"}),
              ElementsAre("[\"1\", 1, \"\"]"));
  EXPECT_THAT(outcomes("ConcurrentSkipListSet", {"add \"true\" -> true"}), ElementsAre("[\"true\"]"));
  EXPECT_THAT(outcomes("PriorityBlockingQueue", {"add \"true\" -> true"}), ElementsAre("[\"true\"]"));
  EXPECT_THAT(outcomes("ConcurrentHashMap", {"put \"1\" \"2\" -> nil", "put 1 2 -> nil"}),
              ElementsAre(testing::AnyOf("{\"1\"=\"2\", 1=2}", "{1=2, \"1\"=\"2\"}")));
}

TEST(Java, AFullQueueKeepsWhatAddAllAdded) {
  EXPECT_THAT(outcomes("LinkedBlockingQueue capacity=2", {"addAll [1 2 3] -> java.lang.IllegalStateException"}),
              ElementsAre("[1, 2]"));
}

TEST(Java, RemoveIsTwoMethods) {
  EXPECT_TRUE(legal("LinkedTransferQueue",
                    {"addAll [1 2 1] -> true", "remove 1 -> true", "toString -> \"[2, 1]\"", "remove -> 2"}));
}

TEST(Java, DequesRemoveTheLastOccurrence) {
  EXPECT_THAT(outcomes("LinkedBlockingDeque", {"addAll [1 2 1] -> true", "removeLastOccurrence 1 -> true"}),
              ElementsAre("[1, 2]"));
}

TEST(Java, SortedSetsHaveNeighbours) {
  EXPECT_TRUE(legal("ConcurrentSkipListSet",
                    {"addAll [2 0] -> true", "lower 2 -> 0", "floor 1 -> 0", "ceiling 1 -> 2", "higher 2 -> nil",
                     "lower 0 -> nil", "headSet 2 -> \"[0]\"", "tailSet 1 -> \"[2]\""}));
}

TEST(Java, SortedMapsPrintEntries) {
  EXPECT_TRUE(legal("ConcurrentSkipListMap", {"putAll [[1 5] [0 7]]", "toString -> \"{0=7, 1=5}\"",
                                              "headMap 1 -> \"{0=7}\"", "entrySet -> \"[0=7, 1=5]\"",
                                              "values -> \"[7, 5]\"", "pollLastEntry -> \"1=5\"", "lastKey -> 0"}));
}

TEST(Java, HashMapContainsIsContainsValue) {
  EXPECT_TRUE(legal("ConcurrentHashMap", {"put 1 5 -> nil", "contains 5 -> true", "contains 1 -> false", "put 1 6 -> 5",
                                          "replace 1 6 7 -> true", "remove 1 -> 7", "mappingCount -> 0"}));
}

}  // namespace
}  // namespace linchpin::types

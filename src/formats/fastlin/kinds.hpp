// The types and methods of fastlin's format.
#pragma once

#include <array>

#include "formats/row_kinds.hpp"

namespace linchpin::formats::fastlin {

inline constexpr std::array kQueueMethods{RowMethod{"enq", "enq", Role::add}, RowMethod{"deq", "deq", Role::take},
                                          RowMethod{"peek", "peek", Role::take}};
inline constexpr std::array kStackMethods{RowMethod{"push", "push", Role::add}, RowMethod{"pop", "pop", Role::take},
                                          RowMethod{"peek", "peek", Role::take}};
inline constexpr std::array kPriorityQueueMethods{RowMethod{"insert", "insert", Role::add},
                                                  RowMethod{"poll", "poll", Role::take},
                                                  RowMethod{"peek", "peek", Role::take}};
/// Also PolyLin's rows, whose five fields "method value ret start end" tell them apart.
inline constexpr std::array kSetMethods{
    RowMethod{"insert", "insert", Role::succeed}, RowMethod{"remove", "remove", Role::succeed},
    RowMethod{"contains_true", "contains", Role::find}, RowMethod{"contains_false", "contains", Role::miss},
    RowMethod{"contains", "contains", Role::test}};

/// The largest value has the highest priority in this format.
inline constexpr std::array kKinds{
    RowKind{"queue", "fifo fifo-queue atomic-queue", "queue", kQueueMethods},
    RowKind{"stack", "lifo atomic-stack", "stack", kStackMethods},
    RowKind{"priorityqueue", "pqueue pq heap", "priority-queue order=largest", kPriorityQueueMethods},
    RowKind{"set", "", "set", kSetMethods}};

}  // namespace linchpin::formats::fastlin

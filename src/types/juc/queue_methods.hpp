// The methods of java.util.Queue and BlockingQueue that all queues of java.util.concurrent share.
#pragma once

#include <array>

#include "linchpin/specification.hpp"

namespace linchpin::types::juc {

struct QueueMethods {
  enum : std::uint16_t {
    kAdd,
    kOffer,
    kPut,
    kPoll,
    kTake,
    kRemove,
    kPeek,
    kElement,
    kContains,
    kSize,
    kIsEmpty,
    kRemainingCapacity,
    kToArray,
    kToString,
    kClear,
    kAddAll,
    kRemoveAll,
    kRetainAll,
    kContainsAll,
    kQueueMethodCount
  };
  static constexpr std::array<Method, kQueueMethodCount> queue_methods{Method{"add", 1},
                                                                       Method{"offer", 1},
                                                                       Method{"put", 1},
                                                                       Method{"poll", 0},
                                                                       Method{"take", 0},
                                                                       Method{"remove", std::pair{0, 1}},
                                                                       Method{"peek", 0},
                                                                       Method{"element", 0},
                                                                       Method{"contains", 1},
                                                                       Method{"size", 0},
                                                                       Method{"isEmpty", 0},
                                                                       Method{"remainingCapacity", 0},
                                                                       Method{"toArray", 0, "iterator"},
                                                                       Method{"toString", 0},
                                                                       Method{"clear", 0},
                                                                       Method{"addAll", 1},
                                                                       Method{"removeAll", 1},
                                                                       Method{"retainAll", 1},
                                                                       Method{"containsAll", 1}};
};

}  // namespace linchpin::types::juc

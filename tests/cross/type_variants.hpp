// The types that cross tests go through: the registry's names, and some with options.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "linchpin/check.hpp"

namespace linchpin::cross {

inline std::vector<std::string> type_variants() {
  std::vector<std::string> variants;
  for (const core::DataType& type : core::data_types()) variants.emplace_back(type.name);
  for (const char* const variant : {"register initial=0",
                                    "register initial=undefined",
                                    "cas-register initial=undefined",
                                    "cas-register failed-cas=drop",
                                    "queue capacity=1",
                                    "stack heights=yes",
                                    "stack heights=before",
                                    "deque work-stealing=yes",
                                    "deque capacity=1",
                                    "deque capacity=3",
                                    "multi-register initial=0",
                                    "multi-register versions=told",
                                    "array initial=0",
                                    "map results=previous",
                                    "map absent=empty-string",
                                    "mutex held=yes",
                                    "counter initial=-1",
                                    "versioned-map maybe=either",
                                    "versioned-map writes=version first=0",
                                    "priority-queue capacity=1",
                                    "priority-queue capacity=2 ties=fifo",
                                    "priority-queue order=0<1,0<2",
                                    "priority-queue order=largest",
                                    "priority-queue order=componentwise",
                                    "priority-queue order=componentwise ties=fifo",
                                    "priority-queue order=componentwise-largest capacity=2",
                                    "priority-queue ties=fifo",
                                    "log append=index",
                                    "log append=length",
                                    "LinkedBlockingDeque capacity=2",
                                    "mutex owner=yes",
                                    "rmw initial=0",
                                    "semaphore initial=1",
                                    "queue initial=[1,0]",
                                    "queue initial=[1,true,1]",
                                    "queue capacity=2 initial=[1]",
                                    "queue unordered=[1,0,1]",
                                    "stack unordered=[1,0]",
                                    "deque unordered=[0,1,0]",
                                    "stack initial=[1,0]",
                                    "stack heights=yes initial=[0,0]",
                                    "deque initial=[1,0]",
                                    "deque capacity=2 initial=[1]",
                                    "deque work-stealing=yes initial=[0,1]",
                                    "priority-queue initial=[1,0]",
                                    "priority-queue order=largest ties=fifo initial=[1,0,1]",
                                    "bag initial=[1,1]",
                                    "set initial=[1,true]",
                                    "ArrayBlockingQueue capacity=3 initial=[1,0]",
                                    "ConcurrentLinkedQueue initial=[1]",
                                    "ConcurrentLinkedDeque initial=[1,0]",
                                    "PriorityBlockingQueue initial=[1,0]"}) {
    const auto parsed = TypeName::parse(variant);
    if (parsed && make_specification(*parsed)) variants.emplace_back(variant);
  }
  return variants;
}

/// A variant as the name of a test.
inline std::string variant_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace linchpin::cross

// Every data type: one folder beside this file, one row here.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/names.hpp"
#include "core/data_type.hpp"
#include "types/array/specification.hpp"
#include "types/bag/specification.hpp"
#include "types/cas_register/specification.hpp"
#include "types/counter/specification.hpp"
#include "types/deque/specification.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/maps.hpp"
#include "types/juc/sequences.hpp"
#include "types/juc/sorted_set.hpp"
#include "types/list_append/specification.hpp"
#include "types/log/specification.hpp"
#include "types/map/specification.hpp"
#include "types/multi_register/specification.hpp"
#include "types/mutex/specification.hpp"
#include "types/mvcc_kv/specification.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/register/specification.hpp"
#include "types/rmw/specification.hpp"
#include "types/semaphore/specification.hpp"
#include "types/set/specification.hpp"
#include "types/stack/specification.hpp"
#include "types/stream/specification.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::core {

namespace {

/// The row of a type that has `options` and `make`, and perhaps what follows.
template <class T>
constexpr DataType row(std::string_view name, std::string_view aliases, std::string_view summary) {
  DataType type{name, aliases, summary, T::options, &T::make};
  if constexpr (requires { T::start_option; }) {
    type.start_option = T::start_option;
    type.start_value = &T::start_value;
  }
  if constexpr (requires { T::unordered_option; }) type.unordered_option = T::unordered_option;
  if constexpr (requires { T::inserts; }) type.inserts = T::inserts;
  if constexpr (requires { T::parts; }) type.parts = &T::parts;
  return type;
}

constexpr std::array kDataTypes{
    row<types::Register>("register", "read-write-register rw-register", "read and write one value"),
    row<types::CasRegister>("cas-register", "cas atomic-register",
                            "a register with compare-and-set and compare-and-exchange"),
    row<types::ReadModifyWrite>("rmw", "read-modify-write swap-register", "a register with an atomic exchange"),
    row<types::MultiRegister>("multi-register", "transactional-registers",
                              "many registers, read and written by transactions"),
    row<types::Array>("array", "register-array", "an array of registers with compare-and-set"),
    row<types::Map>("map", "kv key-value dictionary", "values under keys; strings can be appended to"),
    row<types::Queue>("queue", "fifo fifo-queue atomic-queue", "first in, first out"),
    row<types::Stack>("stack", "lifo atomic-stack", "last in, first out"),
    row<types::Deque>("deque", "double-ended-queue", "a queue with two ends"),
    row<types::PriorityQueue>("priority-queue", "pqueue pq heap", "the best priority first"),
    row<types::Set>("set", "", "elements, each there or not"),
    row<types::Bag>("bag", "multiset unordered-queue pool", "values, each any number of times, taken in any order"),
    row<types::Mutex>("mutex", "lock", "mutual exclusion, with or without an owner"),
    row<types::Semaphore>("semaphore", "counting-semaphore", "a count that does not go below zero"),
    row<types::Counter>("counter", "fetch-and-add", "a number that is added to"),
    row<types::Log>("log", "append-only-log", "entries in the order of their appending"),
    row<types::Stream>("stream", "record-stream", "records with a chained hash; appends on condition"),
    row<types::VersionedMap>("versioned-map", "versioned-kv versioned-key-value",
                             "values under keys with versions; puts on condition"),
    row<types::MvccKv>("mvcc-kv", "etcd multi-version-kv", "etcd's store: revisions, transactions, leases, compaction"),
    row<types::ListAppend>("list-append", "transactional-lists", "many lists, read and appended to by transactions"),
    row<types::juc::FifoQueue>("ArrayBlockingQueue", "java.util.concurrent.ArrayBlockingQueue",
                               "Java's bounded queue, with what its methods print"),
    row<types::juc::FifoQueue>("LinkedBlockingQueue", "java.util.concurrent.LinkedBlockingQueue",
                               "Java's linked queue"),
    row<types::juc::FifoQueue>("ConcurrentLinkedQueue", "java.util.concurrent.ConcurrentLinkedQueue",
                               "Java's non-blocking queue"),
    row<types::juc::FifoQueue>("LinkedTransferQueue", "java.util.concurrent.LinkedTransferQueue",
                               "Java's transfer queue, without the transfers"),
    row<types::juc::LinkedDeque>("LinkedBlockingDeque", "java.util.concurrent.LinkedBlockingDeque",
                                 "Java's linked deque"),
    row<types::juc::LinkedDeque>("ConcurrentLinkedDeque", "java.util.concurrent.ConcurrentLinkedDeque",
                                 "Java's non-blocking deque"),
    row<types::juc::Heap>("PriorityBlockingQueue", "java.util.concurrent.PriorityBlockingQueue",
                          "Java's priority queue, with the order of its heap"),
    row<types::juc::SortedSet>("ConcurrentSkipListSet", "java.util.concurrent.ConcurrentSkipListSet",
                               "Java's ascending set"),
    row<types::juc::HashMap>("ConcurrentHashMap", "java.util.concurrent.ConcurrentHashMap",
                             "Java's hash map, of small integer keys"),
    row<types::juc::SortedMap>("ConcurrentSkipListMap", "java.util.concurrent.ConcurrentSkipListMap",
                               "Java's ascending map"),
};

}  // namespace

std::span<const DataType> data_types() { return kDataTypes; }

const DataType* find_data_type(std::string_view name) {
  for (const DataType& type : kDataTypes) {
    if (base::same_name(type.name, name) || base::is_listed(type.aliases, name)) return &type;
  }
  return nullptr;
}

std::optional<MadeBy> made_by(const Specification& specification) {
  auto type = TypeName::parse(specification.name());
  const DataType* const found = type ? find_data_type(type->name) : nullptr;
  if (found == nullptr) return std::nullopt;
  const auto made = found->make(*type);
  if (!made || (*made)->methods().data() != specification.methods().data()) return std::nullopt;
  return MadeBy{found, std::move(*type)};
}

}  // namespace linchpin::core

// Every type of which histories are generated: one row each.
#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "generate/models/collections.hpp"
#include "generate/models/juc/queues.hpp"
#include "generate/models/juc/sorted.hpp"
#include "generate/models/lists.hpp"
#include "generate/models/mvcc_kv.hpp"
#include "generate/models/numbers.hpp"
#include "generate/models/priority_queue.hpp"
#include "generate/models/registers.hpp"
#include "generate/models/sequences.hpp"
#include "generate/models/stream.hpp"
#include "generate/models/versioned_map.hpp"
#include "types/filled.hpp"
#include "types/unordered.hpp"

namespace linchpin::generate {

namespace {

/// The specification was made by the type's own row, so that it holds an M::Type.
template <class M>
std::unique_ptr<Model> make_empty(const Specification& specification, const Plan& plan, ValuePool& pool) {
  if constexpr (std::is_default_constructible_v<M>) {
    return std::make_unique<M>();
  } else if constexpr (std::is_constructible_v<M, const Specification&, const Plan&>) {
    return std::make_unique<M>(specification, plan);
  } else if constexpr (std::is_constructible_v<M, const Specification&, const Plan&, ValuePool&>) {
    return std::make_unique<M>(specification, plan, pool);
  } else if constexpr (std::is_constructible_v<M, const typename M::Type&, bool>) {
    return std::make_unique<M>(*specification.get_if<typename M::Type>(), plan.empties);
  } else {
    return std::make_unique<M>(*specification.get_if<typename M::Type>(), plan, pool);
  }
}

/// The model of a container that holds values at first; null where its model cannot hold them.
template <class M, class S>
std::unique_ptr<Model> make_holding(const S& container, const std::vector<Value>& values, const Plan& plan,
                                    ValuePool& pool) {
  if constexpr (std::is_same_v<S, types::PriorityQueue>) {
    const auto number = [](Value value) { return value.kind() == Value::Kind::integer; };
    if (!container.order.total() || !std::all_of(values.begin(), values.end(), number)) return nullptr;
  }
  auto model = make_empty<M>(*specify(std::string(), container), plan, pool);
  Draw draw({}, 0);
  for (const Value value : values) {
    Step step{.method = S::inserts};
    step.takes({value});
    step.arguments[1] = value;  // of a priority queue: its own priority
    model->apply(step, kNoProcess, draw, pool);
  }
  return model;
}

template <class M>
std::unique_ptr<Model> make(const Specification& specification, const Plan& plan, ValuePool& pool) {
  if constexpr (requires { M::Type::inserts; }) {
    using Type = typename M::Type;
    if (const auto* const filled = specification.get_if<types::Filled<Type>>()) {
      return make_holding<M>(filled->container, filled->values, plan, pool);
    }
    if constexpr (std::is_same_v<Type, types::Deque>) {
      if (const auto* const filled = specification.get_if<types::Filled<types::BoundedDeque>>()) {
        return make_holding<M>(filled->container, filled->values, plan, pool);
      }
      if (const auto* const filled = specification.get_if<types::Filled<types::WorkStealingDeque>>()) {
        return make_holding<M>(filled->container, filled->values, plan, pool);
      }
    }
    if constexpr (requires { Type::unordered_option; }) {
      if (const auto* const unordered = specification.get_if<types::Unordered<Type>>()) {
        return make_holding<M>(unordered->container, unordered->values, plan, pool);  // one order of them
      }
    }
  }
  return make_empty<M>(specification, plan, pool);
}

template <class M>
constexpr Kind row(std::string_view type, bool unique, std::optional<std::uint16_t> reader, bool scattered = false) {
  return Kind{type, M::methods, unique, scattered, reader, &make<M>};
}

constexpr std::array kKinds{
    row<RegisterModel>("register", false, types::Register::kRead),
    row<CasRegisterModel>("cas-register", false, types::CasRegister::kRead),
    row<ReadModifyWriteModel>("rmw", false, types::ReadModifyWrite::kRead),
    row<MultiRegisterModel>("multi-register", false, std::nullopt),
    row<ArrayModel>("array", false, types::Array::kRead),
    row<MapModel>("map", false, types::Map::kGet),
    row<QueueModel>("queue", true, types::Queue::kPeek),
    row<StackModel>("stack", true, types::Stack::kPeek),
    row<DequeModel>("deque", true, types::Deque::kPeekFront),
    row<PriorityQueueModel>("priority-queue", true, types::PriorityQueue::kPeek, true),
    row<SetModel>("set", true, types::Set::kContains),
    row<BagModel>("bag", true, types::Bag::kContains),
    row<MutexModel>("mutex", false, types::MutexMethods::kIsHeld),
    row<SemaphoreModel>("semaphore", false, types::Semaphore::kCount),
    row<CounterModel>("counter", false, types::Counter::kRead),
    row<LogModel>("log", true, types::Log::kGet),
    row<StreamModel>("stream", true, types::Stream::kRead),
    row<VersionedMapModel>("versioned-map", false, types::VersionedMap::kGet),
    row<ListAppendModel>("list-append", true, std::nullopt),
    row<MvccKvModel>("mvcc-kv", true, types::mvcc_kv::kRange),
    row<juc::SequenceModel<false>>("ArrayBlockingQueue", true, types::juc::QueueMethods::kPeek),
    row<juc::SequenceModel<false>>("LinkedBlockingQueue", true, types::juc::QueueMethods::kPeek),
    row<juc::SequenceModel<false>>("ConcurrentLinkedQueue", true, types::juc::QueueMethods::kPeek),
    row<juc::SequenceModel<false>>("LinkedTransferQueue", true, types::juc::QueueMethods::kPeek),
    row<juc::SequenceModel<true>>("LinkedBlockingDeque", true, types::juc::SequenceMethods::kPeekFirst),
    row<juc::SequenceModel<true>>("ConcurrentLinkedDeque", true, types::juc::SequenceMethods::kPeekFirst),
    row<juc::HeapModel>("PriorityBlockingQueue", true, types::juc::QueueMethods::kPeek, true),
    row<juc::SortedSetModel>("ConcurrentSkipListSet", true, types::juc::SortedSet::kContains, true),
    row<juc::HashMapModel>("ConcurrentHashMap", false, types::juc::MapMethods::kGet),
    row<juc::SortedMapModel>("ConcurrentSkipListMap", false, types::juc::MapMethods::kGet),
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

const Kind* find_kind(std::string_view type) {
  for (const Kind& kind : kKinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

}  // namespace linchpin::generate

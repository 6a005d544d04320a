// The routine that records a container: see recorded.hpp. One template for all, in a header, because libraries whose
// headers want flags of their own are compiled apart.
#pragma once

#include <array>
#include <concepts>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "generate/random.hpp"
#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"
#include "papers/recorded.hpp"

namespace linchpin::papers {

/// What a recorded container offers: queue, stack, priority queue.
template <class T>
concept Container = requires(T object, std::int64_t value) {
  object.add(value);
  { object.remove() } -> std::same_as<std::optional<std::int64_t>>;
};
template <class T>
concept Peekable = requires(T object) {
  { object.peek() } -> std::same_as<std::optional<std::int64_t>>;
};
/// And a set.
template <class T>
concept KeySet = requires(T object, std::int64_t key) {
  { object.add(key) } -> std::same_as<bool>;
  { object.remove(key) } -> std::same_as<bool>;
  { object.contains(key) } -> std::same_as<bool>;
};

/// The names of a type's methods in its specification.
struct MethodNames {
  const char *add, *remove, *look;
};
constexpr MethodNames method_names(std::string_view type) {
  if (type == "queue") return {"enqueue", "dequeue", "peek"};
  if (type == "stack") return {"push", "pop", "peek"};
  if (type == "set") return {"add", "remove", "contains"};
  return {"insert", "poll", "peek"};
}

/// One thread's part. Producer p adds values that are p modulo the number of producers; for priority queues their
/// order is scattered. Consumer c of a set asks for what producer c modulo their number adds.
template <class Object>
void take_part(Object& object, ThreadLog& log, const std::array<RecordedMethod, 3>& methods, const Workload& workload,
               unsigned thread, bool scattered) {
  const auto& [add, remove, look] = methods;
  const std::size_t each = workload.operations / (workload.producers + workload.consumers);
  const std::uint64_t span = std::uint64_t{workload.producers} * each + 1;
  generate::Random random(workload.seed * 1000 + thread);
  const bool produces = thread < workload.producers;
  const auto paused = [&](const auto& call) {
    if (random.chance(workload.pauses)) std::this_thread::yield();
    auto result = call();
    if (random.chance(workload.pauses)) std::this_thread::yield();
    return result;
  };
  for (std::size_t i = 0; i < each; ++i) {
    const unsigned producer = thread % workload.producers;
    const auto value = static_cast<std::int64_t>(i * workload.producers + producer + 1);
    const bool looks = !produces && workload.peeks && random.chance(0.4);
    if (produces) {
      const std::int64_t added =
          scattered ? value + static_cast<std::int64_t>(random.below(1000) * span) : value;  // no two are equal
      if constexpr (KeySet<Object>) {
        log.record(
            add, [&] { return paused([&] { return object.add(added); }); }, added);
      } else {
        log.record(
            add, [&] { paused([&] { return object.add(added), true; }); }, added);
      }
    } else if constexpr (KeySet<Object>) {
      if (looks) {
        log.record(
            look, [&] { return paused([&] { return object.contains(value); }); }, value);
      } else {
        log.record(
            remove, [&] { return paused([&] { return object.remove(value); }); }, value);
      }
    } else {
      if constexpr (Peekable<Object>) {
        if (looks) {
          (void)log.record(look, [&] { return paused([&] { return object.peek(); }); });
          continue;
        }
      }
      (void)log.record(remove, [&] { return paused([&] { return object.remove(); }); });
    }
  }
}

template <class Object, const char* type>
requires KeySet<Object> || Container<Object> Result<History> record_container(const Workload& workload) {
  Recorder recorder(type, {.bytes = std::size_t{4} << 30});
  const std::string_view name = std::string_view(type).substr(0, std::string_view(type).find(' '));
  constexpr auto kNames = method_names(type);
  const std::array methods{recorder.method(kNames.add), recorder.method(kNames.remove), recorder.method(kNames.look)};
  const auto object = std::make_unique<Object>();
  const unsigned threads = workload.producers + workload.consumers;
  std::latch start(threads);
  {
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        ThreadLog& log = recorder.thread();
        start.arrive_and_wait();
        take_part(*object, log, methods, workload, thread, name == "priority-queue");
      });
    }
  }
  return history_of(recorder);
}

inline constexpr char kQueue[] = "queue", kStack[] = "stack", kSet[] = "set", kHeap[] = "priority-queue";

}  // namespace linchpin::papers

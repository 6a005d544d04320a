// The routine that records a set: see recorded_sets.hpp.
#pragma once

#include <array>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "generate/random.hpp"
#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"
#include "papers/recorded_sets.hpp"

namespace linchpin::papers {

/// A set whose calls look first and act then, and answer what they saw: what another thread does in between is
/// overlooked. Now and then a thread gives way there, so that it happens with few processors, too.
template <class Set>
class CheckedFirst {
 public:
  bool add(std::int64_t key) {
    const bool there = looked(key);
    if (!there) set_.add(key);
    return !there;
  }
  bool remove(std::int64_t key) requires requires(Set& set) { set.remove(std::int64_t{}); }
  {
    const bool there = looked(key);
    if (there) set_.remove(key);
    return there;
  }
  bool contains(std::int64_t key) { return set_.contains(key); }

 private:
  bool looked(std::int64_t key) {
    constexpr unsigned kBetweenPauses = 256;  // calls
    const bool there = set_.contains(key);
    thread_local unsigned calls = 0;
    if (++calls % kBetweenPauses == 0) std::this_thread::yield();
    return there;
  }

  Set set_;
};

/// A set that cannot remove concurrently is only inserted into and looked into.
template <class Set>
Result<History> record_set(const SetWorkload& workload) {
  Recorder recorder("set", {.bytes = std::size_t{2} << 30});
  const std::array methods{recorder.method("add"), recorder.method("contains"), recorder.method("remove")};
  constexpr std::uint64_t kMethods = requires(Set & set) { set.remove(std::int64_t{}); }
  ? 3 : 2;
  const auto set = std::make_unique<Set>();
  std::latch start(workload.threads);
  {
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < workload.threads; ++thread) {
      running.emplace_back([&, thread] {
        ThreadLog& log = recorder.thread();
        generate::Random random(workload.seed * 100 + thread);
        start.arrive_and_wait();
        for (std::size_t i = 0; i < workload.operations; ++i) {
          const auto key = static_cast<std::int64_t>(random.below(workload.keys));
          const std::uint64_t which = random.below(kMethods);
          const auto call = [&](auto&& function) { log.record(methods[which], function, key); };
          if (which == 0) call([&] { return set->add(key); });
          if (which == 1) call([&] { return set->contains(key); });
          if constexpr (kMethods == 3) {
            if (which == 2) call([&] { return set->remove(key); });
          }
        }
      });
    }
  }
  return history_of(recorder);
}

}  // namespace linchpin::papers

// Loops whose rounds run on several threads, by oneTBB; the library of oneTBB is compiled without the thread sanitizer,
// which cannot see how it hands rounds over, so that there the standard library's threads run them instead; and so they
// do where a program is linked statically (LINCHPIN_WITHOUT_TBB), for which oneTBB has no library.
#pragma once

#include <cstddef>

#if defined(LINCHPIN_WITHOUT_TBB)
#elif defined(__SANITIZE_THREAD__)
#define LINCHPIN_WITHOUT_TBB
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LINCHPIN_WITHOUT_TBB
#endif
#endif

#ifdef LINCHPIN_WITHOUT_TBB
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>
#else
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace linchpin::base {

class Workers {
 public:
  /// @param threads  at most as many as the machine runs at once; 0: one a core
#ifdef LINCHPIN_WITHOUT_TBB
  explicit Workers(unsigned threads) : threads_(threads == 0 ? std::thread::hardware_concurrency() : threads) {}
#else
  explicit Workers(unsigned threads) : arena_(threads == 0 ? tbb::task_arena::automatic : at_most(threads)) {}
#endif

  /// How many run at once, at most.
  [[nodiscard]] unsigned threads() const {
#ifdef LINCHPIN_WITHOUT_TBB
    return threads_;
#else
    return static_cast<unsigned>(arena_.max_concurrency());
#endif
  }

  /// body(0) to body(count - 1), in any order; returns after the last.
  template <class Body>
  void for_each(std::size_t count, const Body& body) {
#ifdef LINCHPIN_WITHOUT_TBB
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < std::min<std::size_t>(threads_, count); ++thread) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < count; i = next++) body(i);
      });
    }
#else
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
#endif
  }

 private:
#ifdef LINCHPIN_WITHOUT_TBB
  unsigned threads_;
#else
  /// More than the machine runs at once, oneTBB would refuse with a word on the standard error.
  static int at_most(unsigned threads) {
    const auto all = static_cast<unsigned>(tbb::info::default_concurrency());
    return static_cast<int>(threads < all ? threads : all);
  }

  tbb::task_arena arena_;
#endif
};

}  // namespace linchpin::base

// Relaxed containers by segments: a k-FIFO queue and a k-stack, under one mutex each.
//
// A segment has k slots. A value goes into any free slot of the newest segment, which gets a successor when it is full.
// A k-FIFO queue takes any value of its oldest segment, a k-stack any of its newest one; a segment without values goes.
// So each removal is of one of the k values that could be next, and nothing else is lost or doubled: what a history has
// besides is its order.
// Source: the idea of C. Kirsch, M. Lippautz, H. Payer, Fast and scalable, lock-free k-FIFO queues, PaCT 2013, and of
// T. Henzinger, C. Kirsch, H. Payer, A. Sezgin, A. Sokolova, Quantitative relaxation of concurrent data structures,
// POPL 2013. Theirs are lock-free, which a recording does not tell: here the slots are what matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "generate/random.hpp"

namespace linchpin::papers {

enum class Takes : std::uint8_t { oldest, newest };  ///< segment

template <Takes takes, std::size_t slots>
class Segmented {
 public:
  void add(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    if (segments_.empty() || segments_.back().size() == slots) segments_.emplace_back();
    segments_.back().push_back(value);
  }
  std::optional<std::int64_t> remove() {
    const std::lock_guard lock(mutex_);
    if (segments_.empty()) return std::nullopt;
    Segment& segment = takes == Takes::oldest ? segments_.front() : segments_.back();
    std::int64_t& any = segment[random_.below(segment.size())];
    const std::int64_t value = any;
    any = segment.back();  // which slot a value lies in says nothing
    segment.pop_back();
    if (!segment.empty()) return value;
    if (takes == Takes::oldest) {
      segments_.pop_front();
    } else {
      segments_.pop_back();
    }
    return value;
  }

 private:
  using Segment = std::vector<std::int64_t>;  // of 1 to `slots` values

  std::mutex mutex_;
  std::deque<Segment> segments_;
  generate::Random random_{1};
};

}  // namespace linchpin::papers

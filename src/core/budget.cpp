#include "core/budget.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>

namespace linchpin::core {

namespace {

// Reading the resident size costs some microseconds: at most once in so long, in which a process cannot grow by more.
constexpr std::chrono::milliseconds kLooksApart{1};
constexpr std::size_t kGrowthBetweenLooks = std::size_t{64} << 20;
// Of the process, as are these: its resident bytes when they were last asked for, and until when that is good enough.
std::atomic<std::size_t> last_resident = 0;
std::atomic<Budget::Clock::rep> next_resident_look = 0;

}  // namespace

std::size_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  unsigned long long resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &pages, &resident);
  std::fclose(file);
  return read == 2 ? static_cast<std::size_t>(resident) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_resident_bytes() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) * 1024 : 0;
}

Budget::Clock::time_point Budget::moment_after(Clock::time_point begin, std::chrono::duration<double> time) {
  constexpr std::chrono::duration<double> kMost = std::chrono::hours(24 * 365);
  return begin + std::chrono::duration_cast<Clock::duration>(time < kMost ? time : kMost);
}

Budget::Budget(const Limits& limits) : stop_(limits.stop) {
  if (limits.time) deadline_ = moment_after(start_, *limits.time);
  if (limits.memory) memory_limit_ = *limits.memory;
}

Budget::Budget(Budget& parent, double seconds, double memory_share)
    : parent_(&parent), deadline_(moment_after(start_, std::chrono::duration<double>(seconds))) {
  if (memory_share < 1 && parent.memory_limit_ != SIZE_MAX) {
    memory_limit_ = static_cast<std::size_t>(static_cast<double>(parent.memory_limit_) * memory_share);
  }
}

bool Budget::allows(std::size_t bytes) {
  if (!has_room(bytes)) {
    stop(Reason::memory);
    return false;
  }
  if (parent_ == nullptr || parent_->allows(bytes)) return true;
  stop(parent_->reason());
  return false;
}

bool Budget::has_room(std::size_t bytes) const {
  if (memory_limit_ == SIZE_MAX) return true;
  // A search that stands just before a table's growth asks at each step. What was seen a moment ago is good enough
  // far from the limit.
  const Clock::rep now = Clock::now().time_since_epoch().count();
  const std::size_t seen = last_resident.load(std::memory_order_relaxed);
  const bool is_far =
      bytes < memory_limit_ && seen < memory_limit_ - bytes && memory_limit_ - bytes - seen > kGrowthBetweenLooks;
  if (is_far && now < next_resident_look.load(std::memory_order_acquire)) return true;
  const std::size_t resident = resident_bytes();
  last_resident.store(resident, std::memory_order_relaxed);
  next_resident_look.store(now + Clock::duration(kLooksApart).count(), std::memory_order_release);
  return resident + bytes <= memory_limit_;
}

bool Budget::allows_step(double seconds) {
  if (spent_now()) return false;
  if (parent_ != nullptr && !parent_->allows_step(seconds)) {
    stop(parent_->reason());
    return false;
  }
  if (std::chrono::duration<double>(deadline_ - Clock::now()).count() >= seconds) return true;
  stop(Reason::time);
  return false;
}

bool Budget::look() {
  const Clock::time_point now = Clock::now();
  if (parent_ != nullptr && parent_->spent_now()) {
    stop(parent_->reason());
  } else if (now >= deadline_) {
    stop(Reason::time);
  } else if (stop_.stop_requested()) {
    stop(Reason::cancelled);
  } else if (memory_limit_ != SIZE_MAX) {
    const Clock::rep ticks = now.time_since_epoch().count();
    if (ticks >= next_memory_look_.load(std::memory_order_relaxed)) {
      next_memory_look_.store(ticks + Clock::duration(kLooksApart).count(), std::memory_order_relaxed);
      if (resident_bytes() > memory_limit_) stop(Reason::memory);
    }
  }
  return reason_.load(std::memory_order_relaxed) != Reason::none;
}

void Budget::stop(Reason reason) {
  Reason none = Reason::none;
  reason_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
}

}  // namespace linchpin::core

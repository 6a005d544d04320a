#include "app/stress/disturbance.hpp"

#include <exception>
#include <random>
#include <utility>

namespace linchpin::app {

namespace {

using std::chrono::milliseconds;

// Longer than clients wait (Connection), so that their requests are lost; shorter than it takes to elect somebody else.
constexpr int kShortestStop = 250, kLongestStop = 500;  // milliseconds
constexpr int kShortestPeace = 500, kLongestPeace = 2500;
constexpr unsigned kRestartOneIn = 8;

}  // namespace

Disturbance::Disturbance(Servers servers) : servers_(std::move(servers)), thread_([this] { disturb(); }) {}

Disturbance::~Disturbance() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

bool Disturbance::wait(milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return over_; });
}

void Disturbance::disturb() {
  std::mt19937_64 random(1);  // which server, and for how long; when it meets which request is nobody's to repeat
  const auto between = [&](int least, int most) {
    return milliseconds(std::uniform_int_distribution<>(least, most)(random));
  };
  while (wait(between(kShortestPeace, kLongestPeace))) {
    const std::size_t server = random() % servers_.count;
    if (servers_.restart && random() % kRestartOneIn == 0) {
      try {
        servers_.restart(server);
      } catch (const std::exception&) {  // it stays away: the others go on
      }
      continue;
    }
    servers_.stop(server);
    const bool more = wait(between(kShortestStop, kLongestStop));
    servers_.go_on(server);
    if (!more) return;
  }
}

}  // namespace linchpin::app

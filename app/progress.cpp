#include "app/progress.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "app/output.hpp"
#include "app/quantities.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

constexpr std::chrono::milliseconds kFirst{1000};
constexpr std::chrono::milliseconds kEvery{200};
constexpr std::string_view kWipe = "\r\033[K";

}  // namespace

Progress::Progress(bool wanted) : wanted_(wanted && is_terminal(STDERR_FILENO)) {
  if (wanted_) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!wanted_) return;
  end();
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::begin(std::string what) {
  if (!wanted_) return;
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  start_ = Clock::now();
  update(0, 0);
  shrinking(0);
  changed_.notify_one();
}

void Progress::end() {
  if (!wanted_) return;
  const std::scoped_lock lock(mutex_);
  what_.clear();
  if (shown_) print_on_terminal(kWipe);
  shown_ = false;
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (what_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto next = shown_ ? Clock::now() + kEvery : start_ + kFirst;
    changed_.wait_until(lock, next);
    if (!ending_ && !what_.empty() && Clock::now() >= start_ + kFirst) show();
  }
}

void Progress::show() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const std::size_t done = done_, all = all_, left = left_;
  std::string line = fmt::format("{}{}, {:.0f} s", kWipe, base::foreign_text(what_), seconds);
  if (left > 0) {
    line += fmt::format(", a violation: looking for the fewest operations that show it, {} left", grouped(left));
  } else if (all > 0) {
    line += fmt::format(", {:.0f} % of {} decided", 100.0 * static_cast<double>(done) / static_cast<double>(all),
                        counted(all, "operation"));
  }
  print_on_terminal(line);
  shown_ = true;
}

}  // namespace linchpin::app

// One schedule, given by its choices: 0 where they have ended.
#pragma once

#include "explore/runtime/array.hpp"
#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

class Replay final : public Strategy {
 public:
  Replay(const std::uint8_t* choices, std::size_t count) : choices_(choices), count_(count) {}
  bool begin() override {
    next_ = 0;
    const bool first = fresh_;
    fresh_ = false;
    return first;
  }
  unsigned choose(const Situation& situation) override {
    const unsigned wanted = next_ < count_ ? choices_[next_] : 0;
    ++next_;
    if (wanted < situation.alternatives) return wanted;
    if (surprise_ == 0) surprise_ = static_cast<std::uint32_t>(next_);
    return 0;
  }
  unsigned settle(unsigned /*least*/, unsigned /*alternatives*/, std::uint64_t /*here*/) override {
    const unsigned settled = next_ < count_ ? choices_[next_] : 0;
    ++next_;
    return settled;
  }
  [[nodiscard]] std::uint32_t surprise() const override { return surprise_; }

 private:
  const std::uint8_t* choices_;
  std::size_t count_, next_ = 0;
  std::uint32_t surprise_ = 0;
  bool fresh_ = true;
};

}  // namespace linchpin::explorer

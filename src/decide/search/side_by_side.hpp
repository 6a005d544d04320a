// Searches side by side, each in a thread of its own: the first answer counts.
//
// For a history that stays hard, on cores that have nothing else to do. They are threads of the system, not of a pool:
// a pool may run one search after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/search_task.hpp"

namespace linchpin::decide {

class SideBySide final : public core::SearchTask {
 public:
  struct Lane {
    const core::Decider* decider = nullptr;  ///< null: the task says whose outcome it is
    std::unique_ptr<core::SearchTask> task;
    bool spare = false;  ///< as of `decide::run`
  };

  /// @pre not while it runs
  void add(Lane lane) { lanes_.push_back(std::move(lane)); }
  [[nodiscard]] std::size_t size() const { return lanes_.size(); }

  /// Until one has gone on for so many steps, or decides, or the budget is spent. What a search throws is thrown here.
  /// @pre some lane ends with an answer or a spent budget only
  bool run(std::uint64_t steps, core::Budget& budget) override;
  [[nodiscard]] core::Outcome outcome() const override;
  [[nodiscard]] const core::Decider* decided_by() const override;
  [[nodiscard]] std::uint32_t passed() const override;

 private:
  std::vector<Lane> lanes_;
  std::size_t first_ = 0;  // to be done
};

}  // namespace linchpin::decide

// Searches that take turns in one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/search_task.hpp"

namespace linchpin::decide {

/// Each has turns of its share of a quantum of steps, which doubles from round to round.
class Turns final : public core::SearchTask {
 public:
  static constexpr std::uint64_t kFirstQuantum = 16384;

  struct Member {
    const core::Decider* decider = nullptr;            ///< null: the lift of the type's monitor, if there is one
    std::uint64_t share = 1;                           ///< of a quantum
    unsigned way = 0;                                  ///< in which it goes about it (core::DeciderOptions)
    bool spare = false;                                ///< as of `decide::run`
    std::unique_ptr<core::SearchTask> task = nullptr;  ///< made when its turn comes
    std::uint32_t passed = 0;                          ///< when its last turn ended
  };

  /// The part must outlive it. @pre some member decides any history
  /// @param first_look  the quantum of the first round; later ones are no less than kFirstQuantum
  Turns(const history::Subhistory& part, const core::DeciderOptions& options, std::vector<Member> members,
        std::uint64_t first_look = kFirstQuantum);

  bool run(std::uint64_t steps, core::Budget& budget) override;
  [[nodiscard]] core::Outcome outcome() const override;
  [[nodiscard]] const core::Decider* decided_by() const override { return members_[active_].decider; }
  [[nodiscard]] std::uint32_t passed() const override;

  /// The member of that decider, to go on elsewhere; nothing where there is none or no other. The round begins anew.
  [[nodiscard]] std::optional<Member> take_out(const core::Decider& decider);
  /// One more, which has its turn last.
  void add(Member member) { members_.push_back(std::move(member)); }

 private:
  /// Makes the member's task, unless it has one.
  void start(Member& member) const;
  /// Whether its turn took it so far that it is worth another one: it may do so only as often as kGetsOn.
  [[nodiscard]] bool gets_on(Member& member) const;
  /// Makes the member the lift of the type's monitor; false: there is none that applies.
  [[nodiscard]] bool find_lift(Member& member) const;
  void drop_active();

  const history::Subhistory& part_;
  core::DeciderOptions options_;
  std::vector<Member> members_;
  std::size_t active_ = 0;
  std::uint64_t quantum_;
  std::uint64_t done_in_turn_ = 0;
};

}  // namespace linchpin::decide

// Stacks online.
//
// A run for a begins when a's pop is called (after its push has returned), and lives as long as it is covered: by some
// d, pushed after a, or by some c, pushed with a. It accepts when a's pop and those of all its c have returned: then at
// every moment of these pops some other of its values was in (stack.cpp). With no c that is "covered", else "stuck".
//
// What a run must remember: a's moment, its cover, and the c that it has used. Whenever its cover leaves, any d will
// do, the one whose push was called last if any, and costs nothing; else a c that it has used already and that is in;
// else it must use another one, and each is a guess: the run goes on once for each. What can be a c is settled when a's
// push returns: the pushes that are open then.
//
// Memory: for each value that is in, the pushes that were open with its own; and the runs. A run that waits for a c to
// be popped is one of as many as there were pushes open with that of the c, as long as no run has to guess among
// several c more than once; guesses can multiply the runs up to the given number, beyond which the watch gives up.
#include <algorithm>

#include <absl/container/btree_set.h>

#include "base/none.hpp"
#include "research/automata/online/order_watch.hpp"

namespace linchpin::automata {

namespace {

constexpr std::size_t kMostRuns = 1'000'000;

/// A value, and not another one that has its slot later.
struct Tenant {
  Slot value = kNone;
  std::uint64_t serial = 0;
};

class StackOrder final : public OrderWatch {
 public:
  explicit StackOrder(const OnlineValues& values) : values_(values) {}

  void add_called(Slot value) override { open_pushes_.push_back(value); }

  void add_returned(Slot value) override {
    open_pushes_.erase(std::find(open_pushes_.begin(), open_pushes_.end(), value));
    if (!values_[value].in) return;
    if (about_.size() < values_.slots()) about_.resize(values_.slots());
    in_.insert({values_[value].add_called, value});
    about_[value].pushed_with.clear();
    for (const Slot open : open_pushes_) {
      if (values_[open].remove_called == 0) about_[value].pushed_with.push_back({open, values_[open].serial});
    }
  }

  void remove_called(Slot value, bool was_in) override {
    if (!was_in) return;
    in_.erase({values_[value].add_called, value});
    for (const RunName name : std::exchange(about_[value].covers, {})) {
      if (Run* const run = alive(name)) cover(*run);
    }
    Run begun;
    begun.a = values_[value].name.to_text();
    begun.pushed = values_[value].add_returned;
    begun.waits_for.push_back(value);
    for (const Tenant& c : about_[value].pushed_with) {
      if (values_[c.value].serial == c.serial && values_[c.value].remove_called == 0) begun.could_use.push_back(c);
    }
    add(std::move(begun));
  }

  std::optional<Alarm> remove_returned(Slot value) override {
    std::optional<Alarm> alarm;
    if (value >= about_.size()) return alarm;
    for (const RunName name : std::exchange(about_[value].waited_for, {})) {
      Run* const run = alive(name);
      if (run == nullptr) continue;
      std::erase(run->waits_for, value);
      if (!run->waits_for.empty()) continue;
      if (!alarm) alarm = accept(*run);
      die(*run);
    }
    return alarm;
  }

  [[nodiscard]] std::size_t runs() const override { return runs_.size() - free_.size(); }
  [[nodiscard]] bool gave_up() const override { return gave_up_; }

 private:
  struct Run {
    std::uint32_t number = 0, serial = 0;  // 0: no run
    std::string a;
    Moment pushed = 0;  // when a's push returned
    Slot cover = kNone;
    std::vector<Slot> waits_for;  // pops that have not returned: a's, and those of the c that it has used
    std::vector<Tenant> could_use;
    std::vector<std::string> used;
  };
  struct RunName {
    std::uint32_t number, serial;
  };
  struct About {
    std::vector<Tenant> pushed_with;  // pushes that were open when its own returned
    std::vector<RunName> covers, waited_for;
  };

  Run* alive(const RunName& name) {
    Run& run = runs_[name.number];
    return run.serial == name.serial ? &run : nullptr;
  }

  /// A new run, covered if it can be.
  void add(Run&& begun) {
    if (free_.empty()) {
      if (runs_.size() >= kMostRuns) {
        gave_up_ = true;
        return;
      }
      free_.push_back(static_cast<std::uint32_t>(runs_.size()));
      runs_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    Run& run = runs_[number];
    run = std::move(begun);
    run.number = number;
    run.serial = ++serial_;
    for (const Slot value : run.waits_for) about_[value].waited_for.push_back({number, run.serial});
    cover(run);
  }

  void die(Run& run) {
    const std::uint32_t number = run.number;
    run = Run{};
    free_.push_back(number);
  }

  void cover_by(Run& run, Slot value) {
    run.cover = value;
    about_[value].covers.push_back({run.number, run.serial});
  }

  void use(Run& run, const Tenant& c) {
    std::erase_if(run.could_use, [&c](const Tenant& each) { return each.value == c.value; });
    run.waits_for.push_back(c.value);
    run.used.push_back(values_[c.value].name.to_text());
  }

  /// Gives the run whose cover has left another one; several where it has to guess, none where it dies.
  void cover(Run& run) {
    if (!in_.empty() && in_.rbegin()->first > run.pushed) return cover_by(run, in_.rbegin()->second);
    for (const Slot value : run.waits_for) {
      if (values_[value].in) return cover_by(run, value);
    }
    std::vector<Tenant> choices;
    for (const Tenant& c : run.could_use) {
      if (values_[c.value].serial == c.serial && values_[c.value].in) choices.push_back(c);
    }
    if (choices.empty()) return die(run);
    const std::uint32_t number = run.number;  // other runs move it
    for (std::size_t i = 1; i < choices.size(); ++i) {
      Run other = runs_[number];
      use(other, choices[i]);
      add(std::move(other));
    }
    Run& first = runs_[number];
    use(first, choices[0]);
    about_[choices[0].value].waited_for.push_back({number, first.serial});
    cover_by(first, choices[0].value);
  }

  [[nodiscard]] Alarm accept(const Run& run) const {
    Alarm alarm{.automaton = run.used.empty() ? "covered" : "stuck", .values = {{"a", run.a}}};
    for (const std::string& c : run.used) alarm.values.emplace_back("c", c);
    alarm.values.emplace_back("d", values_[run.cover].name.to_text());
    return alarm;
  }

  const OnlineValues& values_;
  absl::btree_set<std::pair<Moment, Slot>> in_;  // by the call of the push
  std::vector<Slot> open_pushes_;
  std::vector<About> about_;  // by slot
  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_;
  std::uint32_t serial_ = 0;
  bool gave_up_ = false;
};

}  // namespace

std::unique_ptr<OrderWatch> watch_stack_order(const OnlineValues& values) {
  return std::make_unique<StackOrder>(values);
}

}  // namespace linchpin::automata

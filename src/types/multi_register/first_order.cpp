#include "types/multi_register/first_order.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace linchpin::types::multi_register {

namespace {

class Placing {
 public:
  Placing(const history::Subhistory& part, const Reading& reading, Precedence& precedence)
      : part_(part),
        reading_(reading),
        precedence_(precedence),
        stage_(part.size(), Stage::uncalled),
        unseen_(reading.writes.size() + reading.keys.size(), 0),
        holds_(reading.keys.size()) {
    for (std::uint32_t key = 0; key < holds_.size(); ++key) holds_[key] = reading.initial_content(key);
    for (const Read& read : reading.reads) ++unseen_[read.content];
  }

  std::optional<Contradiction> run(core::Budget& budget) {
    std::uint32_t barrier = kNone;     // the last
    std::vector<std::uint32_t> ended;  // since then
    for (const history::Event event : part_.events()) {
      if (budget.spent()) return std::nullopt;
      const std::uint32_t t = event.operation();
      if (!reading_.kept[t]) continue;
      if (event.is_response()) {
        if (stage_[t] == Stage::open && !place_by_force(t)) return contradiction_;
        place_what_fits();
        ended.push_back(t);
        continue;
      }
      if (!ended.empty()) {
        const std::uint32_t next = precedence_.barrier();
        if (barrier != kNone) precedence_.edge(barrier, next);
        for (const std::uint32_t each : ended) precedence_.edge(each, next);
        ended.clear();
        precedence_.place(next);
        barrier = next;
      }
      if (barrier != kNone) precedence_.edge(barrier, t);
      for (const Read& read : reading_.reads_of(t)) {
        if (read.writer != kNone) precedence_.edge(read.writer, t);
      }
      stage_[t] = Stage::open;
      open_.push_back(t);
      place_what_fits();
    }
    while (!open_.empty()) {  // pending ones that were seen
      if (!place_by_force(open_.front())) return contradiction_;
      place_what_fits();
    }
    return std::nullopt;
  }

 private:
  enum class Stage : std::uint8_t { uncalled, open, waiting, placed };

  [[nodiscard]] bool fits(std::uint32_t t) const {
    for (const Read& read : reading_.reads_of(t)) {
      if (holds_[read.key] != read.content) return false;
    }
    for (const std::uint32_t key : reading_.writes_of(t)) {
      std::uint32_t unseen = unseen_[holds_[key]];
      for (const Read& read : reading_.reads_of(t)) unseen -= read.key == key ? 1 : 0;
      if (unseen != 0) return false;
    }
    return true;
  }

  void place_what_fits() {
    for (std::size_t i = 0; i < open_.size();) {
      if (fits(open_[i])) {
        place(open_[i]);
        i = 0;
      } else {
        ++i;
      }
    }
  }

  void place(std::uint32_t t) {
    stage_[t] = Stage::placed;
    open_.erase(std::find(open_.begin(), open_.end(), t));
    precedence_.place(t);
    for (const Read& read : reading_.reads_of(t)) --unseen_[read.content];
    for (std::uint32_t i = reading_.write_begin[t]; i < reading_.write_begin[t + 1]; ++i) {
      holds_[reading_.writes[i]] = i;
    }
  }

  /// Places the transaction, and before it those that it read from. False: `contradiction_` says why it cannot be.
  bool place_by_force(std::uint32_t t) {
    std::vector<std::uint32_t> waiting{t};
    while (!waiting.empty()) {
      const std::uint32_t reader = waiting.back();
      stage_[reader] = Stage::waiting;
      std::uint32_t needed = kNone;
      for (const Read& read : reading_.reads_of(reader)) {
        if (read.writer == kNone || stage_[read.writer] == Stage::placed) continue;
        needed = read.writer;
        break;
      }
      if (needed == kNone) {
        place(reader);
        waiting.pop_back();
      } else if (stage_[needed] == Stage::open) {
        waiting.push_back(needed);
      } else {
        contradict(waiting, needed);
        return false;
      }
    }
    return true;
  }

  /// The last that waits needs one that is not called yet, or waits itself.
  void contradict(const std::vector<std::uint32_t>& waiting, std::uint32_t needed) {
    const auto name = [&](std::uint32_t t) { return part_.history->describe(part_.operation[t]); };
    const std::uint32_t reader = waiting.back();
    Contradiction found{.transactions = {}, .blocked = reader, .sentence = {}, .certain = true};
    auto from = waiting.begin();  // who returns first waits for all the others
    if (stage_[needed] == Stage::uncalled) {
      found.transactions.push_back(needed);
      found.sentence = fmt::format("{} returned before {} was called, {} it saw what that wrote", name(waiting.front()),
                                   name(needed), waiting.size() == 1 ? "but" : "but, through others,");
      found.blocked = waiting.front();
    } else {
      from = std::find(waiting.begin(), waiting.end(), needed);
      found.sentence = fmt::format("{} transactions saw what each other wrote, in a circle", waiting.end() - from);
    }
    for (auto each = from; each != waiting.end(); ++each) {
      found.transactions.push_back(*each);
      const std::uint32_t writer = each + 1 != waiting.end() ? *(each + 1) : needed;
      for (const Read& read : reading_.reads_of(*each)) {
        if (read.writer != writer) continue;
        found.certain = found.certain && read.certain;
        if (read.shown_by != kNone) found.transactions.push_back(read.shown_by);
        break;
      }
    }
    std::sort(found.transactions.begin(), found.transactions.end());
    found.transactions.erase(std::unique(found.transactions.begin(), found.transactions.end()),
                             found.transactions.end());
    contradiction_ = std::move(found);
  }

  const history::Subhistory& part_;
  const Reading& reading_;
  Precedence& precedence_;
  std::vector<Stage> stage_;
  std::vector<std::uint32_t> unseen_;  // by content: how many are still to see it
  std::vector<std::uint32_t> holds_;   // by key: its content
  std::vector<std::uint32_t> open_;
  std::optional<Contradiction> contradiction_;
};

}  // namespace

std::optional<Contradiction> first_order(const history::Subhistory& part, const Reading& reading,
                                         Precedence& precedence, core::Budget& budget) {
  return Placing(part, reading, precedence).run(budget);
}

}  // namespace linchpin::types::multi_register

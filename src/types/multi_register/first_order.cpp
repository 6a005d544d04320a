#include "types/multi_register/first_order.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "types/in_sessions.hpp"
#include "types/multi_register/specification.hpp"
#include "types/shared/dependencies.hpp"

namespace linchpin::types::multi_register {

namespace {

class Placing {
 public:
  Placing(const history::Subhistory& part, const Reading& reading, Precedence& precedence)
      : part_(part),
        reading_(reading),
        precedence_(precedence),
        previous_(previous_in_session(part, reading)),
        stage_(part.size(), Stage::uncalled),
        unseen_(reading.writes.size() + reading.keys.size(), 0),
        holds_(reading.keys.size()) {
    for (std::uint32_t key = 0; key < holds_.size(); ++key) holds_[key] = reading.initial_content(key);
    for (const Read& read : reading.reads) ++unseen_[read.content];
    if (any_time_) note_who_waits();
  }

  std::optional<Contradiction> run(core::Budget& budget) {
    const history::Subhistory& times = any_time_ ? *part_.recorded : part_;
    std::vector<std::uint32_t> local_of;
    if (any_time_) local_of = history::same_operations(times, part_);
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      if (!reading_.kept[t]) continue;
      for (const Read& read : reading_.reads_of(t)) {
        if (read.writer != kNone) precedence_.edge(read.writer, t);
      }
      if (previous_[t] != kNone) precedence_.edge(previous_[t], t);
    }
    for (std::uint32_t key = 0; key < holds_.size() && any_time_; ++key) wake_readers(holds_[key]);
    place_awake();
    std::uint32_t barrier = kNone;     // the last
    std::vector<std::uint32_t> ended;  // since then
    for (const history::Event event : times.events()) {
      if (budget.spent()) return std::nullopt;
      const std::uint32_t t = any_time_ ? local_of[event.operation()] : event.operation();
      if (!reading_.kept[t]) continue;
      if (event.is_response()) {
        if (stage_[t] == Stage::open && !place_by_force(t)) return contradiction_;
        place_what_fits();
        if (!any_time_) ended.push_back(t);
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
      if (stage_[t] == Stage::placed) continue;  // it was needed before
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

  static std::vector<std::uint32_t> previous_in_session(const history::Subhistory& part, const Reading& reading) {
    const Sessions* const sessions = sessions_of<MultiRegister>(*part.specification);
    if (sessions == nullptr) return std::vector<std::uint32_t>(part.size(), kNone);
    return dependencies::previous_in_sessions(part, reading.kept, *sessions);
  }

  [[nodiscard]] bool fits(std::uint32_t t) const {
    if (previous_[t] != kNone && stage_[previous_[t]] != Stage::placed) return false;
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

  /// Who waits for what: those that read a content, and the next in each session.
  void note_who_waits() {
    next_.assign(part_.size(), kNone);
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      if (previous_[t] != kNone) next_[previous_[t]] = t;
    }
    readers_begin_.assign(unseen_.size() + 1, 0);
    for (std::size_t content = 0; content < unseen_.size(); ++content) {
      readers_begin_[content + 1] = readers_begin_[content] + unseen_[content];
    }
    readers_.resize(reading_.reads.size());
    std::vector<std::uint32_t> at(readers_begin_.begin(), readers_begin_.end() - 1);
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      for (const Read& read : reading_.reads_of(t)) readers_[at[read.content]++] = t;
    }
  }
  void wake_readers(std::uint32_t content) {
    awake_.insert(awake_.end(), readers_.begin() + readers_begin_[content],
                  readers_.begin() + readers_begin_[content + 1]);
  }
  /// Where times are a hint, what sees what it saw is placed, though it was called later: it may see it no more then.
  void place_awake() {
    while (!awake_.empty()) {
      const std::uint32_t t = awake_.back();
      awake_.pop_back();
      if ((stage_[t] == Stage::uncalled || stage_[t] == Stage::open) && !reading_.reads_of(t).empty() && fits(t))
        place(t);
    }
  }

  void place_what_fits() {
    place_awake();
    for (std::size_t i = 0; i < open_.size();) {
      if (fits(open_[i])) {
        place(open_[i]);
        place_awake();
        i = 0;
      } else {
        ++i;
      }
    }
  }

  void place(std::uint32_t t) {
    stage_[t] = Stage::placed;
    std::erase(open_, t);
    precedence_.place(t);
    for (const Read& read : reading_.reads_of(t)) --unseen_[read.content];
    for (std::uint32_t i = reading_.write_begin[t]; i < reading_.write_begin[t + 1]; ++i) {
      holds_[reading_.writes[i]] = i;
      if (any_time_) wake_readers(i);
    }
    if (any_time_ && next_[t] != kNone) awake_.push_back(next_[t]);
  }

  /// Who has to stand before the transaction and does not yet; kNone: nobody.
  [[nodiscard]] std::uint32_t needed_before(std::uint32_t t) const {
    if (previous_[t] != kNone && stage_[previous_[t]] != Stage::placed) return previous_[t];
    for (const Read& read : reading_.reads_of(t)) {
      if (read.writer != kNone && stage_[read.writer] != Stage::placed) return read.writer;
    }
    return kNone;
  }

  /// Places the transaction, and before it those that it read from. False: `contradiction_` says why it cannot be.
  bool place_by_force(std::uint32_t t) {
    std::vector<std::uint32_t> waiting{t};
    while (!waiting.empty()) {
      const std::uint32_t reader = waiting.back();
      stage_[reader] = Stage::waiting;
      const std::uint32_t needed = needed_before(reader);
      if (needed == kNone) {
        place(reader);
        waiting.pop_back();
      } else if (stage_[needed] == Stage::open || (stage_[needed] == Stage::uncalled && any_time_)) {
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
      found.sentence = fmt::format("{} transactions saw what each other wrote{}, in a circle", waiting.end() - from,
                                   sessions_of<MultiRegister>(*part_.specification) != nullptr
                                       ? ", or followed each other in their processes"
                                       : "");
    }
    for (auto each = from; each != waiting.end(); ++each) {
      found.transactions.push_back(*each);
      const std::uint32_t writer = each + 1 != waiting.end() ? *(each + 1) : needed;
      if (previous_[*each] == writer) continue;
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
  const bool any_time_ = part_.recorded != nullptr;  // at weaker levels the events are a hint, and need not be kept to
  std::vector<std::uint32_t> previous_;  // by local index, where sessions count: the one before it in its own
  std::vector<Stage> stage_;
  std::vector<std::uint32_t> unseen_;  // by content: how many are still to see it
  std::vector<std::uint32_t> holds_;   // by key: its content
  std::vector<std::uint32_t> open_;
  // Where times are a hint: by local index, the next in its session; by content, who reads it; who may fit by now.
  std::vector<std::uint32_t> next_, readers_begin_, readers_, awake_;
  std::optional<Contradiction> contradiction_;
};

}  // namespace

std::optional<Contradiction> first_order(const history::Subhistory& part, const Reading& reading,
                                         Precedence& precedence, core::Budget& budget) {
  return Placing(part, reading, precedence).run(budget);
}

}  // namespace linchpin::types::multi_register

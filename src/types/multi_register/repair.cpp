#include "types/multi_register/repair.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "types/in_sessions.hpp"
#include "types/letter.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::types::multi_register {

namespace {

/// A search that takes back more trials than this, and one for each transaction, is left to others.
constexpr std::uint32_t kMostBackJumps = 20'000;

}  // namespace

Repair::End Repair::run(core::Budget& budget) {
  while (place_ < precedence_.order().size()) {
    if (budget.spent() || back_jumps_ > kMostBackJumps + part_.size()) return End::given_up;
    const std::uint32_t t = precedence_.order()[place_];
    if (precedence_.is_barrier(t)) {
      ++place_;
      continue;
    }
    std::optional<Triple> broken;
    for (std::uint32_t i = reading_.read_begin[t]; i < reading_.read_begin[t + 1] && !broken; ++i) {
      const Read& read = reading_.reads[i];
      const std::vector<std::uint32_t>& written = written_[read.key];
      const std::uint32_t holds = written.empty() ? reading_.initial_content(read.key) : written.back();
      if (holds == read.content) continue;
      // Of those that wrote the key since, the first: where it is behind the reader, the others most likely are.
      const std::size_t next = read.writer == kNone ? 0 : nth_[read.content] + 1;
      broken = {read.writer, writer_[written[next]], t, i};
    }
    if (broken) {
      if (!resolve(*broken)) return End::contradiction;
      continue;
    }
    for (std::uint32_t i = reading_.write_begin[t]; i < reading_.write_begin[t + 1]; ++i) {
      std::vector<std::uint32_t>& written = written_[reading_.writes[i]];
      nth_[i] = static_cast<std::uint32_t>(written.size());
      written.push_back(i);
    }
    ++place_;
  }
  return End::replays;
}

/// Undoes the replay from that place on.
void Repair::rewind(std::uint32_t place) {
  while (place_ > place) {
    const std::uint32_t t = precedence_.order()[--place_];
    if (precedence_.is_barrier(t)) continue;
    for (const std::uint32_t key : reading_.writes_of(t)) written_[key].pop_back();
  }
}

std::vector<std::uint32_t> Repair::trials_of(const std::vector<Link>& links) const {
  std::vector<std::uint32_t> trials;
  for (const Link& link : links) {
    if (link.added == kNone) continue;
    const auto& rests_on = added_[link.added].rests_on;
    trials.insert(trials.end(), rests_on.begin(), rests_on.end());
  }
  std::sort(trials.begin(), trials.end());
  trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
  return trials;
}

/// Which of two open ways is more likely: what was called and returned later is behind.
bool Repair::prefers_last(const Triple& triple) const { return middle_[triple.reader] <= middle_[triple.other]; }

/// False: there is no order.
bool Repair::resolve(const Triple& triple) {
  Added added{.triple = triple, .other_last = true, .because = {}, .rests_on = {}};
  const bool behind_writer = triple.writer == kNone || precedence_.path(triple.writer, triple.other, added.because);
  if (!behind_writer && precedence_.path(triple.other, triple.reader, added.because)) added.other_last = false;
  if (!behind_writer && added.because.empty()) {
    added.other_last = prefers_last(triple);
    added.rests_on = {static_cast<std::uint32_t>(trials_.size())};
    trials_.push_back(static_cast<std::uint32_t>(added_.size()));
  } else {
    added.rests_on = trials_of(added.because);
  }
  return insert(std::move(added));
}

bool Repair::insert(Added added) {
  const std::uint32_t from = added.from(), to = added.to();
  std::vector<Link> back;
  if (precedence_.path(to, from, back)) {
    added.because.insert(added.because.end(), back.begin(), back.end());
    std::vector<std::uint32_t> trials = trials_of(back);
    trials.insert(trials.end(), added.rests_on.begin(), added.rests_on.end());
    std::sort(trials.begin(), trials.end());
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    added.rests_on = std::move(trials);
    return back_jump(std::move(added));
  }
  if (precedence_.position(from) > precedence_.position(to)) rewind(precedence_.position(to));
  const auto number = static_cast<std::uint32_t>(added_.size());
  precedence_.add(from, to, number);
  there_.push_back(number);
  added_.push_back(std::move(added));
  return true;
}

/// Neither way of a triple is left. Of the trials that this rests on, the last was wrong.
bool Repair::back_jump(Added failed) {
  if (failed.rests_on.empty()) {
    failed_ = std::move(failed);
    return false;
  }
  ++back_jumps_;
  const std::uint32_t trial = failed.rests_on.back();
  const std::uint32_t wrong = trials_[trial];
  while (!there_.empty() && there_.back() >= wrong) {
    precedence_.remove(added_[there_.back()].from(), added_[there_.back()].to());
    there_.pop_back();
  }
  trials_.resize(trial);
  Added other{.triple = added_[wrong].triple,
              .other_last = !added_[wrong].other_last,
              .because = std::move(failed.because),
              .rests_on = std::move(failed.rests_on)};
  other.rests_on.pop_back();
  return insert(std::move(other));
}

std::string Repair::clause(const Link& link, const std::string& from, const std::string& to) const {
  if (link.added == kNone) {
    for (const Read& read : reading_.reads_of(link.to)) {
      if (read.writer != link.from) continue;
      return fmt::format("{} read from {} what {} wrote", to, part_.history->pool().to_text(reading_.keys[read.key]),
                         from);
    }
    return sessions_of<MultiRegister>(*part_.specification) != nullptr
               ? fmt::format("{} came before {} in their process", from, to)
               : fmt::format("{} returned before {} was called", from, to);
  }
  const Added& added = added_[link.added];
  const Read& read = reading_.reads[added.triple.read];
  const std::string key = part_.history->pool().to_text(reading_.keys[read.key]);
  return added.other_last ? fmt::format("{} read {} before {} wrote it", from, key, to)
                          : fmt::format("{} wrote {} before {} did", from, key, to);
}

Contradiction Repair::contradiction() const {
  Contradiction found{.transactions = {}, .blocked = failed_->triple.reader, .sentence = {}, .certain = true};
  std::vector<bool> met(added_.size(), false);
  std::vector<const Added*> waiting{&*failed_};
  while (!waiting.empty()) {
    const Added& added = *waiting.back();
    waiting.pop_back();
    const Read& read = reading_.reads[added.triple.read];
    found.certain = found.certain && read.certain;
    for (const std::uint32_t t : {added.triple.writer, added.triple.other, added.triple.reader, read.shown_by}) {
      if (t != kNone) found.transactions.push_back(t);
    }
    for (const Link& link : added.because) {
      if (!precedence_.is_barrier(link.from)) found.transactions.push_back(link.from);
      if (!precedence_.is_barrier(link.to)) found.transactions.push_back(link.to);
      if (link.added != kNone) {
        if (!met[link.added]) waiting.push_back(&added_[link.added]);
        met[link.added] = true;
        continue;
      }
      if (precedence_.is_barrier(link.from) || precedence_.is_barrier(link.to)) continue;
      for (const Read& seen : reading_.reads_of(link.to)) {
        if (seen.writer != link.from) continue;
        found.certain = found.certain && seen.certain;
        if (seen.shown_by != kNone) found.transactions.push_back(seen.shown_by);
        break;
      }
    }
  }
  std::sort(found.transactions.begin(), found.transactions.end());
  found.transactions.erase(std::unique(found.transactions.begin(), found.transactions.end()), found.transactions.end());

  // What must be between: A wrote what C read, and B wrote the key, behind A and before C.
  const Triple& triple = failed_->triple;
  std::vector<std::uint32_t> named;
  const auto name = [&](std::uint32_t t) {
    const auto at = std::find(named.begin(), named.end(), t);
    if (at == named.end()) {
      named.push_back(t);
      return letter(named.size() - 1);
    }
    return letter(static_cast<std::size_t>(at - named.begin()));
  };
  const std::string key = part_.history->pool().to_text(reading_.keys[reading_.reads[triple.read].key]);
  const std::string reader = name(triple.reader), other = name(triple.other);
  std::string text = triple.writer == kNone
                         ? fmt::format("{} read {} as it was at first, but after {} wrote it", reader, key, other)
                         : fmt::format("{} read from {} what {} wrote, but {} wrote it in between", reader, key,
                                       name(triple.writer), other);
  std::uint32_t from = kNone;  // before the barriers of a path
  for (const Link& link : failed_->because) {
    if (precedence_.is_barrier(link.to)) {
      if (!precedence_.is_barrier(link.from)) from = link.from;
      continue;
    }
    const std::uint32_t start = precedence_.is_barrier(link.from) ? from : link.from;
    const std::string before = name(start), after = name(link.to);
    text += fmt::format(", {}", clause({start, link.to, link.added}, before, after));
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    text +=
        fmt::format("{}{} is {}", i == 0 ? "; " : ", ", letter(i), part_.history->describe(part_.operation[named[i]]));
  }
  found.sentence = std::move(text);
  return found;
}

}  // namespace linchpin::types::multi_register

#include "types/map/text_violations.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/map/steps.hpp"

namespace linchpin::types::map {

namespace {

using algo::ChainConflict;
using history::Subhistory;

/// What the operations of a conflict say, in the words of texts.
class AppendSentences {
 public:
  AppendSentences(const Subhistory& part, const Appended& appended) : part_(part), appended_(appended) {}

  [[nodiscard]] std::string out_of_order(std::uint32_t early, std::uint32_t late) const {
    if (!looks(early) && looks(late)) {
      return fmt::format("stale: {} does not show what {} wrote, which had returned before", text(late), text(early));
    }
    if (looks(early) && !looks(late)) {
      return fmt::format("{} shows what {} wrote, which was called only later", text(early), text(late));
    }
    if (looks(early)) {
      return fmt::format("the content went back: {} shows less than {}, which had returned before", text(late),
                         text(early));
    }
    return fmt::format("{} comes before {} in {}, but had not been called when that returned", text(late), text(early),
                       text(shower(early)));
  }

  [[nodiscard]] std::string crossing(const ChainConflict& conflict) const {
    const bool lost = conflict.other_least == conflict.other_greatest && nobody_saw(conflict.other_least);
    const std::uint32_t lone = conflict.other_least;
    if (conflict.least == kNone) {
      return fmt::format("{} shows nothing of {}, which had returned before", text(conflict.greatest),
                         text(conflict.other_least));
    }
    if (lost) {
      return fmt::format(
          "{} is lost: no answer shows it, and it ran between {} and {}, which are of one content that "
          "only grew",
          text(lone), text(conflict.least), text(conflict.greatest));
    }
    return fmt::format(
        "two contents at once: {} and {} are of one that only grew, {} and {} of another, and each "
        "would have to be over before the other began",
        text(conflict.least), text(conflict.greatest), text(conflict.other_least), text(conflict.other_greatest));
  }

  [[nodiscard]] std::string left_twice(std::uint32_t a, std::uint32_t b) const {
    return fmt::format("{} and {} both followed the same content, which was there only once", text(a), text(b));
  }

 private:
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] bool looks(std::uint32_t i) const { return appended_.written[i] == kNone; }
  [[nodiscard]] bool nobody_saw(std::uint32_t i) const {
    return !looks(i) && appended_.before[appended_.written[i]] == kNone;
  }
  [[nodiscard]] std::uint32_t shower(std::uint32_t i) const {
    const std::uint32_t found = appended_.shown_by[appended_.written[i]];
    return found == kNone ? i : found;
  }

  const Subhistory& part_;
  const Appended& appended_;
};

/// What stands between two operations of one chain where neither wrote it: the first part that the longer one shows.
std::vector<std::uint32_t> difference(const Appended& appended, std::uint32_t a, std::uint32_t b) {
  const auto at = [&](std::uint32_t i) {
    return appended.written[i] != kNone ? appended.written[i] : appended.seen[i];
  };
  const auto depth = [&](Parts::Number part) {
    std::size_t steps = 0;
    for (; part != kNone; part = appended.before[part] == part ? kNone : appended.before[part]) ++steps;
    return steps;
  };
  const Parts::Number shorter = depth(at(a)) < depth(at(b)) ? at(a) : at(b);
  const Parts::Number next = shorter == kNone ? kNone : appended.after[shorter];
  if (next == kNone) return {a, b};
  return {a, b, appended.maker[next]};
}

core::Outcome violation(const Subhistory& part, const Appended& appended, std::vector<std::uint32_t> core,
                        std::string sentence) {
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  return {.verdict = Verdict::violation, .core = with_answers(part, appended, core), .sentence = std::move(sentence)};
}

}  // namespace

algo::ChainStep text_step(const Subhistory& part, std::uint32_t i, const Map& map) {
  if (part.method[i] == Map::kAppend) return {.role = algo::ChainRole::writes, .to = part.arguments(i)[1]};
  return *step_of(part, i, map);
}

core::Outcome tell_contradiction(const Subhistory& part, const Appended& appended) {
  return violation(part, appended, appended.contradiction.operations, appended.contradiction.sentence);
}

core::Outcome tell_texts(const Subhistory& part, const Appended& appended, const ChainConflict& conflict,
                         core::Outcome outcome) {
  if (outcome.verdict != Verdict::violation) return outcome;
  const AppendSentences sentences(part, appended);
  switch (conflict.kind) {
    case ChainConflict::Kind::out_of_order:
      return violation(part, appended, difference(appended, conflict.least, conflict.greatest),
                       sentences.out_of_order(conflict.least, conflict.greatest));
    case ChainConflict::Kind::left_twice:
      return violation(part, appended, std::move(outcome.core),
                       sentences.left_twice(conflict.least, conflict.greatest));
    case ChainConflict::Kind::crossing:
      return violation(part, appended, std::move(outcome.core), sentences.crossing(conflict));
    default:
      if (outcome.core.size() == part.size()) return outcome;  // nothing can be added to it
      return violation(part, appended, std::move(outcome.core), std::move(outcome.sentence));
  }
}

}  // namespace linchpin::types::map

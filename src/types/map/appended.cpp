#include "types/map/appended.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "types/map/steps.hpp"

namespace linchpin::types::map {

namespace {

using algo::ChainRole;
using algo::ChainStep;
using algo::ValueNumber;
using history::Subhistory;

class ContentReader {
 public:
  ContentReader(const Subhistory& part, const Map& map, bool removed, Appended& result)
      : part_(part), map_(map), removed_(removed), result_(result) {}

  std::string read() {
    if (std::string why = read_steps(); !why.empty()) return why;
    const Parts parts(texts_);
    if (parts.twice()) return fmt::format("the text {} is written twice", quoted(*parts.twice()));
    if (parts.ambiguous()) {
      const auto [shorter, longer] = *parts.ambiguous();
      return fmt::format("texts may be cut into parts in several ways: {} begins with {}", quoted(longer),
                         quoted(shorter));
    }
    result_.before.assign(texts_.size(), kNone);
    result_.after.assign(texts_.size(), kNone);
    result_.shown_by.assign(texts_.size(), kNone);
    epoch_of_.assign(texts_.size(), kNone);
    return follow_all(parts) ? number_states(parts) : std::string();
  }

 private:
  struct Epoch {
    std::string_view longest;
    std::size_t begin = 0, end = 0;  // of path_ and cuts_
  };

  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] std::string_view text_of(Value value) const { return part_.history->pool().text_of(value); }
  [[nodiscard]] std::string quoted(Parts::Number number) const { return fmt::format("\"{}\"", texts_[number]); }
  [[nodiscard]] bool appends(Parts::Number number) const { return part_.method[result_.maker[number]] == Map::kAppend; }

  /// What each operation does, an append being a write of its text.
  std::string read_steps() {
    if (std::find(part_.method.begin(), part_.method.end(), Map::kAppend) == part_.method.end())
      return kNothingAppended;
    steps_.reserve(part_.size());
    result_.written.assign(part_.size(), kNone);
    result_.seen.assign(part_.size(), kNone);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (std::string why = more_than_one_key(part_, i, map_); !why.empty()) return why;
      const bool append = part_.method[i] == Map::kAppend;
      const std::optional<ChainStep> step = append ? append_step(i) : step_of(part_, i, map_);
      if (!step) return fmt::format("{} does not tell what it did", text(i));
      steps_.push_back(*step);
      if (!algo::produces(step->role)) continue;
      if (step->to == kAbsent && !removed_) return fmt::format("{} leaves the key absent again", text(i));
      if (step->to == kAbsent) continue;
      if (!step->to.is_string()) return fmt::format("{} writes no text, and texts are appended", text(i));
      if (text_of(step->to).empty()) return fmt::format("{} writes an empty text, and texts are appended", text(i));
      result_.written[i] = static_cast<Parts::Number>(texts_.size());
      result_.maker.push_back(i);
      texts_.push_back(text_of(step->to));
    }
    return {};
  }

  [[nodiscard]] std::optional<ChainStep> append_step(std::uint32_t i) const {
    const Operation operation = part_.view(i);
    const Value tail = operation.argument(1);
    if (!operation.acknowledged(1)) {
      return part_.pending(i) ? std::optional(ChainStep{.role = ChainRole::ignored}) : std::nullopt;
    }
    if (map_.is_absent(tail, *operation.pool)) {
      return ChainStep{.role = part_.pending(i) ? ChainRole::ignored : ChainRole::free};
    }
    return ChainStep{.role = ChainRole::writes, .to = tail};
  }

  /// Follows every content that somebody saw, longer ones first; then what pending operations saw that took effect,
  /// as others show. False: there is a contradiction.
  bool follow_all(const Parts& parts) {
    std::vector<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.pending(i) || !sees_text(i)) continue;
      if (last_part_.try_emplace(steps_[i].from.bits(), kNone).second) seen.push_back(i);
    }
    const auto length = [&](std::uint32_t i) { return text_of(steps_[i].from).size(); };
    std::stable_sort(seen.begin(), seen.end(), [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    for (const std::uint32_t i : seen) {
      if (!follow(parts, i)) return false;
    }
    for (std::size_t k = 0; k < took_effect_.size(); ++k) {  // NOLINT(modernize-loop-convert): it grows
      const std::uint32_t i = took_effect_[k];
      if (last_part_.try_emplace(steps_[i].from.bits(), kNone).second && !follow(parts, i)) return false;
    }
    return true;
  }

  [[nodiscard]] bool sees_text(std::uint32_t i) const {
    return algo::observes(steps_[i].role) && steps_[i].from.is_string();
  }

  bool follow(const Parts& parts, std::uint32_t i) {
    const Value content = steps_[i].from;
    const std::string_view whole = text_of(content);
    Parts::Number& last = last_part_[content.bits()];
    if (parts.from_left()) {
      const Parts::Number first = parts.first(whole);
      if (first != kNone && epoch_of_[first] != kNone) last = find(epochs_[epoch_of_[first]], whole);
      if (last != kNone) return true;
    }
    if (whole.empty() || !parts.cut(whole, cut_)) {  // where an empty text is none that is absent, nobody wrote it
      return contradicts({i},
                         fmt::format("{}: the texts that were written and appended do not make this text", text(i)));
    }
    for (std::size_t k = 0; k < cut_.size(); ++k) {
      if (!place(i, k == 0 ? cut_[0] : cut_[k - 1], cut_[k], k == 0)) return false;
    }
    last = cut_.back();
    remember(whole);
    return true;
  }

  /// The last part of a text that begins the longest content of the epoch and ends where a part ends; or kNone.
  [[nodiscard]] Parts::Number find(const Epoch& epoch, std::string_view whole) const {
    if (whole.size() > epoch.longest.size()) return kNone;
    if (std::memcmp(whole.data(), epoch.longest.data(), whole.size()) != 0) return kNone;
    const auto begin = cuts_.begin() + static_cast<std::ptrdiff_t>(epoch.begin);
    const auto end = cuts_.begin() + static_cast<std::ptrdiff_t>(epoch.end);
    const auto found = std::lower_bound(begin, end, whole.size());
    return found == end || *found != whole.size() ? kNone : path_[static_cast<std::size_t>(found - cuts_.begin())];
  }

  void remember(std::string_view whole) {
    std::uint32_t& number = epoch_of_[cut_[0]];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(epochs_.size());
      epochs_.emplace_back();
    }
    Epoch& epoch = epochs_[number];
    if (whole.size() <= epoch.longest.size()) return;
    epoch = {.longest = whole, .begin = path_.size(), .end = path_.size() + cut_.size()};
    std::size_t length = 0;
    for (const Parts::Number number_of_part : cut_) {
      length += texts_[number_of_part].size();
      path_.push_back(number_of_part);
      cuts_.push_back(length);
    }
  }

  /// `now` stands right behind `before` in what operation i shows; where it is first, `before` is itself.
  bool place(std::uint32_t i, Parts::Number before, Parts::Number now, bool first) {
    const std::uint32_t writer = result_.maker[now];
    if (result_.before[now] != kNone) {
      if (result_.before[now] == before && (before != now) == !first) return true;
      const std::uint32_t other = result_.shown_by[now];
      if (other == i)
        return contradicts({i, writer}, fmt::format("{} shows {} twice, which was written once", text(i), quoted(now)));
      return contradicts({i, other, writer},
                         fmt::format("{} stands {} in the one and {} in the other: {} and {}", quoted(now),
                                     where(result_.before[now], now), where(before, now), text(other), text(i)));
    }
    if (!first) {
      if (!appends(now)) {
        return contradicts({i, writer}, fmt::format("{} shows {} behind other text, but {} replaces what was there",
                                                    text(i), quoted(now), text(writer)));
      }
      const Parts::Number next = result_.after[before];
      if (next != kNone) {
        const std::uint32_t other = result_.shown_by[next];
        return contradicts({i, other, writer, result_.maker[next]},
                           fmt::format("right behind {}, {} shows {} and {} shows {}", quoted(before), text(other),
                                       quoted(next), text(i), quoted(now)));
      }
      result_.after[before] = now;
    }
    result_.before[now] = before;
    result_.shown_by[now] = i;
    if (part_.pending(writer) && sees_text(writer)) took_effect_.push_back(writer);
    return true;
  }
  [[nodiscard]] std::string where(Parts::Number before, Parts::Number now) const {
    return before == now ? std::string("first") : fmt::format("right behind {}", quoted(before));
  }

  bool contradicts(std::vector<std::uint32_t> operations, std::string sentence) {
    result_.contradiction = {std::move(operations), std::move(sentence)};
    return false;
  }

  [[nodiscard]] static ValueNumber content_ending_with(Parts::Number part) { return ValueNumber(part + 1); }
  std::string number_states(const Parts& parts) {
    algo::ChainReading& chains = result_.chains;
    chains.role.reserve(part_.size());
    chains.from.assign(part_.size(), ValueNumber::none());
    chains.to.assign(part_.size(), ValueNumber::none());
    chains.values = static_cast<std::uint32_t>(texts_.size()) + 1;
    chains.initial = kAbsent;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const ChainStep& step = steps_[i];
      chains.role.push_back(step.role);
      if (algo::produces(step.role)) {
        chains.to[i] = step.to == kAbsent ? ValueNumber(0) : content_ending_with(result_.written[i]);
      }
      if (part_.method[i] == Map::kAppend) {
        if (!algo::produces(step.role) || result_.before[result_.written[i]] == kNone) continue;
        const Parts::Number now = result_.written[i], before = result_.before[now];
        chains.role[i] = ChainRole::moves;
        chains.from[i] = before == now ? ValueNumber(0) : content_ending_with(before);
      } else if (algo::observes(step.role) || step.role == ChainRole::differs) {
        if (step.from == kAbsent) {
          chains.from[i] = 0;
          continue;
        }
        const auto known = last_part_.find(step.from.bits());
        Parts::Number last = known == last_part_.end() ? kNone : known->second;
        if (last == kNone && step.role == ChainRole::differs && !surely_differs(parts, step.from, last)) {
          return fmt::format("{} compares with a text that nobody saw", text(i));
        }
        if (last == kNone) continue;
        result_.seen[i] = last;
        chains.from[i] = content_ending_with(last);
      }
    }
    return {};
  }

  /// Whether it is known if the text was ever there; where it was, `last` is its last part.
  bool surely_differs(const Parts& parts, Value content, Parts::Number& last) {
    if (!content.is_string() || !parts.cut(text_of(content), cut_) || cut_.empty()) return true;
    last = cut_.back();
    if (cut_.size() == 1 && !appends(last)) return true;
    for (std::size_t k = 0; k < cut_.size(); ++k) {
      if (result_.before[cut_[k]] != (k == 0 ? cut_[0] : cut_[k - 1])) return false;
    }
    return true;
  }

  const Subhistory& part_;
  const Map& map_;
  bool removed_;
  Appended& result_;
  std::vector<ChainStep> steps_;                                 // by operation
  std::vector<std::string_view> texts_;                          // by part
  absl::flat_hash_map<std::uint64_t, Parts::Number> last_part_;  // by the bits of a content that was seen
  std::vector<std::uint32_t> took_effect_;                       // pending operations that saw a content
  std::vector<std::uint32_t> epoch_of_;                          // by first part
  std::vector<Epoch> epochs_;
  std::vector<Parts::Number> path_;  // the parts of the longest contents
  std::vector<std::size_t> cuts_;    // beside path_: where the part ends
  std::vector<Parts::Number> cut_;   // of the text at hand
};

}  // namespace

std::string read_appended(const Subhistory& part, const Map& map, bool removed, Appended& appended) {
  return ContentReader(part, map, removed, appended).read();
}

std::vector<std::uint32_t> with_answers(const Subhistory& part, const Appended& appended,
                                        const std::vector<std::uint32_t>& core) {
  std::vector<std::uint32_t> all = core;
  std::vector<bool> there(part.size(), false);
  for (const std::uint32_t i : all) there[i] = true;
  const auto add = [&](std::uint32_t i) {
    if (!there[i]) all.push_back(i);
    there[i] = true;
  };
  const auto shown = [&](Parts::Number number) { return number != kNone && appended.before[number] != kNone; };
  // What begins an epoch needs no proof of its own: else one compare-and-set after the other would come in.
  std::vector<std::uint32_t> first;
  for (std::size_t k = 0; k < all.size(); ++k) {  // NOLINT(modernize-loop-convert): it grows
    const std::uint32_t i = all[k];
    const Parts::Number written = appended.written[i], seen = appended.seen[i];
    const bool told = part.method[i] != Map::kAppend && !part.pending(i);
    if (shown(written) && !told) add(appended.shown_by[written]);
    for (const Parts::Number number : {written, seen}) {
      if (shown(number)) first.push_back(appended.maker[appended.first_of(number)]);
    }
  }
  for (const std::uint32_t i : first) add(i);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace linchpin::types::map

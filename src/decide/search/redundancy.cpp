#include "decide/search/redundancy.hpp"

#include <algorithm>
#include <bit>

#include "base/none.hpp"

namespace linchpin::decide {

namespace {

bool has(const std::uint64_t* mask, std::uint32_t place) { return ((mask[place >> 6] >> (place & 63)) & 1U) != 0; }

}  // namespace

void Redundancy::clear() {
  words_ = window_.words();
  others_.clear();
  pure_.clear();
  slots_.clear();
}

void Redundancy::make_room(std::size_t configurations, std::uint32_t first_look) {
  looks_.assign(words_, 0);
  for (auto place = first_look; place < slots_.size(); ++place) set(looks_.data(), place);
  masks_.assign(configurations * 2 * words_, 0);
  keys_.resize(configurations);
  states_.resize(configurations);
  next_.assign(configurations, kNone);
  first_.assign(std::bit_ceil(configurations + 1), kNone);
  dropped_.assign(configurations, false);
  scratch_.resize(std::size_t{2} * words_);
  arranged_ = compared_ = 0;
}

void Redundancy::list(std::uint32_t at, std::uint64_t key) {
  keys_[at] = key;
  std::uint32_t& first = first_[mix(5, key) & (first_.size() - 1)];
  next_[at] = first;
  first = at;
}

void Redundancy::compare(std::uint32_t at) {
  if (dropped_[at]) return;  // by one that leads to whatever this one leads to
  const StateId state = states_[at];
  drop_dominated(mask(at), state, keys_[at], at);
  for (const Place& place : others_) {
    std::uint32_t k = place.begin;
    while (k < place.end && has(mask(at) + words_, k)) ++k;
    if (k == place.end) continue;
    successors_.clear();
    for (const StateId next : transitions_.after(state, place.label)) successors_.push_back(next);
    for (const StateId next : successors_) {
      std::copy_n(mask(at), std::size_t{2} * words_, scratch_.begin());
      set(&scratch_[words_], k);
      set(scratch_.data(), k);
      if (place.overwrites != Labels::kNowhere) {
        for (const Place& other : others_) {
          if (other.overwrites != place.overwrites) continue;
          for (std::uint32_t p = other.begin; p < other.end; ++p) set(scratch_.data(), p);
        }
      }
      for (const Place& look : pure_) {
        if (has(scratch_.data(), look.end - 1) || !transitions_.legal(next, look.label)) continue;
        for (std::uint32_t p = look.begin; p < look.end; ++p) set(scratch_.data(), p);
      }
      drop_dominated(scratch_.data(), next, keys_[at] - key_of(state) + key_of(next) + place.weight, kNone);
    }
  }
}

/// Drops what the given configuration dominates. `by`: its own number, or it is one that another can lead to. Of
/// several that dominate one another the first is kept.
void Redundancy::drop_dominated(const std::uint64_t* mask_of_by, StateId state, std::uint64_t key, std::uint32_t by) {
  std::uint32_t compared = 0;
  for (std::uint32_t other = first_[mix(5, key) & (first_.size() - 1)]; other != kNone; other = next_[other]) {
    if (other == by || dropped_[other] || keys_[other] != key || states_[other] != state) continue;
    const int how = dominates(mask_of_by, mask(other));
    if (how > 0 && (how == 2 || by == kNone || by < other)) dropped_[other] = true;
    if (++compared == (by == kNone ? kComparedLater : kCompared)) return;
  }
}

/// Of two arranged masks with one state: 0: a does not dominate b; 1: they dominate one another; 2: only a does b.
/// Of each label, up to each response, a has as many settled as b, and from each response on no more done.
int Redundancy::dominates(const std::uint64_t* a, const std::uint64_t* b) const {
  // Most pairs fail in numbers.
  int settled = 0;
  int done = 0;
  for (std::uint32_t w = 0; w < words_; ++w) {
    if ((b[w] & ~a[w] & looks_[w]) != 0) return 0;
    settled += std::popcount(a[w]) - std::popcount(b[w]);
    done += std::popcount(a[words_ + w]) - std::popcount(b[words_ + w]);
  }
  if (settled < 0 || done > 0) return 0;
  int how = 1;
  std::size_t group = 0;
  int ahead = 0;  // how many more of the group are settled by a, up to here
  for (std::uint32_t w = 0; w < words_; ++w) {
    for (std::uint64_t differ = a[w] ^ b[w]; differ != 0; differ &= differ - 1) {
      const std::uint32_t place = w * 64 + static_cast<std::uint32_t>(std::countr_zero(differ));
      for (; group < others_.size() && place >= others_[group].end; ++group) ahead = 0;
      ahead += has(a, place) ? 1 : -1;
      if (group == others_.size()) ahead = has(a, place) ? 0 : -1;  // pure
      if (ahead < 0) return 0;
      how = 2;
    }
  }
  group = others_.size();
  ahead = 0;  // how many more of the group are done by a, from here on
  for (std::uint32_t w = words_; w-- > 0;) {
    for (std::uint64_t differ = a[words_ + w] ^ b[words_ + w]; differ != 0;) {
      const auto top = static_cast<std::uint32_t>(63 - std::countl_zero(differ));
      differ &= ~(std::uint64_t{1} << top);
      const std::uint32_t place = w * 64 + top;
      for (; place < others_[group - 1].begin; --group) ahead = 0;
      ahead += has(a + words_, place) ? 1 : -1;
      if (ahead > 0) return 0;
      how = 2;
    }
  }
  return how;
}

std::size_t Redundancy::growth(std::size_t configurations) const {
  const std::size_t needed = configurations * (std::size_t{2} * window_.words() + 1) * sizeof(std::uint64_t) +
                             3 * configurations * sizeof(std::uint32_t);
  const std::size_t held = (masks_.capacity() + keys_.capacity()) * sizeof(std::uint64_t) +
                           (first_.capacity() + next_.capacity()) * sizeof(std::uint32_t);
  return needed > held ? needed - held : 0;
}

}  // namespace linchpin::decide

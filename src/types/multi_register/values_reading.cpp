#include "types/multi_register/values_reading.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::types::multi_register {

namespace {

using history::Rank;

class ContentReader {
 public:
  ContentReader(const history::Subhistory& part, const MultiRegister& specification)
      : part_(part), specification_(specification) {}

  ContentTouches run() {
    const std::uint32_t size = part_.size();
    all_.idle.assign(size, false);
    all_.impossible.assign(size, false);
    all_.leaves.assign(size, false);
    if (specification_.initial_value) all_.initial = kInitialContent;
    for (std::uint32_t x = 0; x < size; ++x) {
      const auto first = static_cast<std::uint32_t>(all_.touches.size());
      all_.first.push_back(first);
      if (!add(x)) {
        all_.touches.resize(first);
        (part_.pending(x) ? all_.idle : all_.impossible)[x] = true;
        continue;
      }
      for (const ContentTouch& touch : std::span(all_.touches).subspan(first)) {
        if (touch.leave != kSameContent) all_.leaves[x] = true;
      }
      // A pending transaction that changes nothing need not take effect.
      if (first == all_.touches.size() || (part_.pending(x) && !all_.leaves[x])) all_.idle[x] = true;
    }
    all_.first.push_back(static_cast<std::uint32_t>(all_.touches.size()));
    all_.keys = static_cast<std::uint32_t>(keys_.size());
    number_alike();
    return std::move(all_);
  }

 private:
  /// Numbers count a key's own values, so that what is noted for each of them is no more than there are writes and
  /// reads.
  Content content_of(std::uint32_t key, Value value) {
    if (specification_.initial_value && value == *specification_.initial_value) return kInitialContent;
    const auto [entry, fresh] = contents_.try_emplace({key, value.bits()}, 0);
    if (!fresh) return entry->second;
    if (last_.size() <= key) last_.resize(key + 1, kInitialContent);
    return entry->second = ++last_[key];
  }

  /// The touches of a transaction; false: it is legal nowhere.
  bool add(std::uint32_t x) {
    const auto first = static_cast<std::ptrdiff_t>(all_.touches.size());
    const bool possible = specification_.visit(part_.view(x), [&](const MultiRegister::MicroOperation& micro) {
      if (micro.value.is_nil() && !micro.writes) return true;
      if (micro.value.is_none() && !micro.writes) return false;
      const std::uint32_t key =
          keys_.try_emplace(micro.key.bits(), static_cast<std::uint32_t>(keys_.size())).first->second;
      const Content content = content_of(key, micro.value);
      auto at = std::find_if(all_.touches.begin() + first, all_.touches.end(),
                             [&](const ContentTouch& each) { return each.key == key; });
      if (at == all_.touches.end()) at = all_.touches.insert(at, {.key = key});
      if (micro.writes) {
        at->leave = content;
        return true;
      }
      Content& seen = at->leave != kSameContent ? at->leave : at->need;
      if (seen == kAnyContent) seen = content;
      return seen == content;
    });
    for (auto at = all_.touches.begin() + first; at != all_.touches.end(); ++at) {
      if (at->leave == at->need) at->leave = kSameContent;
    }
    return possible;
  }

  void number_alike() {
    absl::flat_hash_map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (std::uint32_t x = 0; x < part_.size(); ++x) {
      std::vector<std::uint32_t> what;
      for (const ContentTouch& touch : all_.of(x)) what.insert(what.end(), {touch.key, touch.need, touch.leave});
      all_.alike.push_back(known.try_emplace(std::move(what), x).first->second);
    }
  }

  const history::Subhistory& part_;
  const MultiRegister& specification_;
  ContentTouches all_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> keys_;                          // by bits
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, Content> contents_;  // by key and bits
  std::vector<Content> last_;                                                       // by key: the last one given
};

}  // namespace

ContentTouches read_contents(const history::Subhistory& part) {
  return ContentReader(part, *part.specification->get_if<MultiRegister>()).run();
}

Wants::Wants(const history::Subhistory& part, const ContentTouches& all) : number_(all.keys) {
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (part.pending(x)) continue;
    for (const ContentTouch& touch : all.of(x)) {
      if (touch.need == kAnyContent) continue;
      std::vector<std::uint32_t>& numbers = number_[touch.key];
      if (numbers.size() <= touch.need) numbers.resize(touch.need + 1, kNone);
      std::uint32_t& number = numbers[touch.need];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(wants_.size());
        wants_.emplace_back();
      }
    }
  }
  for (const history::Event event : part.events()) {
    if (event.is_response()) continue;
    const std::uint32_t x = event.operation();
    for (const ContentTouch& touch : all.of(x)) {
      if (touch.need != kAnyContent && !part.pending(x)) {
        Want& want = wants_[find(touch.key, touch.need)];
        want.called.push_back(part.call[x]);
        want.returned.push_back(part.response[x]);
      }
      const std::uint32_t left = touch.leave == kSameContent ? kNone : find(touch.key, touch.leave);
      if (left != kNone) wants_[left].written.push_back(part.call[x]);
    }
  }
  for (Want& want : wants_) {
    for (std::size_t at = want.returned.size(); at-- > 1;) {
      want.returned[at - 1] = std::min(want.returned[at - 1], want.returned[at]);
    }
  }
}

std::uint32_t Wants::find(std::uint32_t key, Content content) const {
  const std::vector<std::uint32_t>& numbers = number_[key];
  return content < numbers.size() ? numbers[content] : kNone;
}

Rank Wants::read_by(std::uint32_t want, Rank rank) const {
  const Want& one = wants_[want];
  const auto at = std::upper_bound(one.called.begin(), one.called.end(), rank) - one.called.begin();
  return static_cast<std::size_t>(at) == one.called.size() ? Rank::none() : one.returned[static_cast<std::size_t>(at)];
}

Rank Wants::written_from(std::uint32_t want, Rank rank) const {
  const std::vector<Rank>& written = wants_[want].written;
  const auto at = std::upper_bound(written.begin(), written.end(), rank);
  return at == written.end() ? Rank::none() : *at;
}

}  // namespace linchpin::types::multi_register

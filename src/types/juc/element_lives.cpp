// Refutes histories of the queues, deques and heaps of java.util.concurrent by an element that was put in once.
//
// Such an element is inside in one stretch. It is *certainly inside* from the response of what puts it in until the
// last call of what needs it. Within that, nothing can exclude it: find it missing, find the collection empty, print it
// without the element, clear it, or take the element. And no two operations take it. Of a queue, an element that
// certainly came first is not inside when a later one is at the front, and is printed before it; of a heap, no smaller
// element is inside then.
// Cost: O(n m) for m elements certainly inside at once; O(n) in what is common. Compare: unheard.cpp (what was never
// put in), contents.cpp. Tests: element_lives_test.cpp.
#include "types/juc/element_lives.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "types/juc/foresight.hpp"

namespace linchpin::types::juc {

namespace {

using history::Rank;
using history::Subhistory;
using Kind = Deed::Kind;
using Local = std::uint32_t;

class Lives {
 public:
  explicit Lives(const Subhistory& part) : part_(part), deeds_(read_deeds(part)) {
    if (deeds_.obstacle.empty()) foresight_ = foresee(part, deeds_);
  }

  bool refute() {
    if (!deeds_.obstacle.empty()) return false;
    for (Element v = 0; v < foresight_.of.size(); ++v) {
      if (is_taken_twice(v)) return true;
    }
    for (const history::Event event : part_.events()) {
      const Local x = event.operation();
      if (event.is_response() ? responds(x) : calls(x)) return true;
    }
    return false;
  }
  [[nodiscard]] core::Outcome outcome() {
    std::sort(core_.begin(), core_.end());
    core_.erase(std::unique(core_.begin(), core_.end()), core_.end());
    return {.verdict = Verdict::violation, .core = std::move(core_), .sentence = std::move(sentence_)};
  }

 private:
  bool found(std::vector<Local> core, std::string sentence) {
    core_ = std::move(core);
    sentence_ = std::move(sentence);
    return true;
  }
  [[nodiscard]] const ElementFacts& facts(Element v) const { return foresight_.of[v]; }
  [[nodiscard]] Rank begin(Element v) const { return part_.response[facts(v).adder]; }
  [[nodiscard]] Rank end(Element v) const { return facts(v).last_needed_call; }
  /// It needs the element last, of those that returned.
  [[nodiscard]] Local witness(Element v) const { return facts(v).needed_by.back(); }
  [[nodiscard]] std::string element(Element v) const { return part_.history->pool().to_text(deeds_.value[v]); }
  [[nodiscard]] std::string told(Local x) const { return part_.history->describe(part_.operation[x]); }

  bool is_taken_twice(Element v) {
    const auto& takers = facts(v).taken_by;
    if (!facts(v).once() || takers.empty()) return false;
    if (takers.size() > 1) {
      return found({facts(v).adder, takers[0], takers[1]},
                   fmt::format("{} was put in once, and taken twice", element(v)));
    }
    if (part_.response[takers[0]] >= end(v)) return false;
    return found({facts(v).adder, takers[0], witness(v)},
                 fmt::format("{} was put in once, and was still inside after {}", element(v), told(takers[0])));
  }

  /// What it puts in is certainly inside from now on, as long as something needs it.
  void begin_lives(Local x) {
    for (const Element v : deeds_.of[x].elements) {
      if (!facts(v).once() || end(v) <= part_.response[x]) continue;
      inside_.push_back(v);
      if (longest_ == kNoElement || end(v) > end(longest_)) longest_ = v;
    }
  }

  bool responds(Local x) {
    const Deed& deed = deeds_.of[x];
    if (deed.kind == Kind::adds || deed.kind == Kind::may_add) {
      begin_lives(x);
      return false;
    }
    if (deeds_.collection == Collection::queue && deed.kind == Kind::lists && lists_against_order(x)) return true;
    const bool names = deed.kind == Kind::misses || deed.kind == Kind::removes_all || deed.kind == Kind::may_remove;
    if (names) {
      return std::any_of(deed.elements.begin(), deed.elements.end(),
                         [&](Element v) { return facts(v).once() && begin(v) != Rank::none() && is_excluded(x, v); });
    }
    const bool others = deed.kind == Kind::lists || deed.kind == Kind::only || deed.kind == Kind::keeps ||
                        deed.kind == Kind::is_empty || deed.kind == Kind::clears;
    const bool smallest = deeds_.collection == Collection::heap &&
                          (deed.kind == Kind::takes || deed.kind == Kind::looks) && !deed.elements.empty();
    if (!others && !smallest) return false;
    std::erase_if(inside_, [&](Element v) { return end(v) <= part_.response[x]; });
    if (smallest && inside_.size() > kMostCompared) return false;
    for (const Element v : inside_) {
      if (others && is_excluded(x, v)) return true;
      if (smallest && is_smaller(x, v)) return true;
    }
    return false;
  }

  bool is_excluded(Local x, Element v) {
    if (begin(v) >= part_.call[x] || part_.response[x] >= end(v) || !excludes(deeds_.of[x], v)) return false;
    return found({facts(v).adder, x, witness(v)},
                 fmt::format("{} was put in once, before {} and seen after it: it was inside", element(v), told(x)));
  }
  /// Whether v was inside a heap of which x took or saw a greater one as the smallest.
  bool is_smaller(Local x, Element v) {
    const Element seen = deeds_.of[x].elements[0];
    if (begin(v) >= part_.call[x] || part_.response[x] >= end(v)) return false;
    if (part_.history->pool().compare(deeds_.value[v], deeds_.value[seen]) >= 0) return false;
    return found({facts(v).adder, x, witness(v)},
                 fmt::format("{}, although {}, which is smaller, was inside", told(x), element(v)));
  }

  /// Of a queue: what is called now comes behind what returned; and that stays beyond a moment at which the new one is
  /// at the front.
  bool calls(Local x) {
    if (deeds_.collection != Collection::queue || longest_ == kNoElement) return false;
    const Deed& deed = deeds_.of[x];
    if (deed.kind != Kind::adds && deed.kind != Kind::may_add) return false;
    for (const Element v : deed.elements) {
      if (!facts(v).once()) continue;
      for (const Local head : facts(v).at_front) {
        if (part_.response[head] >= end(longest_)) continue;
        return found(
            {facts(longest_).adder, x, head, witness(longest_)},
            fmt::format("{}, although {}, which came before it, was still inside", told(head), element(longest_)));
      }
    }
    return false;
  }

  bool lists_against_order(Local x) {
    const std::vector<Element>& printed = deeds_.of[x].elements;
    Element first = kNoElement;  // of those behind: whose adder returned first
    for (std::size_t at = printed.size(); at-- > 0;) {
      const Element v = printed[at];
      if (!facts(v).once()) continue;
      if (first != kNoElement && begin(first) < part_.call[facts(v).adder]) {
        return found({facts(first).adder, facts(v).adder, x},
                     fmt::format("{}: {} is before {}, which came first", told(x), element(v), element(first)));
      }
      if (first == kNoElement || begin(v) < begin(first)) first = v;
    }
    return false;
  }

  static constexpr std::size_t kMostCompared = 256;

  const Subhistory& part_;
  const Deeds deeds_;
  Foresight foresight_;
  std::vector<Element> inside_;   // certainly, or until not long ago
  Element longest_ = kNoElement;  // of all whose adder has returned: what is certainly inside the longest
  std::vector<Local> core_;
  std::string sentence_;
};

}  // namespace

core::Applicability lives_applicable(const Subhistory& part) {
  const Deeds deeds = read_deeds(part);
  if (deeds.other_type) return core::not_of_this_type(deeds.obstacle);
  if (!deeds.obstacle.empty()) return {.applies = false, .why = deeds.obstacle};
  return {.applies = true, .why = "an element that was put in once was not inside in one stretch"};
}

core::Outcome refute_lives(const Subhistory& part, const core::DeciderOptions& /*options*/, core::Budget& /*budget*/) {
  Lives lives(part);
  return lives.refute() ? lives.outcome() : core::not_applicable();
}

}  // namespace linchpin::types::juc

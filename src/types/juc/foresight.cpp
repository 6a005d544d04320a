#include "types/juc/foresight.hpp"

#include <algorithm>

namespace linchpin::types::juc {

Foresight foresee(const history::Subhistory& part, const Deeds& deeds) {
  using Kind = Deed::Kind;
  Foresight foresight;
  foresight.of.resize(deeds.value.size());
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Deed& deed = deeds.of[x];
    const bool returned = !part.pending(x);
    if (deed.kind == Kind::impossible) continue;
    if (deed.kind == Kind::may_take) foresight.any_takes.push_back(x);
    const bool adds = deed.kind == Kind::adds || deed.kind == Kind::may_add;
    for (const Element element : deed.elements) {
      ElementFacts& facts = foresight.of[element];
      if (adds) {
        ++facts.additions;
        facts.adder = x;
        facts.surely = deed.kind == Kind::adds;
        continue;
      }
      facts.last_mention = std::max(facts.last_mention, part.response[x]);
      switch (deed.kind) {
        case Kind::takes:
        case Kind::removes:
        case Kind::may_remove:
        case Kind::removes_all: facts.left_by.push_back(x); break;
        case Kind::keeps: facts.kept_by.push_back(x); break;
        default: break;
      }
      if (!returned) continue;
      if (needs(deed, element)) {
        facts.needed_by.push_back(x);
        facts.last_needed_call = part.call[x];
      }
      if (deed.kind == Kind::takes || deed.kind == Kind::looks) {
        (deed.end == End::front ? facts.at_front : facts.at_back).push_back(x);
      }
      if (deed.kind == Kind::lists) facts.listed_by.push_back(x);
      if (deed.kind == Kind::takes || deed.kind == Kind::removes) facts.taken_by.push_back(x);
    }
  }
  return foresight;
}

}  // namespace linchpin::types::juc

#include "types/juc/foresight.hpp"

#include <algorithm>

namespace linchpin::types::juc {

Foresight foresee(const history::Subhistory& part, const Deeds& deeds) {
  Foresight foresight;
  foresight.of.resize(deeds.value.size());
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Deed& deed = deeds.of[x];
    const bool returned = !part.pending(x);
    if (deed.kind == Deed::Kind::impossible) continue;
    if (deed.kind == Deed::Kind::may_take) foresight.any_takes.push_back(x);
    const bool adds = deed.kind == Deed::Kind::adds || deed.kind == Deed::Kind::may_add;
    for (const Element element : deed.elements) {
      ElementFacts& facts = foresight.of[element];
      if (adds) {
        ++facts.additions;
        facts.adder = x;
        facts.surely = deed.kind == Deed::Kind::adds;
        continue;
      }
      facts.last_mention = std::max(facts.last_mention, part.response[x]);
      switch (deed.kind) {
        case Deed::Kind::takes:
        case Deed::Kind::removes:
        case Deed::Kind::may_remove:
        case Deed::Kind::removes_all: facts.left_by.push_back(x); break;
        case Deed::Kind::keeps: facts.kept_by.push_back(x); break;
        default: break;
      }
      if (!returned) continue;
      if (needs(deed, element)) {
        facts.needed_by.push_back(x);
        facts.last_needed_call = part.call[x];
      }
      if (deed.kind == Deed::Kind::takes || deed.kind == Deed::Kind::looks) {
        (deed.end == End::front ? facts.at_front : facts.at_back).push_back(x);
      }
      if (deed.kind == Deed::Kind::lists) facts.listed_by.push_back(x);
      if (deed.kind == Deed::Kind::takes || deed.kind == Deed::Kind::removes) facts.taken_by.push_back(x);
    }
  }
  return foresight;
}

}  // namespace linchpin::types::juc

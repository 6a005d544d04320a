// What is said of containers in which each value is added once.
#include "cross/sentences/row.hpp"

namespace linchpin::sentences {
namespace {

bool covered_and_first(Facts& facts, const Words& words) {
  const std::vector<std::string> values = values_of(words[3]);
  const std::string removed = values_of(words[2])[0];
  for (const std::string& value : values) {
    if (!facts.goes_first(value, removed)) return false;
  }
  return any_of(facts.returned(words[1], removed), [&](std::uint32_t i) { return facts.covered(i, values); });
}
bool found_empty_among(Facts& facts, const Words& words) {
  return any_of(facts.returned(words[1], words[2]),
                [&](std::uint32_t i) { return facts.covered(i, values_of(words[3])); });
}
bool was_empty_among(Facts& facts, const Words& words) {
  return any_of(facts.described(words[1]), [&](std::uint32_t i) { return facts.covered(i, values_of(words[2])); });
}
/// The operation showed a value that no operation added which was called by then.
bool nobody_had_put_in(Facts& facts, const Words& words) {
  return any_of(facts.described(words[1]), [&](std::uint32_t i) {
    return !any_of(facts.adds(words[2]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
  });
}
/// Of core and context at least so many had added before, and at most so many may have removed by then.
bool more_put_in_than_taken(Facts& facts, const Words& words, const std::string& added, const std::string& removed) {
  return any_of(facts.described(words[1]), [&](std::uint32_t i) {
    return facts.added_when(i, true) >= std::stoull(added) && facts.removed_when(i, false) <= std::stoull(removed);
  });
}
bool together_impossible(Facts& facts, const Words& words) { return facts.impossible(values_of(words[1])); }
/// An operation of the value has no moment outside those of better values before the other is called.
bool no_gap_before(Facts& facts, const std::string& late, std::uint32_t add, std::uint32_t remove, bool by_add) {
  const history::Subhistory& part = facts.part();
  Rank rightmost = 0;
  bool any = false;
  const std::uint32_t put = facts.adds(late)[0], rm = facts.removes(late)[0];
  for (Rank moment = std::max(part.call[put], part.call[rm]); moment < part.response[rm]; ++moment) {
    bool open = true;
    for (std::uint32_t other = 0; other < part.size(); ++other) {
      if (part.arguments(other).empty()) continue;
      const std::string name = part.history->pool().to_text(part.arguments(other)[0]);
      if (!facts.goes_first(name, late)) continue;
      const Facts::Inside inside = facts.inside(name);
      open = open && !(inside.from <= moment && moment < inside.to);
    }
    if (open) rightmost = moment;
    any = any || open;
  }
  return !any || rightmost < part.call[by_add ? add : remove];
}

}  // namespace

Claims container_claims() {
  static const std::string kValue = R"((\S+(?: \(priority [^)]*\))?))";
  return {
      // Any container with adds and removes: types/container_binding.hpp.
      {R"((\w+) returned (\S+), which nobody had \w+)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[2]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {R"((\S+) (?:was|is) \w+ once and \w+ twice)",
       [](Facts& facts, const Words& words) {
         return facts.adds(words[1]).size() == 1 && facts.removes(words[1]).size() >= 2;
       }},
      {R"((\w+) returned (\S+) before (\w+)\(([^,)]*)[^)]*\) was called)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]),
                       [&](std::uint32_t i) { return facts.before(i, facts.adds(words[4]).at(0)); });
       }},
      {R"((\w+) returned (\S+), but was called when the (\w+) that returned (\S+) had ended)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]), [&](std::uint32_t late) {
           return any_of(facts.returned(words[3], words[4]),
                         [&](std::uint32_t gone) { return facts.removed(gone) && facts.before(gone, late); });
         });
       }},
      {R"((\w+) returned (\S+) although (\S+) was in the \w+ during the whole call: \w+ before, (?:not \w+ by then|\w+ after))",
       found_empty_among},
      {R"((\w+) returned (\S+) although at each moment of the call (.*) was in the \w+)", found_empty_among},
      // By numbers: types/container_counts.hpp.
      {kOperation + R"(: nobody had put (\S+) in by then)", nobody_had_put_in},
      {kOperation + R"(: (\S+) was put in (?:\w+|\d+ times) at most by then, and taken (?:\w+|\d+ times)(?: before)?)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return any_of(facts.removes(words[2]),
                         [&](std::uint32_t gone) { return gone != i && facts.response(gone) < facts.response(i); });
         });
       }},
      {kOperation + R"(: (\S+) was put in (?:\w+|\d+ times) before, and taken (?:\w+|\d+ times) at most by then)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return facts.before(facts.adds(words[2]).at(0), i) &&
                  !any_of(facts.removes(words[2]),
                          [&](std::uint32_t gone) { return facts.call(gone) < facts.response(i); });
         });
       }},
      {kOperation + R"(: of these operations (\d+) had put in (\S+) before, and at most (\d+) had taken it by then)",
       [](Facts& facts, const Words& words) { return more_put_in_than_taken(facts, words, words[2], words[4]); }},
      {kOperation + R"(: of these operations at most (\d+) had put in by then, and (\d+) had taken before)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return facts.added_when(i, false) <= std::stoull(words[2]) &&
                  facts.removed_when(i, true) >= std::stoull(words[3]);
         });
       }},
      {kOperation + R"(: of these operations (\d+) had put in before, and at most (\d+) had taken by then)",
       [](Facts& facts, const Words& words) { return more_put_in_than_taken(facts, words, words[2], words[3]); }},
      // Queues: types/queue/conflict.hpp.
      {kOperation + R"(, but nobody had \w+ (\S+))", nobody_had_put_in},
      {kOperation + " found the queue empty, but (\\S+) was inside during the whole call: .*", was_empty_among},
      {kOperation + " found the queue empty, but at each moment of the call a value was inside: ([^;]*)",
       was_empty_among},
      {kOperation + " returned before " + kOperation + " was called, though " + kOperation + " had returned before " +
           kOperation + " was called",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t a) {
                         return any_of(facts.described(words[2]), [&](std::uint32_t b) { return facts.before(a, b); });
                       }) &&
                any_of(facts.described(words[3]), [&](std::uint32_t a) {
                  return any_of(facts.described(words[4]), [&](std::uint32_t b) { return facts.before(a, b); });
                });
       }},
      {kOperation + R"( came too early: (\S+) was ahead of (\S+) in the queue \()" + kOperation +
           " had returned before " + kOperation + R"( was called\) and had not left yet)",
       [](Facts& facts, const Words& words) {
         const std::string first = words[2];
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t i) {
                         return !any_of(facts.removes(first),
                                        [&](std::uint32_t gone) { return facts.call(gone) < facts.response(i); });
                       }) &&
                any_of(facts.described(words[4]), [&](std::uint32_t a) {
                  return any_of(facts.described(words[5]), [&](std::uint32_t b) { return facts.before(a, b); });
                });
       }},
      {kOperation + R"( saw (\S+) at the front, which .*; but in that time (\S+) was seen there too, by )" + kOperation,
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[2], words[3]});
       }},
      {R"((\S+) must leave before (\S+) and \S+ before (\S+), having been seen at the front before the other's last operation, though \S+ was in the queue before \S+ was enqueued)",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2], words[3]});
       }},
      {R"((\S+) must have left before (\S+) was seen at the front, but was seen itself after that)",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2]});
       }},
      {kOperation +
           " found the queue empty, but at each moment of the call more values were inside than the (\\d+) pending "
           "\\w+ can have removed",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           for (Rank moment = facts.call(i); moment < facts.response(i); ++moment) {
             if (facts.certainly_inside(moment) <= std::stoul(words[2])) return false;
           }
           return true;
         });
       }},
      {R"(at least (\d+) values? must have left before (\S+) was seen at the front, and only (\d+) pending \w+ had been )"
       "called by then",
       [](Facts& facts, const Words& words) {
         return std::stoul(words[1]) > std::stoul(words[3]) && std::stoul(words[3]) <= facts.pending();
       }},
      {R"((\d+) values were seen at the front, so (\d+) must have left, and only (\d+) \w+ (?:is|are) pending)",
       [](Facts& facts, const Words& words) {
         return std::stoul(words[2]) > std::stoul(words[3]) && std::stoul(words[3]) <= facts.pending();
       }},
      {kOperation +
           R"( needs (?:at least )?(\d+) values? in the queue, but during the call there can be (\d+) at most)",
       [](Facts& facts, const Words& words) {
         return std::stoul(words[3]) < std::stoul(words[2]) && facts.stands_in_the_way(words[1]);
       }},
      {kOperation + R"( needs (?:at least )?(\d+) values? in the queue, but during the call there are (\d+) at least)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return facts.certainly_inside(facts.call(i)) + facts.pending() >= std::stoul(words[3]) ||
                  std::stoul(words[3]) > std::stoul(words[2]);
         });
       }},
      {kOperation +
           R"( needs (?:at least )?\d+ values? in the queue, but at no moment of the call there can be so many)",
       [](Facts& facts, const Words& words) { return facts.stands_in_the_way(words[1]); }},
      // Stacks: types/stack/monitor.cpp.
      {R"((\w+) returned (\S+) although (\S+), pushed after it, was (?:on top|above it) during the whole call)",
       [](Facts& facts, const Words& words) {
         const std::string upper = words[3];
         return facts.inside(words[2]).from < facts.call(facts.adds(upper).at(0)) &&
                any_of(facts.returned(words[1], words[2]), [&](std::uint32_t i) { return facts.covered(i, {upper}); });
       }},
      {R"((\S+ and \S+) were both in the stack and each must have lain above the other)", together_impossible},
      {R"((.*) cannot be nested: each has an operation during which some other of them was certainly in the way)",
       together_impossible},
      // Priority queues: types/priority_queue/monitor.cpp.
      {R"((\w+) returned )" + kValue + " although " + kValue +
           R"(, which goes first, was in the queue during the whole call: inserted before, (?:polled after|not polled by then))",
       covered_and_first},
      {R"((\w+) returned )" + kValue + " although " + kValue +
           R"(, which goes first, was in the queue whenever \S+(?: \(priority [^)]*\))? can have been: inserted before, )"
           "(?:polled after|not polled by then)",
       [](Facts& facts, const Words& words) {
         return facts.goes_first(values_of(words[3])[0], values_of(words[2])[0]) &&
                facts.impossible({values_of(words[2])[0], values_of(words[3])[0]});
       }},
      {R"((\w+) returned )" + kValue +
           " although it is covered by (.*): at each moment of the call one of these, which go first, was in the queue",
       covered_and_first},
      {"equal priorities leave in the order of insertion, (.*)",
       [](Facts& facts, const Words& words) {
         std::vector<std::string> all;
         static const std::regex kNamed(R"((\S+?),? \(priority [^)]*\)|(?:^|, |and |since )(\d+)|before (\d+))");
         const std::string text = words[1];
         for (std::sregex_iterator each(text.begin(), text.end(), kNamed), end; each != end; ++each) {
           for (std::size_t group = 1; group < each->size(); ++group) {
             if ((*each)[group].matched) all.push_back((*each)[group]);
           }
         }
         return facts.impossible(all);
       }},
      // Bags: types/bag/monitor.cpp.
      {kOperation + " returned before " + kOperation + " was called", happens_before},
      {kOperation + " was called after " + kOperation + " had returned",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t a) {
           return any_of(facts.described(words[1]), [&](std::uint32_t b) { return facts.before(a, b); });
         });
       }},
      {kOperation + R"(, but (\S+) was inside during the whole call)", was_empty_among},
      {kOperation +
           R"( finds nothing: (?:every \S+|everything) was removed by then \((\d+) adds? called before its return, (\d+) removes? returned\))",
       [](Facts&, const Words& words) { return std::stoul(words[2]) <= std::stoul(words[3]); }},
      {kOperation + " found the bag empty, but at every moment of it a value was inside: (.*)", was_empty_among},
      // Deques: types/deque.
      {R"((.*) went in and out at the (?:front|back) as values of a stack do, and cannot be nested)",
       together_impossible},
      {R"((.*) cannot all have been in the deque in any order: each two of them that are inside together have an order )"
       "in which they leave",
       together_impossible},
      {R"((\w+) returned (\S+) although (\S+), pushed at the (?:front|back) before it, was in its way(?: and was not )"
       R"(popped|: it could leave there only after \S+))",
       [](Facts& facts, const Words& words) {
         return !facts.returned(words[1], words[2]).empty() && facts.impossible({words[2], words[3]});
       }},
      {R"((\w+) returned (\S+) although (\S+) (?:was in the way during the whole call|was behind it|was in front of it )"
       "and not yet stolen)",
       [](Facts& facts, const Words& words) {
         return !facts.returned(words[1], words[2]).empty() && facts.impossible({words[2], words[3]});
       }},
      {R"((\S+) was on its way from the front to the back while (\S+) was on its way from the back to the front: they )"
       "cannot pass each other",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2]});
       }},
      {R"((\S+) was pushed at the (?:front|back) before (\S+), and popped at the (?:front|back) after it)",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2]});
       }},
      {R"((\S+) was pushed behind (\S+), and the owner took \S+ from the back while \S+ had not been taken there: it )"
       R"(cannot leave at the front before \S+)",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2]});
       }},
      {R"((\w+) returned empty although (\S+), which the owner pushed before and popped later, was in the deque)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], "empty"),
                       [&](std::uint32_t i) { return facts.impossible({words[2]}, {i}); });
       }},
      {R"((\w+) returned empty before anybody called the steal that took (\S+))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], "empty"),
                       [&](std::uint32_t i) { return facts.before(i, facts.removes(words[2]).at(0)); });
       }},
      {R"((\w+) cannot have returned this: a value was in front that nobody can have taken)",
       [](Facts&, const Words&) { return true; }},
      {R"(nobody had pushed (\S+))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.named(words[1]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[1]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {R"((\S+) was seen before it was pushed, or after it was popped)", together_impossible},
      {R"(the deque was found empty although (\S+) was inside during the whole call)",
       [](Facts& facts, const Words& words) {
         const auto covered = [&](std::uint32_t i) { return facts.covered(i, {words[1]}); };
         return any_of(facts.named("nil"), covered) || any_of(facts.described("is_empty() -> true"), covered) ||
                any_of(facts.described("size() -> 0"), covered);
       }},
      // Bounded containers: types/queue/counted_refutation.cpp.
      {R"((\d+) values were certainly in the \w+ at once, but it holds (\d+))",
       [](Facts& facts, const Words& words) {
         const std::size_t claimed = std::stoul(words[1]);
         for (Rank moment = 0; moment < 2 * facts.part().size(); ++moment) {
           if (facts.certainly_inside(moment) >= claimed) return claimed > std::stoul(words[2]);
         }
         return false;
       }},
      // The published definitions: decide/framework.
      {R"(the operations on (.*) fit into no order)", together_impossible},
      {kOperation + " and " + kOperation + " removed one value, which was added once",
       [](Facts& facts, const Words& words) {
         const auto& first = facts.described(words[1]);
         return !first.empty() && !facts.described(words[2]).empty() &&
                (facts.described(words[1]) != facts.described(words[2]) || first.size() >= 2 || words[1] != words[2]);
       }},
      {R"((.*) block each other: each has an operation for which another of them leaves no moment)",
       together_impossible},
      {kOperation + ", but nothing adds this value",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           const std::string said = words[1];
           return facts.adds(said.substr(said.rfind(' ') + 1)).empty() && facts.response(i) != 0;
         });
       }},
      {kOperation + " saw nothing inside, but at each moment of it a value was",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t i) { return facts.covered(i, facts.all_values()); });
       }},
      // Lifts: decide/lift/violation.cpp.
      {R"((\S+) was \w+ before anybody could have \w+ it)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.named(words[1]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[1]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {R"((\S+) was \w+ more often than it can have been \w+ before (.+) found nothing)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t empty) {
           const auto added = std::ranges::count_if(
               facts.adds(words[1]), [&](std::uint32_t i) { return facts.response(i) < facts.call(empty); });
           const auto removed = std::ranges::count_if(
               facts.removes(words[1]), [&](std::uint32_t i) { return facts.call(i) < facts.response(empty); });
           return added > removed;
         });
       }},
      {R"((\S+) was \w+ more often than it had been \w+)",
       [](Facts& facts, const Words& words) { return facts.removes(words[1]).size() > facts.adds(words[1]).size(); }},
      {"whichever of the equal values .*", [](Facts& facts, const Words&) { return facts.some_repeat(); }},
      // Any search.
      {"no order of the operations explains every result", [](Facts&, const Words&) { return true; }},
      // Check-PQ: research/check_pq/decider.cpp.
      {R"(rm\((\S+)\) happens before put\((\S+)\))",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.removes(words[1]).at(0), facts.adds(words[2]).at(0));
       }},
      {R"((\S+) was removed and never put)",
       [](Facts& facts, const Words& words) {
         return facts.adds(words[1]).empty() && !facts.removes(words[1]).empty();
       }},
      {R"(put\((\S+)\) happens before put\((\S+)\), of the same priority, but rm\((\S+)\) happens before rm\((\S+)\))",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.adds(words[1]).at(0), facts.adds(words[2]).at(0)) &&
                facts.before(facts.removes(words[3]).at(0), facts.removes(words[4]).at(0));
       }},
      {R"(put\((\S+)\) happens before put\((\S+)\), of the same priority, but only (\S+) is removed)",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.adds(words[1]).at(0), facts.adds(words[2]).at(0)) &&
                facts.removes(words[1]).empty() && !facts.removes(words[3]).empty();
       }},
      {R"(rm\(empty\) is covered by (.*))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.removes("nil"), [&](std::uint32_t i) { return facts.covered(i, values_of(words[1])); });
       }},
      {kOperation + " is covered by (.*)", was_empty_among},
      {R"((\S+) is covered by (.*))",
       [](Facts& facts, const Words& words) {
         std::vector<std::string> all = values_of(words[2]);
         for (const std::string& value : all) {
           if (!facts.goes_first(value, words[1])) return false;
         }
         all.push_back(words[1]);
         return facts.impossible(all);
       }},
      {R"((\S+) is put before (\S+)(?: \(by way of (\S+)\))?, but the rightmost gap-point of (\S+) is before the call of (put|rm)\((\S+)\))",
       [](Facts& facts, const Words& words) {
         const std::uint32_t add = facts.adds(words[1]).at(0);
         const std::uint32_t remove = facts.removes(words[1]).empty() ? add : facts.removes(words[1])[0];
         return no_gap_before(facts, words[4], add, remove, words[5] == "put");
       }},
      {"no linearization satisfies \\w+-Seq", [](Facts&, const Words&) { return true; }},
      {"no value of maximal priority can be the last one removed", [](Facts&, const Words&) { return true; }},
  };
}

}  // namespace linchpin::sentences

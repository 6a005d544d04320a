// What is said of what holds one value at a time, for each key: registers, exchanges, maps, sets, locks.
#include <optional>

#include "cross/sentences/row.hpp"

namespace linchpin::sentences {
namespace {

/// Nothing that writes the value was called before the operation returned.
bool nobody_had_written(Facts& facts, const Words& words) {
  const history::Subhistory& part = facts.part();
  return any_of(facts.described(words[1]), [&](std::uint32_t i) {
    for (std::uint32_t other = 0; other < part.size(); ++other) {
      // What exchanges may have found another value, or the same.
      const bool writes = part.specification->methods()[part.method[other]].name == "write" &&
                          part.history->pool().to_text(part.arguments(other).back()) == words[2];
      if (other != i && writes && part.call[other] < part.response[i]) return false;
    }
    return true;
  });
}

/// From which value to which one an operation changes, if it does: "?" is any or none.
struct Change {
  std::string from, to;
};
std::optional<Change> change(const Facts& facts, std::uint32_t i) {
  const std::string_view name = facts.method(i);
  const std::string type = facts.type();
  const std::size_t first = type.starts_with("map") || type.starts_with("array") ? 1 : 0;  // behind the key
  const std::string one = facts.argument(i, first), two = facts.argument(i, first + 1);
  const std::string result = facts.result(i);
  const bool unsure = result == "?" || facts.part().pending(i);
  if (name == "write" || (name == "put" && !(type.find("previous") != type.npos))) return Change{"?", one};
  if (name == "cas" || (name == "replace" && !two.empty())) {
    if (!unsure && result != "true") return std::nullopt;
    return Change{one, two};
  }
  if (name == "compare_exchange") {
    if (!unsure && result != one) return std::nullopt;
    return Change{one, two};
  }
  if (name == "read_modify_write" || name == "put") return Change{unsure ? "?" : result, one};
  if (name == "put_if_absent") {
    if (!unsure && result != "true" && result != "nil") return std::nullopt;
    return Change{"nil", one};
  }
  if (name == "replace") {
    if (!unsure && (result == "false" || result == "nil")) return std::nullopt;
    return Change{unsure || result == "true" ? "?" : result, one};
  }
  if (name == "remove") {
    if (!unsure && (result == "false" || result == "nil")) return std::nullopt;
    return Change{unsure || result == "true" ? "?" : result, "nil"};
  }
  if (name == "clear") return Change{"?", "nil"};
  return std::nullopt;
}
/// Who stores the value, or may.
std::vector<std::uint32_t> makers(const Facts& facts, const std::string& value) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    const auto own = change(facts, i);
    if (own && own->to == value) found.push_back(i);
  }
  return found;
}
/// Nothing that can have stored the value was called before the operation returned.
bool nobody_had_stored(Facts& facts, const std::string& operation, const std::string& value) {
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    return !any_of(makers(facts, value), [&](std::uint32_t maker) {
      return maker != i && change(facts, maker)->from != value && facts.call(maker) < facts.response(i) &&
             facts.possible(maker);
    });
  });
}
/// The operations that are listed, of which each found what another one left.
std::vector<std::string> listed(const std::string& text) {
  static const std::regex kEach(R"(\w+\([^()]*\)(?: -> [^,]+| pending)?)");
  std::vector<std::string> found;
  for (std::sregex_iterator each(text.begin(), text.end(), kEach), end; each != end; ++each) {
    found.push_back(each->str());
  }
  return found;
}
bool each_found_what_another_left(Facts& facts, const Words& words) {
  const std::vector<std::string> operations = listed(words[1]);
  return operations.size() >= 2 && std::all_of(operations.begin(), operations.end(), [&](const std::string& one) {
           return any_of(facts.described(one), [&](std::uint32_t i) {
             const auto own = change(facts, i);
             return own && std::any_of(operations.begin(), operations.end(), [&](const std::string& other) {
                      return any_of(facts.described(other), [&](std::uint32_t j) {
                        const auto its = change(facts, j);
                        return its && (own->from == "?" || its->to == own->from);
                      });
                    });
           });
         });
}
/// The values of "1 -> 2 -> 3 -> ...", with those that are left out at the end.
std::vector<std::string> whole_chain(const Facts& facts, const std::string& chain) {
  std::vector<std::string> values = values_of(std::regex_replace(chain, std::regex(" -> "), " "));
  if (values.empty() || values.back() != "...") return values;
  values.pop_back();
  for (std::uint32_t i = 0; i < facts.part().size() && values.size() <= facts.part().size(); ++i) {
    const auto own = change(facts, i);
    if (!own || own->from != values.back()) continue;
    values.push_back(own->to);
    i = static_cast<std::uint32_t>(-1);  // once more from the first on
  }
  return values;
}
/// Whether the operation stores, replaces or saw one of the values "1 -> 2 -> 3", each changed into the next one.
bool is_of(const Facts& facts, const std::string& operation, const std::string& chain) {
  const std::vector<std::string> values = whole_chain(facts, chain);
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
      const auto own = change(facts, i);
      if (own && (own->to == value || own->from == value)) return true;
      if (facts.method(i) == "contains") return (facts.result(i) == "false") == (value == "nil");
      return facts.result(i) == value;
    });
  });
}
/// Each value of the chain was changed into the next one by somebody.
bool is_chain(const Facts& facts, const std::string& chain) {
  const std::vector<std::string> values = whole_chain(facts, chain);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (!any_of(makers(facts, values[k]), [&](std::uint32_t i) {
          const std::string from = change(facts, i)->from;
          return from == values[k - 1] || from == "?";
        })) {
      return false;
    }
  }
  return !values.empty();
}
bool crossed_chains(Facts& facts, const Words& words) {
  const std::string one = words[1], other = words[2];
  return is_chain(facts, one) && is_chain(facts, other) && before(facts, words[3], words[4]) &&
         is_of(facts, words[3], one) && is_of(facts, words[4], other) && before(facts, words[5], words[6]) &&
         is_of(facts, words[5], other) && is_of(facts, words[6], one);
}
bool after_the_first_chain(Facts& facts, const Words& words) {
  return is_chain(facts, words[1]) && is_chain(facts, words[2]) && before(facts, words[3], words[4]) &&
         is_of(facts, words[3], words[2]) && is_of(facts, words[4], words[1]);
}
/// Two that change one value, which is there once: stored by nobody else, or as the initial one.
bool both_changed(Facts& facts, const Words& words) {
  const std::string value = words[3];
  const auto changes_it = [&](std::uint32_t i) {
    const auto own = change(facts, i);
    return own && (own->from == value || own->from == "?");
  };
  return any_of(facts.described(words[1]), changes_it) && any_of(facts.described(words[2]), changes_it) &&
         (words[1] != words[2] || facts.described(words[1]).size() >= 2);
}
/// Each write that was open together with the operation, or between it and the one before, had been seen by then.
bool no_write_overlaps(const Facts& facts, const std::string& operation, const std::string& earlier = "") {
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
      const bool writes = facts.method(other) == "write" || facts.method(other) == "put";
      const bool past = facts.before(other, i) &&
                        (earlier.empty() ||
                         !any_of(facts.described(earlier), [&](std::uint32_t e) { return facts.before(e, other); }));
      if (other == i || !writes || past || facts.before(i, other)) continue;
      bool seen = false;
      for (std::uint32_t reader = 0; reader < facts.part().size(); ++reader) {
        const auto own = change(facts, reader);
        const std::string saw = own ? own->from : facts.result(reader);
        seen = seen || (reader != other && saw == change(facts, other)->to && facts.before(reader, i));
      }
      if (!seen) return false;
    }
    return true;
  });
}

/// A set's element, or a map's key, is there or not while the operation is open.
bool never_there(Facts& facts, const std::string& operation, const std::string& held, bool there,
                 bool at_the_end = false) {
  const std::string type = facts.type();
  const auto& own = facts.described(operation);
  if (own.empty()) return false;
  const bool of_one = !facts.part().arguments(own[0]).empty();
  if (!of_one) return facts.stands_in_the_way(operation);  // size, is_empty: of all elements
  const Value key = test::sketch_pool().import(facts.part().arguments(own[0])[0], facts.part().history->pool());
  return facts.argument(own[0], 0) == held &&
         facts.never_while(operation, "contains", {key}, Value::boolean(there), at_the_end);
}
/// The lock is held, or free, while the operation is open.
bool never_locked(Facts& facts, const std::string& operation, bool held, bool at_the_end = false) {
  return facts.never_while(operation, "is_held", {}, Value::boolean(held), at_the_end);
}
/// Who holds the lock acquired it, and did not call release before the operation returned.
bool holds_the_lock(Facts& facts, const std::string& operation, const std::string& holder) {
  const auto process_of = [&](std::uint32_t i) {
    return facts.part().history->process_name(facts.part().history->process(facts.part().operation[i]));
  };
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    for (std::uint32_t taken = 0; taken < facts.part().size(); ++taken) {
      if (facts.method(taken) == "release" || facts.method(taken) == "is_held" || facts.result(taken) == "false" ||
          process_of(taken) != holder || taken == i || facts.call(taken) > facts.response(i)) {
        continue;
      }
      bool released = false;
      for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
        released = released || (facts.method(other) == "release" && process_of(other) == holder &&
                                facts.call(other) > facts.call(taken) && facts.call(other) < facts.response(i));
      }
      if (!released) return true;
    }
    return false;
  });
}

}  // namespace

Claims value_claims() {
  return {
      // Registers, and whatever one reads: algo/regularity.cpp, algo/chains.cpp.
      {kOperation + R"(: nobody had written (\S+), and it is not the initial value)", nobody_had_written},
      {kOperation + " returned before " + kOperation + R"( was called, and nothing had written (\S+) before)",
       [](Facts& facts, const Words& words) { return happens_before(facts, words); }},
      {kOperation + R"( saw the initial value \S+, but )" + kOperation + " had returned before it was called",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t a) {
           return any_of(facts.described(words[1]), [&](std::uint32_t b) { return facts.before(a, b); });
         });
       }},
      {kOperation + " returned before " + kOperation + " was called, (?:and can only come after it|but .* only .*)",
       happens_before},
      {kOperation + R"( saw a value that was gone: )" + kOperation +
           R"( was called when all that wrote (\S+) had returned, and returned before .* was called)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t over) {
           return any_of(facts.described(words[1]), [&](std::uint32_t late) { return facts.before(over, late); });
         });
       }},
      {R"((\S+(?: -> \S+)*) must come before (\S+(?: -> \S+)*), because )" + kAnyOperation + " returned before " +
           kAnyOperation + R"( was called; and \S+(?: -> \S+)* before \S+(?: -> \S+)*, because )" + kAnyOperation +
           " returned before " + kAnyOperation + " was called",
       crossed_chains},
      {R"((\S+(?: -> \S+)*) begins with the initial value, so that (\S+(?: -> \S+)*) cannot come before it; but )" +
           kAnyOperation + " had returned before " + kAnyOperation + " was called",
       after_the_first_chain},
      {kAnyOperation + " and " + kAnyOperation + R"( both changed the value (\S+), which is there only once)",
       both_changed},
      {"each found the value that another of them left, and none the first: (.*)", each_found_what_another_left},
      {kAnyOperation + " was called when the value of " + kAnyOperation + " had been there", stands_in_the_way},
      {R"((\S+) is in memory directly before (\S+), but an operation on \S+ returned before one on \S+ was called)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.about(words[2]), [&](std::uint32_t a) {
           return any_of(facts.about(words[1]), [&](std::uint32_t b) { return facts.before(a, b); });
         });
       }},
      {R"((\S+) is in memory throughout its interval, which leaves no moment for (\S+))",
       [](Facts& facts, const Words& words) {
         return !facts.about(words[1]).empty() && !facts.about(words[2]).empty();
       }},
      {kAnyOperation + " and " + kAnyOperation + " replace one value",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t a) {
           return any_of(facts.described(words[2]), [&](std::uint32_t b) {
             const auto one = change(facts, a), other = change(facts, b);
             return a != b && one && other && one->from == other->from;
           });
         });
       }},
      // Attempts that fail: algo/chains.cpp.
      {kAnyOperation +
           R"( found another value than \S+, but \S+ was there during the whole call: it was before, no )"
           "write can take effect in it, and " +
           kAnyOperation + " was still to come",
       [](Facts& facts, const Words& words) {
         return facts.stands_in_the_way(words[1]) && any_of(facts.described(words[2]), [&](std::uint32_t last) {
                  return any_of(facts.described(words[1]),
                                [&](std::uint32_t i) { return facts.call(i) < facts.call(last); });
                });
       }},
      {kAnyOperation + R"( found another value than \S+, but \S+ was there during the whole call: it was before, as )" +
           kAnyOperation + " shows, and no write can take effect from then to the return",
       [](Facts& facts, const Words& words) {
         return no_write_overlaps(facts, words[1], words[2]) && facts.stands_in_the_way(words[1]);
       }},
      {kAnyOperation +
           R"( found another value than (\S+), but nothing else can have been written after \S+ and before )"
           "the return",
       stands_in_the_way},
      {kAnyOperation + ", but nothing was written by then",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
             const auto own = change(facts, other);
             if (other != i && own && own->from == "?" && facts.call(other) < facts.response(i)) return false;
           }
           return true;
         });
       }},
      {"no write can take effect during any of (.*): all saw the value that came last in the block .*, whose order is "
       "free, and each "
       "value of the block is excluded by one of them",
       [](Facts& facts, const Words& words) {
         const std::vector<std::string> operations = listed(words[1]);
         return !operations.empty() && std::all_of(operations.begin(), operations.end(), [&](const std::string& each) {
           return no_write_overlaps(facts, each);
         });
       }},
      // The thesis's blocks: research/published/value_blocks.
      {kAnyOperation + R"(, but nobody writes (\S+))",
       [](Facts& facts, const Words& words) { return makers(facts, words[2]).empty(); }},
      {"no value resolves " + kAnyOperation + " and those with it between the same writes",
       [](Facts& facts, const Words& words) { return !facts.described(words[1]).empty(); }},
      {"what replaces the value of " + kAnyOperation + " leads back to it",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           std::optional<Change> next = change(facts, i);
           const std::string from = next ? next->from : "";
           for (std::size_t steps = 0; next && next->to != from && steps < facts.part().size(); ++steps) {
             const std::string now = next->to;
             next.reset();
             for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
               const auto its = change(facts, other);
               if (its && its->from == now) next = its;
             }
           }
           return next.has_value();
         });
       }},
      // Keys that are removed: algo/chains_with_absence.cpp, types/map.
      {kAnyOperation + R"(: nobody can have stored (\S+))",
       [](Facts& facts, const Words& words) { return nobody_had_stored(facts, words[1], words[2]); }},
      {"each found the value that another of them left, and none the first", [](Facts&, const Words&) { return true; }},
      {kAnyOperation +
           R"( needs the key (\S+) to be there at some moment, but it is absent (?:all the time|(by then)): nothing that )"
           "could change this takes effect before the return",
       [](Facts& facts, const Words& words) { return never_there(facts, words[1], words[2], true, words[3].matched); }},
      {kAnyOperation +
           R"( needs the key (\S+) to be absent at some moment, but it is there (?:all the time|(by then)): nothing that )"
           "could change this takes effect before the return",
       [](Facts& facts, const Words& words) {
         return never_there(facts, words[1], words[2], false, words[3].matched);
       }},
      {kAnyOperation +
           " needs nothing to be there, but something is there all the time, or comes again before: nothing "
           "is left that can remove it before the return",
       stands_in_the_way},
      {kAnyOperation + " cannot take effect between " + kAnyOperation + " and " + kAnyOperation +
           R"(: from (\S+) on one value followed the other and nothing came between)",
       stands_in_the_way},
      {R"((\S+) and (\S+) were there at once: the one from )" + kAnyOperation + " to " + kAnyOperation +
           ", the other from " + kAnyOperation + " to " + kAnyOperation,
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[3]), [&](std::uint32_t a) {
           return any_of(facts.described(words[4]), [&](std::uint32_t b) {
             return any_of(facts.described(words[5]), [&](std::uint32_t c) {
               return any_of(facts.described(words[6]), [&](std::uint32_t d) {
                 return facts.response(a) < facts.call(d) && facts.response(c) < facts.call(b);
               });
             });
           });
         });
       }},
      // Sets: types/set/monitor.cpp.
      {kAnyOperation +
           R"( needs (\S+) to be (in|out of) the set, but it was (?:in|out) (?:during the whole call|(at the return)): no )"
           R"(\w+\(\S+\) could take effect in time)",
       [](Facts& facts, const Words& words) {
         return facts.stands_in_the_way(words[1]) &&
                never_there(facts, words[1], words[2], words[3] == "in", words[4].matched);
       }},
      // Locks: types/mutex.
      {kAnyOperation +
           R"((?: of process \d+)? needs the lock to be (held|free), but it was (?:held|free) (?:during the whole call|(at the return)): no )"
           R"(\w+ could take effect in time)",
       [](Facts& facts, const Words& words) {
         return never_locked(facts, words[1], words[2] == "held", words[3].matched);
       }},
      {kAnyOperation + R"( of process \d+ needs the lock to be held, but it was free during the whole call: who might )"
                       R"(have acquired it would never have released it, and process \d+ acquired it later)",
       [](Facts& facts, const Words& words) { return never_locked(facts, words[1], true); }},
      {kAnyOperation + R"( of process \d+ needs the lock to be (?:free|held by that process), but process (\d+) held )"
                       "it when it returned, and (?:never released it|called release only later)",
       [](Facts& facts, const Words& words) { return holds_the_lock(facts, words[1], words[2]); }},
      {kAnyOperation + R"( of process (\d+) needs the lock to be free, but that process held it itself, and had not )"
                       "released it",
       [](Facts& facts, const Words& words) { return holds_the_lock(facts, words[1], words[2]); }},
      {kAnyOperation + R"( of process \d+ needs the lock to be free, but process (\d+) held it during the whole call)",
       [](Facts& facts, const Words& words) {
         return holds_the_lock(facts, words[1], words[2]) && never_locked(facts, words[1], false);
       }},
      {kAnyOperation + R"( of process (\d+) needs the lock to be free, but that process itself held it during the )"
                       "whole call",
       [](Facts& facts, const Words& words) {
         return holds_the_lock(facts, words[1], words[2]) && never_locked(facts, words[1], false);
       }},
      {kAnyOperation + R"( of process \d+ needs the lock to be held by that process, which had (?:never acquired it|)"
                       "released it and not acquired it again)",
       stands_in_the_way},
  };
}

}  // namespace linchpin::sentences

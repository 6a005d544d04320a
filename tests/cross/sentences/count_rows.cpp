// What is said of that which only grows: counters, logs, streams, versions of a key, revisions of a store.
#include "cross/sentences/row.hpp"

namespace linchpin::sentences {
namespace {

bool core_alone(Facts&, const Words&) { return true; }  // it names nothing but the core, which evidence holds

/// The numbers of "[3 true [7 2]]", in order.
std::vector<std::int64_t> numbers_of(const std::string& text) {
  static const std::regex kNumber(R"(-?\d+)");
  std::vector<std::int64_t> numbers;
  for (std::sregex_iterator each(text.begin(), text.end(), kNumber), end; each != end; ++each) {
    numbers.push_back(std::stoll(each->str()));
  }
  return numbers;
}
std::size_t number(const Words& words, std::size_t at) { return static_cast<std::size_t>(std::stoll(words[at])); }

/// How many of the operations for which it holds were called before this moment.
template <typename Predicate>
std::size_t called_before(const Facts& facts, Rank moment, Predicate holds) {
  std::size_t count = 0;
  for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
    if (holds(other) && facts.call(other) < moment) ++count;
  }
  return count;
}
bool both(const Facts& facts, const Words& words, const std::function<bool(std::uint32_t, std::uint32_t)>& hold) {
  return any_of(facts.described(words[1]), [&](std::uint32_t a) {
    return any_of(facts.described(words[2]), [&](std::uint32_t b) { return a != b && hold(a, b); });
  });
}

// Counters and logs.

bool counts(const Facts& facts, std::uint32_t i) { return facts.method(i) != "read" && facts.argument(i, 0) != "0"; }
/// The number that was there before.
std::int64_t found(const Facts& facts, std::uint32_t i) {
  const bool after = facts.method(i).ends_with("_and_get");
  const std::int64_t sign = facts.method(i).starts_with("sub") || facts.method(i).starts_with("dec") ? -1 : 1;
  const std::int64_t amount = facts.argument(i, 0).empty() ? 1 : std::stoll(facts.argument(i, 0));
  return std::stoll(facts.result(i)) - (after ? sign * amount : 0);
}
/// Whether it tells that its change came after what the other one found.
bool tells_later(const Facts& facts, std::uint32_t i, std::uint32_t other) {
  if (numbers_of(facts.result(i)).empty() || numbers_of(facts.result(other)).empty()) return false;
  const std::int64_t own = found(facts, i), its = found(facts, other);
  return std::abs(own) >= std::abs(its) || (own < 0) != (its < 0);
}
bool appends(const Facts& facts, std::uint32_t i) { return facts.method(i) == "append"; }
std::string entry_of(const Facts& facts, std::uint32_t i) {
  return appends(facts, i) ? facts.argument(i, 0) : facts.result(i);
}
std::string place_of(const Facts& facts, std::uint32_t i) {
  return appends(facts, i) ? facts.result(i) : facts.argument(i, 0);
}
/// An append tells that its entry is at this place or behind it.
bool tells_place_from(const Facts& facts, std::uint32_t i, std::size_t place) {
  const std::vector<std::int64_t> told = numbers_of(facts.result(i));
  return !told.empty() && static_cast<std::size_t>(told[0]) >= place;
}
/// An append tells that its entry is there.
bool put_by_another(const Facts& facts, const std::string& place) {
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    if (appends(facts, i) && facts.result(i) == place) return true;
  }
  return false;
}
/// How many appends had returned when one that is described so was called, at most.
std::size_t returned_before(const Facts& facts, const std::string& operation) {
  std::size_t most = 0;
  for (const std::uint32_t i : facts.described(operation)) {
    most = std::max(most, called_before(facts, facts.call(i), [&](std::uint32_t other) {
                      return appends(facts, other) && facts.response(other) < facts.call(i);
                    }));
  }
  return most;
}
/// At how many places from the first to before the last the entry was seen.
std::size_t places_that_show(const Facts& facts, const std::string& entry, std::size_t first, std::size_t last) {
  std::set<std::size_t> places;
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    if (facts.method(i) == "read") {
      const std::vector<std::int64_t> shown = numbers_of(facts.result(i));
      for (std::size_t place = 0; place < shown.size(); ++place) {
        if (std::to_string(shown[place]) == entry) places.insert(place);
      }
    } else if (entry_of(facts, i) == entry && !numbers_of(place_of(facts, i)).empty()) {
      places.insert(static_cast<std::size_t>(numbers_of(place_of(facts, i))[0]));
    }
  }
  return static_cast<std::size_t>(
      std::count_if(places.begin(), places.end(), [&](std::size_t place) { return first <= place && place < last; }));
}
/// Somebody saw the entry at another place.
bool shown_elsewhere(const Facts& facts, const std::string& entry, const std::string& place) {
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    if (facts.method(i) == "get" && facts.result(i) == entry && facts.argument(i, 0) != place) return true;
  }
  return false;
}
bool nobody_appended_in_time(const Facts& facts, const std::string& operation, const std::string& entry,
                             const std::string& place = "") {
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    return called_before(facts, facts.response(i), [&](std::uint32_t other) {
             const std::string told = facts.result(other);
             const bool elsewhere =
                 !place.empty() && told != place && (!numbers_of(told).empty() || put_by_another(facts, place));
             if (!place.empty() && shown_elsewhere(facts, entry, place)) return false;
             return other != i && appends(facts, other) && facts.argument(other, 0) == entry && !elsewhere;
           }) == 0;
  });
}
/// An entry that is written once is told to be at two places.
bool two_places(Facts& facts, const Words& words) {
  const std::string entry = words[1];
  const auto is_at = [&](const std::string& operation, const std::string& place) {
    return any_of(facts.described(operation),
                  [&](std::uint32_t i) { return entry_of(facts, i) == entry && place_of(facts, i) == place; });
  };
  std::size_t written = 0;
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    const bool writes = facts.method(i) == "append" || facts.method(i) == "put";
    if (writes && facts.argument(i, 0) == entry) ++written;
  }
  return words[2] != words[4] && written <= 1 && is_at(words[3], words[2]) && is_at(words[5], words[4]);
}

// Streams.

/// How many records an append has: its first argument is the list of them.
std::int64_t records(const Facts& facts, std::uint32_t i) {
  return static_cast<std::int64_t>(numbers_of(facts.argument(i, 0)).size());
}
/// An append returns the tail behind it.
bool start_at_one_place(Facts& facts, const Words& words) {
  return both(facts, words, [&](std::uint32_t a, std::uint32_t b) {
    return std::stoll(facts.result(a)) - records(facts, a) == std::stoll(facts.result(b)) - records(facts, b);
  });
}

// Versions of a key.

constexpr std::int64_t kNoVersion = -100, kUntold = -50;

/// The version that the operation made, if it took effect.
std::int64_t made(const Facts& facts, std::uint32_t i) {
  const std::string result = facts.result(i);
  if (facts.method(i) != "put" && facts.method(i) != "write") return kNoVersion;
  if (result == "ErrVersion" || result == "ErrNoKey" || result == "false") return kNoVersion;
  const std::vector<std::int64_t> told = numbers_of(result);
  if (!told.empty()) return told[0];
  return facts.method(i) == "put" ? std::stoll(facts.argument(i, 2)) + 1 : kUntold;
}
/// The version that it made or saw, and its value.
std::int64_t version_of(const Facts& facts, std::uint32_t i) {
  return facts.method(i) == "get" ? numbers_of(facts.result(i)).back() : made(facts, i);
}
std::string value_of(const Facts& facts, std::uint32_t i) {
  if (facts.method(i) != "get") return facts.argument(i, 1);
  return std::to_string(numbers_of(facts.result(i)).front());
}
/// Somebody saw the value at another version.
bool shown_at_another(const Facts& facts, const std::string& value, std::int64_t version) {
  for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
    if (facts.method(i) != "get" || numbers_of(facts.result(i)).size() != 2) continue;
    if (value_of(facts, i) == value && version_of(facts, i) != version) return true;
  }
  return false;
}
/// With the value that the operation shows, where it shows one of this version.
bool nobody_made(Facts& facts, const std::string& operation, std::int64_t version, const std::string& after) {
  const auto made_by = [&](std::uint32_t i, Rank from) {
    for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
      const std::int64_t its = made(facts, other);
      const bool elsewhere = its == kUntold && shown_at_another(facts, facts.argument(other, 1), version);
      if (other == i || (its != version && its != kUntold) || elsewhere || !facts.possible(other)) continue;
      const bool shows = facts.method(i) == "get" && version_of(facts, i) == version;
      if (shows && value_of(facts, i) != value_of(facts, other)) continue;
      if (facts.call(other) < facts.response(i) && facts.response(other) > from) return true;
    }
    return false;
  };
  return any_of(facts.described(operation), [&](std::uint32_t i) {
    if (after.empty()) return !made_by(i, 0);
    return any_of(facts.described(after), [&](std::uint32_t then) { return !made_by(i, facts.call(then)); });
  });
}

// Revisions of a store.

std::int64_t revision_of(const Facts& facts, std::uint32_t i) {
  if (facts.method(i) == "compact") return std::stoll(facts.argument(i, 0));
  const std::vector<std::int64_t> told = numbers_of(facts.result(i));
  return told.empty() ? -1 : told[0];
}
bool of_unknown_fate(const Facts& facts, std::uint32_t i) {
  return facts.method(i) != "range" && (facts.part().pending(i) || facts.result(i) == "?");
}
/// What an operation did or saw happened at some revision, which it tells.
bool stood_and_did_not(Facts&, const Words& words) {
  return number(words, 3) <= number(words, 5) && number(words, 5) <= number(words, 4);
}

}  // namespace

Claims count_claims() {
  return {
      // Counters: types/counter/monitor.cpp.
      {kAnyOperation + R"( came too early: by its return, the counter can have been changed at most (\d+) times?)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return called_before(facts, facts.response(i), [&](std::uint32_t other) {
                    return other != i && counts(facts, other) && !tells_later(facts, other, i) && facts.possible(other);
                  }) <= number(words, 2);
         });
       }},
      {kAnyOperation + R"( came too late: when it was called, the counter had been changed at least (\d+) times?)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return called_before(facts, facts.call(i), [&](std::uint32_t other) { return counts(facts, other); }) >=
                  number(words, 2);
         });
       }},
      {kAnyOperation + " tells a number to which these changes do not lead, however many of them took effect",
       stands_in_the_way},
      {kAnyOperation + " and " + kAnyOperation + " found the same number, which never comes back",
       [](Facts& facts, const Words& words) {
         return both(facts, words,
                     [&](std::uint32_t a, std::uint32_t b) { return found(facts, a) == found(facts, b); });
       }},
      {kAnyOperation + " returned before " + kAnyOperation + " was called, but the counter only counts (?:up|down)",
       happens_before},
      // Logs: types/log.
      {kAnyOperation + R"( came too early: by its return, the log can have had at most (\d+) entr(?:y|ies))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           // What the operation itself saw or put comes behind the entries that are counted.
           return called_before(facts, facts.response(i), [&](std::uint32_t other) {
                    return other != i && appends(facts, other) && facts.argument(other, 0) != entry_of(facts, i) &&
                           !tells_place_from(facts, other, number(words, 2));
                  }) <= number(words, 2);
         });
       }},
      {kAnyOperation + R"( came too late: when it was called, the log had at least (\d+) entr(?:y|ies))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           // At which places the entries are, others may tell.
           std::size_t most = 0;
           for (std::uint32_t other = 0; other < facts.part().size(); ++other) {
             if (facts.call(other) > facts.call(i)) continue;
             if (appends(facts, other)) ++most;
             const bool counts_them = facts.method(other) == "length";
             const auto told = numbers_of(counts_them ? facts.result(other) : place_of(facts, other));
             if (!told.empty()) most = std::max(most, static_cast<std::size_t>(told[0]) + (counts_them ? 0 : 1));
           }
           return most >= number(words, 2);
         });
       }},
      {kAnyOperation + R"( came too early: the log had at most (\d+) entr(?:y|ies) when )" + kAnyOperation +
           " was called, and by the return of " + kAnyOperation + R"( at most (\d+) more can have been appended)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t late) {
           return any_of(facts.described(words[3]), [&](std::uint32_t early) {
             return called_before(facts, facts.response(late), [&](std::uint32_t other) {
                      return appends(facts, other) && facts.response(other) > facts.call(early);
                    }) <= number(words, 5);
           });
         });
       }},
      {kAnyOperation + R"( came too late: it saw at most (\d+) entr(?:y|ies), but (?:after )" + kAnyOperation +
           R"( had shown at least (\d+), )?(\d+) appends? ran before it was called)",
       [](Facts& facts, const Words& words) {
         return returned_before(facts, words[1]) >= number(words, 5) &&
                (!words[3].matched || before(facts, words[3], words[1]));
       }},
      {kAnyOperation + R"( came too late: it saw at most (\d+) entr(?:y|ies), but after (\d+) had been appended, )" +
           R"((\d+) appends? ran before it was called)",
       [](Facts& facts, const Words& words) {
         return returned_before(facts, words[1]) >= number(words, 3) + number(words, 4);
       }},
      {kAnyOperation + " came too late: when it was called, " + kAnyOperation +
           R"( had shown that the log has at least (\d+) entr(?:y|ies))",
       happens_after},
      {kAnyOperation + R"( shows (\S+), of which no append ran while the log grew from at most (\d+) to at least )" +
           R"((\d+) entries)",
       [](Facts& facts, const Words& words) {
         return !facts.described(words[1]).empty() &&
                places_that_show(facts, words[2], number(words, 3), number(words, 4)) >= 1;
       }},
      {R"((\d+) places show (\S+), of which only (\d+) appends? ran while the log grew from at most (\d+) to at )"
       R"(least (\d+) entries)",
       [](Facts& facts, const Words& words) {
         return number(words, 3) + 1 == number(words, 1) &&
                places_that_show(facts, words[2], number(words, 4), number(words, 5)) >= number(words, 1);
       }},
      {R"((\d+) appends? ran while the log had at least (\d+) and at most (\d+) entries)"
       R"((?:, and of the places between (?:none|only (\d+)) can be (?:its|theirs))?)",
       [](Facts& facts, const Words& words) {
         const std::size_t room = words[4].matched ? number(words, 4) : 0;
         return number(words, 1) == room + 1 && number(words, 2) + room <= number(words, 3) &&
                called_before(facts, history::Rank::none(), [&](std::uint32_t i) { return appends(facts, i); }) >=
                    number(words, 1);
       }},
      {kAnyOperation +
           R"( needs the entry (\S+) at place (\d+), but no append that can have put it there was called before it returned)",
       [](Facts& facts, const Words& words) { return nobody_appended_in_time(facts, words[1], words[2], words[3]); }},
      {kAnyOperation + R"( shows (\S+) at place (\d+), but nobody had appended it there)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           const bool appended = !nobody_appended_in_time(facts, words[1], words[2], words[3]);
           return !appended && entry_of(facts, i) == words[2] && place_of(facts, i) == words[3];
         });
       }},
      {kAnyOperation + R"( saw (\S+), which no operation had written that was called before it returned)",
       [](Facts& facts, const Words& words) {
         return nobody_appended_in_time(facts, words[1], words[2]) &&
                any_of(facts.described(words[1]), [&](std::uint32_t i) { return facts.result(i) == words[2]; });
       }},
      {kAnyOperation + " and " + kAnyOperation + " saw different entries at one place",
       [](Facts& facts, const Words& words) {
         return both(facts, words, [&](std::uint32_t a, std::uint32_t b) {
           return place_of(facts, a) == place_of(facts, b) && entry_of(facts, a) != entry_of(facts, b);
         });
       }},
      {kAnyOperation + " and " + kAnyOperation + " are at one place",
       [](Facts& facts, const Words& words) {
         return both(facts, words,
                     [&](std::uint32_t a, std::uint32_t b) { return place_of(facts, a) == place_of(facts, b); });
       }},
      {R"((\S+) is at place (\d+) by )" + kAnyOperation + R"( and at (\d+) by )" + kAnyOperation +
           ", but it was written once",
       two_places},
      {kAnyOperation + ": no log of these appends has an entry there", stands_in_the_way},
      {kAnyOperation + " returned no number",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) { return numbers_of(facts.result(i)).empty(); });
       }},
      {kAnyOperation + " is not what the operations can have written that were called before it returned",
       stands_in_the_way},
      // Streams: types/stream/monitor.cpp.
      {kAnyOperation + " and " + kAnyOperation + " start at one place", start_at_one_place},
      {kAnyOperation + " returned before " + kAnyOperation + " was called, but the stream only grows", happens_before},
      {kAnyOperation + R"( needs the tail (\d+), which no appends that were called in time lead to)",
       stands_in_the_way},
      {kAnyOperation + R"( does not fit the stream up to the tail \d+, whichever lost appends took effect)",
       stands_in_the_way},
      {kAnyOperation + " is impossible in any state of the stream", stands_in_the_way},
      // Versions of a key: types/versioned_map/monitor.cpp.
      {kAnyOperation + " returned before " + kAnyOperation + " was called, but versions only go up", happens_before},
      {kAnyOperation + R"( needs version (-?\d+)(?: with the value .*)?, which nobody can have made)",
       [](Facts& facts, const Words& words) { return nobody_made(facts, words[1], std::stoll(words[2]), ""); }},
      {kAnyOperation + R"( needs version (-?\d+), but none that can have made it was open by its return)",
       [](Facts& facts, const Words& words) { return nobody_made(facts, words[1], std::stoll(words[2]), ""); }},
      {kAnyOperation + R"( needs version (-?\d+), but none that can have made it was open between the call of )" +
           kAnyOperation + " and its return",
       [](Facts& facts, const Words& words) { return nobody_made(facts, words[1], std::stoll(words[2]), words[3]); }},
      {kAnyOperation + " and " + kAnyOperation + " both made one version",
       [](Facts& facts, const Words& words) {
         return both(facts, words, [&](std::uint32_t a, std::uint32_t b) { return made(facts, a) == made(facts, b); });
       }},
      {kAnyOperation + " and " + kAnyOperation + " have different values of one version",
       [](Facts& facts, const Words& words) {
         return both(facts, words, [&](std::uint32_t a, std::uint32_t b) {
           return version_of(facts, a) == version_of(facts, b) && value_of(facts, a) != value_of(facts, b);
         });
       }},
      {R"(versions -?\d+ to -?\d+ cannot have ended at any moments that fit what these operations saw)", core_alone},
      {kAnyOperation + " is impossible: no order of the other operations leads there", stands_in_the_way},
      // Revisions of a store: types/mvcc_kv.
      {kAnyOperation + " and " + kAnyOperation + R"( both (?:made|compacted to) revision (\d+))",
       [](Facts& facts, const Words& words) {
         return both(facts, words, [&](std::uint32_t a, std::uint32_t b) {
           return revision_of(facts, a) == std::stoll(words[3]) && revision_of(facts, b) == std::stoll(words[3]);
         });
       }},
      {kAnyOperation + " returned before " + kAnyOperation + " was called, but comes behind it by what they tell",
       happens_before},
      {kAnyOperation + " (?:tells|needs) a revision for which there are too few requests", stands_in_the_way},
      {"(?:" + kAnyOperation +
           R"( needs revision (\d+), which nobody called by then tells to have made|nobody tells to have made )" +
           R"(revision (\d+)); (?:no request of unknown fate was called in time to make it|none of the requests of )" +
           R"(unknown fate that were called in time \((\d+)\) can have made it))",
       [](Facts& facts, const Words& words) {
         const std::int64_t revision = std::stoll(words[2].matched ? words[2] : words[3]);
         std::size_t most = 0;
         for (std::uint32_t i = 0; i < facts.part().size(); ++i) {
           const bool writes = facts.method(i) == "put" || facts.method(i) == "delete";
           const bool too_late =
               words[1].matched && any_of(facts.described(words[1]), [&](std::uint32_t needs) {
                 return i == needs || facts.call(i) > facts.response(needs) || !facts.possible_with(i, needs);
               });
           if (writes && !of_unknown_fate(facts, i) && revision_of(facts, i) == revision && !too_late) return false;
           if (of_unknown_fate(facts, i)) ++most;
         }
         return !words[4].matched || number(words, 4) <= most;
       }},
      {kAnyOperation +
           R"( does not fit the store at revision \d+(?:, whichever requests of unknown fate were executed)?)",
       stands_in_the_way},
      {kAnyOperation + ", but nobody compacted to revision \\d+ or beyond", stands_in_the_way},
      {kAnyOperation + " and " + kAnyOperation +
           R"(: \S+ stood from revision (\d+) to (\d+), but (?:was not there at revision|revision|is shown as of revision) )" +
           R"((\d+)(?: touched it)?)",
       stood_and_did_not},
      {kAnyOperation + " and " + kAnyOperation +
           R"(: \S+ is shown (?:in two ways )?as of revision (\d+)(?:, which did not put it|, which put another value)?)",
       [](Facts& facts, const Words& words) {
         return both(facts, words, [](std::uint32_t, std::uint32_t) { return true; });
       }},
  };
}

}  // namespace linchpin::sentences

// What the cross tests of monitors draw: for every type with a monitor, calls that keep to what the monitor understands
// most of the time, and leave it now and then.
#pragma once

#include <functional>
#include <ostream>
#include <string_view>
#include <vector>

#include "generate/models/mvcc_store.hpp"
#include "support/sketch.hpp"
#include "types/mvcc_kv/specification.hpp"
#include "types/stream/specification.hpp"

namespace linchpin::cross {

/// A type, and how random histories of it are drawn.
struct Subject {
  std::string_view name;  ///< of the test
  std::string_view type;  ///< with its options
  std::function<test::Drafter(test::Random&)> start;
  std::vector<Value> results;  ///< to put in the place of others
  std::size_t processes = 0;   ///< at most so many take turns; 0: it does not matter who calls

  friend void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.type; }
};

namespace detail {

using test::below;
using test::Draft;
using test::Drafter;
using test::Random;

inline Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

inline std::vector<Value> numbers(std::size_t from, std::size_t to) {
  std::vector<Value> values;
  for (std::size_t value = from; value <= to; ++value) values.push_back(number(value));
  return values;
}

inline std::vector<Value> yes_or_no() { return {Value::boolean(true), Value::boolean(false)}; }

/// The same drafts, in one history of eight with some of `whole`, methods that see or change the whole content.
inline std::function<Drafter(Random&)> and_whole(std::function<Drafter(Random&)> start, std::vector<Draft> whole) {
  return [start = std::move(start), whole = std::move(whole)](Random& random) -> Drafter {
    Drafter drafter = start(random);
    if (below(random, 8) != 0) return drafter;
    return [drafter = std::move(drafter), whole](Random& generator) {
      return below(generator, 6) == 0 ? whole[below(generator, whole.size())] : drafter(generator);
    };
  };
}

/// Queues, stacks, priority queues (rows 0 to 4: add, remove, look, size, is_empty), whose sizes are told now and then.
/// `classes` priorities; 0: none.
inline std::function<Drafter(Random&)> passing(bool repeats, std::size_t classes) {
  return [repeats, classes](Random& random) -> Drafter {
    std::vector<std::size_t> values(1 + below(random, 7));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = repeats ? 1 + below(random, 3) : i + 1;
    std::shuffle(values.begin(), values.end(), random);
    return [next = std::size_t{0}, values, peeks = below(random, 2) == 0, empties = below(random, 2) == 0,
            faults = below(random, 6) == 0, sizes = below(random, 8) == 0, classes](Random& generator) mutable {
      if (sizes && below(generator, 4) == 0) {
        if (below(generator, 4) == 0) return Draft{4, {}, yes_or_no()};
        return Draft{3, {}, numbers(0, 4)};
      }
      if (next < values.size() && below(generator, 2) == 0) {
        std::vector<Value> arguments{number(values[next++])};
        if (classes > 0) arguments.push_back(number(below(generator, classes)));
        return Draft{0, arguments, {Value::none()}};
      }
      std::vector<Value> results;
      for (std::size_t i = 0; i < std::min(values.size(), next + 2); ++i) results.push_back(number(values[i]));
      if (faults && below(generator, 8) == 0) results.push_back(number(77));
      if (empties || results.empty()) results.push_back(Value::nil());
      if (empties && below(generator, 30) == 0) return Draft{4, {}, {Value::boolean(true)}};
      return Draft{peeks && below(generator, 3) == 0 ? std::uint16_t{2} : std::uint16_t{1}, {}, results};
    };
  };
}

/// The same, where the methods up to `last` add something, and may find no room.
inline Drafter with_a_capacity(Drafter drafter, std::uint16_t last) {
  return [drafter = std::move(drafter), last](Random& generator) {
    Draft draft = drafter(generator);
    if (draft.method <= last) draft.results = yes_or_no();
    return draft;
  };
}

/// Priority queues that may be full, with two priorities.
inline Drafter crowded(Random& random) { return with_a_capacity(passing(below(random, 4) == 0, 2)(random), 0); }

/// Queues whose number of values is bounded, or told.
inline std::function<Drafter(Random&)> counted(bool bounded) {
  return [bounded](Random& random) -> Drafter {
    return [next = std::size_t{1}, bounded, peeks = below(random, 2),
            sizes = below(random, 4)](Random& generator) mutable {
      const std::size_t what = below(generator, 8 + peeks + sizes);
      std::vector<Value> results = numbers(1, next);
      results.push_back(Value::nil());
      if (what < 4) return Draft{0, {number(next++)}, bounded ? yes_or_no() : std::vector{Value::none()}};
      if (what < 8) return Draft{1, {}, results};
      if (what < 8 + peeks) return Draft{2, {}, results};
      if (below(generator, 3) == 0) return Draft{4, {}, yes_or_no()};
      return Draft{3, {}, numbers(0, 4)};
    };
  };
}

/// Deques without repeated values: push, pop, peek at both ends, what is empty, and now and then sizes.
inline Drafter ends(Random& random) {
  return [next = std::size_t{1}, most = 1 + below(random, 6), peeks = below(random, 2) == 0,
          empties = below(random, 2) == 0, faults = below(random, 6) == 0,
          sizes = below(random, 6) == 0](Random& generator) mutable {
    if (sizes && below(generator, 4) == 0) {
      if (below(generator, 4) == 0) return Draft{7, {}, yes_or_no()};
      return Draft{6, {}, numbers(0, 4)};
    }
    const std::size_t back = below(generator, 2);
    const auto row = [back](std::size_t front) { return static_cast<std::uint16_t>(front + back); };
    if (next <= most && below(generator, 2) == 0) return Draft{row(0), {number(next++)}, {Value::none()}};
    if (empties && below(generator, 30) == 0) return Draft{7, {}, {Value::boolean(true)}};
    std::vector<Value> results = numbers(1, std::min(most, next + 1));
    if (faults && below(generator, 8) == 0) results.push_back(number(77));
    if (empties) results.push_back(Value::nil());
    return Draft{row(peeks && below(generator, 3) == 0 ? 4 : 2), {}, results};
  };
}

/// Deques that may be full.
inline Drafter crowded_ends(Random& random) { return with_a_capacity(ends(random), 1); }

/// Work-stealing deques: pushes at the back, pops at both ends, and at the front some that give up.
inline Drafter steals(Random& random) {
  return [next = std::size_t{1}, most = 1 + below(random, 6), peeks = below(random, 6) == 0,
          empties = below(random, 2) == 0, faults = below(random, 6) == 0](Random& generator) mutable {
    if (next <= most && below(generator, 2) == 0) return Draft{1, {number(next++)}, {Value::none()}};
    std::vector<Value> results = numbers(1, std::min(most, next + 1));
    if (faults && below(generator, 8) == 0) results.push_back(number(77));
    if (empties) results.push_back(Value::nil());
    const bool back = below(generator, 3) == 0;
    if (!back && below(generator, 6) == 0) results = {Value::boolean(false)};
    const std::size_t row = peeks && below(generator, 4) == 0 ? 4 : 2;
    return Draft{static_cast<std::uint16_t>(row + (back ? 1 : 0)), {}, results};
  };
}

/// Sets: add, remove, contains. `fresh`: most elements are added once.
inline std::function<Drafter(Random&)> elements(bool fresh) {
  return [fresh](Random& random) -> Drafter {
    return [next = std::size_t{1}, count = 1 + below(random, 3), fresh,
            vague = below(random, 6) == 0](Random& generator) mutable {
      const auto method = static_cast<std::uint16_t>(below(generator, 3));
      std::vector<Value> results = yes_or_no();
      if (vague && below(generator, 3) == 0) results = {Value::none()};
      if (fresh && method == 0) return Draft{method, {number(next++)}, {Value::boolean(true)}};
      return Draft{method, {number(below(generator, fresh ? next + 1 : count))}, results};
    };
  };
}

/// Bags: add, remove, take, contains, size, is_empty.
inline std::function<Drafter(Random&)> pool(bool repeats) {
  return [repeats](Random& random) -> Drafter {
    return [next = std::size_t{1}, repeats, kinds = 1 + below(random, 3), zeros = below(random, 2) == 0,
            removes = below(random, 2) == 0](Random& generator) mutable {
      const std::size_t known = repeats ? kinds : next;
      std::vector<Value> results = numbers(1, known);
      switch (below(generator, 8)) {
        case 0:
          if (zeros) results.push_back(Value::nil());
          return Draft{2, {}, results};
        case 1:
        case 2: return Draft{2, {}, results};
        case 3:
          if (!removes) return Draft{2, {}, results};
          return Draft{
              1, {number(1 + below(generator, known))}, zeros ? yes_or_no() : std::vector{Value::boolean(true)}};
        case 4:
          return Draft{
              3, {number(1 + below(generator, known))}, zeros ? yes_or_no() : std::vector{Value::boolean(true)}};
        case 5:
          if (zeros && below(generator, 4) == 0) return Draft{5, {}, {Value::boolean(true)}};
          [[fallthrough]];
        default: return Draft{0, {number(repeats ? 1 + below(generator, kinds) : next++)}, {Value::none()}};
      }
    };
  };
}

inline Drafter locks(Random& /*random*/) {
  return [](Random& generator) {
    const auto method = static_cast<std::uint16_t>(below(generator, 4));
    return Draft{method, {}, method <= 1 ? std::vector{Value::none()} : yes_or_no()};
  };
}

/// Locks whose holders matter: many releases, which only the holder's can be; results are lost now and then.
inline Drafter owned_locks(Random& random) {
  return [looks = below(random, 3), lost = below(random, 3) == 0](Random& generator) {
    const std::size_t what = below(generator, 4 + 2 * looks);
    if (what < 3) return Draft{what < 2 ? std::uint16_t{1} : std::uint16_t{0}, {}, {Value::none()}};
    const std::uint16_t method = what % 3 == 2 ? 3 : 2;
    if (lost && below(generator, 4) == 0) return Draft{method, {}, {Value::unknown()}};
    return Draft{method, {}, yes_or_no()};
  };
}

/// Registers: write, read. Values are written once, now and then one again.
inline Drafter registers(Random& random) {
  return [next = std::size_t{1}, most = 2 + below(random, 6), repeats = below(random, 8) == 0,
          initial = below(random, 2) == 0 ? Value::nil() : Value::integer(0)](Random& generator) mutable {
    if (next <= most && below(generator, 2) == 0) {
      return Draft{0, {number(repeats && below(generator, 10) == 0 ? 1 : next++)}, {Value::none()}};
    }
    std::vector<Value> results = numbers(1, most);
    results.push_back(initial);
    if (below(generator, 20) == 0) results = {Value::unknown()};
    return Draft{1, {}, results};
  };
}

/// Compare-and-set registers: write, read, cas, compare_exchange. `failures`: they may fail.
inline std::function<Drafter(Random&)> exchanges(bool failures) {
  return [failures](Random& random) -> Drafter {
    return [next = std::size_t{1}, most = 2 + below(random, 6), failures,
            quiet = below(random, 2) == 0](Random& generator) mutable {
      const std::size_t what = below(generator, 7);
      if (next <= most && what < 4) {
        const Value fresh = number(next);
        if (what == 0 || (quiet && what == 1)) {
          ++next;
          return Draft{0, {fresh}, {Value::none()}};
        }
        const Value from = below(generator, 2) == 0 ? number(next - 1) : number(below(generator, next + 1));
        ++next;
        if (what == 3 && failures) return Draft{3, {from, fresh}, numbers(0, most)};
        return Draft{2, {from, fresh}, failures ? yes_or_no() : std::vector{Value::boolean(true)}};
      }
      // Failures that write nothing: of moves between equal values, or with a value that nothing else writes.
      if (failures && what >= 4 && below(generator, 3) != 0) {
        const Value from = number(below(generator, next + 1));
        return Draft{
            2, {from, below(generator, 2) == 0 ? from : number(90 + below(generator, 9))}, {Value::boolean(false)}};
      }
      return Draft{1, {}, numbers(0, most)};
    };
  };
}

inline Drafter swaps(Random& random) {
  return [next = std::size_t{1}, most = 2 + below(random, 6)](Random& generator) mutable {
    std::vector<Value> results = numbers(0, most);
    if (below(generator, 15) == 0) results = {Value::unknown()};
    const std::size_t what = below(generator, 4);
    if (next > most || what == 0) return Draft{1, {}, results};
    const Value fresh = number(next++);
    if (what == 1) return Draft{2, {fresh}, {Value::none()}};
    return Draft{0, {fresh}, results};
  };
}

/// One element of an array: read, write, cas.
inline Drafter one_element(Random& random) {
  return [next = std::size_t{1}, most = 2 + below(random, 6),
          failures = below(random, 2) == 0](Random& generator) mutable {
    const Value index = number(0);
    std::vector<Value> values = numbers(0, most);
    const std::size_t what = below(generator, 6);
    if (next <= most && what == 0) return Draft{1, {index, number(next++)}, {Value::none()}};
    if (next <= most && what < 3) {
      const Value from = values[below(generator, values.size())];
      return Draft{2, {index, from, number(next++)}, failures ? yes_or_no() : std::vector{Value::boolean(true)}};
    }
    if (below(generator, 20) == 0) values = {Value::unknown()};
    return Draft{0, {index}, values};
  };
}

/// One key of a map: get, put, append, remove, cas, put_if_absent, replace, contains.
inline Drafter one_key(Random& random) {
  return [next = std::size_t{1}, most = 2 + below(random, 6), removes = below(random, 3),
          presence = below(random, 5) == 0](Random& generator) mutable {
    const Value key = Value::integer(0);
    std::vector<Value> values = numbers(1, most);
    values.push_back(Value::nil());
    const auto any = [&] { return values[below(generator, values.size())]; };
    const std::size_t what = below(generator, 10);
    if (presence) {
      if (what < 3) return Draft{5, {key, number(below(generator, 3))}, yes_or_no()};
      if (what < 6) return Draft{3, {key}, yes_or_no()};
      return Draft{7, {key}, yes_or_no()};
    }
    if (next <= most && what < 5) {
      const Value fresh = number(next++);
      switch (what) {
        case 0: return Draft{5, {key, fresh}, yes_or_no()};
        case 1: return Draft{4, {key, any(), fresh}, yes_or_no()};
        case 2: return Draft{6, {key, any(), fresh}, yes_or_no()};
        default: return Draft{1, {key, fresh}, {Value::none(), Value::boolean(true), Value::nil(), fresh}};
      }
    }
    if (what == 6) return Draft{7, {key}, yes_or_no()};
    if (what == 7 && below(generator, 3) < removes) return Draft{3, {key}, yes_or_no()};
    return Draft{0, {key}, values};
  };
}

/// The same with results that are the value before: get, put, remove, put_if_absent, replace.
inline Drafter one_key_before(Random& random) {
  return [next = std::size_t{1}, most = 2 + below(random, 6), removes = below(random, 3)](Random& generator) mutable {
    const Value key = Value::integer(0);
    std::vector<Value> values = numbers(1, most);
    values.push_back(Value::nil());
    const std::size_t what = below(generator, 10);
    if (what < removes) return Draft{3, {key}, what == 0 ? values : std::vector{Value::none()}};
    if (next <= most && what < 6) {
      const Value fresh = number(next++);
      if (what == 2) return Draft{5, {key, fresh}, values};
      if (what == 3) return Draft{6, {key, fresh}, values};
      return Draft{1, {key, fresh}, what == 4 ? std::vector{Value::none()} : values};
    }
    return Draft{0, {key}, values};
  };
}

inline Drafter counts(Random& random) {
  const bool down = below(random, 3) == 0;
  return [rows = down ? std::array<std::uint16_t, 3>{2, 4, 6} : std::array<std::uint16_t, 3>{1, 3, 5},
          amount = static_cast<std::int64_t>(1 + below(random, 2))](Random& generator) {
    std::vector<Value> results;
    for (std::int64_t value = -14; value <= 14; ++value) results.push_back(Value::integer(value));
    const Value change = Value::integer(below(generator, 12) == 0 ? 0 : amount);
    const std::size_t what = below(generator, 5);
    if (what >= 3) return Draft{7, {}, results};
    const bool by_name = what == 0 && rows[0] == 1 && below(generator, 2) == 0;  // add(n), which is increment(n)
    return Draft{by_name ? std::uint16_t{0} : rows[what], {change}, what == 0 ? std::vector{Value::none()} : results};
  };
}

/// Logs whose appends tell where they are, most of the time.
inline Drafter told_entries(Random& random) {
  return
      [next = std::size_t{1}, kinds = 1 + below(random, 4), unique = below(random, 3) == 0](Random& generator) mutable {
        std::vector<Value> results = numbers(0, 8);
        switch (below(generator, 5)) {
          case 0: return Draft{4, {}, results};
          case 1: results.push_back(Value::nil()); return Draft{2, {number(below(generator, 5))}, results};
          default:
            if (below(generator, 8) == 0) results = {Value::none()};
            return Draft{0, {number(unique ? next++ : below(generator, kinds))}, results};
        }
      };
}

/// Logs: append, get, length; a `put` now and then.
inline Drafter entries(Random& random) {
  return
      [next = std::size_t{1}, kinds = 2 + below(random, 8), unique = below(random, 2) == 0](Random& generator) mutable {
        std::vector<Value> results = numbers(0, 8);
        switch (below(generator, 4)) {
          case 0: return Draft{4, {}, results};
          case 1: results.push_back(Value::nil()); return Draft{2, {number(below(generator, 5))}, results};
          default: return Draft{0, {number(unique ? next++ : below(generator, kinds))}, {Value::none()}};
        }
      };
}

/// One key of a versioned map: get, put, write, version. `told`: writes return versions, the first of which is 0.
inline std::function<Drafter(Random&)> versions(bool told) {
  return [told](Random& random) -> Drafter {
    return [made = std::size_t{0}, fresh = std::size_t{1}, told, kinds = 1 + below(random, 3),
            unique = below(random, 2) == 0, vague = below(random, 3), fails = below(random, 3),
            writes = told || below(random, 6) == 0, texts = told && below(random, 3) == 0](Random& generator) mutable {
      ValuePool& pool = test::sketch_pool();
      const Value key = number(0);
      const auto content = [&](std::size_t value) {
        return texts ? pool.string(std::string(1, static_cast<char>('a' + value % 26))) : number(value);
      };
      const std::int64_t first = told ? 0 : 1;
      const auto version = [&](std::size_t writes_before) {
        return Value::integer(first - 1 + static_cast<std::int64_t>(writes_before));
      };
      const std::size_t values = unique ? fresh : kinds;
      const std::size_t what = below(generator, 10);
      std::vector<Value> results;
      if (what < 3) {
        for (std::size_t value = 1; value <= values; ++value) {
          for (std::size_t count = 1; count <= made + 1; ++count) {
            results.push_back(pool.list({content(value), version(count)}));
          }
        }
        results.push_back(Value::nil());
        return Draft{0, {key}, results};
      }
      if (what == 3) {
        for (std::size_t count = 0; count <= made + 1; ++count) results.push_back(version(count));
        return Draft{3, {key}, results};
      }
      const Value value = content(unique ? fresh++ : 1 + below(generator, kinds));
      results.push_back(Value::none());
      if (texts) results.push_back(value);
      if (told) {
        for (std::size_t count = 1; count <= made + 1; ++count) results.push_back(version(count));
      }
      if (below(generator, 4) < vague) results = {pool.string("ErrMaybe")};
      if (writes && below(generator, 3) == 0) {
        ++made;
        return Draft{2, {key, value}, results};
      }
      for (const char* const failure : {"ErrVersion", "ErrNoKey"}) results.push_back(pool.string(failure));
      if (below(generator, 4) == 0) results.push_back(Value::boolean(false));
      const bool stale = below(generator, 4) < fails;
      const std::size_t follows = stale ? below(generator, made + 2) : made;
      if (!stale && below(generator, 4) != 0) ++made;
      return Draft{1, {key, value, version(follows)}, results};
    };
  };
}

/// Streams: append, read, check_tail; what is read is what some order of the appends so far leads to.
inline Drafter records(Random& random) {
  using types::Stream;
  return [states = std::vector<Stream::State>{Stream::initial()}, tokens = below(random, 3) == 0,
          matched = below(random, 3), repeats = below(random, 3) == 0,
          next = std::int64_t{1}](Random& generator) mutable {
    ValuePool& pool = test::sketch_pool();
    const auto tail = [&](const Stream::State& state) { return pool.integer(static_cast<std::int64_t>(state.tail)); };
    std::vector<Value> results;
    const std::size_t what = below(generator, 5);
    if (what < 2) {
      for (const Stream::State& state : states) {
        if (what == 0) results.push_back(tail(state));
        if (what == 1) {
          results.push_back(pool.list({tail(state), pool.integer(static_cast<std::int64_t>(state.content))}));
        }
      }
      if (below(generator, 10) == 0) results.push_back(Value::boolean(false));
      return Draft{static_cast<std::uint16_t>(what == 0 ? Stream::kCheckTail : Stream::kRead), {}, results};
    }
    std::vector<Value> hashes(1 + below(generator, 2));
    for (Value& hash : hashes) hash = Value::integer(repeats ? 7 : next++);
    std::vector<Value> arguments{pool.list(hashes)};
    const bool matches = below(generator, 3) < matched;
    arguments.push_back(matches ? tail(states[below(generator, states.size())]) : Value::nil());
    if (tokens) {
      arguments.push_back(below(generator, 3) == 0 ? number(below(generator, 2)) : Value::nil());
      arguments.push_back(below(generator, 3) == 0 ? number(below(generator, 2)) : Value::nil());
    }
    const Operation operation{
        .method = Stream::kAppend, .arguments = arguments, .result = Value::unknown(), .pool = &pool};
    const std::size_t known = states.size();
    for (std::size_t i = 0; i < known; ++i) {
      if (!Stream::admits(states[i], operation)) continue;
      const Stream::State after = Stream::after(states[i], operation);
      results.push_back(tail(after));
      if (states.size() < 40) states.push_back(after);
    }
    if (states.size() >= 40) {
      std::shuffle(states.begin(), states.end(), generator);
      states.resize(20);
    }
    if (results.empty() || below(generator, 6) == 0) results.push_back(Value::boolean(false));
    return Draft{Stream::kAppend, arguments, results};
  };
}

/// Stores of versions: range, put, delete, transactions; answered as some order of the requests so far would be.
inline Drafter revisions(Random& random) {
  using generate::MvccStore;
  using types::mvcc_kv::Methods;
  return [states = std::vector<MvccStore>{MvccStore(test::sketch_pool())}, keys = 1 + below(random, 3),
          next = std::int64_t{1}](Random& generator) mutable {
    ValuePool& pool = test::sketch_pool();
    const auto key = static_cast<std::int64_t>(1 + below(generator, keys));
    const Value name = Value::integer(key), value = Value::integer(next++);
    Draft draft;
    std::function<Value(MvccStore&)> answer;
    const std::size_t what = below(generator, 9);
    if (what == 8) {
      const Value lease = Value::integer(7);
      switch (below(generator, 4)) {
        case 0:
          draft = {Methods::kGrant, {lease}, {}};
          answer = [](MvccStore& store) { return store.grant(7); };
          break;
        case 1:
          draft = {Methods::kRevoke, {lease}, {}};
          answer = [](MvccStore& store) { return store.revoke(7); };
          break;
        case 2:
          draft = {Methods::kCompact, {name}, {}};
          answer = [key](MvccStore& store) { return store.compact(key); };
          break;
        default:
          draft = {Methods::kDefragment, {}, {}};
          answer = [&pool](MvccStore&) { return pool.string("ok"); };
          break;
      }
    } else if (what < 3) {
      draft = {Methods::kRange, {name, Value::integer(key + 2)}, {}};
      answer = [key](MvccStore& store) { return store.range({.first = key, .end = key + 2}); };
    } else if (what < 5) {
      draft = {Methods::kPut, {name, value}, {}};
      answer = [key, value](MvccStore& store) { return store.put({key, value}); };
    } else if (what == 5) {
      draft = {Methods::kDelete, {name}, {}};
      answer = [key](MvccStore& store) { return store.erase(key, std::nullopt); };
    } else {
      const std::int64_t mod = states[below(generator, states.size())].content(key).mod;
      const auto word = [&](const char* text) { return pool.string(text); };
      draft = {Methods::kTxn,
               {pool.list({pool.list({word("mod"), name, Value::integer(mod)})}),
                pool.list({pool.list({word("put"), name, value})}), pool.list({pool.list({word("range"), name})})},
               {}};
      answer = [key, value, mod, &pool](MvccStore& store) {
        const bool holds = store.content(key).mod == mod;
        store.begin();
        if (holds) store.change({key, value});
        const Value result = holds ? Value::nil() : store.look({.first = key});
        const Value revision = store.finish();
        return pool.list({revision, Value::boolean(holds), pool.list({result})});
      };
    }
    const std::size_t known = states.size();
    for (std::size_t i = 0; i < known; ++i) {
      MvccStore after = states[i];
      const Value result = answer(after);
      if (std::find(draft.results.begin(), draft.results.end(), result) == draft.results.end()) {
        draft.results.push_back(result);
      }
      if (draft.method != Methods::kRange) states.push_back(std::move(after));
    }
    if (states.size() > 16) {
      std::shuffle(states.begin(), states.end(), generator);
      states.erase(states.begin() + 16, states.end());
    }
    if (below(generator, 12) == 0) draft.results = {Value::unknown()};
    return draft;
  };
}

}  // namespace detail

/// Every type with a monitor, in the shapes that its monitors tell apart.
inline std::vector<Subject> monitored_subjects() {
  using namespace detail;  // NOLINT: the vocabulary of this table
  const std::vector<Value> contents{Value::nil(), number(1), number(2), number(3), number(4)};
  const std::vector<Value> cells = numbers(0, 3);
  // Rows of sets and bags: size, is_empty, clear; of maps, over one key.
  const std::vector<Draft> whole{{4, {}, numbers(0, 4)}, {5, {}, yes_or_no()}, {6, {}, {Value::none()}}};
  const std::vector<Draft> whole_map{{8, {}, numbers(0, 1)}, {9, {}, yes_or_no()}, {10, {}, {Value::none()}}};
  return {
      {"Queue", "queue", passing(false, 0), contents},
      {"QueueWithRepeatedValues", "queue", passing(true, 0), contents},
      {"QueueOfKnownSize", "queue", counted(false), contents},
      {"QueueWithOnePlace", "queue capacity=1", counted(true), contents},
      {"QueueWithThreePlaces", "queue capacity=3", counted(true), contents},
      {"Stack", "stack", passing(false, 0), contents},
      {"PriorityQueue", "priority-queue", passing(false, 0), contents},
      {"PriorityQueueWithEqualPriorities", "priority-queue", passing(false, 2), contents},
      {"PriorityQueueFirstInFirstOut", "priority-queue ties=fifo", passing(false, 2), contents},
      {"PriorityQueueLargestFirst", "priority-queue order=largest", passing(false, 3), contents},
      {"PriorityQueueOfAPartialOrder", "priority-queue order=0<1,0<2,1<3,2<3", passing(false, 4), contents},
      {"PriorityQueueOfAPartialOrderFirstInFirstOut", "priority-queue order=0<1,0<2 ties=fifo", passing(false, 3),
       contents},
      {"PriorityQueueWithTwoPlaces", "priority-queue capacity=2", crowded, contents},
      {"PriorityQueueWithThreePlacesFirstInFirstOut", "priority-queue capacity=3 ties=fifo", crowded, contents},
      {"Deque", "deque", ends, contents},
      {"DequeWithOnePlace", "deque capacity=1", crowded_ends, contents},
      {"DequeWithThreePlaces", "deque capacity=3", crowded_ends, contents},
      {"DequeWorkStealing", "deque work-stealing=yes", steals, contents},
      {"Set", "set", and_whole(elements(true), whole), yes_or_no()},
      {"SetWithRepeatedElements", "set", and_whole(elements(false), whole), yes_or_no()},
      {"Bag", "bag", and_whole(pool(false), whole), contents},
      {"BagWithRepeatedValues", "bag", and_whole(pool(true), whole), contents},
      {"Mutex", "mutex", locks, {}},
      {"MutexWithOwners", "mutex owner=yes", owned_locks, {}, 4},
      {"Register", "register", registers, cells},
      {"RegisterFromZero", "register initial=0", registers, cells},
      {"CompareAndSet", "cas-register initial=0", exchanges(false), cells},
      {"CompareAndSetThatFails", "cas-register initial=0", exchanges(true), cells},
      {"CompareAndSetThatFailsUndefined", "cas-register initial=undefined", exchanges(true), cells},
      {"CompareAndSetFailuresDropped", "cas-register initial=0 failed-cas=drop", exchanges(true), cells},
      {"Exchange", "rmw initial=0", swaps, cells},
      {"ArrayElement", "array initial=0", one_element, cells},
      {"MapKey", "map", and_whole(one_key, whole_map), {}},
      {"MapKeyWithValuesBefore", "map results=previous", one_key_before, {}},
      {"VersionedKey", "versioned-map", versions(false), {}},
      {"VersionedKeyThatMayHaveBeenPut", "versioned-map maybe=either", versions(false), {}},
      {"VersionedKeyWithToldVersions", "versioned-map writes=version first=0", versions(true), {}},
      {"Stream", "stream", records, {}},
      {"StoreOfVersions", "mvcc-kv", revisions, {}},
      {"Counter", "counter", counts, cells},
      {"Log", "log", entries, contents},
      {"LogThatTells", "log append=index", told_entries, contents},
  };
}

}  // namespace linchpin::cross

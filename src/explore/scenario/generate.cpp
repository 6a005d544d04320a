// Scenarios of one size, up to symmetry: of those that differ only in the order of threads or in the names of keys, the
// smallest in the order of their calls is the one that is explored.
#include <algorithm>
#include <map>

#include "explore/scenario/scenario.hpp"

namespace linchpin::explorer {

namespace {

/// Keys renamed in the order in which they occur.
Scenario with_first_keys(Scenario scenario, const Vocabulary& vocabulary) {
  std::map<std::int64_t, std::int64_t> names;
  const auto rename = [&](std::vector<Call>& calls) {
    for (Call& call : calls) {
      for (std::size_t i = 0; i < call.numbers.size(); ++i) {
        if (vocabulary.words[call.action].wanted[i] != Wanted::key) continue;
        const auto next = static_cast<std::int64_t>(names.size());
        call.numbers[i] = names.try_emplace(call.numbers[i], next).first->second;
      }
    }
  };
  rename(scenario.prefix);
  for (std::vector<Call>& thread : scenario.threads) rename(thread);
  return scenario;
}

bool canonical(const Scenario& scenario, const Vocabulary& vocabulary) {
  std::vector<std::size_t> order(scenario.threads.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    Scenario other = {.prefix = scenario.prefix, .threads = {}};
    for (const std::size_t i : order) other.threads.push_back(scenario.threads[i]);
    other = with_first_keys(std::move(other), vocabulary);
    if (std::tie(other.prefix, other.threads) < std::tie(scenario.prefix, scenario.threads)) return false;
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

/// Fresh values by position. A priority is the position, or above all other positions, as its 0 or 1 says.
void number(Scenario& scenario, const Vocabulary& vocabulary) {
  constexpr std::int64_t kHigh = 100;
  std::int64_t next = 0;
  const auto fill = [&](std::vector<Call>& calls) {
    for (Call& call : calls) {
      for (std::size_t i = 0; i < call.numbers.size(); ++i) {
        const Wanted wanted = vocabulary.words[call.action].wanted[i];
        if (wanted == Wanted::fresh) call.numbers[i] = ++next;
        if (wanted == Wanted::priority) {
          ++next;
          call.numbers[i] = call.numbers[i] == 0 ? next : kHigh - next;
        }
      }
    }
  };
  fill(scenario.prefix);
  for (std::vector<Call>& thread : scenario.threads) fill(thread);
}

/// Every call that a scenario may have at some place.
std::vector<Call> alternatives(const Vocabulary& vocabulary, unsigned keys) {
  std::vector<Call> all;
  for (unsigned action = 0; action < vocabulary.words.size(); ++action) {
    const Vocabulary::Word& word = vocabulary.words[action];
    if (!word.used) continue;
    std::vector<Call> some = {Call{.action = action, .numbers = {}}};
    for (std::size_t i = 0; i < word.wanted.size(); ++i) {
      const std::int64_t choices = word.wanted[i] == Wanted::key ? keys : word.wanted[i] == Wanted::priority ? 2 : 1;
      std::vector<Call> longer;
      for (const Call& call : some) {
        for (std::int64_t choice = 0; choice < choices; ++choice) {
          longer.push_back(call);
          longer.back().numbers[i] = choice;
        }
      }
      some = std::move(longer);
    }
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

std::optional<std::vector<Scenario>> generate(const Vocabulary& vocabulary, const Size& size, unsigned keys,
                                              std::size_t most, const std::function<bool(std::size_t)>& stopped) {
  std::vector<Scenario> scenarios;
  Scenario scenario;
  if (size.prefix > 0) {
    unsigned action = 0;
    while (action < vocabulary.words.size() && !(vocabulary.words[action].adds && vocabulary.words[action].used)) {
      ++action;
    }
    if (action == vocabulary.words.size()) return scenarios;
    for (unsigned i = 0; i < size.prefix; ++i) {
      Call call{.action = action, .numbers = {}};
      for (std::size_t k = 0; k < call.numbers.size(); ++k) {
        if (vocabulary.words[action].wanted[k] == Wanted::key) call.numbers[k] = i % keys;
      }
      scenario.prefix.push_back(call);
    }
  }
  const std::vector<Call> calls = alternatives(vocabulary, keys);
  if (calls.empty()) return scenarios;
  // Counts through all combinations of calls: one digit each place.
  const std::size_t places = std::size_t{size.threads} * size.operations;
  std::vector<std::size_t> digits(places, 0);
  std::size_t compared = places + size.prefix;
  for (unsigned threads = 2; threads <= size.threads; ++threads) compared *= threads;
  for (;;) {
    if (stopped(compared)) return std::nullopt;
    scenario.threads.assign(size.threads, {});
    for (std::size_t place = 0; place < places; ++place) {
      scenario.threads[place / size.operations].push_back(calls[digits[place]]);
    }
    if (canonical(scenario, vocabulary)) {
      scenarios.push_back(scenario);
      number(scenarios.back(), vocabulary);
      if (scenarios.size() == most) return scenarios;
    }
    std::size_t place = places;
    while (place > 0 && ++digits[place - 1] == calls.size()) digits[--place] = 0;
    if (place == 0) return scenarios;
  }
}

}  // namespace linchpin::explorer

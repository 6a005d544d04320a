// One kind of sentence about violations, and when it is true. The claims stand by kind in the files beside this one.
#pragma once

#include <functional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cross/sentences/facts.hpp"

namespace linchpin::sentences {

using Words = std::smatch;
using Claim = std::function<bool(Facts&, const Words&)>;
using Claims =
    std::vector<std::pair<std::string, Claim>>;  ///< a regular expression for the whole sentence, and its claim

/// An operation as it is described, whose result is one word, or any.
inline const std::string kOperation = R"((\w+\([^)]*\)(?: -> \S+?| pending)?))";
inline const std::string kAnyOperation = R"((\w+\([^()]*\)(?: -> [^()]+?| pending)?))";

[[nodiscard]] Claims container_claims();  ///< queues, stacks, priority queues, bags, deques: each value added once
[[nodiscard]] Claims value_claims();      ///< registers and what reads, exchanges and removes values; sets and locks
[[nodiscard]] Claims count_claims();      ///< counters, logs, streams, versions and revisions

/// The values of "6, 5 and 4", "6, then 5" or "6 or 5", their priorities left out.
[[nodiscard]] inline std::vector<std::string> values_of(std::string text) {
  text = std::regex_replace(text, std::regex(R"( \(priority [^)]*\))"), "");
  text = std::regex_replace(text, std::regex(R"((, then | and | or |, ))"), " ");
  std::vector<std::string> values;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) values.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

[[nodiscard]] inline bool any_of(const std::vector<std::uint32_t>& operations,
                                 const std::function<bool(std::uint32_t)>& holds) {
  return std::any_of(operations.begin(), operations.end(), holds);
}

/// Whether an operation that is described so returned before one that is described so was called.
[[nodiscard]] inline bool before(const Facts& facts, const std::string& first, const std::string& then) {
  return any_of(facts.described(first), [&](std::uint32_t a) {
    return any_of(facts.described(then), [&](std::uint32_t b) { return facts.before(a, b); });
  });
}
[[nodiscard]] inline bool happens_before(Facts& facts, const Words& words) { return before(facts, words[1], words[2]); }
/// Facts::stands_in_the_way of the first operation.
[[nodiscard]] inline bool stands_in_the_way(Facts& facts, const Words& words) {
  return facts.stands_in_the_way(words[1]);
}
/// The other way round.
[[nodiscard]] inline bool happens_after(Facts& facts, const Words& words) { return before(facts, words[2], words[1]); }

}  // namespace linchpin::sentences

// Scenarios: which thread calls what, after which prefix; as texts, too.
//
// A text: "enqueue 1; enqueue 2, dequeue | dequeue" is one call by a single thread, and then two threads. Methods are
// those of the type; numbers are the arguments, given out in order where they are left away.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/explore/turn.hpp"

namespace linchpin::explorer {

using Numbers = std::array<std::int64_t, explore_plan::Turn::kMostNumbers>;
using Wanted = explore_plan::Turn::Wanted;

struct Call {
  unsigned action = 0;
  Numbers numbers = {};
  auto operator<=>(const Call&) const = default;
};

struct Scenario {
  std::vector<Call> prefix;
  std::vector<std::vector<Call>> threads;
  bool operator==(const Scenario&) const = default;
};

/// What scenarios are made of: the actions of a plan, and what arguments each wants.
struct Vocabulary {
  struct Word {
    std::string name;  ///< its first method
    bool adds = false;
    bool used = false;  ///< in generated scenarios
    std::array<Wanted, explore_plan::Turn::kMostNumbers> wanted = {};
  };
  std::vector<Word> words;

  [[nodiscard]] std::string text(const Scenario& scenario) const;
  /// Errors: bad_option, with what there is instead.
  [[nodiscard]] Result<Scenario> parse(std::string_view text) const;
};

/// Of generated scenarios. Those that are given may be larger.
inline constexpr unsigned kMostGeneratedThreads = 6, kMostGeneratedOperations = 6;

struct Size {
  unsigned threads = 2, operations = 1, prefix = 0;
};

/// All scenarios of exactly that size, up to renaming of threads and keys; values are all different. At most `most`.
/// @param stopped  told how many calls the next step compares; once it says so, nothing is returned
[[nodiscard]] std::optional<std::vector<Scenario>> generate(const Vocabulary& vocabulary, const Size& size,
                                                            unsigned keys, std::size_t most,
                                                            const std::function<bool(std::size_t)>& stopped);

}  // namespace linchpin::explorer

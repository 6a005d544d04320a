// A schedule as one word for the command line: "sc,none,rld,enqueue:1@enqueue:2+dequeue/dequeue,3a1b".
//
// In this order: the memory model; the reuse of freed memory; which findings count (r races, l leaks, d deadlocks); the
// scenario, empty for threads by hand; the choices, as how many ordinary ones and then which other one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/explore.hpp"

namespace linchpin::explorer {

struct Token {
  std::string scenario;  ///< its text
  std::vector<std::uint8_t> choices;
};

[[nodiscard]] std::string write_token(const ExploreOptions& options, std::string_view scenario,
                                      std::span<const std::uint8_t> choices);
/// Sets the options that the token has. Errors: bad_option.
[[nodiscard]] Result<Token> read_token(std::string_view text, ExploreOptions& options);

}  // namespace linchpin::explorer

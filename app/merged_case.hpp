// One answer of a shard, read back from its line of JSON: what JUnit, SARIF and the page of `linchpin merge` show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/shard_file.hpp"

namespace linchpin::app {

/// An object of a history, an implementation under stress, or an exploration.
struct MergedCase {
  std::string input;  ///< a file, or an implementation's name
  std::string test;   ///< "history 3, object x"
  Answer answer = Answer::linearizable;
  std::string sentence;              ///< why: of a violation, an unknown or an error
  std::vector<std::string> core;     ///< operations that show a violation, one a line
  std::vector<std::uint64_t> lines;  ///< where these stand in the file; 0: unknown
  double seconds = 0;
};

/// @param line  of `command`, as its --json has it and `read_shard_file` has accepted it
/// @return      one case an object; one where there is none
[[nodiscard]] std::vector<MergedCase> cases_of(const std::string& command, const std::string& line);

}  // namespace linchpin::app

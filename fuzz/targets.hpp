// The fuzz targets as functions of bytes: libFuzzer calls them through libfuzzer.cpp, and the test replay_test.cpp
// replays fuzz/corpus through them in every run of the tests.
//
// A property that does not hold ends the process through `require`, which libFuzzer reports with the input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace linchpin::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// Whatever the bytes, the reader of the format gives histories or errors with a place; what can be written in a
/// format reads back, from a native one as the same history.
void format(std::string_view name, Bytes bytes);

/// A small history made from the bytes: all deciders that apply, and the whole of `check`, agree with the reference;
/// their evidence holds.
void deciders(Bytes bytes);

inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

}  // namespace linchpin::fuzz

// The fuzz targets as functions of bytes: libFuzzer calls them through libfuzzer.cpp, and the test replay_test.cpp
// replays fuzz/corpus through them in every run of the tests.
//
// A property that does not hold ends the process through `require`, which libFuzzer reports with the input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linchpin::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  std::string name;  ///< of its folder in fuzz/corpus, too
  std::function<void(Bytes)> run;
};

/// One a format of the registry, by the format's name, and one a function below, by the function's.
[[nodiscard]] const std::vector<Target>& targets();
/// Null: there is none of that name.
[[nodiscard]] const Target* find_target(std::string_view name);

/// Whatever the bytes, the reader of the format gives histories or errors with a place; what can be written in a
/// format reads back, from a native one as the same history, at once and in parts.
void format(std::string_view name, Bytes bytes);

/// A small history made from the bytes: all deciders that apply, and the whole of `check`, agree with the reference;
/// their evidence holds.
void deciders(Bytes bytes);

/// The native notation of values: what is read is written so that it reads back as the same value.
void values(Bytes bytes);

/// EDN: passing over a form ends where reading it ends, and fails nowhere else; reading moves on.
void edn(Bytes bytes);

/// Logs of members of etcd beside a report: they are read or refused, and the report is one history.
void etcd_log(Bytes bytes);

/// An input's bytes, compressed or not: they are decoded or refused; what gzip and zstd made of any bytes gives them
/// back, and cut off is refused.
void compression(Bytes bytes);

/// A little program of calls of the C interface, which may pass anything that its types allow: it is told what is
/// wrong, and evidence holds.
void c_interface(Bytes bytes);

inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

}  // namespace linchpin::fuzz

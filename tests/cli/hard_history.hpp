// A history that takes longer, and more memory, than any test has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace linchpin::cli_test {

/// For each object: values that repeat are pushed and popped all at once, so that no monitor applies and hardly a
/// search ends; in the end two values are on top of the stack in turn, which no numbers refute.
inline std::string hard_history(const std::vector<std::string_view>& objects = {""}) {
  constexpr int kValues = 12, kFirst = 3, kSecond = 4;  // these two are pushed twice and popped once
  std::string text = "# linchpin 1\n# type: stack\n";
  int process = 0;
  for (const std::string_view object : objects) {
    const auto add = [&](int caller, int call, int response, std::string_view what) {
      const std::string named = object.empty() ? "" : fmt::format("object={} ", object);
      text += fmt::format("{} {} {} {}{}\n", caller, call, response, named, what);
    };
    for (int i = 0; i < 2 * kValues; ++i, ++process) {
      add(process, 1, 1000 + process, fmt::format("push {}", i % kValues));
    }
    for (int i = 0; i < 2 * kValues; ++i) {
      if (i == kFirst || i == kSecond) continue;
      add(process, 2, 2000 + process, fmt::format("pop -> {}", i % kValues));
      ++process;
    }
    add(process++, 1, 3000, "size -> 1");
    add(process, 3001, 3002, fmt::format("peek -> {}", kFirst));
    add(process, 3003, 3004, fmt::format("peek -> {}", kSecond));
    ++process;
  }
  return text;
}

}  // namespace linchpin::cli_test

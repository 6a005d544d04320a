// Operations for tests as they are written in the native notation, without process and times: `put 1 7 -> 2`.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "history/text_notation.hpp"
#include "support/sketch.hpp"

namespace linchpin::test {

inline SketchedOperation sketched(std::string_view type, std::string_view line, Tick call = 0, Tick response = 0) {
  const auto specification = specification_of(type);
  SketchedOperation made{.method = 0, .arguments = {}, .result = Value::none(), .call = call, .response = response};
  const std::size_t end = line.find(' ');
  made.method = *specification->find_method(line.substr(0, end));
  line.remove_prefix(std::min(end, line.size()));
  while (!line.empty()) {
    const bool last = line.starts_with(" -> ");
    line.remove_prefix(last ? 4 : 1);
    const auto value = history::parse_value(line, sketch_pool());
    EXPECT_TRUE(value) << line;
    if (!value) break;
    last ? made.result = *value : (made.arguments.push_back(*value), Value());
  }
  return made;
}

inline Sketch sketched_lines(std::string_view type, const std::vector<std::string_view>& lines) {
  Sketch sketch;
  for (const std::string_view line : lines) sketch.push_back(sketched(type, line));
  return sketch;
}

}  // namespace linchpin::test

// The few arguments that benchmark programs take: a filter, and --NAME NUMBER.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linchpin::bench {

struct Arguments {
  std::string filter;  ///< only rows whose name contains it
  std::vector<std::pair<std::string, double>> numbers;

  Arguments(int count, char** values) {
    for (int i = 1; i < count; ++i) {
      std::string_view value = values[i];
      constexpr std::string_view kFilter = "--benchmark_filter=";  // as ./dev bench passes it to every program
      if (value.starts_with(kFilter)) {
        filter = value.substr(kFilter.size());
        continue;
      }
      if (value.starts_with("--") && i + 1 < count) {
        numbers.emplace_back(value.substr(2), std::strtod(values[++i], nullptr));
      } else {
        filter = value;
      }
    }
  }
  [[nodiscard]] double number(std::string_view name, double usual) const {
    for (const auto& [known, value] : numbers) {
      if (known == name) return value;
    }
    return usual;
  }
  [[nodiscard]] bool wants(std::string_view name) const { return name.find(filter) != std::string_view::npos; }
};

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace linchpin::bench

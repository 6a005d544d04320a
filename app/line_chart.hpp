// Lines over a number, as a picture: for `linchpin depth --figure` and for the plots of docs/papers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linchpin::app {

struct ChartAxis {
  std::string label = {};
  std::string unit = {};            ///< behind each number of the axis: " %"
  bool seconds = false;             ///< written as ms, µs, ... where they are small
  bool logarithmic = false;         ///< points that are not positive are left out
  std::optional<double> from = {};  ///< unset: by the points
};

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< by ascending x
  bool published = false;                         ///< not ours: grey, without marks
};

struct LineChart {
  std::string title = {};  ///< may be empty
  ChartAxis x, y;
  std::vector<ChartLine> lines;
};

/// An SVG document: white, a legend at the right.
[[nodiscard]] std::string to_svg(const LineChart& chart);

}  // namespace linchpin::app

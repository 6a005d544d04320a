#include "app/depth_figure.hpp"

#include <algorithm>
#include <cmath>

#include "app/line_chart.hpp"

namespace linchpin::app {

std::string depth_figure(const std::vector<DepthLine>& lines) {
  LineChart chart{.x = {.label = "depth d"}, .y = {.unit = " %"}, .lines = {}};
  double least = 100;
  for (const DepthLine& line : lines) {
    ChartLine drawn{.name = line.name, .points = {}};
    for (std::size_t d = 1; d <= line.percent.size(); ++d) {
      drawn.points.emplace_back(static_cast<double>(d), line.percent[d - 1]);
      least = std::min(least, line.percent[d - 1]);
    }
    chart.lines.push_back(std::move(drawn));
  }
  chart.y.from = std::min(90.0, std::floor(least / 10) * 10);
  return to_svg(chart);
}

}  // namespace linchpin::app

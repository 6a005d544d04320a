// Lines over d as a picture: the share of linearizable histories that are witnessed up to each depth.
#pragma once

#include <string>
#include <vector>

namespace linchpin::app {

struct DepthLine {
  std::string name;
  std::vector<double> percent;  ///< for d = 1, 2, ...
};

/// An SVG document; all lines are equally long.
[[nodiscard]] std::string depth_figure(const std::vector<DepthLine>& lines);

}  // namespace linchpin::app

#include "app/depth_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace linchpin::app {

namespace {

constexpr double kLeft = 60, kTop = 20, kWidth = 440, kHeight = 320, kLegend = 24, kLineHeight = 20;

/// Distinct also for most colour-blind readers, and each with marker and dashes of its own.
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                              "#56b4e9", "#000000", "#882255", "#44aa99", "#999933"};
constexpr std::array kDashes{"", "6 3", "2 2", "8 3 2 3"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string marker(std::size_t which, double x, double y, const char* colour) {
  switch (which % 3) {
    case 0: return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"/>)", x, y, colour);
    case 1: return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="6" height="6" fill="{}"/>)", x - 3, y - 3, colour);
    default: return fmt::format(R"(<path d="M{:.1f} {:.1f} l4 7 h-8 z" fill="{}"/>)", x, y - 4, colour);
  }
}

}  // namespace

std::string depth_figure(const std::vector<DepthLine>& lines) {
  std::size_t deepest = 1;
  double least = 100;
  for (const DepthLine& line : lines) {
    deepest = std::max(deepest, line.percent.size());
    for (const double percent : line.percent) least = std::min(least, percent);
  }
  const double bottom = std::min(90.0, std::floor(least / 10) * 10);
  const auto x = [&](std::size_t d) {
    return deepest == 1 ? kLeft + kWidth / 2
                        : kLeft + kWidth * (static_cast<double>(d) - 0.5) / static_cast<double>(deepest);
  };
  const auto y = [&](double percent) { return kTop + kHeight * (100 - percent) / (100 - bottom); };

  const double height = std::max(kTop + kHeight + 50, kTop + kLineHeight * static_cast<double>(lines.size()) + 20);
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" )"
      R"(font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>)"
      "\n",
      kLeft + kWidth + 240, height);
  for (double percent = bottom; percent <= 100; percent += 10) {
    svg += fmt::format(R"(<path d="M{} {:.1f} h{}" stroke="#ddd"/>)", kLeft, y(percent), kWidth);
    svg += fmt::format(R"(<text x="{}" y="{:.1f}" text-anchor="end">{:.0f} %</text>)"
                       "\n",
                       kLeft - 8, y(percent) + 4, percent);
  }
  for (std::size_t d = 1; d <= deepest; ++d) {
    svg += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)"
                       "\n",
                       x(d), kTop + kHeight + 18, d);
  }
  svg += fmt::format(R"(<path d="M{0} {1} v{2} h{3}" fill="none" stroke="black"/>)"
                     "\n",
                     kLeft, kTop, kHeight, kWidth);
  svg += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">depth d</text>)"
                     "\n",
                     kLeft + kWidth / 2, kTop + kHeight + 40);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* const colour = kColours[i % kColours.size()];
    std::string points;
    std::string markers;
    for (std::size_t d = 1; d <= lines[i].percent.size(); ++d) {
      points += fmt::format("{:.1f},{:.1f} ", x(d), y(lines[i].percent[d - 1]));
      markers += marker(i, x(d), y(lines[i].percent[d - 1]), colour);
    }
    const double legend = kTop + kLineHeight * (static_cast<double>(i) + 0.5);
    const double legend_x = kLeft + kWidth + kLegend;
    svg += fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5" stroke-dasharray="{}"/>)",
                       points, colour, kDashes[i % kDashes.size()]);
    svg += markers;
    svg += fmt::format(R"(<path d="M{} {} h24" stroke="{}" stroke-width="1.5" stroke-dasharray="{}"/>)", legend_x,
                       legend, colour, kDashes[i % kDashes.size()]);
    svg += marker(i, legend_x + 12, legend, colour);
    svg += fmt::format(R"(<text x="{}" y="{}">{}</text>)"
                       "\n",
                       legend_x + 32, legend + 4, escaped(lines[i].name));
  }
  return svg + "</svg>\n";
}

}  // namespace linchpin::app

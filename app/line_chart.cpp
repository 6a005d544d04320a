#include "app/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace linchpin::app {

namespace {

constexpr double kLeft = 84, kTop = 20, kTitle = 24, kWidth = 440, kHeight = 320, kLegend = 24, kLineHeight = 20;
constexpr double kLetter = 6.6;  // mean width of one at 12 pixels

/// Distinct also for most colour-blind readers, and each with marker and dashes of its own.
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                              "#56b4e9", "#000000", "#882255", "#44aa99", "#999933"};
constexpr std::array kDashes{"", "6 3", "2 2", "8 3 2 3"};
constexpr const char* kPublishedColour = "#888888";

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

/// 250000 as 250k.
std::string short_number(double number) {
  const double size = std::abs(number);
  if (size >= 1e6) return fmt::format("{:g}M", number / 1e6);
  if (size >= 1e3) return fmt::format("{:g}k", number / 1e3);
  return fmt::format("{:g}", std::abs(number) < 1e-12 ? 0 : number);
}

std::string axis_text(const ChartAxis& axis, double number) {
  if (!axis.seconds) return short_number(number) + escaped(axis.unit);
  constexpr double kAlmost = 0.9999;  // 0.001 is a millisecond however it is rounded
  const double size = std::abs(number);
  if (size >= kAlmost || size < 1e-12) return fmt::format("{:g} s", size < 1e-12 ? 0 : number);
  if (size >= kAlmost * 1e-3) return fmt::format("{:g} ms", number * 1e3);
  return fmt::format("{:g} µs", number * 1e6);
}

/// Where numbers are along an axis of one unit's length, and which of them are written beside it.
class Scale {
 public:
  Scale(const ChartAxis& axis, std::vector<double> values) : logarithmic_(axis.logarithmic) {
    std::erase_if(values, [&](double value) { return !std::isfinite(value) || (logarithmic_ && value <= 0); });
    if (axis.from) values.push_back(*axis.from);
    if (values.empty()) values = {1, 2};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    from_ = of(*least);
    to_ = of(*most);
    if (to_ - from_ < 1e-9) {
      from_ -= 0.5;
      to_ += 0.5;
    }
    logarithmic_ ? set_powers() : set_steps();
    // A little room, but not below what the axis is to begin with, nor below zero.
    const double room = 0.04 * (to_ - from_);
    if (!axis.from && (logarithmic_ || from_ - room >= 0 || from_ < 0)) from_ -= room;
    to_ += room;
    std::erase_if(ticks_, [&](double tick) { return of(tick) < from_ - 1e-9 || of(tick) > to_ + 1e-9; });
  }

  [[nodiscard]] bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  [[nodiscard]] double at(double value) const { return (of(value) - from_) / (to_ - from_); }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  [[nodiscard]] double of(double value) const { return logarithmic_ ? std::log10(value) : value; }

  /// 1, 2 or 5 times a power of ten apart; some nine of them.
  void set_steps() {
    const double rough = (to_ - from_) / 9;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {1, 2, 5, 10}) {
      step = factor * power;
      if (step >= rough) break;
    }
    const double first = std::floor(from_ / step), last = std::ceil(to_ / step);
    for (double i = first; i <= last; ++i) ticks_.push_back(i * step);
  }
  void set_powers() {
    const bool few = to_ - from_ < 2.5;
    for (double power = std::floor(from_); power <= std::ceil(to_); ++power) {
      for (const double factor : {1, 2, 5}) {
        if (factor == 1 || few) ticks_.push_back(factor * std::pow(10, power));
      }
    }
  }

  bool logarithmic_;
  double from_ = 0, to_ = 1;
  std::vector<double> ticks_;
};

Scale scale_of(const ChartAxis& axis, const std::vector<ChartLine>& lines, double std::pair<double, double>::*which) {
  std::vector<double> values;
  for (const ChartLine& line : lines) {
    for (const auto& point : line.points) values.push_back(point.*which);
  }
  return {axis, std::move(values)};
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  const double top = kTop + (chart.title.empty() ? 0 : kTitle);
  const Scale x_scale = scale_of(chart.x, chart.lines, &std::pair<double, double>::first);
  const Scale y_scale = scale_of(chart.y, chart.lines, &std::pair<double, double>::second);
  const auto x = [&](double value) { return kLeft + kWidth * x_scale.at(value); };
  const auto y = [&](double value) { return top + kHeight * (1 - y_scale.at(value)); };

  std::size_t longest = 0;
  for (const ChartLine& line : chart.lines) longest = std::max(longest, line.name.size());
  const double height = std::max(top + kHeight + 50, top + kLineHeight * static_cast<double>(chart.lines.size()) + 20);
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" )"
      R"(font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>)"
      "\n",
      kLeft + kWidth + kLegend + 44 + kLetter * static_cast<double>(longest), height);
  const auto add = [&]<class... Parts>(fmt::format_string<Parts...> format, Parts&&... parts) {
    svg += fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  };
  if (!chart.title.empty()) {
    add(R"(<text x="{}" y="{}" font-size="14" font-weight="bold">{}</text>)", kLeft, kTop + 4, escaped(chart.title));
  }
  for (const double tick : y_scale.ticks()) {
    add(R"(<path d="M{} {:.1f} h{}" stroke="#ddd"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kLeft,
        y(tick), kWidth, kLeft - 8, y(tick) + 4, axis_text(chart.y, tick));
  }
  for (const double tick : x_scale.ticks()) {
    add(R"(<path d="M{0:.1f} {1} v4" stroke="black"/><text x="{0:.1f}" y="{2}" text-anchor="middle">{3}</text>)",
        x(tick), top + kHeight, top + kHeight + 18, axis_text(chart.x, tick));
  }
  add(R"(<path d="M{0} {1} v{2} h{3}" fill="none" stroke="black"/>)", kLeft, top, kHeight, kWidth);
  add(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", kLeft + kWidth / 2, top + kHeight + 40,
      escaped(chart.x.label));
  if (!chart.y.label.empty()) {
    add(R"svg(<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>)svg", top + kHeight / 2,
        escaped(chart.y.label));
  }
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    const char* const colour = line.published ? kPublishedColour : kColours[i % kColours.size()];
    const char* const dashes = kDashes[i % kDashes.size()];
    const double width = line.published ? 3 : 1.5;
    std::string points, markers;
    for (const auto& [at, value] : line.points) {
      if (!x_scale.shows(at) || !y_scale.shows(value)) continue;
      points += fmt::format("{:.1f},{:.1f} ", x(at), y(value));
      if (!line.published) markers += marker(i, x(at), y(value), colour);
    }
    const double legend = top + kLineHeight * (static_cast<double>(i) + 0.5);
    const double legend_x = kLeft + kWidth + kLegend;
    add(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="{}" stroke-dasharray="{}"/>)", points, colour,
        width, dashes);
    svg += markers;
    add(R"(<path d="M{} {} h24" stroke="{}" stroke-width="{}" stroke-dasharray="{}"/>)", legend_x, legend, colour,
        width, dashes);
    if (!line.published) svg += marker(i, legend_x + 12, legend, colour);
    add(R"(<text x="{}" y="{}">{}</text>)", legend_x + 32, legend + 4, escaped(line.name));
  }
  return svg + "</svg>\n";
}

}  // namespace linchpin::app

#include "app/quantities.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/names.hpp"

namespace linchpin::app {

namespace {

struct Number {
  double value = 0;
  std::string_view unit;
};

std::optional<Number> split_number(std::string_view text) {
  Number number;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number.value, std::chars_format::fixed);
  if (parsed.ec != std::errc() || !std::isfinite(number.value) || number.value < 0) return std::nullopt;
  number.unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  return number;
}

template <std::size_t N>
std::optional<double> factor_of(std::string_view unit,
                                const std::array<std::pair<std::string_view, double>, N>& units) {
  for (const auto& [names, factor] : units) {
    if (unit.empty() ? names.empty() : base::is_listed(names, unit)) return factor;
  }
  return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, double>, 5> kTimes{
    {{"", 1}, {"s sec second seconds", 1}, {"ms", 1e-3}, {"m min minute minutes", 60}, {"h hour hours", 3600}}};
constexpr double kKibi = 1024;
constexpr std::array<std::pair<std::string_view, double>, 6> kSizes{{{"", 1},
                                                                     {"b", 1},
                                                                     {"k kb kib", kKibi},
                                                                     {"m mb mib", kKibi* kKibi},
                                                                     {"g gb gib", kKibi* kKibi* kKibi},
                                                                     {"t tb tib", kKibi* kKibi* kKibi* kKibi}}};

}  // namespace

std::optional<std::chrono::duration<double>> parse_duration(std::string_view text) {
  const auto number = split_number(text);
  if (!number) return std::nullopt;
  const auto factor = factor_of(number->unit, kTimes);
  constexpr double kLongest = 1e9;  // some thirty years: what a clock's 64 bits hold many times over
  if (!factor || number->value <= 0 || number->value * *factor > kLongest) return std::nullopt;
  return std::chrono::duration<double>(number->value * *factor);
}

std::optional<std::size_t> parse_bytes(std::string_view text) {
  const auto number = split_number(text);
  if (!number) return std::nullopt;
  const auto factor = factor_of(number->unit, kSizes);
  if (!factor) return std::nullopt;
  const double bytes = number->value * *factor;
  if (bytes < 1 || bytes >= static_cast<double>(INT64_MAX)) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::size_t number, std::string_view noun) {
  std::string text = grouped(number);
  text.append(1, ' ').append(noun);
  if (number == 1) return text;
  if (text.ends_with("history")) {
    text.pop_back();
    text.append("ies");
  } else {
    text += "s";
  }
  return text;
}

}  // namespace linchpin::app

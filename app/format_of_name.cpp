#include "app/format_of_name.hpp"

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace linchpin::app {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFormatsByEnding{
    {{".txt", "text"}, {".linchpin", "text"}, {".jsonl", "jsonl"}, {".bin", "binary"}, {".lch", "binary"}}};

}  // namespace

std::optional<std::string> format_of_name(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const auto& [known, format] : kFormatsByEnding) {
    if (ending == known) return std::string(format);
  }
  return std::nullopt;
}

std::string endings_of_formats() {
  std::string all;
  for (const auto& [known, format] : kFormatsByEnding) all.append(all.empty() ? "" : ", ").append(known);
  return all;
}

}  // namespace linchpin::app

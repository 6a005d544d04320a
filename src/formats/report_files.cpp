#include "formats/report_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace linchpin::formats {

std::vector<std::string> files_of_report(const std::string& directory) {
  namespace fs = std::filesystem;
  constexpr std::string_view kClient = "client-";
  std::vector<std::pair<std::uint64_t, std::string>> clients;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  if (error) return {};
  for (const fs::directory_iterator end; entry != end && !error; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::uint64_t number = 0;
    if (!name.starts_with(kClient)) continue;
    const char* const last = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kClient.size(), last, number);
    if (parsed.ec == std::errc() && parsed.ptr == last) clients.emplace_back(number, name);
  }
  std::sort(clients.begin(), clients.end());
  std::vector<std::string> files;
  for (const auto& [number, name] : clients) {
    for (const char* const file : {"operations.json", "watch.json"}) {
      const fs::path path = fs::path(name) / file;
      std::error_code absent;
      if (fs::is_regular_file(fs::path(directory) / path, absent)) files.push_back(path.string());
    }
  }
  return files;
}

}  // namespace linchpin::formats

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

std::vector<std::string> logs_of_report(const std::string& directory) {
  namespace fs = std::filesystem;
  std::vector<std::string> logs;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  if (error) return {};
  for (const fs::directory_iterator end; entry != end && !error; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with("server-")) continue;
    const fs::path folder = fs::path(name) / "member" / "wal";
    std::error_code absent;
    fs::directory_iterator file(fs::path(directory) / folder, absent);
    if (absent) continue;
    for (; file != end && !absent; file.increment(absent)) {
      std::error_code unknown_kind;
      if (file->path().extension() != ".wal" || !file->is_regular_file(unknown_kind)) continue;
      logs.push_back((folder / file->path().filename()).string());
    }
  }
  std::sort(logs.begin(), logs.end());  // their names begin with their numbers, in hexadecimal digits
  return logs;
}

}  // namespace linchpin::formats

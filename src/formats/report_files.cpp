#include "formats/report_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace linchpin::formats {

namespace {

namespace fs = std::filesystem;

/// The number in client-1; nothing of another name.
std::optional<std::uint64_t> client_of(std::string_view directory) {
  constexpr std::string_view kClient = "client-";
  if (!directory.starts_with(kClient)) return std::nullopt;
  const std::string_view digits = directory.substr(kClient.size());
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// What a client left: of a file and compressed copies of it the first one. Whatever kind of file it is: one that
/// cannot be read is an error later.
std::vector<std::string> files_of_client(const fs::path& directory) {
  std::vector<std::string> files;
  for (const std::string_view file : {"operations.json", "watch.json"}) {
    for (const std::string_view compressed : {"", ".gz", ".zst"}) {
      std::string name = fmt::format("{}{}", file, compressed);
      std::error_code absent;
      if (!fs::exists(fs::symlink_status(directory / name, absent))) continue;
      files.push_back(std::move(name));
      break;
    }
  }
  return files;
}

bool is_log(fs::path file) {
  if (const fs::path last = file.extension(); last == ".gz" || last == ".zst") file.replace_extension();
  return file.extension() == ".wal";
}

}  // namespace

Result<std::vector<std::string>> files_of_report(const std::string& directory) {
  struct Client {
    std::uint64_t number;
    std::string name;
    std::vector<std::string> files;
    auto operator<=>(const Client&) const = default;
  };
  std::vector<Client> clients;
  std::optional<std::string> stranger;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  if (error) return std::vector<std::string>();
  for (const fs::directory_iterator end; entry != end && !error; entry.increment(error)) {
    std::error_code unknown_kind;
    if (!entry->is_directory(unknown_kind)) continue;
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    std::vector<std::string> files = files_of_client(entry->path());
    if (files.empty()) continue;
    if (const auto number = client_of(name)) {
      clients.push_back({*number, name, std::move(files)});
    } else if (!stranger || name < *stranger) {
      stranger = name;
    }
  }
  std::sort(clients.begin(), clients.end());
  if (!clients.empty() && stranger) {
    return Error{.code = ErrorCode::unknown_format,
                 .source = fmt::format("{}/{}", directory, *stranger),
                 .message = "a report's directory that has a client's files, and is not named as a client's",
                 .hint = "clients are client-1, client-2 and so on; move it away if it belongs to no client"};
  }
  std::vector<std::string> files;
  for (const Client& client : clients) {
    for (const std::string& file : client.files) files.push_back(fmt::format("{}/{}", client.name, file));
  }
  return files;
}

std::vector<std::string> logs_of_report(const std::string& directory) {
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
      if (!is_log(file->path()) || !file->is_regular_file(unknown_kind)) continue;
      logs.push_back((folder / file->path().filename()).string());
    }
  }
  std::sort(logs.begin(), logs.end());  // their names begin with their numbers, in hexadecimal digits
  return logs;
}

}  // namespace linchpin::formats

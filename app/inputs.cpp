#include "app/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/split_manifest.hpp"
#include "formats/report_files.hpp"

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;

bool is_documentation(const std::string& name) {
  return name.starts_with("README") || name.starts_with("LICENSE") || name.ends_with(".md");
}

/// An entry of a tree of directories: a file, or why one of them could not be looked into.
struct Found {
  std::string path;
  std::optional<Error> error;
};

void cannot_list(const std::string& path, const std::error_code& error, std::vector<Found>& found) {
  found.push_back({path, Error{.code = ErrorCode::io,
                               .source = path,
                               .message = "cannot list the directory: " + error.message(),
                               .hint = "the other directories are read all the same"}});
}

/// The parts of a history that was split into this folder; false: it is another one.
bool add_parts(const std::string& folder, std::vector<Result<std::string>>& files) {
  auto manifest = read_manifest(folder);
  if (!manifest) {
    files.emplace_back(manifest.error());
    return true;
  }
  if (!*manifest) return false;
  for (const SplitPart& part : (*manifest)->parts) {
    if (auto verified = verify_part(folder, part); verified) {
      files.emplace_back((fs::path(folder) / part.file).string());
    } else {
      files.emplace_back(verified.error());
    }
  }
  return true;
}

/// What lies below, sorted by path, of a history that was split its parts; links to directories are not followed. A
/// directory that cannot be listed does not hide the others.
std::vector<Found> found_below(const std::string& top) {
  std::vector<Found> found;
  std::vector<std::string> open = {top};
  while (!open.empty()) {
    const std::string directory = std::move(open.back());
    open.pop_back();
    if (const auto report = formats::files_of_report(directory); !report) {
      found.push_back({directory, report.error()});
      continue;
    } else if (!report->empty()) {
      found.push_back({directory, std::nullopt});
      continue;
    }
    std::vector<Result<std::string>> parts;
    if (add_parts(directory, parts)) {
      for (const Result<std::string>& part : parts) {
        part ? found.push_back({*part, std::nullopt}) : found.push_back({part.error().source, part.error()});
      }
      continue;
    }
    std::error_code error;
    fs::directory_iterator entry(directory, error);
    if (error) {
      cannot_list(directory, error, found);
      continue;
    }
    for (const fs::directory_iterator end; entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with(".")) continue;
      std::error_code unknown_kind;  // a dangling link is no file and no directory
      if (entry->is_directory(unknown_kind) && !entry->is_symlink(unknown_kind)) {
        open.push_back(entry->path().string());
      } else if (entry->is_regular_file(unknown_kind) && !is_documentation(name)) {
        found.push_back({entry->path().string(), std::nullopt});
      }
    }
    if (error) cannot_list(directory, error, found);
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.path < b.path; });
  return found;
}

}  // namespace

std::vector<Result<std::string>> expand_paths(const std::vector<std::string>& paths) {
  std::vector<Result<std::string>> files;
  bool standard_input = false;  // named before
  for (const std::string& path : paths) {
    std::error_code unknown_kind;
    if (path == "-" && std::exchange(standard_input, true)) {
      files.emplace_back(Error{.code = ErrorCode::io,
                               .source = path,
                               .message = "standard input is read once",
                               .hint = "it was named before"});
      continue;
    }
    if (path == "-" || !fs::is_directory(path, unknown_kind)) {
      files.emplace_back(path);
      continue;
    }
    if (add_parts(path, files)) continue;
    const std::vector<Found> below = found_below(path);
    if (below.empty()) {
      files.emplace_back(Error{.code = ErrorCode::io,
                               .source = path,
                               .message = "the directory holds no files",
                               .hint = "hidden files, README*, LICENSE* and *.md are left out; name one to check it"});
    }
    for (const Found& each : below) {
      if (each.error) {
        files.emplace_back(*each.error);
      } else {
        files.emplace_back(each.path);
      }
    }
  }
  return files;
}

std::vector<std::string> readable(const std::vector<Result<std::string>>& files) {
  std::vector<std::string> paths;
  for (const Result<std::string>& file : files) {
    if (file) paths.push_back(*file);
  }
  return paths;
}

}  // namespace linchpin::app

#include "app/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;

bool is_documentation(const std::string& name) {
  return name.starts_with("README") || name.starts_with("LICENSE") || name.ends_with(".md");
}

Error cannot_list(const std::string& path, const std::error_code& error) {
  return Error{.code = ErrorCode::io, .source = path, .message = "cannot list the directory: " + error.message()};
}

Result<std::vector<std::string>> files_below(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(directory, error);
  if (error) return cannot_list(directory, error);
  for (const fs::recursive_directory_iterator end; entry != end; entry.increment(error)) {
    if (error) return cannot_list(directory, error);
    const std::string name = entry->path().filename().string();
    std::error_code unknown_kind;  // a dangling link is no file and no directory
    const bool hidden = name.starts_with(".");
    if (hidden && entry->is_directory(unknown_kind)) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(unknown_kind) && !is_documentation(name)) {
      files.push_back(entry->path().string());
    }
  }
  if (error) return cannot_list(directory, error);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<Result<std::string>> expand_paths(const std::vector<std::string>& paths) {
  std::vector<Result<std::string>> files;
  for (const std::string& path : paths) {
    std::error_code unknown_kind;
    if (path == "-" || !fs::is_directory(path, unknown_kind)) {
      files.emplace_back(path);
      continue;
    }
    auto below = files_below(path);
    if (!below) {
      files.emplace_back(std::move(below.error()));
    } else if (below->empty()) {
      files.emplace_back(Error{.code = ErrorCode::io,
                               .source = path,
                               .message = "the directory holds no files",
                               .hint = "hidden files, README*, LICENSE* and *.md are left out; name one to check it"});
    } else {
      for (std::string& file : *below) files.emplace_back(std::move(file));
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

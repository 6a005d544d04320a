#include "base/files_of_run.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.hpp"

namespace linchpin::base {

namespace {

Error refused(const std::string& path, std::string what) {
  return Error{.code = ErrorCode::bad_option,
               .source = path,
               .message = std::move(what),
               .hint = "name another file to write to; nothing was written"};
}

bool goes_to_a_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

/// @param standard  the descriptor that "-" stands for
/// @return nothing where it may be read and written at once, or cannot be found
std::vector<FilesOfRun::Identity> FilesOfRun::identity_of(const std::string& path, int standard) {
  struct stat status {};
  const bool found = path == "-" ? fstat(standard, &status) == 0 : stat(path.c_str(), &status) == 0;
  if (found && S_ISCHR(status.st_mode)) return {};
  if (found) return {{status.st_dev, status.st_ino, std::string()}};
  const std::size_t name = path.rfind('/') + 1;
  const std::string folder = name == 0 ? std::string(".") : path.substr(0, name);
  if (stat(folder.c_str(), &status) != 0) return {};
  return {{status.st_dev, status.st_ino, path.substr(name)}};
}

Result<FilesOfRun> FilesOfRun::of(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  FilesOfRun files;
  for (const std::string& input : inputs) {
    for (Identity& identity : identity_of(input, STDIN_FILENO)) files.identities_.insert(std::move(identity));
  }
  const std::set<Identity> read = files.identities_;
  std::set<Identity> printed;  // what standard output goes to
  if (goes_to_a_file(STDOUT_FILENO)) {
    for (Identity& identity : identity_of("-", STDOUT_FILENO)) {
      if (read.contains(identity)) return refused("standard output", "goes to a file that is an input");
      printed.insert(std::move(identity));
    }
  }
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    const bool direct = descriptor_named(output) >= 0;
    for (Identity& identity : identity_of(output, STDOUT_FILENO)) {
      if (read.contains(identity)) return refused(output, "is an input and an output");
      if (!direct && printed.contains(identity)) return refused(output, "is what standard output goes to");
      if (!files.identities_.insert(std::move(identity)).second) return refused(output, "is two outputs at once");
    }
  }
  files.identities_.merge(printed);
  return files;
}

bool FilesOfRun::holds(const std::string& path) const {
  for (const Identity& identity : identity_of(path, STDOUT_FILENO)) {
    if (identities_.contains(identity)) return true;
  }
  return false;
}

}  // namespace linchpin::base

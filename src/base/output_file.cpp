#include "base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <utility>

namespace linchpin::base {

namespace {

constexpr std::size_t kBuffered = std::size_t{1} << 16;

/// The temporary files that are there: files are a matter of the process, and so is what to remove at its end.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> paths;
};
Unfinished& unfinished() {
  static Unfinished all;
  return all;
}

Error io_error(const std::string& path, std::string message, std::string hint = {}) {
  return Error{.code = ErrorCode::io, .source = path, .message = std::move(message), .hint = std::move(hint)};
}

Error cannot_write(const std::string& path, int why) {
  return io_error(path, std::string("cannot write: ") + std::strerror(why));
}

/// With its slash; empty: where the process is.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// Of the folder that a path is in, without links.
std::string real_folder_of(const std::string& path) {
  const std::string folder = folder_of(path);
  char* const real = realpath(folder.empty() ? "." : folder.c_str(), nullptr);
  if (real == nullptr) return {};
  std::string text(real);
  std::free(real);
  return text;
}

int descriptor_in_its_folder(const std::string& path) {
  if (real_folder_of(path) != "/proc/" + std::to_string(getpid()) + "/fd") return -1;
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.empty() || name.size() > 9 || name.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::atoi(name.c_str());
}

std::string random_name() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  static thread_local std::random_device random;
  std::string name = ".linchpin-";
  for (int i = 0; i < 12; ++i) name += kLetters[random() % kLetters.size()];
  return name + ".part";
}

}  // namespace

struct OutputFile::State {
  std::string path;
  std::string temporary;  // empty: written directly
  int descriptor = -1;
  std::string buffer;
  int failure = 0;  // errno

  ~State() {
    if (descriptor >= 0) close(descriptor);
    remove_temporary();
  }

  void remove_temporary() {
    if (temporary.empty()) return;
    const std::scoped_lock lock(unfinished().mutex);
    if (unfinished().paths.erase(temporary) > 0) unlink(temporary.c_str());
    temporary.clear();
  }

  void write_through(std::string_view text) {
    while (failure == 0 && !text.empty()) {
      const ssize_t written = ::write(descriptor, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        failure = errno;
      }
    }
  }

  /// A file under a name that nobody has, in the folder of `path`.
  int make_temporary(mode_t mode) {
    const std::string folder = folder_of(path);
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::scoped_lock lock(unfinished().mutex);
      temporary = folder + random_name();
      descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
      if (descriptor >= 0) {
        unfinished().paths.insert(temporary);
        return 0;
      }
      if (errno != EEXIST) break;
    }
    temporary.clear();
    return errno;
  }
};

OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

const std::string& OutputFile::path() const { return state_->path; }

Result<OutputFile> OutputFile::create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  if (const int named = descriptor_named(path); named >= 0) {
    state->descriptor = fcntl(named, F_DUPFD_CLOEXEC, 3);
    if (state->descriptor < 0) return cannot_write(path, errno);
    return OutputFile(std::move(state));
  }
  struct stat status {};
  const bool exists = lstat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return cannot_write(path, errno);
  if (exists && S_ISLNK(status.st_mode)) {
    return io_error(path, "is a symbolic link, which is not followed", "name the file that it points to, or remove it");
  }
  if (exists && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    state->descriptor = open(path.c_str(), O_WRONLY | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    if (state->descriptor < 0) return cannot_write(path, errno);
    return OutputFile(std::move(state));
  }
  // A rename asks only whether the folder may be written.
  if (exists && access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
  constexpr mode_t kAsUsual = 0666;  // less the umask
  if (const int why = state->make_temporary(kAsUsual); why != 0) {
    Error error = cannot_write(path, why);
    if (why != ENOENT) error.hint = "it is written beside its name first: may files be made in that directory?";
    return error;
  }
  constexpr mode_t kPermissions = 0777;
  if (exists && fchmod(state->descriptor, status.st_mode & kPermissions) != 0) return cannot_write(path, errno);
  return OutputFile(std::move(state));
}

Result<void> OutputFile::write(std::string_view text) {
  state_->buffer += text;
  if (state_->buffer.size() >= kBuffered) {
    state_->write_through(state_->buffer);
    state_->buffer.clear();
  }
  if (state_->failure != 0) return cannot_write(state_->path, state_->failure);
  return {};
}

Result<void> OutputFile::finish() {
  state_->write_through(state_->buffer);
  state_->buffer.clear();
  // Some file systems say only now that the disk is full.
  if (close(std::exchange(state_->descriptor, -1)) != 0 && state_->failure == 0) state_->failure = errno;
  if (state_->failure == 0 && !state_->temporary.empty()) {
    const std::scoped_lock lock(unfinished().mutex);
    if (rename(state_->temporary.c_str(), state_->path.c_str()) == 0) {
      unfinished().paths.erase(state_->temporary);
    } else {
      state_->failure = errno;
    }
  }
  state_->remove_temporary();
  const int failure = std::exchange(state_->failure, EBADF);  // nothing can be written any more
  if (failure != 0) return cannot_write(state_->path, failure);
  return {};
}

void OutputFile::abandon_all() {
  const std::scoped_lock lock(unfinished().mutex);
  for (const std::string& path : unfinished().paths) unlink(path.c_str());
  unfinished().paths.clear();
}

Result<void> write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return file.error();
  if (auto written = file->write(text); !written) return written;
  return file->finish();
}

int descriptor_named(const std::string& path) {
  if (path == "-") return STDOUT_FILENO;
  if (const int named = descriptor_in_its_folder(path); named >= 0) return named;
  std::array<char, 64> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  if (length <= 0 || static_cast<std::size_t>(length) == target.size() || target[0] != '/') return -1;
  return descriptor_in_its_folder(std::string(target.data(), static_cast<std::size_t>(length)));
}

}  // namespace linchpin::base

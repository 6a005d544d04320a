#include "app/shard_writer.hpp"

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <xxhash.h>

#include "app/output.hpp"

namespace linchpin::app {

struct ShardWriter::State {
  ShardOptions options;
  Shard shard;
  std::string path;     // empty: standard output
  int descriptor = -1;  // of the file
  XXH3_state_t* hash = XXH3_createState();
  std::uint64_t inputs = 0, answers = 0;
  int failure = 0;  // errno
  std::optional<int> ended;
  Tally before;
  std::set<std::pair<std::string, std::uint64_t>> answered;
  std::set<std::string> finished;  // inputs after which another one was answered

  State() { XXH3_64bits_reset(hash); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    XXH3_freeState(hash);
    if (descriptor >= 0) close(descriptor);
  }

  [[nodiscard]] Error io(int number) const {
    return Error{.code = ErrorCode::io, .source = path, .message = std::strerror(number), .hint = ""};
  }
  [[nodiscard]] Error other(std::string message, std::string hint) const {
    return Error{.code = ErrorCode::bad_option,
                 .source = path,
                 .line = 1,
                 .message = std::move(message),
                 .hint = std::move(hint)};
  }

  void hash_in(std::string_view bytes) { XXH3_64bits_update(hash, bytes.data(), bytes.size()); }

  void put(std::string_view bytes) {
    if (descriptor < 0) {
      print_for_programs(bytes);
      return;
    }
    while (!bytes.empty() && failure == 0) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) failure = errno;
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Goes on where the file ends.
  Result<void> resume(const Campaign& campaign) {
    descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW, 0666);
    struct stat status = {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0) return io(errno);
    if (!S_ISREG(status.st_mode)) return other("it is not a file", "name a file to go on in");
    // Two jobs for one shard would write into each other's lines. Where a file system has no locks there is none.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return other("another process is writing it", "each shard has a file of its own");
    }
    const std::string head = head_line(campaign, shard.number);
    if (!begun(status.st_size)) {
      if (ftruncate(descriptor, 0) != 0) return io(errno);
      begin(head);
      return {};
    }
    auto file = read_shard_file(path);
    if (!file) return file.error();
    if (file->campaign.version != campaign.version) {
      return other(fmt::format("it was begun by linchpin {}", file->campaign.version),
                   "go on with the same version, or begin another file");
    }
    if (file->number != shard.number || file->campaign != campaign) {
      return other("it is another shard, or one of other inputs or options",
                   "go on with the same command line and inputs, or begin another file");
    }
    if (!file->sealed && !file->end) {
      return other("its answers have no seals: whether somebody has changed them cannot be told",
                   "an earlier linchpin began it: begin another file");
    }
    if (ftruncate(descriptor, static_cast<off_t>(file->whole_bytes)) != 0) return io(errno);
    return take(*file);
  }

  /// Whether there is a line at all; a head that was cut off is none.
  [[nodiscard]] bool begun(off_t size) const {
    std::string bytes(static_cast<std::size_t>(std::min<off_t>(size, off_t{1} << 20)), '\0');
    const ssize_t got = pread(descriptor, bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (bytes.find('\n') != std::string::npos) return true;
    // Something else than a head stays as it is: reading it gives the error.
    return !begins_shard(bytes);
  }

  void begin(std::string_view head) {
    hash_in(head);
    put(head);
  }

  Result<void> take(const ShardFile& file) {
    for (const ShardAnswer& answer : file.answers) {
      before.add(answer.answer);
      answered.emplace(answer.input, answer.index);
      // Inputs are answered one after the other.
      if (answer.input != file.answers.back().input) finished.insert(answer.input);
    }
    answers = file.answers.size();
    if (file.end) {
      ended = file.end->exit_code;
      return {};
    }
    std::string bytes(std::size_t{1} << 20, '\0');
    for (std::uint64_t at = 0; at < file.whole_bytes;) {
      const ssize_t got = pread(descriptor, bytes.data(), std::min<std::uint64_t>(bytes.size(), file.whole_bytes - at),
                                static_cast<off_t>(at));
      if (got <= 0) return io(got < 0 ? errno : EIO);
      hash_in(std::string_view(bytes).substr(0, static_cast<std::size_t>(got)));
      at += static_cast<std::uint64_t>(got);
    }
    return {};
  }
};

ShardWriter::ShardWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ShardWriter::ShardWriter(ShardWriter&&) noexcept = default;
ShardWriter::~ShardWriter() = default;

Result<ShardWriter> ShardWriter::open(const ShardOptions& options, const Campaign& campaign) {
  auto state = std::make_unique<State>();
  state->options = options;
  state->shard = options.shard.value_or(Shard{});
  state->path = options.resume;
  if (options.resume.empty()) {
    state->begin(head_line(campaign, state->shard.number));
  } else if (auto resumed = state->resume(campaign); !resumed) {
    return resumed.error();
  }
  return ShardWriter(std::move(state));
}

std::optional<int> ShardWriter::ended() const { return state_->ended; }
const Tally& ShardWriter::before() const { return state_->before; }

bool ShardWriter::takes_input(const std::string& input) {
  if (state_->options.by == ShardBy::input && !state_->shard.has(input)) return false;
  ++state_->inputs;
  return !state_->finished.contains(input);
}

bool ShardWriter::takes(const Origin& origin) const {
  if (state_->options.by == ShardBy::history && !state_->shard.has(fmt::format("{}#{}", origin.file, origin.index))) {
    return false;
  }
  return !state_->answered.contains({origin.file, origin.index});
}

void ShardWriter::write(std::string_view line) {
  constexpr std::string_view kClose = "}\n";
  const std::string_view open = line.substr(0, line.size() - kClose.size());
  state_->hash_in(open);
  const std::string seal = seal_text(XXH3_64bits_digest(state_->hash));
  state_->hash_in(seal);
  ++state_->answers;
  state_->put(std::string(open) + seal);
}

Result<void> ShardWriter::end(int exit_code) {
  state_->put(end_line({.inputs = state_->inputs,
                        .answers = state_->answers,
                        .checksum = fmt::format("{:016x}", XXH3_64bits_digest(state_->hash)),
                        .exit_code = exit_code}));
  return leave();
}

Result<void> ShardWriter::leave() const {
  if (state_->failure != 0) return state_->io(state_->failure);
  return {};
}

Result<void> begin_shard_of(const ShardOptions& options, const std::function<Campaign()>& campaign_of,
                            const std::vector<Result<std::string>>& files, std::optional<ShardWriter>& shard,
                            Tally& tally) {
  if (!options.given()) return {};
  Campaign campaign = campaign_of();
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const Result<std::string>& file : files) names.push_back(file ? *file : file.error().source);
  if (auto added = add_inputs(campaign, names); !added) return added.error();
  auto begun = ShardWriter::open(options, campaign);
  if (!begun) return begun.error();
  shard.emplace(std::move(*begun));
  tally = shard->before();
  return {};
}

}  // namespace linchpin::app

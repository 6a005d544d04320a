#include "explore/jobs.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "explore/shared_memory.hpp"

namespace linchpin::explorer {

namespace {

/// What all of them see.
struct Board {
  std::atomic<Place> end = kNowhere;  ///< of no use from here on
  std::array<std::atomic<std::uint64_t>, kMostJobs> schedules = {};

  void end_at(Place place) {
    Place before = end.load();
    while (place < before && !end.compare_exchange_weak(before, place)) {
    }
  }
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "or it would not work between processes");

// --- messages: a head, and so many bytes. Both ends are the same program, so that data goes as it lies in memory ----

enum class What : std::uint32_t { began, explored, piece, outcome };

struct Head {
  What what;
  std::uint32_t bytes;
};

struct Began {
  std::uint64_t scenarios_in_all;
  std::uint32_t portion;
  bool all;
};

class Parcel {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_.append(text);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Unpacked {
 public:
  explicit Unpacked(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string take_text() {
    const auto size = take<std::size_t>();
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
};

Parcel packed(const Piece& piece) {
  Parcel parcel;
  parcel.put(piece.place);
  parcel.put(piece.schedules);
  parcel.put(piece.steps);
  parcel.put(piece.complete);
  parcel.put(piece.limited);
  parcel.put(piece.held_back);
  parcel.put(piece.frees);
  parcel.put(piece.histories.size());
  for (const Fingerprint& history : piece.histories) parcel.put(history);
  parcel.put(piece.outcomes.size());
  for (const std::string& outcome : piece.outcomes) parcel.put_text(outcome);
  return parcel;
}

Piece unpacked_piece(std::string_view bytes) {
  Unpacked parcel(bytes);
  Piece piece;
  piece.place = parcel.take<Place>();
  piece.schedules = parcel.take<std::uint64_t>();
  piece.steps = parcel.take<std::uint64_t>();
  piece.complete = parcel.take<bool>();
  piece.limited = parcel.take<bool>();
  piece.held_back = parcel.take<bool>();
  piece.frees = parcel.take<bool>();
  piece.histories.resize(parcel.take<std::size_t>());
  for (Fingerprint& history : piece.histories) history = parcel.take<Fingerprint>();
  piece.outcomes.resize(parcel.take<std::size_t>());
  for (std::string& outcome : piece.outcomes) outcome = parcel.take_text();
  return piece;
}

Parcel packed(const Outcome& outcome) {
  Parcel parcel;
  parcel.put(outcome.place);
  parcel.put_text(outcome.scenario);
  parcel.put(outcome.error.has_value());
  if (outcome.error) {
    parcel.put(outcome.error->code);
    parcel.put_text(outcome.error->message);
    parcel.put_text(outcome.error->hint);
  }
  parcel.put(outcome.found.has_value());
  if (outcome.found) {  // its history comes again with its schedule
    parcel.put(outcome.found->finding);
    parcel.put_text(outcome.found->message);
    parcel.put(outcome.found->details);
    parcel.put_text({reinterpret_cast<const char*>(outcome.found->choices.data()), outcome.found->choices.size()});
    parcel.put(outcome.found->deviations);
  }
  return parcel;
}

Outcome unpacked(std::string_view bytes) {
  Unpacked parcel(bytes);
  Outcome outcome;
  outcome.place = parcel.take<Place>();
  outcome.scenario = parcel.take_text();
  if (parcel.take<bool>()) {
    outcome.error.emplace();
    outcome.error->code = parcel.take<ErrorCode>();
    outcome.error->message = parcel.take_text();
    outcome.error->hint = parcel.take_text();
  }
  if (parcel.take<bool>()) {
    outcome.found.emplace();
    outcome.found->finding = parcel.take<ExploreFinding>();
    outcome.found->message = parcel.take_text();
    outcome.found->details = parcel.take<Finding>();
    const std::string choices = parcel.take_text();
    outcome.found->choices.assign(choices.begin(), choices.end());
    outcome.found->deviations = parcel.take<unsigned>();
  }
  return outcome;
}

// --- a job's side ---------------------------------------------------------------------------------------------------

/// Passes on to the other process what happens in this one.
class Reporter final : public Listener {
 public:
  Reporter(int pipe, unsigned job, Board& board) : pipe_(pipe), job_(job), board_(board) {}

  void began(std::uint32_t portion, std::size_t scenarios_in_all, bool all) override {
    Parcel parcel;
    parcel.put(Began{.scenarios_in_all = scenarios_in_all, .portion = portion, .all = all});
    send(What::began, parcel);
  }
  void explored(const Entry& entry) override {
    Parcel parcel;
    parcel.put(entry);
    send(What::explored, parcel);
  }
  void explored_piece(const Piece& piece) override { send(What::piece, packed(piece)); }
  void progress(std::uint64_t schedules) override { board_.schedules[job_] = schedules; }
  [[nodiscard]] bool is_over(Place place) const override { return place > board_.end; }
  void found(Place place) override { board_.end_at(place); }
  void end(const Outcome& outcome) { send(What::outcome, packed(outcome)); }

 private:
  void send(What what, const Parcel& parcel) const {
    Parcel whole;
    whole.put(Head{.what = what, .bytes = static_cast<std::uint32_t>(parcel.bytes().size())});
    std::string bytes = whole.bytes() + parcel.bytes();
    for (std::string_view rest = bytes; !rest.empty();) {
      const ssize_t written = ::write(pipe_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) _exit(1);  // nobody listens any more
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  int pipe_;
  unsigned job_;
  Board& board_;
};

// --- the side of who has started them -------------------------------------------------------------------------------

struct Process {
  pid_t id = -1;
  int pipe = -1;         // -1: it has ended
  std::string received;  // and not read yet
  Place reached = 0;     // what comes before it, of its share, was told
  std::optional<Outcome> outcome;
  int status = 0;
};

class Team {
 public:
  Team(Board& board, Listener& listener) : board_(board), listener_(listener) {}

  /// False: the system does not allow it.
  bool start(unsigned jobs, const Job& job) {
    std::fflush(nullptr);  // or what waits to be written would be written by each
    const pid_t self = getpid();
    for (unsigned i = 0; i < jobs; ++i) {
      std::array<int, 2> ends = {};
      if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
      const pid_t id = fork();
      if (id == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(1);
        close(ends[0]);
        Reporter reporter(ends[1], i, board_);
        reporter.end(job({.job = i, .jobs = jobs}, reporter));
        std::fflush(nullptr);
        _exit(0);  // what is to be done at the end of the program is done by the other process
      }
      close(ends[1]);
      if (id < 0) {
        close(ends[0]);
        return false;
      }
      processes_.push_back({.id = id, .pipe = ends[0], .received = {}, .outcome = {}});
    }
    return true;
  }

  void stop() { board_.end_at(0); }

  /// Until all have ended.
  void listen() {
    constexpr int kMilliseconds = 200;
    for (;;) {
      std::vector<pollfd> polled;
      for (const Process& process : processes_) {
        if (process.pipe >= 0) polled.push_back({.fd = process.pipe, .events = POLLIN, .revents = 0});
      }
      if (polled.empty()) return;
      if (poll(polled.data(), polled.size(), kMilliseconds) > 0) {
        for (Process& process : processes_) {
          const bool ready = std::any_of(polled.begin(), polled.end(),
                                         [&](const pollfd& one) { return one.fd == process.pipe && one.revents != 0; });
          if (ready) read_from(process);
        }
      }
      std::uint64_t schedules = 0;
      for (const auto& some : board_.schedules) schedules += some;
      listener_.progress(schedules);
    }
  }

  [[nodiscard]] const std::vector<Process>& processes() const { return processes_; }

 private:
  void read_from(Process& process) {
    constexpr std::size_t kMany = std::size_t{1} << 16;
    const std::size_t before = process.received.size();
    process.received.resize(before + kMany);
    const ssize_t got = ::read(process.pipe, process.received.data() + before, kMany);
    process.received.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      close(process.pipe);
      process.pipe = -1;
      while (waitpid(process.id, &process.status, 0) < 0 && errno == EINTR) {
      }
      // Without it nothing can be said, but for what is found before.
      if (!process.outcome) board_.end_at(process.reached);
      return;
    }
    std::size_t read = 0;
    while (process.received.size() - read >= sizeof(Head)) {
      Head head{};
      std::memcpy(&head, process.received.data() + read, sizeof head);
      if (process.received.size() - read < sizeof head + head.bytes) break;
      understand(process, head.what, std::string_view(process.received).substr(read + sizeof head, head.bytes));
      read += sizeof head + head.bytes;
    }
    process.received.erase(0, read);
  }

  void understand(Process& process, What what, std::string_view bytes) {
    switch (what) {
      case What::began: {
        const auto began = Unpacked(bytes).take<Began>();
        listener_.began(began.portion, began.scenarios_in_all, began.all);
        break;
      }
      case What::explored: {
        const auto entry = Unpacked(bytes).take<Entry>();
        process.reached = place_of(entry.portion, entry.number + static_cast<std::uint32_t>(processes_.size()));
        listener_.explored(entry);
        break;
      }
      case What::piece: listener_.explored_piece(unpacked_piece(bytes)); break;
      case What::outcome:
        process.outcome = unpacked(bytes);
        if (process.outcome->error) stop();
        break;
    }
  }

  Board& board_;
  Listener& listener_;
  std::vector<Process> processes_;
};

std::string end_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("with exit code {}", WEXITSTATUS(status));
}

Error failure(std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::unsupported;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

}  // namespace

Error no_shared_memory() { return failure("cannot share memory among the jobs", ""); }

Outcome explore_by_jobs(unsigned jobs, const std::function<bool(Place)>& has_all_before, Listener& listener,
                        const Job& job) {
  const SharedMemory<Board> board;
  Outcome best;
  if (board.get() == nullptr) {
    best.error = no_shared_memory();
    return best;
  }
  Team team(*board.get(), listener);
  const bool started = team.start(jobs, job);
  const int why = errno;
  if (!started) team.stop();
  team.listen();
  if (!started) {
    best.error = failure(fmt::format("cannot start {} jobs: {}", jobs, std::generic_category().message(why)),
                         "start fewer: --jobs");
    return best;
  }
  for (const Process& process : team.processes()) {
    if (!process.outcome) continue;
    if (process.outcome->error && !best.error) best.error = process.outcome->error;
    if (!process.outcome->found || process.outcome->place >= best.place) continue;
    best.found = process.outcome->found;
    best.place = process.outcome->place;
    best.scenario = process.outcome->scenario;
  }
  for (std::size_t i = 0; i < team.processes().size() && !best.error; ++i) {
    const Process& process = team.processes()[i];
    if (process.outcome || (best.found && has_all_before(best.place))) continue;
    best.error = failure(fmt::format("job {} of {} has ended {} before it was done, so that nothing can be said", i + 1,
                                     jobs, end_of(process.status)),
                         "with --jobs 1 it may show why; where memory was short, start fewer");
  }
  return best;
}

}  // namespace linchpin::explorer

// Explores a share of an exploration's scenarios, one after the other, up to the first finding: all of them where there
// is one process, every so many-th where there are several (explore/jobs.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/ledger.hpp"
#include "explore/session.hpp"

namespace linchpin::explorer {

struct Share {
  unsigned job = 0, jobs = 1;  ///< the scenarios whose number is `job` modulo `jobs`, of each portion
};

/// What is explored, in this order.
struct Course {
  std::uint32_t first = 0;  ///< the number of the first portion
  std::vector<Portion> portions;
  std::optional<Session::Clock::time_point> deadline;         ///< of the portions
  std::optional<Session::Clock::time_point> deadline_in_all;  ///< of making a finding smaller, too
  /// Of the portions, of the processor's time of each process, in seconds: how far it gets does not depend on others.
  std::optional<double> processor_time = {};
};

/// What became of a stretch of one scenario's schedules, where those are shared out (divide.hpp).
struct Piece {
  Place place = 0;  ///< the number of its round, in the place of a portion, and its own
  std::uint64_t schedules = 0, steps = 0;
  bool complete = false;   ///< all of them, or up to a finding
  bool limited = false;    ///< a larger bound would give more
  bool held_back = false;  ///< a thread that looked in vain was
  bool frees = false;      ///< threads freed memory
  std::vector<Fingerprint> histories;
  std::vector<std::string> outcomes;
};

/// Is told how it goes on.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  /// A portion has so many scenarios; `all`: there are no more of its size.
  virtual void began(std::uint32_t portion, std::size_t scenarios_in_all, bool all) = 0;
  virtual void explored(const Entry& entry) = 0;
  virtual void explored_piece(const Piece& /*piece*/) {}
  /// Called now and then.
  virtual void progress(std::uint64_t schedules) = 0;
  /// Whether what is found from this place on is of no use any more.
  [[nodiscard]] virtual bool is_over(Place place) const = 0;
  /// Something was found there. It is made smaller next.
  virtual void found(Place place) = 0;
};

/// How a course ended; empty: at its end, or at the deadline.
struct Outcome {
  std::optional<Error> error;  ///< it could not be explored
  std::optional<Found> found;
  Place place = kNowhere;  ///< of what was found
  std::string scenario;    ///< its text, when it was made smaller
};

class Worker {
 public:
  Worker(ContainerSubject& subject, const ExploreOptions& options);

  /// What comes before the first scenario: the engine; each method by one thread and by two, so that arguments are
  /// known and what the program makes on first use is made. What blocks is found here.
  [[nodiscard]] Outcome prepare();
  /// The scenario of the options. Errors: bad_option.
  [[nodiscard]] Result<Scenario> given_scenario() const;
  /// Scenarios that `done` has as complete are left out. Errors: one of these is another one now.
  [[nodiscard]] Outcome explore(const Course& course, const Share& share, const Ledger& done, Listener& listener);

  /// Makes the scenario of what was found there smaller, where that is wanted, and writes its text.
  void make_smaller(Outcome& outcome, std::optional<Session::Clock::time_point> deadline);

  [[nodiscard]] Session& session() { return session_; }

 private:
  /// All scenarios of a portion, each after all prefixes; false: there are more. Nothing: the time was used up.
  std::optional<bool> generate(const Portion& portion, std::vector<Scenario>& scenarios) const;
  /// Without one call, or one value of the prefix, as long as the same kind of thing is found.
  void minimise(Found& found);

  ContainerSubject& subject_;
  const ExploreOptions& options_;
  Session session_;
};

}  // namespace linchpin::explorer

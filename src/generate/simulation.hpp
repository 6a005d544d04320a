// Generates a linearizable history, operation by operation.
//
// P processes are each idle, called (the call is recorded), or effected (the operation has run on the sequential model
// of its object and waits to return). One event after another, a process chosen at random goes one step further, so
// that the order of the effects is a linearization. What is called is decided only when it takes effect: nobody can see
// the difference, and a removal can be avoided while the container is empty.
//
// In flight: an idle process is chosen w times as readily as one in flight, which passes two events there; in the long
// run the share in flight is about 2w / (2w + 1). This is solved for w, and w follows the deviation from then on. (A
// lock's waiters count as in flight.)
//
// Operations come out in the order of their calls; those that returned early wait for the ones called before. Memory:
// the models' contents and a few times P operations. Cost: O(1) an operation (O(log n) for priority queues).
// Tests: generate_test.cpp, methods_test.cpp.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generate/draw.hpp"
#include "generate/model.hpp"
#include "generate/plan.hpp"
#include "linchpin/error.hpp"

namespace linchpin::generate {

class Simulation {
 public:
  /// Errors: unknown_type; unsupported: the type has no model; unknown_method; bad_option.
  [[nodiscard]] static Result<Simulation> make(const Plan& plan);

  /// The next operation in the order of calls; nothing at the end. Error: bad_option, when the mix gets stuck: every
  /// process waits for something that no operation of the mix does.
  [[nodiscard]] Result<std::optional<Row>> next();

  /// Of lists in results.
  [[nodiscard]] ValuePool& pool() { return *pool_; }
  [[nodiscard]] const Specification& specification() const { return *specification_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  struct Client {
    ProcessId process = 0;
    bool effected = false;
    std::uint64_t serial = 0;  // of its open operation
  };
  enum class Stage : std::uint8_t { open, done, withdrawn };
  struct Slot {
    Row row;
    Stage stage = Stage::open;
  };

  explicit Simulation(const Plan& plan) : plan_(plan), draw_({}, 0) {}
  [[nodiscard]] Result<void> set_mix();
  void event();
  void call(std::size_t at);
  void effect(std::size_t at);
  void crash(std::size_t at);
  void respond(std::size_t at);
  /// The client at `at` becomes idle.
  void rest(std::size_t at);
  [[nodiscard]] std::optional<std::uint16_t> choose(const Model& model, ProcessId process);
  [[nodiscard]] Tick tick();
  [[nodiscard]] Slot& slot(std::uint64_t serial) { return slots_[serial - first_serial_]; }

  Plan plan_;
  std::shared_ptr<const Specification> specification_;
  std::shared_ptr<ValuePool> pool_ = std::make_shared<ValuePool>();
  Draw draw_;
  std::vector<Weighted> mix_;  // methods with a weight
  double total_weight_ = 0;
  std::vector<std::unique_ptr<Model>> models_;  // by object
  std::vector<Client> clients_;                 // idle ones first
  std::size_t idle_ = 0;
  double eagerness_ = 1;        // w above
  double usual_eagerness_ = 1;  // by the formula above; eagerness_ stays within a hundredth and a hundredfold of it
  bool calls_first_ = false;    // as many as possible are to be in flight
  std::deque<Slot> slots_;      // operations not yet given out, by call
  std::uint64_t first_serial_ = 0;
  std::uint64_t effects_ = 0;  // operations that took effect or were lost
  std::uint64_t crashes_left_ = 0;
  std::uint64_t waits_ = 0;  // events in a row at which nothing could happen
  ProcessId next_process_ = 0;
  Tick clock_ = 0;
};

}  // namespace linchpin::generate

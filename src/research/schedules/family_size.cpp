#include "research/schedules/family_size.hpp"

#include <absl/container/flat_hash_set.h>

#include "linchpin/hash.hpp"
#include "research/schedules/enumeration.hpp"
#include "research/schedules/published.hpp"

namespace linchpin::research {

namespace {

constexpr std::int64_t kStepsAtOnce = 4096;

/// The distinct schedules of one family, as fingerprints.
class Fingerprints {
 public:
  Fingerprints(std::uint64_t limit, core::Budget& budget) : limit_(limit), budget_(budget) {}
  /// False: there are too many.
  bool add(std::uint64_t print) {
    // Memory is asked for where the table will grow, and not for each schedule that comes again until then.
    if (prints_.size() == prints_.capacity() * 7 / 8 && !prints_.contains(print) &&
        !budget_.allows(2 * prints_.capacity() * 9)) {
      return false;
    }
    prints_.insert(print);
    return prints_.size() <= limit_;
  }
  [[nodiscard]] std::uint64_t size() const { return prints_.size(); }

 private:
  std::uint64_t limit_;
  core::Budget& budget_;
  absl::flat_hash_set<std::uint64_t> prints_;
};

struct Printer {
  Fingerprints& prints;
  std::vector<std::uint64_t> print = {0};  // after each operation emitted
  bool emit(std::uint32_t operation) {
    print.push_back(mix(print.back(), operation));
    return true;
  }
  void retract(std::uint32_t count) { print.resize(count + 1); }
  bool finish(std::uint32_t /*delays*/) { return !prints.add(print.back()); }
  static bool known(const Standing& /*standing*/) { return false; }
};

/// False: too many, or the budget is spent.
bool enumerate(const OperationPoset& poset, std::uint32_t d, Fingerprints& prints, core::Budget& budget) {
  using Walk = Enumeration<Printer>;
  Printer printer{.prints = prints};
  Walk walk(poset, printer);
  for (std::uint32_t chain = 0; chain < poset.chains; ++chain) {
    printer.retract(0);
    walk.start(chain, d - 1);
    auto status = Walk::Status::paused;
    while (status == Walk::Status::paused) {
      if (budget.spent()) return false;
      std::int64_t steps = kStepsAtOnce;
      status = walk.run(steps);
    }
    if (status == Walk::Status::stopped) return false;
  }
  return true;
}

bool insert(const OperationPoset& poset, std::uint32_t d, Fingerprints& prints, core::Budget& budget) {
  Schedule schedule;
  return for_each_index(poset, d, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
    published_schedule(poset, chain, tuple, schedule);
    return prints.add(fingerprint(schedule)) && !budget.spent();
  });
}

}  // namespace

std::uint64_t fingerprint(const Schedule& schedule) {
  std::uint64_t print = 0;
  for (const std::uint32_t operation : schedule) print = mix(print, operation);
  return print;
}

std::vector<std::uint64_t> family_sizes(const OperationPoset& poset, Family family, std::uint32_t most,
                                        std::uint64_t limit, core::Budget& budget) {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t d = 1; d <= most; ++d) {
    Fingerprints prints(limit, budget);
    const bool whole =
        family == Family::published ? insert(poset, d, prints, budget) : enumerate(poset, d, prints, budget);
    if (!whole) break;
    sizes.push_back(prints.size());
  }
  return sizes;
}

}  // namespace linchpin::research

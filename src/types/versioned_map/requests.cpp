#include "types/versioned_map/requests.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::types::versioned_map {

namespace {

using history::Subhistory;
using Answer = VersionedMap::Answer;

class Reader {
 public:
  explicit Reader(const Subhistory& part) : part_(part), specification_(*part.specification->get_if<VersionedMap>()) {
    requests_.role.assign(part.size(), Role::ignored);
    requests_.number.assign(part.size(), 0);
    requests_.value.assign(part.size() + 3, Value::none());
    requests_.shown_by.assign(part.size() + 3, kNone);
    requests_.taken_by.assign(part.size() + 3, kNone);
  }

  Requests read() {
    for (std::uint32_t i = 0; i < part_.size() && requests_.obstacle.empty(); ++i) {
      if (part_.arguments(i)[0] != part_.arguments(0)[0]) {
        requests_.obstacle = "there are several keys";
        break;
      }
      const Operation operation = part_.view(i);
      switch (part_.method[i]) {
        case VersionedMap::kGet:
        case VersionedMap::kVersion: look(i, operation); break;
        case VersionedMap::kPut: put(i, operation); break;
        default: write(i, operation);
      }
    }
    if (requests_.obstacle.empty() && !untold_.empty()) place_untold();
    return std::move(requests_);
  }

 private:
  std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  void is(std::uint32_t i, Role role, std::uint64_t number = 0) {
    requests_.role[i] = role;
    requests_.number[i] = static_cast<std::uint32_t>(number);
  }
  void impossible(std::uint32_t i) {
    if (part_.pending(i) || requests_.impossible) return;  // a pending one did not take effect
    requests_.impossible = i;
  }
  void differ(std::uint32_t a, std::uint32_t b, bool both_made) {
    if (requests_.differ) return;
    requests_.differ = std::pair(a, b);
    requests_.both_made = both_made;
  }

  void show(std::uint32_t i, std::uint64_t stage, Value value) {
    if (requests_.shown_by[stage] == kNone) {
      requests_.shown_by[stage] = i;
      requests_.value[stage] = value;
    } else if (requests_.value[stage] != value) {
      differ(requests_.shown_by[stage], i, false);
    }
  }
  void takes(std::uint32_t i, std::uint64_t boundary) {
    if (boundary >= part_.size()) {  // so many writes there are not
      impossible(i);
      return;
    }
    is(i, Role::takes, boundary);
    if (requests_.taken_by[boundary] != kNone) {
      differ(requests_.taken_by[boundary], i, true);
      return;
    }
    requests_.taken_by[boundary] = i;
    show(i, boundary + 1, part_.arguments(i)[1]);
  }

  void look(std::uint32_t i, const Operation& operation) {
    if (part_.pending(i)) return;
    if (operation.result_unknown()) {
      is(i, Role::free);
      return;
    }
    const std::optional<VersionedMap::Seen> seen = specification_.seen(operation);
    if (!seen || seen->writes > part_.size()) {
      impossible(i);
      return;
    }
    is(i, Role::sees, seen->writes);
    if (seen->value) show(i, seen->writes, *seen->value);
  }

  void put(std::uint32_t i, const Operation& operation) {
    const Answer answer = specification_.answer(operation);
    const std::uint64_t stage = specification_.writes_of(operation.argument(2), *operation.pool);
    const bool reachable = stage < part_.size();  // as many writes before this operation
    const bool pending = part_.pending(i);
    if (pending) {
      const bool fits = specification_.made(operation).value_or(stage + 1) == stage + 1;
      if (reachable && fits && (answer == Answer::done || answer == Answer::maybe)) is(i, Role::may_take, stage);
      return;
    }
    switch (answer) {
      case Answer::done:
        if (specification_.made(operation).value_or(stage + 1) != stage + 1) {
          impossible(i);
        } else {
          takes(i, stage);
        }
        return;
      case Answer::maybe:
        if (!reachable) {
          is(i, Role::free);
        } else {
          is(i, specification_.maybe_executed ? Role::tries : Role::may_take_or_not, stage);
        }
        return;
      case Answer::failed:
        if (stage == 0) {
          is(i, Role::present);
        } else {
          is(i, reachable ? Role::other : Role::free, reachable ? stage : 0);
        }
        return;
      case Answer::wrong_version:
        if (stage == 0 || !reachable) {
          is(i, Role::present);
        } else {
          is(i, Role::other_present, stage);
        }
        return;
      case Answer::no_key:
        if (stage == 0) {
          impossible(i);
        } else {
          is(i, Role::sees, 0);
        }
        return;
      case Answer::impossible: impossible(i); return;
    }
  }

  void write(std::uint32_t i, const Operation& operation) {
    const Answer answer = specification_.answer(operation);
    if (answer == Answer::impossible) {
      impossible(i);
    } else if (const auto made = specification_.made(operation)) {
      if (!part_.pending(i)) {
        takes(i, *made - 1);
      } else if (*made - 1 < part_.size()) {
        is(i, Role::may_take, *made - 1);
      }
    } else {
      untold_.push_back(i);
      const bool must = !part_.pending(i) && (answer == Answer::done || specification_.maybe_executed);
      must_.push_back(must);
    }
  }

  /// Writes whose version was not told: each is where its value was seen, if no other request writes that value.
  void place_untold() {
    absl::flat_hash_map<std::uint64_t, std::uint32_t> writers;  // by the values' bits: how many requests
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const bool writes = part_.method[i] == VersionedMap::kPut || part_.method[i] == VersionedMap::kWrite;
      if (writes && !part_.specification->pure(part_.view(i))) ++writers[part_.arguments(i)[1].bits()];
    }
    absl::flat_hash_map<std::uint64_t, std::uint32_t> stages;  // by the values' bits: where it was seen
    std::uint32_t last = 0;                                    // stage that was reached for certain
    for (std::uint32_t stage = 1; stage < requests_.shown_by.size(); ++stage) {
      if (requests_.shown_by[stage] == kNone) continue;
      const auto [at, first] = stages.try_emplace(requests_.value[stage].bits(), stage);
      if (!first) at->second = kNone;
      last = stage;
    }
    std::vector<std::uint32_t> unseen;
    for (std::size_t k = 0; k < untold_.size(); ++k) {
      const std::uint32_t i = untold_[k];
      const std::uint64_t value = part_.arguments(i)[1].bits();
      const auto seen = stages.find(value);
      if (seen == stages.end() && !must_[k]) {
        is(i, part_.pending(i) ? Role::ignored : Role::free);
        unseen.push_back(i);
      } else if (seen == stages.end() || seen->second == kNone || writers[value] != 1) {
        requests_.obstacle = fmt::format("{} does not tell which version it made", text(i));
        return;
      } else {
        takes(i, seen->second - 1);
      }
    }
    if (!unseen.empty() && (names_beyond(last) || has_holes(last))) {
      requests_.obstacle = fmt::format("{} may have made a version that nobody saw", text(unseen.front()));
    }
  }
  /// Whether some operation is about a stage that need not have been reached.
  [[nodiscard]] bool names_beyond(std::uint32_t last) const {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const Role role = requests_.role[i];
      const bool numbered = role != Role::ignored && role != Role::free && role != Role::takes;
      if (role == Role::present && last == 0) return true;
      if (numbered && role != Role::present && requests_.number[i] + (role == Role::sees ? 0 : 1) > last) return true;
    }
    return false;
  }
  /// Whether there is a stage up to `last` of which nobody saw the value.
  [[nodiscard]] bool has_holes(std::uint32_t last) const {
    for (std::uint32_t stage = 1; stage <= last; ++stage) {
      if (requests_.shown_by[stage] == kNone) return true;
    }
    return false;
  }

  const Subhistory& part_;
  const VersionedMap& specification_;
  Requests requests_;
  std::vector<std::uint32_t> untold_;  // writes
  std::vector<bool> must_;             // of these: whether it took effect for certain
};

}  // namespace

Requests read_requests(const Subhistory& part) { return Reader(part).read(); }

}  // namespace linchpin::types::versioned_map

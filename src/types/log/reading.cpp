#include "types/log/reading.hpp"

#include <utility>

#include <fmt/format.h>

#include "algo/dense_values.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using algo::CountRole;
using algo::kNoCount;
using history::Subhistory;

class Reader {
 public:
  explicit Reader(const Subhistory& part) : part_(part), log_(*part.specification->get_if<Log>()) {
    operations().part = &part;
    operations().role.assign(part.size(), CountRole::steps);
    operations().number.assign(part.size(), 0);
  }

  Reading read() {
    // To the end even when two reads differ: a later put would explain it.
    for (std::uint32_t i = 0; i < part_.size() && reading_.obstacle.empty(); ++i) look(i);
    if (reading_.obstacle.empty() && reading_.impossible.empty()) assign_classes();
    return std::move(reading_);
  }

 private:
  algo::CountOperations& operations() { return reading_.operations; }
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  void sees(std::uint32_t i, CountRole role, std::uint32_t number) {
    operations().role[i] = role;
    operations().number[i] = number;
  }
  /// The number as a count; a number that no log has is never reached.
  [[nodiscard]] std::uint32_t count_of(std::int64_t number) const {
    return number < 0 || number > part_.size() ? kNoCount : static_cast<std::uint32_t>(number);
  }

  void look(std::uint32_t i) {
    const Operation operation = part_.view(i);
    if (operation.method == Log::kPut) {
      reading_.obstacle = fmt::format("{} overwrites the log", text(i));
    } else if (operation.method == Log::kAppend) {
      look_at_append(i, operation);
    } else if (part_.pending(i)) {
      operations().role[i] = CountRole::ignored;
    } else if (operation.result_unknown()) {
      operations().role[i] = CountRole::free;
    } else if (operation.method == Log::kRead) {
      look_at_list(i, operation);
    } else if (operation.method == Log::kGet) {
      look_at_entry(i, operation);
    } else if (is_integer(operation.result)) {
      sees(i, CountRole::sees_exactly, count_of(operation.pool->integer_of(operation.result)));
    } else {
      reading_.obstacle = fmt::format("{} returned no number", text(i));
    }
  }

  void look_at_append(std::uint32_t i, const Operation& operation) {
    const Value entry = operation.argument(0);
    if (entry.is_nil() || entry.is_none()) {
      reading_.obstacle = fmt::format("{}: nil is also the answer for an entry that is not there", text(i));
    } else if (!log_.returns_place(operation)) {
      if (!operation.acknowledged(0)) reading_.obstacle = fmt::format("{} did not succeed", text(i));
      reading_.untold = reading_.untold || !part_.pending(i);
    } else if (part_.pending(i)) {
      reading_.obstacle = fmt::format("{} says where the entry is, and may not have taken effect", text(i));
    } else {
      const std::int64_t told = operation.pool->integer_of(operation.result);
      const std::int64_t place = log_.returned == Log::Returned::length ? told - 1 : told;
      if (place < 0 || place >= part_.size()) {
        never({i}, fmt::format("{}: no log of these appends has an entry there", text(i)));
        return;
      }
      tell(i, static_cast<std::uint32_t>(place), entry);
    }
  }

  void look_at_list(std::uint32_t i, const Operation& operation) {
    if (!operation.result.is_list()) {
      reading_.obstacle = fmt::format("{} returned no list", text(i));
      return;
    }
    const auto shown = operation.pool->elements_of(operation.result);
    for (std::size_t place = 0; place < shown.size(); ++place) pin(i, place, shown[place]);
    sees(i, CountRole::sees_exactly, count_of(static_cast<std::int64_t>(shown.size())));
  }

  void look_at_entry(std::uint32_t i, const Operation& operation) {
    const std::int64_t index = operation.pool->integer_of(operation.argument(0));
    if (operation.result.is_nil()) {
      const bool no_matter = index < 0 || index >= part_.size();
      sees(i, no_matter ? CountRole::free : CountRole::sees_at_most, no_matter ? 0 : static_cast<std::uint32_t>(index));
      return;
    }
    const std::uint32_t place = count_of(index);
    if (place == kNoCount || place >= part_.size()) {
      sees(i, CountRole::sees_at_least, kNoCount);
      return;
    }
    pin(i, place, operation.result);
    sees(i, CountRole::sees_at_least, place + 1);
  }

  void pin(std::uint32_t i, std::size_t place, Value entry) {
    if (entry.is_none()) {  // no append leaves it, and here it stands for a place that nobody saw
      reading_.obstacle = fmt::format("{} shows an entry that is none", text(i));
      return;
    }
    if (place >= part_.size()) return;  // longer than any log: never reached
    if (place >= reading_.entries.size()) {
      reading_.entries.resize(place + 1, Value::none());
      operations().pinned_by.resize(place + 1, kNoCount);
    }
    if (reading_.entries[place].is_none()) {
      reading_.entries[place] = entry;
      operations().pinned_by[place] = i;
    } else if (reading_.entries[place] != entry) {
      const std::uint32_t other = operations().pinned_by[place];
      never({other, i}, fmt::format("{} and {} saw different entries at one place", text(other), text(i)));
    }
  }

  /// Append i says that its entry is at the place.
  void tell(std::uint32_t i, std::uint32_t place, Value entry) {
    if (place >= told_.size()) told_.resize(place + 1, kNoCount);
    if (told_[place] != kNoCount) {
      never({told_[place], i}, fmt::format("{} and {} are at one place", text(told_[place]), text(i)));
      return;
    }
    pin(i, place, entry);
    told_[place] = i;
    operations().pinned_by[place] = i;
  }

  /// The first that is found is told.
  void never(std::vector<std::uint32_t> operations, std::string sentence) {
    if (!reading_.impossible.empty()) return;
    reading_.impossible = std::move(operations);
    reading_.sentence = std::move(sentence);
  }

  /// Class 0: entries that were not seen, but where their append says. Then one for each entry seen, and one for each
  /// append that says where it is.
  void assign_classes() {
    const auto told = [&](std::size_t place) { return place < told_.size() ? told_[place] : kNoCount; };
    algo::DenseValues dense;
    for (std::size_t place = 0; place < reading_.entries.size(); ++place) {
      if (told(place) == kNoCount && !reading_.entries[place].is_none()) dense.observe(reading_.entries[place]);
    }
    dense.prepare();
    bool gaps = false;
    std::vector<std::uint32_t> lone;     // places that an append tells
    std::vector<std::int64_t> spare{0};  // by class: appends minus places
    operations().class_of_step.reserve(reading_.entries.size());
    for (std::size_t place = 0; place < reading_.entries.size(); ++place) {
      const Value entry = reading_.entries[place];
      std::uint32_t number = 0;
      if (told(place) != kNoCount) {
        lone.push_back(static_cast<std::uint32_t>(place));
      } else if (entry.is_none()) {
        gaps = true;
      } else {
        number = dense.add(entry).first.number() + 1;
        if (spare.size() <= number) spare.resize(number + 1, 0);
        --spare[number];
      }
      operations().class_of_step.push_back(number);
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.method[i] != Log::kAppend) continue;
      const algo::ValueNumber known = dense.find(part_.arguments(i)[0]);
      operations().number[i] = known == algo::ValueNumber::none() ? 0 : known.number() + 1;
    }
    operations().classes = dense.count() + 1;
    for (const std::uint32_t place : lone) {
      operations().class_of_step[place] = operations().number[told_[place]] = operations().classes++;
    }
    if (!gaps) return;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t number = operations().number[i];
      if (part_.method[i] == Log::kAppend && number < spare.size() && ++spare[number] > 0 && number > 0) {
        reading_.shared = true;
      }
    }
  }

  const Subhistory& part_;
  const Log& log_;
  std::vector<std::uint32_t> told_;  // by place: the append that says that it is there, or kNoCount
  Reading reading_;
};

}  // namespace

Reading read(const Subhistory& part) { return Reader(part).read(); }

}  // namespace linchpin::types::log_

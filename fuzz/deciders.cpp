// Bytes are read as a little program: the first chooses a type, each further one lets a process call or return, now or
// at the tick before, with its result known or lost; what never returns may have one that it would have returned. Any
// bytes are a valid history, so that every mutation counts.
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "cross/labels.hpp"
#include "decide/choose.hpp"
#include "decide/projections.hpp"
#include "decide/search/search_task.hpp"
#include "evidence/witness.hpp"
#include "fuzz/targets.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"

namespace linchpin::fuzz {

namespace {

constexpr std::size_t kProcesses = 4;
constexpr std::size_t kMostDecided = 9;  // the reference decider takes exponential time
constexpr std::size_t kMostLabels = 24;

struct Subject {
  std::shared_ptr<const Specification> specification;
  cross::Labels labels;
};

std::vector<Subject> make_subjects() {
  std::vector<Subject> subjects;
  for (const core::DataType& type : core::data_types()) {
    if (!cross::has_small_labels(type.name)) continue;
    auto specification = make_specification({.name = std::string(type.name), .options = {}});
    require(specification.has_value(), fmt::format("the type {} cannot be made", type.name));
    cross::Labels labels = cross::small_labels(**specification, kMostLabels);
    const cross::Labels mixed = cross::mixed_labels(**specification, kMostLabels, 1);
    for (cross::Label label : mixed.list) {
      for (Value& argument : label.arguments) argument = labels.pool->import(argument, *mixed.pool);
      label.result = labels.pool->import(label.result, *mixed.pool);
      labels.list.push_back(std::move(label));
    }
    subjects.push_back({*specification, std::move(labels)});
  }
  return subjects;
}

/// Which subject, and the history; nothing where the bytes say too little.
struct Sample {
  const Subject* subject = nullptr;
  Ties ties = Ties::concurrent;
  std::optional<History> history;
};

Sample decode(Bytes bytes) {
  static const std::vector<Subject> subjects = make_subjects();
  Sample sample;
  if (bytes.size() < 3) return sample;
  sample.subject = &subjects[(bytes[0] & 0x7fU) % subjects.size()];
  if ((bytes[0] & 0x80U) != 0) sample.ties = Ties::response_first;

  const auto& labels = sample.subject->labels;
  HistoryBuilder builder;
  std::array<std::optional<std::pair<OperationIndex, std::size_t>>, kProcesses> open;  // by process: what it has called
  Tick tick = 0;
  for (std::size_t at = 1; at < bytes.size(); ++at) {
    const std::size_t process = bytes[at] % kProcesses;
    if ((bytes[at] & 0x40U) == 0) ++tick;
    if (open[process]) {
      const auto [operation, label] = *open[process];
      const bool lost = (bytes[at] & 0x20U) != 0;
      builder.respond(operation, tick,
                      lost ? Value::unknown() : builder.pool().import(labels.list[label].result, *labels.pool));
      open[process].reset();
    } else if (builder.size() < kMostDecided && at + 1 < bytes.size()) {
      const std::size_t label = bytes[++at] % labels.list.size();
      std::vector<Value> arguments;
      for (const Value argument : labels.list[label].arguments) {
        arguments.push_back(builder.pool().import(argument, *labels.pool));
      }
      // If it never returns, it may still be known what it would have returned.
      const bool promised = (bytes[at - 1] & 0x20U) != 0;
      const Value result = promised ? builder.pool().import(labels.list[label].result, *labels.pool) : Value::unknown();
      const OperationIndex operation = builder.add({.process = static_cast<ProcessId>(process),
                                                    .method = labels.list[label].method,
                                                    .arguments = arguments,
                                                    .result = result,
                                                    .call = tick});
      open[process].emplace(operation, label);
    }
  }
  auto history = std::move(builder).build();
  require(history.has_value(), history ? "" : "the sample is refused: " + history.error().to_string());
  sample.history = std::move(*history);
  return sample;
}

Witness witness_of(const history::Subhistory& part, const core::Outcome& outcome) {
  Witness witness;
  std::vector<bool> taken(part.size(), false);
  for (const std::uint32_t local : outcome.witness) {
    witness.order.push_back(part.operation[local]);
    taken[local] = true;
  }
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (!taken[local]) witness.omitted.push_back(part.operation[local]);
  }
  return witness;
}

std::string text_of(const Sample& sample) {
  const History& history = *sample.history;
  std::string text = fmt::format("{}\n", sample.subject->specification->name());
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += fmt::format("{} {} {} {}\n", history.process(i), history.call(i),
                        history.pending(i) ? "-" : std::to_string(history.response(i)), history.describe(i));
  }
  return text;
}

void hold_to_the_reference(const core::Decider& decider, const history::Subhistory& part, const Sample& sample,
                           bool expected) {
  core::Budget budget({});
  const core::Outcome outcome = decider.decide(part, {.witness = true}, budget);
  if (outcome.reason == Reason::not_applicable) return;
  require((outcome.verdict == Verdict::linearizable) == expected && outcome.verdict != Verdict::unknown,
          fmt::format("{} says {}\n{}", decider.name, name(outcome.verdict), text_of(sample)));
  if (expected) {
    const std::string fault = evidence::refute_witness(*sample.history, 0, *sample.subject->specification,
                                                       witness_of(part, outcome), sample.ties);
    require(fault.empty(), fmt::format("the witness of {}: {}\n{}", decider.name, fault, text_of(sample)));
  } else if (!outcome.core.empty()) {
    require(!reference::linearizable(history::restrict(part, outcome.core)),
            fmt::format("the core of {} is linearizable\n{}", decider.name, text_of(sample)));
  }
}

void hold_check_to_the_reference(const Sample& sample, bool expected) {
  CheckOptions options;
  options.specification = sample.subject->specification;
  options.ties = sample.ties;
  options.verify = Verify::thoroughly;
  options.threads = 1;
  const auto checked = check(*sample.history, options);
  require(checked.has_value(), "check refuses the sample\n" + text_of(sample));
  require(checked->verdict == (expected ? Verdict::linearizable : Verdict::violation),
          fmt::format("check says {}\n{}", name(checked->verdict), text_of(sample)));
  const std::string fault = test::what_did_not_hold(*checked);
  require(fault.empty(), fmt::format("{}\n{}", fault, text_of(sample)));
}

}  // namespace

void deciders(Bytes bytes) {
  const Sample sample = decode(bytes);
  if (!sample.history || sample.history->size() == 0) return;
  const std::array specifications{sample.subject->specification};
  const auto parts = history::split_by_object(*sample.history, specifications, sample.ties);
  require(parts.has_value(), "the sample cannot be split\n" + text_of(sample));
  const history::Subhistory& part = (*parts)[0];
  const bool expected = reference::linearizable(part);
  for (const core::Decider& search : decide::searches()) hold_to_the_reference(search, part, sample, expected);
  for (const std::span<const core::Decider> list :
       {core::monitors(), core::necessary_conditions(), std::span(&decide::key_projections(), 1), core::lifts()}) {
    for (const core::Decider& decider : list) {
      if (decider.applicable(part).applies) hold_to_the_reference(decider, part, sample, expected);
    }
  }
  hold_check_to_the_reference(sample, expected);
}

}  // namespace linchpin::fuzz

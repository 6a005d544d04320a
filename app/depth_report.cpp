// What `linchpin depth` says of each history.
#include "app/depth_report.hpp"

#include <unistd.h>

#include <map>

#include <fmt/format.h>

#include "app/json_text.hpp"
#include "app/operation_table.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/table.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOfDepthWitness = 40;  // operations of a witness
constexpr std::size_t kMostSegments = 10;
constexpr std::size_t kFirstLevels = 9, kLastLevels = 3;  // shown where there are more

std::string_view ended_by(Reason reason) {
  switch (reason) {
    case Reason::time: return "the time limit was reached";
    case Reason::memory: return "the memory limit was reached";
    case Reason::cancelled: return "cancelled";
    case Reason::none:
    case Reason::not_applicable:
    case Reason::internal: break;
  }
  return "not known";
}

/// "witness at depth 2", or why there is none.
std::string outcome(const ObjectDepth& object) {
  const Colours& colour = colours(STDOUT_FILENO);
  if (object.depth) return fmt::format("{}witness at depth {}{}", colour.good, *object.depth, colour.plain);
  if (object.verdict == Verdict::violation) {
    return fmt::format("{}violation{}, no schedule is a witness", colour.bad, colour.plain);
  }
  std::string text =
      object.verdict == Verdict::linearizable
          ? fmt::format("linearizable, {}no witness up to depth {}{}", colour.doubtful, object.searched, colour.plain)
          : fmt::format("{}unknown{}, no witness up to depth {}", colour.doubtful, colour.plain, object.searched);
  if (object.reason != Reason::none) text += fmt::format("; {}", ended_by(object.reason));
  return text;
}

std::string depth_sizes(const ObjectDepth& object) {
  return fmt::format("{}, {}, {}, {} mutually concurrent", base::foreign_text(object.type),
                     counted(object.operations, "operation"), counted(object.chains, "chain"),
                     grouped(object.concurrency));
}

std::string level_table(const ObjectDepth& object, std::size_t indent) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < object.levels.size(); ++i) {
    if (object.levels.size() > kFirstLevels + kLastLevels && i >= kFirstLevels &&
        i + kLastLevels < object.levels.size()) {
      if (i == kFirstLevels) rows.push_back({"...", "...", "...", ""});
      continue;
    }
    const DepthLevel& level = object.levels[i];
    rows.push_back({fmt::to_string(i + 1), level.schedules ? grouped(*level.schedules) : "not counted",
                    grouped(level.tried), object.depth == i + 1 ? "<-- witness" : ""});
  }
  return aligned({{"depth", true}, {"distinct schedules", true}, {"tried", true}, {""}}, rows, indent);
}

/// "12 segments between quiet points: 10 of depth 1, 2 of depth 2; the deepest: operations 4 to 9"
std::string segment_text(const ObjectDepth& object, std::size_t indent) {
  std::map<std::uint32_t, std::size_t> count;
  for (const DepthSegment& segment : object.segments) ++count[segment.depth];
  std::vector<std::string> parts;
  parts.reserve(count.size());
  for (const auto& [depth, segments] : count) parts.push_back(fmt::format("{} of depth {}", grouped(segments), depth));
  std::string text = fmt::format("{:{}}{} between quiet points: {}\n", "", indent,
                                 counted(object.segments.size(), "segment"), fmt::join(parts, ", "));
  if (count.size() < 2) return text;
  std::size_t listed = 0;
  for (const DepthSegment& segment : object.segments) {
    if (segment.depth != object.depth) continue;
    if (++listed > kMostSegments) break;
    text += fmt::format("{:{}}depth {}: {} from operation {} on\n", "", indent + 2, segment.depth,
                        counted(segment.operations, "operation"), segment.first.number());
  }
  return text;
}

/// "1,004,640 schedules in all, 134,400 of them witnesses"
std::string all_schedules(const ObjectDepth& object, std::size_t indent) {
  if (!object.schedules || !object.witnesses) {
    return fmt::format("{:{}}schedules in all: not counted\n", "", indent);
  }
  return fmt::format("{:{}}{} in all, {} of them {}\n", "", indent, counted(*object.schedules, "schedule"),
                     grouped(*object.witnesses), *object.witnesses == 1 ? "a witness" : "witnesses");
}

class DepthText final : public DepthReport {
 public:
  explicit DepthText(bool counts_all) : counts_all_(counts_all) {}

  void depth(const Origin& origin, const History& history, const HistoryDepth& depth) override {
    const bool one = depth.objects.size() == 1;
    const std::string where = label(origin);
    std::string text;
    if (!one) {
      text = fmt::format("{}: {} ({:.3f} s)\n", where, counted(depth.objects.size(), "object"), depth.seconds);
    }
    for (const ObjectDepth& object : depth.objects) {
      ++objects_;
      if (object.depth) ++found_[*object.depth];
      violations_ += object.verdict == Verdict::violation ? 1 : 0;
      text +=
          one ? fmt::format("{}: {} ({}; {:.3f} s)\n", where, outcome(object), depth_sizes(object), depth.seconds)
              : fmt::format("  {}: {} ({})\n", base::foreign_text(object.name), outcome(object), depth_sizes(object));
      if (object.linearizability_depth) {
        text += fmt::format("  linearizability depth {}: every schedule that strongly hits these is a witness\n",
                            *object.linearizability_depth);
        text += operation_table(history, object.tuple, std::nullopt, 4);
      }
      if (counts_all_) text += all_schedules(object, one ? 2 : 4);
      if (origin.one_of_several) continue;
      if (!object.segments.empty()) text += segment_text(object, one ? 2 : 4);
      if (!object.levels.empty()) text += level_table(object, one ? 2 : 4);
      if (one && object.witness && object.witness->order.size() <= kMostOfDepthWitness) {
        text += "  the witness:\n" + operation_table(history, object.witness->order, std::nullopt, 4);
      }
    }
    print(text);
  }

  void error(const Origin& /*origin*/, const Error& /*error*/) override { ++errors_; }

  Result<void> end() override {
    if (objects_ + errors_ < 2) return {};
    std::vector<std::string> parts;
    std::size_t rest = objects_ - violations_;
    for (const auto& [depth, count] : found_) {
      parts.push_back(fmt::format("{} at depth {}", grouped(count), depth));
      rest -= count;
    }
    if (rest > 0) parts.push_back(fmt::format("{} without a witness found", grouped(rest)));
    if (violations_ > 0) parts.push_back(fmt::format("{}", counted(violations_, "violation")));
    if (errors_ > 0) parts.push_back(fmt::format("{} not read", counted(errors_, "input")));
    print(fmt::format("{} measured: {}\n", counted(objects_, "object"), fmt::join(parts, ", ")));
    return {};
  }

 private:
  bool counts_all_;  // schedules in all were to be counted
  std::size_t objects_ = 0, violations_ = 0, errors_ = 0;
  std::map<std::uint32_t, std::size_t> found_;  // by depth
};

Json object_json(const ObjectDepth& object) {
  Json json;
  json["object"] = object.name;
  json["type"] = object.type;
  json["verdict"] = name(object.verdict);
  json["reason"] = object.reason == Reason::none ? std::string() : std::string(name(object.reason));
  json["operations"] = object.operations;
  json["pending"] = object.pending;
  json["chains"] = object.chains;
  json["concurrency"] = object.concurrency;
  json["concurrent_pairs"] = object.concurrent_pairs;
  json["depth"] = value_or_null(object.depth);
  json["searched"] = object.searched;
  json["levels"] = Json::array();
  for (std::size_t i = 0; i < object.levels.size(); ++i) {
    json["levels"].push_back({{"depth", i + 1},
                              {"schedules", value_or_null(object.levels[i].schedules)},
                              {"tried", object.levels[i].tried}});
  }
  json["order"] = object.witness ? Json(object.witness->order) : Json(nullptr);
  json["omitted"] = object.witness ? Json(object.witness->omitted) : Json(nullptr);
  json["segments"] = Json::array();
  for (const DepthSegment& segment : object.segments) {
    json["segments"].push_back(
        {{"first", segment.first}, {"operations", segment.operations}, {"depth", segment.depth}});
  }
  json["linearizability_depth"] = value_or_null(object.linearizability_depth);
  json["tuple"] = object.tuple;
  json["schedules"] = value_or_null(object.schedules);
  json["witnesses"] = value_or_null(object.witnesses);
  return json;
}

class DepthJson final : public DepthReport {
 public:
  explicit DepthJson(WriteLine write) : write_(std::move(write)) {}

  void depth(const Origin& origin, const History& /*history*/, const HistoryDepth& depth) override {
    Json json;
    json["file"] = origin.file;
    json["index"] = origin.index;
    json["verdict"] = name(depth.verdict);
    json["seconds"] = depth.seconds;
    json["objects"] = Json::array();
    for (const ObjectDepth& object : depth.objects) json["objects"].push_back(object_json(object));
    write_(json_line(json));
  }

  void error(const Origin& origin, const Error& error) override { make_json_report(write_)->error(origin, error); }

 private:
  WriteLine write_;
};

}  // namespace

std::unique_ptr<DepthReport> make_depth_text_report(bool counts_all) { return std::make_unique<DepthText>(counts_all); }
std::unique_ptr<DepthReport> make_depth_json_report(WriteLine write) {
  return std::make_unique<DepthJson>(std::move(write));
}

}  // namespace linchpin::app

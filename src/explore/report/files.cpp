#include "explore/report/files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/uri.hpp"
#include "base/xml_text.hpp"
#include "explore/report/json_text.hpp"

namespace linchpin::explorer {

namespace {

/// Nothing was found out: neither that something is wrong nor that it is not.
bool without_answer(const ExploreResult& result) {
  return result.error || result.finding == ExploreFinding::nondeterminism ||
         result.finding == ExploreFinding::unsupported || result.finding == ExploreFinding::undecided;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string location(const std::string& path, unsigned line, const std::string& folder) {
  const bool below = !folder.empty() && path.starts_with(folder + "/");
  const std::string uri = below ? base::uri_path(std::string_view(path).substr(folder.size() + 1))
                                : (path.starts_with("/") ? "file://" : "") + base::uri_path(path);
  return fmt::format(R"("physicalLocation": {{"artifactLocation": {{"uri": {}}}, "region": {{"startLine": {}}}}})",
                     json_text(uri), line);
}

/// The finding's own line, or that of its last step; then what it conflicts with.
std::vector<ExplorePlace> places_of(const ExploreResult& result) {
  if (!result.places.empty()) return result.places;
  const auto last = std::find_if(result.interleaving.rbegin(), result.interleaving.rend(),
                                 [](const ExploreStep& step) { return step.line != 0; });
  if (last == result.interleaving.rend()) return {};
  return {{.path = last->path, .line = last->line}};
}

std::string step_text(const ExploreStep& step) {
  std::string text = step.what;
  if (!step.value.empty()) text += " " + step.value;
  if (!step.note.empty()) text += " (" + step.note + ")";
  return text;
}

/// One thread's steps, with their places in the order of all.
std::string flow(const ExploreResult& result, unsigned thread, const std::string& folder) {
  std::string steps;
  for (std::size_t i = 0; i < result.interleaving.size(); ++i) {
    const ExploreStep& step = result.interleaving[i];
    if (step.thread != thread) continue;
    steps += fmt::format(R"({}{{"executionOrder": {}, "location": {{"message": {{"text": {}}}{}}}}})",
                         steps.empty() ? "" : ", ", i + 1, json_text(step_text(step)),
                         step.line == 0 ? "" : ", " + location(step.path, step.line, folder));
  }
  if (steps.empty()) return "";
  return fmt::format(R"({{"id": "thread {}", "locations": [{}]}})", thread + 1, steps);
}

std::string result_text(const ExploreResult& result, const std::string& folder) {
  const std::vector<ExplorePlace> places = places_of(result);
  const auto location_of = [&](std::size_t i) {
    return i < places.size() ? "{" + location(places[i].path, places[i].line, folder) + "}" : std::string();
  };
  std::string flows;
  unsigned threads = 0;
  for (const ExploreStep& step : result.interleaving) threads = std::max(threads, step.thread + 1);
  for (unsigned thread = 0; thread < threads; ++thread) {
    const std::string one = flow(result, thread, folder);
    if (!one.empty()) flows += (flows.empty() ? "" : ", ") + one;
  }
  std::string text = fmt::format(
      R"({{"ruleId": {}, "level": "error", "message": {{"text": {}}}, "locations": [{}], "relatedLocations": [{}])",
      json_text(name(result.finding)), json_text(result.message), location_of(0), location_of(1));
  if (!flows.empty()) text += fmt::format(R"(, "codeFlows": [{{"threadFlows": [{}]}}])", flows);
  return text + fmt::format(R"(, "properties": {{"scenario": {}, "token": {}}}}})", json_text(result.scenario),
                            json_text(result.token));
}

}  // namespace

std::string junit_text(const ExploreResult& result, std::string_view name) {
  const bool unanswered = without_answer(result);
  const bool failed = !unanswered && result.finding != ExploreFinding::none;
  const bool skipped = !unanswered && !failed && !result.complete;
  const std::string counts = fmt::format(R"(tests="1" failures="{}" errors="{}" skipped="{}" time="{:.3f}")",
                                         failed ? 1 : 0, unanswered ? 1 : 0, skipped ? 1 : 0, result.seconds);
  const std::string told = result.to_string();
  std::string body;
  if (failed || unanswered) {
    const std::string_view element = failed ? "failure" : "error";
    body = fmt::format("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", element,
                       result.error ? linchpin::name(result.error->code) : linchpin::name(result.finding),
                       base::xml_name(first_line(told)), base::xml_text(told), element);
  } else {
    if (skipped) body = "      <skipped message=\"not all was covered\"/>\n";
    body += fmt::format("      <system-out>{}</system-out>\n", base::xml_text(told));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"linchpin\" {}>\n"
      "  <testsuite name=\"explore\" {}>\n    <testcase classname=\"explore\" name=\"{}\" time=\"{:.3f}\">\n{}"
      "    </testcase>\n  </testsuite>\n</testsuites>\n",
      counts, counts, base::xml_name(name), result.seconds, body);
}

std::string sarif_text(const ExploreResult& result, const std::string& folder) {
  const bool unanswered = without_answer(result);
  std::string rules, results, notifications;
  if (unanswered || !result.complete) {
    const bool found = !unanswered && result.finding != ExploreFinding::none;  // whatever was left out
    if (!found) {
      notifications = fmt::format(R"({{"level": {}, "message": {{"text": {}}}}})",
                                  json_text(unanswered ? "error" : "note"), json_text(result.to_string()));
    }
  }
  if (!unanswered && result.finding != ExploreFinding::none) {
    rules =
        fmt::format(R"({{"id": {}, "defaultConfiguration": {{"level": "error"}}}})", json_text(name(result.finding)));
    results = result_text(result, folder);
  }
  return fmt::format(
      R"({{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{{)"
      R"("tool": {{"driver": {{"name": "linchpin", "rules": [{}]}}}}, )"
      R"("invocations": [{{"executionSuccessful": {}, "toolExecutionNotifications": [{}]}}], "results": [{}]}}]}})"
      "\n",
      rules, !unanswered, notifications, results);
}

}  // namespace linchpin::explorer

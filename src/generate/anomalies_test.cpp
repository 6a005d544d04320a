#include "generate/anomalies.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "linchpin/check.hpp"

namespace linchpin::generate::anomalies_test {

namespace {

HistoryVerdict decide(const std::string& anomaly, const std::string& level) {
  Plan plan;
  plan.type = *TypeName::parse("list-append");
  plan.operations = 200;
  plan.parts = 4;
  auto made = Simulation::make(plan);
  Simulation& simulation = *made;
  auto rows = *all_rows(simulation);
  EXPECT_TRUE(plant(rows, anomaly, rows.size() / 2, simulation.pool()));
  const auto history = to_history(simulation.plan(), simulation.specification(), simulation.pool(), rows);
  CheckOptions options;
  options.type = *TypeName::parse("list-append level=" + level);
  return *check(*history, options);
}

}  // namespace

TEST(Anomalies, AreFoundAndNamedAtEveryLevelThatTheyBreak) {
  for (const std::string_view name : anomalies()) {
    const std::string anomaly(name);
    const bool process = anomaly.ends_with("-process"), realtime = anomaly.ends_with("-realtime");
    for (const std::string level : {"strict-serializable", "strong-session-serializable", "serializable"}) {
      const HistoryVerdict verdict = decide(anomaly, level);
      const bool allowed = realtime ? level != "strict-serializable" : process && level == "serializable";
      ASSERT_EQ(verdict.verdict, allowed ? Verdict::linearizable : Verdict::violation) << anomaly << " " << level;
      if (allowed) continue;
      const Violation& violation = *verdict.objects[0].violation;
      EXPECT_EQ(violation.sentence.substr(0, violation.sentence.find_first_of(":,")), anomaly) << level;
      EXPECT_LE(violation.core.size(), 4U) << anomaly;
    }
  }
}

TEST(Anomalies, NeedANameAndRoom) {
  Plan plan;
  plan.type = *TypeName::parse("list-append");
  plan.operations = 20;
  auto made = Simulation::make(plan);
  Simulation& simulation = *made;
  auto rows = *all_rows(simulation);
  EXPECT_EQ(plant(rows, "G7", 0, simulation.pool()).error().code, ErrorCode::bad_option);
  EXPECT_EQ(plant(rows, "G0", rows.size() - 1, simulation.pool()).error().code, ErrorCode::unsupported);
}

}  // namespace linchpin::generate::anomalies_test

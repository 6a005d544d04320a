#include "regression/cases.hpp"

#include <array>

namespace linchpin::bench {

namespace {

constexpr std::string_view kJson = "check --json --threads 1 --time-limit 20 --memory-limit 2G";
constexpr std::string_view kNoWitness = "check --json --threads 1 --time-limit 20 --memory-limit 2G --no-witness";

/// Forty clients, none of whose values repeats: monitors decide.
constexpr std::string_view kMany = "-n 600000", kFew = "-n 2000";

constexpr std::array kCases{
    // Monitors, from the file to the verdict.
    RegressionCase{"queue", "queue -p 40 --in-flight 26", "fastlin", kJson, 0, kMany, kFew},
    RegressionCase{"queue, no witness", "queue -p 40 --in-flight 26", "binary", kNoWitness, 0, "-n 1000000", kFew},
    RegressionCase{"queue, broken", "queue -p 40 --in-flight 26 --violation late", "binary", kJson, 1, kMany, kFew},
    RegressionCase{"queue, pending", "queue -p 40 --in-flight 26 --pending 300", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"stack", "stack -p 40 --in-flight 26 --peeks 0.2", "fastlin", kJson, 0, kMany, kFew},
    RegressionCase{"stack, broken", "stack -p 40 --in-flight 26 --violation late", "binary", kJson, 1, kMany, kFew},
    RegressionCase{"priority queue", "priority-queue -p 40 --in-flight 26 --empties", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"set", "set -p 40 --in-flight 26", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"bag", "bag -p 40 --in-flight 26", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"register", "register -p 40 --in-flight 26 --values unique", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"cas register", "cas-register -p 12 --in-flight 8 --values unique", "binary", kJson, 0, kMany, kFew},
    RegressionCase{"map, unique values", "map -p 40 --in-flight 26 --values unique --keys 100", "binary", kJson, 0,
                   kMany, kFew},
    RegressionCase{"counter", "counter -p 40 --in-flight 26", "binary", kJson, 0, kMany, kFew},
    // Searches: values repeat.
    RegressionCase{"ambiguous register", "register -p 24 --in-flight 16 --values 3", "binary", kNoWitness, 0,
                   "-n 80000", "-n 500"},
    RegressionCase{"ambiguous cas register", "cas-register -p 12 --in-flight 8 --values 5", "binary", kJson, 0,
                   "-n 80000", "-n 500"},
    RegressionCase{"ambiguous map", "map -p 40 --in-flight 26 --values 3 --keys 50", "binary", kJson, 0, "-n 300000",
                   "-n 1000"},
    RegressionCase{"ambiguous queue", "queue -p 12 --in-flight 8 --values 3 --empties", "binary", kJson, 0, "-n 200000",
                   "-n 300"},
    RegressionCase{"ambiguous stack", "stack -p 12 --in-flight 8 --values 3", "binary", kJson, 0, "-n 5000", "-n 300"},
    RegressionCase{"semaphore", "semaphore -p 24 --in-flight 16", "binary", kJson, 0, "-n 500000", "-n 500"},
    RegressionCase{"deque", "deque -p 4 --in-flight 2", "binary", kJson, 0, "-n 1000", "-n 300"},
    RegressionCase{"published search, a set", "set -p 4 --values 16", "binary",
                   "check --json --threads 1 --decider wgl-partitioned", 0, "-n 200000", "-n 1000"},
    // Many small histories, where the start of each counts.
    RegressionCase{"small histories", "cas-register --random -p 4 -n 12 --values 5 --linearizable 0.3", "jsonl", kJson,
                   1, "--histories 5000", "--histories 50"},
    // Evidence: shrunk cores, checked by independent code; schedules.
    RegressionCase{"core of a violation", "queue -p 8 --values 20 --violation anywhere", "binary",
                   "check --json --threads 1 --verify", 1, "-n 2000", "-n 200"},
    RegressionCase{"witness verified", "stack -p 40 --in-flight 26", "binary", "check --json --threads 1 --verify", 0,
                   kMany, kFew},
    RegressionCase{"depth", "queue --random -p 5 -n 12 --values unique --linearizable 0.7", "jsonl",
                   "depth --tables csv", 1, "--histories 2000", "--histories 20"},
    // Readers, which a short check follows.
    RegressionCase{"read text", "set -p 40 --in-flight 26", "text", kNoWitness, 0, kMany, kFew},
    RegressionCase{"read JSON lines", "set -p 40 --in-flight 26", "jsonl", kNoWitness, 0, kMany, kFew},
};

}  // namespace

std::span<const RegressionCase> regression_cases() { return kCases; }

}  // namespace linchpin::bench

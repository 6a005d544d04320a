// What it costs to decide a recording of etcd's kind, in which requests fail and nobody knows whether they were
// executed.
//
//   bench_mvcc [--requests 100000] [--clients 8] [--keys 10] [--failed 500] [--seconds 60] [--megabytes 4000] [--seed
//   1]
//
// Clients put, delete, range and transact on a store of versions (simulated, as `linchpin generate` does). A failed
// write is executed in half of all cases, up to a few hundred requests later, and its client goes on under another
// number. The same history is decided by
//   monitor     mvcc-monitor, revision by revision
//   state sets  a search over sets of states, as the model of etcd's robustness tests has them: a request that failed
//               leaves each state as it is, and as it would be, so that the sets double; it is behind all that follows
// each in a process of its own: user time and peak memory, of which the first line is the history alone. The monitor's
// witness is replayed before a time is reported. A broken copy, in which one value that was shown is another, has to be
// refuted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "generate/models/mvcc_store.hpp"
#include "linchpin/check.hpp"
#include "linchpin/research.hpp"
#include "linchpin/specification.hpp"
#include "process.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::bench {
namespace {

using types::mvcc_kv::Methods;

/// The model of etcd's robustness tests: all states that are possible. What failed returned "failed", at the end.
struct StateSets {
  using State = std::vector<types::MvccKv::State>;
  static constexpr auto methods = types::MvccKv::methods;
  static State initial() { return {types::MvccKv::initial()}; }
  static bool step(State& states, const Operation& operation) {
    Operation executed = operation;
    const bool failed = operation.result.is_string() && operation.pool->text_of(operation.result) == "failed";
    if (failed) executed.result = Value::unknown();
    State next;
    for (const types::MvccKv::State& each : states) {
      types::MvccKv::State after = each;
      if (failed) next.push_back(each);
      if (types::MvccKv::step(after, executed) && !(failed && after == each)) next.push_back(std::move(after));
    }
    states = std::move(next);
    return !states.empty();
  }
};

class Recording {
 public:
  explicit Recording(const Arguments& arguments)
      : requests_(static_cast<std::size_t>(arguments.number("requests", 100'000))),
        clients_(static_cast<std::size_t>(arguments.number("clients", 8))),
        keys_(static_cast<std::uint64_t>(arguments.number("keys", 10))),
        failing_(arguments.number("failed", 500) / static_cast<double>(requests_)),
        random_(static_cast<std::uint64_t>(arguments.number("seed", 1))),
        store_(pool()) {}

  /// @param behind_all  a failed request returned "failed" at the end, instead of never
  History history(bool behind_all, bool broken) {
    simulate();
    builder_.set_type({.name = "mvcc-kv", .options = {}});
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
    if (broken) break_one();
    for (const Row& row : rows_) {
      const Value result = !row.failed ? row.result : behind_all ? pool().string("failed") : Value::unknown();
      builder_.add({.process = row.client,
                    .method = types::MvccKv::methods[row.method].name,
                    .arguments = row.arguments,
                    .result = result,
                    .call = row.call,
                    .response = !row.failed  ? row.response
                                : behind_all ? now_ + 1
                                             : kPending});
    }
    return std::move(*std::move(builder_).build());
  }

 private:
  struct Row {
    ProcessId client = 0;
    std::uint16_t method = 0;
    std::vector<Value> arguments;
    Value result;
    Tick call = 0, response = 0;
    bool failed = false;
  };
  struct Client {
    ProcessId name = 0;
    Tick free = 0;
  };

  ValuePool& pool() { return builder_.pool(); }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(double probability) { return std::uniform_real_distribution<>()(random_) < probability; }
  Value word(const char* text) { return pool().string(text); }

  /// Requests act in the order of their moments; those of failed ones may lie far behind their calls.
  void simulate() {
    std::vector<Client> clients(clients_);
    for (std::size_t i = 0; i < clients_; ++i) clients[i].name = names_++;
    struct Due {
      Tick moment = 0;
      std::size_t row = 0;
      bool executed = true;
    };
    std::vector<Due> due;
    for (std::size_t i = 0; i < requests_; ++i) {
      Client& client = clients[below(clients_)];
      Row row{.client = client.name, .arguments = {}, .call = client.free + 1 + static_cast<Tick>(below(20))};
      row.failed = chance(failing_);
      row.response = row.call + 2 + static_cast<Tick>(below(60));
      const Tick latest = row.failed ? row.response + static_cast<Tick>(below(2000)) : row.response;
      due.push_back({row.call + 1 + static_cast<Tick>(below(static_cast<std::uint64_t>(latest - row.call - 1))), i,
                     !row.failed || chance(0.5)});
      client.free = row.response;
      if (row.failed) client.name = names_++;
      now_ = std::max(now_, row.response);
      rows_.push_back(std::move(row));
    }
    std::sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.moment < b.moment; });
    for (const Due& each : due) execute(rows_[each.row], each.executed);
  }

  void execute(Row& row, bool executed) {
    const auto key = static_cast<std::int64_t>(1 + below(keys_));
    const Value name = Value::integer(key);
    const std::uint64_t what = row.failed ? 4 + below(6) : below(10);
    if (what < 3) {
      row.method = Methods::kRange;
      row.arguments = {name};
      row.result = store_.range({.first = key});
    } else if (what == 3) {
      row.method = Methods::kRange;
      row.arguments = {name, Value::integer(key + 4)};
      row.result = store_.range({.first = key, .end = key + 4});
    } else if (what < 8) {
      row.method = Methods::kPut;
      const Value value = Value::integer(++values_);
      row.arguments = {name, value};
      if (executed) row.result = store_.put({key, value});
    } else if (what == 8) {
      row.method = Methods::kTxn;
      const Value value = Value::integer(++values_);
      const std::int64_t mod = store_.content(key).mod;
      row.arguments = {pool().list({pool().list({word("mod"), name, Value::integer(mod)})}),
                       pool().list({pool().list({word("put"), name, value})}), pool().list(std::span<const Value>())};
      if (!executed) return;
      store_.begin();
      store_.change({key, value});
      const Value revision = store_.finish();
      row.result = pool().list({revision, Value::boolean(true), pool().list({Value::nil()})});
    } else {
      row.method = Methods::kDelete;
      row.arguments = {name};
      if (executed) row.result = store_.erase(key, std::nullopt);
    }
  }

  /// A range in the second half shows another value.
  void break_one() {
    for (std::size_t i = rows_.size() / 2; i < rows_.size(); ++i) {
      if (rows_[i].method != Methods::kRange) continue;
      const auto result = pool().elements_of(rows_[i].result);
      const auto entries = pool().elements_of(result[1]);
      if (entries.empty()) continue;
      std::vector<Value> entry(pool().elements_of(entries[0]).begin(), pool().elements_of(entries[0]).end());
      entry[1] = Value::integer(entry[1].integer() + 1);
      std::vector<Value> changed(entries.begin(), entries.end());
      changed[0] = pool().list(entry);
      rows_[i].result = pool().list({result[0], pool().list(changed), result[2]});
      return;
    }
  }

  HistoryBuilder builder_;
  std::size_t requests_, clients_;
  std::uint64_t keys_;
  double failing_;
  std::mt19937_64 random_;
  generate::MvccStore store_;
  std::vector<Row> rows_;
  ProcessId names_ = 0;
  std::int64_t values_ = 0;
  Tick now_ = 0;
};

struct Measured {
  char verdict[16] = "";
  std::size_t core = 0, failed = 0;
};

int measure(const Arguments& arguments) {
  fmt::print("{:<22} {:<14} {:>9} {:>9}  {}\n", "decider", "verdict", "user s", "peak MB", "");
  for (const char* const row : {"history", "monitor", "monitor, broken", "state sets"}) {
    const std::string_view name = row;
    if (!arguments.wants(name)) continue;
    Usage usage;
    const auto measured = in_child<Measured>(usage, [&](Measured& own) {
      const bool sets = name == "state sets";
      const History history = Recording(arguments).history(sets, name == "monitor, broken");
      own.failed = history.pending_count();
      if (name == "history") return;
      CheckOptions options;
      options.threads = 1;
      options.decider = sets ? "wgl" : "mvcc-monitor";
      if (sets) options.specification = specify<StateSets>("state-sets");
      if (sets) options.verify = Verify::never;
      options.limits.time = std::chrono::duration<double>(arguments.number("seconds", 60));
      options.limits.memory = static_cast<std::size_t>(arguments.number("megabytes", 4000)) << 20;
      const auto verdict = check(history, options);
      if (!verdict) {
        std::fprintf(stderr, "%s\n", verdict.error().to_string().c_str());
        std::exit(1);
      }
      const std::string text(linchpin::name(verdict->verdict));
      text.copy(own.verdict, sizeof(own.verdict) - 1);
      if (verdict->verdict == Verdict::violation) own.core = verdict->objects[0].violation->core.size();
    });
    if (!measured) {
      fmt::print("{:<22} failed\n", name);
      continue;
    }
    const std::string note = measured->core > 0     ? fmt::format("core of {}", measured->core)
                             : measured->failed > 0 ? fmt::format("{} of unknown fate", measured->failed)
                                                    : "";
    fmt::print("{:<22} {:<14} {:>9.2f} {:>9.0f}  {}\n", name, measured->verdict, usage.user, usage.megabytes, note);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) {
  linchpin::add_research_deciders();
  return linchpin::bench::measure(linchpin::bench::Arguments(count, values));
}

// See violation.hpp.
#include "generate/violation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generate/stream.hpp"
#include "generate/transactions.hpp"
#include "linchpin/check.hpp"

namespace linchpin::generate {

namespace {

constexpr int kMutations = 60;     // tried before giving up
constexpr int kUndecided = 3;      // of them that the checker cannot decide: then none of the others will be
constexpr std::size_t kNear = 64;  // operations on either side of the place that one change looks at

/// Far above every value, index and count of a generated history (values stay below 2^50).
constexpr std::int64_t kImpossible = std::int64_t{1} << 59;

bool has_known_result(const Row& row) {
  return row.response != kPending && !row.result.is_none() && !row.result.is_unknown();
}

/// Of one method with as many arguments, so that the result of one may be that of the other.
bool alike(const Row& left, const Row& right) { return left.method == right.method && left.count == right.count; }

bool exchange_results(std::vector<Row>& rows, std::size_t begin, std::size_t end, Random& random) {
  const std::size_t first = begin + random.below(end - begin);
  const std::size_t start = begin + random.below(end - begin);
  if (!has_known_result(rows[first]) || is_transaction(rows[first])) return false;
  for (std::size_t k = 0; k < end - begin; ++k) {
    const std::size_t second = begin + (start - begin + k) % (end - begin);
    if (!has_known_result(rows[second]) || !alike(rows[second], rows[first]) ||
        rows[second].object != rows[first].object || rows[second].result == rows[first].result) {
      continue;
    }
    // Operations that overlap could as well have taken effect the other way round.
    if (rows[first].response >= rows[second].call && rows[second].response >= rows[first].call) continue;
    std::swap(rows[first].result, rows[second].result);
    return true;
  }
  return false;
}

/// A read within a transaction sees what another one saw.
bool change_read(Row& row, const Row& other, Random& random, ValuePool& pool) {
  const std::vector<Read> reads = reads_of(row, pool);
  if (reads.empty()) return false;
  const Read& changed = reads[random.below(reads.size())];
  for (const Read& seen : reads_of(other, pool)) {
    if (seen.key != changed.key || seen.value == changed.value) continue;
    see(row, changed.part, seen.value, pool);
    return true;
  }
  return false;
}

bool change_result(std::vector<Row>& rows, std::size_t begin, std::size_t end, Random& random, ValuePool& pool) {
  Row& row = rows[begin + random.below(end - begin)];
  if (!has_known_result(row)) return false;
  if (is_transaction(row)) return change_read(row, rows[begin + random.below(end - begin)], random, pool);
  if (row.result.is_boolean()) {
    row.result = Value::boolean(!row.result.boolean());
    return true;
  }
  const Row& other = rows[begin + random.below(end - begin)];
  const bool empty = random.chance(0.3) || !alike(other, row) || !has_known_result(other);
  const Value result = empty && row.result.is_integer() && row.count == 0 ? Value::nil() : other.result;
  if (result == row.result || result.is_none() || result.is_unknown()) return false;
  row.result = result;
  return true;
}

bool change_added_value(std::vector<Row>& rows, std::size_t begin, std::size_t end, Random& random) {
  Row& row = rows[begin + random.below(end - begin)];
  const Row& other = rows[begin + random.below(end - begin)];
  if (row.count == 0 || row.count != other.count || row.response == kPending || is_transaction(row)) return false;
  if (row.arguments[row.count - 1].is_list() != other.arguments[row.count - 1].is_list()) return false;
  Value& value = row.arguments[row.count - 1];
  if (value == other.arguments[row.count - 1]) return false;
  value = other.arguments[row.count - 1];
  return true;
}

/// Where operations return nothing, such as those of a lock, only what was done can be changed.
bool change_method(std::vector<Row>& rows, std::size_t begin, std::size_t end, Random& random) {
  Row& row = rows[begin + random.below(end - begin)];
  const Row& other = rows[begin + random.below(end - begin)];
  if (row.response == kPending || !row.result.is_none() || !other.result.is_none()) return false;
  if (row.count != other.count || row.method == other.method) return false;
  if (row.count > 0 && row.arguments[0].is_list() != other.arguments[0].is_list()) return false;
  row.method = other.method;
  return true;
}

bool make_impossible(Row& row, ValuePool& pool) {
  if (!has_known_result(row)) return false;
  if (row.result.is_integer() || row.result.is_string()) {
    row.result = row.result.is_integer() ? Value::integer(kImpossible) : pool.string("impossible");
    return true;
  }
  // A transaction's first read of a register may see what it held at the beginning, whatever that was.
  const Value impossible = Value::integer(kImpossible);
  for (const Read& read : reads_of(row, pool)) {
    if (!read.touched && !read.value.is_list()) continue;
    see(row, read.part, read.value.is_list() ? pool.list({impossible}) : impossible, pool);
    return true;
  }
  return false;
}

/// Where the change is to be: `late` within the last fiftieth, but no more than 1000 operations from the end.
std::size_t choose_place(std::uint64_t operations, Where where, Random& random) {
  if (where == Where::anywhere) return random.below(operations);
  const std::uint64_t tail = std::clamp<std::uint64_t>(operations / 50, 1, 1000);
  return operations - 1 - random.below(tail);
}

Verdict verdict_of(const Simulation& simulation, const ValuePool& pool, std::span<const Row> rows) {
  const auto history = to_history(simulation.plan(), simulation.specification(), pool, rows);
  if (!history) return Verdict::linearizable;
  CheckOptions options;
  options.witness = false;
  options.shrink = false;
  // Long histories of types with a monitor need the first part, searches are given up early.
  options.limits.time = std::chrono::duration<double>(2 + 4e-6 * static_cast<double>(rows.size()));
  const auto checked = check(*history, options);
  return checked ? checked->verdict : Verdict::linearizable;  // what no check takes is no violation either
}

std::uint64_t seed_of(const Plan& plan) { return mix(plan.seed, 0x62726f6b656e); }

}  // namespace

std::optional<std::string> change_one(std::vector<Row>& rows, std::size_t place, Random& random, ValuePool& pool) {
  const std::size_t begin = place > kNear ? place - kNear : 0;
  const std::size_t end = std::min(rows.size(), place + kNear + 1);
  for (int tries = 0; tries < 200; ++tries) {
    const double kind = random.unit();
    if (kind < 0.5 && exchange_results(rows, begin, end, random)) return "two results exchanged";
    if (kind >= 0.5 && kind < 0.85 && change_result(rows, begin, end, random, pool)) return "a result changed";
    if (kind >= 0.85 && kind < 0.92 && change_added_value(rows, begin, end, random)) return "an argument changed";
    if (kind >= 0.92 && change_method(rows, begin, end, random)) return "a method changed";
  }
  return std::nullopt;
}

Result<std::string> break_history(std::vector<Row>& rows, const Simulation& simulation, ValuePool& pool, Where where) {
  Random random(seed_of(simulation.plan()));
  int undecided = 0;
  for (int tries = 0; tries < kMutations && undecided < kUndecided && !rows.empty(); ++tries) {
    const std::size_t place = choose_place(rows.size(), where, random);
    const std::size_t begin = place > kNear ? place - kNear : 0;
    const std::size_t end = std::min(rows.size(), place + kNear + 1);
    const std::vector<Row> before(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                  rows.begin() + static_cast<std::ptrdiff_t>(end));
    auto changed = change_one(rows, place, random, pool);
    if (!changed) continue;
    const Verdict verdict = verdict_of(simulation, pool, rows);
    if (verdict == Verdict::violation) return *changed;
    if (verdict == Verdict::unknown) ++undecided;
    std::copy(before.begin(), before.end(), rows.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  const std::size_t place = rows.empty() ? 0 : choose_place(rows.size(), where, random);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (make_impossible(rows[(place + k) % rows.size()], pool)) return std::string("a result made impossible");
  }
  return Error{.code = ErrorCode::unsupported,
               .message = "no single change could be shown to break this history",
               .hint = "try another --seed, fewer operations, or a mix with operations that return values"};
}

std::function<void(Row&)> breaker(const Plan& plan, Where where, ValuePool& pool, bool& done) {
  Random random(seed_of(plan));
  return [place = choose_place(std::max<std::uint64_t>(plan.operations, 1), where, random), seen = std::uint64_t{0},
          &pool, &done](Row& row) mutable {
    if (seen++ >= place && !done) done = make_impossible(row, pool);
  };
}

}  // namespace linchpin::generate

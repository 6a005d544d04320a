#include "app/stress/etcd_report.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Writes requests and answers of one history. What does not fit sets `fits` to false.
class ReportWriter {
 public:
  explicit ReportWriter(const History& history) : history_(history), pool_(history.pool()) {}

  std::string line(OperationIndex i) {
    const bool lost = history_.pending(i);
    Json row;
    row["ClientId"] = history_.process(i);
    row["Input"] = input(i);
    row["Call"] = history_.call(i);
    row["Output"] = lost ? Json{{"Error", "no answer in time"}} : output(i);
    row["Return"] = lost ? 0 : history_.response(i);
    return row.dump() + '\n';
  }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  [[nodiscard]] std::string_view method(OperationIndex i) const { return history_.method_name(history_.method(i)); }
  [[nodiscard]] std::string text(Value value) const {
    return value.is_string() ? std::string(pool_.text_of(value)) : pool_.to_text(value);
  }
  [[nodiscard]] std::int64_t number(Value value) {
    if (value.kind() == Value::Kind::integer || value.kind() == Value::Kind::big_integer)
      return pool_.integer_of(value);
    fits_ = fits_ && value.is_nil();
    return 0;
  }
  [[nodiscard]] std::span<const Value> list(Value value) {
    if (value.is_list()) return pool_.elements_of(value);
    fits_ = false;
    return {};
  }
  static Value at(std::span<const Value> values, std::size_t i) { return i < values.size() ? values[i] : Value::nil(); }

  Json range(std::span<const Value> words) {
    Json range{{"Start", text(at(words, 0))}};
    if (!at(words, 1).is_nil()) range["End"] = text(words[1]);
    if (words.size() < 3) return range;
    const auto options = list(words[2]);
    for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
      range[text(options[i]) == "limit" ? "Limit" : "Revision"] = number(options[i + 1]);
    }
    return range;
  }
  Json put(std::span<const Value> words) {
    Json put{{"Key", text(at(words, 0))}, {"Value", {{"Value", text(at(words, 1))}}}};
    if (!at(words, 2).is_nil()) put["LeaseID"] = number(words[2]);
    return {{"Type", "put-operation"}, {"Put", put}};
  }
  Json erase(std::span<const Value> words) {
    fits_ = fits_ && words.size() == 1;
    return {{"Type", "delete-operation"}, {"Delete", {{"Key", text(at(words, 0))}}}};
  }
  Json acts(Value branch) {
    Json all = Json::array();
    for (const Value each : list(branch)) {
      const auto words = list(each);
      if (words.empty()) continue;
      const std::string verb = text(words[0]);
      if (verb == "put") all.push_back(put(words.subspan(1)));
      if (verb == "delete") all.push_back(erase(words.subspan(1)));
      if (verb == "range") all.push_back({{"Type", "range-operation"}, {"Range", range(words.subspan(1))}});
    }
    return all;
  }
  Json conditions(Value compares) {
    Json all = Json::array();
    for (const Value each : list(compares)) {
      const auto words = list(each);
      fits_ = fits_ && words.size() == 3 && text(words[0]) == "mod";
      if (words.size() == 3) all.push_back({{"Key", text(words[1])}, {"ExpectedRevision", number(words[2])}});
    }
    return all;
  }

  Json input(OperationIndex i) {
    const auto words = history_.arguments(i);
    const std::string_view name = method(i);
    if (name == "range") return {{"Type", "range"}, {"Range", range(words)}};
    if (name == "grant") return {{"Type", "leaseGrant"}, {"LeaseGrant", {{"LeaseID", number(at(words, 0))}}}};
    if (name == "revoke") return {{"Type", "leaseRevoke"}, {"LeaseRevoke", {{"LeaseID", number(at(words, 0))}}}};
    Json txn;
    if (name == "txn") {
      txn["Conditions"] = conditions(at(words, 0));
      txn["OperationsOnSuccess"] = acts(at(words, 1));
      txn["OperationsOnFailure"] = acts(at(words, 2));
    } else {
      fits_ = fits_ && (name == "put" || name == "delete");
      txn["OperationsOnSuccess"] = Json::array({name == "put" ? put(words) : erase(words)});
    }
    return {{"Type", "txn"}, {"Txn", txn}};
  }

  /// [entries count]
  Json shown(Value entries, Value count) {
    Json contents = Json::array();
    for (const Value each : list(entries)) {
      const auto words = list(each);
      contents.push_back({{"Key", text(at(words, 0))},
                          {"Value", {{"Value", text(at(words, 1))}}},
                          {"ModRevision", number(at(words, 2))},
                          {"Version", number(at(words, 3))}});
    }
    return {{"KVs", contents}, {"Count", number(count)}};
  }
  Json output(OperationIndex i) {
    const Value result = history_.result(i);
    const std::string_view name = method(i);
    if (!result.is_list()) {
      if (name == "put") return {{"Txn", {{"Results", Json::array({Json::object()})}}}, {"Revision", number(result)}};
      const char* const field = name == "grant" ? "LeaseGrant" : "LeaseRevoke";
      return {{field, Json::object()}, {"Revision", number(result)}};
    }
    const auto words = list(result);
    const std::int64_t revision = number(at(words, 0));
    if (name == "range") return {{"Range", shown(at(words, 1), at(words, 2))}, {"Revision", revision}};
    Json results = Json::array();
    if (name == "delete") {
      results.push_back({{"Deleted", number(at(words, 1))}});
      return {{"Txn", {{"Results", results}}}, {"Revision", revision}};
    }
    for (const Value each : list(at(words, 2))) {
      const bool ranged = each.is_list();
      results.push_back(ranged ? shown(at(list(each), 0), at(list(each), 1)) : Json{{"Deleted", number(each)}});
    }
    const bool failed = at(words, 1) != Value::boolean(true);
    return {{"Txn", {{"Failure", failed}, {"Results", results}}}, {"Revision", revision}};
  }

  const History& history_;
  const ValuePool& pool_;
  bool fits_ = true;
};

/// How many bytes there are before the zeroes at its end. Throws std::runtime_error.
std::uintmax_t used_bytes(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::string block(std::size_t{1} << 20U, '\0');
  std::uintmax_t used = 0, before = 0;
  while (input.read(block.data(), static_cast<std::streamsize>(block.size())) || input.gcount() > 0) {
    const std::string_view read(block.data(), static_cast<std::size_t>(input.gcount()));
    if (const std::size_t last = read.find_last_not_of('\0'); last != std::string_view::npos) used = before + last + 1;
    before += read.size();
  }
  if (!input.eof()) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
  return used;
}

}  // namespace

Result<void> write_etcd_report(const History& history, const std::string& directory) {
  const fs::path folder = fs::path(directory) / "client-1";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{.code = ErrorCode::io, .source = folder.string(), .message = error.message()};
  ReportWriter writer(history);
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) text += writer.line(i);
  if (!writer.fits()) {
    return Error{.code = ErrorCode::unsupported,
                 .message = "the history has requests that reports of etcd's robustness tests do not know",
                 .hint = "write it with --save"};
  }
  return base::write_file((folder / "operations.json").string(), text);
}

void copy_etcd_log(const std::string& data, const std::string& directory, const std::string& name) {
  const fs::path from = fs::path(data) / "member" / "wal";
  const fs::path to = fs::path(directory) / ("server-" + name) / "member" / "wal";
  fs::remove_all(to);
  fs::create_directories(to);
  bool any = false;
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().extension() != ".wal") continue;
    const fs::path copy = to / entry.path().filename();
    fs::copy_file(entry.path(), copy);
    // A record ends in zeroes up to a multiple of eight bytes.
    const std::uintmax_t used = (used_bytes(copy) + 7) / 8 * 8;
    if (used < fs::file_size(copy)) fs::resize_file(copy, used);
    any = true;
  }
  if (!any) throw std::runtime_error(fmt::format("{} has no log", name));
}

}  // namespace linchpin::app

// Reads what etcd's robustness tests record: client-N/operations.json, a request with its response a line, and
// client-N/watch.json, a watch with all that it saw a line. Files of several clients are one input, each behind a line
// "==> client-1/operations.json <==", as tail(1) prints them.
//
// A request that failed may have been executed, or may still be: it is pending. If a watch saw what it put, and nobody
// else put that value under that key, it was executed, at the revision that the watch tells, before the first watch
// that saw one of its puts was told, and by the branch that has this put. Members' logs tell more (persisted.hpp). Each
// such inference is an annotation of the history.
//
// A lease may expire by itself, which only the logs tell. Without them the reader takes it that none did, as etcd's own
// tests do, and an annotation says so; or, if asked to, each lease may have ended: a revoke of unknown fate.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "formats/etcd_robustness/format.hpp"
#include "formats/etcd_robustness/node.hpp"
#include "formats/etcd_robustness/persisted.hpp"
#include "formats/etcd_robustness/request.hpp"
#include "formats/etcd_robustness/row.hpp"
#include "formats/json/document.hpp"
#include "formats/lines.hpp"
#include "history/caveats.hpp"

namespace linchpin::formats::etcd_robustness {

namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kRowHint =
    R"(a line is: {"ClientId": 1, "Input": {"Type": "range", ...}, "Call": 3, "Output": {...}, "Return": 7})";

/// A lease lives for a second at least, by the clock of the leader that granted it: nearly as much by any other.
constexpr Tick kShortestLife = 900'000'000;

/// The name in "==> name <==", or nothing.
std::optional<std::string_view> file_name(std::string_view line) {
  if (!line.starts_with("==> ") || !line.ends_with(" <==") || line.size() < 9) return std::nullopt;
  return line.substr(4, line.size() - 8);
}

/// What a watch saw of a put.
struct Seen {
  std::int64_t revision = 0;
  Tick time = 0;
  bool several = false;  // at several revisions
};

/// Requests that put the value under the key.
struct Putters {
  std::size_t last = 0;  // one of them
  bool several = false;
};

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options)
      : source_(source), options_(options), lines_(source), parser_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.set_type(options_.type ? *options_.type : TypeName{.name = "mvcc-kv", .options = {}});
    while (lines_.next()) {
      const std::string_view line = trim(lines_.text());
      if (line.empty()) continue;
      if (const auto name = file_name(line)) {
        begin_file(*name);
      } else if (!read_line(line)) {
        return std::move(*error_);
      }
    }
    if (rows_.empty() && !any_watch_) {
      return lines_.error(ErrorCode::truncated, lines_.text().data(), "there is no operation", std::string(kRowHint));
    }
    infer();
    if (!read_logs()) return std::move(*error_);
    if (!leases_told_) end_leases();
    add_rows();
    return std::move(builder_).build();
  }

 private:
  void begin_file(std::string_view name) {
    file_ = std::string(name);
    first_line_ = lines_.number();
  }

  bool fail(json::Fault fault, std::string_view line) {
    if (fault.hint.empty()) fault.hint = kRowHint;
    const json::Text text{.bytes = line, .line = lines_.number() - first_line_};
    error_ = json::error_at(text, file_.empty() ? source_.name : fmt::format("{}/{}", source_.name, file_), fault);
    const auto indent = static_cast<std::uint64_t>(line.data() - lines_.text().data());
    error_->column += static_cast<decltype(error_->column)>(indent);
    return false;
  }

  bool read_line(std::string_view line) {
    dom::element document;
    if (auto fault = parser_.parse(line, document)) return fail(std::move(*fault), line);
    if (auto fault = repeated_key(line, document)) return fail(std::move(*fault), line);
    LineFault fault;
    const Node root(line, document, fault);
    if (!root.is_object()) {
      root.fail(ErrorCode::syntax, "an operation or a watch is a JSON object");
    } else if (!root.at("Input").absent()) {
      read_operation(root, line);
    } else if (!root.at("Responses").absent() || !root.at("Request").absent()) {
      read_watch(root);
    } else {
      root.fail(ErrorCode::missing_field,
                "neither an operation, which has \"Input\", nor a watch, which has \"Request\"");
    }
    return fault.fault ? fail(std::move(*fault.fault), line) : true;
  }

  void read_operation(const Node& root, std::string_view line) {
    for (const char* const name : {"Call", "Output"}) {
      if (root.at(name).absent()) root.fail(ErrorCode::missing_field, fmt::format("\"{}\" is missing", name));
    }
    const Node input = root.at("Input"), output = root.at("Output");
    const bool other_name = root.at("ClientId").absent();
    if (!other_name && !root.at("ClientID").absent()) {
      root.at("ClientID").fail(ErrorCode::syntax, "\"ClientID\" is another name of \"ClientId\", which is there, too");
    }
    Row row{.client = root.at(other_name ? "ClientID" : "ClientId").integer(),
            .request = request_of(input, builder_.pool()),
            .response = {},
            .call = root.at("Call").integer(),
            .returned = root.at("Return").integer()};
    row.response = response_of(row.request, input, output, builder_.pool());
    if (row.client < 0) root.at("ClientId").fail(ErrorCode::bad_number, "a client's number is negative");
    if (row.response.kind == Response::Kind::answered && row.returned < row.call) {
      root.at("Return").fail(ErrorCode::response_before_call,
                             fmt::format("it returns at {}, before its call at {}", row.returned, row.call),
                             "only a request that failed may return at 0");
    }
    for (const auto& branch : row.request.puts) {
      for (const KeyValue& put : branch) {
        const auto [at, first] = putters_.try_emplace(put, Putters{.last = rows_.size()});
        if (first || at->second.last == rows_.size()) continue;  // it may be in both branches of the request
        at->second.several = true;
      }
    }
    row.place = lines_.place(line.data());
    last_ = std::max({last_, row.call, row.response.kind == Response::Kind::answered ? row.returned : row.call});
    rows_.push_back(std::move(row));
  }

  void read_watch(const Node& root) {
    any_watch_ = true;
    for (const Node& response : root.at("Responses").elements()) {
      const Tick time = response.at("Time").integer();
      watched_ = std::max(watched_, response.at("Revision").integer());
      for (const Node& event : response.at("Events").elements()) {
        const std::string_view type = event.at("Type").text();
        const std::int64_t revision = event.at("Revision").integer();
        if (revision < 0) {
          event.at("Revision").fail(ErrorCode::bad_number, "the revision is negative", "0 stands for none");
        }
        watched_ = std::max(watched_, revision);
        if (revision == 0 || (type != "put-operation" && type != "put")) continue;
        const KeyValue put{builder_.pool().string(event.at("Key").text()),
                           value_of(event.at("Value"), builder_.pool())};
        const auto [at, first] = seen_.try_emplace(put, Seen{.revision = revision, .time = time});
        if (first) continue;
        at->second.several = at->second.several || at->second.revision != revision;
        at->second.time = std::min(at->second.time, time);
      }
    }
  }

  /// What watches tell of requests that failed.
  void infer() {
    for (Row& row : rows_) {
      if (row.response.kind != Response::Kind::lost) continue;
      const auto puts = puts_seen(row);
      if (puts.empty()) continue;
      const KeyValue* const first = *std::min_element(
          puts.begin(), puts.end(), [&](const auto* a, const auto* b) { return seen_[*a].time < seen_[*b].time; });
      const Seen& seen = seen_[*first];
      row.response = {.kind = Response::Kind::executed, .result = result_of(row.request, puts, seen.revision)};
      row.watched = true;
      row.returned = seen.time;
      last_ = std::max(last_, row.returned);
      builder_.annotate({.begin = row.call,
                         .end = row.returned,
                         .text = fmt::format("inferred: the request of client {} that put {} under {} failed, and was "
                                             "executed at revision {}, for a watch saw it",
                                             row.client, text(first->value), text(first->key), seen.revision),
                         .process = std::to_string(row.client),
                         .colour = {}});
    }
  }

  /// The puts of a request that watches were told of, behind its call, and that are of no other request.
  std::vector<const KeyValue*> puts_seen(const Row& row) {
    std::vector<const KeyValue*> puts;
    for (const auto& branch : row.request.puts) {
      for (const KeyValue& put : branch) {
        const auto seen = seen_.find(put);
        if (seen == seen_.end() || seen->second.several || putters_[put].several) continue;
        if (seen->second.time >= row.call) puts.push_back(&put);
      }
    }
    return puts;
  }
  /// The revision, and the branch that was taken, where what watches saw of it tells that.
  Value result_of(const Request& request, const std::vector<const KeyValue*>& seen, std::int64_t revision) {
    ValuePool& pool = builder_.pool();
    const Value told = pool.integer(revision);
    if (pool.elements_of(request.arguments[0]).empty()) return told;  // without a condition it is the first one
    const auto is_in = [&](std::size_t branch, const KeyValue* put) {
      return std::find(request.puts[branch].begin(), request.puts[branch].end(), *put) != request.puts[branch].end();
    };
    for (const KeyValue* const put : seen) {
      const bool on_success = is_in(0, put);
      if (seen_[*put].revision == revision && on_success != is_in(1, put)) {
        return pool.list({told, Value::boolean(on_success)});
      }
    }
    return told;
  }

  /// What members' logs tell of requests that failed.
  bool read_logs() {
    std::vector<log::MemberLog> members;
    const auto files = source_.beside;
    for (std::size_t begin = 0; begin < files.size();) {
      const std::string_view member = member_of(files[begin].name);
      std::size_t end = begin;
      while (end < files.size() && member_of(files[end].name) == member) ++end;
      auto read = log::read_member(std::string(member), files.subspan(begin, end - begin));
      if (!read) return refuse_log(std::move(read.error()));
      if (read->torn) note(fmt::format("the log of {} ends in a record that was not written whole", member));
      members.push_back(std::move(*read));
      begin = end;
    }
    if (members.empty()) return true;
    auto joined = log::join(members);
    if (!joined) return refuse_log(std::move(joined.error()));
    Inferred inferred = infer_from_log(*joined, rows_, builder_.pool(), watched_, last_);
    leases_told_ = inferred.leases;
    for (Inference& each : inferred.sentences) {
      if (each.row == Inference::kAll) {
        note(std::move(each.text));
        continue;
      }
      const Row& row = rows_[each.row];
      const bool executed = row.response.kind == Response::Kind::executed && row.returned >= row.call;
      builder_.annotate({.begin = row.call,
                         .end = executed ? std::optional(row.returned) : std::nullopt,
                         .text = std::move(each.text),
                         .process = row.expiry ? std::string() : std::to_string(row.client),
                         .colour = {}});
    }
    return true;
  }

  // --- Leases that may have expired where no log says so ---

  void end_leases() {
    // Leases whose end somebody may see: something is put under them, or they are granted again.
    absl::flat_hash_set<std::uint64_t> used, granted;
    for (const Row& row : rows_) {
      if (row.request.method == "txn") note_leases(row, used);
      if (row.request.method != "grant") continue;
      const std::uint64_t lease = row.request.arguments[0].bits();
      if (!granted.insert(lease).second) used.insert(lease);
    }
    const std::size_t size = rows_.size();
    bool any = false;
    for (std::size_t i = 0; i < size; ++i) {
      const Row& grant = rows_[i];
      if (grant.request.method != "grant" || !used.contains(grant.request.arguments[0].bits())) continue;
      if (grant.call > last_ - kShortestLife) continue;
      any = true;
      if (!options_.leases_expire) continue;
      Row end{.call = grant.call + kShortestLife};
      end.request.method = "revoke";
      end.request.arguments = {grant.request.arguments[0]};
      end.response.kind = Response::Kind::lost;
      end.expiry = true;
      rows_.push_back(std::move(end));
    }
    if (any && !options_.leases_expire) {
      note(
          fmt::format("{}no lease expired by itself, as none does in etcd's own tests; without that, with "
                      "--leases-expire, more may have happened",
                      history::kAssumed));
    }
  }
  void note_leases(const Row& row, absl::flat_hash_set<std::uint64_t>& used) {
    const ValuePool& pool = builder_.pool();
    for (const std::size_t branch : {1, 2}) {
      for (const Value act : pool.elements_of(row.request.arguments[branch])) {
        const auto words = pool.elements_of(act);
        if (pool.text_of(words[0]) == "put" && words.size() > 3) used.insert(words[3].bits());
      }
    }
  }

  static std::string_view member_of(std::string_view file) { return file.substr(0, file.find('/')); }
  bool refuse_log(Error error) {
    error.source = fmt::format("{}/{}", source_.name, error.source);
    error_ = std::move(error);
    return false;
  }
  /// A sentence about the whole report.
  void note(std::string text) {
    builder_.annotate({.begin = rows_.empty() ? 0 : rows_[0].call,
                       .end = std::nullopt,
                       .text = std::move(text),
                       .process = {},
                       .colour = {}});
  }

  std::string text(Value value) { return builder_.pool().to_text(value); }

  void add_rows() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
    absl::flat_hash_map<std::int64_t, std::size_t> last_row;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (!rows_[k].expiry) last_row[rows_[k].client] = k;
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      Row& row = rows_[k];
      const bool lost = row.response.kind == Response::Kind::lost;
      if (row.request.is_nothing || (lost && row.request.reads_only)) continue;
      Tick response = lost ? kPending : row.returned;
      // What was executed, nobody knows when, was so before everything ended.
      if (row.response.kind == Response::Kind::executed && response < row.call) {
        response = last_ < kPending - 1 ? last_ + 1 : last_;
      }
      const bool open = row.response.kind != Response::Kind::answered;
      const bool goes_on = open && last_row[row.client] != k;
      // The client went on, in the name of somebody else.
      const std::string name = row.expiry ? fmt::format("expiry-{}", ++expiries_)
                               : goes_on  ? fmt::format("{}-{}", row.client, ++stand_ins_)
                                          : std::to_string(row.client);
      for (const Value argument : row.request.arguments) builder_.argument(argument);
      builder_.add(builder_.process(name), 0, builder_.method(row.request.method), row.response.result, row.call,
                   response, row.place);
    }
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  json::Parser parser_;
  HistoryBuilder builder_;
  std::string file_;              // empty: the input is one file
  std::uint64_t first_line_ = 0;  // of the file: the one of its name
  bool any_watch_ = false;
  std::vector<Row> rows_;
  absl::flat_hash_map<KeyValue, Putters> putters_;
  absl::flat_hash_map<KeyValue, Seen> seen_;
  std::int64_t watched_ = 0;  // the greatest revision that a watch told
  Tick last_ = 0;
  bool leases_told_ = false;  // logs say whether and when each lease ended
  std::size_t stand_ins_ = 0, expiries_ = 0;
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const std::string_view line = first_line(head);
  if (const auto name = file_name(line)) {
    return name->ends_with("operations.json") || name->ends_with("watch.json") ? 97 : 0;
  }
  if (!line.starts_with('{')) return 0;
  const auto holds = [line](std::string_view word) { return line.find(word) != std::string_view::npos; };
  if (holds("\"Input\"") && holds("\"Call\"") && holds("\"Type\"")) return 97;
  return holds("\"Request\"") && holds("\"Responses\"") ? 97 : 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::etcd_robustness

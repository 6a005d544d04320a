#include "app/shard_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

namespace linchpin::app {

namespace {

using ParsedJson = nlohmann::json;

constexpr const char* kWhatItIs = "merge and --resume read what check, depth, stress or explore wrote with --shard";

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

/// Of explore: a finding is a violation, but for those that say that nothing is known.
Answer explored(const ParsedJson& line) {
  const std::string finding = line.at("finding");
  if (line.contains("error") || finding == "nondeterminism" || finding == "unsupported") return Answer::error;
  if (finding == "undecided") return Answer::unknown;
  if (finding != "none") return Answer::violation;
  return line.at("complete").get<bool>() ? Answer::linearizable : Answer::unknown;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : stream_(path, std::ios::binary), hash_(XXH3_createState()) {
    file_.path = path;
    XXH3_64bits_reset(hash_.get());
  }

  Result<ShardFile> run() {
    if (!stream_) {
      const int why = errno;
      return Error{.code = ErrorCode::io,
                   .source = file_.path,
                   .message = fmt::format("cannot open: {}", std::strerror(why)),
                   .hint = why == ENOENT ? "check the path: a shard is what --resume or '>' wrote" : ""};
    }
    std::string line;
    while (std::getline(stream_, line)) {
      if (stream_.eof()) break;  // without its line feed: it was cut off
      line += '\n';
      ++file_.lines;
      if (auto taken = take(line); !taken) return taken.error();
      file_.whole_bytes += line.size();
    }
    if (stream_.bad()) return fail(ErrorCode::io, "cannot read the file", "");
    if (file_.lines == 0) {
      file_.lines = 1;
      if (!begins_shard(line)) return fail(ErrorCode::syntax, "this is no shard", kWhatItIs);
      return fail(ErrorCode::truncated, "the file ends before the head of a shard", kWhatItIs);
    }
    return std::move(file_);
  }

 private:
  Error fail(ErrorCode code, std::string message, std::string hint, std::uint64_t column = 0) const {
    return Error{.code = code,
                 .source = file_.path,
                 .line = file_.lines,
                 .column = column,
                 .message = std::move(message),
                 .hint = std::move(hint)};
  }

  void hash(std::string_view bytes) { XXH3_64bits_update(hash_.get(), bytes.data(), bytes.size()); }

  /// The line of an answer, which goes into the hash.
  Result<void> check_seal(std::string_view line) {
    const std::size_t text = line.size() - std::min(line.size(), file_.sealed ? kSealLength : 0);
    hash(line.substr(0, text));
    if (file_.sealed && line.substr(text) != seal_text(XXH3_64bits_digest(hash_.get()))) {
      return fail(ErrorCode::checksum, "the answer does not fit its seal: it, or a line before it, was changed",
                  "copy the file again, or run the shard again into another one");
    }
    hash(line.substr(text));
    return {};
  }

  Result<void> take(const std::string& line) {
    if (file_.end) return fail(ErrorCode::syntax, "there is more behind the end of the shard", kWhatItIs);
    try {
      const ParsedJson json = ParsedJson::parse(line);
      if (file_.lines == 1) return head(line, json);
      if (json.contains("end")) return end(json.at("end"));
      const char* const name = json.contains("file") ? "file" : "name";
      file_.answers.push_back({.input = json.at(name),
                               .index = json.value("index", std::uint64_t{0}),
                               .answer = answer_of_line(json),
                               .offset = file_.whole_bytes,
                               .length = line.size()});
      return check_seal(line);
    } catch (const ParsedJson::parse_error& error) {
      return fail(ErrorCode::syntax, "the line is not JSON", kWhatItIs, error.byte);
    } catch (const std::exception&) {
      return fail(ErrorCode::syntax, file_.lines == 1 ? "the line is not the head of a shard" : "the line is no answer",
                  kWhatItIs);
    }
  }

  Result<void> head(const std::string& line, const ParsedJson& json) {
    const ParsedJson& shard = json.at("shard");
    if (shard.at("version").get<int>() != 1) {
      return fail(ErrorCode::unsupported, "a shard of another version", "merge it with the linchpin that wrote it");
    }
    file_.campaign = {.command = shard.at("command"),
                      .version = shard.at("linchpin"),
                      .options = shard.at("options"),
                      .by = shard.at("by"),
                      .shards = shard.at("of"),
                      .inputs = shard.at("inputs"),
                      .fingerprint = shard.at("fingerprint")};
    file_.number = shard.at("number");
    if (file_.number < 1 || file_.number > file_.campaign.shards) throw std::out_of_range("number");
    file_.sealed = shard.value("sealed", false);
    hash(line);
    return {};
  }

  Result<void> end(const ParsedJson& json) {
    file_.end = ShardEnd{.inputs = json.at("inputs"),
                         .answers = json.at("answers"),
                         .checksum = json.at("checksum"),
                         .exit_code = json.at("exit_code")};
    if (file_.end->answers != file_.answers.size() ||
        file_.end->checksum != fmt::format("{:016x}", XXH3_64bits_digest(hash_.get()))) {
      return fail(ErrorCode::checksum, "the end of the shard does not fit what is before it",
                  "the file was changed: copy it again, or run the shard again");
    }
    return {};
  }

  std::ifstream stream_;
  std::unique_ptr<XXH3_state_t, FreeState> hash_;
  ShardFile file_;
};

}  // namespace

Answer answer_of_line(const ParsedJson& line) {
  if (line.contains("finding")) return explored(line);
  if (line.contains("error")) return Answer::error;
  const std::string verdict = line.at("verdict");
  if (verdict != "linearizable" && verdict != "violation" && verdict != "unknown") {
    throw std::invalid_argument(verdict);
  }
  return verdict == "linearizable" ? Answer::linearizable
         : verdict == "violation"  ? Answer::violation
                                   : Answer::unknown;
}

bool begins_shard(std::string_view bytes) {
  constexpr std::string_view kHead = "{\"shard\":";
  return kHead.starts_with(bytes.substr(0, kHead.size())) || bytes.starts_with(kHead);
}

Result<ShardFile> read_shard_file(const std::string& path) { return Reader(path).run(); }

}  // namespace linchpin::app

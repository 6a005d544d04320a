#include "app/shard.hpp"

#include <charconv>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "app/json_text.hpp"

namespace linchpin::app {

namespace {

constexpr std::uint32_t kMostShards = 1'000'000;

}  // namespace

bool Shard::has(std::string_view name) const { return XXH3_64bits(name.data(), name.size()) % of == number - 1; }

std::optional<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, shard.number);
  if (bad_number != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.of);
  if (bad_count != std::errc() || rest != end) return std::nullopt;
  if (shard.number < 1 || shard.of > kMostShards || shard.number > shard.of) return std::nullopt;
  return shard;
}

void add_shard_options(Command command, ShardOptions& options, bool by_history) {
  command
      .add_parsed_option(
          "--shard",
          [&options](const std::string& text) -> std::string {
            options.shard = parse_shard(text);
            return options.shard ? "" : fmt::format("'{}' is not a shard: give 1/8 to 8/8", text);
          },
          "Only the I-th of N parts of the work, with a head and an end for linchpin merge (with --json)")
      .type_name("I/N");
  if (by_history) {
    command.add_choice<ShardBy>(
        "--shard-by", options.by,
        "What goes to shards as a whole: an input, the default, or each history of an input, which every shard reads",
        {{"input", ShardBy::input}, {"history", ShardBy::history}});
  } else {
    options.by = ShardBy::within;
  }
  command
      .add_option("--resume", options.resume,
                  "Write the shard there; where FILE has answers of this shard already, go on after them (with --json)")
      .option_text("FILE");
}

Result<void> check_shard_options(const ShardOptions& options, bool json) {
  if (!options.given() || json) return {};
  return Error{.code = ErrorCode::bad_option, .message = "a shard is written for linchpin merge", .hint = "add --json"};
}

Campaign campaign_of(const std::string& name, const Command& command, const ShardOptions& options) {
  std::vector<std::string> without = {
      "--shard", "--shard-by", "--resume",      "--json", "--quiet",   "--junit",  "--sarif", "--report",
      "--save",  "--jobs",     "--certificate", "FILE",   "--witness", "--figure", "NAME",    "--certificate-new"};
  if (name == "check") without.emplace_back("--threads");  // elsewhere it says what is run
  return {.command = name,
          .version = LINCHPIN_VERSION,
          .options = command.given(without),
          .by = options.by == ShardBy::history ? "history" : "input",
          .shards = options.shard.value_or(Shard{}).of,
          .inputs = 0,
          .fingerprint = {}};
}

Result<void> add_inputs(Campaign& campaign, const std::vector<std::string>& inputs) {
  std::string names;
  std::unordered_set<std::string> once;
  for (const std::string& input : inputs) {
    if (input == "-") {
      return Error{.code = ErrorCode::unsupported,
                   .message = "standard input cannot be shared out",
                   .hint = "give a file, which every shard can open"};
    }
    if (!once.insert(input).second) {
      return Error{.code = ErrorCode::bad_option,
                   .source = input,
                   .message = "the input is named twice",
                   .hint = "name it once: a campaign has one answer for each"};
    }
    std::error_code none;  // what is no file has no size, and an error in its place later
    const auto size = std::filesystem::file_size(input, none);
    names += fmt::format("{}{}{}\n", input, '\0', none ? 0 : size);
  }
  campaign.inputs = inputs.size();
  campaign.fingerprint = fmt::format("{:016x}", XXH3_64bits(names.data(), names.size()));
  return {};
}

std::string head_line(const Campaign& campaign, std::uint32_t number) {
  nlohmann::ordered_json json;
  json["shard"] = {{"version", 1},
                   {"linchpin", campaign.version},
                   {"command", campaign.command},
                   {"number", number},
                   {"of", campaign.shards},
                   {"by", campaign.by},
                   {"options", campaign.options},
                   {"inputs", campaign.inputs},
                   {"fingerprint", campaign.fingerprint},
                   {"sealed", true}};
  return json_line(json);
}

std::string seal_text(std::uint64_t hash) { return fmt::format(",\"seal\":\"{:016x}\"}}\n", hash); }

std::string without_seal(std::string_view line) {
  return std::string(line.substr(0, line.size() - kSealLength)) + "}\n";
}

std::string end_line(const ShardEnd& end) {
  nlohmann::ordered_json json;
  json["end"] = {
      {"inputs", end.inputs}, {"answers", end.answers}, {"checksum", end.checksum}, {"exit_code", end.exit_code}};
  return json_line(json);
}

}  // namespace linchpin::app

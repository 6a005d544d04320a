// One of N shards of a run: which of the work is its own, and what its output begins and ends with, so that
// `linchpin merge` can tell whether a campaign is whole. Nothing is shared between shards but the command line.
//
// The output is JSON Lines: a head that says what the campaign is, the answers as without shards, each with a seal, and
// an end with how many there are and their checksum. docs/fleet.md has it in words, docs/schemas/shard-1.schema.json
// the fields. The end comes hours after the first answer: until then seals tell that nobody has changed what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.hpp"
#include "linchpin/error.hpp"

namespace linchpin::app {

struct Shard {
  std::uint32_t number = 1;  ///< from 1
  std::uint32_t of = 1;

  /// Whether the work of that name is this shard's: by a hash of the name alone, so the same everywhere and always.
  [[nodiscard]] bool has(std::string_view name) const;
};

/// "2/8". Nothing for anything else.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

enum class ShardBy { input, history, within };  ///< within: every shard has a part of every input

/// What the options of a command say.
struct ShardOptions {
  std::optional<Shard> shard;
  ShardBy by = ShardBy::input;
  std::string resume;  ///< a file; empty: standard output

  [[nodiscard]] bool given() const { return shard.has_value() || !resume.empty(); }
};

/// --shard, --resume, and --shard-by where histories can be told apart.
void add_shard_options(Command command, ShardOptions& options, bool by_history);
/// --shard and --resume want --json, and one machine's input.
[[nodiscard]] Result<void> check_shard_options(const ShardOptions& options, bool json);

/// What a campaign is: equal for all of its shards.
struct Campaign {
  std::string command;
  std::string version;               ///< of linchpin
  std::vector<std::string> options;  ///< those given that may change answers
  std::string by;                    ///< what is shared out: "input", "history", "rounds", "scenarios"
  std::uint32_t shards = 1;
  std::uint64_t inputs = 0;
  std::string fingerprint;  ///< of the inputs' names and sizes, 16 hexadecimal digits
  bool operator==(const Campaign&) const = default;
};

/// @param command  its given options are taken, but for those that say where output goes
[[nodiscard]] Campaign campaign_of(const std::string& name, const Command& command, const ShardOptions& options);
/// Counts the inputs and takes their fingerprint: a name, and the size of the file of that name. unsupported: standard
/// input, which no other shard could read. One look at each file.
[[nodiscard]] Result<void> add_inputs(Campaign& campaign, const std::vector<std::string>& inputs);

[[nodiscard]] std::string head_line(const Campaign& campaign, std::uint32_t number);

/// What the line of an answer ends with instead of "}\n".
/// @param hash  XXH3 of the file up to here
[[nodiscard]] std::string seal_text(std::uint64_t hash);
/// Of every one.
inline constexpr std::size_t kSealLength = std::string_view(R"(,"seal":"0123456789abcdef"})").size() + 1;
/// The line as it was before.
/// @pre it ends with a seal
[[nodiscard]] std::string without_seal(std::string_view line);

struct ShardEnd {
  std::uint64_t inputs = 0;   ///< that were this shard's
  std::uint64_t answers = 0;  ///< lines between the head and the end
  std::string checksum;       ///< XXH3 of all lines before, 16 hexadecimal digits
  int exit_code = 0;
};
[[nodiscard]] std::string end_line(const ShardEnd& end);

}  // namespace linchpin::app

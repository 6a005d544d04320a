// Reads what a shard has written (app/shard.hpp), whole or not, for `linchpin merge` and `--resume`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/shard.hpp"
#include "app/tally.hpp"

namespace linchpin::app {

/// One answer, as far as merging has to know it; the rest is read again where it is wanted.
struct ShardAnswer {
  std::string input;        ///< a file, or an implementation's name
  std::uint64_t index = 0;  ///< of the history in it
  Answer answer = Answer::linearizable;
  std::uint64_t offset = 0;  ///< of its line in the file
  std::uint64_t length = 0;  ///< with the seal, if any, and the line feed
};

struct ShardFile {
  std::string path;
  Campaign campaign;
  std::uint32_t number = 1;
  std::vector<ShardAnswer> answers;
  bool sealed = false;            ///< each answer; false: an earlier linchpin wrote it
  std::optional<ShardEnd> end;    ///< nothing: it was interrupted, or cut off
  std::uint64_t whole_bytes = 0;  ///< of lines that are whole: a last one without line feed was cut off
  std::uint64_t lines = 0;
};

/// Whether the first line of a shard can begin so.
[[nodiscard]] bool begins_shard(std::string_view bytes);

/// A cut-off file is no error, it has no end. Errors: io; syntax, with line: not the output of a shard; checksum, with
/// line: a seal, or the end, does not fit what is before it; unsupported: a version to come. Memory is that of the
/// longest line and 100 bytes an answer.
[[nodiscard]] Result<ShardFile> read_shard_file(const std::string& path);

/// What a line that is an answer says. Throws what nlohmann::json throws, or std::invalid_argument, where it is none.
[[nodiscard]] Answer answer_of_line(const nlohmann::json& line);

}  // namespace linchpin::app

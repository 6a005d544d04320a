// What `linchpin split` has made of a history: split.json in the folder of its parts. A folder that has one stands for
// exactly the parts that it lists: one that is missing, or another one, is an error and not a smaller input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linchpin/error.hpp"

namespace linchpin::app {

struct SplitPart {
  std::string file;  ///< in the folder
  std::uint64_t operations = 0, bytes = 0;
  std::string checksum;  ///< that of the binary format's header, which covers the whole file
};

struct SplitManifest {
  std::string original;  ///< the history that was split, as it was named
  std::string by;        ///< "object" or "key"
  std::uint64_t operations = 0;
  bool whole = false;  ///< false: the splitting has not come to its end
  std::vector<SplitPart> parts;
};

/// Where there is none, nothing.
void remove_manifest(const std::string& folder);
/// io.
[[nodiscard]] Result<void> write_manifest(const std::string& folder, const SplitManifest& manifest);
/// Nothing where the folder has none. Errors: syntax; truncated: the splitting was cut off; checksum: parts are
/// missing from its list, or there twice.
[[nodiscard]] Result<std::optional<SplitManifest>> read_manifest(const std::string& folder);
/// Whether a part is the one that the manifest has: by its size and its head, 40 bytes. Errors: io, checksum.
[[nodiscard]] Result<void> verify_part(const std::string& folder, const SplitPart& part);
/// The checksum that the head of a file in the binary format has; empty: it is none. io.
[[nodiscard]] std::string head_checksum(const std::string& path);

}  // namespace linchpin::app

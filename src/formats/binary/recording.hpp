// The layout of a recording in progress, for the recorder's spool and for its reader (docs/formats/binary.md says it in
// words). The file grows block by block and can be read at any moment, up to its last mark.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "formats/binary/layout.hpp"

namespace linchpin::formats::binary {

inline constexpr std::string_view kRecordingMagic = {"LNCHREC\0", 8};
inline constexpr std::uint32_t kRecordingVersion = 1;

struct RecordingHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;  // 0
  std::int64_t beginning;  // ticks of operations count from here
  std::uint64_t checksum;  // XXH3 of the header, with this field 0
};
static_assert(sizeof(RecordingHeader) == 32);

enum class Block : std::uint32_t {
  names = 1,   // what there is now: integers: how many methods; texts: the methods, then name and type of each object
  operations,  // of one log
  mark,        // up to the tick `position`, from the beginning on, everything is in the blocks before
  end,         // the recorder was closed; text: what was lost, or none
};

/// A block is its header and so many words (u64), integers (i64), ends of texts (u64) and bytes of text, padded to 8.
struct BlockHeader {
  Block kind;
  std::uint32_t log;
  std::uint32_t generation;  // of the log's buffer; each has its own words, integers and texts, which blocks continue
  std::uint32_t reserved;    // 0
  std::uint64_t position;    // the words before the block's that stay: an operation in progress is written again
  std::uint64_t words;
  std::uint64_t integers;
  std::uint64_t texts;
  std::uint64_t text_bytes;
  std::uint64_t checksum;  // XXH3 of the header, with this field 0, and the rest
};
static_assert(sizeof(BlockHeader) == 64);

// An operation's words: what it is, call, response, result, arguments. The first has, from its lowest bit on, the
// method (16 bits), the object (16), how many arguments there are (8), and the process (24).
enum RecordedWord : std::uint32_t { kRecordedMeta, kRecordedCall, kRecordedResponse, kRecordedResult, kRecordedHead };
inline constexpr unsigned kRecordedObjectShift = 16, kRecordedCountShift = 32, kRecordedProcessShift = 40;

}  // namespace linchpin::formats::binary

// The binary format's layout, for its reader and its writer (docs/formats/binary.md says it in words).
//
// A history is a header, a table of sections and the sections. Everything is little-endian; sections begin at multiples
// of 8 bytes and are padded with zeros, which their checksums cover.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin::formats::binary {

static_assert(std::endian::native == std::endian::little, "the binary format is read and written as it is in memory");

inline constexpr std::string_view kMagic = {"LNCHPIN\0", 8};
inline constexpr std::uint32_t kVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t section_count;
  std::uint64_t operations;
  std::uint64_t bytes;     // of the whole history, a multiple of 8
  std::uint64_t checksum;  // XXH3 of the header, with this field 0, and the table
};
static_assert(sizeof(Header) == 40);

enum class Section : std::uint32_t {
  process = 1,     // u32 an operation; absent: no operation has one
  object,          // u32 an operation; absent: all are on object 0
  method,          // u16 an operation
  argument_begin,  // u32 an operation, and one more
  argument,        // Value each
  result,          // Value an operation
  call,            // i64 an operation
  response,        // i64 an operation, the greatest one for pending
  place,           // u32 line and u32 column an operation; absent: not recorded
  integers,        // i64 each: what big-integer Values index
  text_ends,       // u64 each: where the string of that index ends in text
  text,            // bytes
  list_ends,       // u64 each: where the list of that index ends in list
  list,            // Value each; a list's elements that are lists have smaller indices
  names,           // records: methods, processes, objects, annotations
  fields,          // i64 an operation, for one field after the other, where all are integers
  field_names,     // records: their names
  field_values,    // Value an operation, for one field after the other, where not all are integers
};
inline constexpr std::uint32_t kLastSection = static_cast<std::uint32_t>(Section::field_values);
inline constexpr std::int64_t kNoInteger = INT64_MIN;  // in `fields`: the operation has none

struct SectionEntry {
  std::uint32_t section;
  std::uint32_t reserved;  // 0
  std::uint64_t offset;    // from the header's first byte
  std::uint64_t size;      // in bytes, without padding
  std::uint64_t checksum;  // XXH3 of the bytes and their padding
};
static_assert(sizeof(SectionEntry) == 32);

[[nodiscard]] constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) & ~std::uint64_t{7}; }

/// Names: numbers of 8 bytes, and strings with their lengths, padded to 8 bytes.
class Records {
 public:
  void number(std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void string(std::string_view text) {
    number(text.size());
    bytes += text;
    bytes.resize(padded(bytes.size()));
  }
  std::string bytes;
};

// Values are written as they are in memory: three bits of tag, and above them what the tag says.
enum Tag : std::uint64_t { kSpecial, kInteger, kBigInteger, kString, kList };
inline constexpr unsigned kTagBits = 3;
inline constexpr std::uint64_t kTagMask = 7;
inline constexpr std::uint64_t kSpecials = 5;  // none, nil, unknown, false, true
static_assert(Value::integer(1).bits() == ((1U << kTagBits) | kInteger));
static_assert(Value::none().bits() == 0 && Value::nil().bits() == 1U << kTagBits);
static_assert(Value::unknown().bits() == 2U << kTagBits && Value::boolean(false).bits() == 3U << kTagBits);
static_assert(Value::boolean(true).bits() == (kSpecials - 1) << kTagBits);

/// The values that sections hold apart from the operations: each is added once, and known by the bits it gets.
class ValueTables {
 public:
  std::uint64_t add_integer(std::int64_t integer) {
    integers.push_back(integer);
    return ((integers.size() - 1) << kTagBits) | kBigInteger;
  }
  std::uint64_t add_string(std::string_view string) {
    text += string;
    text_ends.push_back(text.size());
    return ((text_ends.size() - 1) << kTagBits) | kString;
  }
  std::uint64_t add_list(const std::vector<std::uint64_t>& elements) {
    list.insert(list.end(), elements.begin(), elements.end());
    list_ends.push_back(list.size());
    return ((list_ends.size() - 1) << kTagBits) | kList;
  }

  std::vector<std::int64_t> integers;
  std::vector<std::uint64_t> text_ends;
  std::string text;
  std::vector<std::uint64_t> list_ends;
  std::vector<std::uint64_t> list;
};

}  // namespace linchpin::formats::binary

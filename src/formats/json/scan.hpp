// Places inside JSON texts: what simdjson's document model does not keep.
//
// `first_fault` is a validator that says where and why a text is not JSON; it runs only after simdjson refused the
// text. The other functions walk a text that simdjson accepted, by bracket depth alone, to find where a part of it
// begins. Nothing here recurses. Tests: scan_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"

namespace linchpin::formats::json {

struct Fault {
  std::size_t offset = 0;
  ErrorCode code = ErrorCode::syntax;
  std::string message;
  std::string hint;
};

/// Why `text` is not one JSON value, and where; nothing when it is one.
[[nodiscard]] std::optional<Fault> first_fault(std::string_view text);

/// The offset behind the value that starts at `offset` (or at blanks before it). @pre the text is JSON.
[[nodiscard]] std::size_t skip_value(std::string_view text, std::size_t offset);
/// The offset of the value of `key` in the object at `object`, where it stands there for the n-th time; nothing when it
/// is no object or lacks the key.
[[nodiscard]] std::optional<std::size_t> member_offset(std::string_view text, std::size_t object, std::string_view key,
                                                       std::size_t occurrence = 1);
/// The offsets of the elements of the array at `array`; none when it is no array.
[[nodiscard]] std::vector<std::size_t> element_offsets(std::string_view text, std::size_t array);

}  // namespace linchpin::formats::json

// Hash maps from strings that can be asked with a std::string_view.
//
// Debian's abseil is built with its own string_view, so its heterogeneous lookup does not know std::string_view.
#pragma once

#include <string>
#include <string_view>

#include <absl/container/flat_hash_map.h>

namespace linchpin::base {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct StringEqual {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const { return left == right; }
};

template <class T>
using StringMap = absl::flat_hash_map<std::string, T, StringHash, StringEqual>;
/// The strings live elsewhere.
template <class T>
using StringViewMap = absl::flat_hash_map<std::string_view, T, StringHash, StringEqual>;

}  // namespace linchpin::base

// Remembers the ids of the methods seen last, so that a reader's hot path compares a few bytes instead of hashing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "linchpin/history.hpp"

namespace linchpin::formats {

class MethodCache {
 public:
  MethodIndex find(HistoryBuilder& builder, std::string_view name) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (names_[i] == name) return ids_[i];
    }
    const MethodIndex id = builder.method(name);
    if (used_ < names_.size()) {
      names_[used_] = name;
      ids_[used_++] = id;
    }
    return id;
  }

 private:
  std::array<std::string, 8> names_;
  std::array<MethodIndex, 8> ids_{};
  std::size_t used_ = 0;
};

}  // namespace linchpin::formats

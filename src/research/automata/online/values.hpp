// The values that are in the container or on their way: what the runs of all automata must remember of each.
//
// A value is forgotten when its add and its remove have both returned. The same value may then be added again. It
// counts as another value, since a remove can then only mean the new one. Slots are used again; a serial number tells
// the old value of a slot from the new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "base/string_map.hpp"
#include "linchpin/value.hpp"

namespace linchpin::automata {

using Slot = std::uint32_t;
using Moment = std::uint64_t;  ///< counts events from 1; 0: not yet

/// How an input calls a value: a small integer as it is, anything else as text.
struct ValueName {
  Value integer;     ///< none: see text
  std::string text;  ///< in the native notation
  [[nodiscard]] std::string to_text() const { return integer.is_none() ? text : std::to_string(integer.integer()); }
};

struct OnlineValue {
  ValueName name;
  std::uint64_t serial = 0;
  Value priority;
  Moment add_called = 0, add_returned = 0, remove_called = 0;
  std::uint32_t removes_open = 0, removes_returned = 0;
  bool in = false;  ///< its add has returned, its remove is not called

  [[nodiscard]] bool finished() const { return add_returned != 0 && removes_returned != 0 && removes_open == 0; }
};

class OnlineValues {
 public:
  OnlineValue& operator[](Slot slot) { return values_[slot]; }
  const OnlineValue& operator[](Slot slot) const { return values_[slot]; }

  /// The slot of a value, a new one where it is not there.
  Slot find(const ValueName& name) {
    if (!name.integer.is_none()) {
      const auto [place, is_new] = integers_.try_emplace(name.integer.bits(), kNone);
      if (is_new) place->second = take(name);
      return place->second;
    }
    const auto [place, is_new] = texts_.try_emplace(name.text, kNone);
    if (is_new) place->second = take(name);
    return place->second;
  }

  void forget(Slot slot) {
    OnlineValue& value = values_[slot];
    if (value.name.integer.is_none()) {
      texts_.erase(value.name.text);
    } else {
      integers_.erase(value.name.integer.bits());
    }
    value = OnlineValue{};
    free_.push_back(slot);
  }

  [[nodiscard]] std::size_t size() const { return values_.size() - free_.size(); }
  [[nodiscard]] std::size_t slots() const { return values_.size(); }

 private:
  Slot take(const ValueName& name) {
    if (free_.empty()) {
      free_.push_back(static_cast<Slot>(values_.size()));
      values_.emplace_back();
    }
    const Slot slot = free_.back();
    free_.pop_back();
    values_[slot].name = name;
    values_[slot].serial = ++serial_;
    return slot;
  }

  std::vector<OnlineValue> values_;
  std::vector<Slot> free_;
  absl::flat_hash_map<std::uint64_t, Slot> integers_;
  base::StringMap<Slot> texts_;
  std::uint64_t serial_ = 0;
};

}  // namespace linchpin::automata

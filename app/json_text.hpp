// JSON on one line, and null for what there is not.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace linchpin::app {

/// With a line feed. Bytes that are not UTF-8 (in file names, say) come out as U+FFFD.
inline std::string json_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

template <class T>
nlohmann::ordered_json value_or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace linchpin::app

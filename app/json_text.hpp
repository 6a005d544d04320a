// JSON on one line.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace linchpin::app {

/// With a line feed. Bytes that are not UTF-8 (in file names, say) come out as U+FFFD.
inline std::string json_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace linchpin::app

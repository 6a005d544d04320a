// A format of one's own: the access log of a key-value server, one event a line.
//
//   1200 17 begin set colour red     microseconds, connection, begin or end, method, arguments
//   1350 17 end ok                   the same, with the result; "timeout" if the client gave up
#pragma once

#include <istream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "linchpin/history.hpp"

class AccessLog {
 public:
  /// Any bytes give a history, or an error with its line.
  static linchpin::Result<linchpin::History> read(std::istream& input) {
    AccessLog log;
    log.builder_.set_type({.name = "map", .options = {}});
    std::uint32_t number = 0;
    for (std::string line; std::getline(input, line);) {
      ++number;
      if (line.empty()) continue;
      if (auto error = log.event(line, number)) return *error;
    }
    return std::move(log.builder_).build();
  }

 private:
  std::optional<linchpin::Error> event(const std::string& line, std::uint32_t number) {
    std::istringstream fields(line);
    linchpin::Tick tick = 0;
    std::string connection, kind, word;
    if (!(fields >> tick >> connection >> kind >> word) || tick == linchpin::kPending) {
      return error(linchpin::ErrorCode::missing_field, number,
                   "an event is: microseconds connection begin|end word...");
    }
    const auto open = open_.find(connection);
    if (kind == "begin") {
      if (open != open_.end()) {
        return error(linchpin::ErrorCode::overlapping_operations, number, "the connection has an open request");
      }
      linchpin::HistoryBuilder::Operation request{.process = builder_.process(connection), .method = word};
      request.call = tick;
      request.place = {.line = number, .column = 1};
      for (std::string argument; fields >> argument;) request.arguments.push_back(value(argument));
      open_.emplace(connection, builder_.add(request));
      return std::nullopt;
    }
    if (kind != "end") return error(linchpin::ErrorCode::syntax, number, "neither begin nor end: " + kind);
    if (open == open_.end()) {
      return error(linchpin::ErrorCode::return_without_call, number, "the connection has no open request");
    }
    // A client that gave up knows nothing: its request stays pending, and its connection is never used again.
    if (word == "timeout") return std::nullopt;
    builder_.respond(open->second, tick, word == "ok" ? linchpin::Value::none() : value(word));
    open_.erase(open);
    return std::nullopt;
  }

  linchpin::Value value(const std::string& word) {
    return word == "absent" ? linchpin::Value::nil() : builder_.pool().string(word);
  }

  static linchpin::Error error(linchpin::ErrorCode code, std::uint32_t line, std::string message) {
    return {.code = code, .line = line, .column = 1, .message = std::move(message), .hint = "see access_log.hpp"};
  }

  linchpin::HistoryBuilder builder_;
  std::map<std::string, linchpin::OperationIndex> open_;  // by connection
};

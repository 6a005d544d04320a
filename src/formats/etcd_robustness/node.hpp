// A part of a line of JSON that knows its way from the line's root, so that an error can point at it. As in Go, which
// writes these files, a field that is missing or null is the zero of its kind. Tested in etcd_robustness_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "formats/json/scan.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats::etcd_robustness {

/// The first thing that is wrong with a line; readers go on with zeros, and look at the end of the line.
struct LineFault {
  std::optional<json::Fault> fault;
};

/// A step from a value of a line to a part of it: a key, or where that is null an element.
struct Step {
  std::string_view key;
  std::size_t element = 0;
};

/// Where the way from the line's root ends, or as far as it leads.
[[nodiscard]] std::size_t offset_of(std::string_view line, const std::vector<Step>& way);

class Node {
 public:
  Node(std::string_view line, simdjson::dom::element value, LineFault& fault)
      : line_(line), value_(value), fault_(&fault) {}

  /// The field of that name; absent where there is none, or null.
  [[nodiscard]] Node at(std::string_view key) const {
    Node node = *this;
    node.way_.push_back({key, 0});
    simdjson::dom::element found;
    node.absent_ = absent_ || value_[key].get(found) != simdjson::SUCCESS || found.is_null();
    if (!node.absent_) node.value_ = found;
    return node;
  }
  [[nodiscard]] bool absent() const { return absent_; }

  /// The elements of an array.
  [[nodiscard]] std::vector<Node> elements() const {
    std::vector<Node> nodes;
    simdjson::dom::array array;
    if (absent_) return nodes;
    if (value_.get(array) != simdjson::SUCCESS) {
      fail(ErrorCode::syntax, "a list is expected here");
      return nodes;
    }
    for (const simdjson::dom::element element : array) {
      Node node = *this;
      node.way_.push_back({{}, nodes.size()});
      node.value_ = element;
      nodes.push_back(std::move(node));
    }
    return nodes;
  }
  [[nodiscard]] bool is_object() const { return !absent_ && value_.is_object(); }

  [[nodiscard]] std::int64_t integer() const {
    std::int64_t number = 0;
    if (!absent_ && value_.get(number) != simdjson::SUCCESS) fail(ErrorCode::bad_number, "an integer is expected here");
    return number;
  }
  [[nodiscard]] bool boolean() const {
    bool yes = false;
    if (!absent_ && value_.get(yes) != simdjson::SUCCESS) fail(ErrorCode::syntax, "true or false is expected here");
    return yes;
  }
  [[nodiscard]] std::string_view text() const {
    std::string_view text;
    if (!absent_ && value_.get(text) != simdjson::SUCCESS) fail(ErrorCode::syntax, "a string is expected here");
    return text;
  }

  void fail(ErrorCode code, std::string message, std::string hint = {}) const {
    if (fault_->fault) return;
    fault_->fault = json::Fault{offset_of(line_, way_), code, std::move(message), std::move(hint)};
  }

 private:
  std::string_view line_;
  simdjson::dom::element value_;
  LineFault* fault_;
  bool absent_ = false;
  std::vector<Step> way_;
};

/// A key that stands twice in an object of the line, however deep.
[[nodiscard]] std::optional<json::Fault> repeated_key(std::string_view line, simdjson::dom::element document);

}  // namespace linchpin::formats::etcd_robustness

// A request of etcd's robustness tests and its response, in the words of a store of versions.
// Tested in etcd_robustness_test.cpp.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "formats/etcd_robustness/node.hpp"
#include "linchpin/value.hpp"

namespace linchpin::formats::etcd_robustness {

/// A key and the value that a request may put under it.
struct KeyValue {
  Value key, value;
  bool operator==(const KeyValue&) const = default;
  template <class H>
  friend H AbslHashValue(H hash, const KeyValue& each) {
    return H::combine(std::move(hash), each.key.bits(), each.value.bits());
  }
};

struct Request {
  std::string_view method;  ///< empty: its type is unknown
  std::vector<Value> arguments;
  std::array<std::vector<KeyValue>, 2> puts;  ///< of its branches: on success, on failure
  bool reads_only = false;                    ///< it changes nothing, whatever it meets
  bool is_nothing = false;                    ///< it can have had no effect that anybody could see
};

/// The key or value of a text, which may also be given by its hash: the number.
[[nodiscard]] Value value_of(const Node& value, ValuePool& pool);

[[nodiscard]] Request request_of(const Node& input, ValuePool& pool);

struct Response {
  enum class Kind { answered, lost, executed };
  Kind kind = Kind::answered;  ///< lost: of unknown fate; executed: with the result, if that is known
  Value result = Value::unknown();
};

[[nodiscard]] Response response_of(const Request& request, const Node& input, const Node& output, ValuePool& pool);

}  // namespace linchpin::formats::etcd_robustness

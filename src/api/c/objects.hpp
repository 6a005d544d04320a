// What stands behind the names of linchpin.h, and how exceptions stay on this side of it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "linchpin.h"
#include "linchpin/check.hpp"

namespace linchpin::c {

/// What is a value in the history is a pointer to the caller's model.
class Pointers {
 public:
  /// One value for each pointer.
  Value value_of(const void* pointer, const char* text, ValuePool& pool);
  /// The pointer of a value; null for those of no pointer.
  [[nodiscard]] const void* pointer_of(Value value) const {
    const auto at = pointer_.find(value.bits());
    return at == pointer_.end() ? nullptr : at->second;
  }

 private:
  absl::flat_hash_map<const void*, std::uint64_t> value_;    // bits
  absl::flat_hash_map<std::uint64_t, const void*> pointer_;  // by bits
  absl::flat_hash_map<std::uint64_t, std::size_t> again_;    // by bits of a text: how many others have it
};

/// The caller's operations. A call and a result may be the same number to the caller, and are not the same.
struct Opaque {
  Pointers calls, results;
  absl::flat_hash_map<std::string_view, std::unique_ptr<char[]>> kept;  // bytes that are copied, each seen by its key
};

}  // namespace linchpin::c

// NOLINTBEGIN(readability-identifier-naming): the names are those of the C header.
struct linchpin_error {
  linchpin::Error error;
};

struct linchpin_builder {
  linchpin::HistoryBuilder builder;
  std::optional<linchpin::Error> error;  // the first: kept until `finish`
  std::shared_ptr<linchpin::c::Opaque> opaque = std::make_shared<linchpin::c::Opaque>();
  absl::flat_hash_map<std::uint64_t, std::uint32_t> nesting;  // by bits of a list that holds lists: how deep it is
  absl::flat_hash_map<std::string, std::string> type_given;   // by object
  std::optional<linchpin::OperationIndex> without_object;     // the first operation that names none
  bool names_objects = false;                                 // an operation does

  void note_object(bool named, linchpin::OperationIndex operation) {
    names_objects = names_objects || named;
    if (!named && !without_object) without_object = operation;
  }
};

struct linchpin_history {
  linchpin::History history;
  std::shared_ptr<const linchpin::c::Opaque> opaque;
};

struct linchpin_stop {
  std::stop_source source;
};

struct linchpin_verdict {
  linchpin::HistoryVerdict verdict;
  linchpin::CheckOptions options;  // it was given with them
  std::string reason;
  std::vector<std::string> refused = {};  // by object
};
// NOLINTEND(readability-identifier-naming)

namespace linchpin::c {

inline Error no_memory() { return Error{.code = ErrorCode::too_large, .message = "out of memory"}; }

inline void report(linchpin_error** out, Error error) {
  if (out == nullptr) return;
  *out = new (std::nothrow) linchpin_error{};
  if (*out != nullptr) (*out)->error = std::move(error);
}

/// What `body` returns, or `otherwise` with the error set: memory ran out, or a callback of a model failed.
template <class Body, class Otherwise>
Otherwise guarded(linchpin_error** error, Otherwise otherwise, Body&& body) {
  if (error != nullptr) *error = nullptr;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    report(error, no_memory());
  } catch (const std::length_error&) {
    report(error, no_memory());
  } catch (const std::exception& failure) {
    report(error, Error{.code = ErrorCode::model, .message = failure.what()});
  }
  return otherwise;
}

/// The same for a builder, which keeps its first error.
template <class Body, class Otherwise>
Otherwise kept(linchpin_builder* builder, Otherwise otherwise, Body&& body) {
  try {
    return body();
  } catch (const std::exception&) {
    if (!builder->error) builder->error = no_memory();
    return otherwise;
  }
}

/// Those of the facade; an error where the type does not read as one.
Result<CheckOptions> check_options(const linchpin_options* options);

linchpin_verdict* verdict_of(HistoryVerdict verdict, CheckOptions options);

}  // namespace linchpin::c

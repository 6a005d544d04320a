// The type behind the interface of all types, and what of it is not in the header.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/stream/specification.hpp"

namespace linchpin::types {

namespace {

/// The hash of a stream with one record more: XXH3 of the record's hash, lowest byte first, with the stream's as seed.
std::uint64_t chain(std::uint64_t content, std::uint64_t record) {
  std::array<unsigned char, 8> bytes{};
  for (unsigned char& byte : bytes) {
    byte = static_cast<unsigned char>(record & 0xffU);
    record >>= 8U;
  }
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), content);
}

}  // namespace

Result<std::shared_ptr<const Specification>> Stream::make(const TypeName& type) {
  core::TypeOptions given(type);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("stream", type), Stream());
}

Stream::State Stream::after(const State& state, const Operation& operation) {
  State next = state;
  for (const Value record : operation.pool->elements_of(operation.argument(0))) {
    next.content = chain(next.content, number(record, *operation.pool));
    ++next.tail;
  }
  if (const Value set = new_token(operation); !set.is_nil()) next.token = set;
  return next;
}

std::string Stream::invalid(const Operation& operation) {
  if (std::string why = refuse_none(operation.arguments); !why.empty() || operation.method != kAppend) return why;
  const Value records = operation.argument(0);
  if (!records.is_list()) return "what is appended must be a list of the records' hashes";
  const auto hashes = operation.pool->elements_of(records);
  if (hashes.empty()) return "an append has at least one record";
  if (!std::all_of(hashes.begin(), hashes.end(), is_integer)) return "the hashes of records must be integers";
  const Value expected = match(operation);
  if (!expected.is_nil() && !is_integer(expected)) return "the position to match must be an integer, or nil";
  return {};
}

std::string Stream::describe(const State& state, const ValuePool& pool) {
  return fmt::format("tail {}, hash {}, {}", state.tail, state.content,
                     state.token.is_nil() ? "no token" : fmt::format("token {}", pool.to_text(state.token)));
}

}  // namespace linchpin::types

// What a program promises when it calls the library. A promise that is broken is a mistake of the program, not of its
// data: there is nothing to answer, so one line says what and where, and the program is aborted.
//
//   LINCHPIN_REQUIRE(operation < size(), "the operation was not added to this builder");
#pragma once

namespace linchpin::detail {
/// Says it on standard error, and aborts.
[[noreturn]] void misused(const char* condition, const char* why, const char* file, int line);
}  // namespace linchpin::detail

/// Holds in every build, at the public interface.
#define LINCHPIN_REQUIRE(condition, why) \
  ((condition) ? static_cast<void>(0) : ::linchpin::detail::misused(#condition, (why), __FILE__, __LINE__))

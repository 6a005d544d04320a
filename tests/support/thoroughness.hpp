// How much the tests draw that compare deciders with the oracle.
//
// LINCHPIN_CROSS_COUNT sets the number of random histories of each test, and has some tests go through more of all
// small histories, which takes minutes (`./dev cross COUNT`). Under the sanitizers, and where LINCHPIN_FEW_HISTORIES is
// set (`./dev mutants`), a test draws a tenth of what it usually does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace linchpin::test {

inline std::size_t environment_number(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

/// Whether the tests may take minutes.
inline bool thorough() { return std::getenv("LINCHPIN_CROSS_COUNT") != nullptr; }

/// Whether the tests draw a tenth of what they usually do, and go through small histories of an operation less.
inline bool few() {
#ifdef LINCHPIN_SANITIZED
  return !thorough();
#else
  return !thorough() && std::getenv("LINCHPIN_FEW_HISTORIES") != nullptr;
#endif
}

/// A tenth of `usual`, or all of it.
inline std::size_t few_or(std::size_t usual) { return few() ? std::max<std::size_t>(usual / 10, 1) : usual; }

/// How many random histories a test draws that usually draws `usual`.
inline std::size_t random_histories(std::size_t usual) {
  return environment_number("LINCHPIN_CROSS_COUNT", few_or(usual));
}

}  // namespace linchpin::test

// From a return address to the line that it belongs to, by the program's debug information.
#pragma once

#include <memory>
#include <string>

namespace linchpin::explorer {

struct Symbol {
  std::string where;     ///< "queue.hpp:31"; empty: unknown
  std::string function;  ///< "push"; empty: unknown
  std::string path;      ///< of the file, as it was compiled
  unsigned line = 0;
};

/// What is known of an address is kept as long as the program runs, since looking one up goes through all that was
/// compiled with it: whoever explores again, as tests do, is not to wait for that again.
class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The innermost place at this address that is not in a header of the standard library: what is inlined into a
  /// function is looked through. Empty where there is no debug information, or the library was built without libdw.
  [[nodiscard]] Symbol of(const void* return_address);

 private:
  struct Module;
  std::unique_ptr<Module> module_;  // once an address is looked up
};

}  // namespace linchpin::explorer

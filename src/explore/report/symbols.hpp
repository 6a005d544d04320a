// From a return address to the line that it belongs to, by the program's debug information.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace linchpin::explorer {

struct Symbol {
  std::string where;     ///< "queue.hpp:31"; empty: unknown
  std::string function;  ///< "push"; empty: unknown
  std::string path;      ///< of the file, as it was compiled
  unsigned line = 0;
};

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
  std::unique_ptr<Module> module_;
  std::map<const void*, Symbol> known_;
};

}  // namespace linchpin::explorer

#include "explore/report/symbols.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#if defined(LINCHPIN_HAS_LIBDW)
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>
#endif

namespace linchpin::explorer {

#if defined(LINCHPIN_HAS_LIBDW)

struct Symbols::Module {
  Dwfl_Callbacks callbacks = {};
  Dwfl* session = nullptr;

  Module() {
    callbacks.find_elf = dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    session = dwfl_begin(&callbacks);
    if (session == nullptr) return;
    dwfl_linux_proc_report(session, getpid());
    dwfl_report_end(session, nullptr, nullptr);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() {
    if (session != nullptr) dwfl_end(session);
  }
};

namespace {

/// Of the C++ standard library: every other header may be what is tested.
bool of_standard_library(std::string_view file) { return file.find("/c++/") != std::string_view::npos; }

std::string shortened(std::string_view file, int line) {
  if (const std::size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return fmt::format("{}:{}", file, line);
}

int number_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
  return static_cast<int>(value);
}

/// The file from which an inlined function was called.
const char* calling_file(Dwarf_Die* unit, int number) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || number < 0 || static_cast<std::size_t>(number) >= count)
    return "";
  const char* const file = dwarf_filesrc(files, static_cast<std::size_t>(number), nullptr, nullptr);
  return file == nullptr ? "" : file;
}

const char* name_of(Dwarf_Die* die) {
  const char* const name = dwarf_diename(die);  // of what it is an instance of, where it is one
  return name == nullptr ? "" : name;
}

/// A line of the program, in its compilation unit.
struct Place {
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr address = 0;  // as the unit has it
  Dwarf_Line* line = nullptr;
};

/// The table of addresses comes first. Where it names no unit (clang writes none) or one that does not know the address
/// (functions that several units have, of which the linker keeps one), each unit is asked.
Place place_of(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  const auto within = [&](Dwarf_Die* unit) {
    return Place{.unit = unit, .address = address - bias, .line = dwarf_getsrc_die(unit, address - bias)};
  };
  if (Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias)) {
    if (const Place place = within(unit); place.line != nullptr) return place;
  }
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
    if (dwarf_haspc(unit, address - bias) != 1) continue;
    if (const Place place = within(unit); place.line != nullptr) return place;
  }
  return {};
}

Symbol symbol_of(const char* file, int line, const char* function) {
  return {.where = shortened(file, line), .function = function, .path = file, .line = static_cast<unsigned>(line)};
}

Symbol look_up(Dwfl* session, std::uintptr_t address) {
  Symbol symbol;
  Dwfl_Module* const module = dwfl_addrmodule(session, address);
  if (module == nullptr) return symbol;
  const auto [unit, own_address, found] = place_of(module, address);
  int line = 0;
  if (found == nullptr || dwarf_lineno(found, &line) != 0) return symbol;
  const char* file = dwarf_linesrc(found, nullptr, nullptr);
  // The first answer leaves an inlined function for where it was declared; the second one for where it is called.
  Dwarf_Die* innermost = nullptr;
  if (dwarf_getscopes(unit, own_address, &innermost) <= 0) {
    if (file != nullptr) symbol = symbol_of(file, line, "");
    return symbol;
  }
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost[0], &scopes);
  std::free(innermost);  // NOLINT(cppcoreguidelines-no-malloc): libdw allocates it so
  for (int i = 0; i < count && file != nullptr; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const bool last = tag == DW_TAG_subprogram;
    if (!of_standard_library(file) || last) {
      symbol = symbol_of(file, line, name_of(&scopes[i]));
      if (!of_standard_library(file) || last) break;
    }
    file = calling_file(unit, number_of(&scopes[i], DW_AT_call_file));
    line = number_of(&scopes[i], DW_AT_call_line);
  }
  std::free(scopes);  // NOLINT(cppcoreguidelines-no-malloc): libdw allocates it so
  return symbol;
}

}  // namespace

Symbols::Symbols() = default;

Symbol Symbols::of(const void* return_address) {
  static std::mutex mutex;
  static std::map<const void*, Symbol> known;
  if (return_address == nullptr) return {};
  const std::lock_guard lock(mutex);
  const auto [place, added] = known.try_emplace(return_address);
  if (!added) return place->second;
  if (module_ == nullptr) module_ = std::make_unique<Module>();
  if (module_->session != nullptr) {
    place->second = look_up(module_->session, reinterpret_cast<std::uintptr_t>(return_address) - 1);
  }
  return place->second;
}

#else

struct Symbols::Module {};
Symbols::Symbols() = default;
Symbol Symbols::of(const void* /*return_address*/) { return {}; }

#endif

Symbols::~Symbols() = default;

}  // namespace linchpin::explorer

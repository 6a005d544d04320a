// Every data type: one folder beside this file, one row here.
#include <algorithm>
#include <array>

#include "base/names.hpp"
#include "core/data_type.hpp"
#include "types/register/specification.hpp"

namespace linchpin::core {

namespace {

constexpr std::array kDataTypes{
    DataType{"register", "read-write-register rw-register", "read and write one value", types::Register::options,
             &types::Register::make},
};

}  // namespace

std::span<const DataType> data_types() { return kDataTypes; }

const DataType* find_data_type(std::string_view name) {
  for (const DataType& type : kDataTypes) {
    if (base::same_name(type.name, name) || base::is_listed(type.aliases, name)) return &type;
  }
  return nullptr;
}

}  // namespace linchpin::core

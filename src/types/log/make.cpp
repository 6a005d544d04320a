// The type from its options, behind the interface of all types.
#include <memory>
#include <utility>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types {

Result<std::shared_ptr<const Specification>> Log::make(const TypeName& type) {
  core::TypeOptions given(type);
  Log specification;
  const std::string_view returned = given.choice("append", {"ack", "index", "length"});
  if (returned == "index") specification.returned = Returned::index;
  if (returned == "length") specification.returned = Returned::length;
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("log", type), specification);
}

}  // namespace linchpin::types

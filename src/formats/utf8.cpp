#include "formats/utf8.hpp"

#ifdef LINCHPIN_WITH_JSON
#include <simdjson.h>
#endif

namespace linchpin::formats {

bool is_utf8(std::string_view text) {
#ifdef LINCHPIN_WITH_JSON
  return simdjson::validate_utf8(text.data(), text.size());
#else
  return first_invalid_utf8(text) == text.size();
#endif
}

}  // namespace linchpin::formats

#include "base/xml_text.hpp"

#include "base/foreign_text.hpp"

namespace linchpin::base {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(foreign_lines(text)); }
std::string xml_name(std::string_view text) { return escaped(foreign_text(text)); }

}  // namespace linchpin::base

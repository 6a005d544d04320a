#include "formats/etcd_robustness/node.hpp"

#include "formats/json/document.hpp"

namespace linchpin::formats::etcd_robustness {

namespace {

/// Whether a key stands twice in the value or below; the way leads to the object that has it. simdjson bounds the
/// depth.
bool find_repeated(simdjson::dom::element value, std::vector<Step>& way, std::string_view& repeated) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) {
    if (const auto key = json::repeated_key(object)) {
      repeated = *key;
      return true;
    }
    for (const auto field : object) {
      way.push_back({field.key, 0});
      if (find_repeated(field.value, way, repeated)) return true;
      way.pop_back();
    }
    return false;
  }
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS) return false;
  std::size_t element = 0;
  for (const simdjson::dom::element each : array) {
    way.push_back({{}, element++});
    if (find_repeated(each, way, repeated)) return true;
    way.pop_back();
  }
  return false;
}

}  // namespace

std::size_t offset_of(std::string_view line, const std::vector<Step>& way) {
  std::size_t at = 0;
  for (const Step& step : way) {
    if (step.key.data() == nullptr) {
      const auto offsets = json::element_offsets(line, at);
      if (step.element >= offsets.size()) return at;
      at = offsets[step.element];
    } else {
      const auto found = json::member_offset(line, at, step.key);
      if (!found) return at;
      at = *found;
    }
  }
  return at;
}

std::optional<json::Fault> repeated_key(std::string_view line, simdjson::dom::element document) {
  std::vector<Step> way;
  std::string_view key;
  if (!find_repeated(document, way, key)) return std::nullopt;
  return json::repeated(line, offset_of(line, way), key);
}

}  // namespace linchpin::formats::etcd_robustness

#include "formats/jepsen/fault_log.hpp"

#include <optional>

namespace linchpin::formats::jepsen {

namespace {

std::string text_of(const Event& event) {
  std::string text(event.f);
  if (event.value_text.empty() || event.value_text == "nil") return text;
  text += ' ';
  constexpr std::size_t kMost = 200;
  std::string_view value = event.value_text;
  if (value.size() > kMost) {
    std::size_t cut = kMost;
    while ((static_cast<unsigned char>(value[cut]) & 0xc0U) == 0x80) --cut;  // not inside a character
    value = value.substr(0, cut);
  }
  text += value;
  if (value.size() < event.value_text.size()) text += "...";
  return text;
}

}  // namespace

void FaultLog::add(const Event& event, Tick tick) {
  const auto suffix = [&](std::string_view word) -> std::optional<std::string_view> {
    if (!event.f.starts_with(word)) return std::nullopt;
    const std::string_view rest = event.f.substr(word.size());
    if (!rest.empty() && rest[0] != '-') return std::nullopt;
    return rest;
  };
  const std::string name(event.process_name);
  if (const auto kind = suffix("start")) {
    const auto [fault, fresh] = faults_.try_emplace({name, std::string(*kind)}, annotations_.size());
    if (!fresh && !annotations_[fault->second].end) {
      annotations_[fault->second].text = text_of(event);
      return;
    }
    fault->second = annotations_.size();
    annotations_.push_back({.begin = tick, .text = text_of(event), .process = name});
    return;
  }
  if (const auto kind = suffix("stop")) {
    const auto fault = faults_.find({name, std::string(*kind)});
    if (fault != faults_.end()) {
      annotations_[fault->second].end = tick;
      return;
    }
  }
  annotations_.push_back({.begin = tick, .text = text_of(event), .process = name});
}

}  // namespace linchpin::formats::jepsen

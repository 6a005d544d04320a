#include "linchpin/judgement.hpp"

#include <utility>

#include "linchpin/message.hpp"
#include "linchpin/recorded.hpp"

namespace linchpin {

namespace {

Judgement judge_by(const History& history, CheckOptions options) {
  options.witness = false;
  const auto verdict = check(history, options);
  if (!verdict) return {.linearizable = false, .message = verdict.error().to_string()};
  return {.linearizable = verdict->verdict == Verdict::linearizable, .message = message_of(history, *verdict, options)};
}

}  // namespace

Judgement judge(const History& history, std::string_view type, CheckOptions options) {
  if (!type.empty()) {
    auto name = TypeName::parse(type);
    if (!name) return {.linearizable = false, .message = name.error().to_string()};
    options.type = std::move(*name);
  }
  return judge_by(history, std::move(options));
}

Judgement judge(const History& history, std::shared_ptr<const Specification> specification, CheckOptions options) {
  options.specification = std::move(specification);
  return judge_by(history, std::move(options));
}

Judgement judge(const Recorder& recorder, std::string_view type, CheckOptions options) {
  const auto history = history_of(recorder);
  if (!history) return {.linearizable = false, .message = history.error().to_string()};
  return judge(*history, type, std::move(options));
}

Judgement judge(const StressResult& result) { return {.linearizable = result.ok(), .message = result.to_string()}; }

}  // namespace linchpin

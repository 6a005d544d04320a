#include "api/json/verdict_json.hpp"

#include <optional>
#include <string>

#include "explain/large_core.hpp"
#include "history/caveats.hpp"
#include "linchpin/explain.hpp"
#include "linchpin/json.hpp"

namespace linchpin::api {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string reason_name(Reason reason) { return reason == Reason::none ? std::string() : std::string(name(reason)); }

constexpr std::size_t kMostLinearized = 64;  // operations of a linearizable object whose order is given
constexpr std::size_t kMostOfCore = 10'000;  // operations of a core that are described

/// In the native notation, so that strings and numbers can be told apart.
Json operation_json(const History& history, OperationIndex i) {
  Json json;
  json["number"] = i;
  json["process"] = history.process_name(history.process(i));
  json["call"] = history.call(i);
  json["response"] = history.pending(i) ? Json(nullptr) : Json(history.response(i));
  json["method"] = history.method_name(history.method(i));
  json["arguments"] = Json::array();
  for (const Value value : history.arguments(i)) json["arguments"].push_back(history.pool().to_text(value));
  json["result"] = history.result(i).is_none() ? Json(nullptr) : Json(history.pool().to_text(history.result(i)));
  json["line"] = history.place(i).line;
  for (const Field& field : history.fields()) {
    if (!field.values[i.number()].is_none())
      json["fields"][field.name] = history.pool().to_text(field.values[i.number()]);
  }
  return json;
}

Json order_json(const Linearization& order) {
  Json json;
  json["initial"] = order.initial;
  json["order"] = Json::array();
  json["points"] = Json::array();
  json["states"] = Json::array();
  for (std::size_t k = 0; k < order.steps.size(); ++k) {
    json["order"].push_back(order.steps[k].operation);
    json["points"].push_back(order.steps[k].point);
    if (k < order.states) json["states"].push_back(order.steps[k].state);
  }
  return json;
}

Json explanation_json(const History& history, const ObjectExplanation& explanation) {
  Json json;
  if (explanation.verdict == Verdict::violation) {
    json["blocked"] = value_or_null(explanation.blocked);
    json["core"] = Json::array();
    for (const OperationIndex i : explain::closest(explanation.core, explanation.blocked, kMostOfCore))
      json["core"].push_back(operation_json(history, i));
    json["context"] = Json::array();
    for (const OperationIndex i : explanation.context) json["context"].push_back(operation_json(history, i));
    json["attempts"] = Json::array();
    for (const Attempt& attempt : explanation.attempts) {
      Json entry = order_json(attempt.order);
      entry["state"] = attempt.state;
      entry["results"] = attempt.results;
      entry["then_blocked"] = value_or_null(attempt.then_blocked);
      entry["refusal"] = attempt.refusal;
      json["attempts"].push_back(std::move(entry));
    }
    json["attempts_in_all"] = explanation.attempts_in_all;
    return json;
  }
  const bool small = explanation.linearization && explanation.linearization->steps.size() <= kMostLinearized;
  return small && explanation.verdict == Verdict::linearizable ? order_json(*explanation.linearization) : Json(nullptr);
}

Json object_json(const ObjectVerdict& object) {
  const Violation none;
  const Violation& violation = object.violation ? *object.violation : none;
  Json json;
  json["object"] = object.name;
  json["type"] = object.type;
  json["verdict"] = name(object.verdict);
  json["reason"] = reason_name(object.reason);
  json["decider"] = object.decider;
  json["why"] = object.why;
  json["operations"] = object.operations;
  json["pending"] = object.pending;
  json["core"] = violation.core;
  json["context"] = violation.context;
  json["start"] = nullptr;
  if (violation.start) {
    json["start"] = {
        {"tick", violation.start->tick}, {"state", violation.start->state}, {"type", violation.start->type}};
  }
  json["minimal"] = violation.minimal;
  json["sentence"] = violation.sentence;
  json["blocked"] = value_or_null(violation.blocked);
  json["longest"] = object.violation ? violation.longest.size() : object.longest.size();
  json["reached"] = value_or_null(object.reached);
  json["witness_checked"] = value_or_null(object.witness_checked);
  json["core_checked"] = value_or_null(object.core_checked);
  json["refused_evidence"] = Json::array();
  for (const RefusedEvidence& each : object.refused_evidence) {
    json["refused_evidence"].push_back({{"decider", each.decider}, {"verdict", name(each.claimed)}, {"why", each.why}});
  }
  json["refused_order"] = nullptr;
  if (object.refused_order) {
    json["refused_order"] = {{"sentence", object.refused_order->sentence},
                             {"operations", object.refused_order->operations}};
  }
  json["depth"] = nullptr;
  return json;
}

}  // namespace

void add_verdict(nlohmann::ordered_json& json, const History& history, const HistoryVerdict& verdict,
                 const CheckOptions& options) {
  json["verdict"] = name(verdict.verdict);
  json["reason"] = reason_name(verdict.reason);
  json["operations"] = verdict.operations;
  json["pending"] = verdict.pending;
  json["seconds"] = verdict.seconds;
  json["peak_bytes"] = verdict.peak_bytes;
  for (const std::string_view missing : history::what_is_missing(history)) json["missing"].push_back(missing);
  for (const std::string_view assumed : history::what_is_assumed(history, verdict.verdict)) {
    json["assumed"].push_back(assumed);
  }
  json["objects"] = Json::array();
  const bool worth_it = verdict.verdict == Verdict::violation || verdict.operations <= kMostLinearized;
  const auto explanation = worth_it ? explain_verdict(history, verdict, options) : Result<Explanation>(Explanation{});
  for (std::size_t k = 0; k < verdict.objects.size(); ++k) {
    Json object = object_json(verdict.objects[k]);
    const bool explained = explanation && k < explanation->objects.size();
    object["explanation"] = explained ? explanation_json(history, explanation->objects[k]) : Json(nullptr);
    object["saved"] = nullptr;
    json["objects"].push_back(std::move(object));
  }
}

}  // namespace linchpin::api

namespace linchpin {

Result<std::string> verdict_json(const History& history, const HistoryVerdict& verdict, const CheckOptions& options) {
  nlohmann::ordered_json json;
  json["file"] = history.source();
  json["index"] = 0;
  api::add_verdict(json, history, verdict, options);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace linchpin

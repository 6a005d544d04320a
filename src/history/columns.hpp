// Whole columns of a history, in and out: for the binary format only.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin {

class HistoryColumns {
 public:
  // Out: what History's accessors do not show.
  static std::span<const ProcessId> processes(const History& history) { return history.process_; }
  static std::span<const ObjectIndex> objects(const History& history) { return history.object_; }
  static std::span<const std::uint32_t> argument_begins(const History& history) { return history.argument_begin_; }
  static std::span<const Value> arguments(const History& history) { return history.arguments_; }
  static std::vector<Place> places(const History& history) {
    std::vector<Place> places;
    places.reserve(history.line_.size());
    for (OperationIndex i = 0; i < history.line_.size(); ++i) places.push_back(history.place(i));
    return places;
  }
  static bool has_places(const History& history) { return !history.line_.empty(); }
  static std::span<const std::string> process_names(const History& history) { return history.process_names_; }

  /// In: the columns as History holds them; the history is not valid until their maker has checked them.
  History history;
  std::vector<ProcessId>& processes() { return history.process_; }
  std::vector<ObjectIndex>& object_column() { return history.object_; }
  std::vector<MethodIndex>& methods() { return history.method_; }
  std::vector<std::uint32_t>& argument_begins() { return history.argument_begin_; }
  std::vector<Value>& arguments() { return history.arguments_; }
  std::vector<Value>& results() { return history.result_; }
  std::vector<Tick>& calls() { return history.call_; }
  std::vector<Tick>& responses() { return history.response_; }
  void set_places(std::span<const Place> places) {
    const bool columns = std::any_of(places.begin(), places.end(), [](Place place) { return place.column != 1; });
    history.line_.reserve(places.size());
    if (columns) history.column_.reserve(places.size());
    for (const Place place : places) {
      history.line_.push_back(place.line);
      if (columns) history.column_.push_back(place.column);
    }
  }
  std::vector<std::string>& method_names() { return history.method_names_; }
  std::vector<std::string>& process_names() { return history.process_names_; }
  std::vector<Object>& objects() { return history.objects_; }
  std::vector<Annotation>& annotations() { return history.annotations_; }
  std::vector<Field>& fields() { return history.fields_; }
  ValuePool& pool() { return *history.pool_; }
  void set_source(std::string source) { history.source_ = std::move(source); }
  void set_pending_count(std::size_t count) { history.pending_count_ = count; }
};

}  // namespace linchpin

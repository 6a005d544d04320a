// A container of one's own, decided in polynomial time: a pool of jobs from which urgent ones are taken first.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "linchpin/framework.hpp"

struct JobPool {
  // What it does, as for every type: linchpin/specification.hpp.
  using State = std::vector<std::pair<bool, std::int64_t>>;  // ascending (not urgent, job)
  enum : std::uint16_t { kSubmit, kSubmitUrgent, kTake };
  static constexpr std::array methods{linchpin::Method{"submit", 1}, linchpin::Method{"submit_urgent", 1},
                                      linchpin::Method{"take", 0}};
  static State initial() { return {}; }
  template <class Emit>
  static void step(const State& state, const linchpin::Operation& operation, Emit&& emit) {
    State next = state;
    if (operation.method != kTake) {
      const std::pair job(operation.method == kSubmit, operation.argument(0).integer());
      next.insert(std::upper_bound(next.begin(), next.end(), job), job);
      if (operation.acknowledged(0)) emit(std::move(next));
      return;
    }
    if (state.empty() && operation.returns(linchpin::Value::nil())) emit(state);
    for (std::size_t i = 0; i < state.size() && state[i].first == state[0].first; ++i) {
      if (!operation.returns(linchpin::Value::integer(state[i].second))) continue;
      next = state;
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
      emit(std::move(next));
    }
  }

  // What decides it: linchpin/framework.hpp.
  static linchpin::Act act(const linchpin::Operation& operation, bool /*pending*/) {
    if (operation.method != kTake) return {linchpin::ActKind::add, operation.argument(0)};
    if (operation.result.is_nil()) return {linchpin::ActKind::empty};
    return {linchpin::ActKind::take, operation.result};  // unknown, where it is pending
  }

  /// A job that is not urgent may be dropped if it could be taken at a moment when no urgent one need be inside. As
  /// long as there are such jobs an urgent one may not be: it could be what stands in their way. After that any may.
  static std::optional<std::uint32_t> linearizability_preserving_value(const linchpin::ContainerHistory& history) {
    const auto values = history.values();
    const auto urgent = [&](std::uint32_t value) { return history.added(value).method == kSubmitUrgent; };
    bool all_urgent = true;
    for (const std::uint32_t value : values) {
      if (urgent(value)) continue;
      all_urgent = false;
      const linchpin::Moments take = history.remove(value).moments;
      for (std::uint32_t moment = take.first; moment <= take.last; ++moment) {
        if (std::none_of(values.begin(), values.end(),
                         [&](std::uint32_t other) { return urgent(other) && history.inside(other, moment); })) {
          return value;
        }
      }
    }
    return all_urgent && !values.empty() ? std::optional(values.front()) : std::nullopt;
  }
};

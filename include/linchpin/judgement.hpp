// The question that linchpin/gtest.hpp and linchpin/catch2.hpp ask: is this history linearizable as this type, and if
// not, why?
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>

#include "linchpin/check.hpp"
#include "linchpin/record.hpp"
#include "linchpin/stress/plan.hpp"

namespace linchpin {

struct Judgement {
  bool linearizable = false;  ///< not so where it could not be decided
  std::string message;        ///< the violation, what could not be decided, or what is wrong with the input
};

/// Decides the history as one of the type ("queue capacity=3"; empty: what the history says).
[[nodiscard]] Judgement judge(const History& history, std::string_view type = {}, CheckOptions options = {});
/// The same by a specification of the caller's own.
[[nodiscard]] Judgement judge(const History& history, std::shared_ptr<const Specification> specification,
                              CheckOptions options = {});
/// An error judges as an input that is wrong.
template <std::same_as<Result<History>> Histories, class... Type>
[[nodiscard]] Judgement judge(const Histories& history, const Type&... type) {
  return history ? judge(*history, type...) : Judgement{.linearizable = false, .message = history.error().to_string()};
}
/// What was recorded so far.
[[nodiscard]] Judgement judge(const Recorder& recorder, std::string_view type = {}, CheckOptions options = {});
[[nodiscard]] Judgement judge(const StressResult& result);

}  // namespace linchpin

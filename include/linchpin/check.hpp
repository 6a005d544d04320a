// The facade: read a history, decide it, get the evidence.
//
//   auto histories = linchpin::read_histories("queue.log", {});
//   for (auto& history : *histories) {
//     auto verdict = linchpin::check(*history, {});
//     if (verdict && verdict->verdict == linchpin::Verdict::violation) ...
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/reading.hpp"
#include "linchpin/specification.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

/// How evidence is checked, by code that shares nothing with what found it, before it is given as an answer. Evidence
/// that does not hold is no answer: another decider takes over (ObjectVerdict::refused_evidence).
enum class Verify : std::uint8_t {
  never,
  briefly,     ///< the default: what of witnesses and cores takes a small part of the time, as nearly all do
  thoroughly,  ///< cores for up to 20 million steps, too
};

struct CheckOptions {
  Limits limits;
  Ties ties = Ties::concurrent;
  std::optional<TypeName> type;  ///< instead of what the history says
  /// Instead of `type`: a specification of the caller's own, for every object.
  std::shared_ptr<const Specification> specification;
  /// A field of the history (History::fields) by which the store orders its operations: a linearization in that order
  /// is looked for first, in linear time, whatever the type. Where it is refused, the verdict says so and is decided
  /// as without it.
  std::string order_by;
  std::string decider;  ///< empty: chosen; else the name of the only decider to use
  bool all = false;     ///< decide every object even after a violation
  bool witness = true;  ///< build witnesses
  bool shrink = true;   ///< shrink cores, within the limits
  Verify verify = Verify::briefly;
  unsigned threads = 0;  ///< 0: one a core
  /// Called now and then from the checking thread with (operations done, operations in all).
  std::function<void(std::size_t, std::size_t)> progress;
  /// The same while a core is made smaller, with (operations left, operations at first).
  std::function<void(std::size_t, std::size_t)> shrinking;
};

/// Decides one history. Errors: unknown_type, unknown_method, bad_arguments, bad_option, with the operation's place;
/// missing_field: no operation has the field to order by.
[[nodiscard]] Result<HistoryVerdict> check(const History& history, const CheckOptions& options = {});

/// Reads every history of a file ("-" is standard input). An input that holds several histories, one a line, gives one
/// Result each: a damaged one does not hide the others.
[[nodiscard]] Result<std::vector<Result<History>>> read_histories(const std::string& path, const ReadOptions& options);

/// The history as a text (or bytes) in the format called `format`. Errors: unknown_format; unsupported: the format is
/// read only, or cannot say something that the history does.
[[nodiscard]] Result<std::string> write_history(const History& history, std::string_view format);

/// One data type as the command `linchpin types` lists it.
struct TypeSummary {
  std::string_view name;
  std::string_view aliases;
  std::string_view summary;
  std::string_view options;
};
[[nodiscard]] std::vector<TypeSummary> list_types();
/// The specification of a data type by name or alias.
[[nodiscard]] Result<std::shared_ptr<const Specification>> make_specification(const TypeName& type);

/// One format as the command `linchpin formats` lists it.
struct FormatSummary {
  std::string_view name;
  std::string_view summary;
  bool readable = true;
  bool writable = false;
};
[[nodiscard]] std::vector<FormatSummary> list_formats();

}  // namespace linchpin

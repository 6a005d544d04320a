#include "types/mvcc_kv/request.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/names.hpp"
#include "types/answers.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

std::string_view word(Value value, const ValuePool& pool) {
  return value.is_string() ? pool.text_of(value) : std::string_view();
}

/// Reads [limit 2 revision 5 keys count]. The reason why it cannot.
std::string read_options(Value options, const ValuePool& pool, Act& act) {
  if (options.is_nil()) return {};
  if (!options.is_list()) return "the options of a range are a list: [limit 2 revision 5 keys count]";
  const auto words = pool.elements_of(options);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = word(words[i], pool);
    if (name == "keys" || name == "count") {
      (name == "keys" ? act.keys_only : act.count_only) = true;
      continue;
    }
    if (name != "limit" && name != "revision") return "the options of a range are limit, revision, keys and count";
    if (++i == words.size() || !is_integer(words[i]) || pool.integer_of(words[i]) < 0) {
      return "a limit and a revision are integers that are not negative";
    }
    (name == "limit" ? act.limit : act.revision) = pool.integer_of(words[i]);
  }
  return {};
}

Act range_from(std::span<const Value> fields, const ValuePool& pool) {
  Act act{.verb = Verb::range, .key = fields[0]};
  if (fields.size() > 1) act.end = fields[1];
  if (fields.size() > 2) read_options(fields[2], pool, act);
  return act;
}
Act put_from(std::span<const Value> fields) {
  Act act{.verb = Verb::put, .key = fields[0], .value = fields[1]};
  if (fields.size() > 2 && !no_lease(fields[2])) act.lease = fields[2];
  return act;
}
Act delete_from(std::span<const Value> fields) {
  Act act{.verb = Verb::erase, .key = fields[0]};
  if (fields.size() > 1) act.end = fields[1];
  return act;
}

std::optional<Target> target_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Target>, 5> kTargets{{{"mod", Target::mod},
                                                                                {"version", Target::version},
                                                                                {"create", Target::create},
                                                                                {"lease", Target::lease},
                                                                                {"value", Target::value}}};
  for (const auto& [text, target] : kTargets) {
    if (text == name) return target;
  }
  return std::nullopt;
}

std::optional<Relation> relation_of(std::string_view name) {
  if (name == "=") return Relation::equal;
  if (name == "!=") return Relation::unequal;
  if (name == "<") return Relation::less;
  if (name == ">") return Relation::greater;
  return std::nullopt;
}

}  // namespace

std::optional<Act> parse_act(Value value, const ValuePool& pool) {
  if (!value.is_list()) return std::nullopt;
  const auto parts = pool.elements_of(value);
  if (parts.size() < 2) return std::nullopt;
  const std::string_view verb = word(parts[0], pool);
  const auto fields = parts.subspan(1);
  if (verb == "put") return fields.size() == 2 || fields.size() == 3 ? std::optional(put_from(fields)) : std::nullopt;
  if (verb == "delete") return fields.size() <= 2 ? std::optional(delete_from(fields)) : std::nullopt;
  if (verb != "range" || fields.size() > 3) return std::nullopt;
  if (fields.size() == 3 && !refuse_options(fields[2], pool).empty()) return std::nullopt;
  return range_from(fields, pool);
}

std::optional<Compare> parse_compare(Value value, const ValuePool& pool) {
  if (!value.is_list()) return std::nullopt;
  const auto parts = pool.elements_of(value);
  if (parts.size() != 3 && parts.size() != 4) return std::nullopt;
  const auto target = target_of(word(parts[0], pool));
  const auto relation = parts.size() == 3 ? Relation::equal : relation_of(word(parts[2], pool));
  if (!target || !relation) return std::nullopt;
  Compare compare{.target = *target, .relation = *relation, .key = parts[1], .value = parts.back()};
  if (*target == Target::lease && no_lease(compare.value)) compare.value = Value::nil();
  const bool number = *target == Target::mod || *target == Target::version || *target == Target::create;
  if (number && !is_integer(compare.value)) return std::nullopt;
  return compare;
}

Act range_of(const Operation& operation) { return range_from(operation.arguments, *operation.pool); }
Act put_of(const Operation& operation) { return put_from(operation.arguments); }
Act delete_of(const Operation& operation) { return delete_from(operation.arguments); }

std::string refuse_options(Value options, const ValuePool& pool) {
  Act act;
  return read_options(options, pool, act);
}

Answer answer_of(const Operation& operation) {
  const Value result = operation.result;
  const ValuePool& pool = *operation.pool;
  const auto plain = [](Answer::Kind kind) { return Answer{.kind = kind, .revision = std::nullopt, .rest = {}}; };
  if (result.is_unknown()) return plain(Answer::Kind::unknown);
  if (is_integer(result)) return {.kind = Answer::Kind::told, .revision = pool.integer_of(result), .rest = {}};
  if (says_false(operation)) return plain(Answer::Kind::refused);
  if (result.is_list()) {
    const auto parts = pool.elements_of(result);
    if (parts.empty() || (!parts[0].is_nil() && !is_integer(parts[0]))) return plain(Answer::Kind::impossible);
    Answer answer{.kind = Answer::Kind::told, .revision = std::nullopt, .rest = parts.subspan(1)};
    if (is_integer(parts[0])) answer.revision = pool.integer_of(parts[0]);
    return answer;
  }
  if (base::same_name(word(result, pool), kCompacted)) return plain(Answer::Kind::compacted);
  if (base::same_name(word(result, pool), kFuture)) return plain(Answer::Kind::future);
  return plain(operation.acknowledged() ? Answer::Kind::done : Answer::Kind::impossible);
}

std::optional<bool> succeeded(const Answer& answer) {
  const Value told = answer.at(0);
  return told.is_boolean() ? std::optional(told.boolean()) : std::nullopt;
}

}  // namespace linchpin::types::mvcc_kv

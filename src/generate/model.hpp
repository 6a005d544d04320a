// Sequential models: what a generated operation returns when it takes effect.
//
// A model is the data type on ordinary containers, fast enough for 10^8 operations; specifications, whose states are
// made to be hashed and compared, are not used here, so that histories also test them. One model holds one object.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "generate/draw.hpp"
#include "generate/plan.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::generate {

/// An operation that takes effect: a row of the specification's method table, its arguments and its result.
struct Step {
  std::uint16_t method = 0;
  std::uint8_t count = 0;
  std::array<Value, 3> arguments{};
  Value result;

  void takes(std::initializer_list<Value> values) {
    count = 0;
    for (const Value value : values) arguments[count++] = value;
  }
};

/// What may become of an operation whose client crashes.
enum class Fate : std::uint8_t { either, takes_effect, is_lost };

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  /// Whether the operation may take effect now: a lock that is held must be waited for, and removing from an empty
  /// container is avoided unless empty answers are asked for.
  [[nodiscard]] virtual bool enabled(std::uint16_t /*method*/, ProcessId /*process*/) const { return true; }
  /// Chooses arguments for `step.method`. @pre enabled
  virtual void prepare(Step& step, Draw& draw) = 0;
  /// Runs the prepared operation and sets its result.
  virtual void apply(Step& step, ProcessId process, Draw& draw, ValuePool& pool) = 0;
  [[nodiscard]] virtual Fate fate(std::uint16_t /*method*/) const { return Fate::either; }
};

/// A method that a model knows.
struct Weighted {
  std::uint16_t method = 0;
  double weight = 0;      ///< in the usual mix
  bool observes = false;  ///< never changes the state; --peeks sets their share
};

/// How the histories of one type are generated: a row of models/registry.cpp.
struct Kind {
  std::string_view type;
  std::span<const Weighted> methods;
  bool unique = true;      ///< no value is drawn twice unless asked for
  bool scattered = false;  ///< unique values come in random order
  /// The observer that --peeks brings in when the mix has none; nothing: the model itself sees to the share.
  std::optional<std::uint16_t> reader;
  /// Null: no histories of a type with these options can be generated. The pool outlives the model.
  std::unique_ptr<Model> (*make)(const Specification& specification, const Plan& plan, ValuePool& pool) = nullptr;
};

[[nodiscard]] std::span<const Kind> kinds();
[[nodiscard]] const Kind* find_kind(std::string_view type);

}  // namespace linchpin::generate

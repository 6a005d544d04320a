// The model of stream.
#pragma once

#include <string>

#include "generate/model.hpp"
#include "types/stream/specification.hpp"

namespace linchpin::generate {

/// Appends of one to three records, half of them on condition; of these one in eight comes too late, and fails.
class StreamModel final : public Model {
 public:
  using Type = types::Stream;
  static constexpr std::array<Weighted, 3> methods{
      {{Type::kAppend, 2}, {Type::kRead, 1, true}, {Type::kCheckTail, 1, true}}};
  StreamModel(const Type& /*type*/, const Plan& /*plan*/, ValuePool& pool) : pool_(pool) {}

  void prepare(Step& step, Draw& draw) override {
    if (step.method != Type::kAppend) return;
    std::array<Value, 3> records{};
    const std::size_t count = 1 + draw.random.below(records.size());
    for (std::size_t i = 0; i < count; ++i) records[i] = draw.value();
    const Value hashes = pool_.list(std::span(records).first(count));
    if (draw.random.chance(0.5)) {
      step.takes({hashes});
      return;
    }
    const std::uint64_t late = draw.random.chance(1.0 / 8) && state_.tail > 0 ? 1 : 0;
    step.takes({hashes, pool_.integer(static_cast<std::int64_t>(state_.tail - late))});
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    const Operation operation{.method = step.method,
                              .arguments = std::span(step.arguments).first(step.count),
                              .result = Value::unknown(),
                              .pool = &pool};
    if (step.method == Type::kAppend && !Type::admits(state_, operation)) {
      step.result = Value::boolean(false);
      return;
    }
    if (step.method == Type::kAppend) state_ = Type::after(state_, operation);
    const Value tail = pool.integer(static_cast<std::int64_t>(state_.tail));
    const bool reads = step.method == Type::kRead;
    step.result = reads ? pool.list({tail, pool.integer(static_cast<std::int64_t>(state_.content))}) : tail;
  }

 private:
  ValuePool& pool_;
  Type::State state_;
};

}  // namespace linchpin::generate

// The model of versioned-map.
#pragma once

#include <absl/container/flat_hash_map.h>

#include "generate/model.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::generate {

/// A put names the version that is there, but for one in eight, which names another. One put in sixteen is answered
/// ErrMaybe, as to a client whose first request got no answer.
class VersionedMapModel final : public Model {
 public:
  using Type = types::VersionedMap;
  static constexpr std::array<Weighted, 4> methods{
      {{Type::kGet, 1, true}, {Type::kPut, 1}, {Type::kWrite, 0}, {Type::kVersion, 0, true}}};
  VersionedMapModel(const Type& type, const Plan& /*plan*/, ValuePool& pool)
      : type_(type),
        maybe_(pool.string("ErrMaybe")),
        other_version_(pool.string("ErrVersion")),
        no_key_(pool.string("ErrNoKey")),
        ok_(pool.string("OK")) {}

  void prepare(Step& step, Draw& draw) override {
    const Value key = draw.key();
    if (step.method == Type::kPut) {
      std::uint64_t writes = contents_[key.bits()].writes;
      if (draw.random.chance(1.0 / 8)) writes = draw.random.chance(0.5) && writes > 0 ? writes - 1 : writes + 1;
      step.takes({key, draw.value(), Value::integer(type_.version_after(writes))});
    } else if (step.method == Type::kWrite) {
      step.takes({key, draw.value()});
    } else {
      step.takes({key});
    }
  }
  void apply(Step& step, ProcessId, Draw& draw, ValuePool& pool) override {
    Type::Content& content = contents_[step.arguments[0].bits()];
    const Value version = Value::integer(type_.version_after(content.writes));
    if (step.method == Type::kGet) {
      step.result = content.writes == 0 ? Value::nil() : pool.list({content.value, version});
      return;
    }
    if (step.method == Type::kVersion) {
      step.result = version;
      return;
    }
    const bool vague = step.method == Type::kPut && draw.random.chance(1.0 / 16);
    if (step.method == Type::kPut && step.arguments[2] != version) {
      step.result = vague ? maybe_ : content.writes == 0 ? no_key_ : other_version_;
      return;
    }
    if (vague) step.result = maybe_;
    if (vague && !type_.maybe_executed && draw.random.chance(0.5)) return;
    ++content.writes;
    content.value = step.arguments[1];
    if (vague) return;
    step.result = type_.returns_versions ? Value::integer(type_.version_after(content.writes)) : ok_;
  }

 private:
  Type type_;
  Value maybe_, other_version_, no_key_, ok_;
  absl::flat_hash_map<std::uint64_t, Type::Content> contents_;  // by the key's bits
};

}  // namespace linchpin::generate

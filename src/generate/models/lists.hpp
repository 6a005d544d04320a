// The model of list-append.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "generate/model.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::generate {

/// Transactions of one to four reads and appends. The share of --peeks, where it is given, only reads; else a part
/// reads as often as it appends. A key that was appended to kLongest times is given up for a new one, as Jepsen does:
/// every read tells the whole list.
class ListAppendModel final : public Model {
 public:
  using Type = types::ListAppend;
  static constexpr std::array<Weighted, 1> methods{{{Type::kTxn, 1}}};
  ListAppendModel(const Type&, const Plan& plan, ValuePool& pool)
      : keys_(static_cast<std::int64_t>(plan.keys)),
        looking_(plan.peeks),
        parts_(plan.parts),
        pool_(pool),
        read_(pool.string("r")),
        append_(pool.string("append")) {}

  void prepare(Step& step, Draw& draw) override {
    const bool looks = looking_ && draw.random.chance(*looking_);
    std::array<Value, kMostParts> parts{};
    const std::size_t count = parts_ ? *parts_ : 1 + draw.random.below(kUsually);
    for (std::size_t i = 0; i < count; ++i) {
      // One that does not only look appends at least once.
      const bool reads = looks || (!(looking_ && i == 0) && draw.random.chance(0.5));
      const std::int64_t slot = draw.key().integer();
      std::int64_t& appended = appended_[slot];
      const Value key = Value::integer(slot + keys_ * (appended / kLongest));
      if (!reads) ++appended;
      parts[i] = reads ? pool_.list({read_, key, Value::nil()}) : pool_.list({append_, key, draw.value()});
    }
    step.takes({pool_.list(std::span(parts).first(count))});
  }

  void apply(Step& step, ProcessId, Draw&, ValuePool& pool) override {
    std::array<Value, kMostParts> parts{};
    std::size_t count = 0;
    for (const Value asked : pool.elements_of(step.arguments[0])) {
      const std::array part{pool.elements_of(asked)[0], pool.elements_of(asked)[1], pool.elements_of(asked)[2]};
      std::vector<Value>& list = lists_[part[1].bits()];
      if (part[0] == append_) list.push_back(part[2]);
      parts[count++] = part[0] == append_ ? asked : pool.list({read_, part[1], pool.list(list)});
    }
    step.result = pool.list(std::span(parts).first(count));
  }

 private:
  static constexpr std::size_t kUsually = 4;  // parts at most
  static constexpr std::int64_t kLongest = 32;

  std::int64_t keys_;
  std::optional<double> looking_;
  std::optional<std::uint64_t> parts_;
  ValuePool& pool_;
  Value read_;
  Value append_;
  absl::flat_hash_map<std::int64_t, std::int64_t> appended_;      // prepared appends, by slot
  absl::flat_hash_map<std::uint64_t, std::vector<Value>> lists_;  // by the key's bits
};

}  // namespace linchpin::generate

// A recording as a history.
#include "linchpin/recorded.hpp"

#include "history/caveats.hpp"
#include "record/state.hpp"

namespace linchpin {

namespace {

Value value_of(std::uint64_t bits, const record::Extras& extras, ValuePool& pool) {
  const std::uint64_t index = bits >> record::kTagBits;
  switch (bits & record::kTagMask) {
    case record::kBigInteger: return pool.integer(extras.integers[index]);
    case record::kString: return pool.string(extras.text_at(index));
    default: return Value::from_bits(bits);
  }
}

}  // namespace

Result<History> history_of(const Recorder& recorder, Loss loss) {
  const record::State& state = record::State::of(recorder);
  const auto lost = state.loss();
  if (lost && loss == Loss::refused) return *lost;
  HistoryBuilder builder;
  std::vector<MethodIndex> methods;
  for (const std::string& name : state.methods) methods.push_back(builder.method(name));
  std::vector<ObjectIndex> objects;
  for (const Object& object : state.objects) {
    auto type = TypeName::parse(object.type.to_string());
    if (!type) return type.error();
    objects.push_back(builder.object(object.name));
    builder.set_type(objects.back(), *type);
  }
  const Tick cut = state.cut();
  if (lost) builder.annotate({.begin = cut, .text = std::string(history::kMissing) + lost->message});
  record::Merge merge(state, cut);
  for (record::Entry entry; merge.next(entry);) {
    for (const std::uint64_t bits : entry.arguments) builder.argument(value_of(bits, *entry.extras, builder.pool()));
    builder.add(entry.process, objects[entry.object], methods[entry.method],
                value_of(entry.result.bits(), *entry.extras, builder.pool()), entry.call, entry.response);
  }
  if (merge.failure()) return *merge.failure();
  return std::move(builder).build();
}

}  // namespace linchpin

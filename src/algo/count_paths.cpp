#include "algo/count_paths.hpp"

namespace linchpin::algo {

namespace {

/// More operations are open than there are slots.
class TooWide final : public CountPaths {
 public:
  TooWide() { status_ = Status::too_wide; }
  void advance() override {}
  [[nodiscard]] std::uint64_t steps() const override { return 0; }
  [[nodiscard]] bool may_grow(core::Budget&) const override { return true; }
  [[nodiscard]] std::vector<Done> order() const override { return {}; }
};

template <class Mask>
class PathsWithSlots final : public CountPaths {
 public:
  PathsWithSlots(const CountPathInput& input, bool witness)
      : input_(input),
        frontier_(input.operations.size(), {}, witness,
                  std::shared_ptr<const CountPathInput>(std::shared_ptr<void>(), &input)) {}

  void advance() override {
    if (at_ == input_.ends.size()) {
      status_ = Status::found;
      return;
    }
    const CountPathInput::End& end = input_.ends[at_];
    const std::uint32_t op = end.event.operation();
    frontier_.set_moment(end.moment);
    if (!frontier_.domain().skipped(op)) {
      if (end.event.is_response()) {
        frontier_.respond(op);
        while (frontier_.busy()) frontier_.step();
        frontier_.collect_links([](auto&&) {});
      } else {
        frontier_.call(op);
      }
    }
    if (frontier_.refuted()) {
      status_ = Status::nowhere;
    } else {
      ++at_;
    }
  }
  [[nodiscard]] std::uint64_t steps() const override { return frontier_.steps(); }
  [[nodiscard]] bool may_grow(core::Budget& budget) const override { return frontier_.may_grow(budget); }
  [[nodiscard]] std::vector<Done> order() const override {
    return frontier_.window().chains().from_start(frontier_.current().front().tail);
  }

 private:
  const CountPathInput& input_;
  Frontier<Counts<Mask>> frontier_;
};

}  // namespace

std::uint32_t most_open(const CountPathInput& input) {
  std::vector<history::Event> events;
  events.reserve(input.ends.size());
  for (const CountPathInput::End& end : input.ends) events.push_back(end.event);
  return history::most_open(events, [&](std::uint32_t op) { return input.operations[op].step != CountStep::none; });
}

std::unique_ptr<CountPaths> CountPaths::begin(const CountPathInput& input, bool witness) {
  const std::uint32_t open = most_open(input);
  if (open > kMostOpen) return std::make_unique<TooWide>();
  return with_slots(open, [&]<class Mask>() -> std::unique_ptr<CountPaths> {
    return std::make_unique<PathsWithSlots<Mask>>(input, witness);
  });
}

}  // namespace linchpin::algo

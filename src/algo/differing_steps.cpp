#include "algo/differing_steps.hpp"

#include <algorithm>
#include <utility>

#include "algo/radix_sort.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

namespace {

template <class TimeOf>
void sort_by_time(std::vector<ValueNumber>& values, TimeOf&& time_of) {
  std::vector<std::uint64_t> words, buffer;
  words.reserve(values.size());
  for (const ValueNumber value : values) words.push_back(std::uint64_t{time_of(value)} << 32 | value.number());
  radix_sort(words, 32, 64, buffer);
  std::transform(words.begin(), words.end(), values.begin(),
                 [](std::uint64_t word) { return ValueNumber(static_cast<std::uint32_t>(word)); });
}

class DifferingSteps {
 public:
  DifferingSteps(const ByValue<WrittenValue>& values, std::span<const ChainInterval> chains, ChainTime dropped)
      : values_(values), chains_(chains), dropped_(dropped) {
    for (ValueNumber value = 0; value < values.size(); ++value) {
      if (values[value].chain == kNone) continue;
      first_defined_ = std::min(first_defined_, values[value].before);
      if (values[value].before <= kInitial) continue;
      by_after_.push_back(value);
      by_before_.push_back(value);
    }
    sort_by_time(by_after_, [&](ValueNumber value) { return values_[value].after; });
    sort_by_time(by_before_, [&](ValueNumber value) { return values_[value].before; });
    // `before` does not fall along a chain: its values come in the order of their stages.
    for (std::size_t begin = 0; begin < by_before_.size();) {
      std::size_t end = begin + 1;
      const ChainTime time = values_[by_before_[begin]].before;
      while (end < by_before_.size() && values_[by_before_[end]].before == time) ++end;
      std::sort(by_before_.begin() + static_cast<std::ptrdiff_t>(begin),
                by_before_.begin() + static_cast<std::ptrdiff_t>(end),
                [&](ValueNumber a, ValueNumber b) { return values_[a].stage < values_[b].stage; });
      begin = end;
    }
    overwritten_.assign(by_after_.size() + 1, kNever);
    for (std::size_t k = by_after_.size(); k-- > 0;) {
      overwritten_[k] = std::min(overwritten_[k + 1], values_[by_after_[k]].before);
    }
  }

  DifferingAnswer decide(std::span<const DifferingStep> steps) {
    std::vector<Quiet> quiet;
    bool any_open = false;
    for (const DifferingStep& step : steps) {
      if (settled(step)) continue;
      const std::size_t written = written_before(step.call);
      if (written == called_before(step.response)) {
        quiet.push_back({written, &step});
      } else {
        any_open = true;
        answer_.open = step.operation;
      }
    }
    std::stable_sort(quiet.begin(), quiet.end(), [](const Quiet& a, const Quiet& b) { return a.written < b.written; });
    answer_.layer.assign(chains_.size(), 0);
    last_.assign(chains_.size(), ValueNumber::none());
    if (!values_.empty() && values_[0].chain != kNone) start(0);
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < quiet.size(); ++number) {
      std::size_t end = begin;
      while (end < quiet.size() && quiet[end].written == quiet[begin].written) ++end;
      if (!group(std::span(quiet).subspan(begin, end - begin), number)) return std::move(answer_);
      begin = end;
    }
    for (; done_ < by_before_.size(); ++done_) answer_.layer[values_[by_before_[done_]].chain] = 2 * number;
    if (any_open) answer_.kind = DifferingAnswer::Kind::open;
    return std::move(answer_);
  }

 private:
  static constexpr ChainTime kInitial = 1;

  struct Quiet {
    std::size_t written = 0;  // how many writes came before
    const DifferingStep* step = nullptr;
  };

  [[nodiscard]] std::size_t written_before(ChainTime time) const {
    return static_cast<std::size_t>(
        std::partition_point(by_before_.begin(), by_before_.end(),
                             [&](ValueNumber value) { return values_[value].before < time; }) -
        by_before_.begin());
  }
  [[nodiscard]] std::size_t called_before(ChainTime time) const {
    return static_cast<std::size_t>(
        std::partition_point(by_after_.begin(), by_after_.end(),
                             [&](ValueNumber value) { return values_[value].after < time; }) -
        by_after_.begin());
  }

  /// Whether the step fits whatever the order of the chains.
  [[nodiscard]] bool settled(const DifferingStep& step) const {
    if (step.value == ValueNumber::none() || values_[step.value].chain == kNone) return first_defined_ < step.response;
    const WrittenValue& value = values_[step.value];
    if (step.call < value.after && first_defined_ < step.call) return true;
    if (value.next != ValueNumber::none() && values_[value.next].before < step.response) return true;
    // The first return that tells of a write after this one.
    const auto later = std::partition_point(by_after_.begin(), by_after_.end(),
                                            [&](ValueNumber other) { return values_[other].after <= value.before; });
    return overwritten_[static_cast<std::size_t>(later - by_after_.begin())] < step.response;
  }

  /// The value is written: it is its chain's last one so far.
  void start(ValueNumber value) {
    const std::uint32_t chain = values_[value].chain;
    last_[chain] = value;
    if (longest_ == kNone || chains_[chain].greatest_call > chains_[longest_].greatest_call) longest_ = chain;
  }

  /// One group: all its steps see one value. False: none will do, or that is not certain.
  bool group(std::span<const Quiet> steps, std::uint32_t number) {
    std::vector<std::uint32_t> layer;
    for (; done_ < steps[0].written; ++done_) {
      const ValueNumber value = by_before_[done_];
      start(value);
      layer.push_back(values_[value].chain);
      answer_.layer[layer.back()] = 2 * number;
    }
    if (longest_ == kNone) return refuse(DifferingAnswer::Kind::undefined, {{ValueNumber::none(), steps[0].step}});
    const ChainTime since = done_ == 0 ? kInitial : values_[by_before_[done_ - 1]].before;
    const auto excluding = [&](ValueNumber value) {
      const auto found =
          std::find_if(steps.begin(), steps.end(), [&](const Quiet& quiet) { return quiet.step->value == value; });
      return found == steps.end() ? nullptr : found->step;
    };
    if (chains_[longest_].greatest_call > since) {
      const DifferingStep* const step = excluding(last_[longest_]);
      if (step == nullptr) return true;
      answer_.chain = longest_;
      return refuse(DifferingAnswer::Kind::forced, {{last_[longest_], step}});
    }
    if (layer.empty()) layer.push_back(longest_);  // the initial value alone
    std::sort(layer.begin(), layer.end());
    layer.erase(std::unique(layer.begin(), layer.end()), layer.end());
    // The greatest and the second greatest call: what each chain's others have.
    ChainTime first = 0, second = 0;
    for (const std::uint32_t chain : layer) {
      const ChainTime call = chains_[chain].greatest_call;
      second = std::max(second, std::min(first, call));
      first = std::max(first, call);
    }
    std::vector<Exclusion> exclusions;
    for (const std::uint32_t chain : layer) {
      const ChainInterval& interval = chains_[chain];
      const ChainTime others = interval.greatest_call == first ? second : first;
      if (interval.least_response < others) continue;  // something of the layer must follow it
      const DifferingStep* const step = excluding(last_[chain]);
      if (step == nullptr) {
        ++answer_.layer[chain];
        return true;
      }
      exclusions.push_back({last_[chain], step});
    }
    return refuse(DifferingAnswer::Kind::excluded, exclusions);
  }

  struct Exclusion {
    ValueNumber value;
    const DifferingStep* step;
  };

  /// A violation, unless a pending write that was left out could explain it.
  bool refuse(DifferingAnswer::Kind kind, const std::vector<Exclusion>& exclusions) {
    answer_.kind = kind;
    for (const auto& [value, step] : exclusions) {
      // Between the operations of one chain nothing else is written.
      const bool inside =
          kind == DifferingAnswer::Kind::forced && chains_[answer_.chain].greatest_call > step->response;
      if (dropped_ < step->response && !inside) {
        answer_.kind = DifferingAnswer::Kind::open;
        answer_.open = step->operation;
      }
      answer_.steps.push_back(step->operation);
      answer_.values.push_back(value);
    }
    return false;
  }

  const ByValue<WrittenValue>& values_;
  std::span<const ChainInterval> chains_;
  ChainTime dropped_;
  ChainTime first_defined_ = kNever;
  std::vector<ValueNumber> by_after_, by_before_;  // values that are written, without the initial one
  std::vector<ChainTime> overwritten_;             // beside by_after_: least `before` from there on
  std::vector<ValueNumber> last_;                  // by chain: its last value so far
  std::uint32_t longest_ = kNone;                  // of the chains that have begun the one with the greatest call
  std::size_t done_ = 0;                           // values of by_before_
  DifferingAnswer answer_;
};

}  // namespace

DifferingAnswer settle_differing(const ByValue<WrittenValue>& values, std::span<const ChainInterval> chains,
                                 std::span<const DifferingStep> steps, ChainTime dropped) {
  return DifferingSteps(values, chains, dropped).decide(steps);
}

}  // namespace linchpin::algo

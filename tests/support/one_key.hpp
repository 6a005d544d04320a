// Random histories of one key of a map whose values are texts: put, append, get, and what else is asked for.
//
// They are simulated in the order of random moments, and then damaged. Texts are written once, of a code: none begins
// another one, or none ends another one. Ticks collide, so that events are concurrent that would not be otherwise.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/sketch.hpp"

namespace linchpin::test {

struct KeyShape {
  std::size_t most = 9;            ///< operations
  bool appends = true;             ///< else whole values
  bool removes = false;            ///< remove, and compare-and-sets to and from nothing
  bool comparisons = false;        ///< cas, put_if_absent
  bool failures = false;           ///< of these, too, and contains
  bool lost = false;               ///< results
  std::size_t clients_ending = 0;  ///< of 100 operations, so many are pending
};

class KeyHistories {
 public:
  KeyHistories(std::shared_ptr<const Specification> specification, bool empty_is_absent, std::uint64_t seed)
      : specification_(std::move(specification)), empty_is_absent_(empty_is_absent), random_(seed) {}

  Built next(const KeyShape& shape) {
    shape_ = shape;
    HistoryBuilder builder;
    pool_ = &builder.pool();
    draw_times();
    content_.clear();
    seen_ = {""};
    fresh_ = 0;
    from_right_ = below(random_, 4) == 0;
    damage_ = below(random_, 3) == 0 ? 0 : 5 + below(random_, 60);
    gets_ = 25 + below(random_, 40);
    puts_ = 10 + below(random_, 60);
    for (Timed& timed : times_) take_effect(timed);
    ProcessId process = 0;
    for (const Timed& timed : times_) {
      builder.add({.process = process++,
                   .method = specification_->methods()[timed.method].name,
                   .arguments = timed.arguments,
                   .result = timed.result,
                   .call = timed.call,
                   .response = timed.response});
    }
    auto history = std::move(builder).build();
    Built built{specification_, std::make_unique<History>(std::move(*history)), {}};
    const std::array specifications{specification_};
    built.part = std::move((*history::split_by_object(*built.history, specifications, Ties::concurrent))[0]);
    return built;
  }

 private:
  enum : std::uint16_t { kGet, kPut, kAppend, kRemove, kCas, kPutIfAbsent, kReplace, kContains };
  struct Timed {
    std::uint16_t method = kGet;
    std::vector<Value> arguments;
    Value result;
    Tick call = 0, moment = 0, response = 0;
  };

  bool percent(std::size_t share) { return below(random_, 100) < share; }

  void draw_times() {
    times_.assign(1 + below(random_, shape_.most), {});
    const std::size_t span = 3 + below(random_, 24);
    for (Timed& timed : times_) {
      timed.call = static_cast<Tick>(below(random_, span));
      timed.response = timed.call + static_cast<Tick>(below(random_, percent(40) ? 3 : span));
      timed.moment =
          timed.call + static_cast<Tick>(below(random_, static_cast<std::size_t>(timed.response - timed.call) + 1));
    }
    std::stable_sort(times_.begin(), times_.end(), [](const Timed& a, const Timed& b) { return a.moment < b.moment; });
  }

  Value word() {
    std::string text(fresh_ % 9, 'b');
    text += fresh_ < 9 ? "a" : "c";
    ++fresh_;
    if (from_right_) std::reverse(text.begin(), text.end());
    return pool_->string(text);
  }
  Value value_of(const std::string& content) {
    if (content.empty()) return empty_is_absent_ && percent(70) ? pool_->string("") : Value::nil();
    return pool_->string(content);
  }
  std::string text_of(Value value) { return std::string(pool_->text_of(value)); }
  Value acknowledgement(Value written) {
    switch (below(random_, 5)) {
      case 0: return written;
      case 1: return pool_->string("ok");
      case 2: return Value::boolean(true);
      default: return Value::none();
    }
  }

  void take_effect(Timed& timed) {
    const Value key = Value::integer(7);
    std::string after = content_;
    timed.result = Value::none();
    if (shape_.failures && percent(8)) {
      timed = with(timed, kContains, {key}, Value::boolean(!content_.empty()));
    } else if (percent(gets_)) {
      timed = with(timed, kGet, {key}, value_of(content_));
    } else if (shape_.removes && percent(25)) {
      timed = with(timed, kRemove, {key}, percent(50) || content_.empty() ? Value::none() : value_of(content_));
      if (content_.empty() && percent(30)) timed.result = Value::boolean(false);
      after.clear();
      if (percent(20)) timed = with(timed, kPut, {key, value_of("")}, Value::none());
    } else if (shape_.comparisons && percent(30)) {
      compare(timed, key, after);
    } else if (!shape_.appends || percent(puts_)) {
      const Value fresh = word();
      const bool before = !content_.empty() && percent(10);
      timed = with(timed, kPut, {key, fresh}, before ? value_of(content_) : acknowledgement(fresh));
      after = text_of(fresh);
    } else if (empty_is_absent_ && percent(5)) {
      timed = with(timed, kAppend, {key, pool_->string("")}, Value::none());
    } else {
      const Value fresh = word();
      timed = with(timed, kAppend, {key, fresh}, acknowledgement(fresh));
      after = content_ + text_of(fresh);
    }
    if (percent(shape_.clients_ending)) {
      timed.response = kPending;
      if (percent(75)) timed.result = Value::unknown();
      if (percent(50)) after = content_;
    } else if (shape_.lost && percent(10)) {
      timed.result = Value::unknown();
    }
    content_ = after;
    seen_.push_back(content_);
    if (percent(damage_)) damage(timed);
  }

  void compare(Timed& timed, Value key, std::string& after) {
    const Value fresh = shape_.removes && percent(15) ? value_of("") : word();
    const std::string written = fresh.is_nil() ? std::string() : text_of(fresh);
    const bool fails = shape_.failures && percent(40);
    if (percent(40)) {
      const bool stores = content_.empty();
      if (!stores && !fails) {
        timed = with(timed, kGet, {key}, value_of(content_));
        return;
      }
      timed = with(timed, kPutIfAbsent, {key, fresh}, stores ? Value::boolean(true) : Value::boolean(false));
      if (!stores && percent(50)) timed.result = value_of(content_);
      if (stores) after = written;
      return;
    }
    const Value old = value_of(fails ? seen_[below(random_, seen_.size())] : content_);
    const bool matches = old.is_nil() ? content_.empty() : text_of(old) == content_;
    timed = with(timed, percent(50) ? kCas : kReplace, {key, old, fresh}, Value::boolean(matches));
    if (matches) after = written;
  }

  static Timed with(const Timed& timed, std::uint16_t method, std::vector<Value> arguments, Value result) {
    return {.method = method,
            .arguments = std::move(arguments),
            .result = result,
            .call = timed.call,
            .moment = timed.moment,
            .response = timed.response};
  }

  void damage(Timed& timed) {
    const std::string& other = seen_[below(random_, seen_.size())];
    switch (below(random_, 5)) {
      case 0:
        if (timed.method == kGet) timed.result = percent(10) ? pool_->string("") : value_of(other);
        break;
      case 1:
        timed.call += static_cast<Tick>(below(random_, 4));
        if (timed.response != kPending) timed.response = std::max(timed.response, timed.call);
        break;
      case 2:
        if (timed.response != kPending) {
          timed.response = std::max(timed.call, timed.response - static_cast<Tick>(below(random_, 6)));
        }
        break;
      case 3:
        if (timed.method == kGet && fresh_ > 0 && timed.result.is_string()) {
          const std::size_t count = fresh_;
          fresh_ = below(random_, fresh_);
          const std::string tail = text_of(word());
          fresh_ = count;
          timed.result = pool_->string(text_of(timed.result) + tail);
        }
        break;
      default:
        if (timed.method == kPut && shape_.appends && timed.result.is_none())
          timed.method = kAppend;
        else if (timed.method == kAppend)
          timed.method = kPut;
        else if (timed.method == kGet && shape_.removes)
          timed.result = Value::nil();
    }
    if (timed.method == kAppend && timed.arguments[1].is_nil()) timed.method = kPut;
  }

  std::shared_ptr<const Specification> specification_;
  bool empty_is_absent_;
  Random random_;
  KeyShape shape_;
  ValuePool* pool_ = nullptr;
  std::vector<Timed> times_;
  std::string content_;
  std::vector<std::string> seen_;
  std::size_t fresh_ = 0, damage_ = 0, gets_ = 0, puts_ = 0;
  bool from_right_ = false;
};

}  // namespace linchpin::test

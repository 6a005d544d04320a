#include "algo/bits.hpp"

#include <algorithm>
#include <utility>

#include "algo/skew_heaps.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

namespace {

/// The value of the bit just before an operation that turns it, or when it is seen.
bool needs_on(BitRole role) { return role == BitRole::turns_off || role == BitRole::sees_on; }

class BitGreedy {
 public:
  BitGreedy(const BitOperations& operations, bool want_order)
      : operations_(operations),
        part_(*operations.part),
        want_order_(want_order),
        bits_(operations.bits, Bit{.on = operations.on_at_first}),
        heaps_(part_.response),
        done_(part_.size(), false) {
    if (want_order) result_.order.reserve(part_.size());
  }

  BitOrder run() {
    for (const history::Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      if (operations_.role[i] == BitRole::ignored) continue;
      if (!event.is_response()) {
        call(i);
      } else if (!done_[i] && !finish(i)) {
        result_.blocked = i;
        break;
      }
    }
    return std::move(result_);
  }

 private:
  struct Bit {
    bool on = false;
    std::uint32_t turners[2] = {kNone, kNone};  // by the value they need: heaps by response
    std::uint32_t waiting[2] = {kNone, kNone};  // by the value they need: lists through their links
  };
  void emit(std::uint32_t i) {
    done_[i] = true;
    if (want_order_) result_.order.push_back(i);
  }

  void call(std::uint32_t i) {
    const BitRole role = operations_.role[i];
    Bit& bit = bits_[operations_.bit_of(i)];
    if (role == BitRole::free) {
      emit(i);
    } else if (turns(role)) {
      heaps_.push(bit.turners[needs_on(role) ? 1 : 0], i);
    } else if (bit.on == needs_on(role)) {
      emit(i);
    } else {
      std::uint32_t& list = bit.waiting[needs_on(role) ? 1 : 0];
      heaps_.link(i) = list;
      list = i;
    }
  }

  bool finish(std::uint32_t i) {
    const BitRole role = operations_.role[i];
    Bit& bit = bits_[operations_.bit_of(i)];
    if (bit.on != needs_on(role) && !turn(bit)) return false;
    // The operation that returns now has the least deadline of those that turn its way: it goes itself.
    return !turns(role) || turn(bit);
  }

  bool turn(Bit& bit) {
    std::uint32_t& heap = bit.turners[bit.on ? 1 : 0];
    if (heap == kNone) return false;
    emit(heaps_.pop(heap));
    bit.on = !bit.on;
    std::uint32_t& list = bit.waiting[bit.on ? 1 : 0];
    for (std::uint32_t i = list; i != kNone; i = heaps_.link(i)) emit(i);
    list = kNone;
    return true;
  }

  const BitOperations& operations_;
  const history::Subhistory& part_;
  bool want_order_;
  std::vector<Bit> bits_;
  SkewHeaps heaps_;
  std::vector<bool> done_;  // by operation
  BitOrder result_;
};

/// Whether the given operations, alone, are stuck at or before the return of `blocked`. Later they
/// may be, too, but then of those that were called in between one may be missing that they need.
bool stuck(const BitOperations& all, const std::vector<std::uint32_t>& locals, std::uint32_t blocked) {
  const history::Subhistory part = history::restrict(*all.part, locals);
  BitOperations some{.part = &part, .role = {}, .bit = {}, .bits = 1, .on_at_first = all.on_at_first};
  for (const std::uint32_t local : locals) some.role.push_back(all.role[local]);
  const std::optional<std::uint32_t> at = linearize_bits(some, false).blocked;
  return at && all.part->response[locals[*at]] <= all.part->response[blocked];
}

constexpr std::size_t kSmallCore = 64;

/// The last turns before the operation got stuck, an even number of those before left out, as few as are stuck by
/// themselves up to a factor; empty where all are needed. Where operations wait all the time there is no quiet moment.
std::vector<std::uint32_t> last_turns(const BitOperations& operations, std::uint32_t blocked) {
  constexpr std::size_t kFewest = 8;
  const history::Subhistory& part = *operations.part;
  const std::uint32_t bit = operations.bit_of(blocked);
  const BitOrder order = BitGreedy(operations, true).run();
  std::vector<std::uint32_t> turned, open;
  std::vector<bool> done(part.size(), false);
  for (const std::uint32_t i : order.order) {
    done[i] = true;
    if (operations.bit_of(i) == bit && turns(operations.role[i]) && i != blocked) turned.push_back(i);
  }
  for (std::uint32_t i = 0; i < part.size() && part.call[i] < part.response[blocked]; ++i) {
    const bool waits = operations.bit_of(i) == bit && turns(operations.role[i]) && !done[i];
    if (waits || i == blocked) open.push_back(i);
  }
  for (std::size_t count = kFewest + turned.size() % 2; count < turned.size();
       count = 4 * count - 3 * (turned.size() % 2)) {
    std::vector<std::uint32_t> some(turned.end() - static_cast<std::ptrdiff_t>(count), turned.end());
    some.insert(some.end(), open.begin(), open.end());
    std::sort(some.begin(), some.end());
    if (stuck(operations, some, blocked)) return some;
  }
  return {};
}

}  // namespace

BitOrder linearize_bits(const BitOperations& operations, bool want_order) {
  return BitGreedy(operations, want_order).run();
}

std::vector<std::uint32_t> bit_core(const BitOperations& operations, std::uint32_t blocked) {
  const history::Subhistory& part = *operations.part;
  const std::uint32_t bit = operations.bit_of(blocked);
  // While nothing is open and nothing pending was called, all has taken effect: the bit's value is known, and what came
  // before may be forgotten but for one operation that gave it that value, where it is not the first.
  std::vector<std::uint32_t> core;
  std::uint32_t open = 0;
  const std::int64_t at_first = operations.on_at_first ? 1 : 0;
  std::int64_t on = at_first;
  std::uint32_t last_turned_on = kNone;
  std::uint32_t last_turned_off = kNone;
  for (const history::Event event : part.events()) {
    const std::uint32_t i = event.operation();
    if (operations.bit_of(i) != bit || operations.role[i] == BitRole::ignored) continue;
    if (!event.is_response()) {
      core.push_back(i);
      ++open;
      continue;
    }
    if (i == blocked) break;
    --open;
    if (operations.role[i] == BitRole::turns_on) {
      ++on;
      last_turned_on = i;
    }
    if (operations.role[i] == BitRole::turns_off) {
      --on;
      last_turned_off = i;
    }
    if (open > 0) continue;
    core.clear();
    if (on != at_first) core.push_back(on == 1 ? last_turned_on : last_turned_off);
  }
  std::vector<std::uint32_t> fewer;
  for (const std::uint32_t i : core) {
    if (i == blocked || turns(operations.role[i])) fewer.push_back(i);
  }
  const bool of_turns = stuck(operations, fewer, blocked);
  if (of_turns) core = std::move(fewer);
  if (core.size() > kSmallCore) {
    if (!of_turns) return core;  // without what was seen the last turns may be others
    std::vector<std::uint32_t> last = last_turns(operations, blocked);
    return !last.empty() && last.size() < core.size() ? last : core;
  }
  for (std::size_t k = core.size(); !of_turns && k-- > 0;) {
    if (core[k] == blocked || turns(operations.role[core[k]])) continue;
    std::vector<std::uint32_t> rest = core;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    if (stuck(operations, rest, blocked)) core = std::move(rest);
  }
  return core;
}

}  // namespace linchpin::algo

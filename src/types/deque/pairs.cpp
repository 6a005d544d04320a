#include "types/deque/pairs.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace linchpin::types::deque {

namespace {

using history::Subhistory;

/// All orders of a handful of operations, depth first.
class Orders {
 public:
  Orders(const Subhistory& part, const Acts& acts, std::span<const std::uint32_t> operations, std::uint32_t first,
         std::uint32_t then)
      : acts_(acts), operations_(operations) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      for (std::size_t j = 0; j < operations.size(); ++j) {
        const bool before =
            part.happens_before(operations[j], operations[i]) || (operations[j] == first && operations[i] == then);
        if (before) before_[i] |= 1U << j;
      }
    }
  }

  bool any(unsigned done = 0) {
    if (done == (1U << operations_.size()) - 1) return true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {  // what only looks is taken as soon as it is legal
      if (may_be_next(i, done) && is_look(acts_.of[operations_[i]]) && take(operations_[i])) {
        return any(done | (1U << i));
      }
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (!may_be_next(i, done) || is_look(acts_.of[operations_[i]])) continue;
      const Content content = content_;
      const std::ptrdiff_t size = size_;
      if (take(operations_[i]) && any(done | (1U << i))) return true;
      content_ = content;
      size_ = size;
    }
    return false;
  }

 private:
  [[nodiscard]] bool may_be_next(std::size_t i, unsigned done) const {
    return (done & (1U << i)) == 0 && (before_[i] & ~done) == 0;
  }

  bool take(std::uint32_t operation) {
    const EndAct& act = acts_.of[operation];
    const bool front = act.end == 0;
    if (act.kind == ActKind::add) {
      if (front) std::copy_backward(content_.begin(), content_.begin() + size_, content_.begin() + size_ + 1);
      content_[front ? 0 : static_cast<std::size_t>(size_)] = act.value;
      ++size_;
      return true;
    }
    if (act.kind == ActKind::empty) return size_ == 0;
    if (size_ == 0 || content_[front ? 0 : static_cast<std::size_t>(size_ - 1)] != act.value) return false;
    if (act.kind == ActKind::look) return true;
    if (front) std::copy(content_.begin() + 1, content_.begin() + size_, content_.begin());
    --size_;
    return true;
  }

  using Content = std::array<algo::ValueNumber, 2>;
  const Acts& acts_;
  std::span<const std::uint32_t> operations_;
  std::array<unsigned, Handful::kMost> before_{};
  Content content_{};
  std::ptrdiff_t size_ = 0;
};

}  // namespace

bool possible(const Subhistory& part, const Acts& acts, const Handful& handful, std::uint32_t first,
              std::uint32_t then) {
  return Orders(part, acts, handful.operations(), first, then).any();
}

bool tells(const Acts& acts, std::uint32_t operation) {
  const EndAct& act = acts.of[operation];
  if (act.kind == ActKind::empty) return true;
  if (act.kind != ActKind::add && act.kind != ActKind::take && act.kind != ActKind::look) return false;
  return !acts.lost_takes || acts.pop[act.value] != kNone;
}

Handful::Handful(const Acts& acts, std::uint32_t a, std::uint32_t b) {
  for (const std::uint32_t operation : {a, b}) {
    add(operation);
    if (acts.of[operation].kind == ActKind::empty) continue;
    const algo::ValueNumber value = acts.of[operation].value;
    add(acts.push[value]);
    add(acts.pop[value]);
    for (const std::uint32_t peek : acts.peeks[value]) add(peek);
  }
  std::sort(operations_.begin(), operations_.begin() + static_cast<std::ptrdiff_t>(size_));
}

void Handful::add(std::uint32_t operation) {
  const auto end = operations_.begin() + static_cast<std::ptrdiff_t>(size_);
  if (operation != kNone && std::find(operations_.begin(), end, operation) == end) operations_[size_++] = operation;
}

std::string why_impossible(const Subhistory& part, const Acts& acts, std::uint32_t a, std::uint32_t b) {
  const auto text = [&](std::uint32_t operation) {
    return part.history->pool().to_text(part.arguments(acts.push[acts.of[operation].value])[0]);
  };
  if (acts.of[a].kind == ActKind::empty) std::swap(a, b);
  for (const std::uint32_t operation : {a, b}) {
    if (acts.of[operation].kind == ActKind::empty || possible(part, acts, Handful(acts, operation, operation)))
      continue;
    return fmt::format("{} was seen before it was pushed, or after it was popped", text(operation));
  }
  if (acts.of[b].kind == ActKind::empty) {
    return fmt::format("the deque was found empty although {} was inside during the whole call", text(a));
  }
  return {};  // what the core alone tells is clearer
}

bool ForcedOrders::compare(const Subhistory& part, const Acts& acts, std::uint32_t a, std::uint32_t b) {
  const Handful handful(acts, a, b);
  const bool before = a == b ? possible(part, acts, handful) : possible(part, acts, handful, a, b);
  const bool after = a == b ? before : possible(part, acts, handful, b, a);
  if (!before && !after) {
    core_.assign(handful.operations().begin(), handful.operations().end());
    why_ = why_impossible(part, acts, a, b);
    return false;
  }
  if (!before || !after) orders_.emplace_back(before ? a : b, before ? b : a);
  return true;
}

bool ForcedOrders::by_pairs(const Subhistory& part, const Acts& acts, core::Budget& budget) {
  std::vector<std::uint32_t> open;
  earlier_.assign(part.size(), 0);
  for (const std::uint32_t push : acts.push) {
    if (tells(acts, push) && !compare(part, acts, push, push)) return true;
  }
  for (const history::Event event : part.events()) {
    const std::uint32_t b = event.operation();
    if (!tells(acts, b)) continue;
    if (event.is_response()) {
      open.erase(std::find(open.begin(), open.end(), b));
      continue;
    }
    if (budget.spent()) return false;
    for (const std::uint32_t a : open) {
      if (acts.of[a].kind == ActKind::empty && acts.of[b].kind == ActKind::empty) continue;
      if (!compare(part, acts, a, b)) return true;
    }
    open.push_back(b);
  }
  index();
  return true;
}

void ForcedOrders::index() {
  const std::size_t n = earlier_.size();
  earlier_.assign(n, 0);
  begin_.assign(n + 1, 0);
  for (const auto& [earlier, later] : orders_) {
    ++earlier_[later];
    ++begin_[earlier + 1];
  }
  for (std::size_t i = 0; i < n; ++i) begin_[i + 1] += begin_[i];
  later_.resize(orders_.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const auto& [earlier, later] : orders_) later_[next[earlier]++] = later;
}

}  // namespace linchpin::types::deque

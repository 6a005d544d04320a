// The fewest readers are a smallest cover: of the orders, by what each transaction shows of them. There are few orders,
// so all sets of them are gone through.
#include "types/list_append/showing.hpp"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

namespace linchpin::types::list_append {

namespace {

using dependencies::Dependency;
using dependencies::Edge;

constexpr std::size_t kFewOrders = 8;

}  // namespace

std::uint32_t run_of(const Lists& lists, std::uint32_t transaction, std::uint32_t key) {
  const auto first = lists.writer.begin() + lists.runs[key], last = lists.writer.begin() + lists.runs[key + 1];
  const auto run = std::find(first, last, transaction);
  return run == last ? kBehind : static_cast<std::uint32_t>(run - lists.writer.begin());
}

Showing::Showing(const Reading& reading, const Lists& lists)
    : reading_(reading), lists_(lists), begin_(reading.keys.size() + 1, 0), reads_(reading.reads.size()) {
  for (const Read& read : reading.reads) ++begin_[read.key + 1];
  for (std::size_t key = 0; key + 1 < begin_.size(); ++key) begin_[key + 1] += begin_[key];
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < reading.reads.size(); ++i) reads_[next[reading.reads[i].key]++] = i;
}

/// A list shows that one appended before another up to what the second appended, or as a whole if nobody read that.
std::vector<Showing::Order> Showing::orders(const std::vector<Edge>& cycle) const {
  std::vector<Order> orders;
  for (const Edge& edge : cycle) {
    if (edge.kind != Dependency::write) continue;
    const auto first = lists_.run.begin() + lists_.begin[edge.key],
               end = lists_.run.begin() + lists_.begin[edge.key + 1];
    const std::uint32_t run = run_of(lists_, edge.to, edge.key);
    const auto least =
        static_cast<std::size_t>(run == kBehind ? end - first : std::lower_bound(first, end, run) - first + 1);
    const auto same =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == edge.key; });
    if (same == orders.end()) {
      orders.push_back({edge.key, least});
    } else {
      same->least = std::max(same->least, least);
    }
  }
  return orders;
}

bool Showing::shown_by(std::uint32_t transaction, const Order& order) const {
  auto read = std::lower_bound(reading_.reads.begin(), reading_.reads.end(), transaction,
                               [](const Read& of, std::uint32_t t) { return of.transaction < t; });
  for (; read != reading_.reads.end() && read->transaction == transaction; ++read) {
    if (read->key == order.key && read->list.size() >= order.least) return true;
  }
  return false;
}

std::vector<std::uint32_t> Showing::fewest(const std::vector<Order>& orders) const {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> shows;  // by transaction: a set of orders
  for (std::size_t i = 0; i < orders.size(); ++i) {
    for (std::uint32_t at = begin_[orders[i].key]; at < begin_[orders[i].key + 1]; ++at) {
      const Read& read = reading_.reads[reads_[at]];
      if (read.list.size() >= orders[i].least) shows[read.transaction] |= 1U << i;
    }
  }
  struct Cover {
    std::size_t size = SIZE_MAX;
    std::uint32_t before = 0, transaction = 0;
  };
  std::vector<std::uint32_t> who(std::size_t{1} << orders.size(), kNone);  // by set: the first that shows just these
  for (const auto& [transaction, set] : shows) who[set] = std::min(who[set], transaction);
  std::vector<Cover> covers(who.size());
  covers[0].size = 0;
  for (std::uint32_t covered = 0; covered < covers.size(); ++covered) {
    if (covers[covered].size == SIZE_MAX) continue;
    for (std::uint32_t set = 1; set < who.size(); ++set) {
      if (who[set] == kNone || covers[covered | set].size <= covers[covered].size + 1) continue;
      covers[covered | set] = {covers[covered].size + 1, covered, who[set]};
    }
  }
  std::vector<std::uint32_t> found;
  for (std::size_t set = covers.size() - 1; set != 0; set = covers[set].before)
    found.push_back(covers[set].transaction);
  return found;
}

std::vector<std::uint32_t> Showing::core_of(const std::vector<Edge>& cycle) const {
  std::vector<std::uint32_t> core;
  core.reserve(cycle.size());
  for (const Edge& edge : cycle) core.push_back(edge.from);
  std::vector<Order> open = orders(cycle);
  std::erase_if(open, [&](const Order& order) {
    return std::any_of(core.begin(), core.end(), [&](std::uint32_t t) { return shown_by(t, order); });
  });
  if (open.size() == 1 || open.size() > kFewOrders) {
    for (const Order& order : open) core.push_back(lists_.reader[order.key]);
  } else if (!open.empty()) {
    const std::vector<std::uint32_t> readers = fewest(open);
    core.insert(core.end(), readers.begin(), readers.end());
  }
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  return core;
}

}  // namespace linchpin::types::list_append

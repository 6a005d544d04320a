// Edges between neighbouring runs, from a run to who saw its end, and from who saw a list to the run that follows.
//
// Appends that nobody read come after the last run, in any order. Who read all of the longest list comes before all of
// them; to say so with few edges there is an auxiliary node for the key, unless one of these readers is itself among
// those that append: then it is before all the others, and takes the node's place. With two such readers each must come
// before the other (both read the end, and both append to it).
#include "types/list_append/graph.hpp"

#include <utility>

namespace linchpin::types::list_append {

namespace {

using dependencies::Dependency;
using dependencies::Graph;

class Maker {
 public:
  Maker(const history::Subhistory& part, const Reading& reading, const Lists& lists)
      : reading_(reading), lists_(lists), keys_(reading.keys.size()) {
    graph_.transactions = graph_.nodes = part.size();
  }

  Graph make() {
    graph_.edges.reserve(2 * reading_.reads.size() + lists_.writer.size());
    read_edges();
    for (std::uint32_t key = 0; key < keys_.size(); ++key) {
      for (std::uint32_t run = lists_.runs[key]; run + 1 < lists_.runs[key + 1]; ++run) {
        add(lists_.writer[run], lists_.writer[run + 1], key, Dependency::write);
      }
    }
    collect_unseen();
    for (std::uint32_t key = 0; key < keys_.size(); ++key) unseen_edges(key);
    return std::move(graph_);
  }

 private:
  /// Transactions in a row, linked by their places in a pool.
  struct Link {
    std::uint32_t transaction = 0;
    std::uint32_t next = kNone;
  };
  struct Key {
    std::uint32_t last_reader = kNone;  // the last transaction whose read was looked at
    std::uint32_t final_readers = kNone;
    std::uint32_t unseen = kNone;  // links: those of whose appends nobody read one
  };

  void add(std::uint32_t from, std::uint32_t to, std::uint32_t key, Dependency kind) {
    if (from != to) graph_.edges.push_back({from, to, key, kind});
  }

  void push(std::uint32_t& head, std::uint32_t transaction) {
    links_.push_back({transaction, head});
    head = static_cast<std::uint32_t>(links_.size() - 1);
  }

  void read_edges() {
    for (const Read& read : reading_.reads) {
      Key& key = keys_[read.key];
      if (key.last_reader == read.transaction) continue;  // it read as much of others before
      key.last_reader = read.transaction;
      const std::size_t size = read.list.size() - read.own;
      std::uint32_t next = lists_.runs[read.key];
      if (size > 0) {
        const std::uint32_t run = lists_.run[lists_.begin[read.key] + size - 1];
        add(lists_.writer[run], read.transaction, read.key, Dependency::read);
        next = run + 1;
      }
      if (next < lists_.runs[read.key + 1]) {
        add(read.transaction, lists_.writer[next], read.key, Dependency::anti);
      } else {
        push(key.final_readers, read.transaction);
      }
    }
  }

  void collect_unseen() {
    for (std::uint32_t element = 0; element < reading_.appends.size(); ++element) {
      const Append& append = reading_.appends[element];
      if (!append.first || lists_.seen[element] || !lists_.kept[append.transaction]) continue;
      push(keys_[append.key].unseen, append.transaction);
    }
  }

  void unseen_edges(std::uint32_t number) {
    const Key& key = keys_[number];
    if (key.unseen == kNone) return;
    if (lists_.runs_of(number) != 0) {
      const std::uint32_t last = lists_.writer[lists_.runs[number + 1] - 1];
      for_each(key.unseen, [&](std::uint32_t writer) { add(last, writer, number, Dependency::write); });
    }
    if (key.final_readers == kNone) return;
    for_each(key.unseen, [&](std::uint32_t writer) { mark(writer, number); });
    std::uint32_t both = kNone, another = kNone;
    for_each(key.final_readers, [&](std::uint32_t reader) {
      if (marked_with(reader) == number) another = std::exchange(both, reader);
    });
    if (another != kNone) {
      add(both, another, number, Dependency::anti);
      add(another, both, number, Dependency::anti);
      return;
    }
    if (both != kNone) {
      for_each(key.final_readers, [&](std::uint32_t reader) { add(reader, both, number, Dependency::anti); });
      for_each(key.unseen, [&](std::uint32_t writer) { add(both, writer, number, Dependency::anti); });
      return;
    }
    const std::uint32_t relay = graph_.nodes++;
    for_each(key.final_readers, [&](std::uint32_t reader) { add(reader, relay, number, Dependency::anti); });
    for_each(key.unseen, [&](std::uint32_t writer) { add(relay, writer, number, Dependency::relay); });
  }

  template <class Visitor>
  void for_each(std::uint32_t head, Visitor&& visitor) const {
    for (std::uint32_t at = head; at != kNone; at = links_[at].next) visitor(links_[at].transaction);
  }

  void mark(std::uint32_t transaction, std::uint32_t key) {
    if (marks_.empty()) marks_.assign(graph_.transactions, kNone);
    marks_[transaction] = key;
  }
  [[nodiscard]] std::uint32_t marked_with(std::uint32_t transaction) const { return marks_[transaction]; }

  const Reading& reading_;
  const Lists& lists_;
  std::vector<Key> keys_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> marks_;  // by transaction: the last key marked with
  Graph graph_;
};

}  // namespace

dependencies::Graph make_graph(const history::Subhistory& part, const Reading& reading, const Lists& lists) {
  return Maker(part, reading, lists).make();
}

}  // namespace linchpin::types::list_append

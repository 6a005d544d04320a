#include "types/mvcc_kv/store.hpp"

#include "linchpin/hash.hpp"

namespace linchpin::types::mvcc_kv {

Past::Past(std::int64_t revision, std::vector<Before> before, std::shared_ptr<const Past> older)
    : revision_(revision), before_(std::move(before)), older_(std::move(older)) {
  hash_ = mix(older_ != nullptr ? older_->hash() : 0, static_cast<std::uint64_t>(revision));
  for (const Before& each : before_) hash_ = mix(mix(hash_, each.key.hash()), each.content ? each.content->hash() : 1);
}

Past::~Past() {
  std::shared_ptr<const Past> next = std::move(older_);
  while (next != nullptr && next.use_count() == 1) next = std::move(next->older_);
}

bool Past::same(const Past* left, const Past* right) {
  while (left != right) {
    if (left == nullptr || right == nullptr || left->hash_ != right->hash_) return false;
    if (left->revision_ != right->revision_ || left->before_ != right->before_) return false;
    left = left->older();
    right = right->older();
  }
  return true;
}

std::uint64_t Store::hash() const {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(revision_), static_cast<std::uint64_t>(compacted_));
  for (const auto& [key, content] : contents_) hash = mix(mix(hash, key.hash()), content.hash());
  for (const Value lease : leases_) hash = mix(hash, lease.hash());
  return past_ != nullptr ? mix(hash, past_->hash()) : hash;
}

std::size_t Store::bytes() const {
  const std::size_t last = past_ != nullptr ? sizeof(Past) + past_->before().capacity() * sizeof(Before) : 0;
  return contents_.bytes() + leases_.capacity() * sizeof(Value) + last;
}

}  // namespace linchpin::types::mvcc_kv

// The operations of all logs as one sequence.
//
// A log has its operations in the order of their calls, so merging is a heap over logs. A recording that ended, or a
// thread that is still inside an operation, asks for a cut: everything called by the cut is there, since an operation
// is written down before its call is read from the clock, and what returned after it counts as pending. A prefix of a
// linearizable history by time is linearizable, so a cut never makes a violation.
#include <algorithm>

#include "record/state.hpp"

namespace linchpin::record {

namespace {

/// Calls of one tick in the order of their logs, as whoever reads a spool has them.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return a->entry.call != b->entry.call ? a->entry.call > b->entry.call : a->log > b->log;
};

}  // namespace

std::size_t State::decode(const std::uint64_t* words, Entry& entry) const {
  const std::uint64_t meta = words[ThreadLog::kMeta];
  entry.method = static_cast<std::uint16_t>(meta);
  entry.object = static_cast<std::uint16_t>(meta >> 16U);
  entry.process = static_cast<std::uint32_t>(meta >> ThreadLog::kProcessShift);
  entry.call = static_cast<Tick>(words[ThreadLog::kCall]) - beginning;
  // Its thread may be writing these.
  auto* const response = const_cast<std::uint64_t*>(words + ThreadLog::kResponse);
  auto* const result = const_cast<std::uint64_t*>(words + ThreadLog::kResult);
  const auto returned = static_cast<Tick>(std::atomic_ref(*response).load(std::memory_order_acquire));
  // kCancelled is no tick, so no difference of ticks either: callers look for it.
  entry.response = returned == kPending || returned == ThreadLog::kCancelled ? kPending : returned - beginning;
  entry.result = Value::from_bits(std::atomic_ref(*result).load(std::memory_order_relaxed));
  const std::size_t count = (meta >> ThreadLog::kCountShift) & 0xffU;
  entry.arguments = {words + ThreadLog::kHead, count};
  return ThreadLog::kHead + count;
}

bool State::is_cancelled(const std::uint64_t* words) {
  auto* const response = const_cast<std::uint64_t*>(words + ThreadLog::kResponse);
  return static_cast<Tick>(std::atomic_ref(*response).load(std::memory_order_acquire)) == ThreadLog::kCancelled;
}

Merge::Merge(const State& state, std::int64_t cut) : state_(state), cut_(cut) {
  std::vector<std::unique_ptr<Cursor>> all;
  {
    const std::lock_guard lock(state.mutex);
    for (const Log& log : state.logs) {
      auto cursor = std::make_unique<Cursor>();
      cursor->log = all.size();
      for (const Spooled& block : log.spooled) {
        if (block.generation < log.generation) cursor->blocks.push_back(block);
      }
      for (const auto& buffer : log.buffers) cursor->buffers.push_back(buffer.get());
      all.push_back(std::move(cursor));
    }
  }
  for (auto& cursor : all) {
    if (advance(*cursor)) cursors_.push_back(std::move(cursor));
  }
  std::make_heap(cursors_.begin(), cursors_.end(), kLater);
}

bool Merge::next(Entry& entry) {
  if (latest_ != nullptr && advance(*latest_)) {
    cursors_.push_back(std::move(latest_));
    std::push_heap(cursors_.begin(), cursors_.end(), kLater);
  }
  latest_.reset();
  if (failure_ || cursors_.empty()) return false;
  std::pop_heap(cursors_.begin(), cursors_.end(), kLater);
  latest_ = std::move(cursors_.back());
  cursors_.pop_back();
  entry = latest_->entry;
  return true;
}

bool Merge::advance(Cursor& cursor) {
  for (bool cancelled = true; cancelled;) {
    while (cursor.at == cursor.end) {
      if (!load(cursor)) return false;
    }
    const std::uint64_t* const words = cursor.words + cursor.at;
    cursor.at += state_.decode(words, cursor.entry);
    cancelled = State::is_cancelled(words);
  }
  cursor.entry.extras = &cursor.extras;
  if (cursor.entry.call > cut_) return false;  // and so are all that follow
  // A thread that returns just now may have written its text after we looked.
  if (cursor.entry.response > cut_ || !cursor.extras.has(cursor.entry.result)) {
    cursor.entry.response = kPending;
    cursor.entry.result = Value::unknown();
  }
  return true;
}

bool Merge::load(Cursor& cursor) {
  const std::size_t i = cursor.block++;
  cursor.at = 0;
  if (i < cursor.blocks.size()) {
    const Spooled& block = cursor.blocks[i];
    const bool continued = i + 1 < cursor.blocks.size() && cursor.blocks[i + 1].generation == block.generation;
    if (i == 0 || cursor.blocks[i - 1].generation != block.generation) cursor.extras.clear();
    return read(cursor, block, continued ? cursor.blocks[i + 1].position - block.position : block.words);
  }
  if (i - cursor.blocks.size() >= cursor.buffers.size()) return false;
  Buffer& buffer = *cursor.buffers[i - cursor.blocks.size()];
  cursor.end = buffer.used.load(std::memory_order_acquire);
  cursor.words = buffer.words.data();
  const std::lock_guard lock(buffer.extras_mutex);
  cursor.extras = buffer.extras;
  return true;
}

/// @param words  how many of the block's are not written again in the next one
bool Merge::read(Cursor& cursor, const Spooled& block, std::size_t words) {
  Extras& extras = cursor.extras;
  cursor.read_words.resize(block.words);
  const auto integers = extras.integers.size();
  const auto texts = extras.text_ends.size();
  const auto text = extras.text.size();
  extras.integers.resize(integers + block.integers);
  extras.text_ends.resize(texts + block.texts);
  extras.text.resize(text + block.text_bytes);
  const std::lock_guard lock(state_.mutex);
  std::FILE* const file = state_.spool.get();
  const auto get = [file](void* data, std::size_t size) {
    return size == 0 || std::fread(data, 1, size, file) == size;
  };
  const bool whole = std::fseek(file, block.offset, SEEK_SET) == 0 && get(cursor.read_words.data(), block.words * 8) &&
                     get(extras.integers.data() + integers, block.integers * 8) &&
                     get(extras.text_ends.data() + texts, block.texts * 8) &&
                     get(extras.text.data() + text, block.text_bytes);
  if (!whole) {
    failure_ = Error{.code = ErrorCode::io,
                     .source = state_.options.spool,
                     .message = "cannot read back what was recorded",
                     .hint = "is the file still there?"};
    return false;
  }
  cursor.words = cursor.read_words.data();
  cursor.end = words;
  return true;
}

}  // namespace linchpin::record

// Reads a recording in progress (recording.hpp, docs/formats/binary.md), such as one whose program was killed.
//
// What counts is the last mark: what was called after its tick is left out, what returned after it is pending, and
// blocks behind it are not looked at. So a file that ends anywhere, and one that is damaged anywhere, gives a prefix by
// time of what was recorded, which is linearizable if the whole is; an annotation says what is missing.
// Tests: src/record/spool_test.cpp, binary_test.cpp.
#include "formats/binary/recording.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <xxhash.h>

#include "formats/binary/format.hpp"
#include "history/caveats.hpp"

namespace linchpin::formats::binary {

namespace {

/// One buffer of a log, as far as blocks have it.
struct Recorded {
  std::vector<std::uint64_t> words;
  std::vector<std::int64_t> integers;
  std::vector<std::uint64_t> text_ends;
  std::string text;

  [[nodiscard]] std::optional<std::string_view> text_at(std::uint64_t i) const {
    if (i >= text_ends.size()) return std::nullopt;
    const std::uint64_t begin = i == 0 ? 0 : text_ends[i - 1];
    if (begin > text_ends[i] || text_ends[i] > text.size()) return std::nullopt;
    return std::string_view(text).substr(begin, text_ends[i] - begin);
  }
};

template <class T>
void append(std::vector<T>& out, const char* at, std::uint64_t count) {
  if (count == 0) return;
  out.resize(out.size() + count);
  std::memcpy(out.data() + out.size() - count, at, count * sizeof(T));
}

class RecordingReader {
 public:
  RecordingReader(const core::Source& source, const ReadOptions& options)
      : source_(source), options_(options), rest_(source.bytes) {}

  Result<History> run() {
    if (!header() || !find_last_mark() || !blocks() || !name_all() || !operations()) return std::move(*error_);
    builder_.set_source(source_.name);
    if (!missing_.empty()) {
      builder_.annotate({.begin = until_, .text = std::string(history::kMissing) + missing_});
    }
    return std::move(builder_).build();
  }

 private:
  struct Call {
    Tick tick;
    std::uint64_t log;  // and its generation
    std::uint64_t at;
    const Recorded* recorded;
  };

  bool fail(ErrorCode code, std::string message, std::string hint = "is it a recorder's file?") {
    error_ = Error{.code = code, .source = source_.name, .message = std::move(message), .hint = std::move(hint)};
    return false;
  }

  bool header() {
    RecordingHeader header{};
    if (rest_.size() < sizeof header) {
      return fail(ErrorCode::truncated, "the file ends inside its header", "nothing had been recorded yet");
    }
    std::memcpy(&header, rest_.data(), sizeof header);
    if (header.version != kRecordingVersion) {
      return fail(ErrorCode::unsupported, fmt::format("version {} of a recording", header.version),
                  "this build reads version 1");
    }
    const std::uint64_t checksum = std::exchange(header.checksum, 0);
    if (XXH3_64bits(&header, sizeof header) != checksum) {
      return fail(ErrorCode::checksum, "the header's checksum is wrong", "the file is damaged: copy it again");
    }
    beginning_ = header.beginning;
    rest_.remove_prefix(sizeof header);
    return true;
  }

  /// The block at the beginning of `bytes`, and how long it is; nothing: it is not whole.
  static std::optional<std::uint64_t> block_at(std::string_view bytes, BlockHeader& header) {
    if (bytes.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::uint64_t size = sizeof header;
    for (const std::uint64_t count : {header.words, header.integers, header.texts}) {
      if (count > (bytes.size() - size) / 8) return std::nullopt;
      size += count * 8;
    }
    if (header.text_bytes > bytes.size() - size || padded(header.text_bytes) > bytes.size() - size) return std::nullopt;
    size += padded(header.text_bytes);
    BlockHeader blank = header;
    blank.checksum = 0;
    std::string whole(bytes.substr(0, size));
    std::memcpy(whole.data(), &blank, sizeof blank);
    if (XXH3_64bits(whole.data(), whole.size()) != header.checksum) return std::nullopt;
    return size;
  }

  bool find_last_mark() {
    std::size_t end = 0;
    bool closed = false;
    std::string lost;
    BlockHeader header{};
    std::string_view left = rest_;
    while (const auto size = block_at(left, header)) {
      const std::string_view block = left.substr(0, *size);
      left.remove_prefix(*size);
      closed = header.kind == Block::end;
      if (closed) lost = block.substr(*size - padded(header.text_bytes), header.text_bytes);
      if (header.kind != Block::mark) continue;
      end = rest_.size() - left.size();
      until_ = static_cast<Tick>(header.position);
    }
    if (end == 0)
      return fail(ErrorCode::truncated, "nothing of the recording is there", "it ended before its first mark");
    rest_ = rest_.substr(0, end);
    if (closed && left.empty()) {
      missing_ = lost;
    } else {
      missing_ = fmt::format(
          "the recording was not closed: what was called after tick {} is not there, and what returned after it counts "
          "as pending",
          until_);
    }
    return true;
  }

  bool blocks() {
    BlockHeader header{};
    while (!rest_.empty()) {
      const auto size = block_at(rest_, header);
      if (!size) return fail(ErrorCode::checksum, "the checksum of a block is wrong");
      const char* at = rest_.data() + sizeof header;
      rest_.remove_prefix(*size);
      if (header.kind != Block::names && header.kind != Block::operations) continue;
      Recorded& recorded =
          header.kind == Block::names ? names_ : recorded_[(std::uint64_t{header.log} << 32U) | header.generation];
      if (header.kind == Block::names) recorded = {};
      if (header.position > recorded.words.size()) return fail(ErrorCode::syntax, "a block of a log is missing");
      recorded.words.resize(header.position);
      append(recorded.words, at, header.words);
      at += header.words * 8;
      append(recorded.integers, at, header.integers);
      at += header.integers * 8;
      append(recorded.text_ends, at, header.texts);
      at += header.texts * 8;
      recorded.text.append(at, header.text_bytes);
    }
    return true;
  }

  /// Methods and objects, with their types.
  bool name_all() {
    const bool counted = names_.integers.size() == 1 && names_.integers[0] >= 0 &&
                         static_cast<std::uint64_t>(names_.integers[0]) <= names_.text_ends.size();
    const std::uint64_t methods = counted ? static_cast<std::uint64_t>(names_.integers[0]) : 0;
    if (!counted || methods > 0xffff || names_.text_ends.size() == methods ||
        (names_.text_ends.size() - methods) % 2 != 0) {
      return fail(ErrorCode::syntax, "the names are wrong");
    }
    for (std::uint64_t i = 0; i < names_.text_ends.size(); ++i) {
      const auto text = names_.text_at(i);
      if (!text) return fail(ErrorCode::syntax, "the names are wrong");
      if (i < methods) {
        methods_.push_back(builder_.method(*text));
      } else if ((i - methods) % 2 == 0) {
        objects_.push_back(builder_.object(*text));
      } else if (options_.type) {
        builder_.set_type(objects_.back(), *options_.type);
      } else if (!text->empty()) {
        auto type = TypeName::parse(*text);
        if (!type) {
          type.error().source = source_.name;
          error_ = std::move(type.error());
          return false;
        }
        builder_.set_type(objects_.back(), std::move(*type));
      }
    }
    return true;
  }

  bool operations() {
    std::vector<Call> calls;
    for (const auto& [log, recorded] : recorded_) {
      const std::vector<std::uint64_t>& words = recorded.words;
      for (std::uint64_t at = 0; at < words.size();) {
        if (words.size() - at < kRecordedHead) return fail(ErrorCode::syntax, "an operation is not whole");
        const std::uint64_t arguments = (words[at] >> kRecordedCountShift) & 0xffU;
        if (words.size() - at - kRecordedHead < arguments) return fail(ErrorCode::syntax, "an operation is not whole");
        const Tick call = from_beginning(words[at + kRecordedCall]);
        if (call <= until_) calls.push_back({.tick = call, .log = log, .at = at, .recorded = &recorded});
        at += kRecordedHead + arguments;
      }
    }
    std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
      return std::tie(a.tick, a.log, a.at) < std::tie(b.tick, b.log, b.at);
    });
    builder_.reserve(calls.size());
    for (const Call& call : calls) {
      if (!operation(call)) return false;
    }
    return true;
  }

  bool operation(const Call& call) {
    const std::uint64_t* const words = call.recorded->words.data() + call.at;
    const std::uint64_t meta = words[kRecordedMeta];
    const std::uint64_t method = meta & 0xffffU;
    const std::uint64_t object = (meta >> kRecordedObjectShift) & 0xffffU;
    if (method >= methods_.size() || object >= objects_.size()) {
      return fail(ErrorCode::syntax, "a method or an object that has no name");
    }
    const std::uint64_t arguments = (meta >> kRecordedCountShift) & 0xffU;
    for (std::uint64_t i = 0; i < arguments; ++i) {
      const auto argument = value(words[kRecordedHead + i], *call.recorded);
      if (!argument) return false;
      builder_.argument(*argument);
    }
    Tick response = kPending;
    Value result = Value::unknown();
    if (static_cast<Tick>(words[kRecordedResponse]) != kPending) {
      response = from_beginning(words[kRecordedResponse]);
      const auto returned = value(words[kRecordedResult], *call.recorded);
      if (!returned) return false;
      if (response <= until_) {
        result = *returned;
      } else {
        response = kPending;
      }
    }
    builder_.add(static_cast<ProcessId>(meta >> kRecordedProcessShift), objects_[object], methods_[method], result,
                 call.tick, response);
    return true;
  }

  std::optional<Value> value(std::uint64_t bits, const Recorded& recorded) {
    const std::uint64_t index = bits >> kTagBits;
    switch (bits & kTagMask) {
      case kSpecial:
        if (index < kSpecials) return Value::from_bits(bits);
        break;
      case kInteger: return Value::from_bits(bits);
      case kBigInteger:
        if (index < recorded.integers.size()) return builder_.pool().integer(recorded.integers[index]);
        break;
      case kString:
        if (const auto text = recorded.text_at(index)) return builder_.pool().string(*text);
        break;
      default: break;
    }
    fail(ErrorCode::syntax, "a value that the file does not define");
    return std::nullopt;
  }

  [[nodiscard]] Tick from_beginning(std::uint64_t tick) const {
    return static_cast<Tick>(tick - static_cast<std::uint64_t>(beginning_));
  }

  const core::Source& source_;
  const ReadOptions& options_;
  std::string_view rest_;
  Tick beginning_ = 0;
  Tick until_ = 0;  // the last mark
  std::string missing_;
  Recorded names_;
  absl::flat_hash_map<std::uint64_t, Recorded> recorded_;  // by log and generation
  HistoryBuilder builder_;
  std::vector<MethodIndex> methods_;
  std::vector<ObjectIndex> objects_;
  std::optional<Error> error_;
};

}  // namespace

void read_recording(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(RecordingReader(source, options).run());
}

}  // namespace linchpin::formats::binary

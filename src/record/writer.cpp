// Writes a recording in the native binary format (docs/formats/binary.md) without holding it in memory.
//
// The format has whole columns one after the other, and a recording comes operation by operation. One pass counts,
// which gives every column's place; a second fills all columns at once, each through a small buffer that goes to its
// place in the file, with its checksum taken on the way. Texts and big integers are numbered in the first pass.
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#define XXH_INLINE_ALL  // so that who links a recorder links nothing else
#include <xxhash.h>

#include "history/caveats.hpp"
#include "record/state.hpp"

namespace linchpin {

namespace record {

namespace {

using formats::binary::Header;
using formats::binary::kLastSection;
using formats::binary::kMagic;
using formats::binary::kVersion;
using formats::binary::padded;
using formats::binary::Records;
using formats::binary::Section;
using formats::binary::SectionEntry;

constexpr std::size_t kMost = 0x7ffffffeU;  // operations and arguments, as readers have it

/// The recording's texts and big integers, each once.
class Values {
 public:
  std::uint64_t bits_of(std::uint64_t bits, const Extras& extras) {
    const std::uint64_t index = bits >> kTagBits;
    switch (bits & kTagMask) {
      case kBigInteger: {
        const auto [at, added] = integers_.try_emplace(extras.integers[index], 0);
        if (added) at->second = tables.add_integer(at->first);
        return at->second;
      }
      case kString: {
        const auto [at, added] = strings_.try_emplace(std::string(extras.text_at(index)), 0);
        if (added) at->second = tables.add_string(at->first);
        return at->second;
      }
      default: return bits;
    }
  }

  formats::binary::ValueTables tables;

 private:
  // By content: the bits in the file.
  std::unordered_map<std::int64_t, std::uint64_t> integers_;
  std::unordered_map<std::string, std::uint64_t> strings_;
};

std::string names_of(const State& state, std::int64_t cut, const std::optional<Error>& loss) {
  Records records;
  records.number(state.methods.size());
  for (const std::string& name : state.methods) records.string(name);
  records.number(0);  // processes are numbers
  records.number(state.objects.size());
  for (const Object& object : state.objects) {
    records.string(object.name);
    records.string(object.type.name);
    records.number(object.type.options.size());
    for (const auto& [option, value] : object.type.options) {
      records.string(option);
      records.string(value);
    }
  }
  const Clock& clock = state.clock;
  records.number(loss ? 2 : 1);  // annotations
  records.number(0);
  records.number(0);
  records.number(0);
  records.string("clock: " + std::string(clock.source() == ClockSource::tsc ? "time stamp counter" : "steady clock") +
                 ", " + std::to_string(static_cast<std::uint64_t>(clock.frequency())) + " ticks a second");
  records.string("");
  records.string("");
  if (loss) {
    records.number(static_cast<std::uint64_t>(cut));
    records.number(0);
    records.number(0);
    records.string(std::string(history::kMissing) + loss->message);
    records.string("");
    records.string("");
  }
  return std::move(records.bytes);
}

/// One section of the file on its way there.
class Column {
 public:
  Column(Section section, std::uint64_t size) : entry{static_cast<std::uint32_t>(section), 0, 0, size, 0} {
    XXH3_64bits_reset(&checksum_);
  }

  template <class T>
  bool put(std::FILE* file, T value) {
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return buffer_.size() < kBuffer || flush(file);
  }
  bool put(std::FILE* file, std::string_view bytes) {
    buffer_ += bytes;
    return flush(file);
  }
  bool finish(std::FILE* file) {
    buffer_.append(padded(entry.size) - written_ - buffer_.size(), '\0');
    if (!flush(file)) return false;
    entry.checksum = XXH3_64bits_digest(&checksum_);
    return true;
  }

  SectionEntry entry;

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;

  bool flush(std::FILE* file) {
    XXH3_64bits_update(&checksum_, buffer_.data(), buffer_.size());
    const bool whole = std::fseek(file, static_cast<long>(entry.offset + written_), SEEK_SET) == 0 &&
                       std::fwrite(buffer_.data(), 1, buffer_.size(), file) == buffer_.size();
    written_ += buffer_.size();
    buffer_.clear();
    return whole;
  }

  std::string buffer_;
  std::uint64_t written_ = 0;
  XXH3_state_t checksum_{};
};

class Writer {
 public:
  Writer(const State& state, const std::string& path, std::optional<Error> loss)
      : state_(state), path_(path), loss_(std::move(loss)) {}

  Result<void> run() {
    if (auto counted = count(); !counted) return counted;
    if (!open()) return cannot_write();
    auto written = write();
    if (std::fclose(file_.release()) != 0 && written) written = cannot_write();
    if (written && partial_ != path_ && std::rename(partial_.c_str(), path_.c_str()) != 0) written = cannot_write();
    if (!written && partial_ != path_) std::remove(partial_.c_str());
    return written;
  }

 private:
  /// A file beside the one that is wanted, which takes its name when it is whole. What is no file is written in place.
  bool open() {
    errno = 0;
    std::error_code error;
    const auto type = std::filesystem::symlink_status(path_, error).type();
    using enum std::filesystem::file_type;
    if (type != not_found && type != regular && type != symlink) {
      partial_ = path_;
      file_.reset(std::fopen(path_.c_str(), "wb"));
      return file_ != nullptr;
    }
    constexpr int kTries = 100;
    for (int i = 0; i < kTries && file_ == nullptr; ++i) {
      partial_ = path_ + ".partial" + (i == 0 ? "" : std::to_string(i));
      file_.reset(std::fopen(partial_.c_str(), "wbx"));
      if (file_ == nullptr && errno != EEXIST) break;
    }
    return file_ != nullptr;
  }

  [[nodiscard]] Error cannot_write() const {
    return Error{
        .code = ErrorCode::io, .source = path_, .message = std::string("cannot write: ") + std::strerror(errno)};
  }

  Result<void> count() {
    Merge merge(state_, cut_);
    for (Entry entry; merge.next(entry);) {
      ++operations_;
      arguments_ += entry.arguments.size();
      for (const std::uint64_t argument : entry.arguments) values_.bits_of(argument, *entry.extras);
      values_.bits_of(entry.result.bits(), *entry.extras);
    }
    if (merge.failure()) return *merge.failure();
    if (operations_ > kMost || arguments_ > kMost) {
      return Error{.code = ErrorCode::too_large,
                   .source = path_,
                   .message = "more than 2^31 - 2 operations or arguments in one recording",
                   .hint = "record in several parts"};
    }
    return {};
  }

  Result<void> write() {
    const std::string names = names_of(state_, cut_, loss_);
    Column process(Section::process, operations_ * 4);
    Column object(Section::object, operations_ * 4);
    Column method(Section::method, operations_ * 2);
    Column begin(Section::argument_begin, operations_ * 4 + 4);
    Column argument(Section::argument, arguments_ * 8);
    Column result(Section::result, operations_ * 8);
    Column call(Section::call, operations_ * 8);
    Column response(Section::response, operations_ * 8);
    Column integers(Section::integers, values_.tables.integers.size() * 8);
    Column text_ends(Section::text_ends, values_.tables.text_ends.size() * 8);
    Column text(Section::text, values_.tables.text.size());
    Column records(Section::names, names.size());
    // In the order of their numbers.
    std::vector<Column*> columns{&process, &object,   &method,   &begin,     &argument, &result,
                                 &call,    &response, &integers, &text_ends, &text,     &records};
    const bool one_object = state_.objects.size() == 1;
    std::erase_if(columns, [&](const Column* column) {
      const bool optional = column != &method && column != &begin && column != &argument && column != &result &&
                            column != &call && column != &response && column != &records;
      return (optional && column->entry.size == 0) || (one_object && column == &object);
    });
    std::uint64_t offset = sizeof(Header) + columns.size() * sizeof(SectionEntry);
    for (Column* column : columns) {
      column->entry.offset = offset;
      offset += padded(column->entry.size);
    }

    std::FILE* const file = file_.get();
    bool whole = true;
    std::uint32_t arguments = 0;
    whole &= begin.put(file, arguments);
    Merge merge(state_, cut_);
    for (Entry entry; whole && merge.next(entry);) {
      whole &= process.put(file, entry.process);
      if (!one_object) whole &= object.put(file, std::uint32_t{entry.object});
      whole &= method.put(file, entry.method);
      for (const std::uint64_t bits : entry.arguments) {
        whole &= argument.put(file, values_.bits_of(bits, *entry.extras));
      }
      arguments += static_cast<std::uint32_t>(entry.arguments.size());
      whole &= begin.put(file, arguments);
      whole &= result.put(file, values_.bits_of(entry.result.bits(), *entry.extras));
      whole &= call.put(file, entry.call);
      whole &= response.put(file, entry.response);
    }
    if (merge.failure()) return *merge.failure();
    for (const std::int64_t integer : values_.tables.integers) whole &= integers.put(file, integer);
    for (const std::uint64_t end : values_.tables.text_ends) whole &= text_ends.put(file, end);
    if (!values_.tables.text.empty()) whole &= text.put(file, std::string_view(values_.tables.text));
    whole &= records.put(file, std::string_view(names));
    for (Column* column : columns) whole = whole && column->finish(file);
    return whole && write_head(columns, offset) ? Result<void>() : cannot_write();
  }

  bool write_head(std::span<Column* const> columns, std::uint64_t size) {
    Header header{.version = kVersion,
                  .section_count = static_cast<std::uint32_t>(columns.size()),
                  .operations = operations_,
                  .bytes = size,
                  .checksum = 0};
    std::memcpy(header.magic, kMagic.data(), kMagic.size());
    std::string head(reinterpret_cast<const char*>(&header), sizeof header);
    for (const Column* column : columns) {
      head.append(reinterpret_cast<const char*>(&column->entry), sizeof column->entry);
    }
    header.checksum = XXH3_64bits(head.data(), head.size());
    std::memcpy(head.data(), &header, sizeof header);
    return std::fseek(file_.get(), 0, SEEK_SET) == 0 &&
           std::fwrite(head.data(), 1, head.size(), file_.get()) == head.size();
  }

  const State& state_;
  const std::string& path_;
  const std::optional<Error> loss_;
  std::string partial_;                    // the file until it is whole
  const std::int64_t cut_ = state_.cut();  // the same for both passes
  std::unique_ptr<std::FILE, File> file_;
  std::size_t operations_ = 0;
  std::size_t arguments_ = 0;
  Values values_;
};

}  // namespace

}  // namespace record

Result<void> Recorder::write(const std::string& path, Loss loss) const {
  auto lost = state_->loss();
  if (lost && loss == Loss::refused) return *std::move(lost);
  return record::Writer(*state_, path, std::move(lost)).run();
}

}  // namespace linchpin

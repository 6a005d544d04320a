// Writes the native binary format (layout.hpp) part by part. The format has columns one behind the other, so each waits
// in a temporary file until all are complete; checksums are kept on the way.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <absl/container/flat_hash_map.h>
#define XXH_STATIC_LINKING_ONLY  // for the states of checksums that are kept on the way
#include <xxhash.h>

#include "formats/binary/format.hpp"
#include "formats/binary/layout.hpp"
#include "formats/binary/records.hpp"
#include "history/columns.hpp"

namespace linchpin::formats::binary {

namespace {

using GiveTo = std::function<bool(std::string_view)>;

constexpr std::uint64_t kMostInAll = 0x7ffffffeU;  // operations and arguments, as readers have it

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A section on its way: in a temporary file.
class Spool {
 public:
  explicit Spool(Section section) : section_(section), file_(std::tmpfile()) { XXH3_64bits_reset(&checksum_); }

  [[nodiscard]] Section section() const { return section_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool good() const { return file_ != nullptr; }

  template <class T>
  bool put(std::span<const T> values) {
    return put(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  bool put(std::string_view bytes) {
    if (bytes.empty()) return true;
    XXH3_64bits_update(&checksum_, bytes.data(), bytes.size());
    size_ += bytes.size();
    return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
  }

  /// With the padding, which checksums cover.
  [[nodiscard]] std::uint64_t checksum() {
    constexpr char kZeros[8] = {};
    XXH3_64bits_update(&checksum_, kZeros, padded(size_) - size_);
    return XXH3_64bits_digest(&checksum_);
  }

  /// False: the file could not be read. `more` becomes false when the sink has had enough.
  bool give(const GiveTo& sink, bool& more) {
    std::string buffer(std::size_t{1} << 20, '\0');
    std::rewind(file_.get());
    std::uint64_t left = size_;
    while (left > 0 && more) {
      const std::size_t count = std::min<std::uint64_t>(left, buffer.size());
      if (std::fread(buffer.data(), 1, count, file_.get()) != count) return false;
      more = sink(std::string_view(buffer.data(), count));
      left -= count;
    }
    if (more && padded(size_) > size_) more = sink(std::string(padded(size_) - size_, '\0'));
    return true;
  }

 private:
  Section section_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t size_ = 0;
  XXH3_state_t checksum_{};
};

/// Strings, lists and big integers of all parts, each once.
class SharedValues {
 public:
  std::uint64_t bits_of(Value value, const ValuePool& pool) {
    switch (value.kind()) {
      case Value::Kind::big_integer: {
        const auto [at, fresh] = integers_.try_emplace(pool.integer_of(value), 0);
        if (fresh) at->second = tables.add_integer(at->first);
        return at->second;
      }
      case Value::Kind::string: {
        const auto [at, fresh] = strings_.try_emplace(std::string(pool.text_of(value)), 0);
        if (fresh) at->second = tables.add_string(at->first);
        return at->second;
      }
      case Value::Kind::list: {
        std::vector<std::uint64_t> elements;
        for (const Value element : pool.elements_of(value)) elements.push_back(bits_of(element, pool));
        const auto [at, fresh] = lists_.try_emplace(std::move(elements), 0);
        if (fresh) at->second = tables.add_list(at->first);
        return at->second;
      }
      default: return value.bits();
    }
  }

  ValueTables tables;

 private:
  // By content: the bits in the file.
  absl::flat_hash_map<std::int64_t, std::uint64_t> integers_;
  absl::flat_hash_map<std::string, std::uint64_t> strings_;
  absl::flat_hash_map<std::vector<std::uint64_t>, std::uint64_t> lists_;
};

class Parts final : public core::PartsWriter {
 public:
  Result<void> add(const History& part) override {
    if (!spools_good()) return io();
    if (!HistoryColumns::process_names(part).empty() || !part.fields().empty() || !part.annotations().empty() ||
        HistoryColumns::has_places(part)) {
      return Error{.code = ErrorCode::unsupported,
                   .message = "names of processes, fields, annotations and places cannot be written part by part"};
    }
    if (names_.empty()) names_ = names_of(part);
    const std::uint64_t first_argument = argument_.size() / sizeof(std::uint64_t);
    const std::span<const Value> arguments = HistoryColumns::arguments(part);
    if (operations_ + part.size() > kMostInAll || first_argument + arguments.size() > kMostInAll) {
      return Error{.code = ErrorCode::too_large, .message = "a history has at most 2^31 - 2 operations and arguments"};
    }
    operations_ += part.size();
    const std::span<const ProcessId> processes = HistoryColumns::processes(part);
    const std::span<const ObjectIndex> objects = HistoryColumns::objects(part);
    has_processes_ = has_processes_ || !processes.empty();
    has_objects_ = has_objects_ || !objects.empty();
    const std::vector<ProcessId> nobody(processes.empty() ? part.size() : 0, kNoProcess);
    const std::vector<ObjectIndex> the_first(objects.empty() ? part.size() : 0, 0);
    std::vector<std::uint32_t> begins;
    begins.reserve(part.size());
    for (const std::uint32_t begin : HistoryColumns::argument_begins(part).first(part.size())) {
      begins.push_back(static_cast<std::uint32_t>(first_argument) + begin);
    }
    const bool whole = process_.put(processes.empty() ? std::span<const ProcessId>(nobody) : processes) &&
                       object_.put(objects.empty() ? std::span<const ObjectIndex>(the_first) : objects) &&
                       method_.put(std::span(part.methods())) &&
                       argument_begin_.put(std::span<const std::uint32_t>(begins)) &&
                       argument_.put(bits(arguments, part.pool())) && result_.put(bits(part.results(), part.pool())) &&
                       call_.put(std::span(part.calls())) && response_.put(std::span(part.responses()));
    return whole ? Result<void>() : io();
  }

  Result<void> finish(const GiveTo& sink) override {
    if (!spools_good()) return io();
    const auto end = static_cast<std::uint32_t>(argument_.size() / sizeof(std::uint64_t));
    if (!argument_begin_.put(std::span(&end, 1))) return io();
    std::vector<Spool*> spools;
    if (has_processes_) spools.push_back(&process_);
    if (has_objects_) spools.push_back(&object_);
    for (Spool* const spool : {&method_, &argument_begin_, &argument_, &result_, &call_, &response_}) {
      spools.push_back(spool);
    }
    std::vector<Spool> small;
    small.reserve(6);  // pointers into it stay
    const auto keep = [&](Section section, std::string_view bytes) {
      if (bytes.empty()) return true;
      small.emplace_back(section);
      spools.push_back(&small.back());
      return small.back().good() && small.back().put(bytes);
    };
    const auto bytes_of = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    };
    if (!keep(Section::integers, bytes_of(values_.tables.integers)) ||
        !keep(Section::text_ends, bytes_of(values_.tables.text_ends)) || !keep(Section::text, values_.tables.text) ||
        !keep(Section::list_ends, bytes_of(values_.tables.list_ends)) ||
        !keep(Section::list, bytes_of(values_.tables.list)) || !keep(Section::names, names_)) {
      return io();
    }
    std::string head(sizeof(Header) + spools.size() * sizeof(SectionEntry), '\0');
    std::uint64_t offset = head.size();
    for (std::size_t i = 0; i < spools.size(); ++i) {
      const SectionEntry entry{static_cast<std::uint32_t>(spools[i]->section()), 0, offset, spools[i]->size(),
                               spools[i]->checksum()};
      std::memcpy(head.data() + sizeof(Header) + i * sizeof entry, &entry, sizeof entry);
      offset += padded(spools[i]->size());
    }
    Header header{.version = kVersion,
                  .section_count = static_cast<std::uint32_t>(spools.size()),
                  .operations = operations_,
                  .bytes = offset,
                  .checksum = 0};
    std::memcpy(header.magic, kMagic.data(), kMagic.size());
    std::memcpy(head.data(), &header, sizeof header);
    header.checksum = XXH3_64bits(head.data(), head.size());
    std::memcpy(head.data(), &header, sizeof header);
    bool more = sink(head);
    for (Spool* const spool : spools) {
      if (more && !spool->give(sink, more)) return io();
    }
    return {};
  }

 private:
  [[nodiscard]] bool spools_good() const {
    return process_.good() && object_.good() && method_.good() && argument_begin_.good() && argument_.good() &&
           result_.good() && call_.good() && response_.good();
  }
  static Error io() {
    return Error{.code = ErrorCode::io,
                 .message = std::string("cannot keep a part in a temporary file: ") + std::strerror(errno),
                 .hint = "is there room in the folder for temporary files?"};
  }

  std::span<const std::uint64_t> bits(std::span<const Value> values, const ValuePool& pool) {
    bits_.clear();
    for (const Value value : values) bits_.push_back(values_.bits_of(value, pool));
    return bits_;
  }

  Spool process_{Section::process}, object_{Section::object}, method_{Section::method},
      argument_begin_{Section::argument_begin}, argument_{Section::argument}, result_{Section::result},
      call_{Section::call}, response_{Section::response};
  bool has_processes_ = false, has_objects_ = false;
  std::uint64_t operations_ = 0;
  SharedValues values_;
  std::string names_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::unique_ptr<core::PartsWriter> write_parts() { return std::make_unique<Parts>(); }

}  // namespace linchpin::formats::binary

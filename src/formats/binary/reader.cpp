// Reads the native binary format (layout.hpp, docs/formats/binary.md).
//
// Checksums catch accidents; every count, offset, id and value is checked besides, so that a file made to harm gives an
// error too. Columns are checked in one pass each and copied whole: about 60 bytes an operation are read twice (once
// for the checksum) and written once. Tests: binary_test.cpp.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <xxhash.h>

#include "core/reading_limits.hpp"
#include "formats/binary/format.hpp"
#include "formats/binary/layout.hpp"
#include "formats/binary/recording.hpp"
#include "formats/lines.hpp"
#include "history/columns.hpp"
#include "history/list_table.hpp"
#include "history/process_names.hpp"
#include "history/validation.hpp"

namespace linchpin::formats::binary {

namespace {

constexpr std::string_view kDamaged = "the file is damaged: copy or convert it again";
constexpr std::uint64_t kMost = 0x7ffffffeU;                  // operations and arguments, as in HistoryBuilder
constexpr std::uint32_t kMostDepth = 64;                      // of lists in lists
constexpr std::uint64_t kMostParts = std::uint64_t{1} << 24;  // of a list and what it holds, all told

/// An input iterator over numbers that need not be aligned.
template <class T>
class Loads {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = T;

  explicit Loads(const char* at) : at_(at) {}
  T operator*() const {
    T value;
    std::memcpy(&value, at_, sizeof(T));
    return value;
  }
  T operator[](difference_type i) const { return *(*this + i); }
  Loads& operator++() { return *this += 1; }
  Loads operator++(int) { return std::exchange(*this, *this + 1); }
  Loads& operator--() { return *this += -1; }
  Loads& operator+=(difference_type n) {
    at_ += n * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  friend Loads operator+(Loads loads, difference_type n) { return loads += n; }
  friend Loads operator-(Loads loads, difference_type n) { return loads += -n; }
  friend difference_type operator-(Loads a, Loads b) {
    return (a.at_ - b.at_) / static_cast<difference_type>(sizeof(T));
  }
  bool operator==(const Loads&) const = default;

 private:
  const char* at_;
};

class HistoryReader {
 public:
  HistoryReader(const core::Source& source, const ReadOptions& options, std::string_view bytes)
      : source_(source), options_(options), bytes_(bytes) {}

  /// Bytes of the history, known once its header is.
  [[nodiscard]] std::size_t size() const { return size_; }

  Result<History> run() {
    HistoryColumns columns;
    columns.set_source(source_.name);
    if (!header() || !table() || !fits() || !read_columns(columns) || !read_pool(columns) || !read_names(columns) ||
        !read_fields(columns) || !check(columns)) {
      return std::move(*error_);
    }
    if (auto checked = history::check_operations(columns.history); !checked) return checked.error();
    return std::move(columns.history);
  }

 private:
  bool fail(ErrorCode code, std::string message, std::string hint = std::string(kDamaged)) {
    const auto offset = static_cast<std::size_t>(bytes_.data() - source_.bytes.data());
    if (offset != 0) message += fmt::format(" (history at byte {})", offset);
    error_ = Error{.code = code, .source = source_.name, .message = std::move(message), .hint = std::move(hint)};
    return false;
  }
  bool truncated() { return fail(ErrorCode::truncated, "the file ends inside a history", "is the file cut off?"); }

  bool too_many() {
    return fail(ErrorCode::too_large, "more than 2^31 - 2 operations or arguments in one history",
                "split the recording");
  }

  bool header() {
    if (bytes_.substr(0, kMagic.size()) != kMagic.substr(0, bytes_.size())) {
      return fail(ErrorCode::syntax, "not a binary history", "it begins with the letters LNCHPIN and a zero byte");
    }
    if (bytes_.size() < sizeof(Header)) return truncated();
    std::memcpy(&header_, bytes_.data(), sizeof(Header));
    if (header_.version != kVersion) {
      return fail(ErrorCode::unsupported, fmt::format("version {} of the binary format", header_.version),
                  "this build reads version 1");
    }
    if (header_.section_count > kLastSection) return fail(ErrorCode::syntax, "too many sections");
    const std::size_t head = sizeof(Header) + header_.section_count * sizeof(SectionEntry);
    if (bytes_.size() < head) return truncated();
    std::string signed_bytes(bytes_.substr(0, head));
    Header blank = header_;
    blank.checksum = 0;
    std::memcpy(signed_bytes.data(), &blank, sizeof blank);
    if (XXH3_64bits(signed_bytes.data(), head) != header_.checksum) {
      return fail(ErrorCode::checksum, "the header's checksum is wrong");
    }
    if (header_.bytes < head || header_.bytes % 8 != 0) return fail(ErrorCode::syntax, "the header's size is wrong");
    if (header_.bytes > bytes_.size()) return truncated();
    size_ = header_.bytes;
    bytes_ = bytes_.substr(0, size_);
    if (header_.operations > kMost) return too_many();
    n_ = header_.operations;
    return true;
  }

  bool table() {
    std::size_t end = sizeof(Header) + header_.section_count * sizeof(SectionEntry);
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < header_.section_count; ++i) {
      SectionEntry entry{};
      std::memcpy(&entry, bytes_.data() + sizeof(Header) + i * sizeof(SectionEntry), sizeof entry);
      // Sections come in the order of their numbers, one behind the other.
      if (entry.section <= last || entry.section > kLastSection || entry.reserved != 0 || entry.offset != end ||
          entry.size > bytes_.size() - end || padded(entry.size) > bytes_.size() - end) {
        return fail(ErrorCode::syntax, fmt::format("the table of sections is wrong at entry {}", i));
      }
      last = entry.section;
      const std::string_view bytes = bytes_.substr(entry.offset, padded(entry.size));
      end += bytes.size();
      if (XXH3_64bits(bytes.data(), bytes.size()) != entry.checksum) {
        return fail(ErrorCode::checksum, fmt::format("the checksum of section {} is wrong", entry.section));
      }
      sections_[entry.section] = bytes.substr(0, entry.size);
    }
    return end == bytes_.size() || fail(ErrorCode::syntax, "the sections do not fill the file");
  }

  /// Whether there is memory for the history: columns as they are in the file, names and values with their indices.
  bool fits() {
    if (source_.limits == nullptr) return true;
    constexpr std::size_t kValue = 128;  // a string or a list, without its content
    const auto bytes_of = [this](Section which) { return section(which).value_or(std::string_view()).size(); };
    const std::size_t values = (bytes_of(Section::text_ends) + bytes_of(Section::list_ends)) / sizeof(std::uint64_t);
    if (source_.limits->allows(size_ + kValue * values + 4 * bytes_of(Section::names))) return true;
    Error error = source_.limits->error(ErrorCode::too_large, source_.name);
    return fail(error.code, std::move(error.message), std::move(error.hint));
  }

  [[nodiscard]] const std::optional<std::string_view>& section(Section which) const {
    return sections_[static_cast<std::uint32_t>(which)];
  }

  /// The section as a column of `count` numbers; absent ones stay empty where they may.
  template <class T>
  bool column(Section which, std::size_t count, bool required, std::vector<T>& out) {
    const auto& bytes = section(which);
    if (!bytes) return !required || missing(which);
    if (bytes->size() != count * sizeof(T)) {
      return fail(ErrorCode::syntax, fmt::format("section {} has not {} entries", static_cast<int>(which), count));
    }
    out.assign(Loads<T>(bytes->data()), Loads<T>(bytes->data() + bytes->size()));
    return true;
  }
  /// The same for a section of any number of entries.
  template <class T>
  bool column(Section which, std::vector<T>& out) {
    const auto& bytes = section(which);
    return !bytes || column(which, bytes->size() / sizeof(T), false, out);
  }
  bool missing(Section which) {
    return fail(ErrorCode::missing_field, fmt::format("section {} is missing", static_cast<int>(which)));
  }

  bool read_columns(HistoryColumns& columns) {
    if (!section(Section::argument)) return missing(Section::argument);
    std::vector<Place> places;
    const bool read =
        column(Section::process, n_, false, columns.processes()) &&
        column(Section::object, n_, false, columns.object_column()) &&
        column(Section::method, n_, true, columns.methods()) &&
        column(Section::argument_begin, n_ + 1, true, columns.argument_begins()) &&
        column(Section::argument, columns.arguments()) && column(Section::result, n_, true, columns.results()) &&
        column(Section::call, n_, true, columns.calls()) && column(Section::response, n_, true, columns.responses()) &&
        column(Section::place, n_, false, places);
    columns.set_places(places);
    return read;
  }

  /// Interns the file's integers, strings and lists; their indices must come out as in the file.
  bool read_pool(HistoryColumns& columns) {
    ValuePool& pool = columns.pool();
    std::vector<std::int64_t> integers;
    std::vector<std::uint64_t> text_ends;
    if (!column(Section::integers, integers) || !column(Section::text_ends, text_ends)) return false;
    const auto agree = [this](Value value, std::uint64_t index, Tag tag) {
      return value.bits() == ((index << kTagBits) | tag) ||
             fail(ErrorCode::syntax, "a value stands twice in the file, or where it must not");
    };
    for (const std::int64_t integer : integers) {
      if (!agree(pool.integer(integer), integer_count_, kBigInteger)) return false;
      ++integer_count_;
    }
    const std::string_view text = section(Section::text).value_or(std::string_view());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : text_ends) {
      if (end < begin || end > text.size()) return fail(ErrorCode::syntax, "a string's end is wrong");
      if (!agree(pool.string(text.substr(begin, end - begin)), string_count_, kString)) return false;
      ++string_count_;
      begin = end;
    }
    if (begin != text.size()) return fail(ErrorCode::syntax, "text that belongs to no string");
    return read_lists(pool);
  }

  /// Lists hold only lists before them, so none holds itself. Depth and size are bounded: a short file could otherwise
  /// describe a value that takes ages to print.
  bool read_lists(ValuePool& pool) {
    struct Nesting {
      std::uint32_t depth : 7, parts : 25;
    };
    const std::string_view ends = section(Section::list_ends).value_or(std::string_view());
    const std::string_view elements = section(Section::list).value_or(std::string_view());
    const std::size_t most = ends.size() / sizeof(std::uint64_t), all = elements.size() / sizeof(std::uint64_t);
    if (ends.size() % sizeof(std::uint64_t) != 0 || elements.size() % sizeof(std::uint64_t) != 0) {
      return fail(ErrorCode::syntax, "a section of lists is no column");
    }
    std::vector<Nesting> nesting;
    nesting.reserve(most);
    ListTable table(pool);
    table.reserve(most);
    std::vector<Value> list;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < most; ++i) {
      const std::uint64_t end = *Loads<std::uint64_t>(ends.data() + i * sizeof(std::uint64_t));
      if (end < begin || end > all) return fail(ErrorCode::syntax, "a list's end is wrong");
      const Loads<Value> values(elements.data());
      list.assign(values + static_cast<std::ptrdiff_t>(begin), values + static_cast<std::ptrdiff_t>(end));
      if (!check_values(list)) return false;
      std::uint32_t depth = 1;
      std::uint64_t size = list.size();
      for (const Value element : list) {
        if (!element.is_list()) continue;
        const Nesting of = nesting[element.bits() >> kTagBits];
        depth = std::max<std::uint32_t>(depth, of.depth + 1U);
        size += of.parts;
      }
      if (depth > kMostDepth || size > kMostParts) {
        return fail(ErrorCode::too_large, "a list is nested too deeply or too large", "values nest up to 64 deep");
      }
      nesting.push_back({.depth = depth, .parts = static_cast<std::uint32_t>(size)});
      table.add(list);
      ++list_count_;
      begin = end;
    }
    if (begin != all) return fail(ErrorCode::syntax, "values that belong to no list");
    return table.all_differ() || fail(ErrorCode::syntax, "a value stands twice in the file, or where it must not");
  }

  /// Whether the values are some that this file's pool has.
  bool check_values(std::span<const Value> values) {
    const std::array<std::uint64_t, 8> bounds{
        kSpecials, std::uint64_t{1} << 61, integer_count_, string_count_, list_count_, 0, 0, 0};
    bool good = true;
    for (const Value value : values) good &= (value.bits() >> kTagBits) < bounds[value.bits() & kTagMask];
    return good || fail(ErrorCode::syntax, "a value that the file does not define");
  }

  // --- names ---

  bool number(std::uint64_t& out) {
    if (records_.size() < sizeof out) return fail(ErrorCode::truncated, "the names end too early");
    std::memcpy(&out, records_.data(), sizeof out);
    records_.remove_prefix(sizeof out);
    return true;
  }
  /// How many records of at least `least` bytes follow.
  bool count(std::uint64_t& out, std::size_t least) {
    if (!number(out)) return false;
    return out <= records_.size() / least || fail(ErrorCode::syntax, "a count of names is wrong");
  }
  bool string(std::string& out) {
    std::uint64_t length = 0;
    if (!number(length)) return false;
    if (length > records_.size() || padded(length) > records_.size()) {
      return fail(ErrorCode::syntax, "the length of a name is wrong");
    }
    out = records_.substr(0, length);
    records_.remove_prefix(padded(length));
    return true;
  }

  bool twice(std::string_view what, std::string_view name, const char* at) {
    return fail(ErrorCode::syntax, fmt::format("two {} are called {}, the second at byte {}", what, in_quotes(name),
                                               at - source_.bytes.data()));
  }

  bool read_names(HistoryColumns& columns) {
    if (!section(Section::names)) return missing(Section::names);
    records_ = *section(Section::names);
    for (std::vector<std::string>* const names : {&columns.method_names(), &columns.process_names()}) {
      std::uint64_t many = 0;
      if (!count(many, 8)) return false;
      names->resize(many);
      absl::flat_hash_set<std::string> seen;
      for (std::string& name : *names) {
        const char* const at = records_.data();
        if (!string(name)) return false;
        const bool methods = names == &columns.method_names();
        if (!seen.insert(name).second) return twice(methods ? "methods" : "processes", name, at);
      }
    }
    return read_objects(columns.objects()) && read_annotations(columns.annotations()) &&
           (records_.empty() || fail(ErrorCode::syntax, "the names do not fill their section"));
  }

  bool read_fields(HistoryColumns& columns) {
    std::vector<std::int64_t> integers;
    std::vector<Value> values;
    std::uint64_t many = 0;
    records_ = section(Section::field_names).value_or(std::string_view());
    if (section(Section::field_names) && !count(many, 8)) return false;
    const bool fits = many == 0 || n_ <= SIZE_MAX / sizeof(std::int64_t) / many;
    if (!fits) return fail(ErrorCode::syntax, "a count of fields is wrong");
    const bool any = section(Section::field_values).has_value();
    if (any && section(Section::fields)) return fail(ErrorCode::syntax, "fields stand twice in the file");
    if (!column(Section::fields, many * n_, !any && many * n_ != 0, integers) ||
        !column(Section::field_values, many * n_, false, values) || !check_values(values)) {
      return false;
    }
    for (const std::int64_t integer : integers) {
      values.push_back(integer == kNoInteger ? Value::none() : columns.pool().integer(integer));
    }
    for (std::uint64_t k = 0; k < many; ++k) {
      Field& field = columns.fields().emplace_back();
      if (!string(field.name)) return false;
      for (std::uint64_t earlier = 0; earlier < k; ++earlier) {
        if (columns.fields()[earlier].name == field.name) {
          return fail(ErrorCode::syntax, "two fields of one name");
        }
      }
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * n_);
      field.values.assign(begin, begin + static_cast<std::ptrdiff_t>(n_));
      std::replace(field.values.begin(), field.values.end(), Value::nil(), Value::none());
    }
    return records_.empty() || fail(ErrorCode::syntax, "the names of fields do not fill their section");
  }

  bool read_objects(std::vector<Object>& objects) {
    std::uint64_t many = 0;
    if (!count(many, 24)) return false;
    if (many == 0) return fail(ErrorCode::missing_field, "the history has no object");
    objects.resize(many);
    absl::flat_hash_set<std::string> seen;
    for (Object& object : objects) {
      const char* const at = records_.data();
      std::uint64_t options = 0;
      if (!string(object.name) || !string(object.type.name) || !count(options, 16)) return false;
      if (!seen.insert(object.name).second) return twice("objects", object.name, at);
      object.type.options.resize(options);
      absl::flat_hash_set<std::string> named;
      for (auto& [option, value] : object.type.options) {
        const char* const option_at = records_.data();
        if (!string(option) || !string(value)) return false;
        if (!named.insert(option).second) return twice("options of one type", option, option_at);
      }
      if (options_.type) object.type = *options_.type;
    }
    return true;
  }

  bool read_annotations(std::vector<Annotation>& annotations) {
    std::uint64_t many = 0;
    if (!count(many, 48)) return false;
    annotations.resize(many);
    for (Annotation& annotation : annotations) {
      std::uint64_t begin = 0;
      std::uint64_t has_end = 0;
      std::uint64_t end = 0;
      if (!number(begin) || !number(has_end) || !number(end) || !string(annotation.text) ||
          !string(annotation.process) || !string(annotation.colour)) {
        return false;
      }
      if (has_end > 1) return fail(ErrorCode::syntax, "an annotation's end is wrong");
      annotation.begin = static_cast<Tick>(begin);
      if (has_end == 1) annotation.end = static_cast<Tick>(end);
    }
    return true;
  }

  // --- the whole ---

  bool check(HistoryColumns& columns) {
    if (columns.arguments().size() > kMost) return too_many();
    std::uint32_t least = 0;
    bool ascending = columns.argument_begins()[0] == 0;
    for (const std::uint32_t begin : columns.argument_begins()) {
      ascending &= begin >= least;
      least = begin;
    }
    if (!ascending || least != columns.arguments().size())
      return fail(ErrorCode::syntax, "the arguments' rows are wrong");
    const auto method_count = columns.method_names().size();
    bool good = method_count <= 0xffff;
    for (const MethodIndex method : columns.methods()) good &= method < method_count;
    if (!good) return fail(ErrorCode::syntax, "a method that has no name");
    const std::size_t object_count = columns.objects().size();
    for (const ObjectIndex object : columns.object_column()) good &= object < object_count;
    if (!good) return fail(ErrorCode::syntax, "an object that is not declared");
    const std::size_t name_count = columns.process_names().size();
    for (const ProcessId process : columns.processes()) {
      const bool named = (process & history::kNamedProcess) != 0;
      good &= !named || process == kNoProcess || (process & ~history::kNamedProcess) < name_count;
    }
    if (!good || name_count >= history::kNamedProcess - 1) return fail(ErrorCode::syntax, "a process that has no name");
    if (!check_values(columns.arguments()) || !check_values(columns.results())) return false;
    std::size_t pending = 0;
    for (const Tick response : columns.responses()) pending += response == kPending ? 1 : 0;
    columns.set_pending_count(pending);
    if (pending != 0) {  // as the builder does: what is pending without a result has an unknown one
      for (std::size_t i = 0; i < n_; ++i) {
        Value& result = columns.results()[i];
        if (columns.responses()[i] == kPending && result.is_none()) result = Value::unknown();
      }
    }
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  std::string_view bytes_;
  std::size_t size_ = 0;
  std::size_t n_ = 0;  // operations
  Header header_{};
  std::array<std::optional<std::string_view>, kLastSection + 1> sections_;
  std::uint64_t integer_count_ = 0, string_count_ = 0, list_count_ = 0;  // of the pool so far
  std::string_view records_;                                             // of the names, what is left
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) { return head.starts_with(kMagic) || head.starts_with(kRecordingMagic) ? 100 : 0; }

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  if (source.bytes.starts_with(kRecordingMagic)) return read_recording(source, options, emit);
  std::string_view rest = source.bytes;
  do {
    HistoryReader reader(source, options, rest);
    if (!emit(reader.run())) return;
    if (reader.size() == 0) return;  // its extent is unknown
    rest.remove_prefix(reader.size());
  } while (!rest.empty());
}

}  // namespace linchpin::formats::binary

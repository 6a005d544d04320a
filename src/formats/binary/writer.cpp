// Writes the native binary format (layout.hpp). Values that the history does not use are left out.
#include <array>
#include <optional>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <xxhash.h>

#include "formats/binary/format.hpp"
#include "formats/binary/layout.hpp"
#include "formats/binary/records.hpp"
#include "history/columns.hpp"

namespace linchpin::formats::binary {

namespace {

/// The pool's values that are used, numbered from 0 by kind in the order of first use, parts before wholes.
class Values {
 public:
  explicit Values(const ValuePool& pool) : pool_(pool) {}

  std::uint64_t bits_of(Value value) {
    const Value::Kind kind = value.kind();
    if (kind != Value::Kind::big_integer && kind != Value::Kind::string && kind != Value::Kind::list) {
      return value.bits();
    }
    const auto found = index_.find(value.bits());
    if (found != index_.end()) return found->second;
    std::uint64_t bits = 0;
    if (kind == Value::Kind::big_integer) {
      bits = tables.add_integer(pool_.integer_of(value));
    } else if (kind == Value::Kind::string) {
      bits = tables.add_string(pool_.text_of(value));
    } else {
      std::vector<std::uint64_t> elements;
      for (const Value element : pool_.elements_of(value)) elements.push_back(bits_of(element));
      bits = tables.add_list(elements);
    }
    index_.emplace(value.bits(), bits);
    return bits;
  }

  ValueTables tables;

 private:
  const ValuePool& pool_;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> index_;  // bits in the pool to bits in the file
};

std::string names_of_fields(const History& history) {
  Records records;
  if (!history.fields().empty()) records.number(history.fields().size());
  for (const Field& field : history.fields()) records.string(field.name);
  return std::move(records.bytes);
}

/// The fields as integers, one behind the other; nothing where not all of them are.
std::optional<std::vector<std::int64_t>> integers_of_fields(const History& history) {
  std::vector<std::int64_t> integers;
  for (const Field& field : history.fields()) {
    for (const Value value : field.values) {
      const bool integer = value.kind() == Value::Kind::integer || value.kind() == Value::Kind::big_integer;
      if (!integer && !value.is_none()) return std::nullopt;
      integers.push_back(integer ? history.pool().integer_of(value) : kNoInteger);
      if (integer && integers.back() == kNoInteger) return std::nullopt;
    }
  }
  return integers;
}

struct Piece {
  Section section;
  std::string_view bytes;
};

template <class Column>
std::string_view bytes_of(const Column& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(*column.data())};
}

}  // namespace

Result<void> write(const History& history, std::string& out) {
  Values values(history.pool());
  std::vector<std::uint64_t> arguments;
  arguments.reserve(HistoryColumns::arguments(history).size());
  for (const Value value : HistoryColumns::arguments(history)) arguments.push_back(values.bits_of(value));
  std::vector<std::uint64_t> results;
  results.reserve(history.size());
  for (const Value value : history.results()) results.push_back(values.bits_of(value));
  const std::string names = names_of(history);
  const std::string field_names = names_of_fields(history);
  const auto integers = integers_of_fields(history);
  std::vector<std::uint64_t> field_values;
  if (!integers) {
    for (const Field& field : history.fields()) {
      for (const Value value : field.values) field_values.push_back(values.bits_of(value));
    }
  }

  const std::vector<Place> places = HistoryColumns::places(history);

  std::vector<Piece> pieces;
  const auto optional = [&](Section section, std::string_view bytes) {
    if (!bytes.empty()) pieces.push_back({section, bytes});
  };
  optional(Section::process, bytes_of(HistoryColumns::processes(history)));
  optional(Section::object, bytes_of(HistoryColumns::objects(history)));
  pieces.push_back({Section::method, bytes_of(history.methods())});
  pieces.push_back({Section::argument_begin, bytes_of(HistoryColumns::argument_begins(history))});
  pieces.push_back({Section::argument, bytes_of(arguments)});
  pieces.push_back({Section::result, bytes_of(results)});
  pieces.push_back({Section::call, bytes_of(history.calls())});
  pieces.push_back({Section::response, bytes_of(history.responses())});
  optional(Section::place, bytes_of(places));
  optional(Section::integers, bytes_of(values.tables.integers));
  optional(Section::text_ends, bytes_of(values.tables.text_ends));
  optional(Section::text, values.tables.text);
  optional(Section::list_ends, bytes_of(values.tables.list_ends));
  optional(Section::list, bytes_of(values.tables.list));
  pieces.push_back({Section::names, names});
  if (integers) optional(Section::fields, bytes_of(*integers));
  optional(Section::field_names, field_names);
  optional(Section::field_values, bytes_of(field_values));

  const std::size_t begin = out.size();
  std::uint64_t offset = sizeof(Header) + pieces.size() * sizeof(SectionEntry);
  std::vector<SectionEntry> table;
  for (const Piece& piece : pieces) {
    table.push_back({static_cast<std::uint32_t>(piece.section), 0, offset, piece.bytes.size(), 0});
    offset += padded(piece.bytes.size());
  }
  out.reserve(begin + offset);
  out.resize(begin + sizeof(Header) + table.size() * sizeof(SectionEntry));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t at = out.size();
    out += pieces[i].bytes;
    out.resize(at + padded(pieces[i].bytes.size()));
    table[i].checksum = XXH3_64bits(out.data() + at, out.size() - at);
  }
  Header header{.version = kVersion,
                .section_count = static_cast<std::uint32_t>(table.size()),
                .operations = history.size(),
                .bytes = offset,
                .checksum = 0};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  std::memcpy(out.data() + begin, &header, sizeof header);
  std::memcpy(out.data() + begin + sizeof header, table.data(), table.size() * sizeof(SectionEntry));
  header.checksum = XXH3_64bits(out.data() + begin, sizeof header + table.size() * sizeof(SectionEntry));
  std::memcpy(out.data() + begin, &header, sizeof header);
  return {};
}

}  // namespace linchpin::formats::binary

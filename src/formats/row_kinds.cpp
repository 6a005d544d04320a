#include "formats/row_kinds.hpp"

#include <fmt/format.h>

#include "base/names.hpp"

namespace linchpin::formats {

namespace {

/// The word of a line "# word"; empty: the line is something else.
std::string_view header_word(std::string_view line) {
  Fields fields(line);
  if (fields.done() || *fields.at() != '#') return {};
  fields.skip(1);
  const std::string_view word = fields.take();
  return fields.done() ? word : std::string_view();
}

}  // namespace

MethodFinder::MethodFinder(const RowKind& kind) : methods_(kind.methods) {
  for (std::size_t i = 0; i < methods_.size() && i < heads_.size(); ++i) {
    const std::string_view word = methods_[i].word;
    if (word.size() > 8) continue;
    lengths_[i] = static_cast<std::uint8_t>(word.size());
    for (std::size_t k = word.size(); k-- > 0;) {
      heads_[i] = heads_[i] << 8 | static_cast<unsigned char>(word[k]);
    }
  }
}

std::size_t MethodFinder::find_slowly(std::string_view word) const {
  std::size_t which = 0;
  while (which < methods_.size() && methods_[which].word != word) ++which;
  return which;
}

const RowKind* find_kind(std::span<const RowKind> kinds, std::string_view name) {
  for (const RowKind& kind : kinds) {
    if (base::same_name(kind.name, name) || base::is_listed(kind.aliases, name)) return &kind;
  }
  return nullptr;
}

std::string kind_names(std::span<const RowKind> kinds) {
  std::string names;
  for (const RowKind& kind : kinds) names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  return names;
}

std::string method_words(const RowKind& kind) {
  std::string words;
  for (const RowMethod& method : kind.methods) words += fmt::format("{}{}", words.empty() ? "" : ", ", method.word);
  return words;
}

RowHead row_head(std::span<const RowKind> kinds, std::string_view head) {
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  RowHead found;
  while (lines.next()) {
    const std::string_view line = trim(lines.text());
    if (line.empty()) continue;
    if (found.kind != nullptr && line[0] == '#') continue;
    if (found.kind != nullptr) {
      found.row = line;
      return found;
    }
    const std::string_view word = header_word(line);
    found.kind = word.empty() ? nullptr : find_kind(kinds, word);
    if (found.kind == nullptr) return found;
  }
  return found;
}

Result<const RowKind*> read_kind(std::span<const RowKind> kinds, LineReader& lines,
                                 const std::optional<TypeName>& given) {
  const std::string hint = fmt::format("the first line is '# TYPE' with one of: {}", kind_names(kinds));
  std::string_view line;
  while (lines.next()) {
    line = trim(lines.text());
    if (!line.empty()) break;
  }
  if (line.empty()) {
    return lines.error(ErrorCode::missing_field, lines.text().data(), "the input holds only blank lines", hint);
  }
  const std::string_view word = header_word(line);
  if (word.empty()) return lines.error(ErrorCode::missing_field, line.data(), "the header is missing", hint);
  const RowKind* const kind = find_kind(kinds, word);
  if (given) {
    if (const RowKind* const asked = find_kind(kinds, given->name); asked != nullptr) return asked;
  }
  if (kind == nullptr) {
    return lines.error(ErrorCode::unknown_type, word.data(), fmt::format("this format has no type {}", in_quotes(word)),
                       hint);
  }
  return kind;
}

bool is_second_header(std::span<const RowKind> kinds, const LineReader& lines, std::optional<Error>& error) {
  const std::string_view word = header_word(lines.text());
  if (word.empty() || find_kind(kinds, word) == nullptr) return false;
  error = lines.error(ErrorCode::syntax, word.data(), fmt::format("a second header, '# {}'", word),
                      "an input holds the history of one object: give each a file of its own");
  return true;
}

TypeName type_of(const RowKind& kind, const std::optional<TypeName>& given) {
  if (given) return *given;
  auto type = TypeName::parse(kind.type);
  return type ? std::move(*type) : TypeName{.name = std::string(kind.name), .options = {}};
}

}  // namespace linchpin::formats

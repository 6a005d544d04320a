#include "app/split_parts.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/output_file.hpp"
#include "core/format.hpp"
#include "formats/read.hpp"
#include "formats/source.hpp"
#include "history/process_names.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kWaiting = std::size_t{1} << 19;  // operations in memory, about 100 MB with their values

Error spill_error(const std::string& path) {
  return Error{.code = ErrorCode::io,
               .source = path,
               .message = std::strerror(errno),
               .hint = "splitting takes about twice the room of the parts"};
}

}  // namespace

/// Appends operations of other histories to a builder, whatever pools and numbers they have.
class SplitParts::Gathering {
 public:
  void add(const History& from, OperationIndex i, Place place) {
    const ProcessId process = from.process(i);
    const bool named = process != kNoProcess && (process & history::kNamedProcess) != 0;
    const ProcessId own = named ? builder_.process(from.process_name(process)) : process;
    const Object& object = from.objects()[from.object(i).number()];
    const ObjectIndex own_object = builder_.object(object.name);
    if (own_object.number() >= typed_) {
      builder_.set_type(own_object, object.type);
      typed_ = own_object.number() + 1;
    }
    for (const Value value : from.arguments(i)) builder_.argument(builder_.pool().import(value, from.pool()));
    const OperationIndex added =
        builder_.add(own, own_object, builder_.method(from.method_name(from.method(i))),
                     builder_.pool().import(from.result(i), from.pool()), from.call(i), from.response(i), place);
    for (const Field& field : from.fields()) {
      if (field.values[i.number()].is_none()) continue;
      builder_.field(added, field.name, builder_.pool().import(field.values[i.number()], from.pool()));
    }
  }
  void annotate(const Annotation& annotation) { builder_.annotate(annotation); }
  void set_source(std::string source) { builder_.set_source(std::move(source)); }
  [[nodiscard]] std::size_t size() const { return builder_.size(); }
  Result<History> build() { return std::move(builder_).build(); }

 private:
  HistoryBuilder builder_;
  std::size_t typed_ = 0;  // objects, numbered in the order in which they come
};

struct SplitParts::Part {
  std::optional<Gathering> gathering;
  std::uint64_t operations = 0;
  bool spilled = false;
};

SplitParts::SplitParts(std::string folder, std::uint32_t parts) : folder_(std::move(folder)), parts_(parts) {
  for (auto& part : parts_) part = std::make_unique<Part>();
}

SplitParts::~SplitParts() {
  std::error_code gone;
  for (std::uint32_t number = 0; number < parts_.size(); ++number) std::filesystem::remove(spill_path(number), gone);
}

void SplitParts::remove() const {
  std::error_code gone;
  for (std::uint32_t number = 0; number < parts_.size(); ++number) {
    std::filesystem::remove(spill_path(number), gone);
    std::filesystem::remove(part_path(number), gone);
  }
}

std::string SplitParts::spill_path(std::uint32_t number) const {
  return (std::filesystem::path(folder_) / fmt::format(".spill-{}", number + 1)).string();
}

std::string SplitParts::part_path(std::uint32_t number) const {
  return (std::filesystem::path(folder_) / fmt::format("part-{}.bin", number + 1)).string();
}

Result<void> SplitParts::add(std::uint32_t part, const History& batch, OperationIndex i, std::uint64_t line) {
  if (line > std::numeric_limits<std::uint32_t>::max()) {
    return Error{.code = ErrorCode::too_large,
                 .line = line,
                 .message = "a history of more than 2^32 - 1 lines",
                 .hint = "split its files one by one"};
  }
  Part& to = *parts_[part];
  if (!to.gathering) to.gathering.emplace();
  to.gathering->add(batch, i, Place{.line = static_cast<std::uint32_t>(line), .column = batch.place(i).column});
  ++to.operations;
  return ++waiting_ < kWaiting ? Result<void>() : spill();
}

void SplitParts::annotate(const Annotation& annotation) {
  const Tick end = annotation.end.value_or(std::numeric_limits<Tick>::min());
  if (annotated_.emplace(annotation.begin, end, annotation.text, annotation.process).second) {
    annotations_.push_back(annotation);
  }
}

Result<void> SplitParts::spill() {
  for (std::uint32_t number = 0; number < parts_.size(); ++number) {
    Part& part = *parts_[number];
    if (!part.gathering) continue;
    auto history = part.gathering->build();
    part.gathering.reset();
    if (!history) return history.error();
    auto bytes = write_history(*history, "binary");
    if (!bytes) return bytes.error();
    // Opened each time: there may be more parts than a process may have files open.
    std::ofstream stream(spill_path(number), std::ios::binary | std::ios::app);
    stream.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
    if (!stream.flush()) return spill_error(spill_path(number));
    part.spilled = true;
  }
  waiting_ = 0;
  return {};
}

Result<std::vector<SplitPart>> SplitParts::finish() {
  if (auto spilled = spill(); !spilled) return spilled.error();
  std::vector<SplitPart> all;
  for (std::uint32_t number = 0; number < parts_.size(); ++number) {
    if (!parts_[number]->spilled) continue;
    auto part = finish(number);
    if (!part) return part.error();
    all.push_back(std::move(*part));
  }
  return all;
}

Result<SplitPart> SplitParts::finish(std::uint32_t number) {
  const std::string from = spill_path(number);
  Gathering whole;
  for (const Annotation& annotation : annotations_) whole.annotate(annotation);
  std::optional<Error> error;
  {
    auto input = formats::Input::load(from);
    if (!input) return input.error();
    ReadOptions options;
    options.format = "binary";
    const auto read = formats::read_source(input->source(), options, [&](Result<History> chunk) {
      if (!chunk) {
        error = chunk.error();
        return false;
      }
      for (OperationIndex i = 0; i < chunk->size(); ++i) whole.add(*chunk, i, chunk->place(i));
      return true;
    });
    if (!read) return read.error();
  }
  if (error) return *error;
  std::error_code gone;
  std::filesystem::remove(from, gone);
  auto history = whole.build();
  if (!history) return history.error();
  auto bytes = write_history(*history, "binary");
  if (!bytes) return bytes.error();
  const std::string to = part_path(number);
  SplitPart part{.file = std::filesystem::path(to).filename().string(),
                 .operations = history->size(),
                 .bytes = bytes->size(),
                 .checksum = {}};
  if (auto written = base::write_file(to, *bytes); !written) return written.error();
  part.checksum = head_checksum(to);
  return part;
}

}  // namespace linchpin::app

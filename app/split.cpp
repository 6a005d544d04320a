// linchpin split HISTORY: a history of any size into parts that are checked alone, by object or by key.
//
// A history is linearizable if and only if its objects are, each alone; and of a type that is a product over keys, if
// its keys are. So the parts' verdicts are that of the whole. Native histories are read some lines at a time.
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "app/command.hpp"
#include "app/history_stream.hpp"
#include "app/interrupt.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/reading_options.hpp"
#include "app/split_parts.hpp"
#include "base/foreign_text.hpp"
#include "linchpin/check.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;

enum class By { best, object, key };

struct SplitArguments {
  std::string path;
  std::string folder;
  std::uint32_t parts = 0;
  By by = By::best;
  ReadOptions read;
};

class Splitting {
 public:
  explicit Splitting(const SplitArguments& arguments)
      : arguments_(arguments), parts_(arguments.folder, arguments.parts) {}

  int execute() {
    if (auto made = make_folder(); !made) return say(made.error());
    SplitManifest manifest{.original = arguments_.path, .by = {}, .operations = 0, .whole = false, .parts = {}};
    // From here on the folder says that it is not whole, whatever ends this process.
    if (auto written = write_manifest(arguments_.folder, manifest); !written) return fail(written.error());
    if (auto read = read_all(); !read) {
      return read.error().code == ErrorCode::interrupted ? interrupted() : fail(read.error());
    }
    auto parts = parts_.finish();
    if (!parts) return fail(parts.error());
    manifest.parts = std::move(*parts);
    manifest.whole = true;
    manifest.by = by_key_ ? "key" : "object";
    manifest.operations = operations_;
    if (auto written = write_manifest(arguments_.folder, manifest); !written) return fail(written.error());
    print(fmt::format("{} in {} by {}: {}\n", counted(operations_, "operation"), counted(manifest.parts.size(), "part"),
                      manifest.by, base::foreign_text(arguments_.folder)));
    return kLinearizable;
  }

 private:
  int say(Error error) const {
    if (error.source.empty()) error.source = arguments_.path;
    print_error(error);
    return kBadInput;
  }

  /// Once there is a folder: it is left as it was found.
  int fail(const Error& error) {
    parts_.remove();
    remove_manifest(arguments_.folder);
    remove_made_folders();
    return say(error);
  }

  void remove_made_folders() const {
    std::error_code holds_something;  // of somebody else by now
    for (const fs::path& folder : made_) fs::remove(folder, holds_something);
  }

  static int interrupted() {
    print_error("interrupted: the parts are not whole\n");
    return kInterrupted;
  }

  [[nodiscard]] Result<void> make_folder() {
    std::error_code error;
    for (fs::path folder = arguments_.folder; !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path()) {
      made_.push_back(folder);
    }
    fs::create_directories(arguments_.folder, error);
    if (!error && !fs::is_empty(arguments_.folder, error) && !error) {
      return Error{.code = ErrorCode::bad_option,
                   .source = arguments_.folder,
                   .message = "the folder is not empty",
                   .hint = "name another one with -o: parts of two histories must not be mixed"};
    }
    if (!error) return {};
    remove_made_folders();
    return Error{.code = ErrorCode::io, .source = arguments_.folder, .message = error.message(), .hint = ""};
  }

  Result<void> read_all() {
    auto stream = HistoryStream::open(arguments_.path, interrupt_.reading(arguments_.read));
    if (!stream) return stream.error();
    bool first = true;
    while (true) {
      if (interrupt_.interrupted()) return interruption();
      auto batch = stream->next();
      // What is no native format is read as a whole, from where it can be read again.
      if (!batch && first && batch.error().code == ErrorCode::unknown_format && fs::is_regular_file(arguments_.path)) {
        return read_whole();
      }
      if (!batch) return batch.error();
      if (!*batch) return {};
      first = false;
      if (auto taken = take(**batch, &*stream); !taken) return taken;
    }
  }

  static Error interruption() { return Error{.code = ErrorCode::interrupted, .message = "interrupted", .hint = ""}; }

  Result<void> read_whole() {
    auto histories = read_histories(arguments_.path, interrupt_.reading(arguments_.read));
    if (!histories) return histories.error();
    if (histories->size() != 1) {
      return Error{.code = ErrorCode::unsupported,
                   .message = fmt::format("the input holds {}", counted(histories->size(), "history")),
                   .hint = "linchpin check --shard-by history shares several out; convert --index takes one"};
    }
    const Result<History>& history = histories->front();
    return history ? take(*history, nullptr) : history.error();
  }

  /// @param stream  where the lines of a batch are counted; null: they are those of the input
  Result<void> take(const History& batch, const HistoryStream* stream) {
    for (const Annotation& annotation : batch.annotations()) parts_.annotate(annotation);
    specifications_.assign(batch.objects().size(), nullptr);
    for (OperationIndex i = 0; i < batch.size(); ++i) {
      const std::uint64_t in_batch = batch.place(i).line;
      const std::uint64_t line = stream == nullptr || in_batch == 0 ? in_batch : stream->line(in_batch);
      auto part = part_of(batch, i, line);
      if (!part) return part.error();
      if (auto added = parts_.add(*part, batch, i, line); !added) return added;
    }
    operations_ += batch.size();
    return {};
  }

  /// The specification of an object's type; read from the table of types once a batch.
  Result<const Specification*> specification_of(const History& batch, ObjectIndex object) {
    if (specifications_[object.number()] != nullptr) return specifications_[object.number()];
    const TypeName& type = batch.objects()[object.number()].type;
    auto& known = by_type_[type.to_string()];
    if (known == nullptr) {
      auto made = make_specification(type);
      if (!made) return made.error();
      known = std::move(*made);
      if (arguments_.by == By::key && !known->has_keys()) {
        return Error{.code = ErrorCode::unsupported,
                     .message = fmt::format("{} has no keys", known->name()),
                     .hint = "leave --by key away: objects are then kept together"};
      }
    }
    specifications_[object.number()] = known.get();
    return known.get();
  }

  Result<std::uint32_t> part_of(const History& batch, OperationIndex i, std::uint64_t line) {
    const ObjectIndex object = batch.object(i);
    std::string name = batch.objects()[object.number()].name;
    if (arguments_.by != By::object) {
      auto specification = specification_of(batch, object);
      if (!specification) return specification.error();
      if ((*specification)->has_keys()) {
        auto key = key_of(**specification, batch, i, line);
        if (!key) return key.error();
        by_key_ = true;
        name += '\0';
        name += *key;
      }
    }
    return static_cast<std::uint32_t>(XXH3_64bits(name.data(), name.size()) % arguments_.parts);
  }

  Result<std::string> key_of(const Specification& specification, const History& batch, OperationIndex i,
                             std::uint64_t line) const {
    const auto wrong = [&](ErrorCode code, std::string why, std::string hint) {
      return Error{.code = code,
                   .source = arguments_.path,
                   .line = line,
                   .message = fmt::format("{}: {}", batch.describe(i), why),
                   .hint = std::move(hint)};
    };
    const auto method = specification.find_method(batch.method_name(batch.method(i)));
    if (!method) {
      return wrong(ErrorCode::unknown_method, fmt::format("{} has no such method", specification.name()),
                   "linchpin types lists the methods");
    }
    const Operation operation{.method = *method,
                              .arguments = batch.arguments(i),
                              .result = batch.result(i),
                              .process = specification.uses_process() ? batch.process(i) : kNoProcess,
                              .pool = &batch.pool()};
    const Method& form = specification.methods()[*method];
    if (operation.arguments.size() < form.least || operation.arguments.size() > form.most) {
      return wrong(ErrorCode::bad_arguments, "so many arguments do not fit",
                   fmt::format("{} takes {} to {}", form.name, form.least, form.most));
    }
    if (std::string why = specification.invalid(operation); !why.empty()) {
      return wrong(ErrorCode::bad_arguments, std::move(why), "");
    }
    const std::optional<Value> key = specification.key(operation);
    if (!key) {
      return wrong(ErrorCode::unsupported, "the operation is not of one key", "--by object keeps objects together");
    }
    return batch.pool().to_text(*key);
  }

  const SplitArguments& arguments_;
  std::vector<fs::path> made_;  // folders that were not there, the innermost first
  InterruptWatch interrupt_;
  SplitParts parts_;
  std::map<std::string, std::shared_ptr<const Specification>> by_type_;
  std::vector<const Specification*> specifications_;  // by object of the batch
  bool by_key_ = false;
  std::uint64_t operations_ = 0;
};

constexpr const char* kSplitFooter =
    "The parts are binary histories with the values, times and lines of the original, and split.json lists them with\n"
    "their checksums. 'linchpin check DIR' checks all; with --shard, some. Text and JSON Lines are read as they come,\n"
    "also from standard input ('-'), in memory that does not grow with the history. Other formats are read whole, "
    "from\n"
    "a file.\n"
    "Exit codes: 0 it was split, 2 bad usage or input, 130 interrupted.";

}  // namespace

void add_split(Command app, int& exit_code) {
  Command command = app.add_subcommand("split", "Split a history of any size into parts that are checked alone");
  command.footer(kSplitFooter);
  const auto arguments = std::make_shared<SplitArguments>();
  command.add_option("HISTORY", arguments->path, "The history; '-' for standard input").required().option_text(" ");
  command.add_option("--output,-o", arguments->folder, "The folder of the parts: a new one, or an empty one")
      .required()
      .option_text("DIR");
  command.add_option("--parts", arguments->parts, "At most so many; each has to fit in memory")
      .required()
      .between(1U, 100'000U)
      .type_name("N");
  command.add_choice<By>("--by", arguments->by,
                         "What stays together: an object, or a key of it (default: keys where the type has them)",
                         {{"object", By::object}, {"key", By::key}});
  add_reading_options(command, arguments->read);
  add_memory_limit_option(command, {&arguments->read.limits});
  command.option("--memory-limit")
      .description("Resident memory of the process: bytes, 512M, 4G (default: nine tenths of what is free)");
  command.callback([arguments, &exit_code] { exit_code = Splitting(*arguments).execute(); });
}

}  // namespace linchpin::app

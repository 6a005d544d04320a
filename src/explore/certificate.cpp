#include "explore/certificate.hpp"

#include <link.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <xxhash.h>
#ifdef LINCHPIN_WITH_JSON
#include <simdjson.h>
#endif

#include "base/output_file.hpp"
#include "explore/option_names.hpp"
#include "explore/report/json_text.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::explorer {

namespace {

constexpr unsigned kVersion = 1;
constexpr std::string_view kAnew = "--certificate-new begins it anew";
constexpr std::string_view kChecksum = ",\n  \"checksum\": \"";

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

/// The end of the file: of all bytes before it.
std::string checksum_text(std::string_view text) {
  return fmt::format("{}{}\"\n}}\n", kChecksum, hexadecimal(XXH3_64bits(text.data(), text.size())));
}

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

/// Of the program's file, and of the libraries that it has loaded: whichever of them holds the container.
std::uint64_t fingerprint_of_program() {
  std::uint64_t fingerprint = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        const std::string name = info->dlpi_name;
        if (name.empty() && *static_cast<std::uint64_t*>(all) != 0) return 0;
        const auto bytes = content_of(name.empty() ? "/proc/self/exe" : name);
        if (!bytes) return 0;  // the system's own, which is no file
        auto& mixed = *static_cast<std::uint64_t*>(all);
        mixed = mix(mixed, XXH3_64bits(bytes->data(), bytes->size()));
        return 0;
      },
      &fingerprint);
  return fingerprint;
}

/// Why a size is not covered; empty: it is.
std::string_view left_out(const Ledger::Page& page, const ExploreResult* answer) {
  const bool found = answer != nullptr && answer->finding != ExploreFinding::none;
  if (page.begun && page.all && page.complete() == page.scenarios_in_all) return "";
  if (found) return "a finding ended the run";
  if (answer == nullptr) return "not yet done";
  for (const auto& [number, entry] : page.entries) {
    if (entry.late) return "the time was used up";
  }
  if (!page.begun || page.entries.size() < page.scenarios_in_all) return "the time was used up";
  return page.all ? "the number of schedules was used up" : "there are too many scenarios";
}

/// A row of what is known of a scenario.
std::string row(const Entry& entry) {
  std::string marks;
  if (entry.complete) marks += 'c';
  if (entry.one_by_one) marks += 'o';
  if (entry.held_back) marks += 'h';
  if (entry.frees) marks += 'f';
  if (entry.late) marks += 'l';
  return fmt::format(R"([{}, "{}", {}, {}, {}, "{}"])", entry.number, hexadecimal(entry.fingerprint), entry.schedules,
                     entry.steps, entry.histories, marks);
}

std::string page_text(const Ledger::Page& page, const ExploreResult* answer) {
  std::uint64_t schedules = 0, histories = 0;
  std::size_t one_by_one = 0, held_back = 0;
  std::string rows;
  for (const auto& [number, entry] : page.entries) {
    schedules += entry.schedules;
    histories += entry.histories;
    one_by_one += entry.one_by_one ? 1 : 0;
    held_back += entry.held_back ? 1 : 0;
    rows += fmt::format("{}\n       {}", rows.empty() ? "" : ",", row(entry));
  }
  return fmt::format(
      R"(    {{"threads": {}, "operations": {}, "reuse": "{}", "beyond": {}, "scenarios_in_all": {}, "scenarios": {}, )"
      "\"schedules\": {}, \"histories\": {}, \"one_by_one\": {}, \"held_back\": {}, \"left_out\": {},\n     \"rows\": "
      "[{}]}}",
      page.portion.size.threads, page.portion.size.operations, name_of(page.portion.reuse), page.portion.beyond,
      page.scenarios_in_all, page.complete(), schedules, histories, one_by_one, held_back,
      json_text(left_out(page, answer)), rows);
}

std::string_view answer_name(const ExploreResult* answer) {
  if (answer == nullptr) return "not yet";
  if (answer->finding != ExploreFinding::none) return "found";
  return answer->complete ? "clean" : "not all";
}

#ifdef LINCHPIN_WITH_JSON

namespace dom = simdjson::dom;

/// False: it is none that `row` would have written.
bool read_row(dom::element element, Entry& entry) {
  dom::array values;
  std::uint64_t number = 0;
  std::string_view fingerprint, marks;
  constexpr std::size_t kColumns = 6, kDigits = 16;
  constexpr int kHexadecimal = 16;
  if (element.get(values) != simdjson::SUCCESS || values.size() != kColumns ||
      values.at(0).get(number) != simdjson::SUCCESS || number > UINT32_MAX ||
      values.at(1).get(fingerprint) != simdjson::SUCCESS || fingerprint.size() != kDigits ||
      values.at(2).get(entry.schedules) != simdjson::SUCCESS || values.at(3).get(entry.steps) != simdjson::SUCCESS ||
      values.at(4).get(entry.histories) != simdjson::SUCCESS || values.at(5).get(marks) != simdjson::SUCCESS) {
    return false;
  }
  const auto [end, failed] =
      std::from_chars(fingerprint.data(), fingerprint.data() + kDigits, entry.fingerprint, kHexadecimal);
  entry.number = static_cast<std::uint32_t>(number);
  entry.complete = marks.find('c') != std::string_view::npos;
  entry.one_by_one = marks.find('o') != std::string_view::npos;
  entry.held_back = marks.find('h') != std::string_view::npos;
  entry.frees = marks.find('f') != std::string_view::npos;
  return failed == std::errc() && end == fingerprint.data() + kDigits;
}

/// The scenarios of the bounds that are complete. False: they are not those of the ledger's portions.
bool read_pages(dom::array pages, Ledger& ledger) {
  std::uint32_t portion = 0;
  std::vector<Entry> entries;
  for (const dom::element page : pages) {
    bool beyond = false;
    std::uint64_t threads = 0, operations = 0, in_all = 0;
    dom::array rows;
    if (page["beyond"].get(beyond) != simdjson::SUCCESS || page["threads"].get(threads) != simdjson::SUCCESS ||
        page["operations"].get(operations) != simdjson::SUCCESS ||
        page["scenarios_in_all"].get(in_all) != simdjson::SUCCESS || page["rows"].get(rows) != simdjson::SUCCESS) {
      return false;
    }
    if (beyond) continue;
    if (portion >= ledger.pages().size()) return false;
    const Size& size = ledger.pages()[portion].portion.size;
    if (size.threads != threads || size.operations != operations) return false;
    for (const dom::element row : rows) {
      Entry entry{.portion = portion};
      if (!read_row(row, entry) || entry.number >= in_all) return false;
      if (entry.complete) entries.push_back(entry);
    }
    ++portion;
  }
  if (portion != ledger.pages().size()) return false;
  for (const Entry& entry : entries) ledger.add(entry);
  return true;
}

#endif

}  // namespace

Certificate::Certificate(const ExploreOptions& options, const explore_plan::Plan& plan) : path_(options.certificate) {
  std::string methods;
  for (const explore_plan::Action& action : plan.actions) {
    methods += (methods.empty() ? "" : ", ") + json_text(action.methods[0]);
  }
  std::string wanted;
  for (const std::string& method : options.methods) wanted += (wanted.empty() ? "" : ", ") + json_text(method);
  facts_ = {{"type", json_text(plan.type)},
            {"methods", "[" + methods + "]"},
            {"program", json_text(hexadecimal(fingerprint_of_program()))}};
  bounds_ = {{"threads", fmt::format("{}", options.threads)},
             {"operations", fmt::format("{}", options.operations)},
             {"prefix", fmt::format("{}", options.prefix)},
             {"keys", fmt::format("{}", options.keys)},
             {"methods", "[" + wanted + "]"},
             {"scenario", json_text(options.scenario)},
             {"deviations", fmt::format("{}", options.deviations)},
             {"memory", json_text(name_of(options.memory))},
             {"order", json_text(name_of(options.order))},
             {"reuse", json_text(name_of(options.reuse))},
             {"strategy", json_text(name_of(options.strategy))},
             {"depth", fmt::format("{}", options.depth)},
             {"seed", fmt::format("{}", options.seed)},
             {"schedules", fmt::format("{}", options.schedules)},
             {"steps", fmt::format("{}", options.steps)},
             {"races", fmt::format("{}", options.races)},
             {"leaks", fmt::format("{}", options.leaks)},
             {"deadlocks", fmt::format("{}", options.deadlocks)}};
}

Error Certificate::error(ErrorCode code, std::string message, std::string hint) const {
  Error error;
  error.code = code;
  error.source = path_;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

#ifdef LINCHPIN_WITH_JSON

Result<void> Certificate::read(Ledger& ledger) const {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path_, failed);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (!failed && !std::filesystem::is_regular_file(status)) {
    return error(ErrorCode::io, "a certificate is a file, and this is none",
                 "name another path: no file need be there");
  }
  const auto bytes = content_of(path_);
  if (!bytes) return error(ErrorCode::io, "cannot read: " + std::generic_category().message(errno), "");
  const Error damaged =
      error(ErrorCode::syntax, "this is no certificate of an exploration, or it is damaged", std::string(kAnew));
  const std::size_t end = bytes->rfind(kChecksum);
  if (end == std::string::npos) return damaged;
  if (std::string_view(*bytes).substr(end) != checksum_text(std::string_view(*bytes).substr(0, end))) {
    return error(ErrorCode::checksum, "its checksum does not match: the certificate was changed or is damaged",
                 std::string(kAnew));
  }
  dom::parser parser;
  dom::element all;
  std::uint64_t version = 0;
  dom::object bounds;
  dom::array pages;
  if (parser.parse(*bytes).get(all) != simdjson::SUCCESS ||
      all["linchpin_exploration"].get(version) != simdjson::SUCCESS) {
    return damaged;
  }
  if (version != kVersion) {
    return error(ErrorCode::unsupported, fmt::format("this is version {} of a certificate, not {}", version, kVersion),
                 std::string(kAnew));
  }
  if (all["bounds"].get(bounds) != simdjson::SUCCESS || all["sizes"].get(pages) != simdjson::SUCCESS) return damaged;
  // As text: what was asked is the same if it is written in the same way.
  const auto differs = [&](const Fact& fact, auto from) -> std::optional<std::string> {
    dom::element found;
    if (from[fact.name].get(found) != simdjson::SUCCESS) return fmt::format("it has no {}", fact.name);
    dom::parser own;
    dom::element expected;
    if (own.parse(fact.json).get(expected) != simdjson::SUCCESS) return fact.name;
    const std::string there = simdjson::minify(found), here = simdjson::minify(expected);
    if (there == here) return std::nullopt;
    if (fact.name == "program") return "the program, or a library that it loads, is another one by now";
    return fmt::format("{} is {} there and {} now", fact.name, there, here);
  };
  std::string differences;
  const auto compare = [&](const std::vector<Fact>& facts, auto from) {
    for (const Fact& fact : facts) {
      if (const auto difference = differs(fact, from)) differences += (differences.empty() ? "" : "; ") + *difference;
    }
  };
  compare(facts_, all);
  compare(bounds_, bounds);
  if (!differences.empty()) {
    return error(ErrorCode::bad_option, "this is the certificate of another exploration: " + differences,
                 std::string(kAnew));
  }
  if (!read_pages(pages, ledger)) return damaged;
  return {};
}

#else

Result<void> Certificate::read(Ledger& /*ledger*/) const {
  return error(ErrorCode::unsupported, "this build reads no JSON", std::string(kAnew));
}

#endif

std::string Certificate::text(const Ledger& ledger, const ExploreResult* answer) const {
  const auto list = [](const std::vector<Fact>& facts, std::string_view between) {
    std::string text;
    for (const Fact& fact : facts) {
      text.append(text.empty() ? "" : between).append(json_text(fact.name)).append(": ").append(fact.json);
    }
    return text;
  };
  std::string text = fmt::format("{{\n  \"linchpin_exploration\": {},\n  {},\n  \"bounds\": {{{}}},\n", kVersion,
                                 list(facts_, ",\n  "), list(bounds_, ", "));
  text += fmt::format("  \"answer\": {}", json_text(answer_name(answer)));
  if (answer != nullptr && answer->finding != ExploreFinding::none) {
    text += fmt::format(",\n  \"finding\": {{\"kind\": {}, \"scenario\": {}, \"token\": {}, \"message\": {}}}",
                        json_text(name(answer->finding)), json_text(answer->scenario), json_text(answer->token),
                        json_text(answer->message));
  }
  text += ",\n  \"sizes\": [";
  bool first = true;
  for (const Ledger::Page& page : ledger.pages()) {
    text.append(first ? "\n" : ",\n").append(page_text(page, answer));
    first = false;
  }
  text += "\n  ]";
  return text + checksum_text(text);
}

Result<void> Certificate::write(const Ledger& ledger, const ExploreResult* answer) const {
  return base::write_file(path_, text(ledger, answer));
}

}  // namespace linchpin::explorer

#include "app/split_manifest.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "split.json";
constexpr std::size_t kPartHead = 40, kChecksumAt = 32;  // docs/formats/binary.md

std::string path_in(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

Result<void> write_manifest(const std::string& folder, const SplitManifest& manifest) {
  Json parts = Json::array();
  for (const SplitPart& part : manifest.parts) {
    parts.push_back(
        {{"file", part.file}, {"operations", part.operations}, {"bytes", part.bytes}, {"checksum", part.checksum}});
  }
  Json json;
  json["split"] = {{"version", 1},      {"linchpin", LINCHPIN_VERSION}, {"original", manifest.original},
                   {"by", manifest.by}, {"whole", manifest.whole},      {"operations", manifest.operations},
                   {"parts", parts}};
  return base::write_file(path_in(folder, kName), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void remove_manifest(const std::string& folder) {
  std::error_code gone;
  std::filesystem::remove(path_in(folder, kName), gone);
}

Result<std::optional<SplitManifest>> read_manifest(const std::string& folder) {
  const std::string path = path_in(folder, kName);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::optional<SplitManifest>();
  const Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("split")) return std::optional<SplitManifest>();  // somebody else's file
  const auto wrong = [&](ErrorCode code, std::string message) {
    return Error{.code = code, .source = path, .message = std::move(message), .hint = "split the history again"};
  };
  SplitManifest manifest;
  try {
    const Json& split = json.at("split");
    if (split.at("version").get<int>() != 1) return wrong(ErrorCode::unsupported, "a manifest of another version");
    manifest.original = split.at("original");
    manifest.by = split.at("by");
    manifest.whole = split.at("whole");
    manifest.operations = split.at("operations");
    for (const Json& each : split.at("parts")) {
      manifest.parts.push_back({.file = each.at("file"),
                                .operations = each.at("operations"),
                                .bytes = each.at("bytes"),
                                .checksum = each.at("checksum")});
      if (manifest.parts.back().file.find('/') != std::string::npos) throw std::invalid_argument("file");
    }
  } catch (const std::exception&) {
    return wrong(ErrorCode::syntax, "the manifest lacks a field, or has one of another kind");
  }
  if (!manifest.whole) return wrong(ErrorCode::truncated, "the splitting of this history was cut off");
  std::uint64_t operations = 0;
  std::set<std::string_view> files;
  for (const SplitPart& part : manifest.parts) {
    operations += part.operations;
    if (!files.insert(part.file).second) return wrong(ErrorCode::checksum, part.file + " is listed twice");
  }
  if (operations != manifest.operations) {
    return wrong(ErrorCode::checksum,
                 fmt::format("the parts that it lists have {} operations, the history that was split {}", operations,
                             manifest.operations));
  }
  return std::optional(std::move(manifest));
}

std::string head_checksum(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  char head[kPartHead] = {};
  if (!stream.read(head, sizeof head)) return {};
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, head + kChecksumAt, sizeof checksum);
  return fmt::format("{:016x}", checksum);
}

Result<void> verify_part(const std::string& folder, const SplitPart& part) {
  const std::string path = path_in(folder, part.file);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) {
    return Error{.code = ErrorCode::io,
                 .source = path,
                 .message = fmt::format("a part of the split history: {}", error.message()),
                 .hint = "split.json lists it: copy it, or split the history again"};
  }
  if (bytes != part.bytes || head_checksum(path) != part.checksum) {
    return Error{.code = ErrorCode::checksum,
                 .source = path,
                 .message = "it is not the part that split.json lists",
                 .hint = "copy it again, or split the history again"};
  }
  return {};
}

}  // namespace linchpin::app

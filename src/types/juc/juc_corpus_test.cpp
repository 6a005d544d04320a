// Every label of the corpus of java.util.concurrent histories, by a brute force search of this file's own.
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include "core/data_type.hpp"

namespace linchpin::types::juc {
namespace {

struct Call {
  std::uint16_t method = 0;
  std::vector<Value> arguments;
  Value result = Value::unknown();
  std::size_t call = 0;
  std::size_t response = SIZE_MAX;
  std::string text;
};

Value parse_result(const std::string& text, ValuePool& pool) {
  if (text == "null") return Value::nil();
  if (text == "true" || text == "false") return Value::boolean(text == "true");
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) return pool.integer(number);
  return pool.string(text);
}

Value parse_argument(const nlohmann::json& json, ValuePool& pool) {
  if (json.is_number_integer()) return pool.integer(json.get<std::int64_t>());
  std::vector<Value> elements;
  if (json.is_array()) {
    for (const auto& element : json) elements.push_back(parse_argument(element, pool));
  } else {
    for (const auto& [key, value] : json.items()) {
      elements.push_back(pool.list({parse_result(key, pool), parse_argument(value, pool)}));
    }
  }
  return pool.list(elements);
}

/// Depth first over the operations that nothing remaining happens before, with a memo of (done, state).
class Search {
 public:
  Search(const Specification& specification, const std::vector<Call>& calls, const ValuePool& pool)
      : states_(specification.make_states()), calls_(calls), pool_(pool) {}
  bool linearizable() { return visit(0, states_->initial()); }

 private:
  bool visit(std::uint64_t done, StateId state) {
    std::size_t first_response = SIZE_MAX;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if ((done >> i & 1U) == 0) first_response = std::min(first_response, calls_[i].response);
    }
    if (first_response == SIZE_MAX) return true;  // only pending operations are left
    if (!seen_.emplace(done, state).second) return false;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if ((done >> i & 1U) != 0 || calls_[i].call > first_response) continue;
      std::vector<StateId> next;
      states_->successors(
          state,
          {.method = calls_[i].method, .arguments = calls_[i].arguments, .result = calls_[i].result, .pool = &pool_},
          next);
      for (const StateId after : next) {
        if (visit(done | (std::uint64_t{1} << i), after)) return true;
      }
    }
    return false;
  }

  std::unique_ptr<StateTable> states_;
  const std::vector<Call>& calls_;
  const ValuePool& pool_;
  std::set<std::pair<std::uint64_t, StateId>> seen_;
};

std::string read_compressed(const std::filesystem::path& path) {
  std::string content;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return content;
  std::array<char, 1 << 16> buffer{};
  for (int read = 0; (read = gzread(file, buffer.data(), buffer.size())) > 0;) {
    content.append(buffer.data(), static_cast<std::size_t>(read));
  }
  gzclose(file);
  return content;
}

TEST(JavaCorpus, EveryLabelIsReproduced) {
  const char* corpus = std::getenv("LINCHPIN_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "LINCHPIN_CORPUS is not set";
  std::size_t histories = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(corpus) / "juc")) {
    std::istringstream lines(read_compressed(entry.path()));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line); ++histories) {
      ++number;
      const nlohmann::json json = nlohmann::json::parse(line);
      TypeName type{.name = json["schema"]["class"].get<std::string>(), .options = {}};
      for (const auto& argument : json["schema"]["arguments"]) type.options.emplace_back("capacity", argument.dump());
      const core::DataType* found = core::find_data_type(type.name);
      ASSERT_NE(found, nullptr) << type.name;
      const auto specification = found->make(type);
      ASSERT_TRUE(specification) << specification.error().to_string();
      ValuePool pool;
      std::vector<Call> calls;
      std::map<std::int64_t, std::size_t> open;
      std::size_t time = 0;
      for (const auto& event : json["events"]) {
        ++time;
        const auto& invocation = event["invocation"];
        const auto id = invocation["id"].get<std::int64_t>();
        if (event["kind"] == "call") {
          Call call;
          call.call = time;
          call.text = invocation.dump();
          const auto method = (*specification)->find_method(invocation["method"]["name"].get<std::string>());
          ASSERT_TRUE(method) << type.name << " " << call.text;
          call.method = *method;
          for (const auto& argument : invocation["arguments"]) call.arguments.push_back(parse_argument(argument, pool));
          const Operation operation{.method = call.method, .arguments = call.arguments, .pool = &pool};
          ASSERT_EQ((*specification)->invalid(operation), "") << call.text;
          open[id] = calls.size();
          calls.push_back(std::move(call));
        } else {
          Call& call = calls[open.at(id)];
          call.response = time;
          call.result = event.contains("value") ? parse_result(event["value"].get<std::string>(), pool) : Value::none();
        }
      }
      ASSERT_LE(calls.size(), 64U);
      EXPECT_EQ(Search(**specification, calls, pool).linearizable(), json["linearizable"].get<bool>())
          << entry.path().filename() << " line " << number << "\n"
          << line;
    }
  }
  EXPECT_GE(histories, 5956U);
}

}  // namespace
}  // namespace linchpin::types::juc

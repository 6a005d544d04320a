#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "core/format.hpp"
#include "fuzz/targets.hpp"
#include "linchpin.h"
#include "linchpin/check.hpp"

namespace linchpin::fuzz {

namespace {

constexpr std::size_t kMostOperations = 12;  // the general search takes exponential time

/// Bytes one after the other; 0 after the last.
class Program {
 public:
  explicit Program(Bytes bytes) : rest_(bytes) {}
  [[nodiscard]] bool ended() const { return rest_.empty(); }
  std::uint8_t next() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_[0];
    rest_ = rest_.subspan(1);
    return byte;
  }
  std::string_view text(std::size_t most) {
    const Bytes taken = rest_.first(std::min(most, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  Bytes rest_;
};

/// Owns the error of one call. A failure has one, a success has none.
class Failure {
 public:
  Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;
  ~Failure() { linchpin_error_free(error_); }
  linchpin_error** out() { return &error_; }
  void expect(bool failed) const {
    require(failed == (error_ != nullptr), "a failure without an error, or an error without a failure");
    if (error_ == nullptr) return;
    require(*linchpin_error_code(error_) != '\0' && *linchpin_error_message(error_) != '\0', "an error without words");
  }

 private:
  linchpin_error* error_ = nullptr;
};

/// Every type by name, then what is none, or one with other options.
const std::vector<std::string>& type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const core::DataType& type : core::data_types()) list.emplace_back(type.name);
    for (const char* other : {"", "queue capacity=2", "priority-queue order=largest", "register initial=nil", "quueue",
                              "queue capacity=", "=", "map key=1"}) {
      list.emplace_back(other);
    }
    return list;
  }();
  return names;
}

/// Every name of a method of every type.
const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = {"", "no_such_method"};
    for (const core::DataType& type : core::data_types()) {
      const auto specification = make_specification({.name = std::string(type.name), .options = {}});
      if (!specification) continue;
      for (const auto& method : (*specification)->methods()) list.emplace_back(method.name);
    }
    return list;
  }();
  return names;
}

const std::string& pick(const std::vector<std::string>& names, std::uint8_t which) {
  return names[which % names.size()];
}

linchpin_value value_of(Program& program, linchpin_builder* builder, int depth = 0) {
  constexpr std::array<std::int64_t, 4> kCorners{INT64_MIN, INT64_MAX, std::int64_t{1} << 60, -1};
  const std::uint8_t byte = program.next();
  switch (byte % 8) {
    case 0: return linchpin_none();
    case 1: return linchpin_nil();
    case 2: return linchpin_unknown();
    case 3: return linchpin_boolean(byte / 8 % 2);
    case 4: return linchpin_integer(builder, kCorners[byte / 8 % kCorners.size()]);
    case 5: {
      const std::string_view text = program.text(byte / 8 % 4);
      return linchpin_string(builder, text.data(), text.size());
    }
    case 6: {
      if (depth == 2) return linchpin_list(builder, nullptr, 0);
      std::vector<linchpin_value> elements(byte / 8 % 4);
      for (linchpin_value& element : elements) element = value_of(program, builder, depth + 1);
      return linchpin_list(builder, elements.data(), elements.size());
    }
    default: return linchpin_integer(builder, byte / 8 % 3);
  }
}

const char* object_of(std::uint8_t byte) {
  constexpr std::array<const char*, 4> kObjects{nullptr, nullptr, "a", ""};
  return kObjects[byte % kObjects.size()];
}

/// A tick near those before, or a corner.
std::int64_t tick_of(std::uint8_t byte, std::int64_t& clock) {
  if (byte == 0xff) return INT64_MAX;
  if (byte == 0xfe) return INT64_MIN;
  return clock += byte % 4 - (byte % 32 == 31 ? 4 : 0);
}

linchpin_history* build(Program& program) {
  const std::uint8_t type = program.next();
  linchpin_builder* const builder = linchpin_builder_new(type == 0xff ? nullptr : pick(type_names(), type).c_str());
  require(builder != nullptr, "no memory for a builder");
  std::int64_t clock = 0;
  std::size_t calls = 0;
  while (!program.ended()) {
    const std::uint8_t step = program.next();
    switch (step % 8) {
      case 0: return linchpin_builder_free(builder), nullptr;
      case 1: {
        const char* const object = step / 8 % 2 == 0 ? "a" : "";
        (void)linchpin_object_type(builder, object, pick(type_names(), program.next()).c_str());
        break;
      }
      case 2:
      case 3:
      case 4: {
        linchpin_return(builder, step == 0xfc ? LINCHPIN_NONE : program.next() % (calls + 1),
                        value_of(program, builder), tick_of(program.next(), clock));
        break;
      }
      default: {
        if (calls == kMostOperations) break;
        const std::uint32_t process = step / 8 == 31 ? LINCHPIN_NO_PROCESS : step / 8 % 4;
        const char* const object = object_of(program.next());
        const std::string& method = pick(method_names(), program.next());
        std::vector<linchpin_value> arguments(program.next() % 4);
        for (linchpin_value& argument : arguments) argument = value_of(program, builder);
        if (linchpin_call(builder, process, object, method.c_str(), arguments.data(), arguments.size(),
                          tick_of(program.next(), clock)) != LINCHPIN_NONE) {
          ++calls;
        }
      }
    }
  }
  Failure failure;
  linchpin_history* const history = linchpin_builder_finish(builder, failure.out());
  failure.expect(history == nullptr);
  require(history == nullptr || linchpin_history_size(history) == calls, "a history of another size");
  return history;
}

void write(const linchpin_history* history) {
  for (const core::Format& format : core::formats()) {
    Failure failure;
    std::size_t bytes = 0;
    char* const text = linchpin_history_write(history, std::string(format.name).c_str(), &bytes, failure.out());
    failure.expect(text == nullptr);
    linchpin_free(text);
  }
}

/// The history in the native notation, for messages.
std::string text_of(const linchpin_history* history) {
  std::size_t bytes = 0;
  const std::unique_ptr<char, void (*)(char*)> text(linchpin_history_write(history, "text", &bytes, nullptr),
                                                    &linchpin_free);
  return text == nullptr ? "a history that is no text" : std::string(text.get(), bytes);
}

void check(const linchpin_history* history, std::uint8_t how) {
  linchpin_options options = linchpin_options_default();
  options.threads = 1;
  options.time_limit = 2;
  options.verify = 1;
  options.all = how & 1U;
  options.response_first = (how >> 1U) & 1U;
  Failure failure;
  linchpin_verdict* const verdict = linchpin_check(history, &options, failure.out());
  failure.expect(verdict == nullptr);
  if (verdict == nullptr) return;
  for (std::size_t object = 0; object < linchpin_verdict_objects(verdict); ++object) {
    const bool linearizable = linchpin_object_kind(verdict, object) == LINCHPIN_LINEARIZABLE;
    require(linchpin_object_verified(verdict, object) != 0,
            fmt::format("the {} of {} does not hold (options {})\n{}", linearizable ? "witness" : "core",
                        linchpin_object_decider(verdict, object), how, text_of(history)));
    require(linchpin_object_name(verdict, object) != nullptr && linchpin_object_why(verdict, object) != nullptr &&
                linchpin_object_sentence(verdict, object) != nullptr,
            "a verdict without words");
    for (const auto evidence : {&linchpin_object_core, &linchpin_object_witness}) {
      std::size_t count = 0;
      const std::uint32_t* const operations = evidence(verdict, object, &count);
      for (std::size_t i = 0; i < count; ++i) {
        require(operations[i] < linchpin_history_size(history), "evidence of an operation that is not there");
      }
    }
  }
  linchpin_verdict_free(verdict);
}

}  // namespace

void c_interface(Bytes bytes) {
  Program program(bytes);
  const std::uint8_t how = program.next();
  const std::unique_ptr<linchpin_history, void (*)(linchpin_history*)> history(build(program), &linchpin_history_free);
  if (history == nullptr) return;
  write(history.get());
  check(history.get(), how);
}

}  // namespace linchpin::fuzz

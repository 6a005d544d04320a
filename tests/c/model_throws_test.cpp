// Callbacks of a model that throw, which only C++ can: an error with its place, nothing leaks and nothing crashes.
#include <linchpin.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::printf("expected: %s\n", what.c_str());
  ++failures;
}

enum class At { nowhere, initial, step, late_step, equal, hash, pure, key, release, describe, bytes };

/// A register of one number, whose states are counted; it throws where it is told to.
struct Throwing {
  At at = At::nowhere;
  int alive = 0;
  int asked = 0;
};

void luck(const Throwing& own, At here) {
  if (own.at == here) throw std::runtime_error("no luck");
}

void give(Throwing& own, int number, linchpin_successors* out) {
  linchpin_successor(out, new int(number));
  ++own.alive;
}

int initial(void* user, linchpin_successors* out) {
  auto& own = *static_cast<Throwing*>(user);
  give(own, 0, out);
  luck(own, At::initial);
  return 0;
}

int step(void* user, const void* /*state*/, const linchpin_step* operation, linchpin_successors* out) {
  auto& own = *static_cast<Throwing*>(user);
  give(own, *static_cast<const int*>(operation->call), out);
  luck(own, At::step);
  if (own.at == At::late_step && ++own.asked == 40) throw 7;  // NOLINT: what is no exception
  return 0;
}

int equal(void* user, const void* left, const void* right) {
  luck(*static_cast<Throwing*>(user), At::equal);
  return *static_cast<const int*>(left) == *static_cast<const int*>(right) ? 1 : 0;
}

std::uint64_t hash(void* user, const void* state) {
  luck(*static_cast<Throwing*>(user), At::hash);
  return static_cast<std::uint64_t>(*static_cast<const int*>(state));
}

int pure(void* user, const linchpin_step* /*operation*/) {
  luck(*static_cast<Throwing*>(user), At::pure);
  return 0;
}

std::uint64_t key(void* user, const linchpin_step* operation) {
  luck(*static_cast<Throwing*>(user), At::key);
  return static_cast<std::uint64_t>(*static_cast<const int*>(operation->call) % 2);
}

void release(void* user, void* state) {
  --static_cast<Throwing*>(user)->alive;
  delete static_cast<int*>(state);
  luck(*static_cast<Throwing*>(user), At::release);
}

void describe(void* user, const void* /*state*/, linchpin_text* out) {
  linchpin_write(out, "a", 1);
  luck(*static_cast<Throwing*>(user), At::describe);
}

std::size_t bytes(void* user, const void* /*state*/) {
  luck(*static_cast<Throwing*>(user), At::bytes);
  return sizeof(int);
}

void try_out(At at, const char* message) {
  Throwing own{.at = at};
  linchpin_model model{};
  model.size = sizeof model;
  model.user = &own;
  model.initial = initial;
  model.step = step;
  model.equal = equal;
  model.hash = hash;
  model.release = release;
  model.pure = pure;
  model.key = key;
  model.describe = describe;
  model.bytes = bytes;
  static const int kNumbers[] = {1, 2, 3, 4, 5, 6};
  linchpin_builder* const builder = linchpin_builder_new(nullptr);
  for (int i = 0; i < 60; ++i) {
    const std::string text = "write " + std::to_string(kNumbers[i % 6]);
    const std::size_t write = linchpin_call_opaque(builder, static_cast<std::uint32_t>(i % 3), &kNumbers[i % 6],
                                                   text.c_str(), 10 * (i / 3) + i % 3);
    linchpin_return_opaque(builder, write, nullptr, nullptr, 10 * (i / 3) + 5);
  }
  linchpin_history* const history = linchpin_builder_finish(builder, nullptr);
  linchpin_error* error = nullptr;
  linchpin_verdict* const verdict = linchpin_check_model(history, &model, nullptr, &error);
  if (message == nullptr) {
    expect(verdict != nullptr && linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE, "a verdict");
    const char* const path = "model_throws_test.html";
    expect(verdict != nullptr && linchpin_verdict_report(verdict, history, path, "", nullptr) == 0, "a report");
    std::remove(path);
  } else {
    expect(verdict == nullptr && error != nullptr, message);
    if (error != nullptr) {
      expect(std::strcmp(linchpin_error_code(error), "model") == 0, "an error of the model");
      expect(std::strstr(linchpin_error_message(error), message) != nullptr, linchpin_error_message(error));
    }
  }
  linchpin_error_free(error);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
  expect(own.alive == 0, "each state is given back once");
}

}  // namespace

int main() {
  try_out(At::nowhere, nullptr);
  try_out(At::describe, nullptr);
  try_out(At::bytes, "the model's bytes threw an exception: no luck");
  try_out(At::release, "the model's release threw an exception");
  try_out(At::initial, "the model's initial threw an exception: no luck");
  try_out(At::step, "the model's step threw an exception: no luck");
  try_out(At::late_step, "the model's step threw an exception");
  try_out(At::equal, "the model's equal threw an exception: no luck");
  try_out(At::hash, "the model's hash threw an exception: no luck");
  try_out(At::pure, "the model's pure threw an exception: no luck");
  try_out(At::key, "the model's key threw an exception: no luck");
  if (failures == 0) std::puts("all passed");
  return failures == 0 ? 0 : 1;
}

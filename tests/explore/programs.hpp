// Small random programs for exploring: threads of a few instructions over shared variables, fences, locks and plain
// data. An instruction is data, and one interpreter runs them all, so that a program is made within the test.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "linchpin/explore.hpp"

namespace linchpin::programs {

enum class Do : std::uint8_t {
  load,
  store,
  add,
  exchange,
  exchange_if,
  fence,
  lock,
  unlock,
  try_lock,
  read,
  write,
  skip,
  look,           ///< again and again, until the variable is not 0, or so often
  look_politely,  ///< and yield in between
  await,          ///< until it is not 0
  await_politely,
  poll,  ///< the same, and each look changes the next variable and back again
  poll_politely
};

/// How often `look` looks, at most.
constexpr int kLooks = 5;

struct Instruction {
  Do what = Do::load;
  std::uint8_t variable = 0;
  std::uint8_t value = 0;
  std::memory_order order = std::memory_order_seq_cst;
};

using Thread = std::vector<Instruction>;
using Program = std::vector<Thread>;

constexpr unsigned kVariables = 3, kLocks = 2, kThreads = 3, kMost = 8;

struct Memory {
  std::array<std::atomic<int>, kVariables> variables{};
  std::array<std::mutex, kLocks> locks;
  std::array<int, kLocks> plain{};
  std::array<std::array<int, kMost>, kThreads> seen{};
};

inline void run(Memory& memory, const Thread& thread, unsigned number) {
  int latest = 0;
  bool locked = false;
  for (std::size_t i = 0; i < thread.size(); ++i) {
    const Instruction& now = thread[i];
    std::atomic<int>& variable = memory.variables[now.variable % kVariables];
    std::mutex& lock = memory.locks[now.variable % kLocks];
    int& plain = memory.plain[now.variable % kLocks];
    switch (now.what) {
      case Do::load: latest = variable.load(now.order); break;
      case Do::store: variable.store(now.value, now.order); break;
      case Do::add: latest = variable.fetch_add(now.value, now.order); break;
      case Do::exchange: latest = variable.exchange(now.value, now.order); break;
      case Do::exchange_if: variable.compare_exchange_strong(latest, now.value, now.order); break;
      case Do::fence: std::atomic_thread_fence(now.order); break;
      case Do::lock: lock.lock(); break;
      case Do::unlock:
        if (!locked) lock.unlock();
        locked = false;
        break;
      case Do::try_lock:
        latest = lock.try_lock() ? 1 : 0;
        locked = latest == 0;
        break;
      case Do::read: latest = plain; break;
      case Do::write: plain = latest + now.value; break;
      case Do::skip: i += latest == now.value ? 1 : 0; break;
      case Do::look:
      case Do::look_politely:
        for (latest = 0; latest < kLooks && variable.load(now.order) == 0; ++latest) {
          if (now.what == Do::look_politely) std::this_thread::yield();
        }
        break;
      case Do::await:
      case Do::await_politely:
        while ((latest = variable.load(now.order)) == 0) {
          if (now.what == Do::await_politely) std::this_thread::yield();
        }
        break;
      case Do::poll:
      case Do::poll_politely:
        for (std::atomic<int>& next = memory.variables[(now.variable + 1U) % kVariables];;) {
          next.fetch_add(1);
          next.fetch_sub(1);
          latest = variable.load(now.order);
          if (latest != 0) break;
          if (now.what == Do::poll_politely) std::this_thread::yield();
        }
        break;
    }
    memory.seen[number][i % kMost] = latest;
  }
}

/// What a random program has.
struct Shape {
  unsigned threads = 2, instructions = 4;
  bool weak = false;   ///< all memory orders; else seq_cst
  bool locks = false;  ///< critical sections, and an attempt to take a lock
  bool plain = false;  ///< plain accesses anywhere: they race
  bool looks = false;  ///< loops that give up
  bool waits = false;  ///< loops that do not
  bool polls = false;  ///< such that write, in the first thread: two of them may miss each other for ever
};

inline Program random_program(const Shape& shape, std::mt19937& generator) {
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(generator() % bound); };
  const auto order = [&](Do what) {
    constexpr std::array kLoads = {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_seq_cst};
    constexpr std::array kStores = {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst};
    constexpr std::array kBoth = {std::memory_order_relaxed, std::memory_order_acq_rel, std::memory_order_seq_cst};
    const unsigned which = shape.weak ? below(3) : 2;
    const bool loads = what == Do::load || what >= Do::look;
    return loads ? kLoads[which] : what == Do::store ? kStores[which] : kBoth[which];
  };
  Program program(shape.threads);
  for (Thread& thread : program) {
    while (thread.size() < shape.instructions) {
      constexpr std::array kAccesses = {Do::load,     Do::load,        Do::store, Do::store, Do::add,
                                        Do::exchange, Do::exchange_if, Do::fence, Do::skip};
      Do what = kAccesses[below(kAccesses.size())];
      if (!shape.weak && what == Do::fence) what = Do::load;
      if (shape.looks && below(3) == 0) what = below(2) == 0 ? Do::look : Do::look_politely;
      if (shape.waits && below(4) == 0) what = below(2) == 0 ? Do::await : Do::await_politely;
      if (shape.polls && &thread == program.data() && below(3) == 0)
        what = below(2) == 0 ? Do::poll : Do::poll_politely;
      const auto variable = static_cast<std::uint8_t>(below(shape.threads == 2 ? 2 : kVariables));
      const auto value = static_cast<std::uint8_t>(1 + below(2));
      if (shape.plain && below(2) == 0) what = below(2) == 0 ? Do::read : Do::write;
      if (shape.locks && below(3) == 0) {
        thread.push_back({.what = below(4) == 0 ? Do::try_lock : Do::lock, .variable = variable});
        if (below(2) == 0) {
          thread.push_back({.what = what, .variable = variable, .value = value, .order = order(what)});
          if (what == Do::skip) thread.back().what = Do::load;
        }
        if (shape.plain && below(2) == 0) thread.push_back({.what = Do::write, .variable = variable, .value = value});
        thread.push_back({.what = Do::unlock, .variable = variable});
        continue;
      }
      thread.push_back({.what = what, .variable = variable, .value = value, .order = order(what)});
    }
    if (thread.back().what == Do::skip) thread.back().what = Do::load;
    if (thread.size() > kMost) thread.resize(kMost);
  }
  // A critical section that was cut off, or skipped, is none.
  for (Thread& thread : program) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      const bool opens = thread[i].what == Do::lock || thread[i].what == Do::try_lock;
      bool closed = false;
      for (std::size_t j = i + 1; j < thread.size() && !closed; ++j) closed = thread[j].what == Do::unlock;
      if (opens && !closed) thread[i] = {.what = Do::load};
      if (thread[i].what == Do::skip && i + 1 < thread.size() &&
          (thread[i + 1].what == Do::lock || thread[i + 1].what == Do::try_lock || thread[i + 1].what == Do::unlock)) {
        thread[i] = {.what = Do::load};
      }
    }
  }
  return program;
}

inline Threads<Memory> threads_of(const Program& program) {
  Threads<Memory> threads([] { return std::make_unique<Memory>(); });
  for (unsigned number = 0; number < program.size(); ++number) {
    threads.add([&thread = program[number], number](Memory& memory) { run(memory, thread, number); });
  }
  threads.observe([](Memory& memory) {
    std::string text;
    for (const auto& seen : memory.seen) {
      for (const int value : seen) text += static_cast<char>('0' + value);
    }
    for (const auto& variable : memory.variables) text += static_cast<char>('0' + variable.load());
    for (const int plain : memory.plain) text += static_cast<char>('0' + plain);
    return text;
  });
  return threads;
}

inline std::string text_of(const Program& program) {
  constexpr std::array kNames = {"load", "store",         "add",      "exchange",       "exchange_if", "fence",
                                 "lock", "unlock",        "try_lock", "read",           "write",       "skip",
                                 "look", "look_politely", "await",    "await_politely", "poll",        "poll_politely"};
  constexpr std::array kOrders = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  std::string text;
  for (const Thread& thread : program) {
    for (const Instruction& now : thread) {
      text += std::string(kNames[static_cast<std::size_t>(now.what)]) + " " + std::to_string(now.variable) + " " +
              std::to_string(now.value) + " " + kOrders[static_cast<std::size_t>(now.order)] + ", ";
    }
    text += "| ";
  }
  return text;
}

}  // namespace linchpin::programs

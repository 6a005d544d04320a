#include <iostream>

#include <linchpin/stress.hpp>

#include "my_queue.hpp"

int main() {
  const auto result = linchpin::stress(linchpin::as::queue, [] { return std::make_unique<MyQueue<int>>(); });
  std::cout << result.to_string() << "\n";
  return result.ok() ? 0 : 1;
}

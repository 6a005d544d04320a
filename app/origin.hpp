// Which history of which input.
#pragma once

#include <cstddef>
#include <string>

namespace linchpin::app {

struct Origin {
  std::string file;
  std::size_t index = 0;  ///< counts the histories of the input from 0
  bool one_of_several = false;
};

}  // namespace linchpin::app

// What the paper's tables of small histories say, in seconds, and what its text says of its figures.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace linchpin::papers {

/// Mean seconds; TO: a run exceeded 100 s and counts as that.
struct PublishedRow {
  std::size_t operations;
  double linp;
  double verilin;
  bool verilin_timed_out;
  double violin;
  bool violin_timed_out;
};

struct PublishedSmall {
  std::string title;
  unsigned producers;  ///< and as many consumers
  bool has_violin;
  std::string_view stress;
  std::span<const PublishedRow> rows;
};

inline constexpr std::array kPublishedSet{
    PublishedRow{100, 6.6e-06, 0.066, false, 0.0, false},  PublishedRow{200, 8.6e-06, 0.079, false, 0.0, false},
    PublishedRow{300, 1.03e-05, 0.074, false, 0.0, false}, PublishedRow{400, 1.07e-05, 10.27, true, 0.0, false},
    PublishedRow{500, 1.2e-05, 40.06, true, 0.0, false},   PublishedRow{600, 1.47e-05, 60.21, true, 0.0, false},
    PublishedRow{700, 1.57e-05, 70.22, true, 0.0, false},  PublishedRow{800, 1.87e-05, 40.23, true, 0.0, false},
    PublishedRow{900, 2.86e-05, 46.07, true, 0.0, false},  PublishedRow{1000, 2.67e-05, 50.12, true, 0.0, false},
};
inline constexpr std::array kPublishedStack{
    PublishedRow{100, 0.0019, 0.13967, false, 0.08503, false},
    PublishedRow{200, 0.00205, 0.16473, false, 0.38171, false},
    PublishedRow{300, 0.00231, 10.14819, true, 0.54562, false},
    PublishedRow{400, 0.00251, 0.18978, false, 1.55266, false},
    PublishedRow{500, 0.00287, 0.25994, false, 1.51916, false},
    PublishedRow{600, 0.0029, 20.1871, true, 17.59763, true},
    PublishedRow{700, 0.00323, 3.67373, false, 4.40733, false},
    PublishedRow{800, 0.00468, 40.19923, true, 19.70104, true},
    PublishedRow{900, 0.00359, 60.09591, true, 37.178, true},
    PublishedRow{1000, 0.00372, 20.25247, true, 19.41772, true},
};
inline constexpr std::array kPublishedQueue{
    PublishedRow{100, 0.00178, 0.14464, false, 0.09477, false},
    PublishedRow{200, 0.00206, 0.16471, false, 0.18661, false},
    PublishedRow{300, 0.00592, 10.21353, true, 1.40986, false},
    PublishedRow{400, 0.0021, 0.19497, false, 4.26298, false},
    PublishedRow{500, 0.00222, 14.74564, true, 6.98863, false},
    PublishedRow{600, 0.00256, 30.28095, true, 7.19287, false},
    PublishedRow{700, 0.00259, 30.4616, true, 10.82914, false},
    PublishedRow{800, 0.00271, 18.73606, true, 16.60225, false},
    PublishedRow{900, 0.00272, 70.06445, true, 49.11587, true},
    PublishedRow{1000, 0.00304, 70.06943, true, 38.34857, true},
};
inline constexpr std::array kPublishedHeap{
    PublishedRow{100, 0.0001193, 0.184, false, 0.0, false}, PublishedRow{200, 0.0002269, 41.175, true, 0.0, false},
    PublishedRow{300, 0.0002787, 60.053, true, 0.0, false}, PublishedRow{400, 0.0003346, 80.029, true, 0.0, false},
    PublishedRow{500, 0.0004039, 80.03, true, 0.0, false},  PublishedRow{600, 0.0004355, 60.064, true, 0.0, false},
    PublishedRow{700, 0.000576, 90.015, true, 0.0, false},  PublishedRow{800, 0.0006165, 90.016, true, 0.0, false},
    PublishedRow{900, 0.0006827, 90.017, true, 0.0, false}, PublishedRow{1000, 0.00116, 90.024, true, 0.0, false},
};

inline PublishedSmall published_small(std::string_view type) {
  if (type == "set") {
    return {"Sets", 5, false, "up to one million operations in approximately 100 milliseconds", kPublishedSet};
  }
  if (type == "stack")
    return {"Stacks", 10, true, "up to one million operations in approximately a second", kPublishedStack};
  if (type == "queue") return {"Queues", 10, true, "one million operations in under a second", kPublishedQueue};
  return {"Priority queues", 5, false, "one million operations in under one second", kPublishedHeap};
}

}  // namespace linchpin::papers

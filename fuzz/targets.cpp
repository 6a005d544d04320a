#include "fuzz/targets.hpp"

#include <algorithm>

#include "core/format.hpp"

namespace linchpin::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list = {{"c_interface", &c_interface}, {"compression", &compression},
                                {"deciders", &deciders},       {"edn", &edn},
                                {"etcd_log", &etcd_log},       {"values", &values}};
    for (const core::Format& each : core::formats()) {
      list.push_back({std::string(each.name), [name = each.name](Bytes bytes) { format(name, bytes); }});
    }
    return list;
  }();
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found =
      std::find_if(targets().begin(), targets().end(), [&](const Target& target) { return target.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace linchpin::fuzz

#include "explore/report/page.hpp"

#include "linchpin/page.hpp"

namespace linchpin::explorer {

Result<void> write_page(const std::string& path, const ExploreResult& result, std::string_view label) {
  if (!result.history) return {};
  const auto verdict = check(*result.history);
  if (!verdict) return verdict.error();
  auto page = ReportPage::open(path);
  if (!page) return page.error();
  const Interleaving interleaving{.finding = std::string(name(result.finding)),
                                  .message = result.message,
                                  .scenario = result.scenario,
                                  .token = result.token,
                                  .steps = result.interleaving};
  if (auto added = page->add(label, *result.history, *verdict, {}, interleaving); !added) return added;
  return page->close();
}

}  // namespace linchpin::explorer

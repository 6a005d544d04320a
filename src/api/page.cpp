// The facade's report for the browser: the page, cut open where the histories go.
#include "linchpin/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/specifications.hpp"
#include "base/base64.hpp"
#include "base/output_file.hpp"
#include "explain/page/json_writer.hpp"
#include "explain/page/page.hpp"
#include "explain/page/payload.hpp"
#include "explain/page/wrap.hpp"
#include "history/subhistory.hpp"
#include "linchpin/explain.hpp"

namespace linchpin {

namespace {

constexpr ExplainOptions kForPage{.most_states = 200'000, .most_state_bytes = std::size_t{64} << 20};

constexpr std::size_t kMostAnnotations = 20'000;

}  // namespace

Result<ReportPage> ReportPage::open(const std::string& path) {
  auto file = base::OutputFile::create(path);
  if (!file) return file.error();
  ReportPage page;
  page.file_ = std::make_unique<base::OutputFile>(std::move(*file));
  if (auto written = page.file_->write(explain::page::head()); !written) return written.error();
  return page;
}

ReportPage::ReportPage() = default;
ReportPage::ReportPage(ReportPage&&) noexcept = default;
ReportPage& ReportPage::operator=(ReportPage&&) noexcept = default;
ReportPage::~ReportPage() = default;

Result<void> ReportPage::add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                             const CheckOptions& options) {
  return add(label, history, verdict, options, nullptr);
}

Result<void> ReportPage::add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                             const CheckOptions& options, const Interleaving& interleaving) {
  return add(label, history, verdict, options, &interleaving);
}

Result<void> ReportPage::add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                             const CheckOptions& options, const Interleaving* interleaving) {
  const auto explanation = explain_verdict(history, verdict, options, kForPage);
  if (!explanation) return explanation.error();
  const auto specifications = specifications_of(history, options);
  if (!specifications) return specifications.error();
  const auto parts = history::split_by_object(history, *specifications, options.ties);
  if (!parts) return parts.error();
  explain::page::JsonWriter line;
  line.begin_object().field("label", label).field("verdict", name(verdict.verdict));
  line.field("operations", history.size());
  if (interleaving != nullptr) line.field("finding", interleaving->finding);
  line.end_object();
  index_ += (count_ == 0 ? "" : ",\n") + line.text();
  // An interleaving's steps are operations, all of which are few.
  const std::size_t annotations = std::min(kMostAnnotations, most_operations_);
  const std::string packed =
      base::to_base64(explain::page::deflated(explain::page::payload({.label = label,
                                                                      .history = history,
                                                                      .verdict = verdict,
                                                                      .explanation = *explanation,
                                                                      .parts = *parts,
                                                                      .ties = options.ties,
                                                                      .interleaving = interleaving,
                                                                      .most_operations = most_operations_,
                                                                      .most_annotations = annotations})));
  return file_->write(fmt::format("<script type=\"text/plain\" id=\"history-{}\">{}</script>\n", count_++, packed));
}

Result<void> ReportPage::close() {
  auto written = file_->write(fmt::format("<script type=\"application/json\" id=\"index\">[{}]</script>\n", index_));
  if (written) written = file_->write(explain::page::tail());
  return written ? file_->finish() : written;
}

}  // namespace linchpin

// The facade's report for the browser: the page, cut open where the histories go.
#include "linchpin/page.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "api/specifications.hpp"
#include "explain/page/json_writer.hpp"
#include "explain/page/page.hpp"
#include "explain/page/payload.hpp"
#include "explain/page/wrap.hpp"
#include "history/subhistory.hpp"
#include "linchpin/explain.hpp"

namespace linchpin {

namespace {

constexpr ExplainOptions kForPage{.most_states = 200'000, .most_state_bytes = std::size_t{64} << 20};

}  // namespace

Result<ReportPage> ReportPage::open(const std::string& path) {
  ReportPage page;
  page.path_ = path;
  page.file_.reset(std::fopen(path.c_str(), "wb"));
  if (auto written = page.write(explain::page::head()); !written) return written.error();
  return page;
}

Result<void> ReportPage::add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                             const CheckOptions& options) {
  const auto explanation = explain_verdict(history, verdict, options, kForPage);
  if (!explanation) return explanation.error();
  const auto specifications = specifications_of(history, options);
  if (!specifications) return specifications.error();
  const auto parts = history::split_by_object(history, *specifications, options.ties);
  if (!parts) return parts.error();
  explain::page::JsonWriter line;
  line.begin_object().field("label", label).field("verdict", name(verdict.verdict));
  line.field("operations", history.size()).end_object();
  index_ += (count_ == 0 ? "" : ",\n") + line.text();
  const std::string packed =
      explain::page::base64(explain::page::deflated(explain::page::payload({.label = label,
                                                                            .history = history,
                                                                            .verdict = verdict,
                                                                            .explanation = *explanation,
                                                                            .parts = *parts,
                                                                            .ties = options.ties})));
  return write(fmt::format("<script type=\"text/plain\" id=\"history-{}\">{}</script>\n", count_++, packed));
}

Result<void> ReportPage::close() {
  auto written = write(fmt::format("<script type=\"application/json\" id=\"index\">[{}]</script>\n", index_));
  if (written) written = write(explain::page::tail());
  if (written && std::fflush(file_.get()) != 0) written = write({});
  file_.reset();
  return written;
}

Result<void> ReportPage::write(std::string_view text) {
  if (file_ != nullptr && std::ferror(file_.get()) == 0 &&
      std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size()) {
    return {};
  }
  return Error{.code = ErrorCode::io, .source = path_, .message = std::string("cannot write: ") + std::strerror(errno)};
}

}  // namespace linchpin

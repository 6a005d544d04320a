// Of the puts that returned before a look was called, take the one that was called last. What returned before that is
// overwritten. So what the look saw was written by that put, or by what can have come later: by writes that returned
// after its call, and were called before the look returned. Each look is held against these few, one by one:
// - a list begins with what one of the puts wrote (or with nothing, where no put had returned), and each further entry
// is
//   one that some append wrote;
// - an entry was appended, or stands at its place in a put;
// - a length is no less than the shortest put, and no more than the longest and all the appends.
// It is no proof that a look is possible: then the search decides. The look and the put are the core.
// Cost: O(n * what overlaps). Source: own. Compare: once_written.cpp. Tests: log_contents_test.cpp.
#include "types/log/since_last_put.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "types/answers.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using Local = std::uint32_t;
using history::Rank;

class Looks {
 public:
  explicit Looks(const history::Subhistory& part) : part_(part) {
    for (Local x = 0; x < part.size(); ++x) {
      if (!writes(x)) continue;
      by_call_.push_back(x);
      if (!part.pending(x)) by_response_.push_back(x);
    }
    std::sort(by_response_.begin(), by_response_.end(),
              [&](Local a, Local b) { return part.response[a] < part.response[b]; });
  }

  std::optional<Contradiction> find() {
    std::optional<Local> last;  // of the puts that returned so far, the one that was called last
    std::vector<Local> open;    // writes
    std::size_t returned = 0;   // of by_response_
    for (const history::Event event : part_.events()) {
      const Local x = event.operation();
      if (writes(x)) {
        if (!event.is_response()) {
          open.push_back(x);
          continue;
        }
        open.erase(std::find(open.begin(), open.end(), x));
        ++returned;
        const bool puts = part_.method[x] == Log::kPut;
        if (puts && (!last || part_.call[x] > part_.call[*last])) last = x;
      } else if (!event.is_response() && sees(x)) {
        gather(x, last, open, returned);
        if (!explained(x)) return told(x, last);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool writes(Local x) const { return part_.method[x] == Log::kPut || part_.method[x] == Log::kAppend; }
  [[nodiscard]] bool sees(Local x) const { return !part_.pending(x) && !part_.result(x).is_unknown(); }
  [[nodiscard]] std::span<const Value> elements(Value list) const { return part_.history->pool().elements_of(list); }

  /// What the log can consist of while x runs.
  void gather(Local x, std::optional<Local> last, const std::vector<Local>& open, std::size_t returned) {
    puts_.clear();
    appended_.clear();
    puts_empty_ = !last;
    const auto add = [&](Local write) {
      const Value argument = part_.arguments(write)[0];
      if (part_.method[write] == Log::kPut) {
        puts_.push_back(elements(argument));
      } else {
        appended_.push_back(argument);
      }
    };
    for (std::size_t at = returned; at-- > 0;) {
      if (last && part_.response[by_response_[at]] < part_.call[*last]) break;
      add(by_response_[at]);
    }
    std::for_each(open.begin(), open.end(), add);
    const auto next = std::partition_point(by_call_.begin(), by_call_.end(),
                                           [&](Local write) { return part_.call[write] < part_.call[x]; });
    for (auto at = next; at != by_call_.end() && part_.call[*at] < part_.response[x]; ++at) add(*at);
    if (puts_empty_) puts_.emplace_back();
  }

  [[nodiscard]] bool appended(Value value) const {
    return std::find(appended_.begin(), appended_.end(), value) != appended_.end();
  }
  [[nodiscard]] bool explained(Local x) const {
    const Operation operation = part_.view(x);
    const auto any_put = [&](const auto& fits) { return std::any_of(puts_.begin(), puts_.end(), fits); };
    using Entries = std::span<const Value>;
    if (operation.method == Log::kRead) {
      if (!operation.result.is_list()) return true;  // another's matter
      const Entries seen = elements(operation.result);
      // Behind the last entry that nothing appended, all are appended.
      std::size_t appends_from = seen.size();
      while (appends_from > 0 && appended(seen[appends_from - 1])) --appends_from;
      return any_put([&](Entries put) {
        return put.size() >= appends_from && put.size() <= seen.size() &&
               seen.size() - put.size() <= appended_.size() && std::equal(put.begin(), put.end(), seen.begin());
      });
    }
    if (operation.method == Log::kGet) {
      const std::int64_t asked = operation.pool->integer_of(operation.argument(0));
      if (asked < 0) return true;
      const auto place = static_cast<std::size_t>(asked);
      if (operation.result.is_nil()) return any_put([&](Entries put) { return put.size() <= place; });
      return any_put([&](Entries put) {
        if (place < put.size()) return put[place] == operation.result;
        return place - put.size() < appended_.size() && appended(operation.result);
      });
    }
    if (!is_integer(operation.result)) return true;
    const std::int64_t told = operation.pool->integer_of(operation.result);
    return any_put([&](Entries put) {
      const auto size = static_cast<std::int64_t>(put.size());
      return size <= told && told <= size + static_cast<std::int64_t>(appended_.size());
    });
  }

  [[nodiscard]] Contradiction told(Local x, std::optional<Local> last) const {
    const auto described = [&](Local y) { return part_.history->describe(part_.operation[y]); };
    if (!last) {
      return {.operations = {x},
              .sentence = fmt::format("{} is not what the operations can have written that were called before it "
                                      "returned",
                                      described(x))};
    }
    std::vector<Local> operations{*last, x};
    std::sort(operations.begin(), operations.end());
    return {.operations = std::move(operations),
            .sentence = fmt::format("{} is not what {} and the writes that can have followed it before the answer left "
                                    "in the log",
                                    described(x), described(*last))};
  }

  const history::Subhistory& part_;
  std::vector<Local> by_call_, by_response_;  // writes
  std::vector<std::span<const Value>> puts_;  // that may have been last, or one of nothing
  std::vector<Value> appended_;               // that may be behind it
  bool puts_empty_ = false;
};

}  // namespace

std::optional<Contradiction> find_unexplained(const history::Subhistory& part) { return Looks(part).find(); }

}  // namespace linchpin::types::log_

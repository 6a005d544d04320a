#include "explain/timeline.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/foreign_text.hpp"
#include "explain/shortened.hpp"

namespace linchpin::explain {

namespace {

constexpr std::size_t kLongestLabel = 36;
constexpr std::size_t kLongestName = 16;

/// Code points, for widths.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
    if (continues && !result.empty()) {
      result.back() += c;
    } else {
      result.emplace_back(1, c);
    }
  }
  return result;
}

/// The first `most` characters, the last one saying that there were more.
std::vector<std::string> clipped(std::string_view text, std::size_t most, bool ascii) {
  std::vector<std::string> result = characters(text);
  if (result.size() <= most) return result;
  result.resize(most);
  result.back() = ascii ? "~" : "…";
  return result;
}

struct Shapes {
  const char *begin, *line, *end, *open, *point, *blocked;
};
constexpr Shapes kStrong{"┣", "━", "┫", "▶", "●", "✗"};
constexpr Shapes kFaint{"├", "╌", "┤", "▷", "●", "✗"};
constexpr Shapes kStrongAscii{"[", "=", "]", ">", "*", "x"};
constexpr Shapes kFaintAscii{"[", "-", "]", ">", "*", "x"};

/// The open end of the bar says that an operation is pending.
std::string label_of(const History& history, const Shortened& shortened, OperationIndex i) {
  std::string text = shortened.describe(i);
  constexpr std::string_view kPendingSuffix = " pending";
  if (history.pending(i) && text.ends_with(kPendingSuffix)) text.erase(text.size() - kPendingSuffix.size());
  return text;
}

/// One operation on its way into the picture.
struct Bar {
  OperationIndex operation = 0;
  bool strong = false;  // has room for its label
  bool thick = false;
  std::vector<std::string> label;
  bool marked = false;  // a point or a cross
  std::size_t begin = 0, mark = 0, end = 0;
  std::size_t lane = 0;
};

struct Event {
  Tick tick;
  int kind;           // the order at one tick: see `Layout::events`
  std::size_t order;  // among points
  std::size_t bar;
  enum class What { call, point, response } what;
};

class Layout {
 public:
  Layout(const History& history, const Drawing& drawing, const Shortened& shortened, bool ascii, bool numbered,
         std::size_t context)
      : history_(history), drawing_(drawing) {
    const auto add = [&](OperationIndex i, bool strong) {
      Bar bar{.operation = i, .strong = strong};
      bar.thick = strong && !std::binary_search(drawing.thin.begin(), drawing.thin.end(), i);
      const std::string number = std::to_string(bars_.size() + 1);
      bar.label =
          numbered && strong ? characters(number) : clipped(label_of(history, shortened, i), kLongestLabel, ascii);
      bar_of_[i] = bars_.size();
      bars_.push_back(std::move(bar));
    };
    for (const OperationIndex i : drawing.operations) add(i, true);
    for (std::size_t k = 0; k < context; ++k) add(drawing.context[k], false);
    place();
    assign_lanes();
  }

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t margin() const { return margin_; }

  std::string paint(const TimelineStyle& style) const {
    struct Row {
      std::string name;
      std::vector<std::string> cells;
      std::vector<std::string_view> colour;
    };
    std::vector<Row> rows(lanes_.size());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      rows[lane] = {lanes_[lane], std::vector<std::string>(width_, " "), std::vector<std::string_view>(width_)};
    }
    for (const Bar& bar : bars_) {
      const bool pending = history_.pending(bar.operation);
      const Shapes& shapes = bar.thick ? (style.ascii ? kStrongAscii : kStrong) : style.ascii ? kFaintAscii : kFaint;
      const bool blocked = drawing_.blocked == bar.operation;
      Row& row = rows[bar.lane];
      const std::string_view colour = blocked     ? style.colours.blocked
                                      : bar.thick ? style.colours.core
                                                  : style.colours.context;
      const auto put = [&](std::size_t at, std::string text, std::string_view its) {
        row.cells[at] = std::move(text);
        row.colour[at] = its;
      };
      put(bar.begin, shapes.begin, colour);
      for (std::size_t x = bar.begin + 1; x < bar.end; ++x) put(x, shapes.line, colour);
      put(bar.end, pending ? shapes.open : shapes.end, colour);
      if (bar.begin + bar.label.size() + (bar.strong ? 1U : 2U) <= bar.end) {
        for (std::size_t k = 0; k < bar.label.size(); ++k) put(bar.begin + 1 + k, bar.label[k], colour);
      }
      if (bar.marked) put(bar.mark, blocked ? shapes.blocked : shapes.point, blocked ? colour : style.colours.point);
    }
    std::string text;
    for (const Row& row : rows) {
      const std::vector<std::string> name = clipped(row.name, kLongestName, style.ascii);
      for (const std::string& character : name) text += character;
      std::string line(margin_ - name.size(), ' ');
      std::string_view current;
      std::size_t end = width_;
      while (end > 0 && row.cells[end - 1] == " ") --end;
      for (std::size_t x = 0; x < end; ++x) {
        if (row.colour[x] != current) {
          if (!current.empty()) line += style.colours.plain;
          line += row.colour[x];
          current = row.colour[x];
        }
        line += row.cells[x];
      }
      if (!current.empty()) line += style.colours.plain;
      text += line + "\n";
    }
    return text + axis(style);
  }

 private:
  /// Calls, points and responses in the order of time.
  std::vector<Event> events() const {
    std::vector<Event> events;
    const bool response_first = drawing_.ties == Ties::response_first;
    for (std::size_t k = 0; k < bars_.size(); ++k) {
      const OperationIndex i = bars_[k].operation;
      events.push_back({history_.call(i), 2, 0, k, Event::What::call});
      if (history_.pending(i)) continue;
      const bool early = response_first && history_.call(i) != history_.response(i);
      events.push_back({history_.response(i), early ? 1 : 4, 0, k, Event::What::response});
    }
    // A point follows its call, precedes its response, and keeps the order.
    Tick last = 0;
    bool late = false;
    for (std::size_t order = 0; order < drawing_.points.size(); ++order) {
      const Step& step = drawing_.points[order];
      const auto place = bar_of_.find(step.operation);
      if (place == bar_of_.end()) continue;
      if (order == 0 || step.point != last) late = false;
      last = step.point;
      late = late || !response_first || history_.call(step.operation) == step.point;
      events.push_back({step.point, late ? 3 : 0, order, place->second, Event::What::point});
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::tie(a.tick, a.kind, a.order) < std::tie(b.tick, b.kind, b.order);
    });
    return events;
  }

  /// The least columns at which every label has its room.
  void place() {
    const std::vector<Event> sorted = events();
    std::size_t x = 0;
    for (const Step& step : drawing_.points) {
      if (const auto place = bar_of_.find(step.operation); place != bar_of_.end()) bars_[place->second].marked = true;
    }
    if (drawing_.blocked) {
      if (const auto place = bar_of_.find(*drawing_.blocked); place != bar_of_.end())
        bars_[place->second].marked = true;
    }
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      const Event& event = sorted[k];
      Bar& bar = bars_[event.bar];
      // Events of one kind at one tick share their column.
      const bool same = k > 0 && sorted[k - 1].tick == event.tick && sorted[k - 1].kind == event.kind &&
                        event.what != Event::What::point;
      if (k > 0 && !same) ++x;
      const std::size_t after_label = bar.begin + 1 + bar.label.size();
      const bool crossed = drawing_.blocked == bar.operation;
      switch (event.what) {
        case Event::What::call: bar.begin = x; break;
        case Event::What::point:
          x = std::max(x, after_label);
          bar.mark = x;
          break;
        case Event::What::response:
          if (bar.strong)
            x = std::max(x, bar.marked ? (bar.mark > bar.begin ? bar.mark + 1 : after_label + 1) : after_label);
          if (crossed) bar.mark = x - 1;
          bar.end = x;
          break;
      }
      columns_.push_back({x, event.tick, event.what != Event::What::point});
    }
    for (Bar& bar : bars_) {
      if (!history_.pending(bar.operation)) continue;
      bar.end = std::max({bar.begin + 1, x + 1, bar.strong ? bar.begin + bar.label.size() + 2 : 0, bar.mark + 1});
      width_ = std::max(width_, bar.end + 1);
    }
    // What never returned is open to the end of the picture.
    width_ = std::max(width_, x + 1);
    for (Bar& bar : bars_) {
      if (history_.pending(bar.operation)) bar.end = width_ - 1;
    }
  }

  /// Rows: processes of strong bars first, by number or name; a process whose bars overlap takes several.
  void assign_lanes() {
    std::map<std::tuple<bool, bool, std::size_t, std::string>, std::vector<std::size_t>> by_process;
    std::map<ProcessId, bool> has_strong;
    for (const Bar& bar : bars_) has_strong[history_.process(bar.operation)] |= bar.strong;
    for (std::size_t k = 0; k < bars_.size(); ++k) {
      const ProcessId process = history_.process(bars_[k].operation);
      const std::string name = base::foreign_text(history_.process_name(process));
      const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
      by_process[{!has_strong[process], !number, number ? name.size() : 0, name}].push_back(k);
    }
    for (auto& [key, bars] : by_process) {
      std::stable_sort(bars.begin(), bars.end(),
                       [&](std::size_t a, std::size_t b) { return bars_[a].begin < bars_[b].begin; });
      std::vector<std::size_t> free_from;
      const std::size_t first = lanes_.size();
      for (const std::size_t k : bars) {
        std::size_t lane = 0;
        while (lane < free_from.size() && free_from[lane] > bars_[k].begin) ++lane;
        if (lane == free_from.size()) {
          lanes_.push_back(lane == 0 ? std::get<3>(key) : "");
          free_from.push_back(0);
        }
        free_from[lane] = bars_[k].end + 1;
        bars_[k].lane = first + lane;
      }
      margin_ = std::max(margin_, std::min(characters(std::get<3>(key)).size(), kLongestName) + 1);
    }
  }

  /// The ticks under the columns, where there is room.
  std::string axis(const TimelineStyle& style) const {
    std::string line(margin_, ' ');
    std::size_t free = 0;
    for (const Column& column : columns_) {
      const std::string text = std::to_string(column.tick);
      if (!column.labelled || column.x < free || (column.x > 0 && margin_ + column.x + text.size() > style.width))
        continue;
      line.resize(std::max(line.size(), margin_ + column.x), ' ');
      line += text;
      free = column.x + text.size() + 1;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (style.colours.context.empty()) return line + "\n";
    return std::string(style.colours.context) + line + std::string(style.colours.plain) + "\n";
  }

  struct Column {
    std::size_t x;
    Tick tick;
    bool labelled;
  };

  const History& history_;
  const Drawing& drawing_;
  std::vector<Bar> bars_;
  std::map<OperationIndex, std::size_t> bar_of_;
  std::vector<Column> columns_;
  std::vector<std::string> lanes_;  // names of rows
  std::size_t width_ = 0, margin_ = 0;
};

}  // namespace

Timeline draw(const History& history, const Drawing& drawing, const TimelineStyle& style) {
  const Shortened shortened(history, drawing.operations, drawing.sentence);
  for (const bool numbered : {false, true}) {
    for (std::size_t context = drawing.context.size();; context = context / 2) {
      const Layout layout(history, drawing, shortened, style.ascii, numbered, context);
      const bool last = context == 0;
      if (layout.margin() + layout.width() <= style.width) {
        return {.text = layout.paint(style),
                .numbered = numbered,
                .drawn = {drawing.context.begin(), drawing.context.begin() + static_cast<std::ptrdiff_t>(context)}};
      }
      if (last) break;
    }
  }
  return {};
}

std::vector<OperationIndex> around(const History& history, ObjectIndex object, std::span<const OperationIndex> core,
                                   std::optional<OperationIndex> blocked, std::size_t most) {
  if (core.empty() || most == 0) return {};
  const OperationIndex centre = blocked.value_or(core.back());
  const Tick from = history.call(centre), to = history.pending(centre) ? from : history.response(centre);
  std::vector<OperationIndex> sorted(core.begin(), core.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<std::uint64_t, OperationIndex>> near;
  const auto distance = [](Tick a, Tick b) { return static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a); };
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.object(i) != object || std::binary_search(sorted.begin(), sorted.end(), i)) continue;
    std::uint64_t away = 0;
    if (history.call(i) > to) away = distance(to, history.call(i));
    if (history.response(i) < from) away = distance(history.response(i), from);
    near.emplace_back(away, i);
  }
  const std::size_t count = std::min(most, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  std::vector<OperationIndex> result;
  for (std::size_t k = 0; k < count; ++k) result.push_back(near[k].second);
  return result;
}

}  // namespace linchpin::explain

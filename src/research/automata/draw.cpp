#include "research/automata/draw.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace linchpin::automata {

namespace {

/// Transitions sorted for the eye: what moves a run by its two states, what does not as sets with names.
class Picture {
 public:
  Picture(const Automaton& automaton, const Vocabulary& vocabulary) : loops(automaton.states.size()) {
    std::vector<std::vector<std::string>> stays(automaton.states.size());
    for (const Transition& transition : automaton.transitions) {
      const std::string text = to_text(automaton, transition.action, vocabulary);
      if (transition.from == transition.to) {
        stays[transition.from].push_back(text);
      } else {
        moves[{transition.from, transition.to}].push_back(text);
      }
    }
    for (std::size_t state = 0; state < stays.size(); ++state) {
      if (stays[state].empty()) continue;
      std::sort(stays[state].begin(), stays[state].end());
      const auto known = std::find(sets.begin(), sets.end(), stays[state]);
      loops[state] = fmt::format("C{}", known - sets.begin() + 1);
      if (known == sets.end()) sets.push_back(stays[state]);
    }
  }

  std::map<std::pair<StateIndex, StateIndex>, std::vector<std::string>> moves;
  std::vector<std::string> loops;              // by state: the name of a set, or empty
  std::vector<std::vector<std::string>> sets;  // C1, C2, ...
};

/// "a, b: one value each; d: any number".
std::string kinds_of_colours(const Automaton& automaton) {
  std::vector<std::string_view> single, crowd;
  for (const ColourName& colour : automaton.colours) (colour.crowd ? crowd : single).push_back(colour.name);
  std::string text = fmt::format("{}: one value{}", fmt::join(single, ", "), single.size() > 1 ? " each" : "");
  if (!crowd.empty()) text += fmt::format("; {}: any number of values", fmt::join(crowd, ", "));
  return text;
}

StateIndex states_of(const Automaton& automaton) { return static_cast<StateIndex>(automaton.states.size()); }

std::string_view note(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::no: return "";
    case Acceptance::at_end: return ", accepts at the end";
    case Acceptance::at_once: return ", accepts whatever follows";
  }
  return "";
}

/// Text between the quotes of a DOT string.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string to_text(const Automaton& automaton, const Vocabulary& vocabulary) {
  const Picture picture(automaton, vocabulary);
  std::string text =
      fmt::format("{} ({}): {}\n  {}{}\n", automaton.name, automaton.source, automaton.summary,
                  kinds_of_colours(automaton), automaton.registers > 0 ? "; r is guessed at the start" : "");
  for (StateIndex state = 0; state < states_of(automaton); ++state) {
    const State& each = automaton.states[state];
    text += fmt::format("  {}{}{}{}\n", each.name, state == 0 ? ", initial" : "", note(each.acceptance),
                        picture.loops[state].empty() ? "" : ", stays on " + picture.loops[state]);
    for (const auto& [ends, labels] : picture.moves) {
      if (ends.first != state) continue;
      for (const std::string& label : labels) {
        text += fmt::format("    {} -> {}\n", label, automaton.states[ends.second].name);
      }
    }
  }
  for (std::size_t i = 0; i < picture.sets.size(); ++i) {
    text += fmt::format("  C{} = {}\n", i + 1, fmt::join(picture.sets[i], ", "));
  }
  return text;
}

std::string to_dot(const Automaton& automaton, const Vocabulary& vocabulary) {
  const Picture picture(automaton, vocabulary);
  std::string legend = fmt::format("{} ({}): {}\\l{}\\l", quoted(automaton.name), quoted(automaton.source),
                                   quoted(automaton.summary), kinds_of_colours(automaton));
  for (std::size_t i = 0; i < picture.sets.size(); ++i) {
    legend += fmt::format("C{} = {{{}}}\\l", i + 1, quoted(fmt::format("{}", fmt::join(picture.sets[i], ", "))));
  }
  std::string dot = fmt::format(
      "digraph \"{}\" {{\n"
      "  graph [rankdir=LR, fontname=\"Helvetica\", fontsize=11, nodesep=0.35, ranksep=0.3, labeljust=l, "
      "label=\"{}\"];\n"
      "  node [shape=circle, fontname=\"Helvetica\", fontsize=11, width=0.45, fixedsize=true];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n"
      "  start [shape=point, width=0.08];\n"
      "  start -> {}{};\n",
      quoted(automaton.name), legend, automaton.states[0].name, automaton.registers > 0 ? " [label=\"r = *\"]" : "");
  for (StateIndex state = 0; state < states_of(automaton); ++state) {
    const State& each = automaton.states[state];
    if (each.acceptance == Acceptance::at_once) dot += fmt::format("  {} [peripheries=2];\n", each.name);
    if (each.acceptance == Acceptance::at_end) dot += fmt::format("  {} [style=dashed];\n", each.name);
    if (!picture.loops[state].empty()) {
      dot += fmt::format("  {0} -> {0} [label=\"{1}\"];\n", each.name, picture.loops[state]);
    }
  }
  for (const auto& [ends, labels] : picture.moves) {
    std::string label;
    for (const std::string& each : labels) label += (label.empty() ? "" : "\\n") + quoted(each);
    dot += fmt::format("  {} -> {} [label=\"{}\"];\n", automaton.states[ends.first].name,
                       automaton.states[ends.second].name, label);
  }
  return dot + "}\n";
}

}  // namespace linchpin::automata

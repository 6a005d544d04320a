// An explanation for people: a sentence, a picture, and what was tried.
#pragma once

#include <string>

#include "explain/timeline.hpp"
#include "linchpin/explain.hpp"

namespace linchpin::app {

struct ExplanationLook {
  explain::TimelineStyle timeline;
  std::size_t around = 6;  ///< operations drawn beside a core
  std::size_t rows = 16;   ///< of each table, and bars of a picture
  Ties ties = Ties::concurrent;
};

/// Of one object, indented by two; a screen or less.
[[nodiscard]] std::string explanation_text(const History& history, const ObjectVerdict& verdict,
                                           const ObjectExplanation& explanation, const ExplanationLook& look);

}  // namespace linchpin::app

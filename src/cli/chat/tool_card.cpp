#include "cli/chat/tool_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/text/display_width.h"
#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

constexpr std::size_t kMaxArgumentLines = 12;
constexpr std::size_t kMaxResultLines = 6;
constexpr std::size_t kMinColumns = 20;
// Nobody sees more of a line, however long; what follows need not be looked at.
constexpr std::size_t kMaxLineBytes = 4096;

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kPlain = "\x1b[0m";

/// What stands at the left of each line.
struct Edges {
  std::string_view first;
  std::string_view middle;
  std::string_view last;
};

constexpr Edges kBorders{"\u256d ", "\u2502 ", "\u2570 "};
constexpr Edges kAscii{"-> ", "   ", "<- "};

class Card {
 public:
  explicit Card(const CardStyle& style)
      : style_(style), edges_(style.is_lively ? kBorders : kAscii) {}

  /// `rest` is known to fit behind `text`, and has no colour.
  void add(std::string_view edge, std::string_view colour, std::string_view text,
           std::string_view rest = "") {
    const std::size_t room = std::max(style_.width, kMinColumns) - 1 - display_width(edge);
    const std::string line = fit_to_width(text, room);
    if (style_.is_lively) {
      text_ += fmt::format("{}{}{}{}{}{}{}\n", kDim, edge, kPlain, colour, line, kPlain, rest);
    } else {
      text_ += fmt::format("{}{}{}\n", edge, line, rest);
    }
  }

  /// The first lines, `max_lines` of the card, and a line that says how many there are besides.
  void add_lines(std::string_view colour, std::string_view text, std::size_t max_lines) {
    std::size_t left = max_lines;
    while (!text.empty() && left > 0) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      left -= add_broken(colour, clean(text.substr(0, end)), left);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!text.empty()) {
      const auto more = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
      add(edges_.middle, kDim, fmt::format("... {} more line{}", more, more == 1 ? "" : "s"));
    }
  }

  [[nodiscard]] bool fits(std::string_view text) const {
    return text.size() < kMaxLineBytes && display_width(text) + 3 < style_.width;
  }
  [[nodiscard]] const Edges& edges() const { return edges_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  /// One line of text as up to `max_lines` of the card; returns how many.
  std::size_t add_broken(std::string_view colour, std::string_view line, std::size_t max_lines) {
    const std::size_t room = std::max(style_.width, kMinColumns) - 1 - display_width(edges_.middle);
    std::size_t added = 1;
    for (; added < max_lines && display_width(line) > room; ++added) {
      const std::size_t bytes = prefix_of_width(line, room);
      // Between words, where that does not leave half of the line empty.
      const std::size_t space = line.rfind(' ', bytes);
      const bool is_word = space != std::string_view::npos && space > bytes / 2;
      add(edges_.middle, colour, line.substr(0, is_word ? space : bytes));
      line.remove_prefix(is_word ? space + 1 : bytes);
    }
    add(edges_.middle, colour, line);
    return added;
  }

  static std::string clean(std::string_view line) {
    std::string text = short_line(line, kMaxLineBytes);
    for (std::size_t tab = text.find('\t'); tab != std::string::npos; tab = text.find('\t', tab)) {
      text.replace(tab, 1, "    ");
    }
    return text;
  }

  const CardStyle style_;
  const Edges edges_;
  std::string text_;
};

std::string pretty(const ToolCall& call) {
  return call.is_malformed() ? call.raw_arguments
                             : call.arguments->dump(2, ' ', false, json::error_handler_t::replace);
}

std::string_view what_happened(const ToolFinished& result) {
  switch (result.source) {
    case ResultSource::kTool:
      return result.is_error ? "error, " : "";
    case ResultSource::kInvalid:
      return "did not run, ";
    case ResultSource::kDenied:
      return "refused, ";
    case ResultSource::kPerson:
      return "by a person, ";
    case ResultSource::kSuperseded:
      return "not run, ";
  }
  return "";
}

}  // namespace

std::string call_card(const ToolCall& call, const CardStyle& style) {
  Card card(style);
  const std::string name = one_line(call.name);
  const bool has_arguments = !call.arguments_text().empty() && call.arguments_text() != "{}";
  const std::string brief = one_line(call.arguments_text());
  if (!has_arguments) {
    card.add(card.edges().first, kBold, name);
  } else if (card.fits(name + " " + brief)) {
    card.add(card.edges().first, kBold, name, " " + brief);
  } else {
    card.add(card.edges().first, kBold, name);
    card.add_lines("", pretty(call), kMaxArgumentLines);
  }
  return card.take();
}

std::string result_card(const ToolFinished& result, const CardStyle& style) {
  Card card(style);
  const std::string_view colour = result.is_error ? kRed : "";
  card.add_lines(colour, result.text, kMaxResultLines);
  const auto lines = std::ranges::count(result.text, '\n') +
                     (result.text.empty() || result.text.ends_with('\n') ? 0 : 1);
  card.add(card.edges().last, result.is_error ? kRed : kDim,
           fmt::format("{}{}{}", what_happened(result), size_text(result.text.size()),
                       lines > 1 ? fmt::format(", {} lines", lines) : ""));
  return card.take();
}

}  // namespace ingle::cli

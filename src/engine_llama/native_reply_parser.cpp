#include "engine_llama/native_reply_parser.h"

#include <algorithm>
#include <utility>

namespace ingle {
namespace {

/// The reply is read again when it has grown by this part: reading costs as much as the reply is
/// long, and so the sum stays within 32 readings of the whole.
constexpr std::size_t kGrowth = 32;

constexpr std::string_view kSpaces = " \t\r\n";

/// Without spaces at the end: formats trim them once they know what follows.
std::string_view settled_text(std::string_view text) {
  const auto last = text.find_last_not_of(kSpaces);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

/// Without what formats add when they close a call that is not closed yet, and without an escape
/// that may become another or a space that is trimmed.
std::string_view settled_arguments(std::string_view text) {
  for (;;) {
    const std::size_t size = text.size();
    const auto last = text.find_last_not_of(" \t\r\n\"}]");
    text = last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
    if (text.ends_with("\\n") || text.ends_with("\\r") || text.ends_with("\\t")) {
      text.remove_suffix(2);
    } else if (text.ends_with('\\')) {
      text.remove_suffix(1);
    }
    if (text.size() == size) {
      return text;
    }
  }
}

std::size_t first_of(std::string_view text, const std::vector<std::string>& words,
                     std::size_t from) {
  std::size_t first = std::string_view::npos;
  for (const std::string& word : words) {
    first = std::min(first, text.find(word, from));
  }
  return first;
}

std::size_t last_of(std::string_view text, const std::vector<std::string>& words) {
  std::size_t last = std::string_view::npos;
  for (const std::string& word : words) {
    const std::size_t at = text.rfind(word);
    if (at != std::string_view::npos && (last == std::string_view::npos || at > last)) {
      last = at;
    }
  }
  return last;
}

}  // namespace

NativeReplyParser::NativeReplyParser(const ReplySyntax& syntax, std::size_t max_calls)
    : syntax_(syntax), max_calls_(max_calls) {}

void NativeReplyParser::push(std::string_view piece, DeltaSink& sink) {
  reply_ += piece;
  if (reply_.size() < next_reading_) {
    return;
  }
  next_reading_ = reply_.size() + 1 + reply_.size() / kGrowth;
  look_for_calls_in_thoughts(ReplySyntax::Extent::kPart);
  const std::string_view readable =
      std::string_view(reply_).substr(0, held_.value_or(reply_.size() - begun_call_start()));
  if (const auto parsed = syntax_.parse(readable, ReplySyntax::Extent::kPart)) {
    give_on(*parsed, ReplySyntax::Extent::kPart, sink);
  }
}

Message NativeReplyParser::finish(DeltaSink& sink, std::vector<std::string>& warnings) {
  look_for_calls_in_thoughts(ReplySyntax::Extent::kWhole);
  auto parsed = syntax_.parse(reply_, ReplySyntax::Extent::kWhole);
  if (!parsed) {
    warnings.emplace_back(
        "The reply does not have the form of the model's format; what could be read of it was "
        "kept.");
    parsed = syntax_.parse(reply_, ReplySyntax::Extent::kPart);
    if (!parsed || *parsed == ParsedReply{}) {
      parsed = ParsedReply{.text = reply_};
    }
  } else if (const std::size_t lost = lost_call(*parsed); lost != std::string::npos) {
    warnings.emplace_back(
        "The reply has a call that the model's format cannot read: an unknown tool, or arguments "
        "that are missing, unknown or doubled; it was kept as text.");
    parsed->text += reply_.substr(lost);
  }
  give_on(*parsed, ReplySyntax::Extent::kWhole, sink);
  if (is_torn_) {
    warnings.emplace_back(
        "The end of the reply changed how its beginning is to be read; the first reading was "
        "kept.");
  }
  Message message;
  message.role = Role::kAssistant;
  if (!given_.reasoning.empty()) {
    message.content.emplace_back(ReasoningPart{given_.reasoning});
  }
  if (!given_.text.empty()) {
    message.content.emplace_back(TextPart{given_.text});
  }
  for (ParsedReply::CallText& call : given_.calls) {
    message.tool_calls.push_back(ToolCall::of_text(CallId(std::move(call.id)), std::move(call.name),
                                                   std::move(call.arguments)));
  }
  return message;
}

/// Where a call begins that is nowhere in what was read of the reply; npos when there is none. Some
/// formats read a call that does not fit its tool as nothing.
std::size_t NativeReplyParser::lost_call(const ParsedReply& parsed) const {
  if (!parsed.calls.empty() || !given_.calls.empty()) {
    return std::string::npos;
  }
  const std::size_t start = first_of(reply_, syntax_.call_starts(), 0);
  if (start != std::string::npos) {
    const std::string_view rest = settled_text(std::string_view(reply_).substr(start));
    const bool is_shown = parsed.text.find(rest) != std::string::npos ||
                          parsed.reasoning.find(rest) != std::string::npos || is_thinking(start);
    return is_shown ? std::string::npos : start;
  }
  const bool is_empty = settled_text(parsed.text).empty() && settled_text(parsed.reasoning).empty();
  const bool has_words = !settled_text(reply_).empty();
  return is_empty && has_words && syntax_.thinking_ends().empty() ? 0 : std::string::npos;
}

/// What `now` has more than `given`, which becomes `now`. Nothing if the two differ.
std::string NativeReplyParser::grow(std::string& given, std::string_view now) {
  if (!now.starts_with(given)) {
    return {};
  }
  std::string more(now.substr(given.size()));
  given = now;
  return more;
}

void NativeReplyParser::give_on(const ParsedReply& parsed, ReplySyntax::Extent extent,
                                DeltaSink& sink) {
  const bool is_whole = extent == ReplySyntax::Extent::kWhole;
  if (is_whole &&
      !(parsed.reasoning.starts_with(given_.reasoning) && parsed.text.starts_with(given_.text))) {
    is_torn_ = true;
  }
  // Spaces behind thoughts belong to the tag; text of spaces alone, before calls, is nobody's
  // words.
  if (std::string more = grow(given_.reasoning, settled_text(parsed.reasoning)); !more.empty()) {
    sink.on_delta(ReasoningDelta{std::move(more)});
  }
  const bool is_all = is_whole && (parsed.calls.empty() || !settled_text(parsed.text).empty());
  const std::string_view text = is_all ? std::string_view(parsed.text) : settled_text(parsed.text);
  if (std::string more = grow(given_.text, text); !more.empty()) {
    sink.on_delta(TextDelta{std::move(more)});
  }
  give_on_calls(parsed, extent, sink);
}

void NativeReplyParser::give_on_calls(const ParsedReply& parsed, ReplySyntax::Extent extent,
                                      DeltaSink& sink) {
  const bool is_whole = extent == ReplySyntax::Extent::kWhole;
  if (is_whole && parsed.calls.size() < given_.calls.size()) {
    is_torn_ = true;
  }
  has_surplus_ = parsed.calls.size() > max_calls_;
  for (std::size_t i = 0; i < std::min(parsed.calls.size(), max_calls_); ++i) {
    const ParsedReply::CallText& call = parsed.calls[i];
    // Whether a call is over is known when another has begun, or all is.
    const bool is_over = is_whole || i + 1 < parsed.calls.size();
    const std::string_view arguments =
        is_over ? std::string_view(call.arguments) : settled_arguments(call.arguments);
    // Until there are arguments, the name may become longer.
    if (i >= given_.calls.size() && !is_over && arguments.empty()) {
      return;
    }
    const auto index = static_cast<std::int32_t>(i);
    if (i >= given_.calls.size()) {
      given_.calls.push_back({.id = {}, .name = call.name, .arguments = {}});
      sink.on_delta(ToolCallDelta{.index = index, .name = call.name});
    }
    ParsedReply::CallText& given = given_.calls[i];
    if (given.name != call.name || (is_over && !call.arguments.starts_with(given.arguments))) {
      is_torn_ = is_torn_ || is_whole;
      continue;
    }
    // Some formats write the id behind the arguments.
    const bool has_new_id = is_over && given.id.empty() && !call.id.empty();
    given.id = has_new_id ? call.id : given.id;
    std::string more = grow(given.arguments, arguments);
    if (has_new_id || !more.empty()) {
      sink.on_delta(ToolCallDelta{.index = index,
                                  .id = CallId(has_new_id ? call.id : ""),
                                  .raw_arguments = std::move(more)});
    }
  }
}

/// A model that begins a call while it thinks means the call, if it is one. So what follows the
/// start of a call is held back until the thoughts or the reply are over. Then it is tried whether
/// ending the thoughts before the call gives a call of a tool; if so, that is how the reply is
/// read.
void NativeReplyParser::look_for_calls_in_thoughts(ReplySyntax::Extent extent) {
  if (syntax_.thinking_ends().empty() || syntax_.call_starts().empty()) {
    return;
  }
  for (;;) {
    if (!held_) {
      const std::size_t start = first_of(reply_, syntax_.call_starts(), looked_);
      if (start == std::string::npos) {
        return;
      }
      looked_ = start + 1;
      if (!is_thinking(start)) {
        continue;
      }
      held_ = start;
    }
    const std::size_t end = first_of(reply_, syntax_.thinking_ends(), *held_);  // npos: at the end
    if (end == std::string::npos && extent == ReplySyntax::Extent::kPart) {
      return;
    }
    std::string ended = reply_.substr(0, *held_) + syntax_.thinking_ends().front() +
                        reply_.substr(*held_, end - *held_);
    if (has_call(ended)) {
      reply_ = std::move(ended) + behind_thoughts(end);
      looked_ = reply_.size();
    }
    held_.reset();
  }
}

/// How many bytes at the end of the reply may become the start of a call among thoughts.
std::size_t NativeReplyParser::begun_call_start() const {
  if (syntax_.thinking_ends().empty()) {
    return 0;
  }
  std::size_t longest = 0;
  for (const std::string& start : syntax_.call_starts()) {
    for (std::size_t size = std::min(start.size() - 1, reply_.size()); size > longest; --size) {
      if (reply_.ends_with(std::string_view(start).substr(0, size))) {
        longest = size;
      }
    }
  }
  return longest > 0 && is_thinking(reply_.size() - longest) ? longest : 0;
}

/// What follows the tag at `end` that ends the thoughts.
std::string NativeReplyParser::behind_thoughts(std::size_t end) const {
  if (end == std::string::npos) {
    return {};
  }
  const auto tag = std::ranges::find_if(syntax_.thinking_ends(), [&](const std::string& word) {
    return reply_.compare(end, word.size(), word) == 0;
  });
  return reply_.substr(end + tag->size());
}

bool NativeReplyParser::has_call(const std::string& reply) const {
  const auto parsed = syntax_.parse(reply, ReplySyntax::Extent::kWhole);
  return parsed && !parsed->calls.empty() &&
         std::ranges::all_of(parsed->calls, [&](const ParsedReply::CallText& call) {
           return std::ranges::find(syntax_.tool_names(), call.name) !=
                      syntax_.tool_names().end() &&
                  !ToolCall::of_text({}, call.name, call.arguments).is_malformed();
         });
}

bool NativeReplyParser::is_thinking(std::size_t at) const {
  const std::string before = syntax_.begun() + reply_.substr(0, at);
  const std::size_t start =
      syntax_.thinking_start().empty() ? std::string::npos : before.rfind(syntax_.thinking_start());
  const std::size_t end = last_of(before, syntax_.thinking_ends());
  if (start == std::string::npos) {
    return false;
  }
  return end == std::string::npos || end < start;
}

}  // namespace ingle

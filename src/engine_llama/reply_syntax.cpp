#include "engine_llama/reply_syntax.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine_llama/reply_syntax_impl.h"

namespace ingle {
namespace {

/// `common`'s parser recurses at each bracket of a value.
constexpr std::size_t kMaxDepth = 200;

/// Whether brackets are open this deep anywhere; those in strings count too, which is on the safe
/// side.
bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (const char byte : text) {
    if (byte == '{' || byte == '[') {
      if (++depth > kMaxDepth) {
        return true;
      }
    } else if ((byte == '}' || byte == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::string escaped(std::string_view word) {
  std::string pattern;
  for (const char byte : word) {
    if (std::string_view(R"(.^$|()*+?[]{}\)").find(byte) != std::string_view::npos) {
      pattern += '\\';
    }
    pattern += byte;
  }
  return pattern;
}

std::string anchored(const std::string& pattern) {
  return (pattern.starts_with('^') ? "" : "^") + pattern + (pattern.ends_with('$') ? "" : "$");
}

ReplyGrammar grammar_of(const common_chat_params& params) {
  ReplyGrammar grammar{.text = params.grammar, .is_lazy = params.grammar_lazy};
  for (const common_grammar_trigger& trigger : params.grammar_triggers) {
    switch (trigger.type) {
      case COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN:
        grammar.trigger_markers.push_back(trigger.value);
        break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_WORD:
        grammar.triggers.push_back(escaped(trigger.value));
        break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN:
        grammar.triggers.push_back(trigger.value);
        break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL:
        grammar.triggers.push_back(anchored(trigger.value));
        break;
    }
  }
  return grammar;
}

}  // namespace

std::unique_ptr<ReplySyntax::Impl> make_syntax(const common_chat_params& params,
                                               std::vector<std::string> tool_names) {
  auto impl = std::make_unique<ReplySyntax::Impl>();
  impl->parser = common_chat_parser_params(params);
  impl->parser.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  if (!params.parser.empty()) {
    impl->parser.parser.load(params.parser);
  }
  impl->grammar = grammar_of(params);
  impl->kept_markers = params.preserved_tokens;
  impl->stops = params.additional_stops;
  std::erase(impl->stops, "");
  impl->thinking_start = params.thinking_start_tag;
  impl->thinking_ends = params.thinking_end_tags;
  std::erase(impl->thinking_ends, "");
  for (const common_grammar_trigger& trigger : params.grammar_triggers) {
    if (trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_WORD && !trigger.value.empty()) {
      impl->call_starts.push_back(trigger.value);
    }
  }
  impl->tool_names = std::move(tool_names);
  return impl;
}

std::string without_prose(std::string grammar) {
  constexpr std::string_view kRule = "root ::= ";
  constexpr std::string_view kProse = "until-";
  const std::size_t rule = grammar.starts_with(kRule) ? 0 : grammar.find("\nroot ::= ");
  if (rule == std::string::npos) {
    return grammar;
  }
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t at = grammar.find("::=", rule) + 3; at < grammar.size() && grammar[at] != '\n';
       ++at) {
    const char byte = grammar[at];
    if (is_in_string) {
      at += byte == '\\' ? 1 : 0;
      is_in_string = byte != '"';
    } else if (byte == '"') {
      is_in_string = true;
    } else if (byte == '(' || byte == ')') {
      depth += byte == '(' ? 1 : -1;
    } else if (depth == 0 && grammar.compare(at, kProse.size(), kProse) == 0) {
      const std::size_t end = std::min(grammar.find_first_of(" \n", at), grammar.size());
      grammar.erase(at, end - at);
      break;  // what may follow the calls stays
    }
  }
  return grammar;
}

ReplySyntax::ReplySyntax(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplySyntax::~ReplySyntax() = default;

std::optional<ParsedReply> ReplySyntax::parse(std::string_view reply, Extent extent) const {
  if (is_too_deep(reply)) {
    return std::nullopt;
  }
  try {
    common_chat_msg message =
        common_chat_parse(std::string(reply), extent == Extent::kPart, impl_->parser);
    ParsedReply parsed{.reasoning = std::move(message.reasoning_content),
                       .text = std::move(message.content)};
    for (common_chat_tool_call& call : message.tool_calls) {
      parsed.calls.push_back({.id = std::move(call.id),
                              .name = std::move(call.name),
                              .arguments = std::move(call.arguments)});
    }
    return parsed;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

const ReplyGrammar& ReplySyntax::grammar() const { return impl_->grammar; }
const std::vector<std::string>& ReplySyntax::kept_markers() const { return impl_->kept_markers; }
const std::vector<std::string>& ReplySyntax::stops() const { return impl_->stops; }
const std::string& ReplySyntax::begun() const { return impl_->parser.generation_prompt; }
const std::string& ReplySyntax::thinking_start() const { return impl_->thinking_start; }
const std::vector<std::string>& ReplySyntax::thinking_ends() const { return impl_->thinking_ends; }
const std::vector<std::string>& ReplySyntax::call_starts() const { return impl_->call_starts; }
const std::vector<std::string>& ReplySyntax::tool_names() const { return impl_->tool_names; }

}  // namespace ingle

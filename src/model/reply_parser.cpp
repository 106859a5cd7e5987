#include "ingle/model/reply_parser.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/core/result.h"
#include "model/envelope.h"

namespace ingle {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view trim_left(std::string_view text) {
  const auto start = text.find_first_not_of(kSpaces);
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

ToolCall malformed(std::string name, std::string_view text) {
  return {
      .id = {}, .name = std::move(name), .arguments = {}, .malformed_arguments = std::string(text)};
}

ToolCall parse_call(std::string_view body) {
  auto parsed = parse_json(body);
  if (!parsed || !(*parsed)->is_object()) {
    return malformed({}, body);
  }
  const json& object = **parsed;
  const auto name = object.find("name");
  if (name == object.end() || !name->is_string()) {
    return malformed({}, body);
  }
  const auto arguments = object.find("arguments");
  return {.id = {},
          .name = name->get<std::string>(),
          .arguments = arguments == object.end() ? Json(json::object()) : Json(*arguments),
          .malformed_arguments = {}};
}

}  // namespace

void ReplyParser::push(std::string_view piece, DeltaSink& sink) {
  pending_ += piece;
  if (kind_ == Kind::kUndecided) {
    const std::string_view begin = trim_left(pending_);
    if (begin.size() < kCallOpen.size() && kCallOpen.starts_with(begin)) {
      return;
    }
    kind_ = begin.starts_with(kCallOpen) ? Kind::kCalls : Kind::kText;
  }
  if (kind_ == Kind::kCalls) {
    take_calls(sink);
    return;
  }
  if (!pending_.empty()) {
    text_ += pending_;
    sink.on_delta(TextDelta{std::exchange(pending_, {})});
  }
}

void ReplyParser::take_calls(DeltaSink& sink) {
  while (true) {
    const auto open = pending_.find(kCallOpen);
    const auto close = pending_.find(kCallClose, open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) {
      return;
    }
    const auto body = open + kCallOpen.size();
    add_call(std::string_view(pending_).substr(body, close - body), sink);
    pending_.erase(0, close + kCallClose.size());
  }
}

void ReplyParser::add_call(std::string_view body, DeltaSink& sink) {
  ToolCall call = parse_call(body);
  sink.on_delta(ToolCallDelta{.index = static_cast<std::int32_t>(calls_.size()),
                              .name = call.name,
                              .raw_arguments = call.malformed_arguments.empty()
                                                   ? call.arguments.dump()
                                                   : call.malformed_arguments});
  calls_.push_back(std::move(call));
}

Message ReplyParser::finish(DeltaSink& sink) {
  if (kind_ == Kind::kCalls) {
    if (const auto open = pending_.find(kCallOpen); open != std::string::npos) {
      add_call(std::string_view(pending_).substr(open + kCallOpen.size()), sink);
    }
  } else if (!pending_.empty()) {
    text_ += pending_;
    sink.on_delta(TextDelta{pending_});
  }
  pending_.clear();
  Message message = Message::assistant(std::exchange(text_, {}));
  message.tool_calls = std::exchange(calls_, {});
  return message;
}

}  // namespace ingle

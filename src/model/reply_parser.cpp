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

/// Reads `{"name": "...", "arguments": `, whatever of it is there yet.
class Header {
 public:
  enum class Match : std::uint8_t { kWhole, kBegun, kOther };

  explicit Header(std::string_view text) : rest_(text) {}

  Match read() {
    for (const std::string_view part : {"{", "\"name\"", ":"}) {
      if (!take(part)) {
        return failed();
      }
    }
    if (!take_name()) {
      return failed();
    }
    for (const std::string_view part : {",", "\"arguments\"", ":"}) {
      if (!take(part)) {
        return failed();
      }
    }
    rest_ = trim_left(rest_);
    return rest_.empty() ? Match::kBegun : Match::kWhole;
  }

  [[nodiscard]] std::string name() && { return std::move(name_); }
  /// What follows the header.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  [[nodiscard]] Match failed() const { return is_cut_ ? Match::kBegun : Match::kOther; }

  bool take(std::string_view part) {
    rest_ = trim_left(rest_);
    is_cut_ = rest_.size() < part.size() && part.starts_with(rest_);
    if (!rest_.starts_with(part)) {
      return false;
    }
    rest_.remove_prefix(part.size());
    return true;
  }

  bool take_name() {
    rest_ = trim_left(rest_);
    is_cut_ = rest_.empty();
    if (!rest_.starts_with('"')) {
      return false;
    }
    JsonValueScanner scanner;
    const std::size_t length = scanner.take(rest_);
    is_cut_ = !scanner.is_complete();
    const auto name = parse_json(rest_.substr(0, length));
    if (is_cut_ || !name) {
      return false;
    }
    name_ = (*name)->get<std::string>();
    rest_.remove_prefix(length);
    return true;
  }

  std::string_view rest_;
  std::string name_;
  bool is_cut_ = false;  ///< What is missing may still come.
};

/// A call in another order than ours, or something else.
ToolCall parse_call(std::string_view body) {
  auto parsed = parse_json(body);
  if (parsed && (*parsed)->is_object()) {
    const json& object = **parsed;
    const auto name = object.find("name");
    if (name != object.end() && name->is_string()) {
      return {.id = {},
              .name = name->get<std::string>(),
              .arguments = Json(object.value("arguments", json::object()))};
    }
  }
  return {.id = {}, .name = {}, .arguments = {}, .raw_arguments = std::string(body)};
}

}  // namespace

void ReplyParser::push(std::string_view piece, DeltaSink& sink) {
  pending_ += piece;
  if (part_ == Part::kUndecided) {
    const std::string_view begin = trim_left(pending_);
    if (begin.size() < kCallOpen.size() && kCallOpen.starts_with(begin)) {
      return;
    }
    part_ = begin.starts_with(kCallOpen) ? Part::kBetweenCalls : Part::kText;
  }
  if (part_ != Part::kText) {
    while (take_part_of_call(sink)) {
    }
    return;
  }
  if (!pending_.empty()) {
    text_ += pending_;
    sink.on_delta(TextDelta{std::exchange(pending_, {})});
  }
}

/// Goes one step on in the calls; false when more of the reply is needed for that.
bool ReplyParser::take_part_of_call(DeltaSink& sink) {
  switch (part_) {
    case Part::kBetweenCalls:
      return drop_through(kCallOpen, Part::kHeader);
    case Part::kHeader:
      return take_header(sink);
    case Part::kArguments:
      return take_arguments(sink);
    case Part::kTail:
      if (drop_through(kCallClose, Part::kBetweenCalls)) {
        end_arguments();
        return true;
      }
      return false;
    case Part::kOther: {
      const auto close = pending_.find(kCallClose);
      if (close == std::string::npos) {
        return false;
      }
      add_whole_call(parse_call(std::string_view(pending_).substr(0, close)), sink);
      return drop_through(kCallClose, Part::kBetweenCalls);
    }
    case Part::kUndecided:
    case Part::kText:
      break;
  }
  return false;
}

bool ReplyParser::drop_through(std::string_view marker, Part next) {
  const auto at = pending_.find(marker);
  if (at == std::string::npos) {
    return false;
  }
  pending_.erase(0, at + marker.size());
  part_ = next;
  return true;
}

bool ReplyParser::take_header(DeltaSink& sink) {
  Header header(pending_);
  switch (header.read()) {
    case Header::Match::kBegun:
      return false;
    case Header::Match::kOther:
      part_ = Part::kOther;
      return true;
    case Header::Match::kWhole:
      break;
  }
  pending_.erase(0, pending_.size() - header.rest().size());
  name_ = std::move(header).name();
  sink.on_delta(ToolCallDelta{.index = static_cast<std::int32_t>(calls_.size()), .name = name_});
  scanner_ = {};
  part_ = Part::kArguments;
  return true;
}

bool ReplyParser::take_arguments(DeltaSink& sink) {
  const std::size_t count = scanner_.take(pending_);
  if (count > 0) {
    std::string piece = pending_.substr(0, count);
    pending_.erase(0, count);
    arguments_ += piece;
    sink.on_delta(ToolCallDelta{.index = static_cast<std::int32_t>(calls_.size()),
                                .raw_arguments = std::move(piece)});
  }
  if (scanner_.is_complete()) {
    part_ = Part::kTail;
  }
  return scanner_.is_complete();
}

void ReplyParser::end_arguments() {
  calls_.push_back(ToolCall::of_text({}, std::exchange(name_, {}), std::exchange(arguments_, {})));
}

void ReplyParser::add_whole_call(ToolCall call, DeltaSink& sink) {
  sink.on_delta(ToolCallDelta{.index = static_cast<std::int32_t>(calls_.size()),
                              .name = call.name,
                              .raw_arguments = call.arguments_text()});
  calls_.push_back(std::move(call));
}

Message ReplyParser::finish(DeltaSink& sink) {
  switch (part_) {
    case Part::kUndecided:
    case Part::kText:
      if (!pending_.empty()) {
        text_ += pending_;
        sink.on_delta(TextDelta{pending_});
      }
      break;
    case Part::kBetweenCalls:
      break;
    case Part::kHeader:
    case Part::kOther:
      add_whole_call(parse_call(pending_), sink);
      break;
    case Part::kArguments:
    case Part::kTail:
      end_arguments();
      break;
  }
  pending_.clear();
  Message message = Message::assistant(std::exchange(text_, {}));
  message.tool_calls = std::exchange(calls_, {});
  return message;
}

}  // namespace ingle

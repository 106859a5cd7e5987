#include <string_view>

#include "cli/options/options.h"

namespace ingle::cli {

Result<InterruptAnswer> parse_answer(const std::string& text) {
  const Error invalid{
      ErrorCode::kInvalidArgument,
      "answer_invalid",
      "\"" + text + "\" is not ID=approve, ID=reject, ID=reject:REASON or ID=respond:TEXT",
      {}};
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return invalid;
  }
  InterruptAnswer answer{.id = InterruptId(text.substr(0, equals))};
  const std::string_view rest = std::string_view(text).substr(equals + 1);
  const std::size_t colon = rest.find(':');
  const std::string_view word = rest.substr(0, colon);
  const bool has_text = colon != std::string_view::npos;
  answer.text = has_text ? rest.substr(colon + 1) : "";
  if (word == "approve" && !has_text) {
    answer.decision = InterruptDecision::kApprove;
  } else if (word == "reject") {
    answer.decision = InterruptDecision::kReject;
  } else if (word == "respond" && has_text) {
    answer.decision = InterruptDecision::kRespond;
  } else {
    return invalid;
  }
  return answer;
}

}  // namespace ingle::cli

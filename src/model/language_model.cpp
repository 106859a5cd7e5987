#include "ingle/model/language_model.h"

#include <algorithm>

namespace ingle {

std::string_view to_string(ToolProtocol protocol) {
  switch (protocol) {
    case ToolProtocol::kNone:
      return "none";
    case ToolProtocol::kPrompted:
      return "prompted";
    case ToolProtocol::kNative:
      return "native";
  }
  return "";
}

Result<Scores> LanguageModel::score_behind_each(const Call& call, std::span<const Prompt> prompts,
                                                const std::string& text) {
  Scores all;
  for (const Prompt& prompt : prompts) {
    INGLE_TRY(const Scores scores, score(call, prompt, std::span(&text, 1)));
    all.usage += scores.usage;
    all.log_likelihoods.push_back(scores.log_likelihoods.front());
  }
  return all;
}

bool ModelInfo::supports(ConstraintKind kind) const {
  return std::find(constraints.begin(), constraints.end(), kind) != constraints.end();
}

}  // namespace ingle

#include "cli/chat/chat_settings.h"

#include <nlohmann/json.hpp>

namespace ingle::cli {
namespace {

constexpr const char* kPlayedReplies = "played_replies";

}  // namespace

Json chat_settings(const AgentParts& parts, std::size_t played_replies) {
  Json settings = settings_json(parts.config);
  if (parts.model.kind == ModelKind::kScript && played_replies > 0) {
    (*settings)[kPlayedReplies] = played_replies;
  }
  return settings;
}

std::size_t replies_before_run(const Json& logged) {
  if (!logged->is_object()) {
    return 0;
  }
  const auto found = logged->find(kPlayedReplies);
  return found != logged->end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

}  // namespace ingle::cli

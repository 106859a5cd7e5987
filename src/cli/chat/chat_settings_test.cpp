#include "cli/chat/chat_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ingle::cli {
namespace {

TEST(ChatSettings, AScriptsPlaceIsLoggedAndReadBack) {
  AgentParts parts{.model = {.kind = ModelKind::kScript}};
  EXPECT_EQ(replies_before_run(chat_settings(parts, 3)), 3U);
  EXPECT_EQ(replies_before_run(chat_settings(parts, 0)), 0U);
  EXPECT_EQ(chat_settings(parts, 0), settings_json(parts.config));
}

TEST(ChatSettings, AModelHasNoPlace) {
  const AgentParts parts;
  EXPECT_EQ(chat_settings(parts, 3), settings_json(parts.config));
}

TEST(ChatSettings, WhatIsNoPlaceIsNone) {
  EXPECT_EQ(replies_before_run({}), 0U);
  EXPECT_EQ(replies_before_run(json{{"played_replies", -1}}), 0U);
  EXPECT_EQ(replies_before_run(json{{"played_replies", "2"}}), 0U);
  EXPECT_EQ(replies_before_run(json::array()), 0U);
}

TEST(ChatSettings, TheyAreSettings) {
  AgentParts parts{.model = {.kind = ModelKind::kScript}};
  parts.config.model = "scripted:x";
  const auto read = config_from_settings(chat_settings(parts, 3));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, parts.config);
}

}  // namespace
}  // namespace ingle::cli

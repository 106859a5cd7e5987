#include "model/tool_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ingle {
namespace {

ToolSpec area() {
  return {.name = "calculate_triangleArea",
          .description = "Calculates the area of triangles.",
          .parameters = json{{"type", "object"},
                             {"properties",
                              {{"base", {{"type", "number"}}},
                               {"height", {{"type", "number"}, {"description", "in metres"}}},
                               {"unit", {{"type", "string"}}}}},
                             {"required", {"base", "height"}}}};
}

ToolSpec tool(std::string name, std::string description) {
  return {.name = std::move(name), .description = std::move(description), .parameters = {}};
}

TEST(ToolEvidence, WordsAreComparedByStems) {
  const ToolEvidence evidence = evidence_for(area(), "What is the area of a triangle?");
  EXPECT_DOUBLE_EQ(evidence.name_said, 2.0 / 3.0);         // calculate was not said
  EXPECT_DOUBLE_EQ(evidence.description_said, 2.0 / 3.0);  // nor calculates
  EXPECT_DOUBLE_EQ(evidence.question_known, 1.0);
}

TEST(ToolEvidence, NumbersThatAreNeededAndNotGivenAreCounted) {
  EXPECT_EQ(evidence_for(area(), "What is the area?").missing_numbers, 2);
  EXPECT_EQ(evidence_for(area(), "Base 3.14, what is the area?").missing_numbers, 1);
  EXPECT_EQ(evidence_for(area(), "3 by 4 by 5").missing_numbers, 0);
}

TEST(ToolEvidence, StrangeToolsAndQuestionsAreNoEvidence) {
  EXPECT_EQ(evidence_for({.name = "", .description = "", .parameters = {}}, ""), ToolEvidence{});
  EXPECT_EQ(
      evidence_for({.name = "f", .description = "", .parameters = json::array()}, "\xFF the of"),
      ToolEvidence{});
  EXPECT_EQ(evidence_for({.name = "x",
                          .description = "",
                          .parameters = json{{"required", "a"}, {"properties", 3}}},
                         "one")
                .missing_numbers,
            0);
}

TEST(ToolEvidence, WeightsAreThoseOfTheStrategy) {
  const ToolEvidence evidence{
      .name_said = 0.5, .description_said = 0.25, .question_known = 1.0, .missing_numbers = 2};
  ToolStrategy strategy;
  strategy.shared_words_weight = 3;
  strategy.missing_number_choice = 1;
  strategy.name_weight = 10;
  strategy.description_weight = 20;
  strategy.missing_number_weight = 4;
  EXPECT_DOUBLE_EQ(choice_bonus(evidence, strategy), 3.0 - 2.0);
  EXPECT_DOUBLE_EQ(fit_bonus(evidence, strategy), 5.0 + 5.0 - 8.0);
}

TEST(ToolEvidence, OfManyToolsThoseThatKnowTheQuestionAreLeft) {
  const std::vector<ToolSpec> tools{tool("play_music", "Plays a song."),
                                    tool("find_recipe", "Finds a recipe."),
                                    tool("get_weather", "Tells the weather in a city."),
                                    tool("weather_history", "Tells the weather of a past day.")};
  const auto names = [&](std::int32_t count) {
    std::vector<std::string> result;
    for (const ToolCandidate& one :
         most_evident(tools, "What is the weather in this city?", count)) {
      result.push_back(one.tool.name);
    }
    return result;
  };
  EXPECT_THAT(names(1), ::testing::ElementsAre("get_weather"));
  EXPECT_THAT(names(2), ::testing::ElementsAre("get_weather", "weather_history"));
  EXPECT_THAT(names(3), ::testing::ElementsAre("play_music", "get_weather", "weather_history"));
  EXPECT_EQ(names(4).size(), 4U);
  EXPECT_EQ(names(0).size(), 4U);
  EXPECT_EQ(names(9).size(), 4U);
}

}  // namespace
}  // namespace ingle

#include "model/tool_evidence.h"

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

}  // namespace
}  // namespace ingle

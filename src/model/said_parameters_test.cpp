#include "model/said_parameters.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ingle {
namespace {

Json search() {
  return json{
      {"type", "object"},
      {"properties",
       {{"city", {{"type", "string"}}},
        {"genre", {{"type", "string"}, {"enum", {"Rock", "Hip Hop", "any"}}, {"default", "any"}}},
        {"max_results", {{"type", "integer"}}},
        {"live_music", {{"type", "boolean"}}},
        {"band", {{"type", "string"}}},
        {"tags", {{"type", "array"}}}}},
      {"required", {"city"}}};
}

/// Names of what is left, in their order.
std::string left(std::string_view question) {
  const Json schema = said_parameters(search(), question);
  std::string names;
  for (const json& name : schema->at("required")) {
    names += name.get<std::string>() + " ";
  }
  EXPECT_EQ(schema->at("properties").size(), schema->at("required").size());
  EXPECT_EQ(schema->at("additionalProperties"), false);
  return names;
}

TEST(SaidParameters, WhatIsRequiredAloneWhereNothingElseIsSaid) {
  EXPECT_EQ(left("Something in Rome"), "city ");
  EXPECT_EQ(left(""), "city ");
}

TEST(SaidParameters, AValueOfAnEnumThatIsSaid) {
  EXPECT_EQ(left("Any rock in Rome?"), "city genre ");
  EXPECT_EQ(left("any in Rome"), "city ");  // The default alone.
  EXPECT_EQ(said_parameters(search(), "Play hip hop")->at("properties")["genre"]["enum"],
            json{"Hip Hop"});
}

TEST(SaidParameters, ANumberWhoseNameIsSaidAndThatIsGiven) {
  EXPECT_EQ(left("5 results for Rome"), "city max_results ");
  EXPECT_EQ(left("results for Rome"), "city ");
  EXPECT_EQ(left("5 in Rome"), "city ");
}

TEST(SaidParameters, ASwitchAndATextWhoseNamesAreSaid) {
  EXPECT_EQ(left("live music in Rome"), "city live_music ");
  EXPECT_EQ(left("the band Muse in Rome"), "city band ");
  EXPECT_EQ(left("tags in Rome"), "city ");
}

TEST(SaidParameters, ASwitchThatIsSpokenOfIsOnUnlessSomethingIsDenied) {
  const auto part = [](std::string_view question) {
    return said_parameters(search(), question)->at("properties")["live_music"];
  };
  EXPECT_EQ(part("live music in Rome")["enum"], json{true});
  EXPECT_EQ(part("no live music in Rome"), (json{{"type", "boolean"}}));
}

TEST(SaidParameters, ElementsOfAListThatAreSaidAreTheList) {
  const Json schema{
      json{{"type", "object"},
           {"properties",
            {{"tags",
              {{"type", "array"},
               {"items", {{"type", "string"}, {"enum", {"Wi-Fi", "Cafe", "Fiction"}}}}}}}},
           {"required", json::array()}}};
  EXPECT_EQ(said_parameters(schema, "with fiction and wi-fi")->at("properties")["tags"]["enum"],
            json::array({json{"Wi-Fi", "Fiction"}}));
  EXPECT_TRUE(said_parameters(schema, "with books")->at("properties").empty());
}

TEST(SaidParameters, ARequiredEnumIsLimitedToo) {
  const Json schema = said_parameters(
      json{{"type", "object"},
           {"properties", {{"unit", {{"type", "string"}, {"enum", {"miles", "km"}}}}}},
           {"required", {"unit"}}},
      "How many miles?");
  EXPECT_EQ(schema->at("properties")["unit"]["enum"], json{"miles"});
}

TEST(SaidParameters, StrangeSchemasAreLeftAsTheyAre) {
  for (const json& schema :
       {json(), json(true), json::array(), json{{"type", "string"}}, json{{"properties", 1}}}) {
    EXPECT_EQ(said_parameters(schema, "question"), schema) << schema.dump();
  }
  EXPECT_EQ(said_parameters(json{{"properties", {{"a", true}}}}, "a")->at("properties"),
            json::object());
}

}  // namespace
}  // namespace ingle

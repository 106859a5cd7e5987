#include "ingle/model/schema_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ingle {
namespace {

Json schema(std::string_view text) { return parse_json(text).value(); }

TEST(SchemaText, RequiredPropertiesStandFirstInTheirOrder) {
  const Json given = schema(
      R"({"type":"object","required":["z","b"],"properties":{"a":{},"b":{},"z":{},"c":{}}})");
  EXPECT_THAT(parameter_names(given), ::testing::ElementsAre("z", "b", "a", "c"));
  EXPECT_EQ(schema_text(given),
            R"({"properties":{"z":{},"b":{},"a":{},"c":{}},"required":["z","b"],"type":"object"})");
}

TEST(SchemaText, InnerObjectsAreOrderedToo) {
  EXPECT_EQ(schema_text(schema(R"({"items":{"required":["b"],"properties":{"a":{},"b":{}}}})")),
            R"({"items":{"properties":{"b":{},"a":{}},"required":["b"]}})");
}

TEST(SchemaText, TextMeansTheSameSchema) {
  for (const auto text :
       {R"({"properties":3,"required":"x"})", R"({"required":["x",1,"y"],"properties":{"y":{}}})",
        R"([1,{"properties":{"properties":{"properties":{}}}}])", "true",
        R"({"enum":["\u00e9"]})"}) {
    EXPECT_EQ(parse_json(schema_text(schema(text))).value(), schema(text)) << text;
  }
}

TEST(ToolText, NameComesFirst) {
  EXPECT_EQ(tool_text({.name = "t", .description = "d", .parameters = schema("{}")}),
            R"({"name":"t","description":"d","parameters":{}})");
}

}  // namespace
}  // namespace ingle

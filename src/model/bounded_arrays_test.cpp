#include "model/bounded_arrays.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ingle {
namespace {

TEST(BoundedArrays, ListsWithoutABoundGetOne) {
  const json schema = json::parse(R"({"properties": {
      "a": {"type": "array", "items": {"type": "array"}},
      "b": {"type": "array", "maxItems": 2},
      "c": {"type": "array", "minItems": 9},
      "d": {"enum": [{"type": "array"}]},
      "type": {"type": "string"}}})");
  const json bounded = *with_bounded_arrays(schema, 5);
  EXPECT_EQ(bounded["properties"]["a"]["maxItems"], 5);
  EXPECT_EQ(bounded["properties"]["a"]["items"]["maxItems"], 5);
  EXPECT_EQ(bounded["properties"]["b"]["maxItems"], 2);
  EXPECT_FALSE(bounded["properties"]["c"].contains("maxItems"));
  EXPECT_EQ(bounded["properties"]["d"], schema["properties"]["d"]);
  EXPECT_EQ(*with_bounded_arrays(json(true), 5), json(true));
}

TEST(BoundedArrays, FullListKeepsEachElementOnce) {
  const json value =
      json::parse(R"({"a": ["x", "y", "y", "y"], "b": ["y", "y"], "c": [[1, 1, 1, 1]]})");
  EXPECT_EQ(*without_loops(value, 4),
            json::parse(R"({"a": ["x", "y"], "b": ["y", "y"], "c": [[1]]})"));
}

}  // namespace
}  // namespace ingle

#include "ingle/schema/json_value_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ingle {
namespace {

/// What of `text` is the first value, given byte by byte.
std::string first_value(const std::string& text) {
  JsonValueScanner scanner;
  std::string value;
  for (const char byte : text) {
    value.append(std::string(1, byte), 0, scanner.take({&byte, 1}));
  }
  return value;
}

TEST(JsonValueScanner, ValueEndsWithItsLastByte) {
  const std::vector<std::string> values = {R"({"a": [1, {"b": "}]\""}], "c": ""})",
                                           "[]",
                                           R"("text } with \" and \\")",
                                           "-1.5e3",
                                           "true",
                                           "{}",
                                           R"( [ "[" ] )"};
  for (const std::string& value : values) {
    const std::string trimmed = value.substr(0, value.find_last_not_of(' ') + 1);
    for (const std::string tail : {"}", ",1", " ", "", "</tool_call>"}) {
      if (tail == "</tool_call>" && trimmed.back() != '}' && trimmed.back() != ']') {
        continue;  // A number or a word ends at a space, a comma or a bracket.
      }
      EXPECT_EQ(first_value(trimmed + tail), trimmed) << tail;
      JsonValueScanner whole;
      EXPECT_EQ(whole.take(trimmed + tail), trimmed.size()) << trimmed << tail;
    }
  }
}

TEST(JsonValueScanner, TellsWhenTheValueIsComplete) {
  JsonValueScanner scanner;
  EXPECT_EQ(scanner.take(R"({"a": )"), 6U);
  EXPECT_FALSE(scanner.is_complete());
  EXPECT_EQ(scanner.take(R"(1}})"), 2U);
  EXPECT_TRUE(scanner.is_complete());
  EXPECT_EQ(scanner.take("{"), 0U);
}

TEST(JsonValueScanner, ClosingBracketWithoutAnOpenOneIsNotTaken) {
  EXPECT_EQ(first_value("}"), "");
  EXPECT_EQ(first_value("]1"), "");
}

}  // namespace
}  // namespace ingle

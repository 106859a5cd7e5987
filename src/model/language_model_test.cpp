#include "ingle/model/language_model.h"

#include <gtest/gtest.h>

namespace ingle {
namespace {

TEST(ModelInfo, SupportsWhatItLists) {
  const ModelInfo info{.constraints = {ConstraintKind::kRegex}};
  EXPECT_TRUE(info.supports(ConstraintKind::kRegex));
  EXPECT_FALSE(info.supports(ConstraintKind::kLark));
  EXPECT_FALSE(ModelInfo{}.supports(ConstraintKind::kJsonSchema));
}

TEST(ToolProtocol, HasNames) {
  EXPECT_EQ(to_string(ToolProtocol::kNone), "none");
  EXPECT_EQ(to_string(ToolProtocol::kPrompted), "prompted");
  EXPECT_EQ(to_string(ToolProtocol::kNative), "native");
}

}  // namespace
}  // namespace ingle

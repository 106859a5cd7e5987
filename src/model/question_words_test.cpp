#include "model/question_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ingle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(QuestionWords, StemsOfWhatSaysSomething) {
  EXPECT_THAT(words_of("What is the area of the triangles?"), ElementsAre("area", "triangl"));
  EXPECT_THAT(words_of("get_weatherIn2024"), ElementsAre("weather"));
  EXPECT_THAT(words_of("\xFF the of a"), IsEmpty());
}

TEST(QuestionWords, SharesAreOfTheFirst) {
  EXPECT_EQ(share_of({"a", "b"}, {"b", "c", "d"}), 0.5);
  EXPECT_EQ(share_of({}, {"b"}), 0.0);
}

TEST(QuestionWords, AWholeWordIsSaid) {
  EXPECT_TRUE(says("Play it in Stereo, please", "stereo"));
  EXPECT_TRUE(says("stereo", "stereo"));
  EXPECT_TRUE(says("monostereo stereo", "stereo"));
  EXPECT_FALSE(says("stereophonic", "stereo"));
  EXPECT_FALSE(says("monostereo", "stereo"));
  EXPECT_TRUE(says("a hip hop song", "Hip Hop"));
  EXPECT_TRUE(says("a gluten-free recipe", "Gluten Free"));
  EXPECT_TRUE(says("the age range", "age_range"));
  EXPECT_FALSE(says("anything", ""));
  EXPECT_FALSE(says("", "x"));
}

}  // namespace
}  // namespace ingle

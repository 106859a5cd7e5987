// A token that the grammar does not have is an error of the request, never the end of the process.
#include "engine_llama/grammar_filter.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine_llama/llama_handles.h"
#include "engine_llama/model_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

class GrammarFilterTest : public ::testing::Test {
 protected:
  static LlamaModelHandle open() {
    testing::test_backend();
    llama_model_params params = llama_model_default_params();
    params.vocab_only = true;
    const auto file = std::filesystem::path(INGLE_VOCABULARIES) / "ggml-vocab-qwen2.gguf";
    return LlamaModelHandle(llama_model_load_from_file(file.c_str(), params));
  }

  [[nodiscard]] Result<GrammarFilter> filter(const ReplyGrammar& grammar) const {
    return GrammarFilter::create(vocabulary_, tokenizer_, grammar, "");
  }
  [[nodiscard]] Token token(std::string_view text) const {
    return tokenizer_.marker(text).value_or(-1);
  }

  const LlamaModelHandle model_ = open();
  const llama_vocab* const vocabulary_ = llama_model_get_vocab(model_.get());
  const Tokenizer tokenizer_{vocabulary_};
  const ReplyGrammar yes_{.text = "root ::= \"yes\""};
};

TEST_F(GrammarFilterTest, AllowsWhatTheGrammarHas) {
  auto yes = filter(yes_);
  ASSERT_THAT(yes, testing::IsOk());
  EXPECT_TRUE(yes->allows(token("yes")));
  EXPECT_FALSE(yes->allows(token("no")));
  EXPECT_THAT(yes->accept(token("yes")), testing::IsOk());
}

TEST_F(GrammarFilterTest, TokenThatTheGrammarDoesNotHaveIsAnError) {
  for (const char* text : {"no", "<|im_start|>", " yes"}) {
    ASSERT_GE(token(text), 0) << text;
    auto yes = filter(yes_);
    ASSERT_THAT(yes, testing::IsOk());
    EXPECT_THAT(yes->accept(token(text)), testing::HasReason("decode_failed")) << text;
  }
}

TEST_F(GrammarFilterTest, ReplyThatLeavesALazyGrammarIsAnError) {
  auto lazy =
      filter({.text = "root ::= \"<c>yes\"", .triggers = {"(<c>[\\s\\S]*)"}, .is_lazy = true});
  ASSERT_THAT(lazy, testing::IsOk());
  EXPECT_THAT(lazy->accept(token("no")), testing::IsOk());  // Nothing has begun yet.
  const auto begun = tokenizer_.tokenize_inside("<c>");
  ASSERT_THAT(begun, testing::IsOk());
  for (const Token part : *begun) {
    EXPECT_THAT(lazy->accept(part), testing::IsOk());
  }
  EXPECT_FALSE(lazy->allows(token("no")));
  EXPECT_THAT(lazy->accept(token("no")), testing::HasReason("decode_failed"));
}

TEST_F(GrammarFilterTest, WhatIsNoGrammarIsRefused) {
  EXPECT_THAT(filter({.text = "root ::= ("}), testing::HasReason("tool_schema_unsupported"));
  EXPECT_THAT(filter({.text = "root ::= [a-z]{65536}"}),
              testing::HasReason("tool_schema_unsupported"));
}

}  // namespace
}  // namespace ingle

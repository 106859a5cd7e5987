// Over a vocabulary that llama.cpp ships, without weights.
#include "engine_llama/grammar_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine_llama/llama_handles.h"
#include "engine_llama/model_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using ::testing::HasSubstr;

class GrammarFilterTest : public ::testing::Test {
 protected:
  Result<GrammarFilter> filter(const ReplyGrammar& grammar, std::string_view begun = "") {
    return GrammarFilter::create(vocabulary_, tokenizer_, grammar, begun);
  }

  std::vector<Token> tokens_of(const std::string& text) {
    return tokenizer_.tokenize_inside(text).value();
  }

  /// Whether the filter lets all of `text` through, which it goes on by.
  bool takes(GrammarFilter& filter, const std::string& text) {
    for (const Token token : tokens_of(text)) {
      if (!filter.allows(token) || !filter.accept(token)) {
        return false;
      }
    }
    return true;
  }

  LlamaModelHandle model_ = [] {
    testing::test_backend();
    llama_model_params params = llama_model_default_params();
    params.vocab_only = true;
    const auto file = std::filesystem::path(INGLE_VOCABULARIES) / "ggml-vocab-qwen2.gguf";
    LlamaModelHandle model(llama_model_load_from_file(file.c_str(), params));
    INGLE_CHECK(model != nullptr, file.string());
    return model;
  }();
  const llama_vocab* vocabulary_ = llama_model_get_vocab(model_.get());
  Tokenizer tokenizer_{vocabulary_};
};

constexpr const char* kNumbers = "root ::= \"<n>\" [0-9]+ \"</n>\"";

TEST_F(GrammarFilterTest, HoldsFromTheStart) {
  auto strict = filter({.text = kNumbers});
  ASSERT_THAT(strict, testing::IsOk());
  EXPECT_FALSE(strict->allows(tokens_of("Hello").front()));
  EXPECT_TRUE(takes(*strict, "<n>42"));
  EXPECT_FALSE(strict->allows(tokens_of("x").front()));
  EXPECT_TRUE(takes(*strict, "7</n>"));
}

TEST_F(GrammarFilterTest, IsMovedBehindWhatTheTemplateHasWritten) {
  auto begun = filter({.text = kNumbers}, "<n>4");
  ASSERT_THAT(begun, testing::IsOk());
  EXPECT_FALSE(begun->allows(tokens_of("<").front()) && takes(*begun, "<n>"));
  auto again = filter({.text = kNumbers}, "<n>4");
  EXPECT_TRUE(takes(*again, "2</n>"));
}

TEST_F(GrammarFilterTest, LazyOneWaitsForItsTrigger) {
  auto lazy = filter({.text = kNumbers, .triggers = {"<n>"}, .is_lazy = true});
  ASSERT_THAT(lazy, testing::IsOk());
  EXPECT_TRUE(takes(*lazy, "Hello, any words. "));
  EXPECT_TRUE(takes(*lazy, "<n>4"));
  EXPECT_FALSE(lazy->allows(tokens_of("x").front()));
  EXPECT_TRUE(lazy->allows(tokens_of("2").front()));
}

TEST_F(GrammarFilterTest, MaskIsNarrowedToWhatIsAllowed) {
  auto strict = filter({.text = kNumbers}, "<n>4");
  ASSERT_THAT(strict, testing::IsOk());
  const Token digit = tokens_of("2").front();
  const Token letter = tokens_of("x").front();
  const Token other_digit = tokens_of("3").front();
  std::vector<std::uint32_t> mask((tokenizer_.size() + 31) / 32);
  const auto bit = [&mask](Token token) -> std::pair<std::uint32_t&, std::uint32_t> {
    const auto index = static_cast<std::size_t>(token);
    return {mask[index / 32], 1U << (index % 32)};
  };
  for (const Token token : {digit, letter}) {
    const auto [word, value] = bit(token);
    word |= value;
  }
  strict->narrow(mask);
  const auto has = [&](Token token) { return (bit(token).first & bit(token).second) != 0; };
  EXPECT_TRUE(has(digit));
  EXPECT_FALSE(has(letter));
  EXPECT_FALSE(has(other_digit)) << "what the mask forbids stays forbidden";
}

TEST_F(GrammarFilterTest, TokenThatTheGrammarDoesNotHaveIsAnError) {
  auto strict = filter({.text = kNumbers});
  ASSERT_THAT(strict, testing::IsOk());
  EXPECT_THAT(strict->accept(tokens_of("Hello").front()), testing::HasReason("decode_failed"));
}

TEST_F(GrammarFilterTest, ReplyThatLeavesALazyGrammarIsAnError) {
  auto lazy = filter({.text = kNumbers, .triggers = {"<n>"}, .is_lazy = true});
  ASSERT_THAT(lazy, testing::IsOk());
  EXPECT_THAT(lazy->accept(tokens_of("x").front()), testing::IsOk());  // Nothing has begun yet.
  EXPECT_TRUE(takes(*lazy, "<n>4"));
  EXPECT_THAT(lazy->accept(tokens_of("x").front()), testing::HasReason("decode_failed"));
}

TEST_F(GrammarFilterTest, GrammarThatCannotBeReadIsRefused) {
  for (const char* text :
       {"root ::= (\"x\"", "root ::= missing", "other ::= \"x\"", "root ::= root \"x\""}) {
    EXPECT_THAT(filter({.text = text}), testing::HasReason("tool_schema_unsupported")) << text;
  }
}

TEST_F(GrammarFilterTest, LargeRepetitionIsRefusedBeforeLlamaPrintsIt) {
  EXPECT_THAT(filter({.text = "root ::= \"x\"{0,2000}"}), testing::IsOk());
  for (const char* text : {"root ::= \"x\"{0,2001}", "root ::= \"x\"{2001}",
                           "root ::= \"x\"{99999999999999999999,}"}) {
    const auto refused = filter({.text = text});
    ASSERT_THAT(refused, testing::HasReason("tool_schema_unsupported")) << text;
    EXPECT_THAT(refused.error().message, HasSubstr("more than 2000 times"));
  }
  EXPECT_THAT(filter({.text = "root ::= \"{2001x}\""}), testing::IsOk()) << "no repetition";
}

}  // namespace
}  // namespace ingle

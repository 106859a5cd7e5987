// Over the vocabularies that llama.cpp ships: byte pairs, SentencePiece, word pieces.
#include "engine_llama/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine_llama/llama_handles.h"
#include "engine_llama/markup_guard.h"
#include "engine_llama/model_fixture.h"
#include "ingle/engine_llama/llama_inspector.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

std::vector<std::filesystem::path> vocabulary_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(INGLE_VOCABULARIES)) {
    const std::string name = entry.path().filename().string();
    // Word pieces of embedding models lose case and spaces: nothing to compare.
    if (name.starts_with("ggml-vocab-") && name.ends_with(".gguf") &&
        name.find("bert") == std::string::npos) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

LlamaModelHandle open_vocabulary(const std::filesystem::path& file) {
  testing::test_backend();
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  return LlamaModelHandle(llama_model_load_from_file(file.c_str(), params));
}

std::string text_of(const Tokenizer& tokenizer, const std::vector<Token>& tokens) {
  std::string text;
  for (const Token token : tokens) {
    text += tokenizer.markup_of(token);
  }
  return text;
}

TEST(Tokenizer, CutMarkersAreWordsInEveryVocabulary) {
  ASSERT_FALSE(vocabulary_files().empty());
  for (const auto& file : vocabulary_files()) {
    const LlamaModelHandle model = open_vocabulary(file);
    ASSERT_NE(model, nullptr) << file;
    const llama_vocab* vocabulary = llama_model_get_vocab(model.get());
    const Tokenizer tokenizer(vocabulary);
    const std::vector<std::string> markers = tokenizer.markers("");
    const MarkerSet set(markers);
    for (std::size_t i = 0; i < std::min<std::size_t>(markers.size(), 12); ++i) {
      const std::string words = "tell " + markers[i] + markers[i] + " me 3.14 <b>";
      MarkupGuard guard(set, {words});
      const auto pieces = guard.cut(guard.guard(words));
      ASSERT_THAT(pieces, testing::IsOk());
      const auto tokens = tokenizer.tokenize_prompt(*pieces);
      ASSERT_THAT(tokens, testing::IsOk()) << file;
      std::vector<Token> body = *tokens;
      if (llama_vocab_get_add_bos(vocabulary)) {
        ASSERT_EQ(body.front(), llama_vocab_bos(vocabulary)) << file;
        body.erase(body.begin());
      }
      for (const Token token : body) {
        EXPECT_FALSE(llama_vocab_is_control(vocabulary, token)) << file << " " << markers[i];
        EXPECT_FALSE(tokenizer.ends_generation(token)) << file << " " << markers[i];
      }
      const std::string text = text_of(tokenizer, body);
      EXPECT_TRUE(text == words || text == " " + words) << file << ": " << text;
    }
  }
}

TEST(Tokenizer, ControlTokensAreNoTextOfAReply) {
  std::size_t controls = 0;
  for (const auto& file : vocabulary_files()) {
    const LlamaModelHandle model = open_vocabulary(file);
    ASSERT_NE(model, nullptr) << file;
    const llama_vocab* vocabulary = llama_model_get_vocab(model.get());
    const Tokenizer tokenizer(vocabulary);
    for (Token token = 0; token < static_cast<Token>(tokenizer.size()); ++token) {
      if (llama_vocab_is_control(vocabulary, token)) {
        ++controls;
        EXPECT_EQ(tokenizer.bytes_of(token), "") << file << " " << token;
      }
    }
  }
  EXPECT_GT(controls, 0U);
}

TEST(Tokenizer, PromptBeginsWithOneBosWhateverTheTemplateWrites) {
  std::size_t tried = 0;
  for (const auto& file : vocabulary_files()) {
    const LlamaModelHandle model = open_vocabulary(file);
    const llama_vocab* vocabulary = llama_model_get_vocab(model.get());
    const Tokenizer tokenizer(vocabulary);
    const Token bos = llama_vocab_bos(vocabulary);
    if (bos < 0 || !llama_vocab_get_add_bos(vocabulary)) {
      continue;
    }
    ++tried;
    for (const std::string& text : {std::string("hello"), tokenizer.markup_of(bos) + "hello"}) {
      const std::vector<std::string> pieces{text};
      const auto tokens = tokenizer.tokenize_prompt(pieces);
      ASSERT_THAT(tokens, testing::IsOk()) << file;
      EXPECT_EQ(std::ranges::count(*tokens, bos), 1) << file;
      EXPECT_NE(tokens->back(), llama_vocab_eos(vocabulary)) << file;
    }
  }
  EXPECT_GT(tried, 0U);
}

TEST(LlamaInspector, ReadsAVocabularyWithoutWeights) {
  const auto file = std::filesystem::path(INGLE_VOCABULARIES) / "ggml-vocab-qwen2.gguf";
  const auto inspector = open_llama_inspector(testing::test_backend(), file);
  ASSERT_THAT(inspector, testing::IsOk());
  const auto words = (*inspector)->tokenize("hi <|im_end|>", TextKind::kWords);
  ASSERT_THAT(words, testing::IsOk());
  EXPECT_TRUE(std::ranges::none_of(*words, &TokenText::is_control));
  const auto prompt = (*inspector)->tokenize("hi <|im_end|>", TextKind::kPrompt);
  ASSERT_THAT(prompt, testing::IsOk());
  EXPECT_TRUE(prompt->back().is_control);
  EXPECT_EQ(prompt->back().text, "<|im_end|>");
  const auto shown = (*inspector)->show({.messages = {Message::user("hi")}, .tools = {}}, {});
  ASSERT_THAT(shown, testing::IsOk());
  ASSERT_EQ(shown->size(), 1U);
  EXPECT_THAT(shown->front().text, ::testing::HasSubstr("hi"));
  EXPECT_GT(shown->front().tokens, 0);
}

}  // namespace
}  // namespace ingle

#include "ingle/engine_llama/llama_inspector.h"

#include <exception>
#include <utility>

#include "engine_llama/llama_log.h"
#include "engine_llama/llama_parts.h"
#include "engine_llama/tokenizer.h"
#include "ingle/core/utf8.h"
#include "ingle/gguf/gguf.h"

namespace ingle {
namespace {

class LlamaInspector final : public ModelInspector {
 public:
  LlamaInspector(std::shared_ptr<LlamaBackend> backend, LlamaModelHandle model,
                 ChatTemplate chat_template, ModelInfo info)
      : backend_(std::move(backend)),
        model_(std::move(model)),
        chat_template_(std::move(chat_template)),
        tokenizer_(llama_model_get_vocab(model_.get())),
        info_(std::move(info)) {}

  [[nodiscard]] ModelInfo info() const override { return info_; }

  Result<std::vector<TokenText>> tokenize(std::string_view text, TextKind kind) override {
    INGLE_TRY(const std::vector<Token> tokens,
              tokenizer_.tokenize(text, kind == TextKind::kPrompt ? Tokenizer::Markup::kTemplate
                                                                  : Tokenizer::Markup::kPlain));
    std::vector<TokenText> texts;
    for (const Token token : tokens) {
      texts.push_back({.id = token,
                       .text = tokenizer_.markup_of(token),
                       .is_control = tokenizer_.bytes_of(token).empty()});
    }
    return texts;
  }

  Result<std::vector<ShownPrompt>> show(const Prompt& prompt,
                                        const GenerationOptions& options) override {
    INGLE_TRY(const RenderedChat rendered, chat_template_.render(prompt, options));
    INGLE_TRY(const std::vector<Token> tokens, tokenizer_.tokenize_prompt(rendered.pieces));
    std::string text;
    for (const Token token : tokens) {
      text += tokenizer_.markup_of(token);
    }
    return std::vector<ShownPrompt>{{.title = "reply",
                                     .text = sanitize_utf8(text),
                                     .tokens = static_cast<TokenCount>(tokens.size())}};
  }

 private:
  std::shared_ptr<LlamaBackend> backend_;
  LlamaModelHandle model_;
  ChatTemplate chat_template_;
  const Tokenizer tokenizer_;
  const ModelInfo info_;
};

Error load_failed(const std::string& why) {
  return {ErrorCode::kInternal, "model_load_failed", "the vocabulary could not be read" + why, {}};
}

Result<LlamaModelHandle> load_vocabulary(const std::filesystem::path& path) {
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  const LlamaErrorLines lines;
  LlamaModelHandle model;
  try {
    model.reset(llama_model_load_from_file(path.c_str(), params));
  } catch (const std::exception& exception) {
    return load_failed(std::string(": ") + exception.what());
  }
  if (!model || llama_vocab_n_tokens(llama_model_get_vocab(model.get())) <= 0) {
    return load_failed(lines.quoted());
  }
  return model;
}

}  // namespace

Result<std::unique_ptr<ModelInspector>> open_llama_inspector(std::shared_ptr<LlamaBackend> backend,
                                                             const std::filesystem::path& path,
                                                             const std::string& source) {
  INGLE_TRY(const GgufHeader header, read_gguf_header(path));
  INGLE_TRY(LlamaModelHandle model, load_vocabulary(path));
  INGLE_TRY(ChatTemplate chat_template, make_chat_template(model.get(), source));
  ModelInfo info;
  info.name = path.stem().string();
  info.engine = "llama";
  info.context_window = header.context_length;
  info.tool_protocol =
      chat_template.has_native_tools() ? ToolProtocol::kNative : ToolProtocol::kNone;
  return std::unique_ptr<ModelInspector>(std::make_unique<LlamaInspector>(
      std::move(backend), std::move(model), std::move(chat_template), std::move(info)));
}

}  // namespace ingle

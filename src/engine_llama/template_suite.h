/// Chat templates that llama.cpp ships, and the replies that their models would write. For tests.
#pragma once

#include <chat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine_llama/chat_template.h"

namespace ingle::testing {

/// All files *.jinja in the folder, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> template_files(
    const std::filesystem::path& folder);

/// A template, with `common` beside our class to make replies of it.
class TemplateUnderTest {
 public:
  explicit TemplateUnderTest(const std::filesystem::path& file);

  [[nodiscard]] const ChatTemplate& ours() const { return *ours_; }
  /// Why there is none.
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] bool is_usable() const { return ours_.has_value(); }

  /// What a model writes so that the conversation goes on with `reply`: what the template adds to
  /// the prompt for that message, without what ends it. Empty when the template writes it otherwise
  /// than it begins the model's turn.
  [[nodiscard]] std::optional<std::string> reply_text(const Prompt& prompt,
                                                      const GenerationOptions& options,
                                                      const Message& reply) const;

  /// The whole conversation as the template writes it; empty when it refuses.
  [[nodiscard]] std::string full_text(const Prompt& prompt, const Message& reply) const;

 private:
  [[nodiscard]] std::optional<std::string> written(const Prompt& prompt, const std::string& begun,
                                                   const Message& reply) const;

  common_chat_templates_ptr templates_;
  std::optional<ChatTemplate> ours_;
  std::string error_;
};

/// Two tools with parameters of several types.
[[nodiscard]] std::vector<ToolSpec> sample_tools();

}  // namespace ingle::testing

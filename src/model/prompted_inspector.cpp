#include <utility>

#include "ingle/model/prompted_tools.h"
#include "model/envelope.h"
#include "model/said_parameters.h"
#include "model/tool_evidence.h"
#include "model/tool_prompt.h"

namespace ingle {
namespace {

class PromptedInspector final : public ModelInspector {
 public:
  PromptedInspector(std::unique_ptr<ModelInspector> inner, const ToolStrategy& strategy)
      : inner_(std::move(inner)), strategy_(strategy) {}

  [[nodiscard]] ModelInfo info() const override {
    ModelInfo info = inner_->info();
    info.tool_protocol = ToolProtocol::kPrompted;
    return info;
  }

  Result<std::vector<TokenText>> tokenize(std::string_view text, TextKind kind) override {
    return inner_->tokenize(text, kind);
  }

  Result<std::vector<ShownPrompt>> show(const Prompt& prompt,
                                        const GenerationOptions& options) override {
    if (prompt.tools.empty() || options.tool_choice.kind == ToolChoice::Kind::kNone) {
      return inner_->show({.messages = prompt.messages, .tools = {}, .next = prompt.next}, {});
    }
    std::vector<ShownPrompt> all;
    if (strategy_.selection == ToolSelection::kModel) {
      INGLE_RETURN_IF_ERROR(add(all, "reply", envelope_prompt(prompt)));
      return all;
    }
    const Turn turn = newest_turn(prompt.messages);
    const std::vector<ToolCandidate> candidates =
        most_evident(prompt.tools, turn.question, strategy_.max_scored_tools);
    for (const auto& [tool, evidence] : candidates) {
      INGLE_RETURN_IF_ERROR(add(all,
                                "is it " + tool.name + "? (the question is scored behind this)",
                                channel_prompt(tool)));
    }
    INGLE_RETURN_IF_ERROR(
        add(all, "is it no tool? (scored likewise)", channel_prompt_without_tool()));
    for (auto [tool, evidence] : candidates) {
      tool.parameters = strategy_.fills_said_parameters
                            ? said_parameters(tool.parameters, turn.question)
                            : required_only(tool.parameters);
      INGLE_RETURN_IF_ERROR(
          add(all, "arguments of " + tool.name + ", if it is that", arguments_prompt(turn, tool)));
    }
    INGLE_RETURN_IF_ERROR(add(all, "reply, if it is none", answer_prompt(turn)));
    return all;
  }

 private:
  Result<void> add(std::vector<ShownPrompt>& all, std::string title, const Prompt& prompt) {
    INGLE_TRY(std::vector<ShownPrompt> shown, inner_->show(prompt, {}));
    for (ShownPrompt& one : shown) {
      one.title = title;
      all.push_back(std::move(one));
    }
    return {};
  }

  std::unique_ptr<ModelInspector> inner_;
  const ToolStrategy strategy_;
};

}  // namespace

std::unique_ptr<ModelInspector> with_prompted_tools(std::unique_ptr<ModelInspector> inner,
                                                    const ToolStrategy& strategy) {
  return std::make_unique<PromptedInspector>(std::move(inner), strategy);
}

}  // namespace ingle

// Asks a model for the calls of function-calling tasks: one JSON line in, one out.
//
//   ingle_bfcl_bench MODEL [--threads N] [--variant led|likeliest|free|model] < tasks > calls
//
// In: {"id", "question", "tools": [{"name", "description", "parameters"}]}.
// Out: {"id", "calls": [{"name", "arguments"}], "malformed", "seconds", "prompt_tokens",
// "cached_tokens"}.
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "ingle/core/check.h"
#include "ingle/engine_llama/llama_model.h"
#include "ingle/model/prompted_tools.h"

namespace ingle {
namespace {

/// `led` is what users get; the others leave something out.
ToolStrategy strategy_of(const std::string& variant) {
  ToolStrategy strategy;
  strategy.selection = ToolSelection::kChannel;
  if (variant == "model") {
    strategy.selection = ToolSelection::kModel;
  } else if (variant == "free") {
    strategy.copies_arguments = false;
  } else if (variant == "likeliest") {
    strategy.shared_words_weight = strategy.missing_number_choice = 0;
    strategy.name_weight = strategy.description_weight = strategy.missing_number_weight = 0;
    strategy.threshold = 1;
  } else {
    INGLE_CHECK(variant == "led", "unknown variant");
  }
  return strategy;
}

json answer(LanguageModel& model, const json& task) {
  Prompt prompt{.messages = {Message::user(task.at("question").get<std::string>())}, .tools = {}};
  for (const json& tool : task.at("tools")) {
    prompt.tools.push_back({.name = tool.at("name").get<std::string>(),
                            .description = tool.value("description", ""),
                            .parameters = tool.at("parameters")});
  }
  const auto start = std::chrono::steady_clock::now();
  NullDeltaSink sink;
  // What is written besides calls is not judged.
  auto reply = model.generate({}, prompt, {.temperature = 0.0, .max_tokens = 200}, sink);
  json out{
      {"id", task.at("id")},
      {"calls", json::array()},
      {"malformed", false},
      {"seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()}};
  if (!reply) {
    out["error"] = reply.error().message;
    return out;
  }
  for (const ToolCall& call : reply->message.tool_calls) {
    out["calls"].push_back({{"name", call.name}, {"arguments", *call.arguments}});
    out["malformed"] = out["malformed"].get<bool>() || call.is_malformed();
  }
  out["prompt_tokens"] = reply->usage.prompt_tokens;
  out["cached_tokens"] = reply->usage.cached_tokens;
  return out;
}

}  // namespace
}  // namespace ingle

int main(int argc, char** argv) {
  using namespace ingle;
  LlamaModelOptions options;
  options.threads = 2;
  std::string variant = "led";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads" && i + 1 < argc) {
      options.threads = std::stoi(argv[++i]);
    } else if (word == "--variant" && i + 1 < argc) {
      variant = argv[++i];
    } else {
      options.path = word;
    }
  }
  auto backend = LlamaBackend::start(null_log());
  INGLE_CHECK(backend.ok(), backend.error().message);
  auto loaded = load_llama_model({}, *backend, options, null_log());
  INGLE_CHECK(loaded.ok(), loaded.error().message);
  const auto model = with_prompted_tools(*loaded, strategy_of(variant));
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(*model, json::parse(line)).dump() << std::endl;
  }
  return 0;
}

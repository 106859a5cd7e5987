/// An environment for tests: a scripted model, a memory store, tools of the test's choice.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/line_reader_fixture.h"
#include "ingle/cli/cli.h"
#include "ingle/session/memory_store.h"
#include "ingle/testing/fake_clock.h"
#include "ingle/testing/scripted_model.h"

namespace ingle::cli {

/// A token a byte; shows the last message.
class FakeInspector final : public ModelInspector {
 public:
  [[nodiscard]] ModelInfo info() const override {
    ModelInfo info;
    info.name = "fake";
    return info;
  }
  Result<std::vector<TokenText>> tokenize(std::string_view text, TextKind kind) override {
    std::vector<TokenText> tokens;
    if (kind == TextKind::kPrompt) {
      tokens.push_back({.id = 1, .text = "<s>", .is_control = true});
    }
    for (const char byte : text) {
      tokens.push_back({.id = static_cast<unsigned char>(byte), .text = std::string(1, byte)});
    }
    return tokens;
  }
  Result<std::vector<ShownPrompt>> show(const Prompt& prompt,
                                        const GenerationOptions& /*options*/) override {
    std::string text;
    for (const Message& message : prompt.messages) {
      text += std::string(to_string(message.role)) + ": " + message.text() + "\n";
    }
    for (const ToolSpec& tool : prompt.tools) {
      text += "tool " + tool.name + "\n";
    }
    return std::vector<ShownPrompt>{{.title = "reply", .text = text, .tokens = 7}};
  }
};

class FakeEnvironment final : public Environment {
 public:
  Result<std::shared_ptr<LanguageModel>> load_model(
      const Call& /*call*/, const ModelRequest& request,
      const std::function<void(float)>& on_progress) override {
    requests.push_back(request);
    on_progress(0.5F);
    if (model_error) {
      return *model_error;
    }
    auto replies = testing::parse_script(script);
    if (!replies) {
      return replies.error();
    }
    auto model = std::make_shared<testing::ScriptedModel>(*std::move(replies));
    model->skip(request.skip_replies);
    return std::shared_ptr<LanguageModel>(std::move(model));
  }
  Result<void> probe_model(const std::filesystem::path& /*path*/) override { return {}; }
  Result<std::shared_ptr<SessionStore>> open_store(const std::filesystem::path& file) override {
    data_file = file;
    return std::shared_ptr<SessionStore>(store);
  }
  Result<std::vector<std::shared_ptr<Tool>>> tools(const std::filesystem::path& /*root*/) override {
    return all_tools;
  }
  Result<std::unique_ptr<ModelInspector>> inspect_model(const Call& /*call*/,
                                                        const ModelRequest& request) override {
    requests.push_back(request);
    if (request.kind == ModelKind::kScript) {
      return Error{ErrorCode::kUnsupported, "inspect_unsupported", "a script has no tokens", {}};
    }
    return std::unique_ptr<ModelInspector>(std::make_unique<FakeInspector>());
  }
  Result<EngineFacts> engine() override {
    return EngineFacts{
        .name = "fake", .version = "v1", .system_info = "", .devices = {"CPU: fake"}};
  }
  [[nodiscard]] std::string version() const override { return "1.2.3"; }
  [[nodiscard]] std::string command_name() const override { return "ingle"; }
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) const override {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::filesystem::path current_folder() const override { return here; }
  [[nodiscard]] CancelSource cancel_source() const override { return cancel; }
  [[nodiscard]] std::optional<std::string> pause_requested() const override { return pause; }
  std::unique_ptr<LineReader> open_lines() override {
    return std::make_unique<FakeLineReader>(lines);
  }
  CancelSource begin_turn() override {
    cancel = CancelSource();
    return cancel;
  }
  void end_turn() override { ++turns; }
  [[nodiscard]] const Clock& clock() const override { return fake_clock; }

  std::string script;
  std::optional<Error> model_error;
  std::vector<ModelRequest> requests;
  std::shared_ptr<MemoryStore> store = std::make_shared<MemoryStore>();
  std::filesystem::path data_file;
  std::vector<std::shared_ptr<Tool>> all_tools;
  std::map<std::string, std::string> variables{{"HOME", "/home/someone"}};
  /// Above the folder of a test there may lie anything.
  std::filesystem::path here = "/home/someone/project";
  CancelSource cancel;
  std::optional<std::string> pause;
  FakeLines lines;
  int turns = 0;  ///< That ended.
  testing::FakeClock fake_clock;
};

/// One command line with what came of it.
struct Ran {
  int code = -1;
  std::string out;
  std::string err;

  /// Each line of `out` as JSON; a line that is none becomes a discarded value.
  [[nodiscard]] std::vector<json> lines() const {
    std::vector<json> result;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);) {
      result.push_back(json::parse(line, nullptr, false));
    }
    return result;
  }
};

struct Terminals {
  std::string input = {};
  bool in = false;
  bool out = false;
  bool err = false;
};

inline Ran run_in(FakeEnvironment& environment, const std::vector<std::string>& args,
                  const Terminals& terminals = {}) {
  std::istringstream in(terminals.input);
  std::ostringstream out;
  std::ostringstream err;
  Streams streams{.in = in,
                  .out = out,
                  .err = err,
                  .in_is_terminal = terminals.in,
                  .out_is_terminal = terminals.out,
                  .err_is_terminal = terminals.err};
  Ran ran;
  ran.code = run_command(args, streams, environment);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

/// A tool without parameters that answers "done".
inline std::shared_ptr<Tool> simple_tool(std::string name, ToolTraits traits,
                                         ToolFunction function = {}) {
  if (!function) {
    function = [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
      return ToolValue{.text = "done"};
    };
  }
  return make_tool({.name = std::move(name),
                    .description = "A tool of a test.",
                    .parameters = json{{"type", "object"}, {"properties", json::object()}}},
                   traits, std::move(function));
}

}  // namespace ingle::cli

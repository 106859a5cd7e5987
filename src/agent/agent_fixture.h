/// What the agent's tests share: a session, a clock, tools that count, and short ways to run.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ingle/agent/run.h"
#include "ingle/session/memory_store.h"
#include "ingle/testing/fake_clock.h"
#include "ingle/testing/scripted_model.h"

namespace ingle {

/// Runs by name and counts.
class CountingTool final : public Tool {
 public:
  CountingTool(std::string name, ToolTraits traits) : traits_(traits) {
    spec_.name = std::move(name);
    spec_.description = "Counts its runs.";
    auto schema = parse_json(R"({"type":"object","properties":{"x":{"type":"integer"}}})");
    spec_.parameters = std::move(schema).value();
  }

  [[nodiscard]] const ToolSpec& spec() const override { return spec_; }
  [[nodiscard]] ToolTraits traits() const override { return traits_; }
  ToolOutcome run(const Call& call, const ToolContext& context, const Json& arguments) override {
    ++runs;
    return on_run ? on_run(call, context, arguments) : ToolValue{.text = "ran " + spec_.name};
  }

  std::atomic<int> runs = 0;
  ToolFunction on_run;  ///< Instead of the plain result.

 private:
  ToolSpec spec_;
  ToolTraits traits_;
};

inline std::shared_ptr<CountingTool> read_only_tool(std::string name) {
  return std::make_shared<CountingTool>(std::move(name),
                                        ToolTraits{.is_read_only = true, .is_idempotent = true});
}

inline std::shared_ptr<CountingTool> writing_tool(std::string name) {
  return std::make_shared<CountingTool>(std::move(name), ToolTraits{});
}

inline std::shared_ptr<testing::ScriptedModel> scripted(std::string_view lines) {
  auto script = testing::parse_script(lines);
  INGLE_CHECK(script.ok(), "the test's script is valid");
  return std::make_shared<testing::ScriptedModel>(std::move(script).value());
}

inline Agent make_agent(std::shared_ptr<LanguageModel> model,
                        std::vector<std::shared_ptr<Tool>> tools = {}, AgentOptions options = {}) {
  auto set = ToolSet::create(std::move(tools));
  INGLE_CHECK(set.ok(), "the test's tools are valid");
  options.model = std::move(model);
  options.tools = std::move(set).value();
  auto agent = Agent::create(std::move(options));
  INGLE_CHECK(agent.ok(), "the test's agent is valid");
  return std::move(agent).value();
}

inline Policy make_policy(std::vector<Rule> rules) {
  auto policy = Policy::create(std::move(rules));
  INGLE_CHECK(policy.ok(), "the test's policy is valid");
  return std::move(policy).value();
}

/// One session in memory.
struct Conversation {
  MemoryStore store;
  testing::FakeClock clock;
  SessionId session{"conversation"};

  explicit Conversation(const Agent& agent) {
    INGLE_CHECK(create_session(store, session, agent, clock).ok(), "the store takes a session");
  }

  RunReport ask(const Agent& agent, std::string message = "question", RunOptions options = {}) {
    options.clock = &clock;
    auto report = run({}, agent, store, session, std::move(message), options);
    INGLE_CHECK(report.ok(), report.ok() ? "" : report.error().message);
    return std::move(report).value();
  }

  RunReport go_on(const Agent& agent, const std::vector<InterruptAnswer>& answers = {},
                  RunOptions options = {}) {
    options.clock = &clock;
    auto report = resume({}, agent, store, session, answers, options);
    INGLE_CHECK(report.ok(), report.ok() ? "" : report.error().message);
    return std::move(report).value();
  }

  std::vector<Event> events() {
    auto all = store.read(session, 1);
    INGLE_CHECK(all.ok(), "the session is there");
    return std::move(all).value();
  }

  SessionState state() {
    auto folded = fold(events());
    INGLE_CHECK(folded.ok(), "the log folds");
    return std::move(folded).value();
  }

  /// Texts of all tool results, in the order of the transcript.
  std::vector<std::string> results() {
    std::vector<std::string> texts;
    for (const Message& message : state().transcript) {
      if (message.role == Role::kTool) {
        texts.push_back(message.text());
      }
    }
    return texts;
  }
};

}  // namespace ingle

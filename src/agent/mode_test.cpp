#include "ingle/agent/mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "agent/agent_fixture.h"
#include "ingle/agent/stages.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

/// Runs the pipeline and counts its iterations in the log.
class CountingMode final : public Mode {
 public:
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  Result<void> init(Kernel& kernel, const SessionState&) const override {
    ++inits;
    return kernel.set_mode_state(json{{"iterations", 0}});
  }
  StageResult iterate(Kernel& kernel, const SessionState& state) const override {
    json counted = *state.run->mode_state;
    counted["iterations"] = counted["iterations"].get<int>() + 1;
    if (auto set = kernel.set_mode_state(counted); !set) {
      return fail(set.error());
    }
    if (StageResult result = run_pipeline(kernel, default_pipeline());
        std::holds_alternative<End>(result)) {
      return result;
    }
    return end_if_answered(state);
  }
  mutable int inits = 0;
};

class BrokenMode final : public Mode {
 public:
  enum class Fault : std::uint8_t { kThrows, kIdles, kInitFails };
  explicit BrokenMode(Fault fault) : fault_(fault) {}
  [[nodiscard]] std::string_view name() const override { return "broken"; }
  Result<void> init(Kernel&, const SessionState&) const override {
    if (fault_ == Fault::kInitFails) {
      return Error{ErrorCode::kInternal, "no_init", "cannot begin", {}};
    }
    return {};
  }
  StageResult iterate(Kernel&, const SessionState&) const override {
    if (fault_ == Fault::kThrows) {
      throw std::logic_error("a bug");
    }
    return Continue{};
  }

 private:
  const Fault fault_;
};

TEST(Mode, StateOfAModeSurvivesInTheLogAndInitRunsOnce) {
  auto mode = std::make_shared<CountingMode>();
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]}
{"text":"Done."})"),
                                 {writing_tool("write")}, {.mode = mode});
  Conversation conversation(agent);
  const RunReport asked = conversation.ask(agent);
  conversation.go_on(agent, {{.id = std::get<Interrupted>(asked.outcome).interrupts.front(),
                              .decision = InterruptDecision::kApprove}});
  EXPECT_EQ(mode->inits, 1);
  // One up to the question, one that finishes the batch, one that takes the answer.
  EXPECT_EQ(conversation.state().run->mode_state.dump(), R"({"iterations":3})");
}

TEST(Mode, ThrowingModeFails) {
  const Agent agent = make_agent(
      scripted(""), {}, {.mode = std::make_shared<BrokenMode>(BrokenMode::Fault::kThrows)});
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Failed>(conversation.ask(agent).outcome).error.reason, "mode_failed");
}

TEST(Mode, IdleModeDoesNotSpin) {
  const Agent agent = make_agent(scripted(""), {},
                                 {.mode = std::make_shared<BrokenMode>(BrokenMode::Fault::kIdles)});
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Failed>(conversation.ask(agent).outcome).error.reason, "mode_stuck");
}

TEST(Mode, ErrorOfInitFails) {
  const Agent agent = make_agent(
      scripted(""), {}, {.mode = std::make_shared<BrokenMode>(BrokenMode::Fault::kInitFails)});
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Failed>(conversation.ask(agent).outcome).error.reason, "no_init");
}

TEST(Mode, RunOfAnotherModeIsNotResumed) {
  auto model = scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]})");
  const Agent agent = make_agent(model, {writing_tool("write")});
  Conversation conversation(agent);
  conversation.ask(agent);
  const Agent other =
      make_agent(model, {writing_tool("write")}, {.mode = std::make_shared<CountingMode>()});
  EXPECT_THAT(resume({}, other, conversation.store, conversation.session),
              testing::HasReason("mode_changed"));
}

TEST(Stages, EndOfAStagePassesTheLaterOnesUntouched) {
  class Ends final : public Stage {
   public:
    [[nodiscard]] std::string_view name() const override { return "ends"; }
    StageResult run(Kernel&, const SessionState&) const override { return End{Paused{"here"}}; }
  };
  class Never final : public Stage {
   public:
    [[nodiscard]] std::string_view name() const override { return "never"; }
    StageResult run(Kernel&, const SessionState&) const override {
      ADD_FAILURE() << "a stage behind the end ran";
      return Continue{};
    }
  };
  class TwoStages final : public Mode {
   public:
    [[nodiscard]] std::string_view name() const override { return "two"; }
    StageResult iterate(Kernel& kernel, const SessionState&) const override {
      return run_pipeline(kernel, {std::make_shared<Ends>(), std::make_shared<Never>()});
    }
  };
  const Agent agent = make_agent(scripted(""), {}, {.mode = std::make_shared<TwoStages>()});
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Paused>(conversation.ask(agent).outcome).reason, "here");
}

TEST(Stages, PipelineWithoutTheInterruptStageRunsNothingUngated) {
  // A mode that leaves the check out still cannot run a call that nobody allowed.
  class Careless final : public Mode {
   public:
    [[nodiscard]] std::string_view name() const override { return "careless"; }
    StageResult iterate(Kernel& kernel, const SessionState&) const override {
      return run_pipeline(kernel, {call_model_stage(), execute_tools_stage()});
    }
  };
  auto write = writing_tool("write");
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]})"),
                                 {write}, {.mode = std::make_shared<Careless>()});
  Conversation conversation(agent);
  conversation.ask(agent);
  EXPECT_EQ(write->runs, 0);
}

}  // namespace
}  // namespace ingle

// Whatever tools, models, modes, observers and stores do: the run ends with an outcome, the session
// can be read, and replay gives the state that the live run had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "agent/agent_fixture.h"
#include "ingle/agent/run_handle.h"
#include "ingle/agent/stages.h"
#include "ingle/testing/faulty_store.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/property_runs.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Arrays in arrays, made without recursion.
json nested(std::size_t depth) {
  json value = json::array();
  for (std::size_t level = 1; level < depth; ++level) {
    json outer = json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  return value;
}

/// Replies as the test says; the number counts them from 0.
class FunctionModel final : public LanguageModel {
 public:
  using Generate = std::function<Result<Completion>(int, DeltaSink&)>;
  explicit FunctionModel(Generate generate) : generate_(std::move(generate)) {}

  [[nodiscard]] ModelInfo info() const override {
    ModelInfo info;
    info.name = "function";
    info.tool_protocol = ToolProtocol::kNative;
    return info;
  }
  Result<Completion> generate(const Call&, const Prompt&, const GenerationOptions&,
                              DeltaSink& sink) override {
    return generate_(replies_++, sink);
  }
  Result<TokenCount> count_tokens(const Prompt&) override { return TokenCount{1}; }
  Result<Scores> score(const Call&, const Prompt&, std::span<const std::string>) override {
    return Scores{};
  }

 private:
  Generate generate_;
  int replies_ = 0;
};

Completion answer(std::string text) {
  Completion completion;
  completion.message = Message::assistant(std::move(text));
  return completion;
}

Completion calling(ToolCall call) {
  Completion completion;
  completion.message.role = Role::kAssistant;
  completion.message.tool_calls.push_back(std::move(call));
  completion.finish_reason = FinishReason::kToolCalls;
  return completion;
}

std::shared_ptr<FunctionModel> function_model(FunctionModel::Generate generate) {
  return std::make_shared<FunctionModel>(std::move(generate));
}

/// Calls `look` once, then answers "Done.".
std::shared_ptr<FunctionModel> looking_model() {
  return function_model([](int reply, DeltaSink&) -> Result<Completion> {
    return reply == 0 ? calling({.name = "look"}) : answer("Done.");
  });
}

std::shared_ptr<CountingTool> tool_that(std::function<ToolOutcome()> work) {
  auto tool = read_only_tool("look");
  tool->on_run = [work = std::move(work)](const Call&, const ToolContext&, const Json&) {
    return work();
  };
  return tool;
}

struct NotAnException {};

TEST(Robustness, ValueThatIsNestedTooDeepIsAnErrorResultAndTheRunGoesOn) {
  for (const std::size_t depth : {10U, 500U, 510U, 511U, 600U, 100'000U}) {
    SCOPED_TRACE(depth);
    for (const bool is_state_change : {false, true}) {
      const Agent agent = make_agent(looking_model(), {tool_that([&] {
                                       ToolValue value{.text = "ran"};
                                       if (is_state_change) {
                                         json change = json::object();
                                         change["deep"] = nested(depth - 1);
                                         value.state_change = std::move(change);
                                       } else {
                                         value.value = nested(depth);
                                       }
                                       return value;
                                     })});
      Conversation conversation(agent);
      const RunReport report = conversation.ask(agent);
      EXPECT_EQ(outcome_name(report.outcome), "completed");
      EXPECT_THAT(conversation.results(),
                  ElementsAre(depth <= 510 ? ::testing::Matcher<std::string>("ran")
                                           : HasSubstr("cannot be kept")));
      EXPECT_EQ(conversation.state().shared->contains("deep"), is_state_change && depth <= 510);
    }
  }
}

TEST(Robustness, DeepestValueThatIsKeptIsAnOutcomeToo) {
  const Agent agent = make_agent(
      looking_model(), {tool_that([] { return ToolValue{.text = "ran", .value = nested(510)}; })});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.until = {.names = {"look"}}});
  EXPECT_EQ(outcome_name(report.outcome), "tool_result");
  EXPECT_EQ(conversation.state().run->outcome, report.outcome);
}

TEST(Robustness, ArgumentsThatAreNestedTooDeepAreToldToTheModel) {
  for (const std::size_t depth : {10U, 128U, 129U, 500U, 511U, 600U, 100'000U}) {
    for (const bool is_text : {false, true}) {
      SCOPED_TRACE(std::to_string(depth) + (is_text ? " as text" : " as a value"));
      auto tool = read_only_tool("look");
      auto model = function_model([&](int reply, DeltaSink&) -> Result<Completion> {
        if (reply > 0) {
          return answer("Done.");
        }
        if (is_text) {
          return calling(ToolCall::of_text(
              {}, "look",
              R"({"y":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}"));
        }
        ToolCall call{.name = "look"};
        json arguments = json::object();
        arguments["y"] = nested(depth - 1);
        call.arguments = std::move(arguments);
        return calling(std::move(call));
      });
      const Agent agent = make_agent(model, {tool});
      Conversation conversation(agent);
      EXPECT_EQ(outcome_name(conversation.ask(agent).outcome), "completed");
      EXPECT_EQ(tool->runs, depth <= 128 ? 1 : 0);
      EXPECT_THAT(conversation.results(),
                  ElementsAre(HasSubstr(depth <= 128 ? "ran" : "nested deeper than 128 levels")));
    }
  }
}

TEST(Robustness, ValueThatIsNoJsonIsAnErrorResult) {
  const Agent agent =
      make_agent(looking_model(),
                 {tool_that([] { return ToolValue{.value = json(json::value_t::discarded)}; })});
  Conversation conversation(agent);
  EXPECT_EQ(outcome_name(conversation.ask(agent).outcome), "completed");
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("cannot be kept")));
}

TEST(Robustness, ToolMayThrowAnything) {
  const Agent agent =
      make_agent(looking_model(), {tool_that([]() -> ToolOutcome { throw NotAnException(); })});
  Conversation conversation(agent);
  EXPECT_EQ(outcome_name(conversation.ask(agent).outcome), "completed");
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("failed")));
}

TEST(Robustness, ModelThatThrowsFails) {
  for (const bool is_exception : {true, false}) {
    const Agent agent = make_agent(function_model([=](int, DeltaSink&) -> Result<Completion> {
      if (is_exception) {
        throw std::runtime_error("out of range");
      }
      throw NotAnException();
    }));
    Conversation conversation(agent);
    const RunReport report = conversation.ask(agent);
    EXPECT_EQ(std::get<Failed>(report.outcome).error.reason, "model_failed");
    EXPECT_EQ(conversation.state().run->outcome, report.outcome);
  }
}

TEST(Robustness, ErrorOfAModelMayBeNestedToAnyDepth) {
  const Agent agent = make_agent(function_model([](int, DeltaSink&) -> Result<Completion> {
    return Error{ErrorCode::kUnavailable, "gone", "no \xFF server", nested(100'000)};
  }));
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent);
  EXPECT_EQ(std::get<Failed>(report.outcome).error,
            (Error{ErrorCode::kUnavailable, "gone", "no \xEF\xBF\xBD server", {}}));
  EXPECT_EQ(conversation.state().run->outcome, report.outcome);
}

TEST(Robustness, ReplyThatIsNoAssistantsFailsAndLeavesTheSessionReadable) {
  const Agent agent = make_agent(function_model([](int, DeltaSink&) -> Result<Completion> {
    Completion completion;
    completion.message = Message::user("I am the user now.");
    return completion;
  }));
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Failed>(conversation.ask(agent).outcome).error.reason, "event_refused");
  EXPECT_EQ(conversation.state().transcript.size(), 1U);
}

TEST(Robustness, IdsThatAreOneIdInTheLogAreMadeUnique) {
  const Agent agent =
      make_agent(function_model([](int reply, DeltaSink&) -> Result<Completion> {
                   if (reply == 2) {
                     return answer("Done.");
                   }
                   Completion two = calling({CallId("\xFF"), "look", {}, ""});
                   two.message.tool_calls.push_back({CallId("\xFE"), "look", {}, ""});
                   return two;
                 }),
                 {read_only_tool("look")});
  Conversation conversation(agent);
  EXPECT_EQ(outcome_name(conversation.ask(agent).outcome), "completed");
  std::set<CallId> ids;
  for (const Message& message : conversation.state().transcript) {
    for (const ToolCall& call : message.tool_calls) {
      EXPECT_TRUE(ids.insert(call.id).second);
    }
  }
  EXPECT_EQ(ids.size(), 4U);
}

TEST(Robustness, CountsOfTokensNeitherOverflowNorRunBackwards) {
  constexpr auto kMost = std::numeric_limits<TokenCount>::max();
  const Agent agent = make_agent(function_model([](int reply, DeltaSink&) -> Result<Completion> {
                                   Completion completion = calling({.name = "look"});
                                   completion.usage = reply == 0 ? Usage{kMost, -5, kMost}
                                                                 : Usage{-kMost, 0, -kMost};
                                   return completion;
                                 }),
                                 {read_only_tool("look")});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.limits = Limits{.tokens = 100}});
  EXPECT_EQ(std::get<Stopped>(report.outcome), (Stopped{LimitKind::kTokens, kMost, 100}));
  EXPECT_EQ(report.used.usage.cached_tokens, 0);
}

TEST(Robustness, WallTimeBeyondTheClockIsNoLimit) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  const RunReport report = conversation.ask(
      agent, "question", {.limits = Limits{.wall_time = std::chrono::milliseconds::max()}});
  EXPECT_EQ(outcome_name(report.outcome), "completed");
}

TEST(Robustness, ObserverThatThrowsChangesNothing) {
  class Throwing final : public RunObserver {
   public:
    void on_event(const Event&) override {
      ++told;
      throw std::runtime_error("the terminal is gone");
    }
    void on_delta(const Delta&) override {
      ++told;
      throw NotAnException();
    }
    int told = 0;
  };
  Throwing observer;
  const Agent agent = make_agent(scripted(R"({"pieces":["Hel","lo."]})"));
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.observer = &observer});
  EXPECT_EQ(std::get<Completed>(report.outcome).text, "Hello.");
  EXPECT_EQ(report.last_seq, std::ssize(conversation.events()));
  EXPECT_EQ(observer.told, report.last_seq - 1 + 2) << "each event but the session's, each delta";
}

/// Ends as it is told, or throws what is no exception.
class EndingMode final : public Mode {
 public:
  explicit EndingMode(std::function<Outcome()> outcome) : outcome_(std::move(outcome)) {}
  [[nodiscard]] std::string_view name() const override { return "ending"; }
  StageResult iterate(Kernel&, const SessionState&) const override { return End{outcome_()}; }

 private:
  const std::function<Outcome()> outcome_;
};

TEST(Robustness, ModeMayThrowAnything) {
  const Agent agent = make_agent(
      scripted(""), {},
      {.mode = std::make_shared<EndingMode>([]() -> Outcome { throw NotAnException(); })});
  Conversation conversation(agent);
  EXPECT_EQ(std::get<Failed>(conversation.ask(agent).outcome).error.reason, "mode_failed");
}

TEST(Robustness, OutcomeThatNoLogCanHoldEndsTheRunAsFailed) {
  const Agent agent =
      make_agent(scripted(""), {}, {.mode = std::make_shared<EndingMode>([]() -> Outcome {
                                      ToolResultOutcome outcome;
                                      outcome.value = nested(100'000);
                                      return outcome;
                                    })});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent);
  EXPECT_EQ(std::get<Failed>(report.outcome).error.reason, "event_too_large");
  EXPECT_EQ(conversation.state().run->outcome, report.outcome);
  EXPECT_FALSE(conversation.state().run->is_active);
}

TEST(Robustness, StateOfAModeThatNoLogCanHoldIsRefused) {
  class Deep final : public Mode {
   public:
    [[nodiscard]] std::string_view name() const override { return "deep"; }
    StageResult iterate(Kernel& kernel, const SessionState&) const override {
      const auto set = kernel.set_mode_state(nested(100'000));
      EXPECT_THAT(set, testing::HasReason("event_too_large"));
      return End{Completed{}};
    }
  };
  const Agent agent = make_agent(scripted(""), {}, {.mode = std::make_shared<Deep>()});
  Conversation conversation(agent);
  EXPECT_EQ(outcome_name(conversation.ask(agent).outcome), "completed");
}

TEST(Robustness, ResultOfAToolOutlivesAStoreThatFailedOnce) {
  MemoryStore memory;
  testing::FaultyStore store(memory);
  const SystemClock clock;
  const SessionId session("s");
  const Agent agent = make_agent(looking_model(), {tool_that([&] {
                                   store.plan({.append = 1});
                                   return ToolValue{.text = "42"};
                                 })});
  ASSERT_TRUE(create_session(memory, session, agent, clock).ok());
  const auto report = run({}, agent, store, session, "question");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(outcome_name(report->outcome), "failed");
  const auto state = fold(*memory.read(session, 1));
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state->transcript.back().text(), "42");
  EXPECT_FALSE(state->transcript.back().is_error);
}

TEST(Robustness, HandleOutlivesAStoreThatThrows) {
  class Throwing final : public SessionStore {
   public:
    Result<void> create(const SessionId&) override { throw NotAnException(); }
    Result<void> append(const SessionId&, std::int64_t, std::span<const Event>) override {
      throw NotAnException();
    }
    Result<std::vector<Event>> read(const SessionId&, std::int64_t) override {
      throw std::runtime_error("no disk");
    }
    Result<std::vector<SessionInfo>> list() override { throw NotAnException(); }
  };
  const auto handle = RunHandle::start(make_agent(scripted("")), std::make_shared<Throwing>(),
                                       SessionId("s"), "question");
  EXPECT_THAT(handle->wait(), testing::HasReason("run_failed"));
}

/// A store of text, as a file is one.
class TextStore final : public SessionStore {
 public:
  Result<void> create(const SessionId& session) override {
    sessions_[session] = {};
    return {};
  }
  Result<void> append(const SessionId& session, std::int64_t expected_seq,
                      std::span<const Event> events) override {
    INGLE_RETURN_IF_ERROR(check_append_order(expected_seq, events));
    for (const Event& event : events) {
      INGLE_TRY(std::string text, encode_event(event));
      sessions_[session].push_back(std::move(text));
    }
    return {};
  }
  Result<std::vector<Event>> read(const SessionId& session, std::int64_t /*from_seq*/) override {
    std::vector<Event> events;
    for (const std::string& text : sessions_[session]) {
      INGLE_TRY(Event event, decode_event(text));
      events.push_back(std::move(event));
    }
    return events;
  }
  Result<std::vector<SessionInfo>> list() override { return std::vector<SessionInfo>{}; }

 private:
  std::map<SessionId, std::vector<std::string>> sessions_;
};

/// Bytes and values without any manners.
class Noise {
 public:
  explicit Noise(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string bytes() {
    static const std::vector<std::string> kPieces = {
        "a", "\"", "\\", "\xC3", "\xA9", "\xF0\x9F", "\xED\xA0\x80", "\xFF", "{", "\n"};
    std::string out;
    for (std::size_t count = below(6); count > 0; --count) {
      out += below(3) == 0 ? std::string(1, static_cast<char>(below(256)))
                           : kPieces[below(kPieces.size())];
    }
    return out;
  }

  json value(int depth = 3) {
    switch (below(depth > 0 ? 7 : 5)) {
      case 0:
        return bytes();
      case 1:
        return std::numeric_limits<double>::quiet_NaN();
      case 2:
        return -1.5e300 * static_cast<double>(below(100));
      case 3:
        return json::binary({static_cast<std::uint8_t>(below(256))});
      case 4:
        return nullptr;
      case 5: {
        json array = json::array();
        array.push_back(value(depth - 1));
        array.push_back(value(depth - 1));
        return array;
      }
      default:
        return object(depth - 1);
    }
  }

  json object(int depth = 2) {
    json object = json::object();
    for (std::size_t count = below(4); count > 0; --count) {
      object[bytes()] = value(depth);
    }
    return object;
  }

  ToolOutcome outcome() {
    switch (below(4)) {
      case 0:
        return ToolFailure{bytes()};
      case 1:
        throw std::runtime_error(bytes());
      default:
        return ToolValue{.text = bytes(), .value = value(), .state_change = object()};
    }
  }

  Result<Completion> reply() {
    if (below(12) == 0) {
      return Error{ErrorCode::kUnavailable, bytes(), bytes(), value()};
    }
    Completion completion = answer(bytes());
    completion.message.content.emplace_back(ReasoningPart{bytes()});
    completion.warnings = {bytes()};
    for (std::size_t count = below(4); count > 0; --count) {
      ToolCall call{CallId(bytes()), below(4) == 0 ? bytes() : "look", object(), ""};
      if (below(3) == 0) {
        call = ToolCall::of_text(call.id, call.name, bytes());
      }
      completion.message.tool_calls.push_back(std::move(call));
    }
    completion.finish_reason =
        completion.message.tool_calls.empty()
            ? (below(5) == 0 ? FinishReason::kCancelled : FinishReason::kStop)
            : FinishReason::kToolCalls;
    return completion;
  }

 private:
  std::mt19937 random_;
};

/// The default mode with noise for a state; keeps the run's state as it was after each iteration.
class NoisyMode final : public Mode {
 public:
  explicit NoisyMode(Noise& noise) : noise_(noise) {}
  [[nodiscard]] std::string_view name() const override { return "noisy"; }
  StageResult iterate(Kernel& kernel, const SessionState& state) const override {
    if (auto set = kernel.set_mode_state(noise_.value()); !set) {
      return fail(set.error());
    }
    StageResult result = react_mode()->iterate(kernel, state);
    live = state;
    return result;
  }
  mutable SessionState live;

 private:
  Noise& noise_;
};

TEST(Robustness, ReplayIsTheLiveRunWhateverBytesToolsAndModelsGive) {
  constexpr int kRuns = 300;
  std::size_t longest = 0;
  for (int seed = 1; seed <= testing::property_runs(kRuns); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Noise noise(static_cast<std::uint32_t>(seed));
    const auto mode = std::make_shared<NoisyMode>(noise);
    const Agent agent =
        make_agent(function_model([&](int, DeltaSink&) { return noise.reply(); }),
                   {tool_that([&] { return noise.outcome(); })},
                   {.name = noise.bytes(), .mode = mode, .limits = {.model_calls = 8}});
    TextStore store;
    const SessionId session("s");
    const SystemClock clock;
    ASSERT_TRUE(create_session(store, session, agent, clock).ok());
    const auto report =
        run({}, agent, store, session, "q" + noise.bytes(), {.settings = noise.value()});
    ASSERT_TRUE(report.ok()) << report.error().message;

    const auto stored = store.read(session, 1);
    ASSERT_TRUE(stored.ok()) << stored.error().message;
    const auto whole = fold(*stored);
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    EXPECT_EQ(whole->run->outcome, report->outcome);
    const auto replayed =
        fold(std::span(*stored).first(static_cast<std::size_t>(mode->live.last_seq)));
    ASSERT_TRUE(replayed.ok());
    ASSERT_EQ(*replayed, mode->live);
    longest = std::max(longest, stored->size());
  }
  EXPECT_GT(longest, 50U);
}

}  // namespace
}  // namespace ingle

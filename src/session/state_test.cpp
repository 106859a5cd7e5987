#include "ingle/session/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "session/sample_events.h"

namespace ingle {
namespace {

using session_samples::call;
using session_samples::event;
using session_samples::events;
using session_samples::replied;
using session_samples::reply;
using session_samples::run_started;
using session_samples::whole_session;
using testing::ElementsAre;
using testing::HasSubstr;

/// The state after these bodies, which must be possible.
SessionState after(std::vector<EventBody> bodies) {
  auto state = fold(events(std::move(bodies)));
  EXPECT_TRUE(state.ok()) << (state.ok() ? "" : state.error().message);
  return state.ok() ? *state : SessionState{};
}

/// Applies the bodies as the next events.
void go_on(SessionState& state, std::vector<EventBody> bodies) {
  for (EventBody& body : bodies) {
    const auto applied = apply(state, event(state.last_seq + 1, std::move(body)));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }
}

std::vector<EventBody> begun() {
  return {SessionStarted{1, "helper"}, MessageAdded{Message::user("go")}, run_started()};
}

/// A run whose model asked for these calls.
SessionState with_batch(std::vector<ToolCall> calls) {
  SessionState state = after(begun());
  go_on(state, {ModelCalled{"m"}, replied(std::move(calls))});
  return state;
}

ToolFinished finished(const std::string& id, bool is_error = false,
                      ResultSource source = ResultSource::kTool) {
  return {CallId(id), source, is_error, "result of " + id, {}, {}};
}

GateDecided decided(const std::string& id, GateEffect effect) {
  return {CallId(id), effect, "default", "digest of " + id};
}

InterruptRaised raised(const std::string& id, const std::string& call_id,
                       InterruptKind kind = InterruptKind::kApproval) {
  return {InterruptId(id), kind, CallId(call_id), "", "?"};
}

CallStatus status(const SessionState& state, const std::string& id) {
  return find_call(state, CallId(id))->status;
}

std::vector<std::string> texts(const std::vector<Message>& messages) {
  std::vector<std::string> out;
  for (const Message& message : messages) {
    out.push_back(message.text());
  }
  return out;
}

TEST(Apply, AWholeSessionFolds) {
  const SessionState state = after(whole_session());
  EXPECT_EQ(state.last_seq, std::ssize(whole_session()));
  EXPECT_EQ(state.last_time, event(state.last_seq, ModelCalled{}).time);
  EXPECT_EQ(state.agent, "helper");
  EXPECT_THAT(texts(state.transcript),
              ElementsAre("h\xC3\xA9llo \"you\"\n", "I look.", "no such file", "done", "Written."));
  EXPECT_EQ(state.shared, Json(json{{"written", {"c2.txt"}}}));
  EXPECT_EQ(state.runs, 1);
  EXPECT_EQ(state.replies, 2);
  EXPECT_TRUE(state.interrupts.empty());
  const RunState& run = *state.run;
  EXPECT_EQ(run.used.model_calls, 2);
  EXPECT_EQ(run.used.tool_calls, 2);
  EXPECT_EQ(run.used.usage, (Usage{270, 230, 13}));
  EXPECT_EQ(run.used.error_steps, 0);
  // Events 3 to 11 and 13 to 20, a second apart.
  EXPECT_EQ(run.used.wall_time, std::chrono::seconds(8 + 7));
  EXPECT_EQ(run.mode_state, Json(json{{"step", 2}}));
  EXPECT_EQ(run.last_finish, FinishReason::kStop);
  EXPECT_FALSE(run.is_active);
  EXPECT_EQ(run.outcome, Outcome(Completed{"Written.", FinishReason::kStop}));
  EXPECT_FALSE(can_resume(state));
  EXPECT_FALSE(needs_reply(state));
}

TEST(Apply, EventsMustCountOn) {
  SessionState state = after(begun());
  const SessionState before = state;
  for (const std::int64_t seq : {0, 1, 3, 5}) {
    const auto applied = apply(state, event(seq, ModelCalled{"m"}));
    ASSERT_FALSE(applied.ok()) << seq;
    EXPECT_EQ(applied.error().code, ErrorCode::kDataLoss);
    EXPECT_EQ(applied.error().reason, "event_out_of_order");
    EXPECT_EQ(state, before);
  }
}

TEST(Apply, OnlyAStartCanBeFirst) {
  std::vector<EventBody> bodies = whole_session();
  bodies.push_back(UnknownEvent{"later", json{{"seq", 1}}});
  for (const EventBody& body : bodies) {
    SessionState state;
    const bool is_start = std::holds_alternative<SessionStarted>(body);
    EXPECT_EQ(apply(state, event(1, body)).ok(), is_start) << event_type(body);
    EXPECT_EQ(state == SessionState{}, !is_start);
  }
}

struct Impossible {
  const char* why;
  SessionState state;
  EventBody body;
};

std::vector<Impossible> impossible_events() {
  const SessionState started = after({SessionStarted{1, "a"}});
  const SessionState running = after(begun());
  const SessionState proposed = with_batch({call("c1"), call("c2")});
  SessionState allowed = proposed;
  go_on(allowed, {decided("c1", GateEffect::kAllow)});
  SessionState awaiting = proposed;
  go_on(awaiting, {decided("c1", GateEffect::kAsk), raised("i1", "c1")});
  SessionState in_tool = allowed;
  go_on(in_tool, {ToolStarted{CallId("c1"), false, 1}});
  SessionState one_done = in_tool;
  go_on(one_done, {finished("c1")});
  SessionState all_done = one_done;
  go_on(all_done, {finished("c2")});
  SessionState propagated = all_done;
  go_on(propagated, {StateChanged{json::object(), {CallId("c1")}}});
  const SessionState ended = after(whole_session());
  SessionState open_interrupt = awaiting;
  go_on(open_interrupt, {finished("c1"), finished("c2")});
  const ModelReplied two_alike = replied({call("c1"), call("c1")});
  return {
      {"a second start", running, SessionStarted{1, "a"}},
      {"no run id", started, run_started("")},
      {"the same run id", running, run_started("r1")},
      {"a run while calls are open", proposed, run_started("r2")},
      {"a run while an interrupt is open", open_interrupt, run_started("r2")},
      {"resume without a run", started, RunResumed{RunId("r1"), {}, ""}},
      {"resume of another run", running, RunResumed{RunId("r2"), {}, ""}},
      {"resume of a completed run", ended, RunResumed{RunId("r1"), {}, ""}},
      {"a model call without a run", started, ModelCalled{"m"}},
      {"a model call after the end", ended, ModelCalled{"m"}},
      {"a reply without a run", started, replied({})},
      {"a reply while calls are open", proposed, replied({})},
      {"a reply with an empty call id", running, replied({call("")})},
      {"a reply with two equal call ids", running, two_alike},
      {"a reply of a user", running, ModelReplied{Message::user("x"), {}, {}, {}}},
      {"a decision without a run", started, decided("c1", GateEffect::kAllow)},
      {"a decision on no call", proposed, decided("c9", GateEffect::kAllow)},
      {"a decision on a started call", in_tool, decided("c1", GateEffect::kAllow)},
      {"a decision on a finished call", one_done, decided("c1", GateEffect::kAllow)},
      {"an interrupt without a run", started, raised("i1", "c1")},
      {"an interrupt for no call", proposed, raised("i1", "c9")},
      {"an interrupt for a finished call", one_done, raised("i1", "c1")},
      {"an interrupt without an id", proposed, raised("", "c1")},
      {"an interrupt with an open one's id", awaiting, raised("i1", "c2")},
      {"a second interrupt for a call", awaiting, raised("i2", "c1")},
      {"an answer to nothing", proposed, InterruptResolved{InterruptId("i1"), {}, ""}},
      {"a start without a run", started, ToolStarted{CallId("c1"), true, 1}},
      {"a start of no call", allowed, ToolStarted{CallId("c9"), true, 1}},
      {"a start before the gate", proposed, ToolStarted{CallId("c1"), true, 1}},
      {"a start before the answer", awaiting, ToolStarted{CallId("c1"), true, 1}},
      {"a second start, not idempotent", in_tool, ToolStarted{CallId("c1"), false, 2}},
      {"a start after the end", one_done, ToolStarted{CallId("c1"), true, 2}},
      {"a start with a wrong attempt", allowed, ToolStarted{CallId("c1"), true, 2}},
      {"a result without a run", started, finished("c1")},
      {"a result of no call", proposed, finished("c9")},
      {"a second result", one_done, finished("c1")},
      {"a patch that is no object", running, StateChanged{json::array(), {}}},
      {"a patch of no call", running, StateChanged{json::object(), {CallId("c1")}}},
      {"a patch of an open call", one_done, StateChanged{json::object(), {CallId("c2")}}},
      {"a patch applied before", propagated, StateChanged{json::object(), {CallId("c1")}}},
      {"a patch twice in one", all_done,
       StateChanged{json::object(), {CallId("c1"), CallId("c1")}}},
      {"mode state without a run", started, ModeStateSet{json(1)}},
      {"an end without a run", started, RunEnded{RunId("r1"), {}}},
      {"an end of another run", running, RunEnded{RunId("r2"), {}}},
      {"a second end", ended, RunEnded{RunId("r1"), {}}},
  };
}

TEST(Apply, AnImpossibleEventIsRefusedAndChangesNothing) {
  for (const Impossible& one : impossible_events()) {
    SessionState state = one.state;
    const auto applied = apply(state, event(state.last_seq + 1, one.body));
    ASSERT_FALSE(applied.ok()) << one.why;
    EXPECT_EQ(applied.error().code, ErrorCode::kDataLoss) << one.why;
    EXPECT_EQ(applied.error().reason, "event_impossible") << one.why;
    EXPECT_THAT(applied.error().message, HasSubstr(event_type(one.body)));
    EXPECT_EQ(state, one.state) << one.why;
  }
}

TEST(Apply, ResultsStandInTheOrderOfTheCalls) {
  SessionState state = with_batch({call("c1"), call("c2"), call("c3")});
  go_on(state, {MessageAdded{Message::user("meanwhile")}, finished("c3"), finished("c1")});
  EXPECT_THAT(texts(state.transcript),
              ElementsAre("go", "", "result of c1", "result of c3", "meanwhile"));
  go_on(state, {finished("c2")});
  EXPECT_THAT(texts(state.transcript),
              ElementsAre("go", "", "result of c1", "result of c2", "result of c3", "meanwhile"));
}

TEST(Apply, ACutReplyHasNoCallsToRun) {
  for (const FinishReason reason : {FinishReason::kLength, FinishReason::kCancelled}) {
    SessionState state = after(begun());
    go_on(state, {replied({call("c1")}, reason)});
    EXPECT_TRUE(state.run->batch.empty());
    EXPECT_FALSE(has_unresolved_calls(state));
    EXPECT_FALSE(needs_reply(state));
    EXPECT_EQ(state.run->last_finish, reason);
  }
}

TEST(Apply, TheGateMovesACall) {
  SessionState state = with_batch({call("c1"), call("c2"), call("c3")});
  go_on(state, {decided("c1", GateEffect::kAllow), decided("c2", GateEffect::kAsk),
                decided("c3", GateEffect::kDeny)});
  EXPECT_EQ(status(state, "c1"), CallStatus::kAllowed);
  EXPECT_EQ(status(state, "c2"), CallStatus::kAwaiting);
  EXPECT_EQ(status(state, "c3"), CallStatus::kProposed);
  EXPECT_EQ(find_call(state, CallId("c2"))->digest, "digest of c2");
  // Another policy, another decision: the earlier one holds no longer.
  go_on(state, {decided("c1", GateEffect::kDeny), decided("c2", GateEffect::kAllow)});
  EXPECT_EQ(status(state, "c1"), CallStatus::kProposed);
  EXPECT_EQ(status(state, "c2"), CallStatus::kAllowed);
}

TEST(Apply, OnlyAnApprovalAllowsACall) {
  for (const InterruptDecision decision :
       {InterruptDecision::kApprove, InterruptDecision::kReject, InterruptDecision::kRespond}) {
    SessionState state = with_batch({call("c1")});
    go_on(state, {decided("c1", GateEffect::kAsk), raised("i1", "c1"),
                  RunEnded{RunId("r1"), Interrupted{{InterruptId("i1")}}},
                  InterruptResolved{InterruptId("i1"), decision, ""}});
    EXPECT_TRUE(state.interrupts.empty());
    EXPECT_EQ(status(state, "c1"), decision == InterruptDecision::kApprove ? CallStatus::kAllowed
                                                                           : CallStatus::kAwaiting);
  }
}

TEST(Apply, ACallOfUnknownOutcomeRunsAgainWhenApproved) {
  SessionState state = with_batch({call("c1")});
  go_on(state, {decided("c1", GateEffect::kAllow), ToolStarted{CallId("c1"), false, 1},
                RunResumed{RunId("r1"), {}, ""}, raised("i1", "c1", InterruptKind::kUnknownOutcome),
                InterruptResolved{InterruptId("i1"), InterruptDecision::kApprove, ""}});
  EXPECT_EQ(status(state, "c1"), CallStatus::kAllowed);
  go_on(state, {ToolStarted{CallId("c1"), false, 2}});
  EXPECT_EQ(find_call(state, CallId("c1"))->attempts, 2);
  EXPECT_EQ(state.run->used.tool_calls, 1);
}

TEST(Apply, AnAnswerToACallThatIsFinishedOnlyClosesTheQuestion) {
  SessionState state = with_batch({call("c1")});
  go_on(state, {decided("c1", GateEffect::kAsk), raised("i1", "c1"),
                finished("c1", true, ResultSource::kSuperseded),
                InterruptResolved{InterruptId("i1"), InterruptDecision::kApprove, ""}});
  EXPECT_EQ(status(state, "c1"), CallStatus::kFinished);
  EXPECT_TRUE(state.interrupts.empty());
}

TEST(Apply, AnIdempotentCallStartsAgainAfterACrash) {
  SessionState state = with_batch({call("c1")});
  go_on(state, {decided("c1", GateEffect::kAllow), ToolStarted{CallId("c1"), true, 1},
                RunResumed{RunId("r1"), {}, ""}, ToolStarted{CallId("c1"), true, 2}});
  EXPECT_EQ(status(state, "c1"), CallStatus::kStarted);
  EXPECT_EQ(state.run->used.tool_calls, 1);
}

TEST(Apply, ErrorStepsCountStepsInARowWithoutSuccess) {
  SessionState state = with_batch({call("c1"), call("c2")});
  go_on(state, {finished("c1", true), finished("c2", true, ResultSource::kDenied)});
  EXPECT_EQ(state.run->used.error_steps, 1);
  go_on(state, {replied({call("c3")}), finished("c3", true, ResultSource::kInvalid)});
  EXPECT_EQ(state.run->used.error_steps, 2);
  go_on(state, {replied({call("c4")}), finished("c4", true, ResultSource::kSuperseded)});
  EXPECT_EQ(state.run->used.error_steps, 2);
  go_on(state, {replied({call("c5"), call("c6")}), finished("c5", true), finished("c6")});
  EXPECT_EQ(state.run->used.error_steps, 0);
  go_on(state, {replied({call("c7")}), finished("c7", true), replied({})});
  EXPECT_EQ(state.run->used.error_steps, 0);
}

TEST(Apply, StateChangesAreMergePatches) {
  SessionState state = after(begun());
  EXPECT_EQ(state.shared, Json(json::object()));
  go_on(state, {StateChanged{json{{"a", {{"b", 1}, {"c", 2}}}, {"d", {1, 2}}}, {}},
                StateChanged{json{{"a", {{"b", nullptr}}}, {"d", {3}}, {"e", nullptr}}, {}}});
  EXPECT_EQ(state.shared, Json(json{{"a", {{"c", 2}}}, {"d", {3}}}));
}

TEST(Apply, AChangeIsMarkedAtTheCallsItCameFrom) {
  SessionState state = with_batch({call("c1"), call("c2")});
  go_on(state, {finished("c1"), finished("c2"), StateChanged{json{{"x", 1}}, {CallId("c2")}}});
  EXPECT_FALSE(find_call(state, CallId("c1"))->is_propagated);
  EXPECT_TRUE(find_call(state, CallId("c2"))->is_propagated);
}

TEST(Apply, ANewRunReplacesTheOldOne) {
  SessionState state = after(whole_session());
  RunStarted started = run_started("r2");
  started.policy_fingerprint = "p2";
  go_on(state, {MessageAdded{Message::user("more")}, started});
  EXPECT_EQ(state.runs, 2);
  EXPECT_EQ(state.run->used, LimitsUsed{});
  EXPECT_TRUE(state.run->batch.empty());
  EXPECT_TRUE(state.run->mode_state.is_null());
  EXPECT_EQ(state.run->policy_fingerprint, "p2");
  EXPECT_EQ(state.run->active_since, state.last_time);
  EXPECT_TRUE(needs_reply(state));
}

TEST(Apply, AResumeTakesOverFingerprints) {
  SessionState state = after(begun());
  go_on(state, {RunEnded{RunId("r1"), Paused{"later"}}});
  EXPECT_TRUE(can_resume(state));
  go_on(state, {RunResumed{RunId("r1"), {{"t", "f9"}}, "p9"}});
  EXPECT_TRUE(state.run->is_active);
  EXPECT_EQ(state.run->outcome, std::nullopt);
  EXPECT_EQ(state.run->tool_fingerprints.at("t"), "f9");
  EXPECT_EQ(state.run->policy_fingerprint, "p9");
  EXPECT_EQ(state.run->started.policy_fingerprint, "p1");
  EXPECT_EQ(state.run->active_since, state.last_time);
}

TEST(Apply, TheTimeOfAProcessThatDiedCountsUntilItsLastEvent) {
  SessionState state = after(begun());
  go_on(state, {ModelCalled{"m"}, ModelCalled{"m"}});
  EXPECT_TRUE(can_resume(state));
  Event resumed = event(state.last_seq + 1, RunResumed{RunId("r1"), {}, ""});
  resumed.time += std::chrono::hours(100);
  ASSERT_TRUE(apply(state, resumed).ok());
  EXPECT_EQ(state.run->used.wall_time, std::chrono::seconds(2));
}

TEST(Apply, AClockThatWentBackTakesNoTimeAway) {
  SessionState state = after(begun());
  Event ended = event(state.last_seq + 1, RunEnded{RunId("r1"), Paused{}});
  ended.time -= std::chrono::hours(1);
  ASSERT_TRUE(apply(state, ended).ok());
  EXPECT_EQ(state.run->used.wall_time, std::chrono::milliseconds(0));
}

TEST(Apply, AnUnknownEventIsCountedAndRemembered) {
  SessionState state = after(begun());
  go_on(state, {UnknownEvent{"later", json::object()}, UnknownEvent{"even_later", json::object()}});
  EXPECT_EQ(state.last_seq, 5);
  EXPECT_EQ(state.unknown_event, "later");
}

TEST(Apply, BehindAnUnknownEventWhatDoesNotFitIsSkipped) {
  SessionState state = after(begun());
  go_on(state, {UnknownEvent{"later", json::object()}, finished("c1"),
                MessageAdded{Message::user("still read")}});
  EXPECT_EQ(state.last_seq, 6);
  EXPECT_THAT(texts(state.transcript), ElementsAre("go", "still read"));
}

TEST(Apply, ASessionOfANewerFormatIsReadOnly) {
  const SessionState state = after({SessionStarted{kEventFormatVersion + 1, "a"}});
  EXPECT_EQ(state.unknown_event, "session_started");
}

TEST(NeedsReply, FollowsTheLastMessage) {
  EXPECT_FALSE(needs_reply({}));
  EXPECT_FALSE(needs_reply(after({SessionStarted{1, "a"}})));
  EXPECT_TRUE(needs_reply(after(begun())));
  SessionState state = with_batch({call("c1"), call("c2")});
  EXPECT_FALSE(needs_reply(state));
  go_on(state, {finished("c1")});
  EXPECT_FALSE(needs_reply(state));
  go_on(state, {finished("c2")});
  EXPECT_TRUE(needs_reply(state));
  go_on(state, {replied({})});
  EXPECT_FALSE(needs_reply(state));
}

TEST(CanResume, FollowsTheOutcome) {
  EXPECT_FALSE(can_resume({}));
  EXPECT_TRUE(can_resume(after(begun())));
  const std::pair<Outcome, bool> cases[] = {
      {Completed{}, false}, {ToolResultOutcome{}, false}, {Interrupted{}, true}, {Paused{}, true},
      {Stopped{}, false},   {Cancelled{}, false},         {Failed{}, false}};
  for (const auto& [outcome, expected] : cases) {
    SessionState state = after(begun());
    go_on(state, {RunEnded{RunId("r1"), outcome}});
    EXPECT_EQ(can_resume(state), expected) << outcome_name(outcome);
  }
}

}  // namespace
}  // namespace ingle

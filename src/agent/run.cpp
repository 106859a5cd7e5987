#include "ingle/agent/run.h"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "agent/closing.h"
#include "agent/safe_observer.h"
#include "ingle/session/session_log.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxDetailsDepth = 128;  ///< Of an error's details, or they are left out.

Error invalid(std::string reason, std::string message) {
  return {.code = ErrorCode::kInvalidArgument,
          .reason = std::move(reason),
          .message = std::move(message),
          .details = {}};
}

Error precondition(std::string reason, std::string message) {
  return {.code = ErrorCode::kFailedPrecondition,
          .reason = std::move(reason),
          .message = std::move(message),
          .details = {}};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none" : text;
}

RunStarted started_event(const Agent& agent, RunId run, UntilTool until, Limits limits,
                         Json settings) {
  const AgentOptions& options = agent.options();
  return {.run = std::move(run),
          .model = options.model->info().name,
          .mode = std::string(options.mode->name()),
          .limits = limits,
          .until = std::move(until),
          .tool_fingerprints = options.tools.fingerprints(),
          .policy_fingerprint = options.policy.fingerprint(),
          .settings = std::move(settings)};
}

RunId next_run_id(const SessionState& state) {
  return RunId("run_" + std::to_string(state.runs + 1));
}

enum class IsNew : std::uint8_t { kNo, kYes };

Failed mode_failed(const Mode& mode, const std::string& how) {
  return {{.code = ErrorCode::kInternal,
           .reason = "mode_failed",
           .message = "the mode " + std::string(mode.name()) + how,
           .details = {}}};
}

/// Iterates the mode until it ends. A mode is somebody's code: it may throw, or do nothing for
/// ever.
Outcome iterate(Kernel& kernel, IsNew is_new) {
  const Mode& mode = *kernel.agent().options().mode;
  try {
    if (is_new == IsNew::kYes) {
      if (auto initialised = mode.init(kernel, kernel.state()); !initialised) {
        return Failed{initialised.error()};
      }
    }
    while (true) {
      const std::int64_t seq_before = kernel.state().last_seq;
      StageResult result = mode.iterate(kernel, kernel.state());
      if (auto* end = std::get_if<End>(&result)) {
        return std::move(end->outcome);
      }
      if (auto outcome = kernel.stop_outcome()) {
        return std::move(*outcome);
      }
      if (kernel.state().last_seq == seq_before) {
        return Failed{{.code = ErrorCode::kInternal,
                       .reason = "mode_stuck",
                       .message = "the mode " + std::string(mode.name()) +
                                  " wants to go on, but changed nothing",
                       .details = {}}};
      }
    }
  } catch (const std::exception& exception) {
    return mode_failed(mode, std::string(" threw: ") + exception.what());
  } catch (...) {
    return mode_failed(mode, " threw");
  }
}

/// Logs the end, and closes what it leaves pending.
Result<void> commit_end(SessionLog& log, const Kernel& kernel, Outcome outcome) {
  std::vector<EventBody> events;
  if (!is_resumable(outcome)) {
    events =
        closing_events(log.state(), "the run ended (" + std::string(outcome_name(outcome)) + ")",
                       kernel.unsaved_result());
  }
  events.emplace_back(RunEnded{.run = log.state().run->started.run, .outcome = std::move(outcome)});
  return log.commit(std::move(events));
}

/// Logs the end. Returns it as the log has it, or why it could not be stored.
Outcome end_run(SessionLog& log, const Kernel& kernel, Outcome outcome) {
  std::optional<Failed> failure;
  if (auto* failed = std::get_if<Failed>(&outcome)) {
    if (json_depth(failed->error.details) > kMaxDetailsDepth) {
      failed->error.details = {};
    }
    failure = *failed;
  }
  auto committed = commit_end(log, kernel, std::move(outcome));
  if (!committed && !failure) {
    failure = Failed{committed.error()};
    // An outcome that no store can take must not leave the run without an end.
    if (is_about_event(failure->error)) {
      committed = commit_end(log, kernel, *failure);
    }
  }
  // Without an end in the log, what matters to the caller is why: the store, or what failed first.
  return committed ? *log.state().run->outcome : Outcome(*std::move(failure));
}

/// Runs to the end and logs it.
RunReport advance(const Call& call, const Agent& agent, SessionLog& log, const RunOptions& options,
                  IsNew is_new) {
  SafeObserver sink(options.observer);
  Kernel kernel(agent, log,
                {.call = call,
                 .cancel = options.cancel,
                 .should_pause = options.should_pause,
                 .deltas = &sink});
  const RunId run = log.state().run->started.run;
  Outcome outcome = end_run(log, kernel, iterate(kernel, is_new));
  return {.run = run,
          .outcome = std::move(outcome),
          .used = log.state().run->used,
          .last_seq = log.state().last_seq};
}

Result<SessionLog> open_log(SessionStore& store, const SessionId& session,
                            const RunOptions& options, const Clock& clock) {
  return SessionLog::open(store, session, clock,
                          [observer = SafeObserver(options.observer)](const Event& event) mutable {
                            observer.on_event(event);
                          });
}

/// What a person's answer does to the log.
Result<void> add_answer(const SessionState& state, const InterruptAnswer& answer,
                        std::vector<EventBody>& events) {
  const auto found = std::ranges::find_if(
      state.interrupts, [&](const InterruptRaised& raised) { return raised.id == answer.id; });
  if (found == state.interrupts.end()) {
    std::vector<std::string> open;
    for (const InterruptRaised& raised : state.interrupts) {
      open.push_back(raised.id.str());
    }
    return invalid("answer_unknown", "no open question has the id " + answer.id.str() +
                                         "; open are: " + joined(open));
  }
  events.emplace_back(
      InterruptResolved{.id = answer.id, .decision = answer.decision, .text = answer.text});
  if (answer.decision == InterruptDecision::kApprove) {
    return {};
  }
  const bool is_rejection = answer.decision == InterruptDecision::kReject;
  std::string text = answer.text;
  if (is_rejection) {
    text = found->kind == InterruptKind::kApproval
               ? "A person declined this call."
               : "Whether this call took effect is unknown, and a person decided not to repeat it.";
    text += answer.text.empty() ? "" : " Reason: " + answer.text;
  }
  events.emplace_back(ToolFinished{.call_id = found->call_id,
                                   .source = ResultSource::kPerson,
                                   .is_error = is_rejection,
                                   .text = std::move(text),
                                   .value = {},
                                   .state_change = {}});
  return {};
}

/// What a pending call was decided on must still be what it is.
Result<void> check_unchanged(const SessionState& state, const Agent& agent) {
  const AgentOptions& options = agent.options();
  if (!has_unresolved_calls(state)) {
    return {};
  }
  const auto advice = "; resume with accept_changes if that is intended";
  if (state.run->policy_fingerprint != options.policy.fingerprint()) {
    return precondition(
        "tool_changed",
        std::string("calls are pending and the policy is another one now") + advice);
  }
  const std::map<std::string, std::string> now = options.tools.fingerprints();
  for (const CallState& call : state.run->batch) {
    const auto before = state.run->tool_fingerprints.find(call.call.name);
    if (call.result || before == state.run->tool_fingerprints.end()) {
      continue;
    }
    const auto current = now.find(call.call.name);
    if (current == now.end() || current->second != before->second) {
      return precondition(
          "tool_changed",
          "a call of " + call.call.name + " is pending and that tool is another one now" + advice);
    }
  }
  return {};
}

}  // namespace

Result<void> check_until(const UntilTool& until, const ToolSet& tools) {
  std::vector<std::string> unknown;
  std::ranges::copy_if(until.names, std::back_inserter(unknown),
                       [&](const std::string& name) { return tools.find(name) == nullptr; });
  if (!unknown.empty()) {
    return invalid("until_tool_unknown", "the agent has no tool " + joined(unknown) +
                                             "; it has: " + joined(tools.names()));
  }
  return {};
}

Result<void> create_session(SessionStore& store, const SessionId& session, const Agent& agent,
                            const Clock& clock) {
  INGLE_RETURN_IF_ERROR(store.create(session));
  INGLE_TRY(SessionLog log, SessionLog::open(store, session, clock, {}));
  return log.commit({SessionStarted{.agent = agent.options().name}});
}

Result<RunReport> run(const Call& call, const Agent& agent, SessionStore& store,
                      const SessionId& session, std::string message, const RunOptions& options) {
  if (message.empty()) {
    return invalid("message_empty", "there is nothing to answer: the message is empty");
  }
  const Limits limits = options.limits.value_or(agent.options().limits);
  INGLE_RETURN_IF_ERROR(check_limits(limits));
  INGLE_RETURN_IF_ERROR(check_until(options.until, agent.options().tools));

  const SystemClock system_clock;
  INGLE_TRY(SessionLog log,
            open_log(store, session, options, options.clock ? *options.clock : system_clock));
  std::vector<EventBody> events =
      closing_events(log.state(), "the conversation went on without it");
  if (log.state().last_seq == 0) {
    // The process died between making the session and its first event.
    events.emplace_back(SessionStarted{.agent = agent.options().name});
  }
  if (log.state().run && log.state().run->is_active) {
    events.emplace_back(RunEnded{.run = log.state().run->started.run,
                                 .outcome = Cancelled{.reason = CancelReason::kAbandoned}});
  }
  events.emplace_back(MessageAdded{Message::user(std::move(message))});
  events.emplace_back(
      started_event(agent, next_run_id(log.state()), options.until, limits, options.settings));
  INGLE_RETURN_IF_ERROR(log.commit(std::move(events)));
  return advance(call, agent, log, options, IsNew::kYes);
}

Result<RunReport> resume(const Call& call, const Agent& agent, SessionStore& store,
                         const SessionId& session, const std::vector<InterruptAnswer>& answers,
                         const RunOptions& options) {
  const SystemClock system_clock;
  INGLE_TRY(SessionLog log,
            open_log(store, session, options, options.clock ? *options.clock : system_clock));
  const SessionState& state = log.state();
  const bool goes_on = can_resume(state);
  if (!goes_on && !needs_reply(state)) {
    return precondition("nothing_to_resume", "session " + session.str() +
                                                 " has no run to go on with: its last one is over");
  }
  std::vector<EventBody> events;
  if (goes_on) {
    if (state.run->started.mode != agent.options().mode->name()) {
      return precondition("mode_changed", "the run was begun in the mode " +
                                              state.run->started.mode + ", the agent's is " +
                                              std::string(agent.options().mode->name()));
    }
    if (!options.accept_changes) {
      INGLE_RETURN_IF_ERROR(check_unchanged(state, agent));
    }
    events.emplace_back(RunResumed{.run = state.run->started.run,
                                   .tool_fingerprints = agent.options().tools.fingerprints(),
                                   .policy_fingerprint = agent.options().policy.fingerprint()});
  } else {
    events.emplace_back(started_event(
        agent, next_run_id(state), state.run ? state.run->started.until : UntilTool{},
        agent.options().limits, state.run ? state.run->started.settings : options.settings));
  }
  std::set<InterruptId> answered;
  for (const InterruptAnswer& answer : answers) {
    if (!answered.insert(answer.id).second) {
      return invalid("answer_duplicate", "there are two answers to " + answer.id.str());
    }
    INGLE_RETURN_IF_ERROR(add_answer(state, answer, events));
  }
  INGLE_RETURN_IF_ERROR(log.commit(std::move(events)));
  return advance(call, agent, log, options, goes_on ? IsNew::kNo : IsNew::kYes);
}

}  // namespace ingle

/// Events: everything that ever happens to a session, and the only thing that is stored of it.
///
/// Format and version: docs/formats/events.md. Values. State follows from events by `apply`
/// (session/state.h) and from nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingle/core/clock.h"
#include "ingle/core/ids.h"
#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"
#include "ingle/model/message.h"
#include "ingle/session/limits.h"
#include "ingle/session/outcome.h"

namespace ingle {

inline constexpr std::int64_t kEventFormatVersion = 1;

inline constexpr std::size_t kMaxEventBytes = std::size_t{256} << 20U;  ///< Of one event as text.
inline constexpr std::size_t kMaxEventDepth = 512;                      ///< Nesting of one event.

/// First event of every session.
struct SessionStarted {
  std::int64_t version = kEventFormatVersion;
  std::string agent = {};  ///< Name of the agent that it was made for.
  bool operator==(const SessionStarted&) const = default;
};

/// A message from outside: a user's, or one of an imported history.
struct MessageAdded {
  Message message = {};
  bool operator==(const MessageAdded&) const = default;
};

/// The run goes on until one of these tools has been called.
struct UntilTool {
  std::vector<std::string> names = {};  ///< Empty: until the model answers.
  bool require_success = false;         ///< An error result does not count.
  bool operator==(const UntilTool&) const = default;
};

/// A run begins. What it was promised is logged, so that `resume` needs no repetition.
struct RunStarted {
  RunId run = {};
  std::string model = {};
  std::string mode = {};
  Limits limits = {};
  UntilTool until = {};
  std::map<std::string, std::string> tool_fingerprints =
      {};  ///< Tool name -> digest of what it is.
  std::string policy_fingerprint = {};
  Json settings = {};  ///< Whatever the application needs to make the agent again; not looked into.
  bool operator==(const RunStarted&) const = default;
};

/// A run goes on, maybe in another process.
struct RunResumed {
  RunId run = {};
  std::map<std::string, std::string> tool_fingerprints = {};
  std::string policy_fingerprint = {};
  bool operator==(const RunResumed&) const = default;
};

/// Intent: the model is about to be called. Without a `ModelReplied` after it, it is called again.
struct ModelCalled {
  std::string model = {};
  bool operator==(const ModelCalled&) const = default;
};

struct ModelReplied {
  Message message = {};  ///< Call ids are unique within the session.
  FinishReason finish_reason = FinishReason::kStop;
  Usage usage = {};
  std::vector<std::string> warnings = {};
  bool operator==(const ModelReplied&) const = default;
};

/// What may happen to a tool call.
enum class GateEffect : std::uint8_t { kAllow, kAsk, kDeny };

[[nodiscard]] std::string_view to_string(GateEffect effect);

struct GateDecided {
  CallId call_id = {};
  GateEffect effect = GateEffect::kDeny;
  std::string rule = {};    ///< The rule that decided, as written, or "default".
  std::string digest = {};  ///< sha256 over tool name, arguments and policy: what was decided on.
  bool operator==(const GateDecided&) const = default;
};

enum class InterruptKind : std::uint8_t {
  kApproval,        ///< May this call run?
  kUnknownOutcome,  ///< This call started and the process died: did it happen?
};

[[nodiscard]] std::string_view to_string(InterruptKind kind);

/// A question to a person, kept until it is answered.
struct InterruptRaised {
  InterruptId id = {};
  InterruptKind kind = InterruptKind::kApproval;
  CallId call_id = {};
  std::string digest = {};  ///< As in `GateDecided`: an answer holds for this and nothing else.
  std::string text = {};    ///< For people.
  bool operator==(const InterruptRaised&) const = default;
};

enum class InterruptDecision : std::uint8_t {
  kApprove,  ///< Run the call (kUnknownOutcome: run it again).
  kReject,   ///< Do not run it; `text` tells the model why.
  kRespond,  ///< Do not run it; `text` is its result.
};

[[nodiscard]] std::string_view to_string(InterruptDecision decision);

struct InterruptResolved {
  InterruptId id = {};
  InterruptDecision decision = InterruptDecision::kReject;
  std::string text = {};
  bool operator==(const InterruptResolved&) const = default;
};

/// Intent: the tool is about to run. Without a `ToolFinished` after it, its outcome is unknown.
struct ToolStarted {
  CallId call_id = {};
  bool is_idempotent = false;  ///< Running it again does no harm.
  std::int64_t attempt = 1;    ///< Above 1: it started before and the process died.
  bool operator==(const ToolStarted&) const = default;
};

/// Why a call has the result that it has.
enum class ResultSource : std::uint8_t {
  kTool,        ///< The tool ran.
  kInvalid,     ///< Unknown tool, or arguments that break its schema: it did not run.
  kDenied,      ///< The gate refused it: it did not run.
  kPerson,      ///< A person rejected it or gave the result.
  kSuperseded,  ///< The run ended or the conversation moved on before it was decided.
};

[[nodiscard]] std::string_view to_string(ResultSource source);

struct ToolFinished {
  CallId call_id = {};
  ResultSource source = ResultSource::kTool;
  bool is_error = false;
  std::string text = {};  ///< What the model is shown.
  Json value = {};        ///< Native value for programs, or null; the model never sees it.
  Json state_change =
      {};  ///< JSON merge patch that the tool asks for, or null; see `StateChanged`.
  bool operator==(const ToolFinished&) const = default;
};

/// The session's shared state changes by a JSON merge patch (RFC 7396).
struct StateChanged {
  Json patch = {};
  std::vector<CallId> from_calls = {};  ///< The calls whose `state_change` this is, in their order.
  bool operator==(const StateChanged&) const = default;
};

/// A mode keeps what it needs to go on elsewhere.
struct ModeStateSet {
  Json state = {};
  bool operator==(const ModeStateSet&) const = default;
};

/// Last event of every `run` and `resume`. An interrupted or paused run can go on after it.
struct RunEnded {
  RunId run = {};
  Outcome outcome = {};
  bool operator==(const RunEnded&) const = default;
};

/// An event of a newer version: kept as it is, readable, but the session cannot be advanced.
struct UnknownEvent {
  std::string type = {};
  Json content = {};  ///< The whole event.
  bool operator==(const UnknownEvent&) const = default;
};

using EventBody =
    std::variant<SessionStarted, MessageAdded, RunStarted, RunResumed, ModelCalled, ModelReplied,
                 GateDecided, InterruptRaised, InterruptResolved, ToolStarted, ToolFinished,
                 StateChanged, ModeStateSet, RunEnded, UnknownEvent>;

struct Event {
  std::int64_t seq = 0;  ///< Place in the session, from 1, without gaps.
  Timestamp time{};
  EventBody body = {};
  bool operator==(const Event&) const = default;
};

/// "session_started", "message_added", ...
[[nodiscard]] std::string_view event_type(const EventBody& body);

/// {"seq", "time", "type", ...}. An `UnknownEvent` gives back what was read.
[[nodiscard]] Json to_json(const Event& event);

/// Errors: data_loss "event_invalid", naming the member. An unknown type is not an error.
Result<Event> event_from_json(const Json& value);

/// One line of JSON text, without its end. Bytes that are not UTF-8 become U+FFFD.
/// Errors: invalid_argument "event_too_large" (beyond kMaxEventBytes or kMaxEventDepth).
Result<std::string> encode_event(const Event& event);

/// Errors: data_loss "event_invalid", for text that is not JSON too.
Result<Event> decode_event(std::string_view text);

}  // namespace ingle

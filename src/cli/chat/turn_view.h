/// A chat's turn as it happens: the answer as it is written, reasoning, tools as cards.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/chat/tool_card.h"
#include "cli/text/word_wrap.h"
#include "ingle/agent/run.h"
#include "ingle/cli/cli.h"
#include "ingle/cli/line_reader.h"
#include "ingle/core/call.h"
#include "ingle/core/clock.h"

namespace ingle::cli {

/// What a turn cost.
struct TurnCost {
  Usage usage = {};
  std::chrono::duration<double> time{};  ///< Of the model and the tools; not of the person.
  // Of those replies that came in several pieces.
  TokenCount streamed_tokens = 0;
  std::chrono::duration<double> streaming_time{};
};

/// "12 tokens in (8 cached), 34 out, 1.2 s, 28 tokens/s".
[[nodiscard]] std::string cost_line(const TurnCost& cost);

/// The answer goes to `streams.out`, exactly, unless that is a terminal: there control characters
/// are written out and lines are broken between words. All else goes to `streams.err`.
class TurnView final : public RunObserver {
 public:
  /// `lines` says how wide the terminal is and whether somebody looks at it.
  TurnView(Streams& streams, const LineReader& lines, bool is_lively, const Clock& clock);

  /// A turn begins: nothing has been spent.
  void begin_turn();

  /// A part of the turn begins or ends: a turn has several when a person is asked in between.
  /// `cancel` is cancelled when the output cannot be written any more.
  void begin_part(CancelSource cancel);
  void end_part();

  void on_event(const Event& event) override;
  void on_delta(const Delta& delta) override;

  /// Calls of these messages can be shown.
  void remember_calls(const std::vector<Message>& messages);

  /// Another session begins: its calls may have the same ids.
  void forget_calls();

  /// Shows a call, unless it stands on the screen already.
  void show_call(const CallId& id);
  /// Shows a call that a person is asked about.
  void show_call_again(const CallId& id);

  [[nodiscard]] const TurnCost& cost() const { return cost_; }
  [[nodiscard]] std::size_t model_calls() const { return model_calls_; }  ///< Since it was made.

 private:
  void on_reply(const ModelReplied& reply);
  void on_finished(const ToolFinished& finished);
  void write_text(std::string_view text);
  void write_reasoning(std::string_view text);
  /// To the stream that `open_` belongs to.
  void put(std::string_view text);
  void write_note(std::string_view text);
  void end_line();
  [[nodiscard]] CardStyle card_style() const;

  enum class Open : std::uint8_t { kNothing, kText, kReasoning };

  Streams& streams_;
  const LineReader& lines_;
  const bool is_lively_;
  const Clock& clock_;
  std::optional<CancelSource> cancel_;
  std::map<CallId, ToolCall> calls_;
  std::set<CallId> shown_calls_;
  Open open_ = Open::kNothing;  ///< What the line that is not at its end belongs to.
  WordWrap wrap_;
  std::string reply_text_;  ///< What came of the present reply.
  std::size_t model_calls_ = 0;
  TurnCost cost_;
  // Of the present reply.
  std::size_t pieces_ = 0;
  std::chrono::steady_clock::time_point first_piece_{};
  std::chrono::steady_clock::time_point last_piece_{};
  std::chrono::steady_clock::time_point part_began_{};
};

}  // namespace ingle::cli

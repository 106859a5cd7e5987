/// `ingle chat`: a conversation with an agent whose model stays loaded.
///
/// chat.cpp begins, ends and reads; chat_turn.cpp has the turns; chat_commands.cpp the commands.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/agent_parts.h"
#include "cli/chat/chat_input.h"
#include "cli/chat/input_history.h"
#include "cli/chat/turn_view.h"
#include "cli/options/options.h"
#include "cli/report/notes.h"
#include "cli/session_access.h"
#include "ingle/agent/run.h"
#include "ingle/cli/cli.h"
#include "ingle/cli/environment.h"
#include "ingle/cli/exit_code.h"
#include "ingle/cli/line_reader.h"

namespace ingle::cli {

class Chat final {
 public:
  Chat(const ChatArguments& arguments, Streams& streams, Environment& environment);

  /// Until the person leaves.
  ExitCode run();

 private:
  /// `ingle::run` or `ingle::resume`.
  using Step = std::function<Result<RunReport>(const Call&, const RunOptions&)>;

  // chat.cpp
  Result<void> open_session();
  Result<std::shared_ptr<LanguageModel>> load_model(const ModelRequest& request);
  void open_history();
  void greet();
  void read_once();
  void on_interrupt(bool has_text);
  void take(const std::string& text);
  void leave(ExitCode code);
  void say_goodbye();

  // chat_turn.cpp
  void begin_or_go_on();
  void say(const std::string& text);
  void go_on(std::vector<InterruptAnswer> answers);
  void advance(Step step);
  Result<RunReport> perform(const Step& step, bool accept_changes);
  std::optional<Step> ask_and_resume(bool& is_left);
  void tell_end(const RunReport& report);
  Step resume_with(std::vector<InterruptAnswer> answers);

  // chat_commands.cpp
  void execute(const ChatCommand& command);
  void change_model(const std::string& name);
  void list_models();
  void change_tools(const std::string& names);
  void list_tools();
  void change_system(const std::string& text);
  void reset();
  void save(const std::string& name);
  void show_session();
  void continue_turn();
  /// Takes over what `config` describes, with `model`; or says why not.
  bool change_agent(Config config, std::shared_ptr<LanguageModel> model);

  void note(std::string_view text) { notes_.write(NoteKind::kActivity, text); }
  [[nodiscard]] std::string chat_command_line() const;
  [[nodiscard]] CardStyle card_style() const;
  /// Replies of a scripted model that have been played.
  [[nodiscard]] std::size_t played_replies() const {
    return played_at_load_ + view_.model_calls() - calls_at_load_;
  }
  /// The session as it is stored; empty before the first message.
  Result<StoredSession> stored();

  const ChatArguments arguments_;
  Streams& streams_;
  Environment& environment_;
  const bool is_lively_;
  Notes notes_;
  const std::unique_ptr<LineReader> lines_;
  TurnView view_;
  std::optional<InputHistory> history_;

  std::shared_ptr<SessionStore> store_;
  SessionId session_;
  bool is_stored_ = false;  ///< The session is in the store.
  bool is_told_ = false;    ///< The person knows its id.

  AgentParts parts_;
  std::shared_ptr<LanguageModel> model_;
  std::optional<Agent> agent_;
  /// Where the model is a script: its replies that were played when it was loaded, and the calls
  /// that `view_` had counted then.
  std::size_t played_at_load_ = 0;
  std::size_t calls_at_load_ = 0;

  bool was_interrupted_ = false;  ///< By what came last: the next Ctrl-C leaves.
  std::optional<ExitCode> code_;  ///< Set: leave.
};

}  // namespace ingle::cli

#include <CLI/CLI.hpp>

#include "cli/options/options_parts.h"

namespace ingle::cli {
namespace {

constexpr const char* kChatFooter = R"(Examples:
  ingle chat
  ingle chat --tools list_files,read_file --root notes
  ingle chat --session tea                 go on with a session, or begin it
  ingle chat --model scripted:replies.jsonl < questions.txt

The answer goes to standard output, all else to standard error. A session that is continued has the
model, tools and rules that it had, unless options say otherwise. A tool that only reads is allowed
to run; about any other the chat asks. /help lists the commands.

Ctrl-C stops an answer; where nothing runs, it leaves when it comes again. Ctrl-D or /quit leaves.
SIGTERM pauses at the next safe point and leaves.

Exit codes: 0 left, 2 bad usage or input, 3 a question was open when a pipe ended, 4 paused by
SIGTERM, 130 left by Ctrl-C.

ingle config lists what can be set in ingle.toml and in the environment too.)";

}  // namespace

void add_chat(CLI::App& app, ChatArguments& arguments) {
  CLI::App* chat = app.add_subcommand("chat", "Talk with an agent");
  chat->footer(kChatFooter);
  add_agent(*chat, arguments.flags);
  chat->add_option("--session", arguments.session, "Continue this session, or begin it")
      ->type_name("ID");
}

}  // namespace ingle::cli

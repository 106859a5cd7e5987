/// A conversation as text: a file to keep, and a reminder of how far it has come.
#pragma once

#include <filesystem>
#include <string>

#include "cli/chat/tool_card.h"
#include "ingle/core/clock.h"
#include "ingle/core/ids.h"
#include "ingle/core/result.h"
#include "ingle/session/state.h"

namespace ingle::cli {

/// Messages under headings, tool calls and results in fences.
[[nodiscard]] std::string conversation_markdown(const SessionId& session, const SessionState& state,
                                                Timestamp now);

/// {"session", "saved", "messages": [...]} (docs/formats/events.md, "Messages").
[[nodiscard]] std::string conversation_json(const SessionId& session, const SessionState& state,
                                            Timestamp now);

/// The last turns, each message shortened to a line or a few. Safe on a terminal.
[[nodiscard]] std::string recap(const SessionState& state, const CardStyle& style);

/// Writes a file that is not there. Errors: already_exists "file_exists"; unavailable
/// "file_failed".
Result<void> write_new_file(const std::filesystem::path& file, const std::string& text);

/// Replaces a file in one step. Errors: unavailable "file_failed".
Result<void> replace_file(const std::filesystem::path& file, const std::string& text);

}  // namespace ingle::cli

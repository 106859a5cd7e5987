/// Looking around in a confined folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingle/core/call.h"
#include "tools/beneath.h"

namespace ingle::tools {

enum class Depth : std::uint8_t { kFolder, kTree };

/// Entries looked at in one walk; the bound on its time and memory.
inline constexpr std::size_t kMaxWalkedEntries = 20'000;

/// What lies in the folder `path` (normalized), sorted by path; with kTree, in the folders below
/// too, except in hidden ones, behind links, and where reading is not allowed. `is_cut`: there is
/// more than the bound. Errors: as `read_folder` for `path` itself; those of `Call::check`.
Result<FolderContent> walk(const Call& call, int root, const std::string& path, Depth depth);

[[nodiscard]] bool is_hidden(std::string_view path);

/// A sentence that helps someone who asked for a file or folder that is not there: names that come
/// near, else what there is instead.
[[nodiscard]] std::string suggest(const Call& call, int root, std::string_view asked,
                                  EntryKind wanted);

/// "a.txt, b.txt and 3 more": some names of a folder for a sentence, or "nothing".
[[nodiscard]] std::string enumerate(const FolderContent& content);

}  // namespace ingle::tools

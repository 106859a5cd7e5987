/// Tools that look at files: list_files and read_file.
///
/// Both are read-only and idempotent, and cannot leave the folder that they are given. What they
/// tell the model contains paths relative to it only.
#pragma once

#include <cstddef>
#include <memory>

#include "ingle/tool/tool.h"
#include "ingle/tools/file_root.h"

namespace ingle {

struct FileToolOptions {
  /// Bytes of text of one read_file; more is cut, with notice.
  std::size_t max_read_bytes = std::size_t{16} << 10U;
  /// Lines of one list_files; more are cut, with notice.
  std::size_t max_entries = 200;
};

/// list_files {path?, pattern?, recursive?}: names and sizes, sorted by path; folders end in '/'.
/// `pattern` is matched with the name ('*' any characters, '?' one). Names that begin with '.' are
/// listed only for a pattern that does so too. Links to folders are listed, not entered.
/// Value: [{"path", "kind": "file" | "folder" | "other", "size"?}].
[[nodiscard]] std::shared_ptr<Tool> make_list_files(FileRoot root,
                                                    const FileToolOptions& options = {});

/// read_file {path, first_line?, max_lines?}: the text of one file, or some lines of it.
/// Invalid UTF-8 becomes U+FFFD; binary files, folders, pipes and devices are refused. A path that
/// does not exist is answered with those that come near.
/// Value: {"path", "text", "first_line", "last_line", "lines"?, "is_cut"}; "lines" is the file's
/// number of lines, missing where the file is too large to count them.
[[nodiscard]] std::shared_ptr<Tool> make_read_file(FileRoot root,
                                                   const FileToolOptions& options = {});

}  // namespace ingle

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingle/core/utf8.h"
#include "ingle/policy/glob.h"
#include "ingle/tools/file_tools.h"
#include "tools/beneath.h"
#include "tools/walk.h"

namespace ingle {
namespace {

using tools::Depth;
using tools::Entry;
using tools::EntryKind;
using tools::FolderContent;

/// The call's arguments with their defaults.
struct Request {
  std::string path = ".";
  std::string pattern = "*";
  Depth depth = Depth::kFolder;

  static Request from(const json& arguments) {
    const Request defaults;
    return {arguments.value("path", defaults.path), arguments.value("pattern", defaults.pattern),
            arguments.value("recursive", false) ? Depth::kTree : Depth::kFolder};
  }

  [[nodiscard]] bool wants(const Entry& entry) const {
    const std::string_view name = tools::base_name(entry.path);
    return (!tools::is_hidden(name) || pattern.starts_with('.')) && glob_match(pattern, name);
  }
};

std::string_view kind_name(EntryKind kind) {
  switch (kind) {
    case EntryKind::kFile:
      return "file";
    case EntryKind::kFolder:
      return "folder";
    case EntryKind::kOther:
      break;
  }
  return "other";
}

json to_value(const Entry& entry) {
  json value{{"path", sanitize_utf8(entry.path)}, {"kind", kind_name(entry.kind)}};
  if (entry.kind == EntryKind::kFile) {
    value["size"] = entry.size;
  }
  return value;
}

std::string to_line(const Entry& entry) {
  const std::string path = tools::printable(entry.path);
  switch (entry.kind) {
    case EntryKind::kFile:
      return fmt::format("{} ({} {})\n", path, entry.size, entry.size == 1 ? "byte" : "bytes");
    case EntryKind::kFolder:
      return fmt::format("{}/\n", path);
    case EntryKind::kOther:
      break;
  }
  return fmt::format("{} (cannot be read)\n", path);
}

ToolValue to_result(const FolderContent& content, const Request& request, std::size_t max_entries) {
  std::vector<const Entry*> wanted;
  for (const Entry& entry : content.entries) {
    if (request.wants(entry)) {
      wanted.push_back(&entry);
    }
  }
  ToolValue result;
  json value = json::array();
  const std::size_t shown = std::min(wanted.size(), max_entries);
  for (std::size_t i = 0; i < shown; ++i) {
    result.text += to_line(*wanted[i]);
    value.push_back(to_value(*wanted[i]));
  }
  if (shown < wanted.size() || content.is_cut) {
    result.text +=
        fmt::format("[cut: {} of {}{} entries shown; use path or pattern to see others]\n", shown,
                    content.is_cut ? "more than " : "", wanted.size());
  } else if (wanted.empty()) {
    result.text = request.pattern == "*"
                      ? "[no files]\n"
                      : fmt::format("[no name matches {}]\n", tools::printable(request.pattern));
  }
  result.value = std::move(value);
  return result;
}

ToolOutcome list_files(const Call& call, const FileRoot& root, const FileToolOptions& options,
                       const json& arguments) {
  const Request request = Request::from(arguments);
  if (request.pattern.find('/') != std::string::npos) {
    return ToolFailure{"The pattern is for names, such as *.txt. Put the folder into path."};
  }
  const auto path = tools::normalize_path(request.path);
  if (!path) {
    return ToolFailure{path.error().message};
  }
  const auto content = tools::walk(call, root.descriptor(), *path, request.depth);
  if (!content) {
    const Error& error = content.error();
    return ToolFailure{
        error.code == ErrorCode::kNotFound
            ? fmt::format("{} {}", error.message,
                          tools::suggest(call, root.descriptor(), *path, EntryKind::kFolder))
            : error.message};
  }
  return to_result(*content, request, options.max_entries);
}

}  // namespace

std::shared_ptr<Tool> make_list_files(FileRoot root, const FileToolOptions& options) {
  ToolSpec spec;
  spec.name = "list_files";
  spec.description = "Show which files are in a folder.";
  spec.parameters = json{
      {"type", "object"},
      {"properties",
       {{"path", {{"type", "string"}, {"description", "The folder. Default: the top folder."}}},
        {"pattern", {{"type", "string"}, {"description", "Only names like this, such as *.txt."}}},
        {"recursive", {{"type", "boolean"}, {"description", "Also list the folders inside."}}}}},
      {"additionalProperties", false}};
  return make_tool(std::move(spec), {.is_read_only = true, .is_idempotent = true},
                   [root = std::move(root), options](const Call& call, const ToolContext&,
                                                     const Json& arguments) {
                     return list_files(call, root, options, *arguments);
                   });
}

}  // namespace ingle

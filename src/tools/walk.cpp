#include "tools/walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "ingle/tool/nearest_name.h"

namespace ingle::tools {
namespace {

constexpr std::size_t kMaxNamed = 8;

bool equal_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// As a model should write it: folders end in '/'.
std::string written(const Entry& entry) {
  return printable(entry.path) + (entry.kind == EntryKind::kFolder ? "/" : "");
}

}  // namespace

bool is_hidden(std::string_view path) { return base_name(path).starts_with('.'); }

Result<FolderContent> walk(const Call& call, int root, const std::string& path, Depth depth) {
  INGLE_RETURN_IF_ERROR(call.check());
  INGLE_TRY(FolderContent result, read_folder(root, path, kMaxWalkedEntries));
  // Breadth first, so that the bound cuts what is far away.
  for (std::size_t i = 0; depth == Depth::kTree && i < result.entries.size(); ++i) {
    const Entry& entry = result.entries[i];
    if (entry.kind != EntryKind::kFolder || entry.is_link || is_hidden(entry.path)) {
      continue;
    }
    INGLE_RETURN_IF_ERROR(call.check());
    const std::size_t room = kMaxWalkedEntries - result.entries.size();
    auto inner = read_folder(root, entry.path, room);
    if (!inner) {
      continue;  // Listed, but not to be looked into.
    }
    result.is_cut = result.is_cut || inner->is_cut;
    std::ranges::move(inner->entries, std::back_inserter(result.entries));
  }
  std::ranges::sort(result.entries, {}, &Entry::path);
  return result;
}

std::string enumerate(const FolderContent& content) {
  std::vector<std::string> names;
  std::size_t more = content.is_cut ? 1 : 0;
  for (const Entry& entry : content.entries) {
    if (is_hidden(entry.path)) {
      continue;
    }
    if (names.size() < kMaxNamed) {
      names.push_back(written(entry));
    } else {
      ++more;
    }
  }
  if (names.empty()) {
    return "nothing";
  }
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? " and more" : "");
}

std::string suggest(const Call& call, int root, std::string_view asked, EntryKind wanted) {
  const auto tree = walk(call, root, ".", Depth::kTree);
  if (!tree) {
    return "";
  }
  const std::string_view name = base_name(asked);
  std::vector<std::string> same_name;
  std::vector<std::string> in_folder;
  std::vector<std::string> all;
  for (const Entry& entry : tree->entries) {
    if (entry.kind != wanted || (is_hidden(entry.path) && !is_hidden(name))) {
      continue;
    }
    const bool is_neighbour = folder_of(entry.path) == folder_of(asked);
    if (equal_but_for_case(base_name(entry.path), name) && !name.empty()) {
      // The same folder is the better guess.
      same_name.insert(is_neighbour ? same_name.begin() : same_name.end(), printable(entry.path));
    }
    if (is_neighbour) {
      in_folder.push_back(printable(entry.path));
    }
    all.push_back(printable(entry.path));
  }
  if (!same_name.empty()) {
    constexpr std::size_t kMaxSame = 3;
    same_name.resize(std::min(same_name.size(), kMaxSame));
    return fmt::format("Did you mean {}?", fmt::join(same_name, " or "));
  }
  const std::string path(asked);
  std::optional<std::string> nearest = nearest_name(path, in_folder);
  if (!nearest) {
    nearest = nearest_name(path, all);
  }
  if (nearest) {
    return fmt::format("Did you mean {}?", *nearest);
  }
  // The folder that was asked for, or the nearest one above it that exists.
  std::string folder(folder_of(asked));
  auto content = walk(call, root, folder, Depth::kFolder);
  while (!content && folder != ".") {
    folder = std::string(folder_of(folder));
    content = walk(call, root, folder, Depth::kFolder);
  }
  if (!content) {
    return "";
  }
  return fmt::format("{} has: {}.", folder == "." ? "The folder" : printable(folder),
                     enumerate(*content));
}

}  // namespace ingle::tools

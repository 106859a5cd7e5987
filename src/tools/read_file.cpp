#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ingle/core/utf8.h"
#include "ingle/tools/file_tools.h"
#include "tools/beneath.h"
#include "tools/walk.h"

namespace ingle {
namespace {

using tools::EntryKind;

constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
constexpr std::int64_t kMaxScannedBytes = std::int64_t{256} << 20U;
constexpr std::int64_t kMaxFirstLine = 1'000'000'000;
constexpr std::int64_t kMaxLines = 2000;

bool is_binary(std::string_view start) {
  constexpr std::size_t kSampleBytes = 8000;
  start = start.substr(0, kSampleBytes);
  const auto controls = std::ranges::count_if(start, [](char c) {
    return c >= '\0' && c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b';
  });
  return start.find('\0') != std::string_view::npos ||
         static_cast<std::size_t>(controls) * 10 > start.size();
}

/// Takes a file block by block, keeps the lines that are wanted and counts all.
class LineCollector {
 public:
  LineCollector(std::int64_t first_line, std::int64_t line_count, std::size_t max_bytes)
      : first_(first_line), end_(first_line + line_count), max_bytes_(max_bytes) {}

  void take(std::string_view block) {
    while (!block.empty()) {
      const std::size_t newline = block.find('\n');
      const std::size_t length = newline == std::string_view::npos ? block.size() : newline + 1;
      take_part(block.substr(0, length));
      block.remove_prefix(length);
      is_at_line_start_ = newline != std::string_view::npos;
      line_ += is_at_line_start_ ? 1 : 0;
    }
  }

  /// Lines seen so far; one that is not ended yet counts.
  [[nodiscard]] std::int64_t lines() const { return line_ - (is_at_line_start_ ? 1 : 0); }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// The only line that is shown is not shown whole.
  [[nodiscard]] bool is_cut_in_line() const { return is_cut_in_line_; }
  /// The lines that are wanted: whole ones, at most max_bytes; of a longer first line its
  /// beginning.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void take_part(std::string_view part) {
    if (line_ < first_ || line_ >= end_ || is_full_) {
      return;
    }
    if (is_at_line_start_) {
      line_start_ = text_.size();
    }
    if (text_.size() + part.size() <= max_bytes_) {
      text_ += part;
      last_ = line_;
      return;
    }
    is_full_ = true;
    if (line_start_ > 0) {
      text_.resize(line_start_);
      last_ = line_ - 1;
    } else {
      text_ += part.substr(0, max_bytes_ - text_.size());
      text_.resize(text_.size() - incomplete_utf8_suffix(text_));
      last_ = line_;
      is_cut_in_line_ = true;
    }
  }

  const std::int64_t first_;
  const std::int64_t end_;
  const std::size_t max_bytes_;
  std::string text_;
  std::size_t line_start_ = 0;  ///< Where the present line begins in text_.
  std::int64_t line_ = 1;
  std::int64_t last_ = 0;
  bool is_at_line_start_ = true;
  bool is_full_ = false;
  bool is_cut_in_line_ = false;
};

/// All of a file, or as much as is read at most, through `collector`. False: there is more.
Result<bool> scan(const Call& call, int file, const std::string& path, LineCollector& collector) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string buffer(kBlockBytes, '\0');
  std::int64_t scanned = 0;
  while (scanned < kMaxScannedBytes) {
    INGLE_RETURN_IF_ERROR(call.check());
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return Error{ErrorCode::kUnavailable,
                   "file_read_failed",
                   fmt::format("{} cannot be read now.", tools::printable(path)),
                   {}};
    }
    if (count == 0) {
      return true;
    }
    std::string_view block(buffer.data(), static_cast<std::size_t>(count));
    if (scanned == 0) {
      if (is_binary(block)) {
        return Error{
            ErrorCode::kUnsupported,
            "file_binary",
            fmt::format("{} is not a text file: it cannot be read.", tools::printable(path)),
            {}};
      }
      if (block.starts_with(kByteOrderMark)) {
        block.remove_prefix(kByteOrderMark.size());
      }
    }
    collector.take(block);
    scanned += count;
  }
  return false;
}

/// What stands behind the text when that is not all of the file; empty when it is.
std::string cut_notice(const LineCollector& lines, bool is_scanned_whole, std::size_t max_bytes) {
  const std::string total =
      fmt::format("{}{}", is_scanned_whole ? "" : "more than ", lines.lines());
  if (lines.is_cut_in_line()) {
    return fmt::format("[cut: line {} of {} is longer than {} bytes; its beginning is shown]",
                       lines.last(), total, max_bytes);
  }
  const bool has_more = lines.last() < lines.lines() || !is_scanned_whole;
  if (lines.first() == 1 && !has_more) {
    return "";
  }
  return fmt::format("[cut: lines {}-{} of {} shown{}]", lines.first(), lines.last(), total,
                     has_more ? fmt::format("; go on with first_line {}", lines.last() + 1) : "");
}

ToolOutcome to_result(const std::string& path, const LineCollector& lines, bool is_scanned_whole,
                      std::size_t max_bytes) {
  const std::string name = tools::printable(path);
  const bool is_empty = is_scanned_whole && lines.lines() == 0;
  if (lines.last() == 0 && !(is_empty && lines.first() == 1)) {
    return ToolFailure{
        is_scanned_whole
            ? fmt::format("{} has only {} {}: first_line {} is too large.", name, lines.lines(),
                          lines.lines() == 1 ? "line" : "lines", lines.first())
            : fmt::format("{} is too large to be read from first_line {}.", name, lines.first())};
  }
  ToolValue result;
  result.text = sanitize_utf8(lines.text());
  const std::string notice = is_empty ? "" : cut_notice(lines, is_scanned_whole, max_bytes);
  json value{{"path", sanitize_utf8(path)},
             {"text", result.text},
             {"first_line", lines.first()},
             {"last_line", lines.last()},
             {"is_cut", !notice.empty()}};
  if (is_scanned_whole) {
    value["lines"] = lines.lines();
  }
  result.value = std::move(value);
  if (is_empty) {
    result.text = fmt::format("[{} is empty]", name);
  } else if (!notice.empty()) {
    result.text += result.text.ends_with('\n') || result.text.empty() ? "" : "\n";
    result.text += notice;
  }
  return result;
}

/// Why the open file cannot be read as one; nullopt if it can.
std::optional<std::string> find_objection(const Call& call, int root, int file,
                                          const std::string& path) {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return fmt::format("{} cannot be read now.", tools::printable(path));
  }
  if (S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  if (!S_ISDIR(status.st_mode)) {
    return fmt::format("{} is not a regular file: it cannot be read.", tools::printable(path));
  }
  const auto content = tools::walk(call, root, path, tools::Depth::kFolder);
  return fmt::format("{} is a folder. It has: {}. Read one of its files.",
                     path == "." ? "That" : tools::printable(path),
                     content ? tools::enumerate(*content) : "nothing that may be read");
}

ToolOutcome read_file(const Call& call, const FileRoot& root, const FileToolOptions& options,
                      const json& arguments) {
  const auto& asked = arguments.at("path").get_ref<const std::string&>();
  const auto advise = [&](const Error& error, const std::string& near) {
    return ToolFailure{fmt::format(
        "{} {}", error.message, tools::suggest(call, root.descriptor(), near, EntryKind::kFile))};
  };
  const auto path = tools::normalize_path(asked);
  if (!path) {
    return path.error().code == ErrorCode::kPermissionDenied ? advise(path.error(), asked)
                                                             : ToolFailure{path.error().message};
  }
  const auto file = tools::open_beneath(root.descriptor(), *path);
  if (!file) {
    return file.error().code == ErrorCode::kNotFound ? advise(file.error(), *path)
                                                     : ToolFailure{file.error().message};
  }
  if (auto objection = find_objection(call, root.descriptor(), file->get(), *path)) {
    return ToolFailure{*std::move(objection)};
  }
  const std::int64_t first_line = arguments.value("first_line", std::int64_t{1});
  const std::int64_t line_count =
      arguments.value("max_lines", std::numeric_limits<std::int64_t>::max() - first_line);
  LineCollector lines(first_line, line_count, options.max_read_bytes);
  const auto is_scanned_whole = scan(call, file->get(), *path, lines);
  if (!is_scanned_whole) {
    return ToolFailure{is_scanned_whole.error().message};
  }
  return to_result(*path, lines, *is_scanned_whole, options.max_read_bytes);
}

}  // namespace

std::shared_ptr<Tool> make_read_file(FileRoot root, const FileToolOptions& options) {
  ToolSpec spec;
  spec.name = "read_file";
  spec.description = "Read a text file such as notes.txt. What is written in it? What does it say?";
  spec.parameters =
      json{{"type", "object"},
           {"properties",
            {{"path", {{"type", "string"}, {"description", "The file, such as notes.txt."}}},
             {"first_line",
              {{"type", "integer"},
               {"minimum", 1},
               {"maximum", kMaxFirstLine},
               {"description", "Start at this line. Default: 1."}}},
             {"max_lines",
              {{"type", "integer"},
               {"minimum", 1},
               {"maximum", kMaxLines},
               {"description", "Read at most so many lines."}}}}},
           {"required", json::array({"path"})},
           {"additionalProperties", false}};
  return make_tool(std::move(spec), {.is_read_only = true, .is_idempotent = true},
                   [root = std::move(root), options](const Call& call, const ToolContext&,
                                                     const Json& arguments) {
                     return read_file(call, root, options, *arguments);
                   });
}

}  // namespace ingle

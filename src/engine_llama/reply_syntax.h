/// How a model writes its reply to one prompt: thoughts, text and calls in one text, and the
/// grammar that keeps it to that.
///
/// Made by `ChatTemplate`; llama.cpp's `common` is behind it, and its exceptions end here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingle {

/// What a reply has been read as. Of a part of a reply, the end may still change.
struct ParsedReply {
  struct CallText {
    std::string id = {};
    std::string name = {};
    std::string arguments = {};  ///< As written, or as the format has them made into JSON.
    bool operator==(const CallText&) const = default;
  };
  std::string reasoning = {};
  std::string text = {};
  std::vector<CallText> calls = {};
  bool operator==(const ParsedReply&) const = default;
};

/// A grammar in llama.cpp's own notation.
struct ReplyGrammar {
  std::string text = {};  ///< Empty: none.
  /// Regular expressions; not empty: the grammar begins to hold where one of them matches.
  std::vector<std::string> triggers = {};
  std::vector<std::string> trigger_markers = {};  ///< The same for single tokens, as text.
  bool is_lazy = false;
};

/// Const members are thread-safe.
class ReplySyntax {
 public:
  enum class Extent : std::uint8_t { kWhole, kPart };

  /// What `common` knows; defined in reply_syntax_impl.h, for the files that include `common`.
  struct Impl;
  explicit ReplySyntax(std::unique_ptr<Impl> impl);
  ~ReplySyntax();
  ReplySyntax(const ReplySyntax&) = delete;
  ReplySyntax& operator=(const ReplySyntax&) = delete;

  /// Empty when the text does not have the form, or is so deeply nested that reading it would not
  /// be safe. Reads all of the text.
  [[nodiscard]] std::optional<ParsedReply> parse(std::string_view reply, Extent extent) const;

  [[nodiscard]] const ReplyGrammar& grammar() const;

  /// Markers that are part of the reply's form, to be kept in its text.
  [[nodiscard]] const std::vector<std::string>& kept_markers() const;
  /// Texts that end the reply, besides the model's own end tokens.
  [[nodiscard]] const std::vector<std::string>& stops() const;
  /// What the template has written of the reply already.
  [[nodiscard]] const std::string& begun() const;
  /// The tags around thoughts; empty for a model that does not think.
  [[nodiscard]] const std::string& thinking_start() const;
  [[nodiscard]] const std::vector<std::string>& thinking_ends() const;
  /// The texts with which calls begin, if the format has such.
  [[nodiscard]] const std::vector<std::string>& call_starts() const;
  /// Names that calls may have.
  [[nodiscard]] const std::vector<std::string>& tool_names() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingle

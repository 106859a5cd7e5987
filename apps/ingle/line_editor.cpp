#include "ingle/line_editor.h"

#include <histedit.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <memory>
#include <string>
#include <utility>

#include "ingle/line_input.h"
#include "ingle/paste.h"

namespace ingle::app {
namespace {

using cli::Line;
using cli::LineEnd;

constexpr unsigned char kCtrlC = 0x03;
constexpr unsigned char kCtrlD = 0x04;
constexpr unsigned char kCtrlZ = 0x1a;
constexpr int kMaxHistory = 1000;
constexpr std::size_t kMaxRememberedLines = 20;  ///< More cannot be edited on a screen.
constexpr const char* kPasteOn = "\x1b[?2004h";
constexpr const char* kPasteOff = "\x1b[?2004l";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::size_t kMaxPasteBytes = std::size_t{16} << 20U;

struct EndEditor {
  void operator()(EditLine* editor) const { el_end(editor); }
};
struct EndHistory {
  void operator()(History* history) const { history_end(history); }
};

/// libedit draws by the locale. Messages are UTF-8 whatever it is.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
  }
}

class LineEditor final : public cli::LineReader {
 public:
  LineEditor(Signals& signals, std::FILE* screen) : input_(signals), screen_(screen) {}

  bool start() {
    use_utf8();
    editor_.reset(el_init("ingle", stdin, screen_, stderr));
    history_.reset(history_init());
    if (!editor_ || !history_) {
      return false;
    }
    HistEvent event{};
    history(history_.get(), &event, H_SETSIZE, kMaxHistory);
    history(history_.get(), &event, H_SETUNIQUE, 1);
    EditLine* const editor = editor_.get();
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, &LineEditor::prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_HIST, history, history_.get());
    el_set(editor, EL_GETCFN, &LineEditor::read_character);
    // Ctrl-C and Ctrl-Z are keys while a line is edited: no signal comes between.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    bind_keys();
    return true;
  }

  Line read(const cli::LineRequest& request) override {
    if (request.is_decision) {
      input_.discard();
    }
    prompt_ = request.prompt;
    end_ = LineEnd::kEnd;
    is_finished_ = false;
    el_resize(editor_.get());
    // Before the prompt: what is typed when that is seen is for the editor already.
    el_set(editor_.get(), EL_PREP_TERM, 1);
    show(kPasteOn);
    int count = 0;
    const char* text = el_gets(editor_.get(), &count);
    Line line;
    if (text != nullptr && count > 0 && !is_finished_) {
      line.text = pastes_.expanded(std::string(text, static_cast<std::size_t>(count)));
      if (line.text.ends_with('\n')) {
        line.text.pop_back();
      }
    } else {
      line = {end_, typed()};
      el_reset(editor_.get());
      el_set(editor_.get(), EL_PREP_TERM, 0);
      show("\n");
    }
    pastes_.clear();
    show(kPasteOff);
    return line;
  }

  void remember(std::string_view text) override {
    std::size_t lines = 1;
    for (const char c : text) {
      lines += c == '\n' ? 1 : 0;
    }
    if (lines <= kMaxRememberedLines) {
      HistEvent event{};
      history(history_.get(), &event, H_ENTER, std::string(text).c_str());
    }
  }

  [[nodiscard]] bool is_interactive() const override { return true; }
  [[nodiscard]] std::size_t width() const override { return terminal_width(); }

 private:
  static LineEditor& self(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<LineEditor*>(data);
  }

  static char* prompt(EditLine* editor) { return self(editor).prompt_.data(); }

  void bind_keys() {
    EditLine* const editor = editor_.get();
    // As wide texts: libedit never frees its own copies of others.
    el_wset(editor, EL_ADDFN, L"ingle-paste", L"Insert what is pasted", &LineEditor::paste);
    el_wset(editor, EL_ADDFN, L"ingle-newline", L"Insert a line feed", &LineEditor::new_line);
    const auto bind = [editor](const char* key, const char* command) {
      el_set(editor, EL_BIND, key, command, nullptr);
    };
    bind("\\e[200~", "ingle-paste");
    bind("\\e\\n", "ingle-newline");
    bind("^R", "em-inc-search-prev");
    bind("\\e[3~", "ed-delete-next-char");
    bind("\\e[1~", "ed-move-to-beg");
    bind("\\e[4~", "ed-move-to-end");
    bind("\\e[1;5D", "ed-prev-word");
    bind("\\e[1;5C", "em-next-word");
  }

  /// Called by libedit for each character. 0 ends the line: `end_` says why.
  static int read_character(EditLine* editor, wchar_t* character) {
    return self(editor).next_character(character);
  }

  int next_character(wchar_t* character) {
    unsigned char byte = 0;
    while (true) {
      follow_size();
      const LineEnd end = input_.read_byte(byte);
      if (end != LineEnd::kLine) {
        return finish(end);
      }
      if (byte == kCtrlC) {
        return finish(LineEnd::kInterrupt);
      }
      if (byte == kCtrlD && is_empty()) {
        return finish(LineEnd::kEnd);
      }
      if (byte == kCtrlZ) {
        suspend();
        continue;
      }
      return decode(byte, character) ? 1 : 0;
    }
  }

  int finish(LineEnd end) {
    end_ = end;
    is_finished_ = true;
    return 0;
  }

  /// The rest of a UTF-8 character; what is none becomes U+FFFD.
  bool decode(unsigned char lead, wchar_t* character) {
    if (lead < 0x80) {
      *character = lead;
      return true;
    }
    *character = 0xfffd;
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    if (more == 0) {
      return true;
    }
    wchar_t value = lead & (0x3f >> more);
    for (int i = 0; i < more; ++i) {
      unsigned char byte = 0;
      if (const LineEnd end = input_.read_byte(byte); end != LineEnd::kLine) {
        return finish(end) != 0;
      }
      value = (value << 6) | (byte & 0x3f);
    }
    *character = value;
    return true;
  }

  [[nodiscard]] bool is_empty() const {
    const LineInfo* info = el_line(editor_.get());
    return info->lastchar == info->buffer;
  }

  [[nodiscard]] std::string typed() const {
    const LineInfo* info = el_line(editor_.get());
    return {info->buffer, info->lastchar};
  }

  /// The window may have changed since the last key.
  void follow_size() {
    winsize size{};
    if (::ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0 &&
        (size.ws_col != columns_ || size.ws_row != rows_)) {
      columns_ = size.ws_col;
      rows_ = size.ws_row;
      el_resize(editor_.get());
    }
  }

  void suspend() {
    el_set(editor_.get(), EL_PREP_TERM, 0);
    show(kPasteOff);
    ::kill(::getpid(), SIGTSTP);
    show(kPasteOn);
    el_set(editor_.get(), EL_PREP_TERM, 1);
    el_set(editor_.get(), EL_REFRESH);
  }

  static unsigned char paste(EditLine* editor, wint_t /*key*/) {
    return self(editor).insert_paste();
  }

  unsigned char insert_paste() {
    std::string bytes;
    while (!bytes.ends_with(kPasteEnd) && bytes.size() < kMaxPasteBytes) {
      unsigned char byte = 0;
      if (const LineEnd end = input_.read_byte(byte); end != LineEnd::kLine) {
        finish(end);
        return CC_EOF;
      }
      bytes += static_cast<char>(byte);
    }
    bytes.resize(bytes.size() - (bytes.ends_with(kPasteEnd) ? kPasteEnd.size() : 0));
    return insert(pastes_.take(bytes));
  }

  static unsigned char new_line(EditLine* editor, wint_t /*key*/) {
    return self(editor).insert("\n");
  }

  unsigned char insert(const std::string& text) {
    return text.empty() || el_insertstr(editor_.get(), text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }

  void show(const char* text) {
    (void)std::fputs(text, screen_);
    (void)std::fflush(screen_);
  }

  LineInput input_;
  std::FILE* const screen_;
  std::unique_ptr<EditLine, EndEditor> editor_;
  std::unique_ptr<History, EndHistory> history_;
  Pastes pastes_;
  std::string prompt_;
  LineEnd end_ = LineEnd::kEnd;
  bool is_finished_ = false;  ///< The present read ends without a line.
  unsigned short columns_ = 0;
  unsigned short rows_ = 0;
};

}  // namespace

std::unique_ptr<cli::LineReader> make_line_editor(Signals& signals) {
  std::FILE* const screen = ::isatty(STDOUT_FILENO) == 1   ? stdout
                            : ::isatty(STDERR_FILENO) == 1 ? stderr
                                                           : nullptr;
  if (screen == nullptr || ::isatty(STDIN_FILENO) != 1) {
    return nullptr;
  }
  auto editor = std::make_unique<LineEditor>(signals, screen);
  return editor->start() ? std::move(editor) : nullptr;
}

}  // namespace ingle::app

#include "ingle/line_input.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace ingle::app {
namespace {

using cli::Line;
using cli::LineEnd;

constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20U;

}  // namespace

LineEnd LineInput::read_byte(unsigned char& byte) {
  while (next_ == buffer_.size()) {
    if (signals_.pause_requested()) {
      return LineEnd::kTerminated;
    }
    if (signals_.take_interrupt()) {
      return LineEnd::kInterrupt;
    }
    std::array<pollfd, 2> waits{pollfd{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                                pollfd{.fd = signals_.wake_end(), .events = POLLIN, .revents = 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
      return LineEnd::kEnd;
    }
    if (waits[0].revents != 0 && !fill()) {
      return LineEnd::kEnd;
    }
  }
  byte = static_cast<unsigned char>(buffer_[next_++]);
  return LineEnd::kLine;
}

void LineInput::discard() {
  buffer_.clear();
  next_ = 0;
  ::tcflush(STDIN_FILENO, TCIFLUSH);
}

/// False at the end.
bool LineInput::fill() {
  std::array<char, 4096> block{};
  const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
    return true;
  }
  if (count <= 0) {
    return false;
  }
  buffer_.assign(block.data(), static_cast<std::size_t>(count));
  next_ = 0;
  return true;
}

std::size_t terminal_width() {
  constexpr std::size_t kDefault = 80;
  winsize size{};
  for (const int descriptor : {STDERR_FILENO, STDOUT_FILENO}) {
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return size.ws_col;
    }
  }
  return kDefault;
}

Line PipeLines::read(const cli::LineRequest& /*request*/) {
  Line line;
  unsigned char byte = 0;
  while (true) {
    const LineEnd end = input_.read_byte(byte);
    if (end == LineEnd::kEnd && !line.text.empty()) {
      return line;  // The last line needs no line feed.
    }
    if (end != LineEnd::kLine || line.text.size() > kMaxLineBytes) {
      return {end == LineEnd::kLine ? LineEnd::kEnd : end, std::move(line.text)};
    }
    if (byte == '\n') {
      if (line.text.ends_with('\r')) {
        line.text.pop_back();
      }
      return line;
    }
    line.text += static_cast<char>(byte);
  }
}

}  // namespace ingle::app

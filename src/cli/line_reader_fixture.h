/// Lines of a test's choice.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ingle/cli/line_reader.h"

namespace ingle::cli {

inline Line line(std::string text) { return {LineEnd::kLine, std::move(text)}; }

/// What a `FakeLineReader` gives and has seen; the test keeps it while the command owns the reader.
struct FakeLines {
  std::deque<Line> lines = {};  ///< Given one by one; then kEnd.
  std::vector<LineRequest> requests = {};
  std::vector<std::string> remembered = {};
  bool is_interactive = true;
};

class FakeLineReader final : public LineReader {
 public:
  explicit FakeLineReader(FakeLines& fake) : fake_(fake) {}

  Line read(const LineRequest& request) override {
    fake_.requests.push_back(request);
    if (fake_.lines.empty()) {
      return {LineEnd::kEnd, ""};
    }
    Line next = std::move(fake_.lines.front());
    fake_.lines.pop_front();
    return next;
  }
  void remember(std::string_view text) override { fake_.remembered.emplace_back(text); }
  [[nodiscard]] bool is_interactive() const override { return fake_.is_interactive; }
  [[nodiscard]] std::size_t width() const override { return 60; }

 private:
  FakeLines& fake_;
};

}  // namespace ingle::cli

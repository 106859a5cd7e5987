// Any output of a model: however it is cut into pieces, the reply is the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingle/core/check.h"
#include "ingle/model/reply_parser.h"

namespace {

class Text final : public ingle::DeltaSink {
 public:
  void on_delta(const ingle::Delta& delta) override {
    if (const auto* piece = std::get_if<ingle::TextDelta>(&delta)) {
      text += piece->text;
    }
  }
  std::string text;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::size_t step = 1 + data[0] % 8;  // The first byte says how to cut the rest.
  const std::string_view output(reinterpret_cast<const char*>(data) + 1, size - 1);
  Text whole_text;
  ingle::ReplyParser whole;
  whole.push(output, whole_text);
  const ingle::Message expected = whole.finish(whole_text);

  Text cut_text;
  ingle::ReplyParser cut;
  for (std::size_t at = 0; at < output.size(); at += step) {
    cut.push(output.substr(at, step), cut_text);
  }
  INGLE_CHECK(cut.finish(cut_text) == expected, "the reply depends on how it was cut");
  INGLE_CHECK(cut_text.text == whole_text.text, "the stream depends on how it was cut");
  INGLE_CHECK(whole_text.text == expected.text(), "the stream is not the text");
  return 0;
}

// Any text as an event: what is read comes back the same, and what can be applied never breaks the
// state.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingle/core/check.h"
#include "ingle/session/event.h"
#include "ingle/session/state.h"
#include "ingle/session/views.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = ingle::parse_json(text);
  if (!value) {
    return 0;
  }
  const auto event = ingle::event_from_json(*value);
  if (!event) {
    INGLE_CHECK(!event.error().reason.empty(), "an error without a reason");
    return 0;
  }
  const auto again = ingle::event_from_json(ingle::to_json(*event));
  INGLE_CHECK(again.ok() && *again == *event, "an event does not come back the same");
  ingle::SessionState state;
  if (ingle::apply(state, *event)) {
    (void)ingle::context_view(state);
  }
  return 0;
}

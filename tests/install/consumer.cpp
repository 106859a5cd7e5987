// What a user's first program would touch: an agent, run with a scripted model. The exit status
// says whether the answer is the script's.
#include <cstdio>
#include <memory>
#include <utility>
#include <variant>

#include <ingle/agent/run.h>
#include <ingle/core/clock.h>
#include <ingle/session/memory_store.h>
#include <ingle/testing/scripted_model.h>

int main() {
  auto script = ingle::testing::parse_script(R"({"text":"Hello from the installed library."})");
  if (!script) {
    return 1;
  }
  auto agent = ingle::Agent::create(
      {.model = std::make_shared<ingle::testing::ScriptedModel>(std::move(script).value())});
  ingle::MemoryStore store;
  const ingle::SystemClock clock;
  const ingle::SessionId session("consumer");
  if (!agent || !ingle::create_session(store, session, *agent, clock)) {
    return 1;
  }
  auto report = ingle::run({}, *agent, store, session, "Who is there?");
  const auto* done = report ? std::get_if<ingle::Completed>(&report->outcome) : nullptr;
  if (done == nullptr) {
    return 1;
  }
  std::puts(done->text.c_str());
  return done->text == "Hello from the installed library." ? 0 : 1;
}

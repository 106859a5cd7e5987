// A mode in thirty lines: what react does, and a count that is kept in the log. Runs on a script.
#include <ingle/ingle.h>
#include <ingle/testing/scripted_model.h>
#include <cstdio>

namespace {

/// Lets the model work until it has answered, as `react` does, and counts its iterations in the
/// log.
class Counting final : public ingle::Mode {
 public:
  std::string_view name() const override { return "counting"; }

  ingle::Result<void> init(ingle::Kernel& kernel, const ingle::SessionState&) const override {
    return kernel.set_mode_state(count(0));
  }

  ingle::StageResult iterate(ingle::Kernel& kernel,
                             const ingle::SessionState& state) const override {
    // `state` is the kernel's: it changes as stages act. The mode itself is immutable.
    auto result = ingle::run_pipeline(kernel, ingle::default_pipeline());
    if (std::holds_alternative<ingle::End>(result)) {
      return result;
    }
    if (auto kept = kernel.set_mode_state(count(state.run->used.model_calls)); !kept) {
      return ingle::fail(kept.error());
    }
    return ingle::end_if_answered(state);
  }

 private:
  static ingle::Json count(std::int64_t calls) {
    return ingle::parse_json("{\"calls\":" + std::to_string(calls) + "}").value();
  }
};

}  // namespace

int main() {
  auto script = ingle::testing::parse_script(R"({"text":"Four."})").value();
  auto model = std::make_shared<ingle::testing::ScriptedModel>(std::move(script));
  auto agent = ingle::Agent::create({.model = model, .mode = std::make_shared<Counting>()}).value();

  ingle::MemoryStore store;
  const ingle::SessionId session("example");
  const ingle::SystemClock clock;
  if (!ingle::create_session(store, session, agent, clock)) {
    return 1;
  }
  auto report = ingle::run({}, agent, store, session, "What is two and two?").value();
  const auto* done = std::get_if<ingle::Completed>(&report.outcome);
  if (done == nullptr) {
    return 1;
  }
  std::printf("%s\n", done->text.c_str());
  return 0;
}

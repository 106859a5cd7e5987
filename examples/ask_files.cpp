// An agent that answers from files, with a model in this process: the README's example.
#include <ingle/ingle.h>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: ask_files MODEL.gguf FOLDER QUESTION\n", stderr);
    return 2;
  }
  // [readme]
  auto log = ingle::stderr_log(ingle::LogLevel::kWarning);
  auto backend = ingle::LlamaBackend::start(log).value();
  auto model = ingle::load_llama_model({}, backend, {.path = argv[1]}, log).value();
  auto root = ingle::FileRoot::open(argv[2]).value();
  auto tools = ingle::ToolSet::create({make_list_files(root), make_read_file(root)}).value();
  auto agent =
      ingle::Agent::create({.model = ingle::with_prompted_tools(model), .tools = tools}).value();

  ingle::MemoryStore store;
  const auto session = ingle::new_session_id();
  const ingle::SystemClock clock;
  auto made = ingle::create_session(store, session, agent, clock);
  auto report = ingle::run({}, agent, store, session, argv[3]).value();
  if (auto* done = std::get_if<ingle::Completed>(&report.outcome)) {
    std::printf("%s\n", done->text.c_str());
  }
  // [readme]
  return made.ok() && std::holds_alternative<ingle::Completed>(report.outcome) ? 0 : 1;
}

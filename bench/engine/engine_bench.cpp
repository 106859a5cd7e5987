// What bench/engine/run times: one measurement a process, as one line of JSON.
//
//   ingle_engine_bench decode|generate|prefill|load|turn2|choice MODEL [--threads N] [--tokens N]
//   [--context N] ingle_engine_bench kernel
//
// `decode` feeds the decoder alone, as llama-bench does; `generate` is the public interface with
// sampling, parsing and streaming.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine_llama/decoder.h"
#include "ingle/agent/run.h"
#include "ingle/core/check.h"
#include "ingle/engine_llama/llama_model.h"
#include "ingle/model/prompted_tools.h"
#include "ingle/session/memory_store.h"
#include "ingle/testing/scripted_model.h"

namespace ingle {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

template <class T>
T must(Result<T> result) {
  INGLE_CHECK(result.ok(), result.error().message);
  return std::move(result).value();
}

void must(const Result<void>& result) { INGLE_CHECK(result.ok(), result.error().message); }

struct Arguments {
  std::string what;
  std::string model;
  std::int32_t threads = 2;
  std::int32_t tokens = 64;
  std::int32_t context = 0;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  const std::map<std::string, std::int32_t*> options{{"--threads", &arguments.threads},
                                                     {"--tokens", &arguments.tokens},
                                                     {"--context", &arguments.context}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (const auto option = options.find(word); option != options.end() && i + 1 < argc) {
      *option->second = std::stoi(argv[++i]);
    } else {
      (arguments.what.empty() ? arguments.what : arguments.model) = word;
    }
  }
  return arguments;
}

/// Notes when the first delta came.
class FirstDelta final : public DeltaSink {
 public:
  void on_delta(const Delta& /*delta*/) override {
    if (seconds_ < 0) {
      seconds_ = seconds_since(start_);
    }
    last_ = seconds_since(start_);
    ++count_;
  }
  [[nodiscard]] double first() const { return seconds_; }
  [[nodiscard]] double last() const { return last_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  SteadyClock::time_point start_ = SteadyClock::now();
  double seconds_ = -1;
  double last_ = 0;
  int count_ = 0;
};

LlamaModelOptions model_options(const Arguments& arguments) {
  LlamaModelOptions options;
  options.path = arguments.model;
  options.threads = arguments.threads;
  options.context_window = arguments.context;
  return options;
}

/// The decoder alone: `tokens` one by one, or as one prompt.
json decoder_speed(const Arguments& arguments, bool one_by_one) {
  const auto backend = must(LlamaBackend::start(null_log()));
  llama_model_params params = llama_model_default_params();
  const LlamaModelHandle model(llama_model_load_from_file(arguments.model.c_str(), params));
  INGLE_CHECK(model != nullptr, "the model could not be loaded");
  const auto decoder = must(Decoder::create(
      model.get(), {.context_window = arguments.context > 0 ? arguments.context : 1024,
                    .batch_size = 256,
                    .threads = arguments.threads,
                    .batch_threads = arguments.threads}));
  const Call call;
  const OwnerThread::StopCheck never(call, {});
  std::vector<Token> prompt(static_cast<std::size_t>(arguments.tokens));
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    prompt[i] = static_cast<Token>(100 + (i * 7919) % 40000);
  }
  // One run to warm up, as llama-bench does.
  must(decoder->feed(std::span(prompt).first(one_by_one ? 1 : prompt.size()), Decoder::Rows::kLast,
                     never));
  decoder->cut(0);
  const auto start = SteadyClock::now();
  if (one_by_one) {
    for (const Token token : prompt) {
      must(decoder->feed(std::span(&token, 1), Decoder::Rows::kLast, never));
    }
  } else {
    must(decoder->feed(prompt, Decoder::Rows::kLast, never));
  }
  return {{"tokens_per_second", arguments.tokens / seconds_since(start)},
          {"peak_mb", peak_megabytes()}};
}

/// Sampled text of a fixed length, from the first token on.
json generate_speed(const Arguments& arguments) {
  const auto backend = must(LlamaBackend::start(null_log()));
  const auto model = must(load_llama_model({}, backend, model_options(arguments), null_log()));
  const Prompt prompt{.messages = {Message::user("Tell a very long story about the sea.")},
                      .tools = {}};
  FirstDelta warm_up;
  must(model->generate({}, prompt, {.max_tokens = 2}, warm_up));
  FirstDelta sink;
  const Completion reply = must(model->generate({}, prompt,
                                                {.temperature = 0.8,
                                                 .top_k = 40,
                                                 .top_p = 0.95,
                                                 .min_p = 0.05,
                                                 .seed = 1,
                                                 .max_tokens = arguments.tokens},
                                                sink));
  const double seconds = sink.last() - sink.first();
  return {{"tokens_per_second", static_cast<double>(reply.usage.completion_tokens - 1) / seconds},
          {"tokens", reply.usage.completion_tokens},
          {"peak_mb", peak_megabytes()}};
}

json load_time(const Arguments& arguments) {
  const auto start = SteadyClock::now();
  const auto backend = must(LlamaBackend::start(null_log()));
  const auto model = must(load_llama_model({}, backend, model_options(arguments), null_log()));
  const double loaded = seconds_since(start);
  FirstDelta sink;
  must(model->generate({}, {.messages = {Message::user("Hi")}, .tools = {}}, {.max_tokens = 1},
                       sink));
  return {{"seconds", loaded},
          {"first_token_seconds", seconds_since(start)},
          {"peak_mb", peak_megabytes()}};
}

/// A long first turn, then a short one: how long until its first text.
json second_turn(const Arguments& arguments) {
  const auto backend = must(LlamaBackend::start(null_log()));
  const auto model = must(load_llama_model({}, backend, model_options(arguments), null_log()));
  std::string text;
  for (int i = 0; i < 130; ++i) {
    text += "Item " + std::to_string(i) + " of the list is a cup of tea. ";
  }
  Prompt prompt{.messages = {Message::user(text + "Say yes.")}, .tools = {}};
  FirstDelta first_sink;
  const Completion first = must(model->generate({}, prompt, {.max_tokens = 8}, first_sink));
  prompt.messages.push_back(first.message);
  prompt.messages.push_back(Message::user("Which item is the last one?"));
  FirstDelta sink;
  const Completion second = must(model->generate({}, prompt, {.max_tokens = 8}, sink));
  return {{"first_turn_seconds", first_sink.first()},
          {"second_turn_seconds", sink.first()},
          {"prompt_tokens", second.usage.prompt_tokens},
          {"cached_tokens", second.usage.cached_tokens}};
}

ToolSpec tool(std::string name, std::string description) {
  return {.name = std::move(name),
          .description = std::move(description),
          .parameters = json{{"type", "object"},
                             {"properties", {{"value", {{"type", "string"}}}}},
                             {"required", {"value"}}}};
}

std::vector<ToolSpec> twenty_tools() {
  return {tool("get_weather", "Tells the weather in a city."),
          tool("web_search", "Searches the web for a topic."),
          tool("send_email", "Sends an email to somebody."),
          tool("book_flight", "Books a flight between two cities."),
          tool("get_stock_price", "Tells the price of a stock."),
          tool("find_recipe", "Finds a recipe with some ingredients."),
          tool("play_music", "Plays a song or an album."),
          tool("translate_text", "Translates a text into a language."),
          tool("find_restaurant", "Finds restaurants near a place."),
          tool("set_alarm", "Sets an alarm for a time of day."),
          tool("add_event", "Adds an event to the calendar."),
          tool("read_file", "Reads a file and shows its text."),
          tool("list_files", "Lists the files of a folder."),
          tool("calculator", "Computes an expression of numbers."),
          tool("convert_currency", "Converts money between currencies."),
          tool("track_parcel", "Tells where a parcel is."),
          tool("turn_on_light", "Turns on the light in a room."),
          tool("find_movie", "Finds a film by its title."),
          tool("measure_distance", "Tells the distance between two places."),
          tool("define_word", "Explains what a word means.")};
}

/// What choosing among twenty tools adds to a short reply. Every other question has tools, so that
/// neither profits from what the other computed; none is called, so that both write the same.
json choice_cost(const Arguments& arguments) {
  const auto backend = must(LlamaBackend::start(null_log()));
  const auto inner = must(load_llama_model({}, backend, model_options(arguments), null_log()));
  ToolStrategy strategy;
  strategy.selection = ToolSelection::kChannel;
  strategy.threshold = HUGE_VAL;
  const auto model = with_prompted_tools(inner, strategy);
  const std::vector<std::string> places{"Rome",  "Oslo", "Lima",  "Cairo",  "Paris", "Quito",
                                        "Delhi", "Bern", "Dakar", "Havana", "Seoul", "Minsk"};
  std::array<double, 2> seconds{};
  for (std::size_t i = 0; i < places.size() + 2; ++i) {
    const std::string& place = places[i % places.size()];
    const std::string question =
        "I have a day in " + place + " in spring. Write two sentences on what is nice there.";
    const bool has_tools = i % 2 == 1;
    const Prompt prompt{.messages = {Message::user(question)},
                        .tools = has_tools ? twenty_tools() : std::vector<ToolSpec>()};
    NullDeltaSink sink;
    const auto start = SteadyClock::now();
    must(model->generate({}, prompt, {.max_tokens = 40}, sink));
    if (i >= 2) {  // Of each kind one to warm up: the tools' prompts are kept from then on.
      seconds[has_tools ? 1 : 0] += seconds_since(start) / (static_cast<double>(places.size()) / 2);
    }
  }
  return {{"reply_seconds", seconds[0]}, {"choice_seconds", seconds[1] - seconds[0]}};
}

/// A run of fifty steps, each a model call and a tool that take no time.
double run_fifty_steps(const std::shared_ptr<Tool>& tool) {
  constexpr int kSteps = 50;
  std::vector<testing::ScriptedReply> replies(kSteps);
  for (testing::ScriptedReply& reply : replies) {
    reply.tool_calls.push_back(ToolCall::of_text({}, "step", R"({"n":1})"));
  }
  replies.emplace_back().pieces = {"done"};
  Limits limits;
  limits.model_calls = kSteps + 1;
  const Agent agent =
      must(Agent::create({.model = std::make_shared<testing::ScriptedModel>(std::move(replies)),
                          .tools = must(ToolSet::create({tool})),
                          .limits = limits}));
  MemoryStore store;
  const SystemClock clock;
  const SessionId session = new_session_id();
  must(create_session(store, session, agent, clock));
  const auto start = SteadyClock::now();
  const RunReport report = must(run({}, agent, store, session, "go"));
  const double seconds = seconds_since(start);
  INGLE_CHECK(std::holds_alternative<Completed>(report.outcome), "the run did not complete");
  return seconds * 1e6 / (kSteps + 1);
}

/// What the kernel adds to them, the median of forty runs.
json kernel_overhead() {
  const auto tool = make_tool(
      {.name = "step",
       .description = "Does nothing.",
       .parameters = json{{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}}},
      {.is_read_only = true, .is_idempotent = true},
      [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
        return ToolValue{.text = "ok"};
      });
  std::vector<double> runs(40);
  std::ranges::generate(runs, [&] { return run_fifty_steps(tool); });
  std::ranges::sort(runs);
  return {{"microseconds_per_step", runs[runs.size() / 2]}};
}

json measure(const Arguments& arguments) {
  if (arguments.what == "decode" || arguments.what == "prefill") {
    return decoder_speed(arguments, arguments.what == "decode");
  }
  if (arguments.what == "generate") {
    return generate_speed(arguments);
  }
  if (arguments.what == "load") {
    return load_time(arguments);
  }
  if (arguments.what == "turn2") {
    return second_turn(arguments);
  }
  if (arguments.what == "choice") {
    return choice_cost(arguments);
  }
  if (arguments.what == "kernel") {
    return kernel_overhead();
  }
  std::cerr
      << "usage: ingle_engine_bench decode|prefill|generate|load|turn2|choice|kernel [MODEL]\n";
  std::exit(2);
}

}  // namespace
}  // namespace ingle

int main(int argc, char** argv) {
  std::cout << ingle::measure(ingle::parse(argc, argv)).dump() << "\n";
  return 0;
}

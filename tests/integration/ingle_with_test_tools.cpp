// The command with tools that block until a file appears: a test kills it at a known place.
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "ingle/app.h"

namespace {

using ingle::Call;
using ingle::Json;
using ingle::json;
using ingle::ToolContext;
using ingle::ToolOutcome;
using ingle::ToolTraits;

enum class Listens { kNo, kYes };

/// Waits for the file "marker" to exist; ends early when the call should stop, if it listens.
ToolOutcome wait_for_marker(const Call& call, const Json& arguments, Listens listens) {
  const std::filesystem::path marker = arguments->at("marker").get<std::string>();
  while (!std::filesystem::exists(marker)) {
    if (listens == Listens::kYes && call.should_stop()) {
      return ingle::ToolFailure{"stopped"};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return ingle::ToolValue{.text = "the marker is there"};
}

std::shared_ptr<ingle::Tool> waiting_tool(std::string name, ToolTraits traits, Listens listens) {
  return ingle::make_tool({.name = std::move(name),
                           .description = "Waits for a file.",
                           .parameters = json{{"type", "object"},
                                              {"properties", {{"marker", {{"type", "string"}}}}},
                                              {"required", {"marker"}}}},
                          traits,
                          [listens](const Call& call, const ToolContext&, const Json& arguments) {
                            return wait_for_marker(call, arguments, listens);
                          });
}

}  // namespace

int main(int argc, char** argv) {
  return ingle::app::run_app({argv, argv + argc},
                             {waiting_tool("wait_again", {.is_idempotent = true}, Listens::kYes),
                              waiting_tool("wait_once", {}, Listens::kYes),
                              waiting_tool("wait_deaf", {.is_idempotent = true}, Listens::kNo)});
}

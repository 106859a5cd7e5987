#include "cli/options/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <system_error>

#include "cli/commands.h"
#include "cli/config/config_keys.h"
#include "cli/config/configuration.h"
#include "cli/options/options_parts.h"
#include "cli/places.h"

namespace ingle::cli {
namespace {

constexpr std::size_t kMaxSessions = 20;

class Completer {
 public:
  explicit Completer(Environment& environment) : environment_(environment) {
    if (const auto configuration = read_configuration(environment, {})) {
      config_ = configuration->values;
    }
  }

  std::vector<std::string> complete(const CLI::App& app, std::span<const std::string> words) {
    word_ = words.empty() ? std::string() : words.back();
    const CLI::App* command = &app;
    const CLI::Option* waiting = nullptr;  // Its value comes next.
    std::size_t positionals = 0;
    bool is_plain = false;  // Behind "--".
    for (const std::string& word : words.first(words.empty() ? 0 : words.size() - 1)) {
      if (waiting != nullptr) {
        waiting = nullptr;
      } else if (word == "--") {
        is_plain = true;
      } else if (!is_plain && word.starts_with('-')) {
        waiting = word.find('=') == std::string::npos ? option_with_value(*command, word) : nullptr;
      } else if (const CLI::App* inner = subcommand(*command, word); inner != nullptr) {
        command = inner;
      } else {
        ++positionals;
      }
    }
    if (waiting != nullptr) {
      add_values(*waiting);
    } else if (!is_plain && word_.starts_with('-')) {
      add_options(*command);
    } else {
      add_commands(*command);
      if (positionals == 0) {
        add_names(*command);
      }
    }
    return std::move(found_);
  }

 private:
  static const CLI::App* subcommand(const CLI::App& command, const std::string& name) {
    const auto all = command.get_subcommands([](const CLI::App*) { return true; });
    const auto found =
        std::ranges::find_if(all, [&name](const CLI::App* one) { return one->get_name() == name; });
    return found == all.end() ? nullptr : *found;
  }

  static const CLI::Option* option_with_value(const CLI::App& command, const std::string& name) {
    for (const CLI::Option* option : command.get_options()) {
      if (option->check_name(name)) {
        return option->get_items_expected_max() > 0 ? option : nullptr;
      }
    }
    return nullptr;
  }

  void add(const std::string& candidate) {
    if (candidate.starts_with(word_)) {
      found_.push_back(candidate);
    }
  }

  void add_options(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        add("--" + name);
      }
    }
  }

  void add_commands(const CLI::App& command) {
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
      if (!one->get_group().empty()) {
        add(one->get_name());
      }
    }
  }

  /// What a command takes without an option.
  void add_names(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    const std::string& name = command.get_name();
    if (parent != nullptr && parent->get_name() == "models") {
      if (name == "add") {
        found_.emplace_back(kFiles);
      } else {
        add_models(false);
      }
    } else if (name == "resume") {
      add_sessions();
    } else if (name == "completion") {
      for (const char* shell : {"bash", "zsh", "fish"}) {
        add(shell);
      }
    } else if (name == "config") {
      for (const ConfigKey& key : config_keys()) {
        add(std::string(key.name));
      }
    }
  }

  void add_values(const CLI::Option& option) {
    const std::string& name =
        option.get_lnames().empty() ? option.get_name() : option.get_lnames()[0];
    const std::string type = option.get_type_name();
    if (name == "model") {
      add_models(true);
    } else if (name == "session") {
      add_sessions();
    } else if (name == "tools" || name == "until-tool" || name == "allow" || name == "ask" ||
               name == "deny") {
      add_tools();
    } else if (type == "FILE") {
      found_.emplace_back(kFiles);
    } else if (type == "DIR") {
      found_.emplace_back(kFolders);
    } else if (type.find('|') != std::string::npos && type.find('=') == std::string::npos) {
      add_choices(type);
    }
  }

  /// "on|off".
  void add_choices(std::string_view choices) {
    while (true) {
      const auto bar = choices.find('|');
      add(std::string(choices.substr(0, bar)));
      if (bar == std::string_view::npos) {
        return;
      }
      choices.remove_prefix(bar + 1);
    }
  }

  void add_models(bool may_be_file) {
    for (const std::filesystem::path& file : model_files(models_folder(environment_, config_))) {
      add(file.stem().string());
    }
    if (may_be_file) {
      add("scripted:");
      found_.emplace_back(kFiles);
    }
  }

  /// Behind the last comma.
  void add_tools() {
    const auto tools =
        environment_.tools(config_.root.value_or(environment_.current_folder().string()));
    if (!tools) {
      return;
    }
    const auto comma = word_.rfind(',');
    const std::string before = comma == std::string::npos ? "" : word_.substr(0, comma + 1);
    for (const auto& tool : *tools) {
      add(before + tool->spec().name);
    }
  }

  void add_sessions() {
    const std::filesystem::path file = data_file(environment_, config_);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
      return;  // Opening it would make it.
    }
    const auto store = environment_.open_store(file);
    const auto sessions = store ? (*store)->list() : store.error();
    if (!sessions) {
      return;
    }
    for (std::size_t i = 0; i < std::min(sessions->size(), kMaxSessions); ++i) {
      add((*sessions)[i].id.str());
    }
  }

  Environment& environment_;
  Config config_;
  std::string word_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> completions(std::span<const std::string> words, Environment& environment) {
  std::vector<std::string> found;
  look_at_commands(
      [&](const CLI::App& app) { found = Completer(environment).complete(app, words); });
  return found;
}

ExitCode complete(std::span<const std::string> words, Streams& streams, Environment& environment) {
  for (const std::string& candidate : completions(words, environment)) {
    streams.out << candidate << '\n';
  }
  return ExitCode::kOk;
}

}  // namespace ingle::cli

// `ingle models`: the GGUF files in the models folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/places.h"
#include "cli/report/notes.h"
#include "cli/text/terminal_text.h"
#include "ingle/gguf/gguf.h"
#include "ingle/tool/nearest_name.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

Error invalid(std::string reason, std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(reason), std::move(message), {}};
}

Error io_failed(const std::string& what, const std::error_code& error) {
  return {ErrorCode::kUnavailable, "file_failed", what + ": " + error.message(), {}};
}

/// A name is one component of a path, so that nothing outside the folder can be named.
Result<void> check_name(const std::string& name) {
  const bool is_plain = !name.empty() && name.size() <= 200 && name.front() != '.' &&
                        name.front() != '-' && std::ranges::none_of(name, [](char byte) {
                          return byte == '/' || byte == '\\' ||
                                 (byte >= 0 && static_cast<unsigned char>(byte) < 0x20);
                        });
  if (is_plain) {
    return {};
  }
  return invalid(
      "model_name_invalid",
      fmt::format("\"{}\" is not a model's name: it may not be empty, begin with . or -, "
                  "or hold / and control characters",
                  short_line(name, 60)));
}

class ModelsCommand {
 public:
  ModelsCommand(const ModelsArguments& arguments, const Config& config, Streams& streams,
                const Environment& environment)
      : arguments_(arguments),
        streams_(streams),
        folder_(models_folder(environment, config)),
        default_(chosen_model(config)),
        notes_(make_notes(streams, environment)) {}

  Result<void> run() {
    using Action = ModelsArguments::Action;
    switch (arguments_.action) {
      case Action::kList:
        return list();
      case Action::kShow:
        return show();
      case Action::kPath:
        return path();
      case Action::kAdd:
        return add();
      case Action::kRemove:
        return remove();
    }
    return {};
  }

 private:
  Result<void> list();
  Result<void> show();
  Result<void> path();
  Result<void> add();
  Result<void> remove();

  [[nodiscard]] Result<fs::path> file_of(const std::string& name) const;
  [[nodiscard]] json describe(const fs::path& file) const;

  const ModelsArguments& arguments_;
  Streams& streams_;
  const fs::path folder_;
  const std::string default_;
  Notes notes_;
};

Result<fs::path> ModelsCommand::file_of(const std::string& name) const {
  INGLE_RETURN_IF_ERROR(check_name(name));
  fs::path file = folder_ / (name + ".gguf");
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    return file;
  }
  std::vector<std::string> names;
  for (const fs::path& other : model_files(folder_)) {
    names.push_back(other.stem().string());
  }
  std::string message = fmt::format("there is no model \"{}\"", name);
  if (const auto nearest = nearest_name(name, names)) {
    message += fmt::format("; did you mean {}?", *nearest);
  } else {
    message += "; ingle models lists those there are";
  }
  return Error{ErrorCode::kNotFound, "model_unknown", std::move(message), {}};
}

json ModelsCommand::describe(const fs::path& file) const {
  const std::string name = file.stem().string();
  json model{{"name", name}, {"default", name == default_}};
  const auto header = read_gguf_header(file);
  if (!header) {
    model["error"] = header.error().message;
    return model;
  }
  model["bytes"] = header->file_bytes;
  model["architecture"] = header->architecture;
  model["parameters"] = header->parameters;
  model["context"] = header->context_length;
  model["license"] = header->license;
  model["chat_template"] = header->has_chat_template;
  model["kind"] = header->has_pooling ? "embeddings" : "chat";
  return model;
}

std::string count_text(std::uint64_t count) {
  return count >= 1'000'000'000 ? fmt::format("{:.1f}B", static_cast<double>(count) / 1e9)
                                : fmt::format("{}M", count / 1'000'000);
}

Result<void> ModelsCommand::list() {
  json models = json::array();
  for (const fs::path& file : model_files(folder_)) {
    models.push_back(describe(file));
  }
  if (arguments_.json) {
    streams_.out << Json(models).dump() << '\n';
    return {};
  }
  std::size_t width = 4;
  for (const json& model : models) {
    width = std::max(width, model["name"].get_ref<const std::string&>().size());
  }
  for (const json& model : models) {
    const auto name = one_line(model["name"].get<std::string>());
    if (model.contains("error")) {
      streams_.out << fmt::format("{:<{}}  {}\n", name, width,
                                  one_line(model["error"].get<std::string>()));
      continue;
    }
    streams_.out << fmt::format(
        "{:<{}}  {:>8}  {:>6}  {:<10}  {:<12}  context {}{}\n", name, width,
        size_text(model["bytes"].get<std::uint64_t>()),
        count_text(model["parameters"].get<std::uint64_t>()), model["kind"].get<std::string>(),
        one_line(model["architecture"].get<std::string>()), model["context"].get<std::int64_t>(),
        model["default"].get<bool>() ? "  (default)" : "");
  }
  if (models.empty()) {
    notes_.write(NoteKind::kActivity,
                 "no models yet; ingle models add FILE takes a GGUF file, and scripts/fetch in a "
                 "checkout of Ingle brings the default one");
  }
  return {};
}

Result<void> ModelsCommand::show() {
  INGLE_TRY(const fs::path file, file_of(arguments_.name));
  const json model = describe(file);
  if (model.contains("error")) {
    return invalid("model_unreadable", model["error"].get<std::string>());
  }
  if (arguments_.json) {
    streams_.out << Json(model).dump() << '\n';
    return {};
  }
  for (const auto& [key, value] : model.items()) {
    streams_.out << fmt::format(
        "{:<14} {}\n", key,
        one_line(value.is_string() ? value.get<std::string>() : Json(value).dump()));
  }
  return {};
}

Result<void> ModelsCommand::path() {
  INGLE_TRY(const fs::path file, file_of(arguments_.name));
  streams_.out << file.string() << '\n';
  return {};
}

Result<void> ModelsCommand::add() {
  INGLE_TRY(const GgufHeader header, read_gguf_header(arguments_.file));
  const std::string name =
      arguments_.name.empty() ? arguments_.file.stem().string() : arguments_.name;
  INGLE_RETURN_IF_ERROR(check_name(name));
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    return io_failed("the models folder cannot be made", error);
  }
  const fs::path target = folder_ / (name + ".gguf");
  if (fs::equivalent(arguments_.file, target, error)) {
    notes_.write(NoteKind::kActivity, fmt::format("{} is there already", name));
    return {};
  }
  if (fs::exists(target, error) && !arguments_.force) {
    return Error{ErrorCode::kAlreadyExists,
                 "model_exists",
                 fmt::format("there is a model {} already; --name gives another name, --force "
                             "replaces it",
                             name),
                 {}};
  }
  // Under a name of its own until it is whole, so that a model is there or not.
  const fs::path part = folder_ / (name + ".part");
  fs::remove(part, error);
  fs::create_hard_link(fs::absolute(arguments_.file), part, error);
  if (error) {
    const fs::space_info space = fs::space(folder_, error);
    if (!error && space.available < header.file_bytes) {
      return Error{ErrorCode::kResourceExhausted,
                   "disk_full",
                   fmt::format("{} are needed and {} are free in the models folder",
                               size_text(header.file_bytes), size_text(space.available)),
                   {}};
    }
    notes_.write(NoteKind::kActivity, fmt::format("copying {}", size_text(header.file_bytes)));
    fs::copy_file(arguments_.file, part, fs::copy_options::overwrite_existing, error);
  }
  if (!error) {
    fs::rename(part, target, error);
  }
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return io_failed("the file could not be added", error);
  }
  notes_.write(NoteKind::kActivity,
               fmt::format("added {}: ingle run --model {} ...", name, shell_quoted(name)));
  return {};
}

Result<void> ModelsCommand::remove() {
  INGLE_TRY(const fs::path file, file_of(arguments_.name));
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (!arguments_.yes) {
    if (!streams_.in_is_terminal) {
      return invalid("confirmation_missing",
                     "this deletes the file; say --yes, or answer the question on a terminal");
    }
    streams_.err << fmt::format("delete {} ({})? Type yes: ", one_line(arguments_.name),
                                size_text(bytes))
                 << std::flush;
    std::string answer;
    std::getline(streams_.in, answer);
    if (answer != "yes") {
      notes_.write(NoteKind::kActivity, "nothing was deleted");
      return {};
    }
  }
  if (!fs::remove(file, error)) {
    return io_failed("the file could not be deleted", error);
  }
  notes_.write(NoteKind::kActivity,
               fmt::format("deleted {}: {} freed", arguments_.name, size_text(bytes)));
  return {};
}

}  // namespace

ExitCode manage_models(const ModelsArguments& arguments, Streams& streams,
                       Environment& environment) {
  const auto configuration = read_configuration(environment, arguments.flags);
  if (!configuration) {
    return fail(configuration.error(), streams, environment);
  }
  ModelsCommand command(arguments, configuration->values, streams, environment);
  const auto done = command.run();
  return done ? ExitCode::kOk : fail_model(done.error(), streams, environment);
}

}  // namespace ingle::cli

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "cli/doctor.h"
#include "cli/places.h"
#include "cli/text/terminal_text.h"
#include "ingle/gguf/gguf.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLittleMemory = 1'000'000'000;

Finding examine_model(const fs::path& file) {
  const std::string name = file.stem().string();
  const auto header = read_gguf_header(file);
  if (!header) {
    return {FindingStatus::kWarning, "model", name + ": " + header.error().message,
            "delete the file, or fetch it again"};
  }
  std::string text =
      fmt::format("{} ({}, {}", name, size_text(header->file_bytes), header->architecture);
  if (header->context_length > 0) {
    text += fmt::format(", context {}", header->context_length);
  }
  text += ")";
  if (header->has_pooling) {
    return {FindingStatus::kWarning, "model", text, "made for embeddings: it cannot answer"};
  }
  return {FindingStatus::kOk, "model", text, ""};
}

/// The nearest folder above `file` that is there.
fs::path existing_folder(const fs::path& file) {
  std::error_code error;
  fs::path folder = fs::absolute(file, error).parent_path();
  while (!fs::exists(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

std::string_view to_string(FindingStatus status) {
  switch (status) {
    case FindingStatus::kOk:
      return "ok";
    case FindingStatus::kWarning:
      return "warn";
    case FindingStatus::kMissing:
      return "missing";
  }
  return "";
}

Finding examine_cores(int usable) {
  Finding finding{
      FindingStatus::kOk, "cores", fmt::format("{} usable", usable),
      "run one model at a time: two processes on the same cores slow each other tenfold"};
  if (usable == 1) {
    finding.status = FindingStatus::kWarning;
  }
  return finding;
}

Finding examine_memory(std::uint64_t total_bytes, std::uint64_t available_bytes) {
  if (total_bytes == 0) {
    return {FindingStatus::kWarning, "memory", "unknown", ""};
  }
  Finding finding{
      FindingStatus::kOk, "memory",
      fmt::format("{} of {} available", size_text(available_bytes), size_text(total_bytes)), ""};
  if (available_bytes < kLittleMemory) {
    finding.status = FindingStatus::kWarning;
    finding.advice = "a model needs the size of its file and room for its context: close something";
  }
  return finding;
}

Finding examine_cpu(const std::string& name, const std::vector<std::string>& features) {
  Finding finding{FindingStatus::kOk, "cpu",
                  fmt::format("{} ({})", name.empty() ? "unknown" : name, fmt::join(features, " ")),
                  ""};
  if (features.empty()) {
    finding.status = FindingStatus::kWarning;
    finding.text = name.empty() ? "unknown" : name;
    finding.advice = "no vector instructions were found: answers will be slow";
  }
  return finding;
}

Finding examine_configuration(const Environment& environment, const Result<Configuration>& read) {
  if (!read) {
    return {FindingStatus::kMissing, "configuration", read.error().message,
            "mend the file, or run with --config none"};
  }
  std::vector<std::string> files;
  for (const ConfigSource& source : read->sources) {
    if (source.is_there) {
      files.push_back(shown_path(environment, source.file));
    }
  }
  return {FindingStatus::kOk, "configuration",
          files.empty() ? "no ingle.toml" : fmt::format("{}", fmt::join(files, ", ")), ""};
}

std::vector<Finding> examine_engine(Environment& environment) {
  const auto facts = environment.engine();
  if (!facts) {
    return {{FindingStatus::kMissing, "engine", facts.error().message,
             "scripts/quickstart in a checkout of Ingle fetches and builds it"}};
  }
  std::vector<Finding> findings{
      {FindingStatus::kOk, "engine", facts->name + " " + facts->version, ""}};
  if (!facts->system_info.empty()) {
    findings.push_back({FindingStatus::kOk, "engine uses", facts->system_info, ""});
  }
  for (const std::string& device : facts->devices) {
    findings.push_back({FindingStatus::kOk, "device", device, ""});
  }
  if (facts->devices.empty()) {
    findings.push_back({FindingStatus::kMissing, "device", "none",
                        "llama.cpp found no library for this CPU: run scripts/fetch again"});
  }
  return findings;
}

std::vector<Finding> examine_models(const Environment& environment, const Config& config) {
  std::vector<Finding> findings;
  for (const fs::path& file : model_files(models_folder(environment, config))) {
    findings.push_back(examine_model(file));
  }
  const std::string name = chosen_model(config);
  if (const auto model = resolve_model(environment, config, name)) {
    findings.push_back({FindingStatus::kOk, "default model", name, ""});
  } else {
    findings.push_back({FindingStatus::kMissing, "default model", model.error().message,
                        "scripts/fetch in a checkout of Ingle brings one, or set INGLE_MODEL"});
  }
  return findings;
}

Finding examine_data_file(const fs::path& file) {
  std::error_code error;
  const bool is_there = fs::exists(file, error);
  const fs::path& checked = is_there ? file : existing_folder(file);
  const bool is_usable =
      is_there ? fs::is_regular_file(file, error) : fs::is_directory(checked, error);
  if (is_usable && ::access(checked.c_str(), R_OK | W_OK) == 0) {
    return {FindingStatus::kOk, "sessions", file.string() + (is_there ? "" : " (made when needed)"),
            ""};
  }
  return {FindingStatus::kMissing, "sessions", file.string() + " cannot be written",
          "set INGLE_DATA, or give --data a file that can"};
}

}  // namespace ingle::cli

/// What this machine has for running agents, what is missing, and what to do about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/configuration.h"
#include "ingle/cli/environment.h"

namespace ingle::cli {

enum class FindingStatus : std::uint8_t {
  kOk,
  kWarning,  ///< Agents run, but not well.
  kMissing,  ///< No agent with a real model runs, or nothing is kept.
};

[[nodiscard]] std::string_view to_string(FindingStatus status);

struct Finding {
  FindingStatus status = FindingStatus::kOk;
  std::string name = {};    ///< "cores", "memory", ...
  std::string text = {};    ///< What was found.
  std::string advice = {};  ///< What to do; may be empty.
  bool operator==(const Finding&) const = default;
};

[[nodiscard]] Finding examine_cores(int usable);
[[nodiscard]] Finding examine_memory(std::uint64_t total_bytes, std::uint64_t available_bytes);
[[nodiscard]] Finding examine_cpu(const std::string& name,
                                  const std::vector<std::string>& features);
[[nodiscard]] Finding examine_configuration(const Environment& environment,
                                            const Result<Configuration>& read);
[[nodiscard]] std::vector<Finding> examine_engine(Environment& environment);
[[nodiscard]] std::vector<Finding> examine_models(const Environment& environment,
                                                  const Config& config);
[[nodiscard]] Finding examine_data_file(const std::filesystem::path& file);

}  // namespace ingle::cli

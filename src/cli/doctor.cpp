#include "cli/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/commands.h"
#include "cli/places.h"
#include "cli/report/notes.h"
#include "cli/text/terminal_text.h"
#include "ingle/core/machine.h"

namespace ingle::cli {
namespace {

/// A configuration that cannot be read is a finding too: the rest is looked at with the defaults.
std::vector<Finding> examine(const DoctorArguments& arguments, Environment& environment) {
  const auto read = read_configuration(environment, arguments.flags);
  const Config config = read ? read->values : arguments.flags.values;
  std::vector<Finding> findings{examine_cores(usable_cores()),
                                examine_memory(total_memory_bytes(), available_memory_bytes()),
                                examine_cpu(cpu_name(), cpu_features())};
  const auto add = [&findings](const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
  };
  findings.push_back(examine_configuration(environment, read));
  add(examine_engine(environment));
  add(examine_models(environment, config));
  findings.push_back(examine_data_file(data_file(environment, config)));
  return findings;
}

std::string_view colour(FindingStatus status) {
  switch (status) {
    case FindingStatus::kOk:
      return "\x1b[32m";
    case FindingStatus::kWarning:
      return "\x1b[33m";
    case FindingStatus::kMissing:
      return "\x1b[31m";
  }
  return "";
}

void print_table(const std::vector<Finding>& findings, std::ostream& out, bool is_coloured) {
  std::size_t width = 0;
  for (const Finding& finding : findings) {
    width = std::max(width, finding.name.size());
  }
  for (const Finding& finding : findings) {
    const std::string_view status = to_string(finding.status);
    const std::string padding(7 - status.size(), ' ');
    out << (is_coloured ? colour(finding.status) : "") << status << (is_coloured ? "\x1b[0m" : "")
        << padding << fmt::format("  {:<{}}  {}\n", finding.name, width, one_line(finding.text));
    if (!finding.advice.empty()) {
      out << fmt::format("{:{}}-> {}\n", "", width + 11, one_line(finding.advice));
    }
  }
}

Json as_json(const std::vector<Finding>& findings, bool is_ok) {
  json list = json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"status", to_string(finding.status)},
                    {"name", finding.name},
                    {"text", finding.text},
                    {"advice", finding.advice}});
  }
  return json{{"ok", is_ok}, {"findings", std::move(list)}};
}

}  // namespace

ExitCode run_doctor(const DoctorArguments& arguments, Streams& streams, Environment& environment) {
  const std::vector<Finding> findings = examine(arguments, environment);
  const bool is_ok = std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.status == FindingStatus::kMissing; });
  if (arguments.json) {
    streams.out << as_json(findings, is_ok).dump() << '\n';
  } else {
    print_table(findings, streams.out, streams.out_is_terminal && is_lively(streams, environment));
  }
  return is_ok ? ExitCode::kOk : ExitCode::kFailed;
}

}  // namespace ingle::cli

#include "ingle/core/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "core/machine_internal.h"

namespace ingle {
namespace machine {
namespace {

std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  text = trim(text);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

/// Calls `visit(line)` for each line until it returns true.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (visit(text.substr(0, end))) {
      return;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::optional<int> cores_from_quota(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  const std::int64_t cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::min<std::int64_t>(cores, std::numeric_limits<int>::max()));
}

std::optional<int> cores_from_cpu_max(std::string_view text) {
  text = trim(text);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  const auto quota = parse_number<std::int64_t>(text.substr(0, space));
  const auto period = parse_number<std::int64_t>(text.substr(space + 1));
  return quota && period ? cores_from_quota(*quota, *period) : std::nullopt;
}

std::optional<std::uint64_t> bytes_from_limit(std::string_view text) {
  const auto bytes = parse_number<std::uint64_t>(text);
  // cgroup v1 writes "no limit" as a number near the largest one.
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 62U;
  return bytes && *bytes < kUnlimited ? bytes : std::nullopt;
}

std::optional<std::uint64_t> meminfo_bytes(std::string_view meminfo, std::string_view key) {
  std::optional<std::uint64_t> result;
  for_each_line(meminfo, [&](std::string_view line) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') {
      return false;
    }
    std::string_view value = trim(line.substr(key.size() + 1));
    if (value.ends_with("kB")) {
      value.remove_suffix(2);
    }
    if (const auto kibibytes = parse_number<std::uint64_t>(value)) {
      result = *kibibytes * 1024;
    }
    return true;
  });
  return result;
}

std::optional<std::string> cpuinfo_value(std::string_view cpuinfo, std::string_view key) {
  std::optional<std::string> result;
  for_each_line(cpuinfo, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != key) {
      return false;
    }
    result = std::string(trim(line.substr(colon + 1)));
    return true;
  });
  return result;
}

std::vector<std::string> relevant_features(std::string_view flags) {
  static constexpr std::string_view kRelevant[] = {
      "sse4_2",      "avx",         "avx2",    "avx_vnni", "avx512f", "avx512bw",
      "avx512_vnni", "avx512_bf16", "fma",     "f16c",     "bmi2",    "amx_int8",
      "amx_bf16",    "asimd",       "asimddp", "i8mm",     "sve",     "bf16",
  };
  std::set<std::string> found;
  while (!flags.empty()) {
    const std::size_t end = std::min(flags.find(' '), flags.size());
    const std::string_view word = flags.substr(0, end);
    if (std::find(std::begin(kRelevant), std::end(kRelevant), word) != std::end(kRelevant)) {
      found.emplace(word);
    }
    flags.remove_prefix(std::min(end + 1, flags.size()));
  }
  return {found.begin(), found.end()};
}

std::optional<std::string> cgroup_path(std::string_view proc_self_cgroup,
                                       std::string_view controller) {
  std::optional<std::string> result;
  for_each_line(proc_self_cgroup, [&](std::string_view line) {
    // "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == line.npos ? line.npos : first + 1);
    if (second == std::string_view::npos) {
      return false;
    }
    std::string_view controllers = line.substr(first + 1, second - first - 1);
    bool is_wanted = controller.empty() && controllers.empty();
    while (!controllers.empty() && !is_wanted) {
      const std::size_t end = std::min(controllers.find(','), controllers.size());
      is_wanted = controllers.substr(0, end) == controller;
      controllers.remove_prefix(std::min(end + 1, controllers.size()));
    }
    if (is_wanted) {
      result = std::string(line.substr(second + 1));
    }
    return is_wanted;
  });
  return result;
}

}  // namespace machine

namespace {

/// The text of a small pseudo-file, or empty.
std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Calls `visit(folder)` for the process's cgroup of `controller` and each of its parents: a limit
/// of any of them holds. Inside a container the path often does not exist, so the root comes last.
template <class Visit>
void for_each_cgroup(std::string_view controller, const std::string& root, Visit visit) {
  std::string path = machine::cgroup_path(read_text("/proc/self/cgroup"), controller).value_or("");
  while (!path.empty() && path != "/") {
    visit(root + path);
    path.erase(std::min(path.rfind('/'), path.size()));
  }
  visit(root);
}

void lower_to(std::optional<std::uint64_t>& value, std::optional<std::uint64_t> limit) {
  if (limit && (!value || *limit < *value)) {
    value = limit;
  }
}

/// What a cgroup still grants: its limit less what it uses, page cache that can be dropped aside.
std::optional<std::uint64_t> cgroup_headroom(const std::string& folder, const char* limit_file,
                                             const char* usage_file) {
  const auto limit = machine::bytes_from_limit(read_text(folder + limit_file));
  const auto used = machine::bytes_from_limit(read_text(folder + usage_file));
  if (!limit || !used) {
    return std::nullopt;
  }
  std::uint64_t reclaimable = 0;
  const std::string statistics = read_text(folder + "/memory.stat");
  if (const std::size_t at = statistics.find("inactive_file "); at != std::string::npos) {
    const std::string_view rest = std::string_view(statistics).substr(at + 14);
    reclaimable = machine::bytes_from_limit(rest.substr(0, rest.find('\n'))).value_or(0);
  }
  const std::uint64_t held = *used - std::min(*used, reclaimable);
  return *limit - std::min(*limit, held);
}

}  // namespace

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = 0;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    cores = CPU_COUNT(&set);
  }
  if (cores < 1) {
    cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  }
  for_each_cgroup("", "/sys/fs/cgroup", [&](const std::string& folder) {
    if (const auto quota = machine::cores_from_cpu_max(read_text(folder + "/cpu.max"))) {
      cores = std::min(cores, *quota);
    }
  });
  for_each_cgroup("cpu", "/sys/fs/cgroup/cpu", [&](const std::string& folder) {
    const auto quota = read_text(folder + "/cpu.cfs_quota_us");
    const auto period = read_text(folder + "/cpu.cfs_period_us");
    const auto granted =
        machine::cores_from_quota(std::atoll(quota.c_str()), std::atoll(period.c_str()));
    cores = std::min(cores, granted.value_or(cores));
  });
  return std::max(cores, 1);
}

std::uint64_t total_memory_bytes() {
  auto total = machine::meminfo_bytes(read_text("/proc/meminfo"), "MemTotal");
  for_each_cgroup("", "/sys/fs/cgroup", [&](const std::string& folder) {
    lower_to(total, machine::bytes_from_limit(read_text(folder + "/memory.max")));
  });
  for_each_cgroup("memory", "/sys/fs/cgroup/memory", [&](const std::string& folder) {
    lower_to(total, machine::bytes_from_limit(read_text(folder + "/memory.limit_in_bytes")));
  });
  return total.value_or(0);
}

std::uint64_t available_memory_bytes() {
  auto available = machine::meminfo_bytes(read_text("/proc/meminfo"), "MemAvailable");
  for_each_cgroup("", "/sys/fs/cgroup", [&](const std::string& folder) {
    lower_to(available, cgroup_headroom(folder, "/memory.max", "/memory.current"));
  });
  for_each_cgroup("memory", "/sys/fs/cgroup/memory", [&](const std::string& folder) {
    lower_to(available,
             cgroup_headroom(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  });
  return available.value_or(0);
}

std::string cpu_name() {
  return machine::cpuinfo_value(read_text("/proc/cpuinfo"), "model name").value_or("");
}

std::vector<std::string> cpu_features() {
  const std::string cpuinfo = read_text("/proc/cpuinfo");
  const auto flags = machine::cpuinfo_value(cpuinfo, "flags");  // x86
  return machine::relevant_features(
      flags ? *flags : machine::cpuinfo_value(cpuinfo, "Features").value_or(""));  // arm64
}

}  // namespace ingle

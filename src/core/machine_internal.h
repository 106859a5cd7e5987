/// The parsers behind machine.h, apart so that tests can feed them text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingle::machine {

/// Cores that a cgroup v2 `cpu.max` grants, rounded up: "150000 100000" is 2. Empty: no quota.
std::optional<int> cores_from_cpu_max(std::string_view text);

/// Cores that a cgroup v1 quota and period in microseconds grant. Empty: no quota (-1).
std::optional<int> cores_from_quota(std::int64_t quota, std::int64_t period);

/// A number of bytes from `memory.max` or the like. Empty: "max", or not a number.
std::optional<std::uint64_t> bytes_from_limit(std::string_view text);

/// The value in bytes of a line "Key:   123 kB" of /proc/meminfo.
std::optional<std::uint64_t> meminfo_bytes(std::string_view meminfo, std::string_view key);

/// The value of the first line "key\t: value" of /proc/cpuinfo.
std::optional<std::string> cpuinfo_value(std::string_view cpuinfo, std::string_view key);

/// The words of `flags` that matter for inference, sorted.
std::vector<std::string> relevant_features(std::string_view flags);

/// The path of this process's own cgroup from /proc/self/cgroup, in hierarchy `controller` (empty:
/// v2).
std::optional<std::string> cgroup_path(std::string_view proc_self_cgroup,
                                       std::string_view controller);

}  // namespace ingle::machine

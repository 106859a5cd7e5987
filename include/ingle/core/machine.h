/// What this process has to work with: cores, memory, CPU. Functions only; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ingle {

/// Cores that this process may use: the affinity mask, cut down to the cgroup's CPU quota
/// (rounded up). At least 1.
[[nodiscard]] int usable_cores();

/// Bytes of memory that this process could ever have: the machine's, or the cgroup's limit where
/// that is lower. 0 when unknown.
[[nodiscard]] std::uint64_t total_memory_bytes();

/// Bytes that can be taken now without swapping, the cgroup's limit included. 0 when unknown.
[[nodiscard]] std::uint64_t available_memory_bytes();

/// The processor's name as it reports it, or empty.
[[nodiscard]] std::string cpu_name();

/// Instruction sets that matter for inference and are there, for example {"avx2", "f16c"}; sorted.
[[nodiscard]] std::vector<std::string> cpu_features();

}  // namespace ingle

#include "ingle/core/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/machine_internal.h"

namespace ingle {
namespace {

using testing::ElementsAre;

TEST(Machine, ReportsSomethingSane) {
  EXPECT_GE(usable_cores(), 1);
  EXPECT_GT(total_memory_bytes(), 0U);
  EXPECT_GT(available_memory_bytes(), 0U);
  EXPECT_LE(available_memory_bytes(), total_memory_bytes());
}

TEST(MachineText, CpuQuotaIsRoundedUp) {
  EXPECT_EQ(machine::cores_from_cpu_max("150000 100000\n"), 2);
  EXPECT_EQ(machine::cores_from_cpu_max("200000 100000"), 2);
  EXPECT_EQ(machine::cores_from_cpu_max("1000 100000"), 1);
  EXPECT_EQ(machine::cores_from_cpu_max("max 100000\n"), std::nullopt);
  EXPECT_EQ(machine::cores_from_cpu_max(""), std::nullopt);
  EXPECT_EQ(machine::cores_from_cpu_max("5"), std::nullopt);
  EXPECT_EQ(machine::cores_from_quota(-1, 100000), std::nullopt);
  EXPECT_EQ(machine::cores_from_quota(100000, 0), std::nullopt);
}

TEST(MachineText, MemoryLimitIsANumberOrNone) {
  EXPECT_EQ(machine::bytes_from_limit("1073741824\n"), 1073741824U);
  EXPECT_EQ(machine::bytes_from_limit("max\n"), std::nullopt);
  EXPECT_EQ(machine::bytes_from_limit("9223372036854771712"), std::nullopt);
  EXPECT_EQ(machine::bytes_from_limit(""), std::nullopt);
}

TEST(MachineText, MeminfoIsReadByKey) {
  const char* text = "MemTotal:       24 kB\nMemAvailable:   12 kB\nMem: 3 kB\n";
  EXPECT_EQ(machine::meminfo_bytes(text, "MemTotal"), 24U * 1024);
  EXPECT_EQ(machine::meminfo_bytes(text, "MemAvailable"), 12U * 1024);
  EXPECT_EQ(machine::meminfo_bytes(text, "Mem"), 3U * 1024);
  EXPECT_EQ(machine::meminfo_bytes(text, "Swap"), std::nullopt);
}

TEST(MachineText, CpuinfoGivesNameAndFeatures) {
  const char* text = "processor\t: 0\nmodel name\t: A CPU\nflags\t\t: fpu avx2 f16c avx2 zz\n";
  EXPECT_EQ(machine::cpuinfo_value(text, "model name"), "A CPU");
  EXPECT_THAT(machine::relevant_features(*machine::cpuinfo_value(text, "flags")),
              ElementsAre("avx2", "f16c"));
  EXPECT_EQ(machine::cpuinfo_value(text, "none"), std::nullopt);
}

TEST(MachineText, CgroupPathIsFoundByController) {
  const char* text = "4:cpu,cpuacct:/docker/a\n3:memory:/docker/b\n0::/user.slice\n";
  EXPECT_EQ(machine::cgroup_path(text, ""), "/user.slice");
  EXPECT_EQ(machine::cgroup_path(text, "cpu"), "/docker/a");
  EXPECT_EQ(machine::cgroup_path(text, "memory"), "/docker/b");
  EXPECT_EQ(machine::cgroup_path(text, "pids"), std::nullopt);
  EXPECT_EQ(machine::cgroup_path("nonsense", ""), std::nullopt);
}

}  // namespace
}  // namespace ingle

// The table of keys in docs/formats/ingle-toml.md is the table of keys in the code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/config/config_keys.h"

namespace ingle::cli {
namespace {

constexpr const char* kMark =
    "<!-- keys: written by the test ConfigDocs (INGLE_UPDATE_DOCS=1) -->\n";

std::string in_code(std::string_view text) {
  std::string result = "`" + std::string(text) + "`";
  for (std::size_t bar = 0; (bar = result.find('|', bar)) != std::string::npos; bar += 2) {
    result.insert(bar, "\\");
  }
  return result;
}

std::string table() {
  std::string text = "| key | flag | variable | meaning | default |\n|---|---|---|---|---|\n";
  for (const ConfigKey& key : config_keys()) {
    text += fmt::format("| `{}` | {} | `{}` | {} | {} |\n", key.name,
                        in_code(fmt::format("{} {}", key.flag, key.type_name)), key.variable(),
                        key.about, key.fallback);
  }
  return text;
}

TEST(ConfigDocs, TheKeysAreDescribed) {
  const std::string path = INGLE_DOCS_FOLDER "/formats/ingle-toml.md";
  std::ifstream file(path);
  std::ostringstream read;
  read << file.rdbuf();
  const std::string text = read.str();
  const std::size_t mark = text.find(kMark);
  ASSERT_NE(mark, std::string::npos);
  const std::string wanted = text.substr(0, mark) + kMark + table();
  if (std::getenv("INGLE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << wanted;
    return;
  }
  EXPECT_EQ(text, wanted) << "run this test with INGLE_UPDATE_DOCS=1";
}

}  // namespace
}  // namespace ingle::cli

#include "engine_llama/template_guard.h"

#include <gtest/gtest.h>

#include <string>

#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using testing::HasReason;
using testing::IsOk;

std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

TEST(TemplateGuard, OrdinaryTemplatesPass) {
  EXPECT_THAT(check_template_bounds(""), IsOk());
  EXPECT_THAT(check_template_bounds("plain { text } with ) brackets"), IsOk());
  EXPECT_THAT(check_template_bounds("{% for m in messages %}{{ m['role'] + '}}' }}{% endfor %}"),
              IsOk());
  EXPECT_THAT(check_template_bounds(repeated("{% if a %}{{ b }}{%- endif -%}", 2000)), IsOk());
  EXPECT_THAT(check_template_bounds("{{ '" + std::string(20000, 'x') + "' }}"), IsOk());
  EXPECT_THAT(check_template_bounds("{# " + std::string(20000, '(') + " #}"), IsOk());
}

TEST(TemplateGuard, DeepOrLongOnesAreRefused) {
  for (const std::string& source : {
           std::string((1U << 20U) + 1, 'x'),
           repeated("{% if a %}", 600),
           "{% if a %}" + repeated("{% elif b %}", 600),
           "{{ " + std::string(200, '(') + " }}",
           "{{ " + std::string(200, '{') + " }}",
           "{{ 1" + repeated("+1", 4000) + " }}",
           "{{ " + repeated("not ", 4000) + " x",
       }) {
    EXPECT_THAT(check_template_bounds(source), HasReason("chat_template_invalid"))
        << source.substr(0, 20);
  }
}

}  // namespace
}  // namespace ingle

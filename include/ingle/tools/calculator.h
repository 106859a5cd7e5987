/// A tool for arithmetic, which language models are bad at.
#pragma once

#include <memory>

#include "ingle/tool/tool.h"

namespace ingle {

/// calculator {expression}: one number.
///
/// Double precision, whatever the locale. Numbers (1, 0.5, 2e3), + - * / ^, % (remainder, with the
/// sign of the dividend), parentheses, pi, e, and sqrt, abs, exp, ln, log10, log2, sin, cos, tan,
/// asin, acos, atan (radians), floor, ceil, round, min, max, sum, avg. -2^2 is -4, 2^3^2 is 2^9.
/// Results that are no finite number are failures, as is everything else that could be read in two
/// ways. Read-only and idempotent.
/// Value: the number; an integer where it is one below 2^53.
[[nodiscard]] std::shared_ptr<Tool> make_calculator();

}  // namespace ingle

/// The numbers of a question.
#pragma once

#include <string_view>
#include <vector>

namespace ingle {

struct SaidNumber {
  double value = 0;
  bool is_percent = false;  ///< "5 %", "5 percent".
  bool is_in_list = false;  ///< Of one of `SaidNumbers::lists`.

  bool operator==(const SaidNumber&) const = default;
};

struct SaidNumbers {
  /// In their order, repetitions too: "12,000" is 12000, "2 million" 2000000, "three" 3, "16th" 16,
  /// "1e-9" a billionth.
  /// Digits behind a letter ("B12") are no number.
  std::vector<SaidNumber> all = {};
  /// Runs of two and more with nothing but commas, spaces and "and" between them.
  std::vector<std::vector<double>> lists = {};

  bool operator==(const SaidNumbers&) const = default;
};

[[nodiscard]] SaidNumbers said_numbers(std::string_view text);

}  // namespace ingle

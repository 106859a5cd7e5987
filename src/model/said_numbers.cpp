#include "model/said_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ingle {
namespace {

constexpr std::size_t kMaxNumbers = 100;

struct Named {
  std::string_view word;
  double value;
};
constexpr std::array kWords{
    Named{"one", 1},    Named{"two", 2},     Named{"three", 3},    Named{"four", 4},
    Named{"five", 5},   Named{"six", 6},     Named{"seven", 7},    Named{"eight", 8},
    Named{"nine", 9},   Named{"ten", 10},    Named{"eleven", 11},  Named{"twelve", 12},
    Named{"dozen", 12}, Named{"twenty", 20}, Named{"thirty", 30},  Named{"forty", 40},
    Named{"fifty", 50}, Named{"sixty", 60},  Named{"hundred", 100}};
constexpr std::array kScales{Named{"hundred", 1e2}, Named{"thousand", 1e3}, Named{"million", 1e6},
                             Named{"billion", 1e9}};
constexpr std::array<std::string_view, 4> kOrdinals{"st", "nd", "rd", "th"};

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_letter(char byte) { return std::isalpha(static_cast<unsigned char>(byte)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  SaidNumbers scan() {
    while (at_ < text_.size() && result_.all.size() < kMaxNumbers) {
      const std::size_t begin = at_;
      if (auto number = next()) {
        take(*number, begin);
      }
    }
    end_list();
    return std::move(result_);
  }

 private:
  /// Moves on; the number that stood here, if one did.
  std::optional<SaidNumber> next() {
    if (is_digit(text_[at_])) {
      const bool is_negative = has_minus();
      auto value = digits();
      skip_ordinal();
      value *= scale();
      return SaidNumber{.value = is_negative ? -value : value, .is_percent = is_percent()};
    }
    if (is_letter(text_[at_])) {
      const std::string_view word = word_here();
      at_ += word.size();
      // The rest of a name such as B12 is no number.
      while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) {
        ++at_;
      }
      if (const auto value = find(kWords, word)) {
        const double scaled = *value * scale();
        return SaidNumber{.value = scaled, .is_percent = is_percent()};
      }
      return std::nullopt;
    }
    in_brackets_ = text_[at_] == '[' || (in_brackets_ && text_[at_] != ']');
    ++at_;
    return std::nullopt;
  }

  /// A minus is one behind nothing, a space, a bracket or an equals sign; else it is a dash.
  [[nodiscard]] bool has_minus() const {
    if (at_ == 0 || text_[at_ - 1] != '-') {
      return false;
    }
    return at_ == 1 || std::string_view(" \t\n([=,").find(text_[at_ - 2]) != std::string_view::npos;
  }

  double digits() {
    std::string number;
    while (at_ < text_.size()) {
      if (is_digit(text_[at_])) {
        number += text_[at_++];
      } else if (text_[at_] == ',' && !in_brackets_ && is_group()) {
        ++at_;
      } else if (text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]) &&
                 number.find('.') == std::string::npos) {
        number += text_[at_++];
      } else {
        break;
      }
    }
    number += exponent();
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return value;
  }

  /// "e-9", or nothing.
  std::string exponent() {
    std::size_t end = at_;
    if (end >= text_.size() || (text_[end] != 'e' && text_[end] != 'E')) {
      return {};
    }
    ++end;
    end += static_cast<std::size_t>(end < text_.size() && text_[end] == '-');
    const std::size_t first_digit = end;
    while (end < text_.size() && is_digit(text_[end]) && end < first_digit + 3) {
      ++end;
    }
    if (end == first_digit) {
      return {};
    }
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    return std::string(found);
  }

  /// A comma, then exactly three digits: a group of thousands.
  [[nodiscard]] bool is_group() const {
    for (std::size_t i = 1; i <= 3; ++i) {
      if (at_ + i >= text_.size() || !is_digit(text_[at_ + i])) {
        return false;
      }
    }
    return at_ + 4 >= text_.size() || !is_digit(text_[at_ + 4]);
  }

  [[nodiscard]] std::string_view word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) {
      ++end;
    }
    return text_.substr(at_, end - at_);
  }

  template <std::size_t N>
  static std::optional<double> find(const std::array<Named, N>& names, std::string_view word) {
    const auto same = [word](const Named& named) {
      return std::ranges::equal(named.word, word, [](char a, char b) {
        return a == std::tolower(static_cast<unsigned char>(b));
      });
    };
    const auto found = std::ranges::find_if(names, same);
    return found == names.end() ? std::nullopt : std::optional(found->value);
  }

  void skip_ordinal() {
    if (std::ranges::find(kOrdinals, word_here()) != kOrdinals.end()) {
      at_ += 2;
    }
  }

  double scale() {
    if (at_ + 1 < text_.size() && text_[at_] == ' ') {
      ++at_;
      const std::string_view word = word_here();
      if (const auto value = find(kScales, word)) {
        at_ += word.size();
        return *value;
      }
      --at_;
    }
    return 1;
  }

  [[nodiscard]] bool is_percent() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with('%') || rest.starts_with(" %") || rest.starts_with(" percent");
  }

  void take(const SaidNumber& number, std::size_t begin) {
    result_.all.push_back(number);
    if (!is_list_gap(text_.substr(list_end_, begin - list_end_))) {
      end_list();
    }
    if (list_.empty()) {
      list_begin_ = result_.all.size() - 1;
    }
    list_.push_back(number.value);
    list_end_ = at_;
  }

  /// What may stand between elements: ", ", " and ", " & ", a minus.
  static bool is_list_gap(std::string_view gap) {
    std::string plain(gap);
    for (const std::string_view word : {"and", "or"}) {
      if (const auto found = plain.find(" " + std::string(word) + " ");
          found != std::string::npos) {
        plain.replace(found, word.size() + 2, ",");
      }
    }
    return plain.find_first_of(",&") != std::string::npos &&
           plain.find_first_not_of(",& \n\t-$") == std::string::npos;
  }

  void end_list() {
    if (list_.size() > 1) {
      result_.lists.push_back(list_);
      for (std::size_t i = list_begin_; i < list_begin_ + list_.size(); ++i) {
        result_.all[i].is_in_list = true;
      }
    }
    list_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_brackets_ = false;
  SaidNumbers result_;
  std::vector<double> list_;
  std::size_t list_begin_ = 0;  ///< Its first element in `result_.all`.
  std::size_t list_end_ = 0;
};

}  // namespace

SaidNumbers said_numbers(std::string_view text) { return Scanner(text).scan(); }

}  // namespace ingle

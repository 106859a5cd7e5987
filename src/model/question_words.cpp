#include "model/question_words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ingle {
namespace {

constexpr std::array kCommonWords = {
    "a",  "an",   "the",  "of",   "to",   "in",    "for",  "on",  "and",   "with",  "or",
    "is", "are",  "be",   "by",   "from", "as",    "at",   "it",  "this",  "that",  "i",
    "me", "my",   "you",  "your", "what", "which", "how",  "can", "could", "would", "please",
    "do", "does", "tell", "find", "get",  "give",  "want", "need"};

bool is_letter(char byte) { return std::isalpha(static_cast<unsigned char>(byte)) != 0; }

std::string stem(std::string word) {
  for (const std::string_view ending : {"ing", "ies", "es", "ed", "s"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + 3) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  if (word.ends_with('e') && word.size() > 3) {
    word.pop_back();  // "triangle" as "triangl(es)"
  }
  return word;
}

char lower(char byte) { return static_cast<char>(std::tolower(static_cast<unsigned char>(byte))); }

bool is_word_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
         static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (word.size() > 1 && std::ranges::find(kCommonWords, word) == kCommonWords.end()) {
      words.insert(stem(word));
    }
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    const bool is_capital = byte >= 'A' && byte <= 'Z';
    const bool is_hump = is_capital && i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    if (!is_letter(byte) || is_hump) {
      end_word();
    }
    if (is_letter(byte)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    }
  }
  end_word();
  return words;
}

double share_of(const std::set<std::string>& words, const std::set<std::string>& others) {
  const auto shared =
      std::ranges::count_if(words, [&](const std::string& word) { return others.contains(word); });
  return words.empty() ? 0.0 : static_cast<double>(shared) / static_cast<double>(words.size());
}

bool says(std::string_view text, std::string_view part) {
  if (part.empty()) {
    return false;
  }
  const auto plain = [](char c) { return c == '-' || c == '_' ? ' ' : lower(c); };
  const auto same = [plain](char a, char b) { return plain(a) == plain(b); };
  for (auto from = text.begin();;) {
    const auto found = std::search(from, text.end(), part.begin(), part.end(), same);
    if (found == text.end()) {
      return false;
    }
    const auto behind = found + static_cast<std::ptrdiff_t>(part.size());
    const bool begins_word = found == text.begin() || !is_word_byte(*(found - 1));
    const bool ends_word = behind == text.end() || !is_word_byte(*behind);
    if (begins_word && ends_word) {
      return true;
    }
    from = found + 1;
  }
}

}  // namespace ingle

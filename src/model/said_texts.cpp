#include "model/said_texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <unordered_set>
#include <utility>

namespace ingle {
namespace {

constexpr std::size_t kMaxWords = 200;  ///< Of the text.
constexpr std::size_t kMaxSpanWords = 6;
constexpr std::size_t kMaxNameWords = 12;
constexpr std::size_t kMaxItemWords = 3;
constexpr std::size_t kMaxLists = 24;
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kOpening = "\"'([{<`";
constexpr std::string_view kClosing = "\"')]}>`.,;:!?";
constexpr std::string_view kQuotes = "\"'`";

/// No value begins or ends with these.
constexpr std::array<std::string_view, 76> kEdges{
    "a",     "an",    "the",    "of",     "to",     "in",     "for",   "on",    "and",  "with",
    "or",    "is",    "are",    "be",     "by",     "from",   "as",    "at",    "it",   "this",
    "that",  "i",     "me",     "my",     "you",    "your",   "what",  "which", "how",  "can",
    "could", "would", "please", "do",     "does",   "if",     "when",  "where", "who",  "than",
    "then",  "into",  "about",  "during", "after",  "before", "also",  "has",   "have", "had",
    "was",   "were",  "will",   "there",  "their",  "his",    "her",   "its",   "our",  "we",
    "they",  "so",    "such",   "using",  "used",   "use",    "given", "want",  "need", "between",
    "whose", "while", "should", "shall",  "what's", "i'm"};

/// Within a value they stand between names only.
constexpr std::array<std::string_view, 22> kJoints{
    "for", "with", "in",  "from",   "at", "that", "which", "to", "by",   "on",    "about",
    "if",  "when", "and", "during", "or", "is",   "was",   "as", "into", "where", "who"};

/// What a request begins with.
constexpr std::array<std::string_view, 40> kVerbs{
    "find",     "check",  "calculate", "get",       "give",    "book",    "search",  "generate",
    "retrieve", "update", "convert",   "determine", "analyze", "predict", "locate",  "tell",
    "show",     "list",   "compute",   "create",    "provide", "fetch",   "change",  "play",
    "what",     "what's", "who",       "when",      "where",   "how",     "is",      "are",
    "can",      "could",  "please",    "read",      "open",    "look",    "explain", "describe"};

char lower(char byte) { return static_cast<char>(std::tolower(static_cast<unsigned char>(byte))); }

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::any_of(words, [word](std::string_view one) {
    return std::ranges::equal(one, word, [](char a, char b) { return a == lower(b); });
  });
}

std::string_view without_punctuation(std::string_view text) {
  const auto first = text.find_first_not_of(kOpening);
  if (first == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(first);
  const auto last = text.find_last_not_of(kClosing);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

struct Word {
  std::string_view text;  ///< With its punctuation.
  std::string_view plain;
  bool is_name = false;  ///< Begins with a capital or a digit.
  bool opens_quote = false;
  bool closes_quote = false;

  [[nodiscard]] bool is_edge() const {
    // "A" as a grade, "IT" as a field: capitals are meant.
    return is_among(kEdges, plain) && !(plain.size() > 1 && std::ranges::all_of(plain, [](char c) {
                                          return c >= 'A' && c <= 'Z';
                                        }));
  }
};

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (words.size() < kMaxWords) {
    at = text.find_first_not_of(kSpaces, at);
    if (at == std::string_view::npos) {
      break;
    }
    std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    // A sentence glued to a quotation: 'Roe v. Wade'.Include ...
    for (std::size_t i = at + 1; i + 1 < end; ++i) {
      if (text[i] == '.' && kQuotes.find(text[i - 1]) != std::string_view::npos) {
        end = i + 1;
      }
    }
    Word word{.text = text.substr(at, end - at), .plain = {}};
    word.plain = without_punctuation(word.text);
    word.opens_quote = kQuotes.find(word.text.front()) != std::string_view::npos;
    const auto tail = word.text.find_last_not_of(".,;:!?)");
    word.closes_quote = tail != std::string_view::npos && tail > 0 &&
                        kQuotes.find(word.text[tail]) != std::string_view::npos;
    word.is_name =
        !word.plain.empty() && ((word.plain.front() >= 'A' && word.plain.front() <= 'Z') ||
                                (word.plain.front() >= '0' && word.plain.front() <= '9'));
    words.push_back(word);
    at = end;
  }
  return words;
}

class Spans {
 public:
  explicit Spans(std::string_view text) : words_(words_in(text)) {}

  std::vector<std::string> all() {
    for (std::size_t first = 0; first < words_.size(); ++first) {
      const std::size_t end = std::min(first + kMaxNameWords, words_.size());
      for (std::size_t last = first; last < end; ++last) {
        if (last > first && !may_go_on(first, last)) {
          break;
        }
        if (may_be_value(first, last)) {
          add(first, last);
        }
      }
    }
    return std::move(spans_);
  }

 private:
  /// May a value that begins at `first` hold the word `last` behind others?
  [[nodiscard]] bool may_go_on(std::size_t first, std::size_t last) const {
    return !words_[last].opens_quote && !words_[last - 1].closes_quote &&
           !(first == 0 && is_among(kVerbs, words_[0].plain));
  }

  [[nodiscard]] bool may_be_value(std::size_t first, std::size_t last) const {
    const Word& begin = words_[first];
    const bool is_quoted = begin.opens_quote && words_[last].closes_quote;
    if (is_quoted) {
      return true;
    }
    const bool is_title = begin.plain == "The" && last > first && words_[first + 1].is_name;
    if (begin.plain.empty() || (begin.is_edge() && !is_title) || words_[last].is_edge() ||
        (first == 0 && is_among(kVerbs, begin.plain))) {
      return false;
    }
    bool is_all_names = true;
    for (std::size_t i = first; i <= last; ++i) {
      const bool is_joint = i > first && i < last && is_among(kJoints, words_[i].plain);
      if (is_joint && !(words_[i - 1].is_name && words_[i + 1].is_name)) {
        return false;
      }
      is_all_names = is_all_names && (words_[i].is_name || words_[i].is_edge());
    }
    return is_all_names || last - first < kMaxSpanWords;
  }

  void add(std::size_t first, std::size_t last) {
    const char* const begin = words_[first].text.data();
    const char* const end = words_[last].text.data() + words_[last].text.size();
    std::string joined;
    for (const char byte : std::string_view(begin, static_cast<std::size_t>(end - begin))) {
      const bool is_space = kSpaces.find(byte) != std::string_view::npos;
      if (!is_space || (!joined.empty() && joined.back() != ' ')) {
        joined += is_space ? ' ' : byte;
      }
    }
    std::string span(without_punctuation(joined));
    if (span.ends_with("'s")) {
      insert(span.substr(0, span.size() - 2));
    }
    insert(std::move(span));
  }

  void insert(std::string span) {
    if (!span.empty() && seen_.insert(span).second) {
      spans_.push_back(std::move(span));
    }
  }

  std::vector<Word> words_;
  std::vector<std::string> spans_;
  std::unordered_set<std::string> seen_;
};

using List = std::vector<std::string>;

std::string joined(std::span<const Word> words) {
  std::string result;
  for (const Word& word : words) {
    result += (result.empty() ? "" : " ") + std::string(word.text);
  }
  return std::string(without_punctuation(result));
}

/// "[a, 'b']" at `open`.
List bracketed(std::string_view text, std::size_t open) {
  const std::size_t close = text.find(']', open);
  List list;
  if (close == std::string_view::npos) {
    return list;
  }
  std::string_view inner = text.substr(open + 1, close - open - 1);
  while (!inner.empty()) {
    const std::size_t comma = std::min(inner.find(','), inner.size());
    std::string_view item = inner.substr(0, comma);
    const auto begin = item.find_first_not_of(kSpaces);
    if (begin != std::string_view::npos) {
      item = without_punctuation(item.substr(begin, item.find_last_not_of(kSpaces) - begin + 1));
      if (!item.empty()) {
        list.emplace_back(item);
      }
    }
    inner.remove_prefix(std::min(comma + 1, inner.size()));
  }
  return list;
}

/// Elements between commas, a last one behind "and" or "or".
class Enumerations {
 public:
  explicit Enumerations(std::string_view text) : words_(words_in(text)) {}

  std::vector<List> all() {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      if (words_[at].text.ends_with(',')) {
        at = read(at);
      }
    }
    return std::move(lists_);
  }

 private:
  /// A list whose first element ends at `comma`; returns where it ends.
  std::size_t read(std::size_t comma) {
    List middle;  // Behind the first element.
    std::size_t begin = comma + 1;
    std::size_t last_begin = 0;
    std::size_t at = begin;
    for (; at < words_.size() && at - begin < kMaxItemWords + 1; ++at) {
      if (is_and(at)) {
        if (at > begin) {
          middle.push_back(joined(std::span(words_).subspan(begin, at - begin)));
        }
        last_begin = at + 1;
        break;
      }
      if (words_[at].text.ends_with(',')) {
        middle.push_back(joined(std::span(words_).subspan(begin, at - begin + 1)));
        begin = at + 1;
      }
    }
    if (!middle.empty() && last_begin > 0 && last_begin < words_.size()) {
      add_readings(comma, middle, last_begin);
    }
    return std::max(comma, std::min(at, words_.size() - 1));
  }

  [[nodiscard]] bool is_and(std::size_t at) const {
    return words_[at].text == "and" || words_[at].text == "or";
  }

  /// The first element may have one to three words, and so may the last one.
  void add_readings(std::size_t comma, const List& middle, std::size_t last_begin) {
    for (std::size_t before = 1; before <= kMaxItemWords && before <= comma + 1; ++before) {
      const auto first = std::span(words_).subspan(comma + 1 - before, before);
      if (first.front().is_edge()) {
        break;
      }
      for (std::size_t behind = 1; behind <= kMaxItemWords; ++behind) {
        if (last_begin + behind > words_.size() || lists_.size() >= kMaxLists) {
          break;
        }
        const auto last = std::span(words_).subspan(last_begin, behind);
        if (last.back().is_edge()) {
          break;
        }
        List list{joined(first)};
        list.insert(list.end(), middle.begin(), middle.end());
        list.push_back(joined(last));
        lists_.push_back(std::move(list));
        const bool is_end = kClosing.find(last.back().text.back()) != std::string_view::npos;
        if (is_end) {
          break;
        }
      }
    }
  }

  std::vector<Word> words_;
  std::vector<List> lists_;
};

}  // namespace

std::vector<std::string> word_spans(std::string_view text) { return Spans(text).all(); }

std::vector<std::vector<std::string>> said_lists(std::string_view text) {
  std::vector<List> lists;
  for (std::size_t open = text.find('[');
       open != std::string_view::npos && lists.size() < kMaxLists;
       open = text.find('[', open + 1)) {
    if (List list = bracketed(text, open); list.size() > 1) {
      lists.push_back(std::move(list));
    }
  }
  return lists.empty() ? Enumerations(text).all() : lists;
}

}  // namespace ingle

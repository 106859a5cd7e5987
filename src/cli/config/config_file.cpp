#include "cli/config/config_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "cli/config/config_keys.h"
#include "cli/places.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20U;

/// The values of a key. A date, say, becomes its text's type name, which no key takes.
json to_json(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) {
    return *text;
  }
  if (const auto number = node.value_exact<std::int64_t>()) {
    return *number;
  }
  if (const auto number = node.value_exact<double>()) {
    return *number;
  }
  if (const auto flag = node.value_exact<bool>()) {
    return *flag;
  }
  if (const toml::array* array = node.as_array()) {
    json list = json::array();
    for (const toml::node& one : *array) {
      // A list of lists is refused like any other element that is no text.
      list.push_back(one.is_array() ? json::array() : to_json(one));
    }
    return list;
  }
  return json::object();
}

bool lies_within(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path inner = fs::weakly_canonical(path, error);
  const fs::path outer = fs::weakly_canonical(folder, error);
  const auto [end, ignored] = std::ranges::mismatch(outer, inner);
  return !error && (end == outer.end() || end->empty());
}

class Reader {
 public:
  explicit Reader(const ConfigFileRequest& request)
      : request_(request), folder_(fs::absolute(request.file).parent_path()) {}

  Result<ConfigFile> read(const toml::table& document) {
    for (const auto& [name, node] : document) {
      const std::string key(name.str());
      const toml::table* table = node.as_table();
      if (table == nullptr || !is_table(key)) {
        INGLE_RETURN_IF_ERROR(set(key, node, name.source()));
        continue;
      }
      for (const auto& [inner, value] : *table) {
        INGLE_RETURN_IF_ERROR(set(key + "." + std::string(inner.str()), value, inner.source()));
      }
    }
    return std::move(result_);
  }

 private:
  static bool is_table(const std::string& name) {
    return std::ranges::any_of(config_keys(),
                               [&](const ConfigKey& key) { return key.table() == name; });
  }

  [[nodiscard]] Error error(std::string reason, const toml::source_region& place,
                            const std::string& message) const {
    return {ErrorCode::kInvalidArgument, std::move(reason),
            fmt::format("{}:{}: {}", request_.shown, place.begin.line, message), Json{}};
  }

  Result<void> set(const std::string& name, const toml::node& node,
                   const toml::source_region& place) {
    const ConfigKey* key = find_config_key(name);
    if (key == nullptr) {
      return unknown(name, place);
    }
    if (auto put = set_value(result_.values, *key, Json(to_json(node))); !put) {
      return error("config_value_invalid", place, name + ": " + put.error().message);
    }
    if (const auto* member = std::get_if<std::optional<std::string> Config::*>(&key->member)) {
      std::string& text = *(result_.values.*(*member));
      text = absolute(text, key->form);
    }
    result_.lines.emplace(name, static_cast<int>(place.begin.line));
    return request_.trust == ConfigTrust::kProject ? check_allowed(name, place) : Result<void>();
  }

  [[nodiscard]] Error unknown(const std::string& name, const toml::source_region& place) const {
    std::string message = fmt::format("there is no key {}", name);
    if (const auto nearest = nearest_config_key(name)) {
      message += "; did you mean " + *nearest + "?";
    } else {
      message += "; ingle config lists the keys";
    }
    return error("config_key_unknown", place, message);
  }

  Result<void> check_allowed(const std::string& name, const toml::source_region& place) const {
    if (name == "rules.allow") {
      return error("config_not_allowed", place,
                   "rules.allow in a project's file would let a folder allow itself what its tools "
                   "do; put it into your own file (ingle config names it), or give --allow");
    }
    if (name == "root" && !lies_within(*result_.values.root, folder_)) {
      return error(
          "config_not_allowed", place,
          "root leaves the project's folder; put it into your own file (ingle config names "
          "it), or give --root");
    }
    return {};
  }

  /// A path in a file is meant from where the file is. No shell is there to put in the home.
  [[nodiscard]] std::string absolute(const std::string& text, TextForm form) const {
    if (form != TextForm::kPlain && text.starts_with("~/")) {
      return (request_.home / text.substr(2)).lexically_normal().string();
    }
    switch (form) {
      case TextForm::kPlain:
        return text;
      case TextForm::kPath:
        return (folder_ / text).lexically_normal().string();
      case TextForm::kModel:
        return absolute_model(text, folder_);
    }
    return text;
  }

  const ConfigFileRequest& request_;
  const fs::path folder_;
  ConfigFile result_;
};

Result<std::string> text_of_file(const fs::path& file, const std::string& shown) {
  struct ::stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    const bool is_missing = errno == ENOENT || errno == ENOTDIR;
    return Error{is_missing ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                 is_missing ? "config_missing" : "config_unreadable",
                 fmt::format("{}: {}", shown, std::strerror(errno)), Json{}};
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return Error{
        ErrorCode::kInvalidArgument, "config_foreign",
        fmt::format("{} belongs to another user, who could change what is run in your name; "
                    "take it over (chown), or leave it out with --config none",
                    shown),
        Json{}};
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kUnavailable, "config_unreadable", shown + ": is not a file", Json{}};
  }
  if (static_cast<std::uintmax_t>(status.st_size) > kMaxBytes) {
    return Error{ErrorCode::kInvalidArgument, "config_too_large",
                 fmt::format("{}: {} bytes are more than the {} that a configuration may have",
                             shown, status.st_size, kMaxBytes),
                 Json{}};
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    return Error{ErrorCode::kUnavailable, "config_unreadable", shown + ": cannot be read", Json{}};
  }
  return std::move(text).str();
}

}  // namespace

Result<ConfigFile> read_config_file(const ConfigFileRequest& request) {
  INGLE_TRY(const std::string text, text_of_file(request.file, request.shown));
  const toml::parse_result parsed = toml::parse(text, request.shown);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Error{ErrorCode::kInvalidArgument, "config_syntax",
                 fmt::format("{}:{}: {}", request.shown, error.source().begin.line,
                             std::string(error.description())),
                 Json{}};
  }
  return Reader(request).read(parsed.table());
}

}  // namespace ingle::cli

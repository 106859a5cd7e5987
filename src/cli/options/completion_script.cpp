// `ingle completion SHELL`: a few lines for each shell, which ask `ingle complete` for the rest.
#include <CLI/CLI.hpp>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/options/options_parts.h"

namespace ingle::cli {
namespace {

constexpr const char* kFooter = R"sh(Examples:
  bash    echo 'eval "$(ingle completion bash)"' >> ~/.bashrc
  zsh     ingle completion zsh > "${fpath[1]}/_ingle"
  fish    ingle completion fish > ~/.config/fish/completions/ingle.fish

Offers commands, options and their values, models, tools and the newest sessions.)sh";

// COMP_WORDBREAKS cuts at ':' and '=', so what stands before them in the word is taken away again.
constexpr std::string_view kBash = R"sh(# ingle completion bash
_ingle() {
  local line current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$current") ;;
      *:) compopt -o nospace 2>/dev/null; COMPREPLY+=("$line") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _ingle ingle
)sh";

constexpr std::string_view kZsh = R"sh(#compdef ingle
# ingle completion zsh
_ingle() {
  local line
  local -a lines
  lines=("${(@f)$(${words[1]} complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      *:) compadd -S '' -- "$line" ;;
      ?*) compadd -- "$line" ;;
    esac
  done
}
if [ "$funcstack[1]" = "_ingle" ]; then _ingle "$@"; else compdef _ingle ingle; fi
)sh";

constexpr std::string_view kFish = R"sh(# ingle completion fish
function __ingle_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] complete $words[2..-1] 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (commandline -ct)
      case ':folders'
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c ingle -f -a '(__ingle_complete)'
)sh";

std::string_view script(Shell shell) {
  switch (shell) {
    case Shell::kBash:
      return kBash;
    case Shell::kZsh:
      return kZsh;
    case Shell::kFish:
      return kFish;
  }
  return "";
}

}  // namespace

void add_completion(CLI::App& app, CompletionArguments& arguments) {
  CLI::App* completion = app.add_subcommand("completion", "A script that completes for a shell");
  completion->footer(kFooter);
  const std::map<std::string, Shell> shells{
      {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
  completion
      ->add_option_function<std::string>(
          "SHELL",
          [&arguments, shells](const std::string& name) {
            const auto found = shells.find(name);
            if (found == shells.end()) {
              throw CLI::ValidationError("SHELL", "\"" + name + "\" is not bash, zsh or fish");
            }
            arguments.shell = found->second;
          },
          "bash, zsh or fish")
      ->required();
}

ExitCode print_completion(const CompletionArguments& arguments, Streams& streams) {
  streams.out << script(arguments.shell);
  return ExitCode::kOk;
}

}  // namespace ingle::cli

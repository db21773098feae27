// strata completion: what a shell needs to complete commands, options and their values.
#include "Commands.h"
#include "Messages.h"
#include "OutputFile.h"
#include "ShownOptions.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace strata::tool {

namespace completion {
#define STRATA_OPTIONS "CompletionOptions.inc"
#include "OptionTable.def"
} // namespace completion

const Command completionDescription{
    "completion", R"(
strata completion writes what a shell needs to complete commands, options and their values.

  source <(strata completion bash)                       in ~/.bashrc
  strata completion zsh -o ~/.zfunc/_strata              a folder of $fpath
  strata completion fish -o ~/.config/fish/completions/strata.fish
)",
    completion::table, "SHELL", "what bash, zsh or fish needs to complete commands and options"};

namespace {

// The commands that have a word, and what is done with a statement, which has none.
struct CommandsByWord {
  std::vector<const Command *> named;
  const Command *statement = nullptr;
};

CommandsByWord commandsByWord() {
  CommandsByWord commands;
  for (const Command *command : allCommands())
    if (command->name.empty())
      commands.statement = command;
    else
      commands.named.push_back(command);
  return commands;
}

std::string commandWords() {
  std::string words = "help";
  for (const Command *command : commandsByWord().named)
    words += " " + command->name.str();
  return words;
}

//===------------------------------------------------------------------------------------------===//
// bash
//===------------------------------------------------------------------------------------------===//

std::string bashCase(const Command &command) {
  std::string words, values;
  for (const ShownOption &option : shownOptions(command)) {
    words += (words.empty() ? "" : " ") + option.word;
    if (!option.values.empty())
      values += "        " + StringRef(option.word).rtrim('=').str() + ") values='" +
                llvm::join(option.values, " ") + "' ;;\n";
  }
  std::string text = "    " + (command.name.empty() ? "*" : command.name.str()) +
                     ")\n      options='" + words + "'\n";
  if (!values.empty())
    text += "      case $option in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

// bash takes `--stage=asm` for three words.
std::string bash() {
  std::string text = R"(# Completion of strata for bash, made by 'strata completion bash'.
_strata() {
  local cur=${COMP_WORDS[COMP_CWORD]} command= option= options= values= word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { command=$word; break; }
  done
  if [[ $cur == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD-1]} cur=
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $command in
)";
  CommandsByWord commands = commandsByWord();
  for (const Command *command : commands.named)
    text += bashCase(*command);
  text += bashCase(*commands.statement);
  return text + R"(  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
  elif [[ -n $option ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    [[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == *= ]] && compopt -o nospace 2> /dev/null
  elif [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W ')" +
         commandWords() + R"(' -- "$cur") $(compgen -f -- "$cur"))
  elif [[ $command == help && $COMP_CWORD == 2 ]]; then
    COMPREPLY=($(compgen -W ')" +
         commandWords() + R"( statement formats' -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _strata strata
)";
}

//===------------------------------------------------------------------------------------------===//
// zsh and fish
//===------------------------------------------------------------------------------------------===//

std::string escaped(StringRef text, StringRef special) {
  std::string result;
  for (char c : text) {
    if (special.contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

// Within single quotes.
std::string quoted(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string zshArguments(const Command &command) {
  std::string text = "      _arguments";
  for (const ShownOption &option : shownOptions(command)) {
    std::string spec = option.word +
                       (option.value.empty() || option.word.back() == '=' ? "" : "+") + "[" +
                       escaped(option.help, "[]:\\") + "]";
    if (!option.value.empty())
      spec += ":" + escaped(option.value, ":\\") + ":" +
              (option.values.empty() ? "_files" : "(" + llvm::join(option.values, " ") + ")");
    text += " \\\n        " + quoted("*" + spec);
  }
  return text + " \\\n        '*:file:_files'\n";
}

std::string zsh() {
  std::string text = R"(#compdef strata
# Completion of strata for zsh, made by 'strata completion zsh'.
_strata() {
  local -a commands
  commands=(
    'help:what can be done'
)";
  CommandsByWord commands = commandsByWord();
  for (const Command *command : commands.named)
    text += "    " + quoted(command->name.str() + ":" + escaped(command->summary, ":")) + "\n";
  text += "  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
          "    _describe command commands\n    _files\n    return\n  fi\n"
          "  local command=$words[2]\n  case $command in\n";
  for (const Command *command : commands.named)
    text += "    " + command->name.str() + ")\n      shift words\n      (( CURRENT-- ))\n" +
            zshArguments(*command) + "      ;;\n";
  return text + "    *)\n" + zshArguments(*commands.statement) +
         "      ;;\n  esac\n}\n_strata \"$@\"\n";
}

std::string fish() {
  std::string text = "# Completion of strata for fish, made by 'strata completion fish'.\n";
  std::string none = "not __fish_seen_subcommand_from " + commandWords();
  for (const Command *command : commandsByWord().named)
    text += "complete -c strata -n __fish_use_subcommand -a " + command->name.str() + " -d " +
            quoted(command->summary) + "\n";
  for (const Command *command : allCommands()) {
    std::string when =
        command->name.empty() ? none : "__fish_seen_subcommand_from " + command->name.str();
    for (const ShownOption &option : shownOptions(*command)) {
      StringRef word = StringRef(option.word).rtrim('=');
      bool twoDashes = word.consume_front("--");
      if (!twoDashes)
        word = word.drop_front();
      text += "complete -c strata -n " + quoted(when) +
              (twoDashes          ? " -l "
               : word.size() == 1 ? " -s "
                                  : " -o ") +
              word.str();
      if (!option.value.empty())
        text += option.values.empty() ? std::string(" -r")
                                      : " -x -a " + quoted(llvm::join(option.values, " "));
      text += " -d " + quoted(option.help) + "\n";
    }
  }
  return text;
}

} // namespace

int completionCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(completionDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> shell = args.onlyInput("completion", "the name of a shell");
  if (!shell)
    return *args.exitCode;
  StringRef file = args.list.getLastArgValue(completion::OPT_output, "-");
  if (*shell == "bash")
    return writeTo(file, bash());
  if (*shell == "zsh")
    return writeTo(file, zsh());
  if (*shell == "fish")
    return writeTo(file, fish());
  return refuse("there is no completion for '" + *shell + "'", "the shells are bash, zsh and fish");
}

} // namespace strata::tool

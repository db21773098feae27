// Settings as options of commands.
#include "SettingOptions.h"
#include "Messages.h"

#include "strata/settings/Settings.h"

#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"

#include <deque>

using llvm::ArrayRef;
using llvm::StringRef;
using strata::runtime::Status;
using strata::settings::Setting;

namespace strata::tool {

// The arguments that settings have given so far, and where from.
static std::deque<std::string> &given() {
  static std::deque<std::string> all;
  return all;
}

static std::vector<std::string> &places() {
  static std::vector<std::string> all;
  return all;
}

static int refuseSetting(const runtime::Error &error) { return refuse(error.sentence()); }

// The value of --config at a place of the arguments; nothing if there stands something else.
static std::optional<StringRef> configAt(ArrayRef<const char *> arguments, size_t at) {
  StringRef word = arguments[at];
  if (!word.starts_with("-"))
    return std::nullopt;
  word = word.ltrim('-');
  if (word.consume_front("config="))
    return word;
  if (word == "config" && at + 1 < arguments.size())
    return StringRef(arguments[at + 1]);
  return std::nullopt;
}

static bool asksForHelp(StringRef word) {
  return word == "--help" || word == "-help" || word == "-h" || word == "--version" ||
         word == "-version";
}

// Tells whether a command only describes the commands and settings that there are.
static bool needsNoSettings(ArrayRef<const char *> arguments) {
  if (arguments.empty() || llvm::any_of(arguments, asksForHelp))
    return true;
  StringRef command = arguments[0];
  return command == "help" || command == "completion" || command == "manual" ||
         (command == "config" && llvm::any_of(arguments, [](StringRef word) {
            return word == "--list" || word == "-list";
          }));
}

std::optional<int> readSettings(ArrayRef<const char *> arguments) {
  if (needsNoSettings(arguments))
    return std::nullopt;
  if (llvm::any_of(arguments,
                   [](StringRef word) { return word == "--isolated" || word == "-isolated"; }))
    settings::isolate();
  for (size_t at = 0; at < arguments.size(); ++at)
    if (std::optional<StringRef> value = configAt(arguments, at))
      if (Status status = settings::set(*value); !status.ok())
        return refuseSetting(status.error());
  for (const Setting &setting : settings::all())
    if (!setting.isAskedFor)
      if (Status status = settings::check(setting); !status.ok())
        return refuseSetting(status.error());
  if (Status status = settings::read(); !status.ok())
    return fail(status.error().sentence());
  return std::nullopt;
}

// The option by its name in the table, "--threads=" or "--quiet"; 0 if the command has none.
static unsigned findOption(const llvm::opt::OptTable &table, StringRef word) {
  for (unsigned id = 1; id <= table.getNumOptions(); ++id)
    if (table.getOptionPrefixedName(id).rtrim('=') == word && table.getOptionHelpText(id))
      return id;
  return 0;
}

// What an option is called for a value of its setting; empty if it is left out for it.
static std::string argumentFor(const Setting &setting, StringRef value) {
  if (setting.kind == settings::Kind::Switch)
    return value == "true" ? setting.option.str() : "";
  if (setting.key == "threads" && value == "0")
    return "";
  return (setting.option + "=" + value).str();
}

static void add(std::vector<const char *> &arguments, std::string argument,
                const settings::Value &value) {
  given().push_back(std::move(argument));
  arguments.push_back(given().back().c_str());
  if (value.origin != settings::Origin::CommandLine)
    places().push_back(given().back() + " (" + value.place + ")");
}

std::vector<const char *> settingArguments(const Command &command,
                                           const llvm::opt::InputArgList &list) {
  const llvm::opt::OptTable &table = command.options();
  std::vector<const char *> arguments;
  auto has = [&](StringRef word) {
    unsigned id = findOption(table, word);
    return id && list.hasArg(llvm::opt::OptSpecifier(id));
  };
  for (const Setting &setting : settings::all()) {
    std::optional<settings::Value> value = settings::valueOf(setting);
    if (!value || setting.isAskedFor)
      continue;
    if (setting.key == "output-format") {
      std::string option = "--" + value->text;
      if (findOption(table, option) && !has("--json") && !has("--csv"))
        add(arguments, option, *value);
      continue;
    }
    if (setting.option.empty() || !findOption(table, setting.option) || has(setting.option))
      continue;
    if (std::string argument = argumentFor(setting, value->text); !argument.empty())
      add(arguments, std::move(argument), *value);
  }
  return arguments;
}

void noteSettings() {
  for (const std::string &place : places())
    note("a setting adds " + place);
  for (const Setting &setting : settings::all()) {
    std::optional<settings::Value> value = settings::valueOf(setting);
    auto names = [&](const Said &said) {
      return StringRef(said.message).contains(setting.variable);
    };
    if (value && setting.isAskedFor && value->origin <= settings::Origin::Project &&
        llvm::any_of(errorsShown(), names))
      note(setting.variable + " is what " + value->place + " says");
  }
}

} // namespace strata::tool

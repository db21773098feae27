// strata config: the settings that hold, and where each comes from.
#include "Commands.h"
#include "Messages.h"

#include "strata/settings/Settings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/JSON.h"

using llvm::outs;
using llvm::StringRef;
using strata::settings::Setting;

namespace strata::tool {

namespace config {
#define STRATA_OPTIONS "ConfigOptions.inc"
#include "OptionTable.def"
} // namespace config

const Command configDescription{"config", R"(
strata config tells which settings hold, and where each value comes from.

  strata config                    all settings, and the files that were looked for
  strata config --config=threads=2 ... with one over all files
  strata config --list             what each means, its option, and its variable

A value on the command line takes precedence over one of the environment, that over strata.toml of
the project (the first one in the working folder and those above it), and that over
strata/strata.toml in $XDG_CONFIG_HOME or ~/.config. STRATA_CONFIG names one file instead of both.
)",
                                config::table, "", "the settings, and where they come from"};

static StringRef nameOf(settings::Origin origin) {
  switch (origin) {
  case settings::Origin::User:
    return "user";
  case settings::Origin::Project:
    return "project";
  case settings::Origin::Environment:
    return "environment";
  case settings::Origin::CommandLine:
    return "command line";
  }
  return "";
}

static void printTable() {
  size_t width = 0;
  for (const Setting &setting : settings::all()) {
    std::optional<settings::Value> value = settings::valueOf(setting);
    width = std::max(width, value ? value->text.size() : setting.otherwise.size());
  }
  for (const Setting &setting : settings::all()) {
    std::optional<settings::Value> value = settings::valueOf(setting);
    std::string text = value ? value->text : setting.otherwise.str();
    outs() << llvm::left_justify(setting.key, 16) << llvm::left_justify(text, unsigned(width + 2));
    if (value && value->origin != settings::Origin::CommandLine)
      outs() << nameOf(value->origin) << ": ";
    outs() << (value ? value->place : "default") << "\n";
  }
  for (const settings::File &file : settings::files())
    outs() << "\n" << nameOf(file.origin) << ": " << file.path << (file.exists ? "" : " (none)");
  outs() << (settings::files().empty() ? "" : "\n");
}

static void printJson() {
  llvm::json::OStream json(outs(), 1);
  json.object([&] {
    json.attributeObject("settings", [&] {
      for (const Setting &setting : settings::all())
        json.attributeObject(setting.key, [&] {
          std::optional<settings::Value> value = settings::valueOf(setting);
          json.attribute("value", value ? llvm::json::Value(value->text) : nullptr);
          json.attribute("origin", value ? nameOf(value->origin) : StringRef("default"));
          if (value)
            json.attribute("place", value->place);
        });
    });
    json.attributeArray("files", [&] {
      for (const settings::File &file : settings::files())
        json.object([&] {
          json.attribute("path", file.path);
          json.attribute("origin", nameOf(file.origin));
          json.attribute("exists", file.exists);
        });
    });
  });
  outs() << "\n";
}

// Says what is written in a file for each kind.
static std::string writtenAs(const Setting &setting) {
  switch (setting.kind) {
  case settings::Kind::Count:
    return "an integer";
  case settings::Kind::Bytes:
    return "an integer, or a text: `\"1.5G\"`";
  case settings::Kind::Switch:
    return "`true` or `false`";
  case settings::Kind::Word: {
    std::vector<std::string> words;
    for (StringRef word : setting.values)
      words.push_back("`\"" + word.str() + "\"`");
    return words.empty() ? "a text" : llvm::join(words, ", ");
  }
  case settings::Kind::Words:
    return "a list of texts";
  case settings::Kind::Path:
    return "a path";
  }
  return "";
}

static void printReference() {
  outs()
      << "| key | value | otherwise | option | variable | meaning |\n|---|---|---|---|---|---|\n";
  for (const Setting &setting : settings::all()) {
    std::string option = setting.option.empty() ? "" : "`" + setting.option.str() + "`";
    outs() << "| `" << setting.key << "` | " << writtenAs(setting) << " | " << setting.otherwise
           << " | " << option << " | `" << setting.variable << "` | " << setting.meaning
           << (setting.user == settings::User::All ? "; also for Python" : "")
           << (setting.isLoaded ? "; not in a project's file" : "") << " |\n";
  }
}

int configCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace config;
  Arguments args = parseArguments(configDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  for (const llvm::opt::Arg *arg : args.list.filtered(OPT_INPUT))
    return refuse("config takes no argument, as '" + StringRef(arg->getValue()) + "' is one",
                  "strata.toml is where settings are written");
  if (args.list.hasArg(OPT_list_all))
    printReference();
  else if (args.list.hasArg(OPT_json))
    printJson();
  else
    printTable();
  return exitSuccess;
}

} // namespace strata::tool

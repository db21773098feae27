// Options as users read them.
#include "ShownOptions.h"

#include "strata/settings/Settings.h"

using namespace llvm;

namespace strata::tool {

// "; setting 'threads', variable STRATA_NUM_THREADS" of the option "--threads=".
static std::string settingText(StringRef option) {
  for (const settings::Setting &setting : settings::all())
    if (!setting.option.empty() && option.rtrim('=') == setting.option)
      return ("; setting '" + setting.key + "', variable " + setting.variable).str();
  return "";
}

// "--time", "-D NAME=VALUE", "-f=A:FORMAT".
static std::string callOf(StringRef word, StringRef value, bool oneDash) {
  if (value.empty() || word.ends_with("="))
    return (word + value).str();
  return (word + (oneDash && !value.contains('=') ? "=" : " ") + value).str();
}

std::vector<ShownOption> shownOptions(const Command &command) {
  const opt::OptTable &table = command.options();
  bool oneDash = command.name.empty();
  std::vector<ShownOption> options;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const char *help = table.getOptionHelpText(id);
    if (!help)
      continue;
    StringRef name = table.getOptionPrefixedName(id);
    ShownOption option;
    option.values = table.suggestValueCompletions(name, "");
    option.word = oneDash && name.starts_with("--") ? name.drop_front() : name;
    option.value = table.getOptionMetaVar(id) ? table.getOptionMetaVar(id) : "";
    option.call = callOf(option.word, option.value, oneDash);
    option.help = help + settingText(name);
    options.push_back(std::move(option));
  }
  return options;
}

} // namespace strata::tool

// strata manual: the manual page, made of the texts of --help and the tables of options.
#include "Commands.h"
#include "Help.h"
#include "OutputFile.h"
#include "ShownOptions.h"

#include "strata/Version.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace strata::tool {

namespace manual {
#define STRATA_OPTIONS "CompletionOptions.inc"
#include "OptionTable.def"
} // namespace manual

const Command manualDescription{"manual", R"(
strata manual writes the manual page of strata.

  strata manual -o strata.1 && man ./strata.1
)",
                                manual::table, "", "the manual page, for man"};

// roff's own signs as letters.
static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
  return result;
}

// Lines as they are.
static std::string verbatim(StringRef text) {
  std::string result = ".nf\n";
  llvm::SmallVector<StringRef> lines;
  text.trim('\n').split(lines, '\n');
  for (StringRef line : lines)
    result += (line.starts_with(".") ? "\\&" : "") + escaped(line) + "\n";
  return result + ".fi\n";
}

static std::string sectionOf(const Command &command) {
  std::string title = command.name.empty() ? "STATEMENTS" : "STRATA " + command.name.upper();
  std::string text = ".SH " + title + "\n" + verbatim(command.help);
  for (const ShownOption &option : shownOptions(command))
    text += ".TP\n.B " + escaped(option.call) + "\n" + escaped(option.help) + "\n";
  return text;
}

static std::string manualPage() {
  std::string text = ".\\\" Made by 'strata manual'.\n.TH STRATA 1 \"\" \"strata " STRATA_VERSION
                     "\"\n.SH NAME\nstrata \\- compiles tensor algebra over any storage format\n"
                     ".SH SYNOPSIS\n";
  for (const Command *command : allCommands()) {
    std::string call = command->name.empty() ? "" : " " + command->name.str();
    text += ".B strata" + call + "\n" +
            escaped(command->input.str() + (command->input.empty() ? "" : " ") + "[OPTION]...") +
            "\n.br\n";
  }
  text += ".SH DESCRIPTION\n" + verbatim(generalHelp);
  for (const Command *command : allCommands())
    text += sectionOf(*command);
  return text;
}

int manualCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(manualDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  return writeTo(args.list.getLastArgValue(manual::OPT_output, "-"), manualPage());
}

} // namespace strata::tool

// strata: runs, explains and compiles programs of tensor algebra.
#include "CommandLine.h"
#include "Commands.h"
#include "Help.h"
#include "InRanks.h"
#include "Messages.h"
#include "ProcessClock.h"
#include "SettingOptions.h"

#include "strata/frontend/Suggest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace strata::tool {
namespace {

struct Entry {
  const Command &description;
  int (*run)(ArrayRef<const char *>);
  InRanks kind = InRanks::Never;
};

const Entry commands[] = {{statementDescription, statementCommand, InRanks::Together},
                          {runDescription, runCommand, InRanks::Together},
                          {benchDescription, benchCommand},
                          {exploreDescription, exploreCommand},
                          {explainDescription, explainCommand},
                          {emitDescription, emitCommand},
                          {compileDescription, compileCommand},
                          {infoDescription, infoCommand},
                          {checkDescription, checkCommand},
                          {convertDescription, convertCommand},
                          {reorderDescription, reorderCommand},
                          {spyDescription, spyCommand},
                          {dumpDescription, dumpCommand},
                          {cacheDescription, cacheCommand},
                          {configDescription, configCommand},
                          {machineDescription, machineCommand},
                          {ranksDescription, ranksCommand, InRanks::Together},
                          {formatDescription, formatCommand},
                          {lspDescription, lspCommand},
                          {serveDescription, serveCommand},
                          {completionDescription, completionCommand},
                          {manualDescription, manualCommand}};

// A statement's own name is empty; it is asked for by this one.
StringRef nameOf(const Entry &entry) {
  return entry.description.name.empty() ? "statement" : entry.description.name;
}

const Entry *find(StringRef name) {
  const Entry *found = llvm::find_if(commands, [&](const Entry &e) { return nameOf(e) == name; });
  return found == std::end(commands) ? nullptr : found;
}

// The first argument that is an option of no statement; empty if there is none.
StringRef unknownOption(ArrayRef<const char *> arguments) {
  unsigned missingIndex, missingCount;
  llvm::opt::InputArgList list =
      statementDescription.options().ParseArgs(arguments, missingIndex, missingCount);
  for (const llvm::opt::Arg *arg : list)
    if (arg->getOption().getKind() == llvm::opt::Option::UnknownClass)
      return arguments[arg->getIndex()];
  return "";
}

// `name` is the first argument, and none of them is a statement.
int refuseCommand(StringRef name, ArrayRef<const char *> arguments) {
  if (name.ends_with(".ta") || name.ends_with(".mlir"))
    return refuse("unknown command '" + name + "'", "did you mean 'strata run " + name + "'?");
  if (name.ends_with(".mtx") || name.ends_with(".tns"))
    return refuse("unknown command '" + name + "'", "did you mean 'strata info " + name + "'?");
  if (name.starts_with("-")) {
    auto program = llvm::find_if(arguments, [](StringRef argument) {
      return argument.ends_with(".ta") || argument.ends_with(".mlir");
    });
    if (StringRef option = unknownOption(arguments); !option.empty() && program == arguments.end())
      return refuse("unknown option '" + option + "'", "'strata --help' shows what can be done");
    return refuse("there is no command and no statement",
                  program != arguments.end()
                      ? "did you mean 'strata run " + StringRef(*program) + "'?"
                      : llvm::Twine("'strata --help' shows what can be done"));
  }
  if (arguments.size() > 1 && StringRef(arguments[1]) == "=")
    return refuse("the statement must be one argument",
                  "put it in quotes: strata '" + llvm::join(arguments, " ") + "'");
  if (name.contains('('))
    return refuse("'" + name + "' is not a statement",
                  "a statement gives a tensor a value: 'y(i) = A(i,j) * x(j)'");
  std::vector<StringRef> names;
  for (const Entry &entry : commands)
    names.push_back(nameOf(entry));
  std::string hint = frontend::didYouMean(name, names);
  return refuse("unknown command '" + name + "'",
                hint.empty() ? "'strata --help' lists the commands" : hint);
}

int help(ArrayRef<const char *> topics) {
  if (topics.empty())
    return printGeneralHelp();
  StringRef topic = topics.front();
  if (topic == "help")
    return printGeneralHelp();
  const Entry *entry = find(topic);
  return entry ? entry->run({"--help"}) : printTopic(topic);
}

int dispatch(ArrayRef<const char *> arguments) {
  if (arguments.empty())
    return printGeneralHelp();
  StringRef first = arguments.front();
  if (const Entry *entry = find(first))
    return runInRanks(entry->kind, arguments, [&] { return entry->run(arguments.drop_front()); });
  if (first == "help")
    return help(arguments.drop_front());
  if (hasStatement(arguments))
    return runInRanks(InRanks::Together, arguments, [&] { return statementCommand(arguments); });
  if (first == "--help" || first == "-help" || first == "-h")
    return printGeneralHelp();
  if (first == "--version" || first == "-version")
    return printVersion();
  if (StringRef topic = first.ltrim('-'); first.starts_with("-") && topic.consume_front("help="))
    return help({topic.data()});
  return refuseCommand(first, arguments);
}

} // namespace

ArrayRef<const Command *> allCommands() {
  static const std::vector<const Command *> list = [] {
    std::vector<const Command *> descriptions;
    for (const Entry &entry : commands)
      descriptions.push_back(&entry.description);
    return descriptions;
  }();
  return list;
}

} // namespace strata::tool

int strata_command_line(int argc, char **argv) {
  using namespace strata::tool;
  startProcessClock();
  ArrayRef<const char *> arguments = ArrayRef<const char *>(argv, size_t(argc)).drop_front();
  std::optional<int> mistake = readSettings(arguments);
  int code = mistake ? *mistake : dispatch(arguments);
  if (code == exitMisuse && !mistake)
    noteSettings();
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::string why = llvm::outs().error().message();
    llvm::outs().clear_error();
    return fail("cannot write standard output: " + why);
  }
  return code;
}

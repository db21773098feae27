// strata: runs, explains and compiles programs of tensor algebra.
#include "Commands.h"
#include "Help.h"
#include "Messages.h"
#include "ProcessClock.h"

#include "strata/frontend/Suggest.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace strata::tool {
namespace {

struct Entry {
  StringRef name;
  int (*run)(ArrayRef<const char *>);
};

constexpr Entry commands[] = {{"run", runCommand},     {"explain", explainCommand},
                              {"emit", emitCommand},   {"info", infoCommand},
                              {"check", checkCommand}, {"convert", convertCommand},
                              {"cache", cacheCommand}, {"statement", statementCommand}};

const Entry *find(StringRef name) {
  const Entry *found = llvm::find_if(commands, [&](const Entry &e) { return e.name == name; });
  return found == std::end(commands) ? nullptr : found;
}

int refuseCommand(StringRef name) {
  if (name.ends_with(".ta") || name.ends_with(".mlir"))
    return refuse("'" + name + "' is no command", "did you mean 'strata run " + name + "'?");
  if (name.ends_with(".mtx") || name.ends_with(".tns"))
    return refuse("'" + name + "' is no command", "did you mean 'strata info " + name + "'?");
  if (name.starts_with("-"))
    return refuse("there is no command and no statement", "'strata --help' shows what can be done");
  if (name.contains('('))
    return refuse("'" + name + "' is no statement",
                  "a statement gives a tensor a value: 'y(i) = A(i,j) * x(j)'");
  std::vector<StringRef> names;
  for (const Entry &entry : commands)
    names.push_back(entry.name);
  std::string hint = frontend::didYouMean(name, names);
  return refuse("'" + name + "' is no command",
                hint.empty() ? "'strata --help' lists the commands" : hint);
}

int help(ArrayRef<const char *> topics) {
  if (topics.empty())
    return printGeneralHelp();
  if (StringRef(topics.front()) == "formats")
    return printFormatHelp();
  const Entry *entry = find(topics.front());
  return entry ? entry->run({"--help"}) : refuseCommand(topics.front());
}

int dispatch(ArrayRef<const char *> arguments) {
  if (arguments.empty())
    return printGeneralHelp();
  StringRef first = arguments.front();
  if (const Entry *entry = find(first))
    return entry->run(arguments.drop_front());
  if (first == "help")
    return help(arguments.drop_front());
  if (hasStatement(arguments))
    return statementCommand(arguments);
  if (first == "--help" || first == "-help" || first == "-h")
    return printGeneralHelp();
  if (first == "--version" || first == "-version")
    return printVersion();
  return refuseCommand(first);
}

} // namespace
} // namespace strata::tool

int main(int argc, char **argv) {
  using namespace strata::tool;
  startProcessClock();
  int code = dispatch(ArrayRef<const char *>(argv, size_t(argc)).drop_front());
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::string why = llvm::outs().error().message();
    llvm::outs().clear_error();
    return fail("cannot write standard output: " + why);
  }
  return code;
}

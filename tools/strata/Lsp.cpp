// strata lsp: a language server for programs (.ta), for editors.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "lsp/LanguageServer.h"

#include <csignal>
#include <unistd.h>

namespace strata::tool {

namespace languageserver {
#define STRATA_OPTIONS "LspOptions.inc"
#include "OptionTable.def"
} // namespace languageserver

const Command lspDescription{"lsp", R"(
strata lsp tells an editor about programs (.ta) while they are written: what is wrong, how tensors
are stored, which loops and conversions statements become, which names and which scheduling commands
may stand at a place. It speaks the Language Server Protocol on standard input and output; an editor
starts it and ends it. docs/Editors.md tells how editors are set up.

  strata lsp

Programs are planned in processes of their own, which write no files, and are ended where they take
more than the time and the memory that are allowed.
)",
                             languageserver::table, "",
                             "answer an editor's questions about programs"};

int lspCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace languageserver;
  Arguments args = parseArguments(lspDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  // Editors name the channel: this one is the only one.
  for (const std::string &input : args.list.getAllArgValues(OPT_INPUT))
    return refuse("strata lsp takes no files, and '" + input + "' is one");
  int64_t seconds = 10;
  if (const llvm::opt::Arg *given = args.list.getLastArg(OPT_time_limit)) {
    std::optional<int64_t> count = parseCount(*given, 1);
    if (!count)
      return exitMisuse;
    seconds = std::min<int64_t>(*count, 86400);
  }
  std::optional<int64_t> memory = parseMemory(args.list, OPT_max_memory);
  if (!memory)
    return exitMisuse;
  LanguageServerLimits limits;
  limits.plan.time = std::chrono::seconds(seconds);
  limits.plan.readable = {"/usr", "/lib", "/lib64", "/proc", "/sys", "/dev/null", "/dev/urandom"};
  if (*memory >= 0)
    limits.plan.memoryBytes = std::max<int64_t>(*memory, int64_t(64) << 20);
  std::signal(SIGPIPE, SIG_IGN);
  // Whatever else the process writes goes to standard error.
  int channel = dup(STDOUT_FILENO);
  if (channel < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return fail("standard output cannot be used");
  llvm::raw_fd_ostream output(channel, /*shouldClose=*/true);
  LanguageServer server(STDIN_FILENO, output, std::move(limits));
  bool asked = server.run();
  output.flush();
  output.clear_error(); // of an editor that has gone
  return asked ? exitSuccess : exitFailure;
}

} // namespace strata::tool

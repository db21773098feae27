// strata run: a program from its text to its results.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "RunProgram.h"
#include "Threads.h"

namespace strata::tool {

namespace run {
#define STRATA_OPTIONS "RunOptions.inc"
#include "OptionTable.def"
} // namespace run

const Command runDescription{"run", R"(
strata run compiles a program and runs it: reads its files, computes its statements, writes and
prints what it says.

  strata run spmv.ta                              run
  strata run spmm.ta -D file=m.mtx -D type=double with values for the program's parameters
  strata run spmm.ta --check                      compare each result with the definition of its
                                                  statement, evaluated slowly
  strata run spmm.ta --repeat=10                  where the time goes, in the best of ten runs
  strata run spmm.ta -o C=c.mtx                   write a tensor when the program has ended
  strata run spmm.ta --json > report.json         everything about the run, for programs

A program is a text in the language (.ta), or a function main of ta operations (.mlir).
)",
                             run::table, "PROGRAM", "run a program"};

int runCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace run;
  // COMET's --emit-ta and its like stand where the program is run.
  if (llvm::any_of(arguments, [](llvm::StringRef argument) {
        return argument.ltrim('-').starts_with("emit-") && argument.starts_with("-");
      }))
    return emitCommand(arguments);
  Arguments args = parseArguments(runDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("run", "one program");
  if (!file)
    return *args.exitCode;
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  if (!parameters)
    return exitMisuse;
  ThreadLimit threads;
  if (!threads.set(args.list.getLastArg(OPT_threads)))
    return exitMisuse;
  RunRequest request{*file};
  request.check = args.list.hasArg(OPT_check);
  request.cache = !args.list.hasArg(OPT_no_cache);
  request.force = args.list.hasArg(OPT_force);
  request.phases = args.list.hasArg(OPT_phases);
  request.verbose = args.list.hasArg(OPT_verbose);
  request.json = args.list.hasArg(OPT_json);
  request.time = args.list.hasArg(OPT_time) || args.list.hasArg(OPT_repeat);
  std::optional<unsigned> widths = parseWidths(args.list, OPT_widths, 0);
  if (!widths)
    return exitMisuse;
  request.widths = *widths;
  if (const llvm::opt::Arg *repeat = args.list.getLastArg(OPT_repeat)) {
    std::optional<int64_t> count = parseCount(*repeat, 1);
    if (!count)
      return exitMisuse;
    request.repeat = int(std::min<int64_t>(*count, 1000000));
  }
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  if (!forbidden)
    return exitMisuse;
  request.processor = parseProcessor(args.list, OPT_cpu);
  if (!request.processor)
    return exitMisuse;
  std::optional<int64_t> memory = parseMemory(args.list, OPT_max_memory);
  if (!memory)
    return exitMisuse;
  request.maxMemory = *memory;
  std::vector<NamedValue> outputs;
  for (const llvm::opt::Arg *arg : args.list.filtered(OPT_output)) {
    std::optional<NamedValue> output = parseNamedValue(*arg, "-o NAME=FILE");
    if (!output)
      return exitMisuse;
    outputs.push_back(std::move(*output));
  }

  Session session;
  mlir::OwningOpRef<mlir::ModuleOp> module = session.load(*file, *parameters);
  if (!module)
    return reportFailure(request);
  for (const NamedValue &output : outputs)
    if (!addWrite(*module, output.name, output.value))
      return exitMisuse;
  if (request.check)
    session.keepWritten(*module);
  if (failed(session.prepare(*module, {.forbidden = *forbidden})))
    return reportFailure(request);
  return runProgram(session, *module, request);
}

} // namespace strata::tool

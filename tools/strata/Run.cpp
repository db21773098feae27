// strata run: a program from its text to its results.
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "InRanks.h"
#include "Messages.h"
#include "Offloads.h"
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
  strata run mm.ta --accelerator=gemm64.toml      what an accelerator would take for its contractions
  strata run spmm.ta -o C=c.mtx                   write a tensor when the program has ended
  strata run spmm.ta --json > report.json         everything about the run, for programs

A program is a text in the language (.ta), or a function of operations of ta, or of linalg and
sparse_tensor (.mlir).
)",
                             run::table, "PROGRAM", "run a program"};

// False after a mistake, which was reported.
static bool readRequest(const llvm::opt::InputArgList &list, RunRequest &request) {
  using namespace run;
  request.check = list.hasArg(OPT_check);
  request.cache = !list.hasArg(OPT_no_cache);
  request.force = list.hasArg(OPT_force);
  request.phases = list.hasArg(OPT_phases);
  request.verbose = list.hasArg(OPT_verbose);
  request.time = list.hasArg(OPT_time) || list.hasArg(OPT_repeat) || list.hasArg(OPT_accelerator);
  std::optional<unsigned> widths = parseWidths(list, OPT_widths, 0);
  std::optional<int64_t> base = parseBase(list, OPT_base);
  std::optional<int64_t> memory = parseMemory(list, OPT_max_memory);
  if (!widths || !base || !memory)
    return false;
  request.widths = *widths;
  request.indexBase = *base;
  request.maxMemory = *memory;
  if (!useMachine(list, OPT_machine, request))
    return false;
  const llvm::opt::Arg *repeat = list.getLastArg(OPT_repeat);
  if (!repeat)
    return true;
  std::optional<int64_t> count = parseCount(*repeat, 1);
  request.repeat = int(std::min<int64_t>(count.value_or(1), 1000000));
  return count.has_value();
}

static bool readOutputs(const llvm::opt::InputArgList &list, frontend::Outputs &outputs) {
  for (const llvm::opt::Arg *arg : list.filtered(run::OPT_output)) {
    std::optional<NamedValue> output = parseNamedValue(*arg, "-o NAME=FILE");
    if (!output)
      return false;
    outputs.list.push_back({output->name, output->value});
  }
  return true;
}

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
  RunRequest request{*file};
  request.json = args.list.hasArg(OPT_json);
  frontend::Outputs outputs;
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  request.processor = parseProcessor(args.list, OPT_cpu);
  ThreadLimit threads;
  if (!parameters || !forbidden || !request.processor ||
      !setDeadline(args.list.getLastArg(OPT_deadline)) ||
      !threads.set(args.list.getLastArg(OPT_threads)) || !readRequest(args.list, request) ||
      !readOutputs(args.list, outputs) ||
      !readGemm(args.list.getLastArg(OPT_gemm), args.list.hasArg(OPT_deterministic), *forbidden,
                request))
    return reportFailure(request, exitMisuse);
  if (const llvm::opt::Arg *description = args.list.getLastArg(OPT_accelerator))
    if (request.accelerator = designFrom(*description); !request.accelerator)
      return reportFailure(request);

  Session session;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      session.load(*file, *parameters, &outputs, args.list.getLastArgValue(OPT_entry));
  if (!module)
    return reportFailure(request, outputs.unknown ? exitMisuse : exitFailure);
  if (llvm::StringRef(*file).ends_with(".mlir"))
    for (const frontend::Outputs::Output &output : outputs.list)
      if (!addWrite(*module, output.name, output.file))
        return reportFailure(request, exitMisuse);
  if (request.check)
    session.keepWritten(*module);
  if (failed(session.prepare(*module, {.forbidden = *forbidden,
                                       .deterministic = args.list.hasArg(OPT_deterministic),
                                       .maxMemory = request.maxMemory})))
    return reportFailure(request);
  return runProgram(session, *module, request);
}

} // namespace strata::tool

// Executes a program and prints what was asked for.
#include "RunProgram.h"
#include "Arguments.h"
#include "Cache.h"
#include "InRanks.h"
#include "Interrupts.h"
#include "Messages.h"
#include "Progress.h"
#include "Report.h"
#include "Threads.h"

#include "strata/frontend/Suggest.h"
#include "strata/machine/KnownProcessors.h"
#include "strata/runtime/Gemm.h"

using namespace mlir;

namespace strata::tool {

bool addWrite(ModuleOp module, StringRef tensor, StringRef file) {
  Block &body = mainOf(module).getBody().front();
  Value last;
  llvm::SmallSetVector<StringRef, 8> names;
  for (Operation &op : body)
    for (Value result : op.getResults())
      if (auto named = dyn_cast<NameLoc>(ta::originOf(result).getLoc());
          named && isa<RankedTensorType>(result.getType())) {
        names.insert(named.getName());
        if (named.getName() == tensor)
          last = result;
      }
  if (last) {
    OpBuilder b(body.getTerminator());
    ta::WriteOp::create(b, last.getLoc(), last, file);
    return true;
  }
  std::string hint = frontend::didYouMean(tensor, names.getArrayRef());
  if (hint.empty() && !names.empty())
    hint = "it has " + frontend::quotedList(names.getArrayRef());
  refuse("the program gives no tensor '" + tensor + "' a value", hint);
  return false;
}

static void print(const RunReport &report) {
  const RunRequest &request = report.request;
  if (request.json)
    return printJson(report, llvm::outs());
  if (!report.ok)
    return;
  if (request.verbose)
    printSteps(report, llvm::outs());
  if (request.check)
    printChecks(report, llvm::outs());
  if (request.time)
    printTimes(report, llvm::outs());
}

// Quick kernels have no contractions that a library could compute.
static bool useGemm(const std::string &file, KernelCompiler &compiler) {
  runtime::Status loaded = runtime::useGemmLibrary(file);
  if (!loaded.ok()) {
    fail(loaded.error().message + loaded.error().mark(),
         loaded.error().expected.empty() ? "" : "expected " + loaded.error().expected);
    return false;
  }
  compiler.callGemmLibrary(true);
  compiler.alwaysOptimize(Optimization::Full);
  return true;
}

static void warnOfNothingComputed(const std::string &library) {
  runtime::GemmCounts counts = runtime::gemmCounts();
  if (counts.computed > 0)
    return;
  warn("nothing was computed by '" + library + "': " +
       (counts.declined > 0
            ? "its matrices have another layout, or it has no function for their type"
            : "no statement runs as a dense contraction of many products"));
}

// A null `told` shows what the request asks for.
static int execute(Session &session, ModuleOp module, const RunRequest &request,
                   llvm::function_ref<int(const RunReport &)> told) {
  KernelCompiler compiler(&session.context);
  if (request.processor) {
    if (runtime::Status runs = request.processor->runsHere(); !runs.ok()) {
      fail(runs.error().message + runs.error().mark(), cannotRunHint);
      return reportFailure(request);
    }
    compiler.compileFor(*request.processor);
  }
  if (request.cache)
    useCache(compiler);
  if (jobHere())
    compiler.waitForOtherProcesses();
  runtime::setThresholds(request.choices.thresholds);
  compiler.gatherElements(request.choices.gathers);
  compiler.watch(compileProgress());
  if (request.processor && !assumes(module, Assumptions::Deterministic))
    warnOfProcessors(request.processor->name());
  RunOptions options;
  options.written = session.written ? &*session.written : nullptr;
  options.force = request.force;
  options.explain = request.verbose || request.json;
  options.phases = request.phases;
  options.repeat = request.repeat;
  options.maxMemory = request.maxMemory;
  options.widths = request.widths;
  options.indexBase = request.indexBase;
  options.machine = request.machine ? &*request.machine : nullptr;
  options.threads = threadsInUse();
  options.keepPrinted = request.json && speaksForAll();
  options.progress = progressOf;
  options.job = jobHere();
  watchInterrupts(options.activity);
  // Threads that the library begins do not take the signal either.
  if (request.gemmLibrary && !useGemm(*request.gemmLibrary, compiler))
    return reportFailure(request);
  std::string kept;
  llvm::raw_string_ostream keep(kept);
  llvm::raw_ostream &terminal = llvm::outs();
  Executor executor(compiler, options, request.json || told ? keep : terminal);
  Stopwatch watch;
  bool ok = settleInRanks(succeeded(executor.run(mainOf(module))));
  RunReport report{request, executor.report(), executor.checks(), session.times, watch.lap(), ok,
                   kept,    executor.printed()};
  if (ok && request.gemmLibrary)
    warnOfNothingComputed(*request.gemmLibrary);
  if (told)
    return ok ? told(report) : exitFailure;
  print(report);
  if (ok && !request.timesFile.empty() && !writeTimes(report, request.timesFile))
    return exitFailure;
  return ok ? exitSuccess : exitFailure;
}

bool useMachine(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier option,
                RunRequest &request) {
  std::optional<machine::Machine> machine;
  if (!findMachine(list, option, machine))
    return false;
  request.choices = machine::choicesFor(machine ? *machine : machine::expectedHere().machine);
  if (request.time)
    request.machine = std::move(machine);
  return true;
}

bool readGemm(const llvm::opt::Arg *library, bool isDeterministic, Resolutions &forbidden,
              RunRequest &request) {
  if (!library)
    return true;
  if (isDeterministic || forbidden.contains(Resolution::Blocks)) {
    refuse("--gemm does not go with " +
               StringRef(isDeterministic ? "--deterministic" : "--forbid=blocks"),
           isDeterministic
               ? "another library, or another number of its threads, may give other bits"
               : "loops then run as they are");
    return false;
  }
  request.gemmLibrary = library->getValue();
  forbidden.insert(Resolution::Packing);
  return true;
}

// Ranks that run different texts would wait for each other without end.
static bool agreeOnTexts(const llvm::SourceMgr &sources) {
  if (!jobHere())
    return true;
  std::string texts;
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id)
    texts += sources.getMemoryBuffer(id)->getBuffer();
  return agreeInRanks("the text of the program", texts);
}

int runProgram(Session &session, ModuleOp module, const RunRequest &request) {
  return runProgram(session, module, request, nullptr);
}

int runProgram(Session &session, ModuleOp module, const RunRequest &request,
               llvm::function_ref<int(const RunReport &)> report) {
  return agreeOnTexts(session.sources) ? execute(session, module, request, report)
                                       : reportFailure(request);
}

int reportFailure(const RunRequest &request, int code) {
  if (request.json)
    printJson({request, {}, {}, {}, 0, false}, llvm::outs());
  return code;
}

} // namespace strata::tool

// strata explain: what running a program will do, without doing it.
#include "Arguments.h"
#include "Cache.h"
#include "Commands.h"
#include "ExplainProgram.h"
#include "Messages.h"
#include "OutputFile.h"
#include "ReadFiles.h"
#include "ScheduledText.h"
#include "Session.h"
#include "Simulation.h"
#include "Threads.h"

#include "strata/Version.h"
#include "strata/frontend/ErrorCodes.h"
#include "strata/machine/Machine.h"

#include "llvm/Support/JSON.h"

using namespace mlir;

namespace strata::tool {

namespace explain {
#define STRATA_OPTIONS "ExplainOptions.inc"
#include "OptionTable.def"
} // namespace explain

const Command explainDescription{
    "explain", R"(
strata explain tells what running a program will do: for each statement its operands and how they
are stored, the conversions that it needs and why, the loops, and what the kernel allocates. It
does not run the program, and reads its files to tell how much each statement will do (--no-data
leaves them alone).

  strata explain spmm.ta -D file=m.mtx -D type=double
  strata explain 'y(i) = A(i,j) * x(j)' -f=A:CSR
  strata explain --steps 'C(i,k) = A(i,j) * B(j,k)' -f=A:CSR
  strata explain --orders 'C(i,k) = A(i,j) * B(j,k)' -f=A:CSR
  strata explain --html=spmv.html 'y(i) = A(i,j) * x(j)' -f=A:CSR
  strata explain --program spmm.ta -D file=m.mtx -D type=double > scheduled.ta

In the loops, 'B2' is the second level of B's storage. A loop runs 'over' all values of its variable,
or 'in' the levels that it iterates over; where there are several, it merges them. What it only looks
up is 'located'. A loop over 'i, j' takes the pairs that are stored, one after the other. Iterations
of a loop marked 'in parallel' are divided among the threads.

With --simulate=2,4,64 the program runs on so many ranks, which are threads of this process and work
one at a time: its machines get as many cells, and each step tells what the slowest rank computes,
what goes between ranks, and how long that would take on a network.

  strata explain --simulate=4,64,1024 cg.ta -D file=m.mtx
  strata explain --simulate=64 --network=cluster.json cg.ta -D file=m.mtx

With --error it explains kinds of mistakes, by the codes that stand behind messages.

  strata explain --error SE0204

With --program the text of the program is printed, with the schedule of each statement behind it and
the reasons above it. It can be edited, and run.
)",
    explain::table, "PROGRAM", "tell which loops and conversions a program or a statement becomes"};

bool explainProgram(ModuleOp program, const ExplainOptions &options, bool json) {
  std::optional<Explanation> explanation = explanationOf(program, options);
  if (!explanation)
    return false;
  json ? writeJson(*explanation, llvm::outs()) : writeText(*explanation, llvm::outs());
  return true;
}

int writePage(ModuleOp program, page::PageRequest request, bool keepsKernels, StringRef file) {
  KernelCompiler compiler(program.getContext());
  compiler.compileFor(request.processor);
  if (keepsKernels)
    useCache(compiler);
  // Formats are drawn of tensors that are stored, by code that runs here.
  if (request.processor.runsHere().ok())
    request.compiler = &compiler;
  request.explain.steps = true;
  runtime::Result<std::string> html = page::explanationPage(program, request);
  if (html)
    return writeTo(file, *html);
  return html.error().shown ? exitFailure : fail(html.error().sentence());
}

static int simulateProgram(ModuleOp module, const llvm::opt::InputArgList &list,
                           const frontend::Parameters &parameters) {
  using namespace explain;
  std::optional<std::vector<int32_t>> ranks = parseRanks(list.getLastArgValue(OPT_simulate));
  if (!ranks)
    return exitMisuse;
  SimulationRequest request{.ranks = std::move(*ranks), .parameters = parameters};
  request.json = list.hasArg(OPT_json);
  if (const llvm::opt::Arg *file = list.getLastArg(OPT_network)) {
    runtime::Result<machine::Network> network = machine::readNetwork(file->getValue());
    if (!network)
      return fail(network.error().message + network.error().mark(), network.error().expected);
    request.network = std::move(*network);
  }
  return simulate(module, request) ? exitSuccess : exitFailure;
}

static void writeErrors(llvm::ArrayRef<const frontend::ErrorPage *> pages, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.arrayBegin();
  for (const frontend::ErrorPage *page : pages)
    json.object([&] {
      json.attribute("code", page->code);
      json.attribute("name", page->name);
      json.attributeArray("says", [&] {
        for (const std::vector<StringRef> *messages : {&page->says, &page->saysRunning})
          for (StringRef message : *messages)
            json.value(message);
      });
      json.attribute("text", page->text);
    });
  json.arrayEnd();
  out << "\n";
}

// What docs/Errors.md says of these codes, or the list of all.
static int explainErrors(const std::vector<std::string> &codes, bool json) {
  SmallVector<const frontend::ErrorPage *> pages;
  for (const std::string &code : codes) {
    pages.push_back(frontend::findErrorPage(code));
    if (!pages.back())
      return refuse("there is no mistake with the code '" + code + "'",
                    "'strata explain --error' lists the codes");
  }
  if (codes.empty())
    for (const frontend::ErrorPage &page : frontend::errorPages())
      pages.push_back(&page);
  if (json)
    writeErrors(pages, llvm::outs());
  else if (codes.empty())
    for (const frontend::ErrorPage *page : pages)
      llvm::outs() << page->code << "  " << page->name << "\n";
  else
    for (const frontend::ErrorPage *page : pages)
      llvm::outs() << page->text << "\n";
  return exitSuccess;
}

// The text of a program's file, which the session has read; empty of MLIR.
static std::string textOf(const Session &session, StringRef file) {
  if (file.ends_with(".mlir") || session.sources.getNumBuffers() == 0)
    return "";
  return session.sources.getMemoryBuffer(session.sources.getMainFileID())->getBuffer().str();
}

int explainCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace explain;
  if (hasStatement(arguments)) {
    for (StringRef argument : arguments)
      if (StringRef option = argument.ltrim('-');
          argument.starts_with("-") && (option.starts_with("simulate") || option == "grid"))
        return refuse("'" + argument + "' is about the cells of a program",
                      "a file with the statement and its machine: docs/Ranks.md");
      else if (argument.starts_with("-") && option == "program")
        return refuse("'" + argument + "' prints the text of a program, and this is a statement",
                      "a file with the statement in a program: docs/Language.md");
    SmallVector<const char *> statement{"-explain"};
    statement.append(arguments.begin(), arguments.end());
    return statementCommand(statement);
  }
  Arguments args = parseArguments(explainDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  if (args.list.hasArg(OPT_error, OPT_error_joined)) {
    std::vector<std::string> codes = args.list.getAllArgValues(OPT_error_joined);
    llvm::append_range(codes, args.list.getAllArgValues(OPT_INPUT));
    return explainErrors(codes, args.list.hasArg(OPT_json));
  }
  std::optional<std::string> file = args.onlyInput("explain", "one program");
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<unsigned> width = parseWidths(args.list, OPT_widths, 0);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  std::optional<int64_t> memory = parseMemory(args.list, OPT_max_memory);
  if (!file || !parameters || !width || !forbidden || !memory)
    return exitMisuse;
  if (isInput(args.list.getLastArgValue(OPT_html, "-"), *file))
    return exitMisuse;
  Session session;
  ProgramOptions passes{.forbidden = *forbidden,
                        .deterministic = args.list.hasArg(OPT_deterministic),
                        .maxMemory = *memory};
  if (args.list.hasArg(OPT_program) && StringRef(*file).ends_with(".mlir"))
    return refuse("'--program' prints the text of a program in Strata's own language (.ta)");
  if (args.list.hasArg(OPT_program)) {
    std::optional<std::string> text =
        scheduledText(session, *file, *parameters, passes, *width ? *width : 32);
    if (!text)
      return exitFailure;
    llvm::outs() << "# Strata " STRATA_VERSION ": strata explain";
    for (StringRef argument : arguments)
      llvm::outs() << " " << argument;
    llvm::outs() << "\n" << *text;
    return exitSuccess;
  }
  OwningOpRef<ModuleOp> module = session.load(*file, *parameters);
  if (!module || failed(session.prepare(*module, passes)))
    return exitFailure;
  if (args.list.hasArg(OPT_network) && !args.list.hasArg(OPT_simulate))
    return refuse("'--network' needs '--simulate=RANKS'");
  if (args.list.hasArg(OPT_simulate))
    return simulateProgram(*module, args.list, *parameters);
  std::optional<machine::Machine> machine;
  if (!findMachine(args.list, OPT_machine, machine))
    return exitMisuse;
  ExplainOptions options{.widths = OpenWidths::asked(*width),
                         .steps = args.list.hasArg(OPT_steps),
                         .grid = args.list.hasArg(OPT_grid),
                         .orders = args.list.hasArg(OPT_orders)};
  options.machine = machine ? &*machine : nullptr;
  options.threads = threadsInUse();
  std::vector<std::optional<TensorValue>> files;
  if (!args.list.hasArg(OPT_no_data))
    files = readFiles(*module, {.maxMemory = *memory, .widths = *width});
  options.given.files = files;
  if (const llvm::opt::Arg *output = args.list.getLastArg(OPT_html)) {
    std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
    if (!processor)
      return exitMisuse;
    page::PageRequest request{.title = *file,
                              .text = textOf(session, *file),
                              .explain = options,
                              .processor = std::move(*processor),
                              .compiler = nullptr};
    return writePage(*module, std::move(request), /*keepsKernels=*/true, output->getValue());
  }
  bool fine = explainProgram(*module, options, args.list.hasArg(OPT_json));
  return fine ? exitSuccess : exitFailure;
}

} // namespace strata::tool

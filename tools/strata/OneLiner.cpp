// strata 'y(i) = A(i,j) * x(j)' ...: one statement, in the words that TACO's users type.
#include "OneLiner.h"
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "ExplainProgram.h"
#include "Help.h"
#include "InRanks.h"
#include "Messages.h"
#include "Offloads.h"
#include "OutputFile.h"
#include "ReadFiles.h"
#include "RunProgram.h"
#include "TensorArguments.h"
#include "Threads.h"

#include "strata/frontend/AstPrinter.h"
#include "strata/frontend/Differentiate.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/ta/PassOverValues.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"

namespace strata::tool {

namespace statement {
#define STRATA_OPTIONS "StatementOptions.inc"
#include "OptionTable.def"
} // namespace statement

using namespace statement;
using llvm::StringRef;

const Command statementDescription{"", R"(
strata 'STATEMENT' computes one statement of index notation. Options say, for each tensor, how it is
stored, where it comes from and where it goes; in any order, also before the statement.

  strata 'y(i) = A(i,j) * x(j)' -f=A:ds -i=A:m.mtx -g=x:d -o=y:y.mtx
  strata 'y(i) = A(i,j) * x(j)' -f=A:CSR -i=A:m.mtx -g=x:d -time=10 -check
  strata 'A(i,j) = B(i,j) + C(i,j)' -f=A:ds -f=B:ds -f=C:COO -i=B:b.mtx -i=C:c.mtx -o=A:a.mtx
  strata 'A(i,l) = B(i,j,k) * C(j,l) * D(k,l)' -f=B:sss -i=B:b.tns -g=C:d -g=D:d -d=l:16 -time
  strata 'y(i) = A(i,j) * x(j)' -f=A:ds -print-scf        (only prints: no values are given)
  strata 'C(i,k) = A(i,j) * B(j,k)' -g=A:d -g=B:d -d=A:8,8 -d=k:8 -s='reorder(i,j,k)' -check

An index that is not on the left side is summed over, in the smallest term that has all its uses.
Sizes come from files, or from -d.
)",
                                   statement::table, "'STATEMENT'",
                                   "compute one statement of index notation"};

namespace {

class OneLiner {
public:
  explicit OneLiner(const llvm::opt::InputArgList &list) : list(list) {}

  int run(StringRef text);
  int emit(StringRef text, const StatementFile &wanted);
  int use(StringRef text, llvm::function_ref<int(mlir::ModuleOp, const Processor &)> use);

private:
  bool refuseUnsupported();
  bool readTensorArguments(TensorArguments &tensors);
  bool readRequest();
  mlir::OwningOpRef<mlir::ModuleOp> compile(frontend::ast::AssignStmt &tree,
                                            const frontend::OneLinerOptions &options);
  std::unique_ptr<frontend::ast::AssignStmt> parse(StringRef text);
  bool addSchedules(frontend::ast::AssignStmt &tree);
  bool writeSource(mlir::ModuleOp module);
  bool printStages(const frontend::ast::AssignStmt &tree, mlir::ModuleOp module);
  ExplainOptions explainOptions(const std::optional<machine::Machine> &machine) const;
  int printGradient(frontend::ast::AssignStmt &tree, const frontend::OneLinerOptions &options);
  bool explain(mlir::ModuleOp module) const;
  std::vector<std::optional<TensorValue>> filesOf(mlir::ModuleOp module) const;
  bool writeHtml(StringRef text, mlir::ModuleOp module) const;
  bool printsStages() const;
  bool writesKernels() const;
  bool reportsAsJson() const;
  bool asksForValues() const;
  int showLoops(mlir::ModuleOp module);

  const llvm::opt::InputArgList &list;
  ThreadLimit threads;
  Session session;
  RunRequest request;
  Resolutions forbidden;
  bool emitsKernels = false;
  ExitCode failure = exitFailure; ///< what a failure to parse or to compile is
  std::vector<frontend::OneLinerResult::Missing> withoutValue;
};

} // namespace

// What TACO and COMET know and Strata does not.
bool OneLiner::refuseUnsupported() {
  if (list.hasArg(OPT_cuda))
    refuse("kernels for GPUs are not supported yet", "without -cuda they run on all cores");
  else if (list.hasArg(OPT_output_all))
    refuse("'-O' needs a folder", "-O=. writes every tensor into this one");
  else if (list.hasArg(OPT_read_source))
    refuse("kernels cannot be read from C sources",
           "strata emit --stage=obj gives a kernel as an object file, to be linked to C");
  else if (list.hasArg(OPT_prefix))
    refuse("kernels cannot be given a prefix", "strata emit names each after its result: kernel_y");
  else
    return false;
  return true;
}

bool OneLiner::readTensorArguments(TensorArguments &tensors) {
  struct Kind {
    unsigned option;
    bool (TensorArguments::*take)(const NamedValue &);
    StringRef usage;
  };
  static constexpr Kind kinds[] = {
      {OPT_format, &TensorArguments::format, "-f=A:FORMAT, for example -f=A:ds"},
      {OPT_type, &TensorArguments::type, "-t=A:TYPE, for example -t=A:float"},
      {OPT_size, &TensorArguments::size, "-d=i:SIZE, for example -d=i:100"},
      {OPT_input, &TensorArguments::input, "-i=A:FILE, for example -i=A:m.mtx"},
      {OPT_generate, &TensorArguments::generate, "-g=A:FILL, for example -g=x:d"},
      {OPT_output, &TensorArguments::output, "-o=y:FILE, for example -o=y:y.mtx"}};
  for (const Kind &kind : kinds)
    for (const llvm::opt::Arg *arg : list.filtered(kind.option)) {
      std::optional<NamedValue> pair = parseNamedValue(*arg, kind.usage);
      if (!pair || !(tensors.*kind.take)(*pair))
        return false;
    }
  tensors.options.outputFolder = list.getLastArgValue(OPT_output_folder).str();
  std::optional<frontend::Parameters> parameters = parseParameters(list, OPT_value);
  if (parameters)
    tensors.options.parameters = std::move(*parameters);
  return parameters.has_value();
}

bool OneLiner::readRequest() {
  if (!setDeadline(list.getLastArg(OPT_deadline)) || !threads.set(list.getLastArg(OPT_threads)))
    return false;
  request.check = list.hasArg(OPT_check);
  request.cache = !list.hasArg(OPT_no_cache);
  request.force = list.hasArg(OPT_force);
  request.verbose = list.hasArg(OPT_verbose);
  request.timesFile = list.getLastArgValue(OPT_write_time).str();
  request.time = list.hasArg(OPT_time, OPT_time_runs, OPT_accelerator);
  if (!useMachine(list, OPT_machine, request))
    return false;
  std::optional<unsigned> widths = parseWidths(list, OPT_widths, 0);
  if (!widths)
    return false;
  request.widths = *widths;
  std::optional<int64_t> base = parseBase(list, OPT_base);
  if (!base)
    return false;
  request.indexBase = *base;
  std::optional<Resolutions> ways = parseForbidden(list, OPT_forbid);
  if (!ways)
    return false;
  forbidden = *ways;
  if (!readGemm(list.getLastArg(OPT_gemm), list.hasArg(OPT_deterministic), forbidden, request))
    return false;
  request.processor = parseProcessor(list, OPT_cpu);
  if (!request.processor)
    return false;
  std::optional<int64_t> memory = parseMemory(list, OPT_max_memory);
  if (!memory)
    return false;
  request.maxMemory = *memory;
  const llvm::opt::Arg *repeat = list.getLastArg(OPT_time_runs);
  if (!repeat)
    return true;
  std::optional<int64_t> count = parseCount(*repeat, 1);
  request.repeat = int(std::min<int64_t>(count.value_or(1), 1000000));
  return count.has_value();
}

mlir::OwningOpRef<mlir::ModuleOp> OneLiner::compile(frontend::ast::AssignStmt &tree,
                                                    const frontend::OneLinerOptions &options) {
  frontend::Diagnostics diagnostics(session.sources);
  auto [program, wrongOption, missing] =
      frontend::analyze(tree, options, frontend::TaFormats(&session.context), diagnostics);
  if (wrongOption)
    failure = exitMisuse;
  withoutValue = std::move(missing);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (program) {
    if (list.hasArg(OPT_print))
      for (auto [id, tensor] : llvm::enumerate(program->tensors))
        if (tensor.name == tree.tensor.text)
          program->operations.push_back(
              {tree.range, frontend::Print{frontend::TensorId(id), tensor.name}});
    module = session.emit(*program, diagnostics);
  }
  show(diagnostics);
  if (module && request.check)
    session.keepWritten(*module);
  if (module && writesKernels())
    leaveToKernels(*module);
  if (module && failed(session.prepare(*module, {.forbidden = forbidden,
                                                 .deterministic = list.hasArg(OPT_deterministic),
                                                 .maxMemory = request.maxMemory})))
    return nullptr;
  return module;
}

static std::optional<ProgramStage> stageOf(unsigned option) {
  switch (option) {
  case OPT_print_ta:
    return ProgramStage::Ta;
  case OPT_print_loops:
    return ProgramStage::Loops;
  case OPT_print_iteration_graph:
    return ProgramStage::Graph;
  case OPT_print_lattice:
  case OPT_print_lattice_of:
    return ProgramStage::Lattice;
  case OPT_print_cin:
    return ProgramStage::Cin;
  case OPT_print_lvl:
    return ProgramStage::Lvl;
  case OPT_print_scf:
    return ProgramStage::Scf;
  case OPT_print_vector:
    return ProgramStage::Vector;
  case OPT_print_c:
    return ProgramStage::C;
  case OPT_print_llvm:
    return ProgramStage::Llvm;
  case OPT_print_assembly:
    return ProgramStage::Assembly;
  default:
    return std::nullopt;
  }
}

ExplainOptions OneLiner::explainOptions(const std::optional<machine::Machine> &machine) const {
  ExplainOptions asked{.steps = list.hasArg(OPT_steps), .orders = list.hasArg(OPT_orders)};
  asked.machine = machine ? &*machine : nullptr;
  asked.threads = threadsInUse();
  return asked;
}

bool OneLiner::explain(mlir::ModuleOp module) const {
  std::optional<machine::Machine> machine;
  if (!findMachine(list, OPT_machine, machine))
    return false;
  std::vector<std::optional<TensorValue>> files = filesOf(module);
  ExplainOptions options = explainOptions(machine);
  options.given.files = files;
  return explainProgram(module, options, list.hasArg(OPT_json));
}

std::vector<std::optional<TensorValue>> OneLiner::filesOf(mlir::ModuleOp module) const {
  // Operands without values are read from files that are not there.
  if (list.hasArg(OPT_no_data) || !withoutValue.empty())
    return {};
  return readFiles(
      module,
      {.maxMemory = request.maxMemory, .widths = request.widths, .indexBase = request.indexBase});
}

// As a page, if that is asked for.
bool OneLiner::writeHtml(StringRef text, mlir::ModuleOp module) const {
  const llvm::opt::Arg *file = list.getLastArg(OPT_html);
  if (!file)
    return true;
  std::optional<machine::Machine> machine;
  if (!findMachine(list, OPT_machine, machine))
    return false;
  std::vector<std::optional<TensorValue>> files = filesOf(module);
  ExplainOptions options = explainOptions(machine);
  options.given.files = files;
  return writePage(module,
                   {.title = text.str(),
                    .text = "",
                    .explain = options,
                    .processor = *request.processor,
                    .compiler = nullptr},
                   request.cache, file->getValue()) == exitSuccess;
}

bool OneLiner::printStages(const frontend::ast::AssignStmt &tree, mlir::ModuleOp module) {
  for (const llvm::opt::Arg *arg : list) {
    unsigned option = arg->getOption().getUnaliasedOption().getID();
    if (option == OPT_print_ast)
      frontend::printAst(tree, llvm::outs());
    if (option == OPT_explain && !list.hasArg(OPT_html) && !explain(module))
      return false;
    std::optional<ProgramStage> stage = stageOf(option);
    if (!stage)
      continue;
    StageOptions options{.processor = *request.processor};
    if (option == OPT_print_lattice_of)
      options.loop = arg->getValue();
    std::optional<std::string> text = textAt(*stage, module, options);
    if (!text)
      return false;
    llvm::outs() << *text;
  }
  return true;
}

bool OneLiner::printsStages() const {
  return llvm::any_of(list, [](const llvm::opt::Arg *arg) {
    unsigned option = arg->getOption().getUnaliasedOption().getID();
    return option == OPT_print_ast || option == OPT_explain || option == OPT_html ||
           option == OPT_write_source || option == OPT_print_gradient || stageOf(option);
  });
}

// Tells whether kernels are to be written, which others call.
bool OneLiner::writesKernels() const {
  return emitsKernels || llvm::any_of(list, [](const llvm::opt::Arg *arg) {
           unsigned option = arg->getOption().getUnaliasedOption().getID();
           return option == OPT_write_source ||
                  stageOf(option).value_or(ProgramStage::Ta) != ProgramStage::Ta;
         });
}

// With -explain, -json is about the explanation.
bool OneLiner::reportsAsJson() const { return list.hasArg(OPT_json) && !list.hasArg(OPT_explain); }

// Is there anything to do for which the operands' values are needed?
bool OneLiner::asksForValues() const {
  return list.hasArg(OPT_input, OPT_generate, OPT_output, OPT_output_folder, OPT_print, OPT_time) ||
         list.hasArg(OPT_time_runs, OPT_check, OPT_verbose, OPT_write_time, OPT_accelerator) ||
         reportsAsJson();
}

// As TACO does where it is given no data: the loops, in words.
int OneLiner::showLoops(mlir::ModuleOp module) {
  std::string values;
  for (const frontend::OneLinerResult::Missing &operand : withoutValue)
    values += " " + operand.option;
  note("no values are given, so these are the loops; to compute:" + values + " -print");
  return explain(module) ? exitSuccess : exitFailure;
}

bool OneLiner::writeSource(mlir::ModuleOp module) {
  const llvm::opt::Arg *file = list.getLastArg(OPT_write_source);
  if (!file)
    return true;
  std::optional<std::string> text =
      textAt(ProgramStage::C, module, {.processor = *request.processor});
  return text && writeTo(file->getValue(), *text) == exitSuccess;
}

// Null after errors, which are shown.
std::unique_ptr<frontend::ast::AssignStmt> OneLiner::parse(StringRef text) {
  frontend::Diagnostics diagnostics(session.sources);
  std::unique_ptr<frontend::ast::AssignStmt> tree =
      frontend::parseOneLiner(session.addText(text, "<statement>"), diagnostics);
  show(diagnostics);
  return diagnostics.hasErrors() || !addSchedules(*tree) ? nullptr : std::move(tree);
}

// Appends the commands of -s and --schedule to those that stand in the statement.
bool OneLiner::addSchedules(frontend::ast::AssignStmt &tree) {
  for (const llvm::opt::Arg *arg : list.filtered(OPT_schedule, OPT_schedule_file)) {
    bool isFile = arg->getOption().matches(OPT_schedule_file);
    std::optional<unsigned> id =
        isFile ? session.open(arg->getValue()) : session.addText(arg->getValue(), "<schedule>");
    if (!id)
      return false;
    frontend::Diagnostics diagnostics(session.sources);
    std::optional<frontend::ast::Schedule> schedule = frontend::parseSchedule(*id, diagnostics);
    show(diagnostics);
    if (!schedule) {
      failure = isFile ? exitFailure : exitMisuse;
      return false;
    }
    if (!tree.schedule)
      tree.schedule = std::move(schedule);
    else
      llvm::append_range(tree.schedule->commands, schedule->commands);
  }
  return true;
}

// Nothing is compiled: a gradient is text.
int OneLiner::printGradient(frontend::ast::AssignStmt &tree,
                            const frontend::OneLinerOptions &options) {
  frontend::Diagnostics diagnostics(session.sources);
  frontend::TaFormats formats(&session.context);
  frontend::OneLinerResult analyzed = frontend::analyze(tree, options, formats, diagnostics);
  std::optional<frontend::Gradients> gradients;
  if (analyzed.program) {
    llvm::SmallVector<StringRef> names;
    StringRef(list.getLastArgValue(OPT_print_gradient)).split(names, ',');
    std::vector<std::string> by;
    for (StringRef name : names)
      by.push_back(name.trim().str());
    gradients = frontend::differentiate(*analyzed.program, by, formats, diagnostics);
  }
  show(diagnostics);
  if (!gradients)
    return analyzed.wrongOption ? exitMisuse : exitFailure;
  for (const frontend::GradientStatement &statement : gradients->statements)
    llvm::outs() << statement.text << "\n";
  return exitSuccess;
}

int OneLiner::emit(StringRef text, const StatementFile &wanted) {
  if (refuseUnsupported() || !readRequest())
    return exitMisuse;
  std::unique_ptr<frontend::ast::AssignStmt> tree = parse(text);
  if (!tree)
    return failure;
  if (!wanted.stage) {
    std::string words;
    llvm::raw_string_ostream os(words);
    frontend::printAst(*tree, os);
    return writeTo(wanted.output, words);
  }
  TensorArguments tensors(session);
  if (!readTensorArguments(tensors))
    return exitMisuse;
  tensors.decideTypes();
  tensors.options.compilesOnly = true;
  emitsKernels = wanted.stage != ProgramStage::Ta;
  mlir::OwningOpRef<mlir::ModuleOp> module = compile(*tree, tensors.options);
  if (!module)
    return failure;
  StageOptions options{.widths = OpenWidths::asked(request.widths),
                       .processor = *request.processor,
                       .phases = wanted.phases};
  std::optional<std::string> content = wanted.svg ? pictureAt(*wanted.stage, *module, options)
                                                  : textAt(*wanted.stage, *module, options);
  return content ? writeTo(wanted.output, *content) : exitFailure;
}

int OneLiner::use(StringRef text, llvm::function_ref<int(mlir::ModuleOp, const Processor &)> use) {
  if (refuseUnsupported() || !readRequest())
    return exitMisuse;
  std::unique_ptr<frontend::ast::AssignStmt> tree = parse(text);
  if (!tree)
    return failure;
  TensorArguments tensors(session);
  if (!readTensorArguments(tensors))
    return exitMisuse;
  tensors.decideTypes();
  tensors.options.compilesOnly = !asksForValues();
  mlir::OwningOpRef<mlir::ModuleOp> module = compile(*tree, tensors.options);
  return module ? use(*module, *request.processor) : int(failure);
}

int OneLiner::run(StringRef text) {
  request.program = text.str();
  request.json = reportsAsJson();
  if (refuseUnsupported() || !readRequest())
    return reportFailure(request, exitMisuse);
  if (const llvm::opt::Arg *description = list.getLastArg(OPT_accelerator))
    if (request.accelerator = designFrom(*description); !request.accelerator)
      return reportFailure(request);
  std::unique_ptr<frontend::ast::AssignStmt> tree = parse(text);
  if (!tree)
    return reportFailure(request, failure);
  TensorArguments tensors(session);
  if (!readTensorArguments(tensors))
    return reportFailure(request, exitMisuse);
  tensors.decideTypes();
  tensors.options.compilesOnly = !asksForValues() || list.hasArg(OPT_print_gradient);
  if (list.hasArg(OPT_print_gradient))
    return printGradient(*tree, tensors.options);
  mlir::OwningOpRef<mlir::ModuleOp> module = compile(*tree, tensors.options);
  if (!module || !printStages(*tree, *module) || !writeSource(*module) || !writeHtml(text, *module))
    return reportFailure(request, failure);
  if (!asksForValues() && printsStages())
    return exitSuccess;
  if (!withoutValue.empty())
    return showLoops(*module);
  bool used = list.hasArg(OPT_output, OPT_output_folder, OPT_print, OPT_write_time) ||
              request.time || request.check || request.verbose || request.json || printsStages();
  if (!used)
    note("the result is computed and dropped; -print prints it, -o=" + tree->tensor.text +
         ":FILE writes it");
  return runProgram(session, *module, request);
}

// "y(i) = ...", "y = ...", "y<m> += ...": a name, what may stand behind it, and an assignment.
static bool readsAsStatement(StringRef text) {
  StringRef rest = text.ltrim();
  if (rest.empty() || !(llvm::isAlpha(rest.front()) || rest.front() == '_'))
    return false;
  rest = rest.drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).ltrim();
  if (rest.starts_with("(") || rest.starts_with("[") || rest.starts_with("{") ||
      rest.starts_with("<"))
    return rest.contains('=');
  for (StringRef op : {"+", "-", "*", "|", "&", "min", "max"})
    if (rest.consume_front(op))
      return rest.starts_with("=");
  return rest.starts_with("=") && !rest.starts_with("==");
}

bool hasStatement(llvm::ArrayRef<const char *> arguments) {
  unsigned missingIndex, missingCount;
  llvm::opt::InputArgList list =
      statementDescription.options().ParseArgs(arguments, missingIndex, missingCount);
  for (const llvm::opt::Arg *arg : list)
    if (arg->getOption().getKind() == llvm::opt::Option::InputClass)
      return readsAsStatement(arg->getValue());
  return false;
}

int emitStatement(llvm::ArrayRef<const char *> arguments, const StatementFile &wanted) {
  Arguments args = parseArguments(statementDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  if (const llvm::opt::Arg *topic = args.list.getLastArg(OPT_help_on))
    return printTopic(topic->getValue());
  std::optional<std::string> text = args.onlyInput("emit", "one statement");
  return text ? OneLiner(args.list).emit(*text, wanted) : *args.exitCode;
}

int withStatement(llvm::ArrayRef<const char *> arguments,
                  llvm::function_ref<int(mlir::ModuleOp, const Processor &)> use) {
  Arguments args = parseArguments(statementDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> text = args.onlyInput("", "one statement");
  return text ? OneLiner(args.list).use(*text, use) : *args.exitCode;
}

int statementCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(statementDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  if (const llvm::opt::Arg *topic = args.list.getLastArg(OPT_help_on))
    return printTopic(topic->getValue());
  std::optional<std::string> text = args.onlyInput("", "one statement");
  return text ? OneLiner(args.list).run(*text) : *args.exitCode;
}

} // namespace strata::tool

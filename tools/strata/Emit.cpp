// strata emit: a program at one stage of its road.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "OneLiner.h"
#include "OutputFile.h"
#include "Session.h"

#include "strata/frontend/AstPrinter.h"
#include "strata/frontend/Parser.h"
#include "strata/lower/ta/PassOverValues.h"
#include "strata/page/StagePicture.h"

namespace strata::tool {

namespace emit {
#define STRATA_OPTIONS "EmitOptions.inc"
#include "OptionTable.def"
} // namespace emit

using llvm::StringRef;

const Command emitDescription{"emit", R"(
strata emit writes a program as it looks at one stage of the compiler's road.

  strata emit --stage=cin spmv.ta             the loops over index variables
  strata emit --stage=asm spmv.ta -o spmv.s   the machine's instructions
  strata emit --stage=obj spmv.ta -o spmv.o   an object file with an entry point for each
  strata emit --stage=header spmv.ta          statement, and the C declarations of them
  strata emit --stage=c 'y(i) = A(i,j) * x(j)' -f=A:CSR -o k.c
                                              C source, also of a statement with its options

  strata emit --stage=lattice --svg 'a(i) = b(i) + c(i)' -f=b:s -f=c:s -o lattice.svg

Stages: ast (syntax), ta (tensor algebra: the whole program), loops (in words), graph (the iteration
graph, for Graphviz's dot), lattice (the merge lattice of each loop), cin (loops over index variables),
lvl (walks over the levels of storages), scf (loops over arrays), vector (these in vectors, register
tiles and blocks, for a processor), c (loops over arrays in C99, for one thread), llvm (optimized LLVM
IR), asm, obj, header. With --svg graph and lattice are pictures. From loops on all statements are in one module. The program is not run, and no file that it
reads is opened: widths that a format leaves open are 32 bits, those of a sparse result's positions
64; or all of them are those of --widths. A run takes as few as are enough.

  strata emit --stage=obj --phases spgemm.ta -o spgemm.o

With --phases each statement has two more entry points: NAME_assemble makes the pattern of its
result, NAME_compute its values, as often as they change while the operands' patterns stay.
)",
                              emit::table, "PROGRAM",
                              "write a program as it looks at one stage of the compiler"};

// The syntax tree's text; nothing after errors.
static std::optional<std::string> syntaxOf(Session &session, StringRef file) {
  if (file.ends_with(".mlir")) {
    fail("'" + file + "' is not a program in Strata's language, so it has no syntax tree");
    return std::nullopt;
  }
  std::optional<unsigned> id = session.open(file);
  if (!id)
    return std::nullopt;
  frontend::Diagnostics diagnostics(session.sources);
  frontend::ast::Module tree = frontend::parseProgram(*id, diagnostics);
  show(diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  frontend::printAst(tree, os);
  return text;
}

// What is emit's own among the arguments, in front of a statement with its options.
struct OwnOptions {
  StringRef stage, output = "-";
  bool phases = false, svg = false;
  llvm::SmallVector<const char *> others; ///< but for these
};

static OwnOptions ownOptions(llvm::ArrayRef<const char *> arguments) {
  using namespace emit;
  unsigned missingIndex, missingCount;
  llvm::opt::InputArgList list =
      emitDescription.options().ParseArgs(arguments, missingIndex, missingCount);
  OwnOptions own{list.getLastArgValue(OPT_stage),
                 list.getLastArgValue(OPT_output, "-"),
                 list.hasArg(OPT_phases),
                 list.hasArg(OPT_svg),
                 {}};
  llvm::SmallVector<llvm::opt::Arg *> all(list.begin(), list.end());
  for (auto [at, arg] : llvm::enumerate(all)) {
    size_t end = at + 1 < all.size() ? all[at + 1]->getIndex() : arguments.size();
    if (!arg->getOption().matches(OPT_stage) && !arg->getOption().matches(OPT_output) &&
        !arg->getOption().matches(OPT_phases) && !arg->getOption().matches(OPT_svg))
      llvm::append_range(own.others, arguments.slice(arg->getIndex(), end - arg->getIndex()));
  }
  return own;
}

// No stage is the syntax tree. The code to end with, after a mistake.
static std::optional<int> readStage(StringRef name, StringRef output, bool svg,
                                    std::optional<ProgramStage> &stage) {
  stage = findStage(name);
  if (!stage && name != "ast")
    return refuse(name.empty() ? "strata emit needs a stage" : "there is no stage '" + name + "'",
                  "the stages are " + stageWords);
  if (svg && !(stage && page::hasPicture(*stage)))
    return refuse("there is no picture of the stage '" + name + "'",
                  "--svg draws the stages graph and lattice");
  if (stage == ProgramStage::Object && output == "-" && llvm::outs().is_displayed())
    return refuse("an object file is nothing for a terminal", "give it a name: -o FILE");
  return std::nullopt;
}

int emitCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace emit;
  std::optional<ProgramStage> stage;
  if (OwnOptions own = ownOptions(arguments); hasStatement(own.others)) {
    if (std::optional<int> code = readStage(own.stage, own.output, own.svg, stage))
      return *code;
    return emitStatement(own.others, {stage, own.phases, own.svg, own.output.str()});
  }
  Arguments args = parseArguments(emitDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  StringRef output = args.list.getLastArgValue(OPT_output, "-");
  bool svg = args.list.hasArg(OPT_svg);
  if (std::optional<int> code = readStage(args.list.getLastArgValue(OPT_stage), output, svg, stage))
    return *code;
  std::optional<std::string> file = args.onlyInput("emit", "one program");
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<unsigned> width = parseWidths(args.list, OPT_widths, 0);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
  if (!file || !parameters || !width || !forbidden || !processor || isInput(output, *file))
    return exitMisuse;

  Session session;
  std::optional<std::string> text;
  if (!stage) {
    text = syntaxOf(session, *file);
  } else {
    mlir::OwningOpRef<mlir::ModuleOp> module = session.load(*file, *parameters);
    if (module && *stage != ProgramStage::Ta)
      leaveToKernels(*module);
    if (module && succeeded(session.prepare(
                      *module, {.forbidden = *forbidden,
                                .deterministic = args.list.hasArg(OPT_deterministic)}))) {
      StageOptions options{.widths = OpenWidths::asked(*width),
                           .processor = *processor,
                           .phases = args.list.hasArg(OPT_phases)};
      text = svg ? pictureAt(*stage, *module, options) : textAt(*stage, *module, options);
    }
  }
  return text ? writeTo(output, *text) : exitFailure;
}

} // namespace strata::tool

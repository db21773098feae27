// strata explain: what running a program will do, without doing it.
#include "strata/execution/Explain.h"
#include "Allocations.h"
#include "Arguments.h"
#include "Commands.h"
#include "Explanation.h"
#include "Kernels.h"
#include "Messages.h"
#include "Session.h"
#include "strata/lower/IndexStatement.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Output.h"
#include "strata/lower/IndexStatement.h"
#include "strata/lower/ProgramNotes.h"
#include "strata/lower/Resolutions.h"

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
does not run the program and opens no file that the program reads.

  strata explain spmm.ta -D file=m.mtx -D type=double
  strata explain 'y(i) = A(i,j) * x(j)' -f=A:CSR

In the loops, 'B2' is the second level of B's storage: a loop runs 'over' all values of its
variable, or 'in' the levels that it walks; where several are walked, it merges them; what it only
looks up is 'located'. A loop over 'i, j' takes the pairs that are stored, one after the other.
)",
    explain::table, "PROGRAM", "tell which loops and conversions a program or a statement becomes"};

static llvm::raw_ostream &lines(StringRef text, StringRef indent) {
  SmallVector<StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    llvm::outs() << indent << part << "\n";
  return llvm::outs();
}

static std::string storageOf(RankedTensorType type) {
  std::string text = elementTypeWord(type.getElementType()).str();
  for (auto [at, size] : llvm::enumerate(type.getShape()))
    text += (at ? " x " : ", ") + (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  if (type.getRank() > 0)
    text += ", " + ta::formatName(type);
  return text;
}

static void title(ta::ComputeOp statement) {
  llvm::outs() << placeOf(statement) << ": " << statementText(statement) << "\n";
  for (Operation *around = statement->getParentOp(); around; around = around->getParentOp())
    if (around->hasAttr(fewTermsAttribute))
      llvm::outs() << (around->getRegion(0).isAncestor(statement->getParentRegion())
                           ? "  if       the sums have few terms for the entries of the operands\n"
                           : "  unless   the sums have few terms for the entries of the operands, "
                             "or if these are not known\n");
    else if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(around))
      llvm::outs() << "  inside   the " << (isa<ta::IfOp>(around) ? "branch" : "loop") << " at "
                   << placeOf(around) << "\n";
}

static void explainConversion(ta::ComputeOp statement) {
  title(statement);
  Value from = copiedBy(statement), result = statement.getResult();
  llvm::outs() << "  result   " << nameOf(result) << ": "
               << storageOf(cast<RankedTensorType>(result.getType())) << "\n"
               << "  operand  " << nameOf(from) << ": "
               << storageOf(cast<RankedTensorType>(from.getType())) << "\n"
               << "  converted, in a way that depends on how many entries there are: strata run "
                  "--verbose tells\n";
}

// False if the kernel could not be compiled.
static bool explainOne(const ProgramKernel &kernel) {
  ta::ComputeOp statement = kernel.statement;
  ModuleOp module = *const_cast<ProgramKernel &>(kernel).module;
  title(statement);
  if (auto fused = statement->getAttrOfType<ArrayAttr>("strata.fused"))
    for (Attribute one : fused)
      llvm::outs() << "  fused    " << cast<StringAttr>(one).getValue() << "\n";
  auto function = *module.getOps<func::FuncOp>().begin();
  llvm::outs() << "  result   " << nameOf(statement.getResult()) << ": "
               << storageOf(cast<RankedTensorType>(function.getResultTypes().front())) << "\n";
  for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes())) {
    llvm::outs() << "  operand  " << nameOf(tensor) << ": "
                 << storageOf(cast<RankedTensorType>(type)) << "\n";
    if (auto convert = tensor.getDefiningOp<ta::ConvertOp>())
      llvm::outs() << "           converted from "
                   << ta::formatName(cast<RankedTensorType>(convert.getTensor().getType())) << ": "
                   << convert.getReason().value_or("asked for") << "\n";
    if (auto part = tensor.getDefiningOp<ta::PartOp>())
      llvm::outs() << "           part " << part.getNumber() + 1 << " of "
                   << ta::formatName(cast<RankedTensorType>(part.getTensor().getType())) << "\n";
    if (auto reindex = tensor.getDefiningOp<ta::ReindexOp>())
      llvm::outs() << "           " << reindex.getReason().value_or("gathered") << "\n";
  }
  for (Operation *user : statement.getResult().getUsers()) {
    if (auto convert = dyn_cast<ta::ConvertOp>(user); convert && convert.getReason())
      llvm::outs() << "           then converted to "
                   << ta::formatName(cast<RankedTensorType>(convert.getResult().getType())) << ": "
                   << *convert.getReason() << "\n";
    if (auto overlay = dyn_cast<ta::OverlayOp>(user); overlay && overlay.getReason())
      llvm::outs() << "           then joined with the rest of " << nameOf(overlay.getWhole())
                   << ": " << *overlay.getReason() << "\n";
  }
  std::string loops = explainKernel(module);
  std::optional<std::string> allocations = allocationsOf(module);
  if (loops.empty() || !allocations)
    return false;
  llvm::outs() << "  loops\n";
  lines(loops, "    ");
  if (std::string resolved = explainResolutions(statement); !resolved.empty()) {
    llvm::outs() << "  resolved by\n";
    lines(resolved, "    ");
  }
  llvm::outs() << "  allocates\n";
  lines(*allocations, "    ");
  return true;
}

bool explainProgram(ModuleOp program, unsigned width) {
  for (const auto &[location, text] : ProgramNotes::all(program))
    llvm::outs() << placeOf(location) << ": " << text << "\n";
  std::vector<ProgramKernel> kernels = *kernelsOf(mainOf(program), width);
  auto next = kernels.begin();
  bool any = false, fine = true;
  mainOf(program).walk<WalkOrder::PreOrder>([&](ta::ComputeOp statement) {
    any = true;
    if (isConversion(statement))
      explainConversion(statement);
    else
      fine &= explainOne(*next++);
    return WalkResult::skip();
  });
  if (!any)
    llvm::outs() << "the program has no statements to compile\n";
  return fine;
}

int explainCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace explain;
  if (hasStatement(arguments)) {
    SmallVector<const char *> statement{"-explain"};
    statement.append(arguments.begin(), arguments.end());
    return statementCommand(statement);
  }
  Arguments args = parseArguments(explainDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("explain", "one program");
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<unsigned> width = parseWidths(args.list, OPT_widths, 32);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  if (!file || !parameters || !width || !forbidden)
    return exitMisuse;
  Session session;
  OwningOpRef<ModuleOp> module = session.load(*file, *parameters);
  if (!module || failed(session.prepare(*module, {.forbidden = *forbidden})))
    return exitFailure;
  return explainProgram(*module, *width) ? exitSuccess : exitFailure;
}

} // namespace strata::tool

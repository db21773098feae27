// Takes a program's kernels through the pipeline, as far as asked.
#include "strata/explain/ProgramStage.h"

#include "strata/compile/CalledKernels.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/explain/Explain.h"
#include "strata/explain/IterationGraph.h"
#include "strata/explain/MergeLattices.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/target/c/CSource.h"
#include "strata/target/cpu/Jit.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata {

std::optional<ProgramStage> findStage(StringRef word) {
  return llvm::StringSwitch<std::optional<ProgramStage>>(word)
      .Case("ta", ProgramStage::Ta)
      .Case("loops", ProgramStage::Loops)
      .Case("graph", ProgramStage::Graph)
      .Case("lattice", ProgramStage::Lattice)
      .Case("cin", ProgramStage::Cin)
      .Case("lvl", ProgramStage::Lvl)
      .Case("scf", ProgramStage::Scf)
      .Case("vector", ProgramStage::Vector)
      .Case("c", ProgramStage::C)
      .Case("llvm", ProgramStage::Llvm)
      .Cases({"asm", "assembly"}, ProgramStage::Assembly)
      .Case("obj", ProgramStage::Object)
      .Case("header", ProgramStage::Header)
      .Default(std::nullopt);
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  module.print(os, flags);
  os << "\n";
  return text;
}

/// Of passes, which tell their errors as diagnostics.
static Error shownError() { return Error::alreadyShown("the kernels could not be compiled"); }

static Result<std::string> orShown(std::optional<std::string> text) {
  return text ? Result<std::string>(std::move(*text)) : Result<std::string>(shownError());
}

static Result<std::string> atDialect(ModuleOp kernels, Stage stage) {
  if (failed(lowerKernels(kernels, stage)))
    return shownError();
  return textOf(kernels);
}

// Of a dialect for a processor; else of its machine, too.
static Result<std::string> atMachine(ModuleOp kernels, std::optional<MachineStage> stage,
                                     const Processor &processor) {
  Result<std::unique_ptr<Jit>> jit = Jit::create(processor, Optimization::Full);
  if (!jit)
    return jit.takeStatus();
  if (failed(lowerKernels(kernels, stage ? Stage::Llvm : Stage::Vector,
                          {.vectorBytes = (*jit)->vectorBytes(),
                           .vectorRegisters = (*jit)->vectorRegisters(),
                           .caches = (*jit)->caches()})))
    return shownError();
  return stage ? (*jit)->emit(kernels, *stage) : textOf(kernels);
}

// "C: double, Dense", for the comments in a header.
static std::string storageText(StringRef name, RankedTensorType type) {
  std::string format;
  llvm::raw_string_ostream(format) << type;
  return (name + ": " + format).str();
}

// "i, k, j": the index variables that the kernel's extents are of, in their order.
static std::string extentsText(const ProgramKernel &kernel) {
  llvm::SmallVector<std::string> texts = extentNames(kernel);
  return texts.empty() ? "none" : llvm::join(texts, ", ");
}

// What a kernel computes, on what, as a comment.
static std::string commentOf(const ProgramKernel &kernel) {
  ta::ComputeOp statement = kernel.statement;
  auto function = *const_cast<ProgramKernel &>(kernel).module->getOps<func::FuncOp>().begin();
  std::string text = "/* " + ta::notation(statement) + "\n *\n * Storages:\n *   " +
                     storageText(ta::nameOf(statement.getResult()),
                                 cast<RankedTensorType>(function.getResultTypes().front())) +
                     "\n";
  for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes()))
    text += " *   " + storageText(ta::nameOf(tensor), cast<RankedTensorType>(type)) + "\n";
  return text + " * Extents: of " + extentsText(kernel) + "\n */\n";
}

static const char *phaseComment(Phase phase) {
  return phase == Phase::Assemble
             ? "/* The pattern alone: all but the values, which become the fill. */\n"
             : "/* The values alone, of a result with a pattern. */\n";
}

static std::string headerOf(llvm::ArrayRef<ProgramKernel> kernels) {
  std::string text = "/* Kernels compiled by Strata: see strata/runtime/abi.h. */\n"
                     "#include \"strata/runtime/abi.h\"\n\n"
                     "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const ProgramKernel &kernel : kernels)
    text += (kernel.phase == Phase::All ? "\n" + commentOf(kernel) : phaseComment(kernel.phase)) +
            "int32_t " + kernel.name +
            "(strata_context *, strata_storage *const *, const int64_t *);\n";
  return text + "\n#ifdef __cplusplus\n}\n#endif\n";
}

// The loops are those of Stage::Scf, but for one thread.
static Result<std::string> cSourceOf(llvm::ArrayRef<ProgramKernel> list, ModuleOp kernels) {
  std::vector<c::KernelText> texts;
  for (const ProgramKernel &kernel : list) {
    ta::ComputeOp statement = kernel.statement;
    auto function = *const_cast<ProgramKernel &>(kernel).module->getOps<func::FuncOp>().begin();
    auto type = cast<RankedTensorType>(function.getResultTypes().front());
    auto names = bufferNames(ta::formatOf(type), ta::nameOf(statement.getResult()));
    texts.push_back({kernel.name,
                     kernel.phase == Phase::All ? commentOf(kernel) : phaseComment(kernel.phase),
                     {names.begin(), names.end()}});
  }
  if (failed(lowerKernels(kernels, Stage::Scf, {.purpose = Purpose::Reading})))
    return shownError();
  return orShown(c::cSource(kernels, texts));
}

static Result<std::string> latticesOver(StringRef loop, std::vector<MergeLattice> lattices) {
  if (!loop.empty())
    llvm::erase_if(lattices, [&](const MergeLattice &one) { return one.loop != loop; });
  if (!loop.empty() && lattices.empty())
    return Error{Error::Request, ("no loop is over '" + loop + "'").str()};
  return latticesText(lattices);
}

// Tells whether programs call what is emitted, so that it checks what it is given.
static bool isCalled(ProgramStage stage) {
  return stage == ProgramStage::C || stage == ProgramStage::Llvm ||
         stage == ProgramStage::Assembly || stage == ProgramStage::Object;
}

static Result<std::string> atStage(ProgramStage stage, ArrayRef<ProgramKernel> list,
                                   ModuleOp kernels, const StageOptions &options) {
  switch (stage) {
  case ProgramStage::Ta:
    break;
  case ProgramStage::Loops:
    return orShown(explainKernel(kernels));
  case ProgramStage::Graph:
    if (auto graphs = iterationGraphs(kernels))
      return dotText(*graphs);
    return shownError();
  case ProgramStage::Lattice:
    if (auto lattices = mergeLattices(kernels))
      return latticesOver(options.loop, std::move(*lattices));
    return shownError();
  case ProgramStage::Cin:
    return atDialect(kernels, Stage::Cin);
  case ProgramStage::Lvl:
    return atDialect(kernels, Stage::Lvl);
  case ProgramStage::Scf:
    return atDialect(kernels, Stage::Scf);
  case ProgramStage::Vector:
    return atMachine(kernels, std::nullopt, options.processor);
  case ProgramStage::C:
    return cSourceOf(list, kernels);
  case ProgramStage::Llvm:
    return atMachine(kernels, MachineStage::LlvmIr, options.processor);
  case ProgramStage::Assembly:
    return atMachine(kernels, MachineStage::Assembly, options.processor);
  case ProgramStage::Object:
    return atMachine(kernels, MachineStage::Object, options.processor);
  case ProgramStage::Header:
    break;
  }
  return headerOf(list);
}

Result<std::string> programAt(ProgramStage stage, ModuleOp program, const StageOptions &options) {
  if (stage == ProgramStage::Ta)
    return textOf(program);
  std::optional<std::vector<ProgramKernel>> list =
      kernelsOf(mainOf(program), options.widths, options.phases);
  if (!list)
    return shownError();
  return kernelsAt(stage, *list, program.getContext(), options);
}

Result<std::string> kernelsAt(ProgramStage stage, MutableArrayRef<ProgramKernel> list,
                              MLIRContext *context, const StageOptions &options) {
  if (isCalled(stage))
    for (ProgramKernel &kernel : list)
      addSignature(kernel);
  return atStage(stage, list, *mergeKernels(list, context), options);
}

} // namespace strata

// Translates, optimizes and links modules with LLVM.
#include "strata/target/cpu/Jit.h"

#include "strata/runtime/Gemm.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/assembly.h"
#include "strata/target/cpu/CompilerBuiltins.h"
#include "strata/target/cpu/ElementFunctions.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata {

namespace {

/// Leaves out loop strength reduction, with which deep nests take longer to compile, and longer to
/// run: it keeps an address for each of the loops (docs/rationale/Contractions.md).
class PassesForDeepNests final : public llvm::OptPassGate {
public:
  bool shouldRunPass(StringRef pass, StringRef) const override {
    return pass != "Loop Strength Reduction";
  }
  bool isEnabled() const override { return true; }
};

bool hasDeepNest(llvm::Module &module) {
  constexpr unsigned deep = 6;
  return llvm::any_of(module, [](llvm::Function &function) {
    if (function.isDeclaration())
      return false;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    return llvm::any_of(loops.getLoopsInPreorder(),
                        [](const llvm::Loop *loop) { return loop->getLoopDepth() >= deep; });
  });
}

} // namespace

struct Jit::Translated {
  std::string errors; ///< what LLVM says of them
  PassesForDeepNests passesForDeepNests;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  int64_t instructions = 0; ///< before they are optimized
};

Jit::Jit(Optimization optimization, const CacheSizes &caches)
    : optimization(optimization), cacheSizes(caches) {}
Jit::~Jit() = default;

static Error failure(llvm::Error error) {
  return Error{Error::System, llvm::toString(std::move(error))};
}

// What kernels call, by the names that EmitEntryPoints and LLVM's code generation give.
static llvm::orc::SymbolMap runtimeSymbols(llvm::orc::MangleAndInterner mangle) {
  auto symbol = [](auto *function) {
    return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(function),
                                        llvm::JITSymbolFlags::Exported |
                                            llvm::JITSymbolFlags::Callable);
  };
  llvm::orc::SymbolMap symbols{
#define KERNEL_FUNCTION(name) {mangle(#name), symbol(&name)},
#include "strata/runtime/KernelFunctions.def"
  };
  for (const CompilerBuiltin &builtin : compilerBuiltins())
    symbols[mangle(builtin.name)] = symbol(builtin.address);
  for (const ElementFunction &function : elementFunctions())
    symbols[mangle(function.name)] = symbol(function.address);
  return symbols;
}

Result<std::unique_ptr<Jit>> Jit::create(const Processor &processor, Optimization optimization) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::orc::JITTargetMachineBuilder builder = processor.machineBuilder();
  builder.setCodeGenOptLevel(optimization == Optimization::Full ? llvm::CodeGenOptLevel::Default
                                                                : llvm::CodeGenOptLevel::Less);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Standard; // where kernels allow it
  std::unique_ptr<Jit> result(new Jit(optimization, processor.caches()));
  auto machine = builder.createTargetMachine();
  if (!machine)
    return failure(machine.takeError());
  result->machine = std::move(*machine);
  if (!processor.isOfThisArchitecture())
    return result; // whose code is only written
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create();
  if (!jit)
    return failure(jit.takeError());
  result->jit = std::move(*jit);
  llvm::orc::MangleAndInterner mangle(result->jit->getExecutionSession(),
                                      result->jit->getDataLayout());
  if (llvm::Error error =
          result->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(runtimeSymbols(mangle))))
    return failure(std::move(error));
  // Loops over large arrays call memset and the like.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      result->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return failure(process.takeError());
  result->jit->getMainJITDylib().addGenerator(std::move(*process));
  return result;
}

// Where kernels select, they do so because a processor cannot foresee which: no branches are to
// come of it.
static void keepSelections(llvm::Module &module) {
  llvm::MDNode *none = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::SelectInst>(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_unpredictable, none);
}

// Each function begins with a line of the instruction cache: how fast its loops are does not depend
// on what stands before it.
static void alignFunctions(llvm::Module &module) {
  const llvm::Align line(64);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.setAlignment(line);
}

// What costs little and lets machine code be selected in less time than it takes. LLVM's own levels
// also transform loops, in time that grows with the square of how many there are: a union of five
// operands has a thousand.
static llvm::Error cleanUp(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error =
          builder.parsePassPipeline(passes, "function(simplifycfg,sroa,early-cse,simplifycfg)"))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

// Without this, LLVM prints its messages, and ends the process after an error. It is no error that
// it leaves loops as they are of which a schedule wants vectors.
static void keepErrors(const llvm::DiagnosticInfo *said, void *errors) {
  if (said->getSeverity() != llvm::DS_Error)
    return;
  llvm::raw_string_ostream stream(*static_cast<std::string *>(errors));
  llvm::DiagnosticPrinterRawOStream printer(stream);
  said->print(printer);
}

Result<std::unique_ptr<Jit::Translated>> Jit::translate(ModuleOp module) {
  auto result = std::make_unique<Translated>();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  result->context = std::make_unique<llvm::LLVMContext>();
  result->context->setDiagnosticHandlerCallBack(keepErrors, &result->errors);
  result->module = translateModuleToLLVMIR(module, *result->context);
  if (!result->module)
    return Error{Error::NoCode, "internal error: the kernel could not be translated to LLVM"};
  result->instructions = result->module->getInstructionCount();
  keepSelections(*result->module);
  result->module->setDataLayout(machine->createDataLayout());
  result->module->setTargetTriple(machine->getTargetTriple());
  callElementFunctions(*result->module, *machine);
  llvm::Error error = optimization == Optimization::Full
                          ? makeOptimizingTransformer(3, 0, machine.get())(result->module.get())
                          : cleanUp(*result->module, *machine);
  if (error)
    return failure(std::move(error));
  if (optimization == Optimization::Quick && hasDeepNest(*result->module))
    result->context->setOptPassGate(result->passesForDeepNests);
  alignFunctions(*result->module);
  if (!result->errors.empty())
    return Error{Error::NoCode, "internal error: LLVM says: " + result->errors};
  return result;
}

Result<std::string> Jit::write(Translated &translated, llvm::CodeGenFileType kind) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    return Error{Error::Unsupported, "this target cannot write files of that kind"};
  passes.run(*translated.module);
  if (!translated.errors.empty())
    return Error{Error::NoCode, "internal error: LLVM says: " + translated.errors};
  return std::string(bytes);
}

Result<std::string> Jit::compile(ModuleOp module, CompileTimes &times) {
  Stopwatch watch;
  Result<std::unique_ptr<Translated>> translated = translate(module);
  if (!translated)
    return translated.takeStatus();
  times.instructions += (*translated)->instructions;
  times.optimization += watch.lap();
  Result<std::string> object = write(**translated, llvm::CodeGenFileType::ObjectFile);
  times.machineCode += watch.lap();
  return object;
}

LinkedKernel::LinkedKernel(strata_kernel entry,
                           std::vector<std::shared_ptr<const LinkedKernel>> shared,
                           std::shared_ptr<llvm::orc::LLJIT> jit, llvm::orc::ResourceTrackerSP code)
    : entry(entry), shared(std::move(shared)), jit(std::move(jit)), code(std::move(code)) {}

LinkedKernel::~LinkedKernel() { llvm::consumeError(code->remove()); }

Result<std::shared_ptr<const LinkedKernel>>
Jit::link(std::unique_ptr<llvm::MemoryBuffer> object, StringRef name,
          std::vector<std::shared_ptr<const LinkedKernel>> shared, CompileTimes &times) {
  Stopwatch watch;
  llvm::orc::ResourceTrackerSP code = jit->getMainJITDylib().createResourceTracker();
  if (llvm::Error error = jit->addObjectFile(code, std::move(object)))
    return failure(std::move(error));
  auto address = jit->lookup(name);
  if (!address) {
    llvm::consumeError(code->remove());
    return failure(address.takeError());
  }
  times.machineCode += watch.lap();
  return std::shared_ptr<const LinkedKernel>(
      new LinkedKernel(address->toPtr<strata_kernel>(), std::move(shared), jit, std::move(code)));
}

Result<std::string> Jit::emit(ModuleOp module, MachineStage stage) {
  Result<std::unique_ptr<Translated>> translated = translate(module);
  if (!translated)
    return translated.takeStatus();
  if (stage != MachineStage::LlvmIr)
    return write(**translated, stage == MachineStage::Object ? llvm::CodeGenFileType::ObjectFile
                                                             : llvm::CodeGenFileType::AssemblyFile);
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*translated)->module->print(stream, nullptr);
  return text;
}

int64_t Jit::vectorBytes() const {
  if (!machine->getTargetTriple().isX86())
    return 16; // NEON's; those of SVE have no length that a kernel could be made for
  const llvm::MCSubtargetInfo &processor = *machine->getMCSubtargetInfo();
  return processor.checkFeatures("+avx512f") ? 64 : processor.checkFeatures("+avx,+fma") ? 32 : 16;
}

int64_t Jit::vectorRegisters() const {
  return !machine->getTargetTriple().isX86() || vectorBytes() == 64 ? 32 : 16;
}

std::string Jit::target() const {
  return (machine->getTargetTriple().str() + " " + machine->getTargetCPU() + " " +
          machine->getTargetFeatureString() + " caches " + Twine(cacheSizes.first) + " " +
          Twine(cacheSizes.second) + " " + Twine(cacheSizes.third))
      .str();
}

} // namespace strata

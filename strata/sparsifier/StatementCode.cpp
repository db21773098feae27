// Compiles statements by Strata's road, from linalg through ta to kernels.
#include "strata/sparsifier/StatementCode.h"

#include "strata/interop/ImportLinalg.h"
#include "strata/lower/LowerKernels.h"
#include "strata/translate/CompiledProgram.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata::sparsifier {

// A function that hands the words to the runtime, with the program.
static void addEntry(ModuleOp module, StringRef name) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type none = LLVM::LLVMVoidType::get(b.getContext());
  constexpr StringRef runs = "strata_statement_call";
  auto runtime = module.lookupSymbol<LLVM::LLVMFuncOp>(runs);
  if (!runtime)
    runtime = LLVM::LLVMFuncOp::create(
        b, loc, runs,
        LLVM::LLVMFunctionType::get(none, {pointer, b.getI64Type(), pointer, pointer, pointer}));
  std::string kept = (name + "_decoded").str();
  auto place = LLVM::GlobalOp::create(b, loc, pointer, /*isConstant=*/false,
                                      LLVM::Linkage::Internal, kept, Attribute(), /*alignment=*/8);
  auto function =
      LLVM::LLVMFuncOp::create(b, loc, (name + "_run").str(),
                               LLVM::LLVMFunctionType::get(none, pointer), LLVM::Linkage::Internal);
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&place.getInitializerRegion());
    Value null = LLVM::ZeroOp::create(b, loc, pointer);
    LLVM::ReturnOp::create(b, loc, null);
  }
  Block *block = function.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  EmbeddedProgram program = embeddedProgram(module, b, name);
  Value decoded = LLVM::AddressOfOp::create(b, loc, pointer, kept);
  LLVM::CallOp::create(
      b, loc, runtime,
      ValueRange{program.bytes, program.size, program.kernels, decoded, block->getArgument(0)});
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

static LogicalResult toProgram(ModuleOp module) {
  auto main = *module.getOps<func::FuncOp>().begin();
  if (failed(interop::importLinalg(module, main)))
    return failure();
  PassManager passes(module.getContext());
  addProgramPasses(passes);
  return passes.run(module);
}

LogicalResult addCode(ModuleOp module, const FoundStatement &statement, StringRef name,
                      const KernelOptions &options) {
  OwningOpRef<ModuleOp> program = statement.asProgram();
  if (failed(toProgram(*program)))
    return failure();
  constexpr unsigned widths = 64; // of what `index` stores
  auto main = *program->getOps<func::FuncOp>().begin();
  std::optional<CompiledProgram> compiled = compileProgram(main, name, widths, Caller::Code);
  if (!compiled || failed(lowerKernels(*compiled->kernels, Stage::Llvm, options)))
    return failure();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  for (Operation &op : llvm::make_early_inc_range(*compiled->kernels->getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && module.lookupSymbol(symbol.getName()))
      continue; // a function of the runtime that other kernels have declared
    op.remove();
    b.insert(&op);
  }
  embedProgram(module, *compiled);
  addEntry(module, name);
  return success();
}

} // namespace strata::sparsifier

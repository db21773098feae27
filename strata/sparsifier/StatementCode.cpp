// Compiles statements by Strata's road, from linalg through ta to kernels.
#include "strata/sparsifier/StatementCode.h"

#include "strata/interop/ImportLinalg.h"
#include "strata/lower/LowerKernels.h"
#include "strata/translate/CompiledProgram.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata::sparsifier {

static LLVM::LLVMFuncOp declared(ModuleOp module, StringRef name, Type result,
                                 ArrayRef<Type> arguments) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), name,
                                  LLVM::LLVMFunctionType::get(result, arguments));
}

// A place for what the runtime keeps of the program.
static void addPlace(ModuleOp module, StringRef name) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto place = LLVM::GlobalOp::create(b, module.getLoc(), pointer, /*isConstant=*/false,
                                      LLVM::Linkage::Internal, name, Attribute(), /*alignment=*/8);
  b.createBlock(&place.getInitializerRegion());
  Value null = LLVM::ZeroOp::create(b, module.getLoc(), pointer);
  LLVM::ReturnOp::create(b, module.getLoc(), null);
}

// A function that hands the words to the runtime, with the program. Its callers have no way to
// learn that it failed: then it ends the process, as what upstream generates does.
static void addEntry(ModuleOp module, StringRef name) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type none = LLVM::LLVMVoidType::get(b.getContext()), integer = b.getI32Type();
  auto runtime = declared(module, "strata_statement_call", integer,
                          {pointer, b.getI64Type(), pointer, pointer, pointer});
  auto leave = declared(module, "exit", none, {integer});
  std::string kept = (name + "_decoded").str();
  addPlace(module, kept);
  b.setInsertionPointToEnd(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(b, loc, (name + "_run").str(),
                               LLVM::LLVMFunctionType::get(none, pointer), LLVM::Linkage::Internal);
  Block *block = function.addEntryBlock(b);
  Block *failed = b.createBlock(&function.getBody(), function.getBody().end());
  Block *done = b.createBlock(&function.getBody(), function.getBody().end());
  LLVM::ReturnOp::create(b, loc, ValueRange());
  b.setInsertionPointToStart(block);
  EmbeddedProgram program = embeddedProgram(module, b, name);
  Value decoded = LLVM::AddressOfOp::create(b, loc, pointer, kept);
  Value status = LLVM::CallOp::create(b, loc, runtime,
                                      ValueRange{program.bytes, program.size, program.kernels,
                                                 decoded, block->getArgument(0)})
                     .getResult();
  Value zero = LLVM::ConstantOp::create(b, loc, integer, b.getI32IntegerAttr(0));
  Value isWrong = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status, zero);
  LLVM::CondBrOp::create(b, loc, isWrong, failed, done);
  b.setInsertionPointToStart(failed);
  LLVM::CallOp::create(b, loc, leave, ValueRange(status));
  LLVM::UnreachableOp::create(b, loc);
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

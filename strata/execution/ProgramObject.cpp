// Object files of whole programs: the kernels, the program as bytes, and its entry points.
#include "strata/execution/CompiledProgram.h"
#include "strata/execution/Jit.h"
#include "strata/lower/LowerKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata {

namespace {

// Adds to a module in the LLVM dialect.
class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, const CompiledProgram &compiled)
      : module(module), b(module.getContext()), loc(module.getLoc()), name(compiled.program.name),
        bytes(host::encode(compiled.program)),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {
    b.setInsertionPointToEnd(module.getBody());
    addBytes();
    addTable(compiled.names);
  }

  // A function (count, texts) that hands the program to a function of the runtime.
  void addEntry(const std::string &entry, StringRef runs) {
    b.setInsertionPointToEnd(module.getBody());
    Type word = b.getI64Type(), integer = b.getI32Type();
    auto runtime = LLVM::LLVMFuncOp::create(
        b, loc, runs,
        LLVM::LLVMFunctionType::get(integer, {pointer, word, pointer, integer, pointer}));
    auto function = LLVM::LLVMFuncOp::create(
        b, loc, entry, LLVM::LLVMFunctionType::get(integer, {integer, pointer}));
    Block *block = function.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    Value program = addressOf(name + "_program"), kernels = addressOf(name + "_kernels");
    Value size = LLVM::ConstantOp::create(b, loc, word, b.getI64IntegerAttr(int64_t(bytes.size())));
    auto call = LLVM::CallOp::create(
        b, loc, runtime,
        ValueRange{program, size, kernels, block->getArgument(0), block->getArgument(1)});
    LLVM::ReturnOp::create(b, loc, call.getResult());
  }

private:
  Value addressOf(const std::string &global) {
    return LLVM::AddressOfOp::create(b, loc, pointer, global);
  }

  void addBytes() {
    Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                           name + "_program", b.getStringAttr(bytes), /*alignment=*/8);
  }

  // The kernels, in the order of their numbers; they are nobody else's.
  void addTable(ArrayRef<std::string> names) {
    for (const std::string &kernel : names)
      module.lookupSymbol<LLVM::LLVMFuncOp>(kernel).setLinkage(LLVM::Linkage::Internal);
    Type type = LLVM::LLVMArrayType::get(pointer, std::max<size_t>(names.size(), 1));
    auto table = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                        name + "_kernels", Attribute());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&table.getInitializerRegion());
    Value all = LLVM::ZeroOp::create(b, loc, type);
    for (auto [at, kernel] : llvm::enumerate(names))
      all = LLVM::InsertValueOp::create(b, loc, all, addressOf(kernel), int64_t(at));
    LLVM::ReturnOp::create(b, loc, all);
  }

  ModuleOp module;
  OpBuilder b;
  Location loc;
  std::string name, bytes;
  Type pointer;
};

} // namespace

Result<std::string> objectOf(CompiledProgram compiled, const Processor &processor, bool withMain) {
  Result<std::unique_ptr<Jit>> jit = Jit::create(processor, Optimization::Full);
  if (!jit)
    return jit.takeStatus();
  ModuleOp kernels = *compiled.kernels;
  if (failed(lowerKernels(kernels, Stage::Llvm, {.vectorBytes = (*jit)->vectorBytes()})))
    return Error{.message = "the kernels could not be compiled", .shown = true};
  EntryBuilder entries(kernels, compiled);
  entries.addEntry(compiled.program.name + "_run", "strata_program_run");
  if (withMain)
    entries.addEntry("main", "strata_program_main");
  return (*jit)->emit(kernels, MachineStage::Object);
}

} // namespace strata

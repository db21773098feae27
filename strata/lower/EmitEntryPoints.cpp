// Gives each kernel its C entry point, on the LLVM dialect.
#include "strata/lower/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "strata/lower/Passes.h.inc"

namespace {

// Offsets in the structs of runtime/abi.h.
constexpr int64_t storageSizes = 8, storageBuffers = 16;
constexpr int64_t bufferBytes = 32, bufferData = 0, bufferCount = 8;

class EntryPoint {
public:
  EntryPoint(ModuleOp module, OpBuilder &b)
      : module(module), b(b), pointer(LLVM::LLVMPointerType::get(b.getContext())),
        word(b.getI64Type()) {}

  void emit(LLVM::LLVMFuncOp kernel) {
    auto described = kernel->getAttrOfType<ArrayAttr>("strata.arguments");
    std::string name = kernel.getName().str();
    kernel.setName(name + ".body");
    kernel.setLinkage(LLVM::Linkage::Internal);
    b.setInsertionPointAfter(kernel);
    LLVM::LLVMFuncOp load = emitLoader(name + ".load", kernel, described);
    b.setInsertionPointAfter(load);
    emitEntry(name, load);
  }

private:
  // Loads the body's arguments as described and calls it.
  LLVM::LLVMFuncOp emitLoader(const std::string &name, LLVM::LLVMFuncOp kernel,
                              ArrayAttr described) {
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                            {pointer, pointer, pointer});
    auto fn = LLVM::LLVMFuncOp::create(b, kernel.getLoc(), name, type, LLVM::Linkage::Internal);
    OpBuilder::InsertionGuard guard(b);
    Block *block = fn.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    SmallVector<Value> arguments;
    for (Attribute text : described)
      arguments.push_back(argument(fn, cast<StringAttr>(text).getValue()));
    LLVM::CallOp::create(b, fn.getLoc(), kernel, arguments);
    LLVM::ReturnOp::create(b, fn.getLoc(), ValueRange{});
    return fn;
  }

  // "context" | "storage S" | "size S D" | "buffer S B" | "count S B" | "extent E"
  Value argument(LLVM::LLVMFuncOp fn, StringRef text) {
    Location loc = fn.getLoc();
    SmallVector<StringRef> words;
    text.split(words, ' ');
    auto number = [&](unsigned at) {
      int64_t value = 0;
      words[at].getAsInteger(10, value);
      return value;
    };
    auto load = [&](Type type, Value base, int64_t offset) -> Value {
      Value at = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                                     ArrayRef<LLVM::GEPArg>{int32_t(offset)});
      return LLVM::LoadOp::create(b, loc, type, at);
    };
    if (words[0] == "context")
      return fn.getArgument(0);
    if (words[0] == "extent")
      return load(word, fn.getArgument(2), 8 * number(1));
    Value storage = load(pointer, fn.getArgument(1), 8 * number(1));
    if (words[0] == "storage")
      return storage;
    if (words[0] == "size")
      return load(word, load(pointer, storage, storageSizes), 8 * number(2));
    Value buffers = load(pointer, storage, storageBuffers);
    int64_t buffer = bufferBytes * number(2);
    return words[0] == "buffer" ? load(pointer, buffers, buffer + bufferData)
                                : load(word, buffers, buffer + bufferCount);
  }

  void emitEntry(const std::string &name, LLVM::LLVMFuncOp load) {
    Location loc = load.getLoc();
    auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer, pointer});
    auto invoke = module.lookupSymbol<LLVM::LLVMFuncOp>("strata_invoke");
    if (!invoke) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      invoke = LLVM::LLVMFuncOp::create(
          b, loc, "strata_invoke",
          LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer, pointer, pointer}));
    }
    auto fn = LLVM::LLVMFuncOp::create(b, loc, name, type);
    Block *block = fn.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    Value body = LLVM::AddressOfOp::create(b, loc, load);
    SmallVector<Value> arguments(fn.getArguments());
    arguments.push_back(body);
    auto call = LLVM::CallOp::create(b, loc, invoke, arguments);
    LLVM::ReturnOp::create(b, loc, call.getResults());
  }

  ModuleOp module;
  OpBuilder &b;
  Type pointer, word;
};

// The runtime has one function for all element types; on pointers they are the same.
void mergeRuntimeFunctions(ModuleOp module) {
  SymbolTable symbols(module);
  for (StringRef stem : {"allocate", "grow", "release", "publish"}) {
    LLVM::LLVMFuncOp kept;
    for (auto fn : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
      if (!fn.getName().starts_with(("strata_" + stem + "_").str()))
        continue;
      auto merged = StringAttr::get(module.getContext(), "strata_kernel_" + stem);
      (void)SymbolTable::replaceAllSymbolUses(fn, merged, module);
      if (kept) {
        fn.erase();
        continue;
      }
      kept = fn;
      fn.setName(merged);
    }
  }
}

struct EmitEntryPoints : impl::EmitEntryPointsBase<EmitEntryPoints> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    mergeRuntimeFunctions(getOperation());
    EntryPoint entry(getOperation(), b);
    for (auto fn : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (fn->hasAttr("strata.arguments"))
        entry.emit(fn);
  }
};

} // namespace
} // namespace strata

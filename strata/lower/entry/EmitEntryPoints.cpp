// Gives each kernel its C entry point, on the LLVM dialect.
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/entry/KernelSignature.h"
#include "strata/lower/entry/RuntimeCalls.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace strata {

std::string runtimeFunction(StringRef name) {
  for (StringRef stem : {"allocate", "grow", "release", "publish", "join", "join_edges", "rehash",
                         "lookahead", "short_rows", "scatters_singly", "add_rows", "gemm"})
    if (name.rsplit('_').first == ("strata_" + stem).str())
      return ("strata_kernel_" + stem).str();
  return name.str();
}

#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "strata/lower/Passes.h.inc"

namespace {

// Offsets in the structs of runtime/abi.h.
constexpr int64_t storageSizes = 8, storageBuffers = 16;
constexpr int64_t bufferBytes = 32, bufferData = 0, bufferCount = 8;
constexpr StringLiteral argumentsAttribute = "strata.arguments";

class EntryPoint {
public:
  EntryPoint(ModuleOp module, OpBuilder &b)
      : module(module), b(b), pointer(LLVM::LLVMPointerType::get(b.getContext())),
        word(b.getI64Type()) {}

  void emit(LLVM::LLVMFuncOp kernel) {
    std::string name = kernel.getName().str();
    std::optional<Signature> signature = signatureOf(kernel);
    LLVM::LLVMFuncOp load = emitBody(kernel);
    if (std::optional<Inheritance> inherits = inheritanceOf(kernel))
      load = emitInheriting(name + ".inherit", load, *inherits);
    b.setInsertionPointAfter(load);
    emitEntry(name, load, signature);
  }

  // `all`, declared as (context, pieces, arguments ...), gets a body: it keeps the arguments in a
  // struct and has the runtime call, for each piece, a function that loads them again.
  void emitPieces(LLVM::LLVMFuncOp all, LLVM::LLVMFuncOp body) {
    Location loc = all.getLoc();
    SmallVector<Type> types(body.getArgumentTypes().drop_front(2));
    auto captured = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    LLVM::LLVMFuncOp piece = emitPiece(all.getName().str() + ".load", body, captured);
    body.setLinkage(LLVM::Linkage::Internal);
    all.setLinkage(LLVM::Linkage::Internal);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(all.addEntryBlock(b));
    Value one = LLVM::ConstantOp::create(b, loc, word, 1);
    Value kept = LLVM::AllocaOp::create(b, loc, pointer, captured, one);
    for (unsigned at = 0; at < types.size(); ++at)
      LLVM::StoreOp::create(b, loc, all.getArgument(at + 2), member(loc, captured, kept, at));
    Value function = LLVM::AddressOfOp::create(b, loc, piece);
    LLVM::CallOp::create(
        b, loc, runtimeFunction(loc, "strata_kernel_parallel", {pointer, word, pointer, pointer}),
        ValueRange{all.getArgument(0), all.getArgument(1), function, kept});
    LLVM::ReturnOp::create(b, loc, ValueRange{});
  }

private:
  // Makes the kernel a function that is called through the one that is returned, which loads its
  // arguments.
  LLVM::LLVMFuncOp emitBody(LLVM::LLVMFuncOp kernel) {
    auto described = cast<ArrayAttr>(kernel->removeAttr(argumentsAttribute));
    std::string name = kernel.getName().str();
    kernel.setName(name + ".body");
    kernel.setLinkage(LLVM::Linkage::Internal);
    b.setInsertionPointAfter(kernel);
    return emitLoader(name + ".load", kernel, described);
  }

  // Leaves it to the runtime which of two kernels does the work.
  LLVM::LLVMFuncOp emitInheriting(const std::string &name, LLVM::LLVMFuncOp general,
                                  const Inheritance &inherits) {
    Location loc = general.getLoc();
    LLVM::LLVMFuncOp values = emitBody(module.lookupSymbol<LLVM::LLVMFuncOp>(inherits.values));
    auto words = LLVM::LLVMArrayType::get(word, inherits.plan.size());
    b.setInsertionPointAfter(values);
    auto fn =
        LLVM::LLVMFuncOp::create(b, loc, name, general.getFunctionType(), LLVM::Linkage::Internal);
    auto plan = LLVM::GlobalOp::create(b, loc, words, /*isConstant=*/true, LLVM::Linkage::Internal,
                                       name + ".plan", b.getI64TensorAttr(inherits.plan));
    b.setInsertionPointToStart(fn.addEntryBlock(b));
    SmallVector<Value> arguments(fn.getArguments());
    arguments.push_back(LLVM::AddressOfOp::create(b, loc, plan));
    arguments.push_back(LLVM::AddressOfOp::create(b, loc, general));
    arguments.push_back(LLVM::AddressOfOp::create(b, loc, values));
    SmallVector<Type> types(arguments.size(), pointer);
    LLVM::CallOp::create(b, loc, runtimeFunction(loc, "strata_kernel_inherit", types), arguments);
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return fn;
  }

  Value member(Location loc, Type type, Value base, unsigned at) {
    return LLVM::GEPOp::create(b, loc, pointer, type, base, ArrayRef<LLVM::GEPArg>{0, int32_t(at)});
  }

  LLVM::LLVMFuncOp emitPiece(const std::string &name, LLVM::LLVMFuncOp body,
                             LLVM::LLVMStructType captured) {
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                            {pointer, word, pointer});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(body);
    auto fn = LLVM::LLVMFuncOp::create(b, body.getLoc(), name, type, LLVM::Linkage::Internal);
    b.setInsertionPointToStart(fn.addEntryBlock(b));
    SmallVector<Value> arguments{fn.getArgument(0), fn.getArgument(1)};
    for (auto [at, element] : llvm::enumerate(captured.getBody()))
      arguments.push_back(LLVM::LoadOp::create(
          b, body.getLoc(), element, member(body.getLoc(), captured, fn.getArgument(2), at)));
    LLVM::CallOp::create(b, body.getLoc(), body, arguments);
    LLVM::ReturnOp::create(b, body.getLoc(), ValueRange{});
    return fn;
  }

  LLVM::LLVMFuncOp runtimeFunction(Location loc, StringRef name, ArrayRef<Type> types) {
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto none = LLVM::LLVMVoidType::get(b.getContext());
    return LLVM::LLVMFuncOp::create(b, loc, name, LLVM::LLVMFunctionType::get(none, types));
  }

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

  LLVM::LLVMFuncOp invoke(Location loc, StringRef name, unsigned arguments) {
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(arguments, pointer);
    return LLVM::LLVMFuncOp::create(b, loc, name,
                                    LLVM::LLVMFunctionType::get(b.getI32Type(), types));
  }

  // The words and the names, as arguments.
  void addSignature(Location loc, const std::string &name, const Signature &signature,
                    SmallVectorImpl<Value> &arguments) {
    auto words = LLVM::LLVMArrayType::get(word, signature.words.size());
    auto names = LLVM::LLVMArrayType::get(b.getI8Type(), signature.names.size());
    auto constant = [&](Type type, StringRef suffix, Attribute value) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                           LLVM::Linkage::Internal, name + suffix.str(), value);
      return global;
    };
    auto numbers = constant(words, ".signature", b.getI64TensorAttr(signature.words));
    auto text = constant(names, ".names", b.getStringAttr(signature.names));
    arguments.push_back(LLVM::AddressOfOp::create(b, loc, numbers));
    arguments.push_back(LLVM::AddressOfOp::create(b, loc, text));
  }

  void emitEntry(const std::string &name, LLVM::LLVMFuncOp load,
                 const std::optional<Signature> &signature) {
    Location loc = load.getLoc();
    auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer, pointer});
    LLVM::LLVMFuncOp callee =
        signature ? invoke(loc, "strata_invoke_checked", 6) : invoke(loc, "strata_invoke", 4);
    auto fn = LLVM::LLVMFuncOp::create(b, loc, name, type);
    Block *block = fn.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    Value body = LLVM::AddressOfOp::create(b, loc, load);
    SmallVector<Value> arguments(fn.getArguments());
    arguments.push_back(body);
    if (signature)
      addSignature(loc, name, *signature, arguments);
    auto call = LLVM::CallOp::create(b, loc, callee, arguments);
    LLVM::ReturnOp::create(b, loc, call.getResults());
  }

  ModuleOp module;
  OpBuilder &b;
  Type pointer, word;
};

// The runtime has one function for all element types; on pointers they are the same.
void mergeRuntimeFunctions(ModuleOp module) {
  llvm::StringMap<LLVM::LLVMFuncOp> kept;
  for (auto fn : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    std::string merged = runtimeFunction(fn.getName());
    if (merged == fn.getName())
      continue;
    (void)SymbolTable::replaceAllSymbolUses(fn, StringAttr::get(module.getContext(), merged),
                                            module);
    if (!kept.try_emplace(merged, fn).second)
      fn.erase();
    else
      fn.setName(merged);
  }
}

// Removes the attributes that said how to make the kernel: from here on only LLVM's dialect is
// known.
void dropTypedAttributes(LLVM::LLVMFuncOp fn) {
  for (NamedAttribute attribute : llvm::to_vector(fn->getDiscardableAttrs()))
    if (isa<ta::PhaseAttr, ta::AssumptionsAttr, ta::PolicyAttr>(attribute.getValue()))
      fn->removeDiscardableAttr(attribute.getName());
}

struct EmitEntryPoints : impl::EmitEntryPointsBase<EmitEntryPoints> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Machine, getArgument())))
      return signalPassFailure();
    OpBuilder b(&getContext());
    mergeRuntimeFunctions(getOperation());
    if (auto fail = getOperation().lookupSymbol<LLVM::LLVMFuncOp>("strata_kernel_fail"))
      fail.setPassthroughAttr(b.getStrArrayAttr({"cold", "noreturn"}));
    EntryPoint entry(getOperation(), b);
    for (auto fn : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      dropTypedAttributes(fn);
      if (isShared(fn) && !fn.isExternal())
        fn.setLinkage(LLVM::Linkage::Internal);
      if (fn->hasAttr(argumentsAttribute))
        entry.emit(fn);
      if (auto body = fn->getAttrOfType<FlatSymbolRefAttr>("strata.pieces"))
        entry.emitPieces(fn, getOperation().lookupSymbol<LLVM::LLVMFuncOp>(body.getValue()));
    }
  }
};

} // namespace
} // namespace strata

// Takes functions out of modules, by their text.
#include "strata/compile/SharedFunctions.h"

#include "strata/compile/KernelCache.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Object/ObjectFile.h"

using namespace mlir;

namespace strata {

static constexpr StringLiteral prefix = "shared_";

std::string sharedName(StringRef digest) { return (prefix + digest).str(); }

// A module of the function and what it calls, which are declarations.
static OwningOpRef<ModuleOp> moduleOf(func::FuncOp function) {
  auto from = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> module(ModuleOp::create(function.getLoc()));
  OpBuilder b(module->getBodyRegion());
  unmarkShared(cast<func::FuncOp>(b.clone(*function))); // others call it from outside
  function.walk([&](func::CallOp call) {
    if (module->lookupSymbol(call.getCallee()))
      return;
    b.clone(*from.lookupSymbol<func::FuncOp>(call.getCallee()));
  });
  return module;
}

// Where its parts come from is not printed, nor which kernel it was made for.
static std::string textOf(func::FuncOp function) {
  function.setName("shared");
  std::string text;
  llvm::raw_string_ostream(text) << function;
  return text;
}

std::vector<SharedCode> takeSharedFunctions(ModuleOp kernels, StringRef options, StringRef target) {
  std::vector<SharedCode> taken;
  for (auto function : llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
    if (!isShared(function))
      continue;
    auto before = StringAttr::get(kernels.getContext(), function.getName());
    std::string digest = KernelCache::digest((options + textOf(function)).str(), target);
    auto name = StringAttr::get(kernels.getContext(), sharedName(digest));
    function.setName(name);
    (void)SymbolTable::replaceAllSymbolUses(before, name, kernels);
    taken.push_back({digest, titleOfShared(function).str(), moduleOf(function)});
    function.eraseBody();
  }
  return taken;
}

std::vector<std::string> sharedFunctionsOf(const llvm::MemoryBuffer &object) {
  std::vector<std::string> digests;
  auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file) {
    llvm::consumeError(file.takeError());
    return digests;
  }
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (name && flags && (*flags & llvm::object::SymbolRef::SF_Undefined) &&
        name->starts_with(prefix))
      digests.push_back(name->drop_front(prefix.size()).str());
    llvm::consumeError(name.takeError());
    llvm::consumeError(flags.takeError());
  }
  return digests;
}

} // namespace strata

// Runs the reads of a program, each as a program of its own.
#include "ReadFiles.h"

#include "Cache.h"
#include "Messages.h"
#include "Progress.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace strata::tool {

// Null after an error, of which a warning tells.
static std::optional<TensorValue> readFile(ta::ReadOp read, KernelCompiler &compiler,
                                           const RunOptions &options) {
  MLIRContext *context = read.getContext();
  std::string why;
  ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) {
    if (why.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      why = diagnostic.str();
    return success();
  });
  OpBuilder b(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, read.getLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto type = b.getFunctionType({}, read.getResult().getType());
  auto main = func::FuncOp::create(b, read.getLoc(), "main", type);
  b.setInsertionPointToEnd(main.addEntryBlock());
  Value tensor = cast<ta::ReadOp>(b.clone(*read)).getResult();
  func::ReturnOp::create(b, read.getLoc(), tensor);
  Executor executor(compiler, options, llvm::nulls());
  if (succeeded(executor.run(main)))
    return executor.value(tensor);
  warn("'" + read.getFile().str() + "' is not read: " + why +
       "; nothing is expected of what depends on it");
  return std::nullopt;
}

std::vector<std::optional<TensorValue>> readFiles(ModuleOp program, RunOptions options) {
  KernelCompiler compiler(program.getContext());
  useCache(compiler);
  options.progress = progressOf;
  std::vector<std::optional<TensorValue>> found;
  program.walk([&](ta::ReadOp read) {
    bool isWhole = !ta::placementOf(cast<RankedTensorType>(read.getResult().getType()));
    found.push_back(isWhole ? readFile(read, compiler, options) : std::nullopt);
  });
  return found;
}

} // namespace strata::tool

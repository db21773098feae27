// strata: runs, explains and compiles programs of tensor algebra.
#include "strata/execution/Executor.h"
#include "strata/lower/Pipeline.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  strata::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  sources.AddNewSourceBuffer(std::move(*file), {});
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  PassManager pm(&context);
  strata::addProgramPasses(pm);
  if (failed(pm.run(*module)))
    return 1;
  strata::KernelCompiler compiler(&context);
  strata::RunOptions options;
  options.check = true;
  options.explain = true;
  options.repeat = argc > 2 ? atoi(argv[2]) : 1;
  if (options.repeat > 1) options.check = false;
  strata::Executor executor(compiler, options, llvm::outs());
  LogicalResult result = executor.run(module->lookupSymbol<func::FuncOp>("main"));
  for (auto &step : executor.report()) {
    llvm::errs() << step.what << ": read " << step.read << " sort " << step.sort << " compile "
                 << step.compile << " (" << step.compileParts.passes << " " << step.compileParts.optimization << " " << step.compileParts.machineCode << ") pack " << step.pack << " run " << step.run << " flops " << step.flops;
    if (step.run > 0) llvm::errs() << " GF/s " << step.flops / step.run * 1e-9;
    if (step.checked) llvm::errs() << " checked: " << *step.checked << " in " << step.check;
    llvm::errs() << "\n" << step.loops;
    for (auto &s : step.notes) llvm::errs() << "  note: " << s << "\n";
  }
  return failed(result);
}

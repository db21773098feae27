// Compiles and runs programs inside another program: one as text of the language, which reads a
// matrix, and one as a module of the ta dialect, whose operand comes from this program's memory.
#include "strata/conversion/Unpacking.h"
#include "strata/frontend/EmitTa.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/Pipeline.h"
#include "strata/run/Executor.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace strata;

static const char language[] = R"(
def main() {
  IndexLabel [i] = [?];
  IndexLabel [j] = [?];
  Tensor<double> A([i, j], CSR);
  Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense);
  A[i, j] = read(file);
  x[j] = 2.0;
  y[i] = A[i, j] * x[j];
  print(y);
}
)";

static const char dialect[] = R"(
#V = #ta.format<(i) -> (i : compressed)>
func.func @main(%a: tensor<5xf64, #V>) -> tensor<5xf64> {
  %n = arith.constant 5 : index
  %y = ta.compute [%i = %n] ins(%a : tensor<5xf64, #V>) -> tensor<5xf64> out [%i]
      attributes {names = ["i"]} {
    %v = ta.access %a[%i] : tensor<5xf64, #V>
    %w = arith.addf %v, %v : f64
    ta.yield %w : f64
  }
  return %y : tensor<5xf64>
}
)";

static mlir::OwningOpRef<mlir::ModuleOp> parseLanguage(mlir::MLIRContext &context,
                                                       const char *file) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(language, "program.ta"),
                                           llvm::SMLoc());
  frontend::Diagnostics diagnostics(sources);
  frontend::ast::Module tree = frontend::parseProgram(id, diagnostics);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (auto program =
          frontend::analyze(tree, {{"file", file}}, frontend::TaFormats(&context), diagnostics))
    module = frontend::emitTa(*program, &context, diagnostics);
  diagnostics.print(llvm::errs());
  return module;
}

static bool run(mlir::ModuleOp module, Executor &executor) {
  mlir::PassManager passes(module.getContext());
  addProgramPasses(passes);
  return succeeded(passes.run(module)) &&
         succeeded(executor.run(module.lookupSymbol<mlir::func::FuncOp>("main")));
}

// An entry of 21 at 3.
static runtime::Result<TensorValue> vector(KernelCompiler &compiler, mlir::Type type) {
  auto list = runtime::Coordinates::create({5}, STRATA_F64, 1);
  if (!list)
    return list.takeStatus();
  list->column(0).as<int32_t>()[0] = 3;
  list->values().as<double>()[0] = 21;
  return pack(compiler, std::move(*list), mlir::cast<mlir::RankedTensorType>(type));
}

static int runDialect(mlir::MLIRContext &context, KernelCompiler &compiler) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(dialect, &context);
  if (!module)
    return 1;
  mlir::Block &body = module->lookupSymbol<mlir::func::FuncOp>("main").getBody().front();
  auto packed = vector(compiler, body.getArgument(0).getType());
  if (!packed)
    return 1;
  Executor executor(compiler, RunOptions(), llvm::outs());
  executor.define(body.getArgument(0), std::move(*packed));
  if (!run(*module, executor))
    return 1;
  auto list = unpack(compiler, *executor.value(body.getTerminator()->getOperand(0)));
  if (!list)
    return 1;
  for (int64_t entry = 0; entry < list->count(); ++entry)
    llvm::outs() << list->coordinate(0, entry) << ": " << int(list->value(entry).real()) << "\n";
  return 0;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  KernelCompiler compiler(&context);
  Executor executor(compiler, RunOptions(), llvm::outs());
  auto program = parseLanguage(context, argc > 1 ? argv[1] : "matrix.mtx");
  if (!program || !run(*program, executor))
    return 1;
  return runDialect(context, compiler);
}

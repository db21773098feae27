// Statements over tensors in a level format that this program adds, compared with the reference.
#include "strata/lower/Pipeline.h"
#include "strata/run/Executor.h"
#include "strata/tensor/Validate.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace strata;

static const char program[] = R"(
#E = #ta.format<(i, j) -> (i : dense, j : evens)>
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @main(%a: tensor<3x6xf64, #E>, %b: tensor<3x6xf64, #CSR>) -> tensor<3x6xf64, #E> {
  %n = arith.constant 3 : index
  %m = arith.constant 6 : index
  %sum = ta.compute [%i = %n, %j = %m] ins(%a, %b : tensor<3x6xf64, #E>, tensor<3x6xf64, #CSR>)
      -> tensor<3x6xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %v = ta.access %a[%i, %j] : tensor<3x6xf64, #E>
    %w = ta.access %b[%i, %j] : tensor<3x6xf64, #CSR>
    %s = arith.addf %v, %w : f64
    ta.yield %s : f64
  }
  ta.print %sum "sum" : tensor<3x6xf64, #CSR>
  %product = ta.compute [%i = %n, %j = %m]
      ins(%a, %sum : tensor<3x6xf64, #E>, tensor<3x6xf64, #CSR>) -> tensor<3x6xf64, #E>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %v = ta.access %a[%i, %j] : tensor<3x6xf64, #E>
    %w = ta.access %sum[%i, %j] : tensor<3x6xf64, #CSR>
    %s = arith.mulf %v, %w : f64
    ta.yield %s : f64
  }
  ta.print %product "product" : tensor<3x6xf64, #E>
  return %product : tensor<3x6xf64, #E>
}
)";

struct Entry {
  int row, column;
  double value;
};

static runtime::Result<TensorValue> matrix(KernelCompiler &compiler, mlir::Type type,
                                           llvm::ArrayRef<Entry> entries) {
  auto list = runtime::Coordinates::create({3, 6}, STRATA_F64, int64_t(entries.size()));
  if (!list)
    return list.takeStatus();
  for (auto [at, entry] : llvm::enumerate(entries)) {
    list->column(0).as<int32_t>()[at] = entry.row;
    list->column(1).as<int32_t>()[at] = entry.column;
    list->values().as<double>()[at] = entry.value;
  }
  return pack(compiler, std::move(*list), mlir::cast<mlir::RankedTensorType>(type));
}

int main() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  KernelCompiler compiler(&context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!module)
    return 1;
  auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
  mlir::Block &body = function.getBody().front();
  mlir::Value a = body.getArgument(0), b = body.getArgument(1);
  auto evens = matrix(compiler, a.getType(), {{0, 0, 1}, {0, 2, 2}, {2, 0, 3}, {2, 4, 4}});
  auto others = matrix(compiler, b.getType(), {{0, 1, 10}, {0, 2, 20}, {1, 3, 30}});
  if (!evens || !others)
    return 1;

  WrittenProgram written(*module); // before any pass
  Executor executor(compiler, RunOptions{.written = &written}, llvm::outs());
  executor.define(a, std::move(*evens));
  executor.define(b, std::move(*others));
  mlir::PassManager passes(&context);
  addProgramPasses(passes);
  if (failed(passes.run(*module)) || failed(executor.run(function)))
    return 1;
  for (const CheckReport &check : executor.checks())
    llvm::outs() << "checked: " << check.compared << "\n";

  const TensorValue product = *executor.value(body.getTerminator()->getOperand(0));
  llvm::outs() << (validate(product).ok() ? "valid" : "wrong") << "\n";
  strata_buffer &half = product.storage->buffer(1);
  static_cast<uint8_t *>(half.data)[half.count - 1] = 3;
  llvm::outs() << validate(product).error().text() << "\n";
  llvm::outs() << matrix(compiler, a.getType(), {{1, 3, 5}}).error().text() << "\n";
  return 0;
}

// Writes the two statements in the ta dialect and compiles them for a packed matrix.
#include "Products.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/lower/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::benchmark {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

Workbench::Workbench()
    : context(allDialects(), MLIRContext::Threading::DISABLED), compiler(&context) {
  context.loadAllAvailableDialects();
}

Result<RankedTensorType> Workbench::tensorType(StringRef name, unsigned order) {
  std::string why;
  Attribute format = ta::namedFormat(&context, name, order, why);
  if (!format)
    return Error{"format '" + name.str() + "': " + why};
  return RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic),
                               Float64Type::get(&context), format);
}

static constexpr const char *spmv = R"(
  func.func @kernel(%A: MATRIX, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64>
      attributes {strata.kernel} {
    %y = ta.compute [%i = %n] ins(%A, %x : MATRIX, tensor<?xf64>) sizes(%n)
        -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
      %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
        %a = ta.access %A[%i, %j] : MATRIX
        %b = ta.access %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    }
    return %y : tensor<?xf64>
  })";

static constexpr const char *spmm = R"(
  func.func @kernel(%A: MATRIX, %X: tensor<?x?xf64>, %n: index, %m: index, %w: index)
      -> tensor<?x?xf64> attributes {strata.kernel} {
    %Y = ta.compute [%i = %n, %k = %w] ins(%A, %X : MATRIX, tensor<?x?xf64>) sizes(%n, %w)
        -> tensor<?x?xf64> out [%i, %k] attributes {names = ["i", "k"]} {
      %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
        %a = ta.access %A[%i, %j] : MATRIX
        %b = ta.access %X[%j, %k] : tensor<?x?xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    }
    return %Y : tensor<?x?xf64>
  })";

static std::string replaceAll(std::string text, StringRef what, StringRef with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// A dense tensor of doubles; its values are those given, or still to come.
static Result<Storage> denseStorage(std::vector<int64_t> sizes,
                                    const std::vector<double> &values = {}) {
  std::vector<strata_type> types{STRATA_F64};
  Storage storage(std::move(sizes), types);
  if (values.empty())
    return storage;
  if (Status status = storage.allocate(0, static_cast<int64_t>(values.size())); !status.ok())
    return status;
  llvm::copy(values, static_cast<double *>(storage.values().data));
  return storage;
}

Result<Product> Product::create(Workbench &bench, const TensorValue &matrix,
                                const std::vector<double> &x, int64_t width) {
  std::string type;
  llvm::raw_string_ostream(type) << matrix.type;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      replaceAll(width == 1 ? spmv : spmm, "MATRIX", type), &bench.context);
  if (!module)
    return Error{"the statement of the benchmark is no valid ta"};
  Product product(bench, matrix);
  Result<CompiledKernel> kernel = bench.compiler.compile(std::move(module));
  if (!kernel)
    return kernel.takeStatus();
  product.kernel = *kernel;
  int64_t rows = matrix.sizes()[0], columns = matrix.sizes()[1];
  // Extents come in the order of the kernel's arguments: n, m, then the width.
  std::vector<int64_t> inner{columns}, outer{rows};
  product.extents = {rows, columns};
  if (width > 1)
    for (std::vector<int64_t> *sizes : {&inner, &outer, &product.extents})
      sizes->push_back(width);
  Result<Storage> operand = denseStorage(inner, x), result = denseStorage(outer);
  if (!operand)
    return operand.takeStatus();
  product.x = std::move(*operand);
  product.y = std::move(*result);
  return product;
}

Status Product::run() {
  return bench->compiler.run(kernel, y, {matrix.storage.get(), &x}, extents);
}

} // namespace strata::benchmark

// Kernels in one thread look at the interrupt flag in their loops, not only where they allocate:
// the flag is set by the allocation of the result, which is the last one before the loops.
#include "generator/Workbench.h"
#include "strata/compile/ProgramKernels.h"

#include "mlir/Parser/Parser.h"

namespace {

using namespace strata;
using namespace strata::test;

constexpr int64_t size = 32; // of every label: what a tile of the widest vectors holds

struct Flagged {
  strata_allocator own = strata_default_allocator();
  int32_t flag = 0, allocations = 0;
};

void *allocateAndInterrupt(void *state, void *block, size_t before, size_t after) {
  auto &flagged = *static_cast<Flagged *>(state);
  if (after > 0) {
    ++flagged.allocations;
    flagged.flag = 1;
  }
  return flagged.own.reallocate(flagged.own.state, block, before, after);
}

// Runs the kernel of a function with one statement on random operands, with one caller's flag or
// none.
int32_t statusOf(const std::string &function, bool hasFlag = true) {
  Workbench &bench = Workbench::instance();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(function, &bench.context);
  if (!module)
    return -1;
  auto kernels = kernelsOf(mainOf(*module), {.bits = 64});
  mlir::func::FuncOp main = mainOf(*module);
  Random random(1);
  std::vector<TensorValue> values;
  for (mlir::Type argument : main.getArgumentTypes()) {
    auto type = cast<mlir::RankedTensorType>(argument);
    TensorData data = drawData(random, std::vector<int64_t>(size_t(type.getRank()), size),
                               STRATA_F64, {.density = 0.5});
    runtime::Result<TensorValue> packed = pack(bench.compiler, toCoordinates(data), type);
    EXPECT_TRUE(packed);
    values.push_back(std::move(*packed));
  }
  auto result = cast<mlir::RankedTensorType>(main.getResultTypes().front());
  runtime::Storage made(std::vector<int64_t>(size_t(result.getRank()), size), bufferTypes(result));
  std::vector<strata_storage *> storages{made.abi()};
  for (mlir::Value tensor : kernels->front().arguments.tensors)
    storages.push_back(values[cast<mlir::BlockArgument>(tensor).getArgNumber()].storage->abi());
  std::vector<int64_t> extents(8, size);
  runtime::Result<CompiledKernel> kernel =
      bench.compiler.compile(std::move(kernels->front().module));
  EXPECT_TRUE(kernel);
  Flagged flagged;
  strata_context context;
  strata_context_initialize(&context);
  context.allocator = {&flagged, allocateAndInterrupt};
  context.interrupt = hasFlag ? &flagged.flag : nullptr;
  int32_t status = kernel->code->entry(&context, storages.data(), extents.data());
  EXPECT_EQ(flagged.allocations, 1) << "another allocation would have looked at the flag";
  return status;
}

// C[i, j] = max over k of A[i, k] + B[k, j]: no contraction that is blocked.
constexpr const char *tropical = R"(
func.func @main(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %n = arith.constant 32 : index
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>)
                  sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] {
    %m = ta.reduce max [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %s = arith.addf %a, %b : f64
      ta.yield %s : f64
    }
    ta.yield %m : f64
  }
  return %C : tensor<?x?xf64>
}
)";

// y[i] = max over j of a[i] + b[j]: two loops over little memory.
constexpr const char *pairs = R"(
func.func @main(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %n = arith.constant 32 : index
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xf64>, tensor<?xf64>)
                  sizes(%n) -> tensor<?xf64> out [%i] {
    %m = ta.reduce max [%j = %n] : f64 {
      %p = ta.access %a[%i] : tensor<?xf64>
      %q = ta.access %b[%j] : tensor<?xf64>
      %s = arith.addf %p, %q : f64
      ta.yield %s : f64
    }
    ta.yield %m : f64
  }
  return %y : tensor<?xf64>
}
)";

// A sparse matrix times another one, into a dense result.
constexpr const char *product = R"(
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 64, crd = 64>
func.func @main(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64> {
  %n = arith.constant 32 : index
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
                  sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] {
    %m = ta.reduce add [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %s = arith.mulf %a, %b : f64
      ta.yield %s : f64
    }
    ta.yield %m : f64
  }
  return %C : tensor<?x?xf64>
}
)";

TEST(Interrupt, endsLoopsInOneThread) {
  EXPECT_EQ(statusOf(tropical), STRATA_INTERRUPTED);
  EXPECT_EQ(statusOf(pairs), STRATA_INTERRUPTED);
  EXPECT_EQ(statusOf(product), STRATA_INTERRUPTED);
}

TEST(Interrupt, isNoneWithoutAFlag) {
  EXPECT_EQ(statusOf(tropical, /*hasFlag=*/false), STRATA_OK);
  EXPECT_EQ(statusOf(product, /*hasFlag=*/false), STRATA_OK);
}

} // namespace

// Statements: their kernels, and what must hold before these run.
#include "strata/translate/Translator.h"

#include "strata/compile/Kernel.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Phase.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/tensor/StoredFormats.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

static bool lowersWindowed(ModuleOp kernel) {
  OwningOpRef<ModuleOp> trial = kernel.clone();
  assume(*trial->getOps<func::FuncOp>().begin(), Assumptions::Windowed);
  ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) {});
  return succeeded(lowerKernels(*trial, Stage::Scf));
}

std::vector<host::Reach> Translator::reachesOf(ta::ComputeOp op, bool &windowed) {
  DenseMap<Value, Value> extents;
  auto take = [&](Block::BlockArgListType variables, ValueRange values) {
    for (auto [variable, value] : llvm::zip(variables, values))
      extents[variable] = value;
  };
  take(op.getVariables(), op.getExtents());
  op.getBody().walk([&](ta::ReduceOp reduce) { take(reduce.getVariables(), reduce.getExtents()); });
  std::vector<host::Reach> reaches;
  auto reach = [&](Value of, TensorId id, AffineMap map, ValueRange indices, std::string name) {
    bool isWhole = true;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto variable = dyn_cast<AffineDimExpr>(expr);
      isWhole &= variable && isSizeOf(extents[indices[variable.getPosition()]], of, dim);
    }
    if (isWhole)
      return;
    windowed = true;
    std::vector<SizeId> own;
    for (Value index : indices)
      own.push_back(size(extents[index]));
    reaches.push_back({id, affineOf(map), std::move(own), std::move(name)});
  };
  reach(op.getResult(), -1, op.getOutMap(), ValueRange(op.getVariables()), "the result");
  op.getBody().walk([&](ta::AccessOp access) {
    reach(access.getTensor(), tensor(access.getTensor()), access.getMap(), access.getIndices(),
          ta::operandName(op, access.getTensor()));
  });
  return reaches;
}

std::vector<host::Assumed> Translator::assumedBy(ta::ComputeOp op) {
  std::vector<host::Assumed> all;
  if (!assumesExtents(op.getScheduleAttr()))
    return all;
  IndexStatement statement(op);
  for (const AssumedExtent &assumed : assumedExtents(statement)) {
    const IndexVariable &variable = statement.variables[assumed.variable];
    all.push_back({size(variable.extent), assumed.bounds.least, assumed.bounds.most,
                   "'" + ta::commandText(op.getScheduleAttr().getCommands()[assumed.command]) +
                       "' is wrong: '" + variable.name + "' has "});
  }
  return all;
}

void Translator::translate(ta::ComputeOp op) {
  Value from = ahead ? copiedBy(op) : Value(); // which a run knows that has the sizes
  if (from && (copiesWhole(op) || isConversion(op)))
    convert(op, from, op.getResult(), resultSizes(op, decided(op.getResult()), op.getSizes()));
  else
    compute(op);
  if (op.getInPlace())
    add(op, host::Release{{tensor(op.getInit())}});
}

void Translator::compute(ta::ComputeOp op) {
  Value init = op.getInit();
  host::Compute compute{.to = tensor(op.getResult()),
                        .type = typeId(op.getResult()),
                        .kernel = -1,
                        .sizes = {},
                        .init = init ? tensor(init) : -1,
                        .inPlace = op.getInPlace(),
                        .operands = {},
                        .extents = {},
                        .reaches = {},
                        .assumed = {}};
  if (!init)
    compute.sizes = resultSizes(op, decided(op.getResult()), op.getSizes());
  if (ahead)
    computeAhead(op, compute);
  add(op, std::move(compute));
}

// Adds the kernel of a statement, what it is called with, and what must hold before.
void Translator::computeAhead(ta::ComputeOp op, host::Compute &compute) {
  AffineMap out = op.getOutMap();
  SmallVector<std::optional<int64_t>> known;
  for (Value extent : op.getExtents())
    known.push_back(getConstantIntValue(extent));
  if (!op.getCombine() && ta::solvePlace(out).size() != out.getNumDims() &&
      !ta::separates(out, known))
    return refuse(op, "whether the left side reaches a place several times depends on sizes");
  Value init = op.getInit();
  bool readsInit = init && llvm::is_contained(op.getInputs(), init);
  KernelArguments arguments;
  OwningOpRef<ModuleOp> module = outlineKernel(
      op, "kernel", [&](Value operand) { return decided(operand); },
      [&](Value operand) { return ta::operandName(op, operand); },
      decided(init ? init : op.getResult()), arguments);
  bool windowed = false;
  compute.reaches = reachesOf(op, windowed);
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  // Nobody knows whether the accesses reach all of their tensors. Kernels do that reach parts,
  // unless a schedule has no loops for these.
  bool plain = llvm::all_of(compute.reaches, [](const host::Reach &reach) {
    return llvm::none_of(reach.coordinates,
                         [](const host::Affine &coordinate) { return coordinate.divides(); });
  });
  if (windowed && plain && op.getScheduleAttr() && !lowersWindowed(*module))
    for (host::Reach &reach : compute.reaches)
      reach.whole = true;
  else if (windowed)
    assume(function, Assumptions::Windowed);
  setPhase(function, Phase::All);
  compute.kernel = ahead->addKernel(std::move(module));
  for (Value operand : arguments.tensors)
    compute.operands.push_back(operand == init && !readsInit ? -1 : tensor(operand));
  compute.extents = sizesOf(arguments.extents);
  compute.assumed = assumedBy(op);
}

} // namespace strata

// Makes of each value that a tensor stores another one, whatever its format.
//
// before: A1[i, j] = A[i, j] * s
// after:  v = the values of A
//         w[p] = v[p] * s
//         A1 = A with the values w
//
// The elements that A does not store are the fill, before and after. Where a format cannot tell a
// stored fill from padding, neither is an entry, and both stay: 0 * s is 0 there for any s, as it
// is where nothing is stored. A schedule asks for such a pass by `assemble(A1, Inherit)` alone.
#include "strata/lower/ta/PassOverValues.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/lower/analysis/InheritablePattern.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {
namespace {

// The only tensor that a statement reads beside scalars, and its accesses to it.
struct Operand {
  Value tensor;
  SmallVector<Operation *, 2> accesses;
};

RankedTensorType tensorType(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }

// The storages of a tensor: the parts of a sum.
SmallVector<ta::FormatAttr> storagesOf(RankedTensorType type) {
  if (ta::SumAttr sum = ta::sumOf(type))
    return SmallVector<ta::FormatAttr>(sum.getParts());
  return {ta::formatOf(type)};
}

//===------------------------------------------------------------------------------------------===//
// Which statements
//===------------------------------------------------------------------------------------------===//

// Tells whether a schedule leaves the loops to the pattern that the result is to take.
bool leavesLoops(ta::ScheduleAttr schedule) {
  return !schedule || (schedule.getCommands().size() == 1 && commandToInherit(schedule));
}

// Tells whether the statement has a value at each place, which replaces everything there.
bool definesAll(ta::ComputeOp op) {
  return !op.getInit() && !op.getMask() && !op.getEmptyAttr() && !op.getDropsFills() &&
         !op.getKeepsFills() && leavesLoops(op.getScheduleAttr()) &&
         op.getOutMap().isPermutation() && reachesWholeResult(op);
}

// Tells whether the access reads the place that the statement writes.
bool readsOwnPlace(ta::ComputeOp op, ta::AccessOp access) {
  ArrayRef<AffineExpr> written = op.getOutMap().getResults(), read = access.getMap().getResults();
  return written.size() == read.size() && llvm::all_of(llvm::zip(written, read), [&](auto pair) {
           auto to = dyn_cast<AffineDimExpr>(std::get<0>(pair));
           auto from = dyn_cast<AffineDimExpr>(std::get<1>(pair));
           return to && from &&
                  op.getVariables()[to.getPosition()] == access.getIndices()[from.getPosition()];
         });
}

// Tells whether it is an operation on elements that may be done with padding, too.
bool isElementOperation(Operation *op) {
  bool isKnown =
      isa<ta::CompareOp, ta::SelectOp, ta::ToIntegerOp>(op) ||
      isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect());
  return isKnown && isSpeculatable(op);
}

// Nothing where the statement reads other tensors, or its values depend on where they are.
std::optional<Operand> operandOf(ta::ComputeOp op) {
  Operand found;
  for (Operation &inner : op.getBlock().without_terminator()) {
    auto access = dyn_cast<ta::AccessOp>(inner);
    if (!access && isElementOperation(&inner))
      continue;
    if (!access || access.getMissing())
      return std::nullopt;
    if (tensorType(access.getTensor()).getRank() == 0)
      continue;
    if (!readsOwnPlace(op, access) || (found.tensor && found.tensor != access.getTensor()))
      return std::nullopt;
    found.tensor = access.getTensor();
    found.accesses.push_back(access);
  }
  const bool readsPlaces = llvm::any_of(op.getVariables(), [](Value variable) {
    return !llvm::all_of(variable.getUsers(), llvm::IsaPred<ta::AccessOp>);
  });
  const bool copies = llvm::is_contained(found.accesses, op.getYielded().getDefiningOp());
  return found.tensor && !readsPlaces && !copies ? std::optional(found) : std::nullopt;
}

// Tells whether the result is the fill wherever the operand is, and is stored as that is.
bool keepsPattern(ta::ComputeOp op, const Operand &operand) {
  RankedTensorType from = tensorType(operand.tensor), to = tensorType(op.getResult());
  if (from.getEncoding() != to.getEncoding() || from.getElementType() != to.getElementType() ||
      ta::placementOf(to) || !reachesAllOf(op, operand.tensor))
    return false;
  for (ta::FormatAttr storage : storagesOf(to))
    if (storage.isFull() || ta::repeatsEntries(storage))
      return false;
  TypedAttr value = IndexStatement::knownWithout(op.getYielded(), operand.accesses).value;
  return value && Attribute(value) == Attribute(ta::fillOf(to));
}

// On a module: its kernels are called by others.
constexpr StringLiteral kernelsAttribute = "strata.kernels";

// Tells whether a kernel has loops that make the result, and is called by others, or the tensor is
// that of who calls the function. Such a kernel copies the pattern and computes the values in one
// call, which is repeated without a question.
bool isLeftToKernel(ta::ComputeOp op, Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  const bool isCallers = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return (isCallers || op->getParentOfType<ModuleOp>()->hasAttr(kernelsAttribute)) &&
         !ta::sumOf(tensorType(tensor)) && planOf(IndexStatement(op)).has_value();
}

// The loops of a kernel that cannot take the operand's pattern make the result as they do without a
// schedule.
void makeByLoops(ta::ComputeOp op) {
  std::string why;
  if (op.getScheduleAttr() && !inheritablePattern(IndexStatement(op), why))
    op.removeScheduleAttr();
}

//===------------------------------------------------------------------------------------------===//
// The statement over values
//===------------------------------------------------------------------------------------------===//

// The value of an entry; what may be padding stays.
Value unlessPadding(OpBuilder &b, Location loc, Value value, Value before, RankedTensorType type) {
  if (!ta::formatOf(type).hasPadding())
    return value;
  Value isEntry = ta::emitComparedWithFill(b, loc, before, ta::fillOf(type));
  return ta::SelectOp::create(b, loc, isEntry, value, before);
}

// A statement over the values that the operand's storage `part` holds.
ta::ComputeOp beginPass(OpBuilder &b, ta::ComputeOp op, Value tensor, int64_t part) {
  auto vector = RankedTensorType::get({ShapedType::kDynamic}, tensorType(tensor).getElementType());
  Value stored = ta::ValuesOp::create(b, tensor.getLoc(), vector, tensor, part);
  Value count = ta::DimOp::create(b, op.getLoc(), b.getIndexType(), stored, 0);
  SmallVector<Value> inputs{stored};
  for (Value input : op.getInputs())
    if (input != tensor)
      inputs.push_back(input);
  auto pass = ta::ComputeOp::create(b, op.getLoc(), vector, count, inputs, count, Value(),
                                    AffineMapAttr::get(b.getMultiDimIdentityMap(1)),
                                    ta::CombineAttr(), b.getStrArrayAttr({"p"}));
  if (ArrayAttr fused = op.getFusedAttr())
    pass.setFusedAttr(fused);
  if (StringAttr reason = op.getReasonAttr())
    pass.setReasonAttr(reason);
  keepConstraints(pass, op);
  return pass;
}

Value computeValues(OpBuilder &b, ta::ComputeOp op, const Operand &operand, int64_t part) {
  Location loc = op.getLoc();
  ta::ComputeOp pass = beginPass(b, op, operand.tensor, part);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&pass.getBody());
  Value place = block->addArgument(b.getIndexType(), loc);
  Operation *access = operand.accesses.front();
  Value before = ta::AccessOp::create(b, access->getLoc(), access->getResult(0).getType(),
                                      pass.getInputs().front(), place, b.getMultiDimIdentityMap(1),
                                      /*missing=*/false);
  IRMapping mapping;
  for (Operation &inner : op.getBlock().without_terminator())
    if (llvm::is_contained(operand.accesses, &inner))
      mapping.map(inner.getResult(0), before);
    else
      b.clone(inner, mapping);
  RankedTensorType type = tensorType(operand.tensor);
  RankedTensorType stored = ta::withFormat(type, storagesOf(type)[size_t(part)]);
  ta::YieldOp::create(b, loc,
                      unlessPadding(b, loc, mapping.lookup(op.getYielded()), before, stored));
  return pass.getResult();
}

} // namespace

void leaveToKernels(ModuleOp program) {
  program->setAttr(kernelsAttribute, UnitAttr::get(program.getContext()));
}

Value passOverValues(ta::ComputeOp op) {
  if (!definesAll(op))
    return {};
  const std::optional<Operand> operand = operandOf(op);
  if (!operand || !keepsPattern(op, *operand))
    return {};
  if (isLeftToKernel(op, operand->tensor)) {
    makeByLoops(op);
    return {};
  }
  OpBuilder b(op);
  SmallVector<Value> values;
  const size_t count = storagesOf(tensorType(operand->tensor)).size();
  for (size_t part = 0; part < count; ++part)
    values.push_back(computeValues(b, op, *operand, int64_t(part)));
  return ta::WithValuesOp::create(b, op.getLoc(), op.getResult().getType(), operand->tensor,
                                  values);
}

} // namespace strata

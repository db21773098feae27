// Outlines statements as kernels.
#include "strata/compile/Kernel.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/WholeResult.h"

using namespace mlir;

namespace strata {

namespace {

// The extents of a statement and of the reductions in it.
SmallVector<Value> allExtents(ta::ComputeOp op) {
  SmallVector<Value> extents(op.getExtents());
  op.getBody().walk([&](ta::ReduceOp reduce) { llvm::append_range(extents, reduce.getExtents()); });
  return extents;
}

// Where a statement stands, without its result's name, which everything made for it would get.
Location placeOf(ta::ComputeOp op) {
  auto named = dyn_cast<NameLoc>(op.getLoc());
  return named ? named.getChildLoc() : op.getLoc();
}

class Outliner {
public:
  Outliner(ta::ComputeOp op, StringRef name) : op(op), b(op.getContext()) {
    module = ModuleOp::create(b, placeOf(op));
    b.setInsertionPointToEnd(module->getBody());
    kernel = func::FuncOp::create(b, placeOf(op), name, b.getFunctionType({}, {}));
    markKernel(kernel);
    entry = kernel.addEntryBlock();
    b.setInsertionPointToEnd(entry);
  }

  void addArgument(Value operand, Type type, StringRef name) {
    mapping.map(operand, entry->addArgument(type, NameLoc::get(b.getStringAttr(name))));
    if (auto label = operand.getDefiningOp<ta::IotaOp>())
      labels.push_back({entry->getNumArguments() - 1, label});
  }

  OwningOpRef<ModuleOp> finish(RankedTensorType resultType) {
    auto clone = cast<ta::ComputeOp>(b.clone(*op, mapping));
    clone.getSizesMutable().assign(sizesFor(clone, resultType));
    clone.getResult().setType(resultType);
    clone->setLoc(placeOf(op));
    clone.setInPlace(false); // whose storage the result gets is no business of the kernel's
    if (!op.getInit() && reachesWholeResult(op))
      markWholeResult(clone);
    func::ReturnOp::create(b, op.getLoc(), clone.getResult()); // names the result
    kernel.setFunctionType(b.getFunctionType(entry->getArgumentTypes(), {resultType}));
    for (auto [argument, label] : labels)
      kernel.setArgAttr(
          argument, ta::iotaAttribute,
          b.getDenseI64ArrayAttr({int64_t(label.getFirst()), int64_t(label.getStep())}));
    return std::move(module);
  }

  OpBuilder &builder() { return b; }
  IRMapping mapping;

private:
  // The sizes of the dynamic dimensions of a type: those that are constants in the program need not
  // be so in the kernel.
  SmallVector<Value> sizesFor(ta::ComputeOp clone, RankedTensorType resultType) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(clone);
    SmallVector<Value> sizes;
    ValueRange own = clone.getSizes();
    auto type = cast<RankedTensorType>(clone.getResult().getType());
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (resultType.isDynamicDim(dim))
        sizes.push_back(ShapedType::isDynamic(size)
                            ? own.front()
                            : arith::ConstantIndexOp::create(b, placeOf(op), size));
      own = own.drop_front(ShapedType::isDynamic(size));
    }
    return sizes;
  }

  ta::ComputeOp op;
  OpBuilder b;
  OwningOpRef<ModuleOp> module;
  func::FuncOp kernel;
  Block *entry;
  SmallVector<std::pair<unsigned, ta::IotaOp>> labels; ///< arguments that are values of labels
};

} // namespace

OwningOpRef<ModuleOp> outlineKernel(ta::ComputeOp op, StringRef name,
                                    llvm::function_ref<RankedTensorType(Value)> typeOf,
                                    llvm::function_ref<std::string(Value)> nameOf,
                                    RankedTensorType resultType, KernelArguments &arguments) {
  Outliner outliner(op, name);
  for (Value input : op.getInputs()) {
    if (outliner.mapping.contains(input))
      continue;
    outliner.addArgument(input, typeOf(input), nameOf(input));
    arguments.tensors.push_back(input);
  }
  if (Value init = op.getInit(); init && !outliner.mapping.contains(init)) {
    outliner.addArgument(init, resultType, "init");
    arguments.tensors.push_back(init);
  }
  for (Value extent : allExtents(op)) {
    if (outliner.mapping.contains(extent))
      continue;
    outliner.addArgument(extent, outliner.builder().getIndexType(), "n");
    arguments.extents.push_back(extent);
  }
  // The sizes of a result are its storage's; inside they are of no interest.
  for (Value size : op.getSizes())
    if (!outliner.mapping.contains(size))
      outliner.mapping.map(size,
                           arith::ConstantIndexOp::create(outliner.builder(), placeOf(op), 0));
  OwningOpRef<ModuleOp> kernel = outliner.finish(resultType);
  if (assumes(op->getParentOfType<ModuleOp>(), Assumptions::Deterministic))
    assume(*kernel->getOps<func::FuncOp>().begin(), Assumptions::Deterministic);
  return kernel;
}

// `value`, but missing where it equals `fill`, as in all padding.
static Value unlessFill(OpBuilder &b, Location loc, Value value, TypedAttr fill) {
  return ta::FilterOp::create(b, loc, value, ta::emitComparedWithFill(b, loc, value, fill));
}

namespace {

// A kernel (tensors, extents, others) around one statement; the tensors have the same dimensions.
struct StatementKernel {
  StatementKernel(ArrayRef<RankedTensorType> from, RankedTensorType to, StringRef name,
                  unsigned others = 0)
      : b(to.getContext()), loc(NameLoc::get(b.getStringAttr(name))),
        module(ModuleOp::create(b, loc)) {
    b.setInsertionPointToEnd(module->getBody());
    unsigned rank = from.front().getRank();
    SmallVector<Type> types(from.begin(), from.end());
    types.append(rank + others, b.getIndexType());
    function = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {to}));
    markKernel(function);
    Block *entry = b.createBlock(&function.getBody());
    for (auto [at, type] : llvm::enumerate(types))
      entry->addArgument(type, NameLoc::get(b.getStringAttr(at < from.size() ? "in" : "n")));
    llvm::append_range(operands, entry->getArguments().take_front(from.size()));
    llvm::append_range(extents, entry->getArguments().slice(from.size(), rank));
  }

  SmallVector<unsigned> allDims() const {
    return llvm::to_vector(llvm::seq<unsigned>(0, extents.size()));
  }

  // The operand's value at these indices, one for each dimension.
  ta::AccessOp access(Value operand, ValueRange indices) {
    Type element = cast<RankedTensorType>(operand.getType()).getElementType();
    return ta::AccessOp::create(b, loc, ta::valueTypeOf(element), operand, indices,
                                AffineMapAttr::get(b.getMultiDimIdentityMap(indices.size())));
  }

  ArrayAttr namesOf(ArrayRef<unsigned> dims) {
    auto all = ta::indexNames(extents.size());
    SmallVector<Attribute> names;
    for (unsigned dim : dims)
      names.push_back(b.getStringAttr(all[dim]));
    return b.getArrayAttr(names);
  }

  // The statement over these dimensions, in order; `body` gives its value.
  OwningOpRef<ModuleOp> compute(RankedTensorType to, ArrayRef<unsigned> dims,
                                llvm::function_ref<Value(ValueRange variables)> body) {
    SmallVector<Value> own, sizes;
    for (auto [at, dim] : llvm::enumerate(dims)) {
      own.push_back(extents[dim]);
      if (to.isDynamicDim(at))
        sizes.push_back(extents[dim]);
    }
    AffineMap identity = b.getMultiDimIdentityMap(dims.size());
    auto compute =
        ta::ComputeOp::create(b, loc, to, own, operands, sizes, Value(),
                              AffineMapAttr::get(identity), ta::CombineAttr(), namesOf(dims));
    {
      OpBuilder::InsertionGuard guard(b);
      Block *block = b.createBlock(&compute.getBody());
      for (unsigned at = 0; at < dims.size(); ++at)
        block->addArgument(b.getIndexType(), loc);
      ta::YieldOp::create(b, loc, body(block->getArguments()));
    }
    func::ReturnOp::create(b, NameLoc::get(b.getStringAttr("out")), compute.getResult());
    return std::move(module);
  }

  OpBuilder b;
  Location loc;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  SmallVector<Value> operands, extents;
};

} // namespace

OwningOpRef<ModuleOp> copyKernel(RankedTensorType from, RankedTensorType to, StringRef name,
                                 Fills fills) {
  bool numbers = slotNumbering(ta::formatOf(to)).has_value();
  StatementKernel kernel(from, to, name, numbers);
  OpBuilder &b = kernel.b;
  if (numbers)
    assume(kernel.function, Assumptions::Slots);
  return kernel.compute(to, kernel.allDims(), [&](ValueRange variables) -> Value {
    Value value = kernel.access(kernel.operands.front(), variables);
    return fills == Fills::Dropped ? unlessFill(b, kernel.loc, value, ta::fillOf(from)) : value;
  });
}

OwningOpRef<ModuleOp> additionKernel(RankedTensorType one, RankedTensorType other,
                                     RankedTensorType to) {
  StatementKernel kernel({one, other}, to, "add");
  return kernel.compute(to, kernel.allDims(), [&](ValueRange variables) -> Value {
    Value left = kernel.access(kernel.operands[0], variables);
    Value right = kernel.access(kernel.operands[1], variables);
    return ta::emitCombine(kernel.b, kernel.loc, ta::Combine::add, left, right);
  });
}

OwningOpRef<ModuleOp> countingKernel(RankedTensorType from, ArrayRef<unsigned> dims) {
  Type word = IntegerType::get(from.getContext(), 64);
  auto to = RankedTensorType::get(SmallVector<int64_t>(dims.size(), ShapedType::kDynamic), word);
  StatementKernel kernel(from, to, "count");
  OpBuilder &b = kernel.b;
  SmallVector<unsigned> others;
  for (unsigned dim = 0; dim < from.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return kernel.compute(to, dims, [&](ValueRange variables) -> Value {
    SmallVector<Value> extents;
    for (unsigned dim : others)
      extents.push_back(kernel.extents[dim]);
    auto reduce = ta::ReduceOp::create(b, kernel.loc, word, ta::Combine::add, extents,
                                       kernel.namesOf(others), /*missing=*/false);
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&reduce.getBody());
    SmallVector<Value> indices(from.getRank());
    for (auto [dim, variable] : llvm::zip(dims, variables))
      indices[dim] = variable;
    for (unsigned dim : others)
      indices[dim] = block->addArgument(b.getIndexType(), kernel.loc);
    Value one = arith::ConstantIntOp::create(b, kernel.loc, 1, 64);
    ta::AccessOp stored = kernel.access(kernel.operands.front(), indices);
    stored.setMissing(true);
    Value counted = ta::MaskedOp::create(b, kernel.loc, one, stored);
    ta::YieldOp::create(b, kernel.loc, counted);
    return reduce;
  });
}

void preferPieces(ModuleOp copy, ArrayRef<int64_t> sizes, int64_t entries) {
  int64_t places = 1;
  for (int64_t size : sizes)
    places = std::max(places, size);
  constexpr int64_t few = 1 << 15;
  for (auto kernel : copy.getOps<func::FuncOp>()) {
    // A list is counted by one thread, too: finding the end of each run costs more.
    ta::FormatAttr from = ta::formatOf(cast<RankedTensorType>(kernel.getArgumentTypes()[0]));
    bool isList = entries >= few && !ta::levelProperties(from, 0).unique;
    if (isList || strata_kernel_pieces(nullptr, entries, places) > 1)
      prefer(kernel, Policy::Counted);
  }
}

std::optional<LoopPlan> planOfCopy(ModuleOp copy) {
  func::FuncOp kernel = *copy.getOps<func::FuncOp>().begin();
  std::optional<LoopPlan> plan =
      planOf(IndexStatement(*kernel.getOps<ta::ComputeOp>().begin()), preferredAssembly(kernel));
  // Sorting all entries costs less than gathering row after row.
  if (plan && plan->assembly == Assembly::Gathered && !plan->blocks &&
      phaseOf(kernel) == Phase::All)
    return std::nullopt;
  // ... or walking all rows for each column.
  if (plan && !plan->rewalks.empty())
    return std::nullopt;
  return plan;
}

} // namespace strata

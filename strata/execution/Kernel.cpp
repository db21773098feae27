// Outlines statements as kernels.
#include "strata/execution/Kernel.h"

#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "strata/dialect/ta/FormatMap.h"

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
    kernel->setAttr("strata.kernel", b.getUnitAttr());
    entry = kernel.addEntryBlock();
    b.setInsertionPointToEnd(entry);
  }

  void addArgument(Value operand, Type type, StringRef name) {
    mapping.map(operand, entry->addArgument(type, NameLoc::get(b.getStringAttr(name))));
  }

  OwningOpRef<ModuleOp> finish(RankedTensorType resultType) {
    auto clone = cast<ta::ComputeOp>(b.clone(*op, mapping));
    clone.getResult().setType(resultType);
    clone->setLoc(placeOf(op));
    func::ReturnOp::create(b, op.getLoc(), clone.getResult()); // names the result
    kernel.setFunctionType(b.getFunctionType(entry->getArgumentTypes(), {resultType}));
    return std::move(module);
  }

  OpBuilder &builder() { return b; }
  IRMapping mapping;

private:
  ta::ComputeOp op;
  OpBuilder b;
  OwningOpRef<ModuleOp> module;
  func::FuncOp kernel;
  Block *entry;
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
  return outliner.finish(resultType);
}

// `value`, but missing where it is `fill`, bit by bit: a negative zero is no padding.
static Value unlessFill(OpBuilder &b, Location loc, Value value, TypedAttr fill) {
  Value absent = arith::ConstantOp::create(b, loc, fill), bits = value;
  if (isa<FloatType>(value.getType())) {
    Type word = b.getIntegerType(value.getType().getIntOrFloatBitWidth());
    bits = arith::BitcastOp::create(b, loc, word, value);
    absent = arith::BitcastOp::create(b, loc, word, absent);
  }
  Value differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bits, absent);
  return ta::FilterOp::create(b, loc, value, differs);
}

OwningOpRef<ModuleOp> copyKernel(RankedTensorType from, RankedTensorType to, StringRef name,
                                 Fills fills) {
  MLIRContext *context = from.getContext();
  Location loc = NameLoc::get(StringAttr::get(context, name));
  OpBuilder b(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToEnd(module->getBody());
  unsigned rank = from.getRank();
  SmallVector<Type> types{from};
  types.append(rank, b.getIndexType());
  auto kernel = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {to}));
  kernel->setAttr("strata.kernel", b.getUnitAttr());
  Block *entry = b.createBlock(&kernel.getBody());
  entry->addArgument(from, NameLoc::get(b.getStringAttr("in")));
  for (unsigned at = 0; at < rank; ++at)
    entry->addArgument(b.getIndexType(), NameLoc::get(b.getStringAttr("n")));
  ValueRange extents = entry->getArguments().drop_front();
  SmallVector<Value> sizes;
  for (auto [at, size] : llvm::enumerate(to.getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(extents[at]);
  SmallVector<Attribute> names;
  for (const std::string &text : ta::indexNames(rank))
    names.push_back(b.getStringAttr(text));
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  auto compute =
      ta::ComputeOp::create(b, loc, to, extents, entry->getArgument(0), sizes, Value(),
                            AffineMapAttr::get(identity), ta::CombineAttr(), b.getArrayAttr(names));
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&compute.getBody());
    for (unsigned at = 0; at < rank; ++at)
      body->addArgument(b.getIndexType(), loc);
    Value value =
        ta::AccessOp::create(b, loc, ta::valueTypeOf(from.getElementType()), entry->getArgument(0),
                             body->getArguments(), AffineMapAttr::get(identity));
    if (fills == Fills::Dropped)
      value = unlessFill(b, loc, value, ta::fillOf(from));
    ta::YieldOp::create(b, loc, value);
  }
  func::ReturnOp::create(b, NameLoc::get(b.getStringAttr("out")), compute.getResult());
  return module;
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
      kernel->setAttr("strata.parallel", UnitAttr::get(copy.getContext()));
  }
}

std::optional<LoopPlan> planOfCopy(ModuleOp copy) {
  func::FuncOp kernel = *copy.getOps<func::FuncOp>().begin();
  std::string why;
  std::optional<LoopPlan> plan =
      chooseLoopOrder(IndexStatement(*kernel.getOps<ta::ComputeOp>().begin()),
                      llvm::SmallPtrSet<Operation *, 1>(), why, preferredAssembly(kernel));
  // Sorting all entries costs less than gathering row after row.
  if (plan && plan->assembly == Assembly::Gathered && !plan->blocks)
    return std::nullopt;
  return plan;
}

} // namespace strata

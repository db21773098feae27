// Recognizes transposes: a load and a store in all loops, at places that are made of all labels.
#include "strata/lower/scf/TransposeNest.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/CutLoop.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

std::optional<TransposeNest> TransposeNest::match(scf::ForOp root) {
  TransposeNest nest;
  nest.root = root;
  if (root.getNumResults() > 0 || !nest.collect(root))
    return std::nullopt;
  nest.extents =
      llvm::map_to_vector(nest.loops, [](scf::ForOp loop) { return loop.getUpperBound(); });
  if (std::optional<CutLoop> cut = CutLoop::around(root)) {
    nest.pieces = cut->pieces;
    nest.extents.front() = cut->whole;
  } else if (getConstantIntValue(root.getLowerBound()) != 0) {
    return std::nullopt;
  }
  Value from = nest.load.getIndices()[0], to = nest.store.getIndices()[0];
  if (!nest.parse(from, nest.source) || !nest.parse(to, nest.target) ||
      nest.sharedLabels() == nest.loops.size())
    return std::nullopt;
  return nest;
}

unsigned TransposeNest::sharedLabels() const {
  unsigned shared = 0;
  while (shared < source.loops.size() && source.loops[shared] == target.loops[shared])
    ++shared;
  return shared;
}

bool TransposeNest::isOutside(Value value) const {
  return !scf::ForOp(root)->isAncestor(value.getParentRegion()->getParentOp());
}

bool TransposeNest::collect(scf::ForOp loop) {
  if (loop->hasAttr(loopAnnotationName) || getConstantIntValue(loop.getStep()) != 1 ||
      !loop.getInitArgs().empty() ||
      (loop != root &&
       (!isOutside(loop.getUpperBound()) || getConstantIntValue(loop.getLowerBound()) != 0)))
    return false;
  loops.push_back(loop);
  auto inner = loop.getBody()->getOps<scf::ForOp>();
  if (inner.empty())
    return loops.size() > 1 && takeBody(*loop.getBody());
  return llvm::all_of(loop.getBody()->without_terminator(),
                      [&](Operation &op) {
                        return &op == (*inner.begin()).getOperation() || computesPlaces(op);
                      }) &&
         collect(*inner.begin());
}

// One load is from somewhere else than where the store goes; whatever is done with it is done
// element by element.
bool TransposeNest::takeBody(Block &block) {
  auto stores = block.getOps<memref::StoreOp>();
  if (!llvm::hasSingleElement(stores))
    return false;
  store = *stores.begin();
  Type type = store.getValueToStore().getType();
  auto number = dyn_cast<ComplexType>(type);
  Type real = number ? number.getElementType() : type;
  if (store.getIndices().size() != 1 || !isOutside(store.getMemRef()) || !real.isIntOrFloat() ||
      (real.getIntOrFloatBitWidth() != 32 && real.getIntOrFloatBitWidth() != 64))
    return false;
  Value target = wholeOf(store.getMemRef());
  for (Operation &op : block.without_terminator()) {
    if (&op == store || computesPlaces(op))
      continue;
    if (isElementwise(op, type)) {
      body.push_back(&op);
      continue;
    }
    auto loaded = dyn_cast<memref::LoadOp>(op);
    if (!loaded || loaded.getIndices().size() != 1 || loaded.getType() != type ||
        !isOutside(loaded.getMemRef()))
      return false;
    if (loaded.getIndices()[0] == store.getIndices()[0]) {
      body.push_back(&op);
      continue;
    }
    if (load || wholeOf(loaded.getMemRef()) == target)
      return false;
    load = loaded;
  }
  return load && (!number || body.empty()); // complex numbers are copied alone
}

bool TransposeNest::parse(Value index, Layout &layout) const {
  auto numberOf = [&](Value value) {
    const auto *found =
        llvm::find_if(loops, [&](scf::ForOp loop) { return loop.getInductionVar() == value; });
    return found == loops.end() ? std::nullopt : std::optional<unsigned>(found - loops.begin());
  };
  while (true) {
    if (std::optional<unsigned> last = numberOf(index)) {
      layout.loops.push_back(*last);
      break;
    }
    auto sum = index.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return false;
    std::optional<unsigned> left = numberOf(sum.getLhs()), right = numberOf(sum.getRhs());
    // Without a product, both are variables of a dimension that has one place.
    auto product = (left ? sum.getRhs() : sum.getLhs()).getDefiningOp<arith::MulIOp>();
    if (!product || (!left && !right))
      return false;
    bool first = isOutside(product.getLhs());
    layout.loops.push_back(left ? *left : *right);
    layout.sizes.push_back(first ? product.getLhs() : product.getRhs());
    index = first ? product.getRhs() : product.getLhs();
    if (!isOutside(layout.sizes.back()))
      return false;
  }
  SmallVector<unsigned> once = layout.loops;
  llvm::sort(once);
  return llvm::equal(once, llvm::seq<unsigned>(0, loops.size()));
}

} // namespace strata

// Finds products of tensors in statements.
#include "strata/lower/ta/TensorProduct.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/lower/analysis/MergeCost.h"

using namespace mlir;

namespace strata {

// Tells whether products vanish where the tensor stores nothing.
static bool annihilates(ta::AccessOp access) {
  auto type = cast<RankedTensorType>(access.getTensor().getType());
  TypedAttr zero = ta::identityOf(ta::Combine::add, access.getType());
  return Attribute(ta::fillOf(type)) == Attribute(zero);
}

// Factors are tensors at places of their own, or have no labels. Of sums of products those of the
// products are, for labels of a sum are in no other factor: a sum that is used twice would have the
// labels of both.
bool TensorProduct::take(const IndexStatement &statement, Value value) {
  Operation *def = value.getDefiningOp();
  if (def && isProduct(def)) {
    times = def;
    return take(statement, def->getOperand(0)) && take(statement, def->getOperand(1));
  }
  if (auto reduce = dyn_cast_or_null<ta::ReduceOp>(def)) {
    LabelSet own;
    for (Value variable : reduce.getVariables())
      own.insert(statement.numberOf(variable));
    if (summed.overlaps(own))
      return false;
    summed |= own;
    return !reduce.getMissing() && !reduce.getWorkspace() &&
           reduce.getCombine() == ta::Combine::add && take(statement, reduce.getYielded());
  }
  auto access = dyn_cast_or_null<ta::AccessOp>(def);
  if (!access || access.getIndices().empty()) {
    scales.push_back(value);
    return statement.freeVariables(value).none();
  }
  factors.push_back(access);
  LabelSet own;
  for (Value index : access.getIndices())
    own.insert(statement.numberOf(index));
  labels.push_back(own);
  return !access.getMissing() && access.getMap().isProjectedPermutation() &&
         (!isSparse(access) || annihilates(access));
}

std::optional<TensorProduct> TensorProduct::match(const IndexStatement &statement, Value whole) {
  TensorProduct product;
  product.whole = whole;
  if (!product.take(statement, whole) || !product.times)
    return std::nullopt;
  if (product.isFull() && !statement.result.format.isFull())
    return std::nullopt;
  if (!(product.summed - product.used()).empty())
    return std::nullopt;
  return product;
}

LabelSet TensorProduct::used() const {
  LabelSet all;
  for (const LabelSet &own : labels)
    all |= own;
  return all;
}

bool TensorProduct::isFull() const { return llvm::none_of(factors, isSparse); }

bool TensorProduct::hasOwnLabels() const {
  LabelSet once, again;
  for (const LabelSet &own : labels) {
    again |= once & own;
    once |= own;
  }
  return summed.overlaps(once - again);
}

LabeledProduct TensorProduct::labeled(const IndexStatement &statement) const {
  LabeledProduct product;
  product.factors = labels;
  product.result = kept();
  for (const IndexVariable &variable : statement.variables) {
    std::optional<int64_t> known = expectedExtent(variable.extent);
    product.extents.push_back(double(std::max<int64_t>(known.value_or(unknownExtent), 1)));
  }
  return product;
}

// How many coordinates a level that stores only some is taken to have below each position.
constexpr double storedCoordinates = 8;

// A level that stores only some coordinates has a few below each position, however many the
// dimension has; so a tensor that may have few entries altogether is taken to have few. Where
// levels are no dimensions (of blocks, diagonals, sorted rows), and in long lists, there are as
// many as in rows of entries.
static double densityOf(const IndexStatement &statement, const LabeledProduct &product,
                        ta::AccessOp access, const LabelSet &labels, Lists lists) {
  const AccessPath &path = statement.accesses.find(access)->second;
  auto extentOf = [&](AffineExpr place) -> std::optional<double> {
    auto label = dyn_cast_or_null<AffineDimExpr>(place);
    if (!label || label.getPosition() >= path.variables)
      return std::nullopt;
    return product.extents[label.getPosition()];
  };
  double stored = 1;
  for (auto [level, coordinate] : llvm::enumerate(path.coordinates)) {
    std::optional<double> extent = extentOf(coordinate);
    if (!extent) {
      Value rows = access.getIndices()[access.getMap().getDimPosition(0)];
      stored = storedCoordinates * product.extents[statement.numberOf(rows)];
      break;
    }
    const LevelProperties properties = ta::levelProperties(path.format, level);
    if (properties.full)
      stored *= *extent;
    else if (!properties.branchless)
      stored *= lists == Lists::Long && !properties.unique ? storedCoordinates * *extent
                                                           : storedCoordinates;
  }
  return std::min(1.0, stored / product.sizeOf(labels));
}

std::map<unsigned, double> TensorProduct::guessedDensities(const IndexStatement &statement,
                                                           Lists lists) const {
  const LabeledProduct product = labeled(statement);
  std::map<unsigned, double> densities;
  for (auto [number, access] : llvm::enumerate(factors))
    if (isSparse(access))
      densities[number] = densityOf(statement, product, access, labels[number], lists);
  return densities;
}

std::optional<LabelOrder> storedLabels(const AccessPath &path) {
  LabelOrder labels;
  for (AffineExpr coordinate : path.coordinates) {
    auto label = dyn_cast_or_null<AffineDimExpr>(coordinate);
    if (!label || label.getPosition() >= path.variables)
      return std::nullopt;
    labels.push_back(label.getPosition());
  }
  return labels;
}

std::optional<PairContraction> TensorProduct::ofTwo(const IndexStatement &statement) const {
  if (factors.size() != 2 || !isFull())
    return std::nullopt;
  auto labelsOf = [&](ta::AccessOp factor) {
    return storedLabels(statement.accesses.find(factor)->second);
  };
  std::optional<LabelOrder> left = labelsOf(factors[0]), right = labelsOf(factors[1]),
                            result = storedLabels(statement.result);
  if (!left || !right || !result)
    return std::nullopt;
  const LabelSet own = kept();
  llvm::erase_if(*result, [&](unsigned label) { return !own.contains(label); });
  PairContraction contraction{*left, *right, *result, {}};
  for (const IndexVariable &variable : statement.variables) {
    std::optional<int64_t> known = expectedExtent(variable.extent);
    contraction.extents.push_back(double(known.value_or(unknownExtent)));
    contraction.assumesSizes |= !known;
  }
  return contraction;
}

// The product of which a sum is a factor, or itself.
static Value productAround(Value sum) {
  while (sum.hasOneUse() && isProduct(*sum.getUsers().begin()))
    sum = (*sum.getUsers().begin())->getResult(0);
  return sum;
}

Value TensorProduct::sumOver(const IndexStatement &statement, const LabelSet &labels, OpBuilder &b,
                             IRMapping &mapping, llvm::function_ref<Value()> terms) const {
  SmallVector<Value> extents, arguments;
  SmallVector<Attribute> names;
  for (auto [label, variable] : llvm::enumerate(statement.variables))
    if (labels.contains(unsigned(label))) {
      extents.push_back(variable.extent);
      arguments.push_back(variable.argument);
      names.push_back(b.getStringAttr(variable.name));
    }
  if (extents.empty())
    return terms();
  Location loc = whole.getLoc();
  auto sum = ta::ReduceOp::create(b, loc, whole.getType(), ta::Combine::add, extents,
                                  b.getArrayAttr(names), /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sum.getBody());
  for (Value argument : arguments)
    mapping.map(argument, block->addArgument(b.getIndexType(), loc));
  ta::YieldOp::create(b, loc, terms());
  return sum.getResult();
}

llvm::SetVector<Value> productsAroundSums(ta::ComputeOp op) {
  llvm::SetVector<Value> products;
  for (auto sum : op.getBlock().getOps<ta::ReduceOp>())
    products.insert(productAround(sum.getResult()));
  return products;
}

} // namespace strata

// Takes products of several tensors apart: dense ones are multiplied two at a time, in the order
// that takes the fewest operations, and sparse ones last; or a sparse one as well, if the run finds
// that it stores enough for dense temporaries.
//
// before: R[i, a] = sum(c, d, m, n, A[c, d, m, n] * B[i, n, a, d] * C[m, c])
// after:  t[d, n] = sum(c, m, A[c, d, m, n] * C[m, c])
//         R[i, a] = sum(d, n, t[d, n] * B[i, n, a, d])
//
// before: R[i, l] = sum(j, k, S[i, j] * B[j, k] * C[k, l]), where S is sparse
// after:  t[j, l] = sum(k, B[j, k] * C[k, l])
//         R[i, l] = sum(j, S[i, j] * t[j, l])
//
// before: R[a, b] = sum(i, j, S[i, j] * A[i, a] * B[j, b]), where S is sparse
// after:  the same if S stores little, else
//         t[i, b] = sum(j, S[i, j] * B[j, b]), dense
//         R[a, b] = sum(i, t[i, b] * A[i, a])
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/ProductOrder.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/SeparateSums.h"
#include "strata/lower/ta/SplitProducts.h"
#include "strata/lower/ta/SplitSampled.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/TemporaryLevels.h"
#include "strata/lower/ta/TensorProduct.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_ORDERPRODUCTS
#include "strata/lower/Passes.h.inc"

namespace {

// An order is taken if it needs at most this share of the operations of one nest of loops; a
// smaller share where entries of sparse tensors are guessed.
constexpr double mostRemaining = 0.8, mostRemainingOfGuesses = 0.4;

/// A product of two or more tensors, as products of fewer, or of such with fewer labels.
class FactorTree {
public:
  FactorTree(ta::ComputeOp op, const IndexStatement &statement, TensorProduct factors,
             double mostBytes);

  /// Replaces the sum if that is worthwhile.
  bool split(unsigned &made);
  /// Replaces the sum by products of two, into dense temporaries, if that is worthwhile where its
  /// one sparse factor stores all of its elements. How many it does store, the run finds out.
  bool splitThroughDense(unsigned &made);

private:
  Value valueOf(int node, OpBuilder &b, IRMapping &mapping);
  Value combined(int node, OpBuilder &b, IRMapping &mapping);
  Value temporaryFor(int node, unsigned &made);
  void readsIn(int node, SmallVectorImpl<ta::AccessOp> &read) const;
  SmallVector<unsigned> storedOrder(int node) const;
  SmallVector<unsigned> orderAroundSparse(const LabelSet &labels) const;
  SmallVector<unsigned> factorsFromInside() const;
  ta::AccessOp sparseFactor() const { return tensors.factors[product.densities.begin()->first]; }
  bool isOfDense(unsigned label) const;
  bool isSparseSum(int node) const;
  bool isScalarSum(int node) const;
  bool isTemporary(int node) const {
    return !order.nodes[node].operands.empty() && !isScalarSum(node);
  }
  ta::FormatAttr formatOf(int node, ArrayRef<unsigned> stored) const;
  std::string textOf(int node) const;
  std::string reasonForOrder() const;
  std::optional<ProductOrder> leastOrder() const;
  bool multipliesSparse(const ProductOrder &tree) const;
  bool chooseOrder();
  bool chooseOrderThroughDense();
  bool mayHoldZeros();
  void replace(unsigned &made);

  bool isInside(Value value) { return op.getBody().isAncestor(value.getParentRegion()); }

  ta::ComputeOp op;
  const IndexStatement &statement;
  TensorProduct tensors;
  LabeledProduct product;
  bool sized = true;   ///< all sizes are known
  bool filled = false; ///< a product with the sparse factor is a dense temporary
  ProductOrder order;
  std::map<int, std::pair<StatementPart, Value>> temporaries; ///< by node
};

FactorTree::FactorTree(ta::ComputeOp op, const IndexStatement &statement, TensorProduct given,
                       double mostBytes)
    : op(op), statement(statement), tensors(std::move(given)), product(tensors.labeled(statement)) {
  for (const IndexVariable &variable : statement.variables)
    sized &= expectedExtent(variable.extent).has_value();
  product.densities = tensors.guessedDensities(statement);
  if (!sized)
    return;
  // Beside the dense factors and the product.
  double held = product.sizeOf(product.result);
  for (unsigned factor = 0; factor < product.factors.size(); ++factor)
    if (!product.isSparse(factor))
      held += product.sizeOf(product.factors[factor]);
  product.mostStored = mostBytes / double(ta::bytesOf(tensors.whole.getType())) - held;
}

// As the program would write it, with parentheses where products are multiplied.
std::string FactorTree::textOf(int number) const {
  const ProductOrder::Node &node = order.nodes[number];
  if (node.operands.empty())
    return ta::nameOf(ta::AccessOp(tensors.factors[node.factor]).getTensor());
  std::string text = llvm::join(
      llvm::map_range(node.operands, [&](int operand) { return textOf(operand); }), " * ");
  bool isPart = number + 1 < static_cast<int>(order.nodes.size()) && node.operands.size() > 1;
  return isPart ? "(" + text + ")" : text;
}

static std::string countOf(double operations) {
  for (auto [least, word] : {std::pair(1e12, "trillion"), {1e9, "billion"}, {1e6, "million"}})
    if (operations >= least)
      return llvm::formatv("{0:F1} {1}", operations / least, word).str();
  return llvm::formatv("{0:F0}", operations).str();
}

// Of more factors nobody would read the whole text.
std::string FactorTree::reasonForOrder() const {
  constexpr size_t mostWritten = 24;
  const size_t factors = product.factors.size();
  const bool written = factors <= mostWritten;
  std::string text = (written ? textOf(order.nodes.size() - 1)
                              : "the product of " + std::to_string(factors) + " tensors") +
                     " takes " + countOf(order.operations) + " multiplications";
  if (product.densities.empty() && written)
    text += ", from left to right " + countOf(orderAsWritten(product).operations);
  text += ", all at once " + countOf(product.operationsAtOnce());
  if (!sized)
    text += ", with 64 values for labels of unknown size";
  if (filled) {
    text += ", if " + ta::quotedNameOf(sparseFactor().getTensor()) + " stores all of its elements";
  } else if (!product.densities.empty()) {
    text += ", with 8 coordinates below each position where only some are stored";
  }
  return text;
}

// Tells whether a dense factor has the label: loops over all its values then cost no more than what
// is stored.
bool FactorTree::isOfDense(unsigned label) const {
  return llvm::any_of(llvm::enumerate(tensors.factors), [&](const auto &factor) {
    return !isSparse(factor.value()) && tensors.labels[factor.index()].contains(label);
  });
}

// Tells whether the node is a sum of a sparse factor alone.
bool FactorTree::isSparseSum(int number) const {
  const ProductOrder::Node &node = order.nodes[number];
  return !filled && node.operands.size() == 1 &&
         order.nodes[node.operands.front()].operands.empty() &&
         isSparse(tensors.factors[order.nodes[node.operands.front()].factor]);
}

// Tells whether the node is such a sum of which nothing would keep that it has no terms: it stays
// in the statement that reads it, before the loops.
bool FactorTree::isScalarSum(int number) const {
  return isSparseSum(number) && order.nodes[number].labels.empty();
}

// A sum of a sparse factor stores what has terms: a level that the factor stores in full remains
// so, but for the last one, which stores in any case no more than what occurs. A vector as long as
// a dense factor need not be sorted.
ta::FormatAttr FactorTree::formatOf(int number, ArrayRef<unsigned> stored) const {
  if (!isSparseSum(number))
    return {};
  unsigned rank = stored.size();
  ta::AccessOp access = tensors.factors[order.nodes[order.nodes[number].operands.front()].factor];
  MLIRContext *context = access.getContext();
  const bool isMarked = rank == 1 && isOfDense(stored.front());
  SmallVector<ta::LevelAttr> levels(rank,
                                    isMarked ? markedPlaceLevel(context) : entryLevel(context));
  const AccessPath &path = statement.accesses.find(access)->second;
  for (unsigned at = 0; at + 1 < rank; ++at)
    if (llvm::all_of(llvm::seq<unsigned>(0, path.coordinates.size()), [&](unsigned level) {
          return !path.depends(level, stored[at]) || ta::levelProperties(path.format, level).full;
        }))
      levels[at] = placeLevel(context);
  return formatInOrder(context, levels);
}

// The labels of a temporary: as its operands have them, those of the left one first.
SmallVector<unsigned> FactorTree::storedOrder(int number) const {
  if (filled)
    return orderAroundSparse(order.nodes[number].labels);
  SmallVector<ta::AccessOp> read;
  readsIn(number, read);
  SmallVector<unsigned> labels;
  for (ta::AccessOp access : read)
    for (AffineExpr place : access.getMap().getResults()) {
      Value index = access.getIndices()[cast<AffineDimExpr>(place).getPosition()];
      unsigned label = statement.numberOf(index);
      bool kept = order.nodes[number].labels.contains(label);
      if (kept && !llvm::is_contained(labels, label))
        labels.push_back(label);
    }
  return labels;
}

// Labels as the sparse factor stores them, and then the others as the result does: loops over
// entries run outside of those over rows, and no product is transposed.
SmallVector<unsigned> FactorTree::orderAroundSparse(const LabelSet &labels) const {
  const AccessPath &path = statement.accesses.find(sparseFactor())->second;
  llvm::SmallBitVector own(statement.variables.size()), others(own.size());
  for (unsigned label : labels.members())
    (path.involves(label) ? own : others).set(label);
  SmallVector<unsigned> stored = strata::storedOrder(path, own);
  llvm::append_range(stored, strata::storedOrder(statement.result, others));
  return stored;
}

// The factors as they are multiplied where other orders cost the same: the sparse one, and then
// those that sum what it stores further inside. Rows of the first product then are sums of rows.
SmallVector<unsigned> FactorTree::factorsFromInside() const {
  const unsigned sparse = product.densities.begin()->first;
  const SmallVector<unsigned> stored = orderAroundSparse(product.factors[sparse]);
  SmallVector<std::pair<int, unsigned>> ranked;
  for (unsigned factor = 0; factor < product.factors.size(); ++factor) {
    int depth = factor == sparse ? std::numeric_limits<int>::max() : 0;
    for (auto [level, label] : llvm::enumerate(stored))
      if (factor != sparse && product.factors[factor].contains(label))
        depth = static_cast<int>(level) + 1;
    ranked.push_back({-depth, factor});
  }
  llvm::sort(ranked);
  return llvm::map_to_vector(ranked, [](const auto &one) { return one.second; });
}

void FactorTree::readsIn(int number, SmallVectorImpl<ta::AccessOp> &read) const {
  const ProductOrder::Node &node = order.nodes[number];
  if (node.operands.empty())
    return read.push_back(tensors.factors[node.factor]);
  for (int operand : node.operands)
    readsIn(operand, read);
}

// Reads a factor, or the temporary of a node, or computes what has none.
Value FactorTree::valueOf(int number, OpBuilder &b, IRMapping &mapping) {
  auto found = temporaries.find(number);
  if (found == temporaries.end())
    return order.nodes[number].operands.empty()
               ? cloneValue(b, tensors.factors[order.nodes[number].factor], mapping)
               : combined(number, b, mapping);
  const auto &[part, temporary] = found->second;
  return accessTo(statement, temporary, part, b, mapping);
}

// The product of a node's operands, summed over the labels that it has no more. Sums that stay in
// the statement are multiplied by the whole.
Value FactorTree::combined(int number, OpBuilder &b, IRMapping &mapping) {
  const ProductOrder::Node &node = order.nodes[number];
  bool isRoot = number + 1 == static_cast<int>(order.nodes.size());
  LabelSet all;
  SmallVector<int> terms, sums;
  for (int operand : node.operands) {
    all |= order.nodes[operand].labels;
    (isScalarSum(operand) ? sums : terms).push_back(operand);
  }
  if (terms.empty())
    std::swap(terms, sums);
  Value whole = tensors.sumOver(statement, all - node.labels, b, mapping, [&] {
    SmallVector<Value> operands;
    for (int operand : terms)
      operands.push_back(valueOf(operand, b, mapping));
    if (isRoot)
      for (Value scale : tensors.scales)
        operands.push_back(isInside(scale) ? cloneValue(b, scale, mapping) : scale);
    return chained(operands, tensors.times, b);
  });
  SmallVector<Value> factors{whole};
  for (int operand : sums)
    factors.push_back(valueOf(operand, b, mapping));
  return chained(factors, tensors.times, b);
}

Value FactorTree::temporaryFor(int number, unsigned &made) {
  const ProductOrder::Node &node = order.nodes[number];
  SmallVector<ta::AccessOp> read;
  readsIn(number, read);
  StatementPart part{tensors.factors.front().getResult(), storedOrder(number),
                     node.operands.size() == 1 ? "a sum of one operand"
                                               : "a product of two operands"};
  part.format = formatOf(number, part.variables);
  Value temporary =
      computeFirst(statement, part, "p" + std::to_string(made++), read,
                   [&](OpBuilder &b, IRMapping &mapping) { return combined(number, b, mapping); });
  auto compute = temporary.getDefiningOp<ta::ComputeOp>();
  for (int operand : node.operands)
    if (auto found = temporaries.find(operand); found != temporaries.end())
      compute.getInputsMutable().append(found->second.second);
  temporaries[number] = {part, temporary};
  return temporary;
}

// The order of least operations; nothing where all at once costs little more.
std::optional<ProductOrder> FactorTree::leastOrder() const {
  const double atOnce = product.operationsAtOnce();
  if (atOnce < leastOperations)
    return std::nullopt;
  std::optional<ProductOrder> least = orderOfLeastOperations(product);
  const double share = product.densities.empty() ? mostRemaining : mostRemainingOfGuesses;
  if (!least || least->operations > share * atOnce || !least->makesTemporaries())
    return std::nullopt;
  return least;
}

// Tells whether each product of two is one with a sparse factor: no order of dense factors alone
// rests on how many entries the sparse ones are taken to have.
bool FactorTree::multipliesSparse(const ProductOrder &tree) const {
  SmallVector<bool> sparse;
  for (const ProductOrder::Node &node : tree.nodes) {
    bool any = node.operands.empty() && product.isSparse(node.factor);
    for (int operand : node.operands)
      any |= sparse[operand];
    sparse.push_back(any);
    if (node.operands.size() > 1 && !any)
      return false;
  }
  return true;
}

bool FactorTree::chooseOrder() {
  if (isForbidden(op, Resolution::Grouping)) {
    if (!product.densities.empty() || product.operationsAtOnce() < leastOperations)
      return false;
    order = orderAsWritten(product);
    return true;
  }
  // A list may be long, or short: then products of dense factors would cost more than all at once.
  std::optional<ProductOrder> least;
  if (!product.densities.empty()) {
    const auto few =
        std::exchange(product.densities, tensors.guessedDensities(statement, Lists::Long));
    least = leastOrder();
    if (least && !multipliesSparse(*least))
      least.reset();
    if (!least)
      product.densities = few;
  }
  if (!least)
    least = leastOrder();
  if (least)
    order = std::move(*least);
  return least.has_value();
}

// Tells whether the result is the same if the sum has a zero, and not nothing, where it has no
// terms, as long as no dense operand holds infinity or NaN.
bool FactorTree::mayHoldZeros() {
  for (Value scale : tensors.scales)
    if (Operation *def = scale.getDefiningOp();
        !def || ta::hasInfinity(def) || !(isa<ta::AccessOp>(def) || ta::constantOf(def)))
      return false;
  return !ta::mayBeMissing(op.getYielded()) && heldZerosOf(op, tensors.whole).makeNoDifference();
}

bool FactorTree::chooseOrderThroughDense() {
  if (!sized || product.densities.size() != 1 || !mayHoldZeros())
    return false;
  product.densities.begin()->second = 1;
  double least = product.operationsAtOnce() / double(product.factors.size() - 1); // steps of loops
  if (std::optional<ProductOrder> other = orderOfLeastOperations(product))
    least = std::min(least, other->operations);
  std::optional<ProductOrder> through = orderThroughDense(product, factorsFromInside());
  if (least < fewestStepsToSave || !through || through->operations > mostStepsLeft * least)
    return false;
  order = std::move(*through);
  filled = true;
  return true;
}

bool FactorTree::splitThroughDense(unsigned &made) {
  const bool isChosen = chooseOrderThroughDense();
  if (isChosen)
    replace(made);
  return isChosen;
}

bool FactorTree::split(unsigned &made) {
  const bool isChosen = chooseOrder();
  if (isChosen)
    replace(made);
  return isChosen;
}

void FactorTree::replace(unsigned &made) {
  std::string reason = reasonForOrder();
  int root = static_cast<int>(order.nodes.size()) - 1;
  bool first = true;
  for (int number = 0; number < root; ++number) {
    if (!isTemporary(number))
      continue;
    auto compute = temporaryFor(number, made).getDefiningOp<ta::ComputeOp>();
    if (first)
      compute.setReason(reason);
    first = false;
  }
  OpBuilder b(tensors.whole.getDefiningOp());
  IRMapping mapping;
  Value replacement = combined(root, b, mapping);
  tensors.whole.replaceAllUsesWith(replacement);
  for (int operand : order.nodes[root].operands)
    if (auto found = temporaries.find(operand); found != temporaries.end())
      op.getInputsMutable().append(found->second.second);
  dropUnused(op);
}

struct OrderProducts : impl::OrderProductsBase<OrderProducts> {
  using OrderProductsBase::OrderProductsBase;

  void runOnOperation() override {
    unsigned made = 0;
    const double mostBytes =
        maxMemory >= 0 ? double(maxMemory) : std::numeric_limits<double>::infinity();
    SmallVector<ta::ComputeOp> work;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        function.walk([&](ta::ComputeOp op) {
          if (!isForbidden(op, Resolution::Split))
            work.push_back(op);
        });
    // What is made of a sampled product is put in order, too.
    for (size_t at = 0; at < work.size(); ++at) {
      ta::ComputeOp op = work[at];
      while (splitFactor(op, made))
        ;
      separateSums(op);
      while (ta::ComputeOp sampled = splitSampled(op, made))
        work.push_back(sampled);
      ta::ComputeOp other = order(op, mostBytes, made);
      if (failed(checkLabels(op)) || (other && failed(checkLabels(other))))
        return signalPassFailure();
    }
  }

  // The loops of a statement nest.
  static LogicalResult checkLabels(ta::ComputeOp op) {
    constexpr size_t most = 64;
    const size_t labels = IndexStatement(op).variables.size();
    if (labels <= most)
      return success();
    return op.emitError("a statement that is computed at once has at most ")
           << most << " different labels, and this one " << labels
           << ": compute a part of it first";
  }

  // Both ways are kept where dense temporaries may pay: returns the statement without these, too.
  static ta::ComputeOp order(ta::ComputeOp op, double mostBytes, unsigned &made) {
    ta::ComputeOp other;
    if (mayFill(op)) {
      other = copyOf(op);
      if (takeApart(op, mostBytes, &FactorTree::splitThroughDense, made)) {
        takeApart(other, mostBytes, &FactorTree::split, made);
      } else {
        other.erase();
        other = nullptr;
      }
    }
    takeApart(op, mostBytes, &FactorTree::split, made);
    if (other)
      keepBoth(op, other, op.getResult().getType(), fewEntriesAttribute, /*unknown=*/true);
    return other;
  }

  static bool mayFill(ta::ComputeOp op) {
    auto isFull = [](Value tensor) {
      return ta::formatOf(cast<RankedTensorType>(tensor.getType())).isFull();
    };
    return isFull(op.getResult()) && !llvm::all_of(op.getInputs(), isFull) &&
           !isForbidden(op, Resolution::Grouping);
  }

  // Takes products of the statement apart; returns whether any was.
  static bool takeApart(ta::ComputeOp op, double mostBytes, bool (FactorTree::*split)(unsigned &),
                        unsigned &made) {
    bool any = false;
    for (Value whole : productsAroundSums(op)) {
      // What was split before may have been the only user of this one.
      if (!llvm::is_contained(productsAroundSums(op), whole))
        continue;
      IndexStatement statement(op);
      std::optional<TensorProduct> found = TensorProduct::match(statement, whole);
      if (!found || (found->factors.size() < 3 && !found->hasOwnLabels()))
        continue;
      FactorTree tree(op, statement, std::move(*found), mostBytes);
      any |= (tree.*split)(made);
    }
    return any;
  }
};

} // namespace
} // namespace strata

// Takes products of several dense tensors apart into products of two, in the order that takes the
// fewest operations.
//
// before: R[i, a] = sum(c, d, m, n, A[c, d, m, n] * B[i, n, a, d] * C[m, c])
// after:  t[d, n] = sum(c, m, A[c, d, m, n] * C[m, c])
//         R[i, a] = sum(d, n, t[d, n] * B[i, n, a, d])
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/ProductOrder.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/DenseProduct.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_ORDERPRODUCTS
#include "strata/lower/Passes.h.inc"

namespace {

// Labels whose size is not known are taken to have so many values.
constexpr double unknownExtent = 64;
// Of fewer operations nothing is gained.
constexpr double leastOperations = 4096;
// So much less than all at once must remain.
constexpr double worthwhile = 0.8;

/// A product of three or more dense tensors, as products of two.
class FactorTree {
public:
  FactorTree(ta::ComputeOp op, const IndexStatement &statement, DenseProduct dense);

  /// Replaces the sum if that is worthwhile.
  bool split(unsigned &made);

private:
  Value valueOf(int node, OpBuilder &b, IRMapping &mapping);
  Value combined(int node, OpBuilder &b, IRMapping &mapping);
  Value temporaryFor(int node, unsigned &made);
  void readsIn(int node, SmallVectorImpl<ta::AccessOp> &read) const;
  SmallVector<unsigned> storedOrder(int node) const;
  std::string textOf(int node) const;
  std::string reasonFor(const ProductOrder &written) const;

  bool isInside(Value value) { return op.getBody().isAncestor(value.getParentRegion()); }

  ta::ComputeOp op;
  const IndexStatement &statement;
  DenseProduct dense;
  LabeledProduct product;
  bool sized = true; ///< all sizes are known
  ProductOrder order;
  std::map<int, std::pair<StatementPart, Value>> temporaries; ///< by node
};

FactorTree::FactorTree(ta::ComputeOp op, const IndexStatement &statement, DenseProduct given)
    : op(op), statement(statement), dense(std::move(given)) {
  product.factors = dense.labels;
  product.result = dense.kept();
  for (const IndexVariable &variable : statement.variables) {
    std::optional<int64_t> known = getConstantIntValue(variable.extent);
    sized &= known.has_value();
    product.extents.push_back(known ? std::max(double(*known), 1.0) : unknownExtent);
  }
}

// As the program would write it, with parentheses where products are multiplied.
std::string FactorTree::textOf(int number) const {
  const ProductOrder::Node &node = order.nodes[number];
  if (node.left < 0)
    return ta::nameOf(ta::AccessOp(dense.factors[node.factor]).getTensor());
  if (node.right < 0)
    return textOf(node.left);
  std::string text = textOf(node.left) + " * " + textOf(node.right);
  return number + 1 == static_cast<int>(order.nodes.size()) ? text : "(" + text + ")";
}

static std::string countOf(double operations) {
  for (auto [least, word] : {std::pair(1e12, "trillion"), {1e9, "billion"}, {1e6, "million"}})
    if (operations >= least)
      return llvm::formatv("{0:F1} {1}", operations / least, word).str();
  return llvm::formatv("{0:F0}", operations).str();
}

std::string FactorTree::reasonFor(const ProductOrder &written) const {
  std::string text = textOf(order.nodes.size() - 1) + " takes " + countOf(order.operations) +
                     " multiplications, from left to right " + countOf(written.operations) +
                     ", all at once " + countOf(product.operationsAtOnce());
  if (!sized)
    text += ", with 64 values for labels of unknown size";
  return text;
}

// The labels of a temporary: as its operands have them, those of the left one first.
SmallVector<unsigned> FactorTree::storedOrder(int number) const {
  SmallVector<ta::AccessOp> read;
  readsIn(number, read);
  SmallVector<unsigned> labels;
  for (ta::AccessOp access : read)
    for (AffineExpr place : access.getMap().getResults()) {
      Value index = access.getIndices()[cast<AffineDimExpr>(place).getPosition()];
      unsigned label = statement.numberOf(index);
      bool kept = order.nodes[number].labels >> label & 1;
      if (kept && !llvm::is_contained(labels, label))
        labels.push_back(label);
    }
  return labels;
}

void FactorTree::readsIn(int number, SmallVectorImpl<ta::AccessOp> &read) const {
  const ProductOrder::Node &node = order.nodes[number];
  if (node.left < 0)
    return read.push_back(dense.factors[node.factor]);
  readsIn(node.left, read);
  if (node.right >= 0)
    readsIn(node.right, read);
}

// Reads a factor, or the temporary of a node.
Value FactorTree::valueOf(int number, OpBuilder &b, IRMapping &mapping) {
  auto found = temporaries.find(number);
  if (found == temporaries.end())
    return cloneValue(b, dense.factors[order.nodes[number].factor], mapping);
  const auto &[part, temporary] = found->second;
  return accessTo(statement, temporary, part, b, mapping);
}

// The product of a node's operands, summed over the labels that it has no more.
Value FactorTree::combined(int number, OpBuilder &b, IRMapping &mapping) {
  const ProductOrder::Node &node = order.nodes[number];
  bool isRoot = number + 1 == static_cast<int>(order.nodes.size());
  uint64_t all = order.nodes[node.left].labels;
  if (node.right >= 0)
    all |= order.nodes[node.right].labels;
  Location loc = dense.whole.getLoc();
  auto multiplied = [&] {
    SmallVector<Value> operands{valueOf(node.left, b, mapping)};
    if (node.right >= 0)
      operands.push_back(valueOf(node.right, b, mapping));
    if (isRoot)
      for (Value scale : dense.scales)
        operands.push_back(isInside(scale) ? cloneValue(b, scale, mapping) : scale);
    return chained(operands, dense.times, b);
  };
  SmallVector<Value> extents, arguments;
  SmallVector<Attribute> names;
  for (auto [label, variable] : llvm::enumerate(statement.variables))
    if ((all & ~node.labels) >> label & 1) {
      extents.push_back(variable.extent);
      arguments.push_back(variable.argument);
      names.push_back(b.getStringAttr(variable.name));
    }
  if (extents.empty())
    return multiplied();
  auto sum = ta::ReduceOp::create(b, loc, dense.whole.getType(), ta::Combine::add, extents,
                                  b.getArrayAttr(names), /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sum.getBody());
  for (Value argument : arguments)
    mapping.map(argument, block->addArgument(b.getIndexType(), loc));
  ta::YieldOp::create(b, loc, multiplied());
  return sum.getResult();
}

Value FactorTree::temporaryFor(int number, unsigned &made) {
  const ProductOrder::Node &node = order.nodes[number];
  SmallVector<ta::AccessOp> read;
  readsIn(number, read);
  StatementPart part{dense.factors.front().getResult(), storedOrder(number),
                     node.right < 0 ? "a sum of one operand" : "a product of two operands"};
  Value temporary =
      computeFirst(statement, part, "p" + std::to_string(made++), read,
                   [&](OpBuilder &b, IRMapping &mapping) { return combined(number, b, mapping); });
  auto compute = temporary.getDefiningOp<ta::ComputeOp>();
  for (int operand : {node.left, node.right})
    if (auto found = temporaries.find(operand); found != temporaries.end())
      compute.getInputsMutable().append(found->second.second);
  temporaries[number] = {part, temporary};
  return temporary;
}

bool FactorTree::split(unsigned &made) {
  ProductOrder written = orderAsWritten(product);
  order = isForbidden(op, Resolution::Grouping) ? written : orderOfLeastOperations(product);
  if (product.operationsAtOnce() < leastOperations ||
      (order.operations > worthwhile * product.operationsAtOnce() &&
       !isForbidden(op, Resolution::Grouping)))
    return false;
  std::string reason = reasonFor(written);
  int root = static_cast<int>(order.nodes.size()) - 1;
  bool first = true;
  for (int number = 0; number < root; ++number) {
    if (order.nodes[number].left < 0)
      continue;
    auto compute = temporaryFor(number, made).getDefiningOp<ta::ComputeOp>();
    if (first)
      compute.setReason(reason);
    first = false;
  }
  OpBuilder b(dense.whole.getDefiningOp());
  IRMapping mapping;
  Value replacement = combined(root, b, mapping);
  dense.whole.replaceAllUsesWith(replacement);
  for (int operand : {order.nodes[root].left, order.nodes[root].right})
    if (auto found = temporaries.find(operand); found != temporaries.end())
      op.getInputsMutable().append(found->second.second);
  dropUnused(op);
  return true;
}

struct OrderProducts : impl::OrderProductsBase<OrderProducts> {
  void runOnOperation() override {
    unsigned made = 0;
    SmallVector<ta::ComputeOp> work;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        function.walk([&](ta::ComputeOp op) {
          if (!isForbidden(op, Resolution::Split))
            work.push_back(op);
        });
    for (ta::ComputeOp op : work) {
      for (Value whole : productsAroundSums(op)) {
        IndexStatement statement(op);
        std::optional<DenseProduct> found = DenseProduct::match(statement, whole);
        if (found && found->factors.size() >= 3)
          FactorTree(op, statement, std::move(*found)).split(made);
      }
    }
  }
};

} // namespace
} // namespace strata

// precompute(e, {j, ...}, {jw, ...}): an expression is computed in a workspace, for all values of
// labels at once.
//
// before: for i { for k { for l { for j { A[i, j] += B[i, k, l] * D[l, j] * C[k, j] } } } }
// after precompute(B[i, k, l] * D[l, j], {j}, {jw}, w):
//   for i { for k { w(jw) = 0
//     for l { for jw { w[jw] += B[i, k, l] * D[l, jw] } }
//     for j { A[i, j] += w[j] * C[k, j] } } }
//
// The expression is part of a product or of a sum. Sums over labels that nothing else uses go with
// it where multiplication distributes over them; all other loops come outside. Where the expression
// is the whole right side of a sparse result, the workspace is the one in which its entries are
// gathered. (Kjolstad et al., Tensor algebra compilation with workspaces, CGO 2019.)
#include "strata/schedule/Precompute.h"

#include "strata/dialect/cin/NestText.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/analysis/MergeCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata::schedule {
namespace {

std::string textOf(Value value) { return plainText(cin::valueText(value)); }

// Such a part, in one assignment.
struct Match : ExpressionPart {
  cin::AssignOp assign;
  bool isWholeSide() { return root == assign.getYielded() && isWhole(); }
};

SmallVector<Match> matchesIn(func::FuncOp kernel, StringRef expression) {
  SmallVector<Match> matches;
  kernel.walk([&](cin::AssignOp assign) {
    for (const ExpressionPart &part : findParts(assign, plainText(expression), textOf)) {
      Operation *def = part.root.getDefiningOp();
      if (isProduct(def) || isAddition(def) || part.root == assign.getYielded())
        matches.push_back({part, assign});
    }
  });
  return matches;
}

// Collects all that a value is computed from inside its assignment, operands before what uses them.
void collect(Value value, llvm::SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->getParentOfType<cin::AssignOp>())
    return;
  for (Value operand : op->getOperands())
    if (!isa<cin::AccessOp>(op))
      collect(operand, ops);
  ops.insert(op);
}

llvm::SetVector<Operation *> opsOf(ArrayRef<Value> values) {
  llvm::SetVector<Operation *> ops;
  for (Value value : values)
    collect(value, ops);
  return ops;
}

// Tells whether one of the values may be missing, rather than the fill.
bool mayBeMissing(ArrayRef<Value> values) {
  return llvm::any_of(opsOf(values), [](Operation *op) {
    auto access = dyn_cast<cin::AccessOp>(op);
    auto temp = access ? access.getStorage().getDefiningOp<cin::TempOp>() : cin::TempOp();
    return ta::asksPresence(op) || (access && access.getMissing()) || (temp && temp.getMissing());
  });
}

// A sum that reads a workspace has terms everywhere, and a sparse result stores what has terms.
bool hasDenseResult(func::FuncOp kernel) {
  bool dense = true;
  kernel.walk(
      [&](cin::AssignOp assign) { dense &= assign.getTarget().getType().getFormat().isFull(); });
  return dense;
}

bool uses(ArrayRef<Value> values, cin::ForallOp loop) {
  return llvm::any_of(opsOf(values), [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), loop.getVariable());
  });
}

// The workspace between its producer and its consumer.
class Workspace {
public:
  Workspace(Match match, PrecomputedLabels labels, SmallVector<cin::ForallOp> chain)
      : match(std::move(match)), labels(std::move(labels)), chain(std::move(chain)),
        b(this->match.assign) {}

  void insert(StringAttr name) {
    SmallVector<cin::ForallOp> outside, inside;
    for (cin::ForallOp loop : chain)
      (isInside(loop) ? inside : outside).push_back(loop);
    SmallVector<cin::ForallOp> order(outside);
    llvm::append_range(order, inside);
    nestAs(order);
    cin::ForallOp head = inside.front();
    b.setInsertionPoint(head);
    cin::AssignOp assign = match.assign;
    SmallVector<Value> extents;
    for (cin::ForallOp loop : labels.loops)
      extents.push_back(loop.getExtent());
    SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
    auto type = ta::StorageType::get(b.getContext(),
                                     RankedTensorType::get(shape, match.inside.front().getType()));
    // Without a sum, each place is assigned once, or is worth nothing.
    bool sums = llvm::any_of(inside, [&](cin::ForallOp loop) { return goesAlong(loop); });
    ta::Combine combine = sums ? *assign.getCombine() : ta::Combine::add;
    auto temp =
        cin::TempOp::create(b, assign.getLoc(), type, combine, /*missing=*/false, extents, name);
    auto where = cin::WhereOp::create(b, assign.getLoc());
    produce(*b.createBlock(&where.getProducer()), inside, temp.getStorage(), combine);
    consume(*b.createBlock(&where.getConsumer()), inside, temp.getStorage());
  }

  /// Does the loop's sum go with the expression?
  bool goesAlong(cin::ForallOp loop) const {
    cin::AssignOp assign = match.assign;
    if (!sumsMove || llvm::is_contained(assign.getIndices(), loop.getVariable()))
      return false;
    SmallVector<Value> others(match.before);
    llvm::append_range(others, match.after);
    return uses(match.inside, loop) && !uses(others, loop);
  }
  bool isInside(cin::ForallOp loop) const {
    return llvm::is_contained(labels.loops, loop) || goesAlong(loop);
  }
  bool sumsMove = false;

private:
  void produce(Block &block, ArrayRef<cin::ForallOp> loops, Value temp, ta::Combine combine) {
    IRMapping mapping;
    Block *around = &block;
    SmallVector<Value> indices(labels.loops.size());
    bool sums = false;
    for (cin::ForallOp loop : loops) {
      b.setInsertionPointToEnd(around);
      auto *at = llvm::find(labels.loops, loop);
      bool isLabel = at != labels.loops.end();
      StringRef name =
          isLabel ? labels.fresh[at - labels.loops.begin()].getValue() : loop.getName();
      auto own = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), name);
      own.getLocatingMutable().assign(loop.getLocating());
      mapping.map(loop.getVariable(), own.getVariable());
      if (isLabel)
        indices[at - labels.loops.begin()] = own.getVariable();
      sums |= !isLabel;
      around = &own.getBlock();
    }
    b.setInsertionPointToEnd(around);
    auto map = AffineMap::getMultiDimIdentityMap(indices.size(), b.getContext());
    auto assign = cin::AssignOp::create(
        b, match.assign.getLoc(), temp, indices, AffineMapAttr::get(map),
        sums ? ta::CombineAttr::get(b.getContext(), combine) : ta::CombineAttr());
    b.createBlock(&assign.getBody());
    for (Operation *op : opsOf(match.inside))
      b.clone(*op, mapping);
    SmallVector<Value> values =
        llvm::map_to_vector(match.inside, [&](Value value) { return mapping.lookup(value); });
    cin::YieldOp::create(b, match.assign.getLoc(), chained(values, match.root.getDefiningOp(), b));
  }

  void consume(Block &block, ArrayRef<cin::ForallOp> loops, Value temp) {
    cin::AssignOp assign = match.assign;
    Operation *root = match.root.getDefiningOp();
    b.setInsertionPoint(root);
    SmallVector<Value> indices = llvm::map_to_vector(
        labels.loops, [](cin::ForallOp loop) -> Value { return loop.getVariable(); });
    auto map = AffineMap::getMultiDimIdentityMap(indices.size(), b.getContext());
    SmallVector<Value> values(match.before);
    values.push_back(cin::AccessOp::create(b, assign.getLoc(), match.inside.front().getType(), temp,
                                           indices, map, /*missing=*/false));
    llvm::append_range(values, match.after);
    match.root.replaceAllUsesWith(chained(values, match.root.getDefiningOp(), b));
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(assign.getBlock())))
      if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
    // The loops over the labels, without those that went along.
    assign->remove();
    for (cin::ForallOp loop : loops)
      loop->remove();
    Block *around = &block;
    for (cin::ForallOp loop : loops)
      if (llvm::is_contained(labels.loops, loop)) {
        around->getOperations().push_back(loop);
        around = &loop.getBlock();
      }
    around->getOperations().push_back(assign);
    for (cin::ForallOp loop : loops)
      if (!llvm::is_contained(labels.loops, loop))
        loop->erase();
  }

  Match match;
  PrecomputedLabels labels;
  SmallVector<cin::ForallOp> chain;
  OpBuilder b;
};

// Tells whether it sums products, so that a factor can be taken out of the sum.
bool sumsProducts(cin::AssignOp assign, Value root) {
  return root == assign.getYielded() && assign.getCombine() == ta::Combine::add &&
         isProduct(root.getDefiningOp());
}

LogicalResult gatherInstead(func::FuncOp kernel, StringRef kind, Refuse refuse) {
  auto builds = kernel.getBody().front().getOps<cin::BuildOp>();
  if (builds.empty())
    return refuse() << "the result is updated in place";
  cin::BuildOp build = *builds.begin();
  build.setCounted(false);
  build.setGathered(kind == "table" ? ta::Workspace::Table : ta::Workspace::Array);
  return success();
}

} // namespace

LogicalResult precomputeExpression(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto word = [&](unsigned at) {
    auto text = at < arguments.size() ? dyn_cast<StringAttr>(arguments[at]) : StringAttr();
    return text ? text.getValue() : StringRef();
  };
  FailureOr<PrecomputedLabels> labels = readLabels(kernel, command, refuse);
  if (failed(labels))
    return failure();
  if (arguments.size() > 5 || (!word(4).empty() && word(4) != "array" && word(4) != "table"))
    return refuse() << "behind the labels come the name of the workspace, and array or table";
  SmallVector<Match> matches = matchesIn(kernel, word(0));
  if (matches.size() != 1) {
    auto error = refuse();
    error << (matches.empty() ? "there is no temporary and no part of a product or a sum '"
                              : "there are several parts '")
          << word(0) << "'";
    kernel.walk([&](cin::AssignOp assign) {
      error.attachNote(assign.getLoc()) << "here is " << cin::valueText(assign.getYielded());
    });
    return error;
  }
  Match &match = matches.front();
  cin::AssignOp assign = match.assign;
  auto innermost = dyn_cast<cin::ForallOp>(assign->getParentOp());
  if (!innermost || !llvm::hasSingleElement(innermost.getBlock()))
    return refuse() << "it is computed with other temporaries";
  SmallVector<cin::ForallOp> chain = chainFrom(headOfChain(innermost));
  for (cin::ForallOp loop : labels->loops)
    if (!llvm::is_contained(chain, loop))
      return refuse() << "the loop over '" << loop.getName()
                      << "' is not one of those directly around it";
  bool dense = assign.getTarget().getType().getFormat().isFull();
  if (!dense && match.isWholeSide() && labels->loops.size() == 1)
    return gatherInstead(kernel, word(4), refuse);
  if (!dense || !hasDenseResult(kernel))
    return refuse() << "the workspace would have all values, and the result stores some: it can be "
                       "the whole right side, over one label";
  if (ta::hasInfinity(assign) && !match.isWholeSide())
    return refuse()
           << "another operand is not finite, and 0 in the workspace would not annihilate it";
  if (word(4) == "table")
    return refuse() << "this workspace is an array; one of a sparse result can be a hash table";
  if (assign.getMissing() || mayBeMissing(match.inside))
    return refuse() << "its value may be missing, which only a scalar can be";
  bool sums = match.isWholeSide() || sumsProducts(assign, match.root);
  StringAttr name = StringAttr::get(kernel.getContext(), word(3).empty() ? "w" : word(3));
  Workspace workspace(match, *labels, chain);
  workspace.sumsMove = sums && assign.getCombine();
  for (cin::ForallOp loop : chain)
    if (workspace.isInside(loop) &&
        (loop.isOfParts() || loop.getPart() || loop.getGroup() || loop.getCollapsed() ||
         loop.getAccumulates() || loop.isInThreads()))
      return refuse()
             << "the loop over '" << loop.getLabel().getValue()
             << "' goes through parts or entries, or runs in threads: precompute comes first";
  workspace.insert(name);
  return success();
}

} // namespace strata::schedule

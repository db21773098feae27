// precompute(t, {j, ...}, {jw, ...}): a temporary is computed for all values of labels at once.
//
// before: for i { for j { t; where { for k { t += B[k, j] * c[k] } } do { y[i] += A[i, j] * t } } }
// after precompute(t, {j}, {jw}):
//   t(jw); where { for jw { for k { t[jw] += B[k, jw] * c[k] } } }
//   do { for i { for j { y[i] += A[i, j] * t[j] } } }
//
// The producer leaves the loops over the labels, and all loops inside these; it gets loops of its
// own over the new labels. (003 section II-C, precompute; Kjolstad et al., Tensor algebra
// compilation with workspaces, CGO 2019.)
#include "strata/schedule/Precompute.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata::schedule {
namespace {

constexpr llvm::StringLiteral usage =
    "it takes a temporary or an expression, labels in braces, and as many new labels in braces: "
    "precompute(t, {i}, {iw})";

struct Names {
  cin::WhereOp where;
  SmallVector<cin::ForallOp> labels;
  SmallVector<StringAttr> fresh;
};

// The producer of the temporary of that name; null if there is none.
cin::WhereOp findProducer(func::FuncOp kernel, StringAttr name) {
  cin::WhereOp found;
  kernel.walk([&](cin::WhereOp where) {
    if (temporaryOf(where).getNameAttr() == name)
      found = where;
  });
  return found;
}

// The temporary with a dimension for each label, accessed at the labels.
class Widening {
public:
  explicit Widening(Names names) : names(std::move(names)), b(this->names.where) {}

  void run() {
    cin::WhereOp where = names.where;
    cin::TempOp temp = temporaryOf(where);
    while (llvm::any_of(names.labels, [&](cin::ForallOp loop) { return loop->isAncestor(where); }))
      moveOut(where);
    SmallVector<Value> extents(temp.getExtents());
    for (cin::ForallOp loop : names.labels)
      extents.push_back(loop.getExtent());
    auto narrow = temp.getStorage().getType();
    SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
    auto wide =
        ta::StorageType::get(b.getContext(), RankedTensorType::get(shape, narrow.getElementType()));
    b.setInsertionPoint(temp);
    auto fresh = cin::TempOp::create(b, temp.getLoc(), wide, temp.getCombine(), temp.getMissing(),
                                     extents, temp.getNameAttr());
    IRMapping loops = nestProducer();
    for (Operation *user : llvm::make_early_inc_range(temp.getStorage().getUsers()))
      index(user, fresh.getStorage(),
            where.getProducer().isAncestor(user->getParentRegion()) ? &loops : nullptr);
    temp.erase();
  }

private:
  // Loops over the new labels around what the producer does.
  IRMapping nestProducer() {
    IRMapping mapping;
    Block &producer = names.where.getProducer().front();
    Block body;
    body.getOperations().splice(body.end(), producer.getOperations());
    Block *around = &producer;
    for (auto [loop, name] : llvm::zip(names.labels, names.fresh)) {
      b.setInsertionPointToEnd(around);
      auto own = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), name.getValue());
      own.getLocatingMutable().assign(loop.getLocating());
      loop.getVariable().replaceUsesWithIf(own.getVariable(), [&](OpOperand &use) {
        return body.findAncestorOpInBlock(*use.getOwner()) != nullptr;
      });
      mapping.map(loop.getVariable(), own.getVariable());
      around = &own.getBlock();
    }
    around->getOperations().splice(around->end(), body.getOperations());
    return mapping;
  }

  // Accesses and assignments of the temporary get the labels as further indices.
  void index(Operation *user, Value storage, const IRMapping *producer) {
    SmallVector<Value> added;
    for (cin::ForallOp loop : names.labels)
      added.push_back(producer ? producer->lookup(loop.getVariable()) : loop.getVariable());
    auto widen = [&](auto op) {
      AffineMap map = op.getMap();
      SmallVector<AffineExpr> results(map.getResults());
      for (unsigned at = 0; at < added.size(); ++at)
        results.push_back(b.getAffineDimExpr(map.getNumDims() + at));
      op.getIndicesMutable().append(added);
      op.setMap(AffineMap::get(map.getNumDims() + added.size(), 0, results, b.getContext()));
      op->setOperand(0, storage);
    };
    if (auto access = dyn_cast<cin::AccessOp>(user))
      widen(access);
    else
      widen(cast<cin::AssignOp>(user));
  }

  Names names;
  OpBuilder b;
};

} // namespace

FailureOr<PrecomputedLabels> readLabels(func::FuncOp kernel, ta::CommandAttr command,
                                        Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto list = [&](unsigned at) -> SmallVector<Attribute> {
    if (at >= arguments.size())
      return {};
    if (auto several = dyn_cast<ArrayAttr>(arguments[at]))
      return SmallVector<Attribute>(several.getValue());
    return {arguments[at]};
  };
  SmallVector<Attribute> from = list(1), to = list(2);
  if (from.empty() || from.size() != to.size())
    return refuse() << usage;
  FailureOr<SmallVector<cin::ForallOp>> loops = findLoops(kernel, from, refuse);
  if (failed(loops))
    return failure();
  PrecomputedLabels labels{*loops, {}};
  for (auto [label, fresh] : llvm::zip(from, to)) {
    if (label != fresh && failed(checkNew(kernel, fresh, refuse)))
      return failure();
    auto name = cast<StringAttr>(fresh);
    if (llvm::is_contained(labels.fresh, name))
      return refuse() << "'" << name.getValue() << "' is named twice";
    labels.fresh.push_back(name);
  }
  return labels;
}

LogicalResult precompute(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto name = arguments.empty() ? StringAttr() : dyn_cast<StringAttr>(arguments[0]);
  cin::WhereOp producer = name ? findProducer(kernel, name) : cin::WhereOp();
  if (!name || arguments.size() < 3 || (producer && arguments.size() > 3))
    return refuse() << usage;
  if (!producer)
    return precomputeExpression(kernel, command, refuse);
  FailureOr<PrecomputedLabels> labels = readLabels(kernel, command, refuse);
  if (failed(labels))
    return failure();
  Names names{producer, labels->loops, labels->fresh};
  Operation *outermost = nullptr;
  for (cin::ForallOp loop : names.labels) {
    if (loop.isOfParts())
      return refuse() << "'" << loop.getName() << "' is a part of another label";
    if (!loop->isAncestor(names.where))
      return refuse() << "the temporary is not inside the loop over '" << loop.getName() << "'";
    if (!outermost || loop->isAncestor(outermost))
      outermost = loop;
  }
  if (temporaryOf(names.where).getMissing())
    return refuse() << "the temporary may be missing, which only a scalar can be";
  if (auto around = dyn_cast<cin::ForallOp>(outermost->getParentOp());
      around && around.getCollapsed())
    return refuse() << "the loops over '" << around.getName() << "' and '"
                    << cast<cin::ForallOp>(outermost).getName()
                    << "' are walked as one: precompute comes first";
  // What the producer passes on its way out.
  for (Operation *at = names.where->getParentOp(); at != outermost->getParentOp();
       at = at->getParentOp()) {
    if (auto outer = dyn_cast<cin::WhereOp>(at)) {
      if (outer.getProducer().isAncestor(names.where->getParentRegion()))
        return refuse() << "another temporary is computed from it inside these loops";
      Value other = temporaryOf(outer).getStorage();
      if (usesVariable(names.where.getProducer().front(), other))
        return refuse() << "it is computed from another temporary";
    } else if (auto loop = dyn_cast<cin::ForallOp>(at);
               loop && !llvm::is_contained(names.labels, loop) &&
               usesVariable(names.where.getProducer().front(), loop.getVariable())) {
      return refuse() << "the temporary also depends on '" << loop.getName()
                      << "', whose loop is inside that over '"
                      << cast<cin::ForallOp>(outermost).getName() << "'";
    }
  }
  Widening(std::move(names)).run();
  return success();
}

} // namespace strata::schedule

// Brings accesses to diagonals, strided and reversed rows, ... into the plain form A[i, j, ...].
#include "strata/lower/ta/Reindex.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

void dropUnusedInputs(ta::ComputeOp op) {
  llvm::SmallDenseSet<Value> used;
  op.getBody().walk([&](ta::AccessOp access) { used.insert(access.getTensor()); });
  if (Value mask = op.getMask())
    used.insert(mask);
  for (int at = op.getInputs().size() - 1; at >= 0; --at)
    if (!used.contains(op.getInputs()[at]))
      op.getInputsMutable().erase(at);
}

Value cloneValue(OpBuilder &b, Value value, IRMapping &mapping) {
  if (Value done = mapping.lookupOrNull(value))
    return done;
  Operation *def = value.getDefiningOp();
  if (!isa<ta::ReduceOp, ta::AccessOp>(def))
    for (Value operand : def->getOperands())
      cloneValue(b, operand, mapping);
  Operation *clone = b.clone(*def, mapping);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

namespace {

// A place over the variables that it uses, in the order in which they appear.
struct OwnPlace {
  SmallVector<unsigned> variables;
  AffineMap map;
};

OwnPlace ownPlace(AffineMap place) {
  OwnPlace own;
  MLIRContext *context = place.getContext();
  SmallVector<AffineExpr> renamed(place.getNumDims(), getAffineConstantExpr(0, context));
  for (AffineExpr expr : place.getResults())
    for (unsigned variable = 0; variable < place.getNumDims(); ++variable)
      if (expr.isFunctionOfDim(variable) && !llvm::is_contained(own.variables, variable)) {
        renamed[variable] = getAffineDimExpr(own.variables.size(), context);
        own.variables.push_back(variable);
      }
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : place.getResults())
    exprs.push_back(expr.replaceDims(renamed));
  own.map = AffineMap::get(own.variables.size(), 0, exprs, context);
  return own;
}

// A fixed place is the first one of a window of one coordinate.
AffineMap windowAt(AffineMap fixed) {
  SmallVector<AffineExpr> exprs(fixed.getResults());
  exprs.front() = exprs.front() + getAffineDimExpr(0, fixed.getContext());
  return AffineMap::get(1, 0, exprs, fixed.getContext());
}

// Each index variable once, and nothing else?
bool isPlain(const OwnPlace &place) { return place.map.isPermutation(); }

// Does one variable stand alone for several dimensions?
bool isDiagonal(AffineMap map) {
  return map.getNumDims() == 1 && map.getNumResults() > 1 &&
         llvm::all_of(map.getResults(), [](AffineExpr expr) { return isa<AffineDimExpr>(expr); });
}

std::string reasonOf(ta::FormatAttr format, AffineMap place) {
  std::string name = ta::formatName(format);
  if (place.getNumDims() == 0)
    return "its entry is looked up before the loops, since " + name +
           " cannot be searched for one coordinate";
  if (isDiagonal(place))
    return "its diagonal is extracted first, since " + name + " cannot be iterated along it";
  return "the entries that the statement reaches are extracted first, since " + name +
         " cannot be iterated over them alone";
}

void reindex(const IndexStatement &statement, ta::AccessOp access, const OwnPlace &place,
             DenseMap<std::pair<Value, AffineMap>, Value> &done) {
  ta::ComputeOp op = statement.op;
  MLIRContext *context = op.getContext();
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(access.getTensor().getType());
  bool fixed = place.variables.empty();
  SmallVector<Value> extents, variables;
  for (unsigned variable : place.variables) {
    extents.push_back(statement.variables[variable].extent);
    variables.push_back(statement.variables[variable].argument);
  }
  if (fixed)
    extents.push_back(arith::ConstantIndexOp::create(b, access.getLoc(), 1));
  unsigned rank = extents.size();
  // One tensor serves accesses to the same place over variables of the same extents.
  AffineMap key = fixed ? windowAt(place.map) : place.map;
  Value &made = done[{access.getTensor(), key}];
  auto known = made ? made.getDefiningOp<ta::GatherOp>() : ta::GatherOp();
  if (!known || (!fixed && !llvm::equal(known.getSizes(), extents))) {
    std::string why;
    // What is fixed must be found without a loop.
    ta::FormatAttr format = ta::shorthand(context, fixed ? "HashVector" : "CSF", rank, why);
    format = format.withFill(ta::formatOf(type).getFill());
    auto to = RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic),
                                    type.getElementType(), format);
    made = ta::GatherOp::create(b, access.getLoc(), to, access.getTensor(), key, extents,
                                b.getStringAttr(reasonOf(ta::formatOf(type), place.map)));
    op.getInputsMutable().append(made);
  }
  access.getTensorMutable().assign(made);
  access.getIndicesMutable().assign(variables);
  access.setMap(fixed ? AffineMap::get(0, 0, {getAffineConstantExpr(0, context)}, context)
                      : AffineMap::getMultiDimIdentityMap(rank, context));
}

} // namespace

bool reindexAccesses(ta::ComputeOp op) {
  IndexStatement statement(op);
  DenseMap<std::pair<Value, AffineMap>, Value> done;
  bool changed = false;
  for (const auto &[operation, path] : statement.accesses) {
    auto access = cast<ta::AccessOp>(operation);
    OwnPlace place = ownPlace(statement.placeOf(access.getMap(), access.getIndices()));
    bool fixed = place.variables.empty();
    if (path.format.isFull() || path.format.getDimRank() == 0 || (!fixed && isPlain(place)))
      continue;
    reindex(statement, access, place, done);
    changed = true;
  }
  if (changed)
    dropUnusedInputs(op);
  return changed;
}

} // namespace strata

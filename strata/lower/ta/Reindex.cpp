// Brings accesses to diagonals, strided and reversed rows, ... into the plain form A[i, j, ...].
#include "strata/lower/ta/Reindex.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Plan.h"

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

// Says why a tensor is not read where it lies; `before` is what is made of it.
std::string reasonOf(const Twine &before, ta::FormatAttr format, AffineMap place) {
  std::string reason = (before + ", since " + ta::formatName(format) + " cannot be ").str();
  if (place.getNumDims() == 0)
    return reason + "searched for one coordinate";
  return reason + (isDiagonal(place) ? "iterated along it" : "iterated over them alone");
}

StringRef madeOf(AffineMap place) {
  if (place.getNumDims() == 0)
    return "its entry is looked up before the loops";
  return isDiagonal(place) ? "its diagonal is extracted first"
                           : "the entries that the statement reaches are extracted first";
}

/// A dimension that must agree with one before it, since one variable stands alone for both.
struct Agreement {
  unsigned first, second;
};

SmallVector<Agreement> agreementsOf(AffineMap place) {
  SmallVector<Agreement> agreements;
  for (unsigned dim = 1; dim < place.getNumResults(); ++dim)
    for (unsigned first = 0; first < dim; ++first)
      if (isa<AffineDimExpr>(place.getResult(dim)) &&
          place.getResult(first) == place.getResult(dim)) {
        agreements.push_back({first, dim});
        break;
      }
  return agreements;
}

// Makes the statement `E[i, i2] = where(i == i2, A[i, i2])`, which lists the entries of a tensor at
// which dimensions agree. Its loops leave out the others, which a gather would be given to filter.
class DiagonalEntries {
public:
  DiagonalEntries(ta::AccessOp access, ArrayRef<Agreement> agreements)
      : access(access), agreements(agreements), op(access->getParentOfType<ta::ComputeOp>()),
        type(cast<RankedTensorType>(access.getTensor().getType())), b(op), labels(type.getRank()) {}

  /// Inserts the statement before the one of the access, and returns its result; null if there are
  /// no loops for it.
  Value list(StringRef reason) {
    Location loc = op.getLoc();
    SmallVector<Value> sizes, inputs{access.getTensor()};
    SmallVector<Attribute> names;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      sizes.push_back(ta::DimOp::create(b, loc, b.getIndexType(), access.getTensor(), dim));
      names.push_back(b.getStringAttr("i" + (dim ? Twine(dim + 1).str() : "")));
    }
    auto numbers = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
    for (Agreement one : agreements)
      for (unsigned dim : {one.first, one.second})
        if (!labels[dim]) {
          labels[dim] = ta::IotaOp::create(b, loc, numbers, 0, 1, sizes[dim]);
          inputs.push_back(labels[dim]);
        }
    SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
    ta::FormatAttr format =
        ta::listFormat(op.getContext(), type.getRank(), ta::formatOf(type).getFill());
    auto made = ta::withFormat(RankedTensorType::get(shape, type.getElementType()), format);
    std::string name = ta::nameOf(access.getTensor(), "A") + "_diagonal";
    auto entries = ta::ComputeOp::create(
        b, NameLoc::get(b.getStringAttr(name), loc), made, sizes, inputs, sizes, Value(),
        AffineMapAttr::get(b.getMultiDimIdentityMap(type.getRank())), ta::CombineAttr(),
        b.getArrayAttr(names));
    entries.setReason(reason);
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&entries.getBody());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      block->addArgument(b.getIndexType(), loc);
    ta::YieldOp::create(b, loc, whereAgreed(block->getArguments()));
    if (planOf(IndexStatement(entries)))
      return entries.getResult();
    entries.erase();
    for (Value unused : llvm::concat<Value>(labels, sizes))
      if (unused)
        unused.getDefiningOp()->erase();
    return {};
  }

private:
  Value read(Value tensor, ValueRange indices) {
    Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
    return ta::AccessOp::create(b, access.getLoc(), ta::valueTypeOf(element), tensor, indices,
                                b.getMultiDimIdentityMap(indices.size()));
  }

  Value whereAgreed(ValueRange variables) {
    Location loc = access.getLoc();
    Value value = read(access.getTensor(), variables);
    Value absent = ta::emitConstant(b, loc, ta::fillOf(type));
    for (Agreement one : agreements) {
      auto agree = ta::CompareOp::create(b, loc, ta::Relation::eq,
                                         read(labels[one.first], variables[one.first]),
                                         read(labels[one.second], variables[one.second]));
      agree->setAttr(ta::ofLabelsAttribute, b.getUnitAttr());
      value = ta::SelectOp::create(b, loc, agree, value, absent);
    }
    return value;
  }

  ta::AccessOp access;
  ArrayRef<Agreement> agreements;
  ta::ComputeOp op;
  RankedTensorType type;
  OpBuilder b;
  SmallVector<Value> labels; ///< of the dimensions that must agree: the values 0, 1, ...
};

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
    std::string reason = reasonOf(madeOf(place.map), ta::formatOf(type), place.map);
    Value from = access.getTensor();
    if (SmallVector<Agreement> agreements = agreementsOf(place.map);
        !agreements.empty() && !ta::formatOf(type).isList()) {
      std::string listed =
          isDiagonal(place.map) ? "the diagonal" : "entries, some of which are reached,";
      Value found = DiagonalEntries(access, agreements)
                        .list(reasonOf(Twine(listed) + " of '" + ta::nameOf(from, "A") + "'",
                                       ta::formatOf(type), place.map));
      if (found) {
        from = found;
        reason = "its entries are taken along the labels of the statement";
      }
    }
    made =
        ta::GatherOp::create(b, access.getLoc(), to, from, key, extents, b.getStringAttr(reason));
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

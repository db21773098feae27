// Finds what cells need of the tensors of a statement, brings it, and makes the statement of a
// cell.
#include "strata/lower/ta/CellStatement.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

bool CellStatement::Operand::hasLists() const {
  return llvm::any_of(listed, [](unsigned variable) { return variable != notListed; });
}

// Which piece a cell needs of a tensor that is accessed at `place`; null after an error.
ta::PlacementAttr CellStatement::placementAt(AffineMap place, StringRef tensor) {
  MLIRContext *context = op.getContext();
  SmallVector<ta::PlaceAttr> places(
      schedule.machine.getAxes().size(),
      ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
  for (const CellCut &cut : schedule.cuts) {
    SmallVector<unsigned> dims;
    for (auto [dim, expr] : llvm::enumerate(place.getResults()))
      if (expr == getAffineDimExpr(cut.variable, context) ||
          (cut.cell && expr == getAffineDimExpr(*cut.cell, context)))
        dims.push_back(dim);
      else if (expr.isFunctionOfDim(cut.variable))
        return schedule.refuse(cut)
                   << "'" << tensor << "' is read at a coordinate that is computed from '"
                   << schedule.nameOf(cut) << "'",
               ta::PlacementAttr();
    if (dims.size() > 1)
      return schedule.refuse(cut) << "'" << schedule.nameOf(cut)
                                  << "' is the coordinate of several "
                                     "dimensions of '"
                                  << tensor << "'",
             ta::PlacementAttr();
    if (!dims.empty())
      places[cut.axis] = ta::PlaceAttr::get(context, ta::PlaceKind::share, dims, 0);
  }
  return ta::PlacementAttr::get(context, schedule.machine.getSymName(), places);
}

bool CellStatement::hasCut(AffineMap place) {
  return llvm::any_of(schedule.cuts, [&](const CellCut &cut) {
    return llvm::is_contained(place.getResults(), getAffineDimExpr(cut.variable, op.getContext()));
  });
}

// Would a cell get more of it than what lies on the cell?
bool CellStatement::hasToCome(ta::AccessOp access) {
  ta::PlacementAttr placement = ta::placementOf(typeOf(access.getTensor()));
  return placement && !hasCut(placeOf(access)) &&
         llvm::any_of(placement.getPlaces(),
                      [](ta::PlaceAttr place) { return place.getKind() != ta::PlaceKind::all; });
}

AffineMap CellStatement::placeOf(ta::AccessOp access) const {
  return statement.placeOf(access.getMap(), access.getIndices());
}

// Does a level store the coordinates of the dimension as they are, and no others beside them?
static bool storesPlainly(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ta::FormatAttr format = ta::sumOf(type) ? ta::FormatAttr() : ta::formatOf(type);
  if (!format || (format.hasPadding() && !format.isFull()))
    return false;
  const ArrayRef<AffineExpr> levels = format.getDimToLvl().getResults();
  return llvm::count_if(levels, [&](AffineExpr level) { return level.isFunctionOfDim(dim); }) ==
             1 &&
         llvm::is_contained(levels, getAffineDimExpr(dim, tensor.getContext())) &&
         !llvm::is_contained(format.sortedDims(), dim);
}

static bool isNothingWithout(ta::ReduceOp reduce, ArrayRef<Operation *> accesses) {
  TypedAttr value = IndexStatement::knownWithout(reduce.getYielded(), accesses).value;
  return value &&
         (ta::isMissing(value) ||
          Attribute(value) == Attribute(ta::identityOf(reduce.getCombine(), value.getType())));
}

// Cells need those values of a variable that is summed at which their own pieces store something,
// if other operands have to come, and nothing is added elsewhere. These accesses say which.
SmallVector<Operation *> CellStatement::sourcesOf(unsigned variable) {
  const IndexVariable &v = statement.variables[variable];
  const auto label = getAffineDimExpr(variable, op.getContext());
  if (!v.reduction || schedule.cutOf(variable))
    return {};
  SmallVector<Operation *> stored;
  bool come = false, canBeListed = true;
  for (const auto &[access, path] : statement.accesses) {
    auto one = cast<ta::AccessOp>(access);
    const AffineMap place = placeOf(one);
    if (!place.isFunctionOfDim(variable))
      continue;
    const auto uses = llvm::count_if(
        place.getResults(), [&](AffineExpr expr) { return expr.isFunctionOfDim(variable); });
    const auto *dim = llvm::find(place.getResults(), label);
    canBeListed &= uses == 1 && dim != place.getResults().end() &&
                   isSizeOf(v.extent, one.getTensor(), dim - place.getResults().begin()) &&
                   storesPlainly(one.getTensor(), dim - place.getResults().begin());
    come |= hasToCome(one);
    if (isSparse(one) && hasCut(place))
      stored.push_back(access);
  }
  if (!come || !canBeListed)
    return {};
  for (Operation *access : stored)
    if (isNothingWithout(v.reduction, access))
      return {access};
  return isNothingWithout(v.reduction, stored) ? stored : SmallVector<Operation *>();
}

// The number of an operand that is accessed at `place`.
std::optional<unsigned> CellStatement::add(Value tensor, AffineMap place) {
  ta::PlacementAttr placement = placementAt(place, ta::operandName(op, tensor));
  if (!placement)
    return std::nullopt;
  SmallVector<unsigned> listed;
  for (AffineExpr expr : place.getResults()) {
    auto label = dyn_cast<AffineDimExpr>(expr);
    listed.push_back(label && !sources[label.getPosition()].empty() ? label.getPosition()
                                                                    : notListed);
  }
  auto *known = llvm::find_if(operands, [&](const Operand &one) {
    return one.tensor == tensor && one.placement == placement && one.listed == listed;
  });
  const unsigned number = known - operands.begin();
  if (known == operands.end())
    operands.push_back({tensor, placement, listed});
  for (auto [dim, expr] : llvm::enumerate(place.getResults())) {
    auto label = dyn_cast<AffineDimExpr>(expr);
    if (!label)
      continue;
    if (isSizeOf(statement.variables[label.getPosition()].extent, tensor, dim))
      uses[label.getPosition()].push_back({number, unsigned(dim)});
    else if (const CellCut *cut = schedule.cutOf(label.getPosition()))
      return schedule.refuse(*cut)
                 << "'" << schedule.nameOf(*cut) << "' does not take all coordinates of '"
                 << ta::operandName(op, tensor) << "'",
             std::nullopt;
  }
  return number;
}

// A label's number in a part is another one than in the whole.
LogicalResult CellStatement::checkCoordinates() {
  for (const CellCut &cut : schedule.cuts)
    for (Operation *user : statement.variables[cut.variable].argument.getUsers())
      if (!isa<ta::AccessOp>(user))
        return schedule.refuse(cut)
               << "the statement computes with '" << schedule.nameOf(cut) << "'";
  if (!op.getInit() && !reachesWholeResult(op))
    return schedule.refuse(schedule.cuts.front())
           << "the result has elements that the statement does not compute";
  return success();
}

LogicalResult CellStatement::check() {
  if (failed(checkCoordinates()))
    return failure();
  uses.resize(statement.variables.size());
  for (unsigned variable = 0; variable < statement.variables.size(); ++variable)
    sources.push_back(sourcesOf(variable));
  bool all = true;
  op.getBody().walk([&](ta::AccessOp access) {
    std::optional<unsigned> number = all ? add(access.getTensor(), placeOf(access)) : std::nullopt;
    all &= number.has_value();
    accessed.push_back(number.value_or(0));
    operandOf[access] = number.value_or(0);
  });
  const ValueRange left(op.getVariables());
  if (all && op.getMask())
    all &= (masked = add(op.getMask(), statement.placeOf(*op.getMaskMap(), left))).has_value();
  if (all && op.getInit())
    all &= (updated = add(op.getInit(), statement.resultPlace())).has_value();
  if (!all || !(result = placementAt(statement.resultPlace(), ta::nameOf(op.getResult()))))
    return failure();
  for (const CellCut &cut : schedule.cuts)
    if (uses[cut.variable].empty())
      return schedule.refuse(cut) << "no operand has all values of '" << schedule.nameOf(cut)
                                  << "' as coordinates of a dimension";
  return success();
}

RankedTensorType CellStatement::typeOf(Value tensor) const {
  return cast<RankedTensorType>(tensor.getType());
}

// How many values a label has on a cell.
Value CellStatement::extentOf(unsigned variable) {
  Value &extent = extents[variable];
  if (extent)
    return extent;
  if (llvm::any_of(schedule.cuts, [&](const CellCut &cut) { return cut.cell == variable; }))
    return extent = arith::ConstantIndexOp::create(b, op.getLoc(), 1);
  const IndexVariable &v = statement.variables[variable];
  SmallVector<Value> sizes;
  SmallVector<Attribute> names;
  for (const Use &use : uses[variable]) {
    sizes.push_back(ta::DimOp::create(b, op.getLoc(), b.getIndexType(), operands[use.operand].piece,
                                      uint64_t(use.dim)));
    names.push_back(b.getStringAttr(ta::operandName(op, operands[use.operand].tensor)));
  }
  return extent = sizes.empty() ? v.extent
                  : sizes.size() == 1
                      ? sizes.front()
                      : ta::SameSizeOp::create(b, op.getLoc(), b.getIndexType(), v.name, sizes,
                                               b.getArrayAttr(names));
}

SmallVector<Value> CellStatement::sizesOfResult() {
  SmallVector<Value> sizes;
  RankedTensorType type = typeOf(op.getResult());
  for (int64_t dim = 0, order = type.getRank(); dim < order; ++dim) {
    auto label = dyn_cast<AffineDimExpr>(statement.resultPlace().getResult(dim));
    if (label)
      sizes.push_back(extentOf(label.getPosition()));
    else if (type.isDynamicDim(dim))
      sizes.push_back(op.getSizes()[type.getDynamicDimIndex(dim)]);
    else
      sizes.push_back(arith::ConstantIndexOp::create(b, op.getLoc(), type.getDimSize(dim)));
  }
  return sizes;
}

// The statement, on pieces.
Value CellStatement::computePieces() {
  SmallVector<Value> extentsOfLeft;
  for (BlockArgument variable : op.getVariables())
    extentsOfLeft.push_back(extentOf(statement.numberOf(variable)));
  SmallVector<SmallVector<Value>> extentsOfSums;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    SmallVector<Value> &own = extentsOfSums.emplace_back();
    for (BlockArgument variable : reduce.getVariables())
      own.push_back(extentOf(statement.numberOf(variable)));
  });
  auto local = cast<ta::ComputeOp>(b.clone(*op));
  local.getResult().setType(ta::pieceType(ta::withPlacement(typeOf(op.getResult()), result)));
  local.getExtentsMutable().assign(extentsOfLeft);
  local.getSizesMutable().assign(sizesOfResult());
  unsigned sum = 0, access = 0;
  local.getBody().walk(
      [&](ta::ReduceOp reduce) { reduce.getExtentsMutable().assign(extentsOfSums[sum++]); });
  local.getBody().walk(
      [&](ta::AccessOp one) { one.getTensorMutable().assign(operands[accessed[access++]].piece); });
  llvm::SmallSetVector<Value, 4> inputs;
  for (unsigned number : accessed)
    inputs.insert(operands[number].piece);
  if (masked) {
    inputs.insert(operands[*masked].piece);
    local.getMaskMutable().assign(operands[*masked].piece);
  }
  if (updated)
    local.getInitMutable().assign(operands[*updated].piece);
  local.getInputsMutable().assign(inputs.getArrayRef());
  if (schedule.others.empty())
    local.removeScheduleAttr();
  else
    ta::setSchedule(local, ta::ScheduleAttr::get(op.getContext(), schedule.others),
                    schedule.places);
  return local.getResult();
}

// What every process has whole needs no pieces where cells need all of it.
bool CellStatement::isEverywhere(const Operand &operand) const {
  return !ta::placementOf(typeOf(operand.tensor)) &&
         llvm::all_of(operand.placement.getPlaces(),
                      [](ta::PlaceAttr place) { return place.getKind() == ta::PlaceKind::all; });
}

// The tensor, placed in this way.
Value CellStatement::placed(Value tensor, ta::PlacementAttr placement) {
  RankedTensorType type = ta::withPlacement(typeOf(tensor), placement);
  if (type == tensor.getType())
    return tensor;
  Value &known = moved[{tensor, placement}];
  if (!known)
    known = ta::ConvertOp::create(b, op.getLoc(), type, tensor, reason);
  return known;
}

// For each cell the values of a variable that it needs.
Value CellStatement::listOf(unsigned variable) {
  Value &list = lists[variable];
  if (list)
    return list;
  SmallVector<Value> tensors;
  SmallVector<int64_t> dims;
  std::string names;
  for (Operation *access : sources[variable]) {
    const Operand &operand = operands[operandOf.lookup(access)];
    tensors.push_back(placed(operand.tensor, operand.placement));
    dims.push_back(llvm::find(operand.listed, variable) - operand.listed.begin());
    names += (names.empty() ? "'" : ", '") + ta::operandName(op, operand.tensor) + "'";
  }
  MLIRContext *context = op.getContext();
  SmallVector<ta::PlaceAttr> everywhere(
      schedule.machine.getAxes().size(),
      ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
  auto vector = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
  RankedTensorType type = ta::withPlacement(
      vector, ta::PlacementAttr::get(context, schedule.machine.getSymName(), everywhere, {0u}));
  whyListed[variable] = "a cell needs those values of '" + statement.variables[variable].name +
                        "' at which its pieces of " + names + " store something";
  return list = ta::NeedsOp::create(b, op.getLoc(), type, tensors, dims,
                                    b.getStringAttr(whyListed[variable]));
}

// Where what a cell needs of a tensor can be fetched from: where it lies, if each cell has an
// interval of the dimension that is listed, or if it comes from one cell; or where the cell is.
Value CellStatement::homeOf(const Operand &operand, unsigned dim) {
  ta::PlacementAttr home = ta::placementOf(typeOf(operand.tensor));
  const bool isCut = llvm::any_of(operand.placement.getPlaces(), [](ta::PlaceAttr place) {
    return place.getKind() != ta::PlaceKind::all;
  });
  if (isCut)
    return placed(operand.tensor, operand.placement);
  auto serves = [&](ta::PlaceAttr place) {
    return place.getKind() == ta::PlaceKind::all || place.getKind() == ta::PlaceKind::at ||
           (place.getKind() == ta::PlaceKind::share && place.getDims() == ArrayRef(dim));
  };
  if (!home || (home.getMachine() == schedule.machine.getSymName() &&
                llvm::all_of(home.getPlaces(), serves)))
    return operand.tensor;
  SmallVector<ta::PlaceAttr> places(operand.placement.getPlaces());
  places[schedule.cuts.front().axis] =
      ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::share, {dim}, 0);
  return placed(operand.tensor,
                ta::PlacementAttr::get(op.getContext(), schedule.machine.getSymName(), places));
}

Value CellStatement::fetched(const Operand &operand) {
  SmallVector<Value> byDim;
  SmallVector<int64_t> dims;
  SmallVector<unsigned> listed;
  for (auto [dim, variable] : llvm::enumerate(operand.listed))
    if (variable != notListed) {
      byDim.push_back(listOf(variable));
      dims.push_back(dim);
      listed.push_back(dim);
    }
  Value home = homeOf(operand, listed.front());
  auto placement = ta::PlacementAttr::get(op.getContext(), schedule.machine.getSymName(),
                                          operand.placement.getPlaces(), listed);
  return ta::FetchOp::create(b, op.getLoc(), ta::withPlacement(typeOf(operand.tensor), placement),
                             home, dims, byDim,
                             b.getStringAttr(whyListed[operand.listed[listed.front()]]));
}

// Brings the operands to where cells need them.
SmallVector<Value> CellStatement::placeOperands() {
  SmallVector<Value> tensors;
  for (Operand &operand : operands)
    if (operand.hasLists())
      tensors.push_back(fetched(operand));
    else if (isEverywhere(operand))
      operand.piece = operand.tensor;
    else
      tensors.push_back(placed(operand.tensor, operand.placement));
  return tensors;
}

Value CellStatement::build() {
  Location loc = op.getLoc();
  SmallVector<Value> tensors = placeOperands();
  auto cells = ta::DistributeOp::create(b, loc, ta::withPlacement(typeOf(op.getResult()), result),
                                        tensors, op.getSizes());
  Block &block = cells.getBody().emplaceBlock();
  for (Operand &operand : operands)
    if (!operand.piece)
      operand.piece = block.addArgument(
          ta::pieceType(ta::withPlacement(typeOf(operand.tensor), {})), operand.tensor.getLoc());
  b.setInsertionPointToEnd(&block);
  extents.resize(statement.variables.size());
  ta::NextOp::create(b, loc, computePieces());
  return cells.getResult();
}

} // namespace strata

// Finds what cells need of the tensors of a statement, brings it, and makes the statement of a
// cell.
#include "strata/lower/ta/CellStatement.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// The dimensions whose coordinate a variable is.
static SmallVector<unsigned> dimsOf(AffineMap place, unsigned variable) {
  SmallVector<unsigned> dims;
  for (auto [dim, expr] : llvm::enumerate(place.getResults()))
    if (expr == getAffineDimExpr(variable, place.getContext()))
      dims.push_back(dim);
  return dims;
}

// Tells whether a coordinate is something else that is made of it.
static bool isComputedFrom(AffineMap place, unsigned variable) {
  return llvm::any_of(place.getResults(), [&](AffineExpr expr) {
    return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(variable);
  });
}

SmallVector<unsigned> CellStatement::listedDims(ArrayRef<unsigned> listed) {
  SmallVector<unsigned> dims;
  for (auto [dim, variable] : llvm::enumerate(listed))
    if (variable != notListed)
      dims.push_back(dim);
  return dims;
}

// Which piece a cell needs of a tensor that is accessed at `place`; null after an error.
ta::PlacementAttr CellStatement::placementAt(AffineMap place, StringRef tensor) {
  MLIRContext *context = op.getContext();
  SmallVector<ta::PlaceAttr> places(
      schedule.machine.getAxes().size(),
      ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
  auto share = [&](const CellAxis &cells, ArrayRef<unsigned> dims) {
    if (!dims.empty())
      places[cells.axis] = ta::PlaceAttr::get(context, ta::PlaceKind::share, dims, 0);
  };
  for (const CellCut &cut : schedule.cuts) {
    SmallVector<unsigned> dims = dimsOf(place, cut.variable);
    if (cut.cell)
      llvm::append_range(dims, dimsOf(place, *cut.cell));
    if (isComputedFrom(place, cut.variable))
      return schedule.refuse(cut) << "'" << tensor
                                  << "' is read at a coordinate that is computed from '"
                                  << schedule.nameOf(cut) << "'",
             ta::PlacementAttr();
    if (dims.size() > 1)
      return schedule.refuse(cut) << "'" << schedule.nameOf(cut)
                                  << "' is the coordinate of several "
                                     "dimensions of '"
                                  << tensor << "'",
             ta::PlacementAttr();
    share(cut, dims);
  }
  if (schedule.entries && schedule.entries->cell)
    share(*schedule.entries, dimsOf(place, *schedule.entries->cell));
  return ta::PlacementAttr::get(context, schedule.machine.getSymName(), places);
}

// The same of the operand whose entries cells have parts of.
ta::PlacementAttr CellStatement::placementOfLeader(ta::PlacementAttr placement) const {
  const EntryCut &cut = *schedule.entries;
  SmallVector<unsigned> dims;
  for (unsigned variable : cut.variables)
    llvm::append_range(dims, dimsOf(placeOf(cut.leader), variable));
  SmallVector<ta::PlaceAttr> places(placement.getPlaces());
  places[cut.axis] = ta::PlaceAttr::get(placement.getContext(), ta::PlaceKind::entries, dims, 0);
  return ta::PlacementAttr::get(placement.getContext(), placement.getMachine(), places);
}

// Tells whether each cell has a part of its own of what is accessed.
bool CellStatement::hasCut(ta::AccessOp access) {
  return isLeader(access) || llvm::any_of(schedule.cuts, [&](const CellCut &cut) {
           return !dimsOf(placeOf(access), cut.variable).empty();
         });
}

// Would a cell get more of it than what lies on the cell?
bool CellStatement::hasToCome(ta::AccessOp access) {
  ta::PlacementAttr placement = ta::placementOf(typeOf(access.getTensor()));
  return placement && !hasCut(access) &&
         llvm::any_of(placement.getPlaces(),
                      [](ta::PlaceAttr place) { return place.getKind() != ta::PlaceKind::all; });
}

AffineMap CellStatement::placeOf(ta::AccessOp access) const {
  return statement.placeOf(access.getMap(), access.getIndices());
}

// Does a level store the coordinates of the dimension as they are, and no others beside them?
static bool storesPlainly(RankedTensorType type, unsigned dim) {
  ta::FormatAttr format = ta::sumOf(type) ? ta::FormatAttr() : ta::formatOf(type);
  if (!format || (format.hasPadding() && !format.isFull()))
    return false;
  const ArrayRef<AffineExpr> levels = format.getDimToLvl().getResults();
  return llvm::count_if(levels, [&](AffineExpr level) { return level.isFunctionOfDim(dim); }) ==
             1 &&
         llvm::is_contained(levels, getAffineDimExpr(dim, type.getContext())) &&
         !llvm::is_contained(format.sortedDims(), dim);
}

// The format of pieces at lists of these dimensions: a plain one, if the tensor's is none.
static Attribute listedFormat(RankedTensorType type, ArrayRef<unsigned> dims) {
  ta::SumAttr sum = ta::sumOf(type);
  ta::FormatAttr format = ta::formatOf(type);
  if (llvm::all_of(dims, [&](unsigned dim) { return storesPlainly(type, dim); }))
    return sum ? Attribute(sum) : format;
  const unsigned order = type.getRank();
  return (format.isFull() ? ta::denseFormat(type.getContext(), order)
                          : ta::sparseFormat(type.getContext(), order))
      .withFill(format.getFill());
}

// Cells need those values of a variable that is summed at which their own pieces store something,
// if other operands have to come, and nothing is added elsewhere. These accesses say which.
SmallVector<Operation *> CellStatement::sourcesOf(unsigned variable) {
  const IndexVariable &v = statement.variables[variable];
  const auto label = getAffineDimExpr(variable, op.getContext());
  if (schedule.entries && schedule.entries->has(variable))
    return {schedule.entries->leader};
  if (!v.reduction || schedule.cutOf(variable) || computesWith(variable) ||
      (schedule.rounds && schedule.rounds->variable == variable))
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
                   storesPlainly(typeOf(one.getTensor()), dim - place.getResults().begin());
    come |= hasToCome(one);
    if (schedule.rounds && place.isFunctionOfDim(schedule.rounds->variable))
      return {}; // what it stores differs from round to round
    if (isSparse(one) && hasCut(one))
      stored.push_back(access);
  }
  if (!come || !canBeListed)
    return {};
  ta::ReduceOp sum = v.reduction;
  auto isNothingWithout = [&](ArrayRef<Operation *> absent) {
    return IndexStatement::addsNothingWithout(sum.getYielded(), sum.getCombine(), absent);
  };
  for (Operation *access : stored)
    if (isNothingWithout(access))
      return {access};
  return isNothingWithout(stored) ? stored : SmallVector<Operation *>();
}

// Of each dimension of what is accessed at `place` the variable whose list cells have.
SmallVector<unsigned> CellStatement::listedAt(AffineMap place) const {
  return llvm::map_to_vector(place.getResults(), [&](AffineExpr expr) {
    auto label = dyn_cast<AffineDimExpr>(expr);
    return label && !sources[label.getPosition()].empty() ? label.getPosition() : notListed;
  });
}

// The number of an operand that is accessed at `place`.
std::optional<unsigned> CellStatement::add(Value tensor, AffineMap place, bool leads) {
  ta::PlacementAttr placement = placementAt(place, ta::operandName(op, tensor));
  if (!placement)
    return std::nullopt;
  if (leads)
    placement = placementOfLeader(placement);
  const SmallVector<unsigned> listed = listedAt(place);
  std::optional<unsigned> window;
  if (schedule.rounds)
    if (const SmallVector<unsigned> dims = dimsOf(place, schedule.rounds->variable); !dims.empty())
      window = dims.front();
  auto *known = llvm::find_if(operands, [&](const Operand &one) {
    return one.tensor == tensor && one.placement == placement && one.listed == listed &&
           one.window == window;
  });
  const unsigned number = known - operands.begin();
  if (known == operands.end())
    operands.push_back(
        {tensor, placement, listed, listedFormat(typeOf(tensor), listedDims(listed)), window});
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

// Tells whether a variable's number is an operand itself. In a part, a label has another number
// than in the whole.
bool CellStatement::computesWith(unsigned variable) const {
  return !llvm::all_of(statement.variables[variable].argument.getUsers(),
                       llvm::IsaPred<ta::AccessOp>);
}

LogicalResult CellStatement::checkCoordinates() {
  for (const CellCut &cut : schedule.cuts)
    if (computesWith(cut.variable))
      return schedule.refuse(cut) << "the statement computes with '" << schedule.nameOf(cut) << "'";
  if (!op.getInit() && !reachesWholeResult(op))
    return schedule.refuse(schedule.firstAxis())
           << "the result has elements that the statement does not compute";
  if (schedule.rounds && failed(checkRounds(*schedule.rounds)))
    return failure();
  return schedule.entries ? checkEntries(*schedule.entries) : success();
}

// A chunk of the label is an interval of one dimension of each tensor.
LogicalResult CellStatement::checkRounds(const CellRounds &rounds) {
  const IndexVariable &v = statement.variables[rounds.variable];
  if (computesWith(rounds.variable))
    return schedule.refuseRounds() << "the statement computes with '" << v.name << "'";
  bool isCoordinate = false;
  for (const auto &[access, path] : statement.accesses) {
    auto one = cast<ta::AccessOp>(access);
    const AffineMap place = placeOf(one);
    const SmallVector<unsigned> dims = dimsOf(place, rounds.variable);
    const bool isPlain = !isComputedFrom(place, rounds.variable) && dims.size() < 2;
    if (!isPlain || (dims.size() == 1 && !isSizeOf(v.extent, one.getTensor(), dims.front())))
      return schedule.refuseRounds() << "'" << v.name << "' is not all of one dimension of '"
                                     << ta::operandName(op, one.getTensor()) << "'";
    isCoordinate |= dims.size() == 1;
  }
  if (!isCoordinate)
    return schedule.refuseRounds() << "'" << v.name
                                   << "' is the coordinate of no tensor, of which rounds would "
                                      "bring a part";
  return success();
}

// Cells number the coordinates at which their entries lie.
LogicalResult CellStatement::checkEntries(const EntryCut &cut) {
  Value leader = ta::AccessOp(cut.leader).getTensor();
  for (unsigned variable : cut.variables) {
    const IndexVariable &v = statement.variables[variable];
    const SmallVector<unsigned> dims = dimsOf(placeOf(cut.leader), variable);
    if (dims.size() != 1 || !isSizeOf(v.extent, leader, dims.front()))
      return schedule.refuse(cut) << "'" << v.name
                                  << "' does not take all coordinates of a dimension of '"
                                  << ta::operandName(op, leader) << "'";
    if (computesWith(variable))
      return schedule.refuse(cut) << "the statement computes with '" << v.name << "'";
    for (const auto &[access, path] : statement.accesses)
      if (auto one = cast<ta::AccessOp>(access); isComputedFrom(placeOf(one), variable))
        return schedule.refuse(cut)
               << "'" << ta::operandName(op, one.getTensor())
               << "' is read at a coordinate that is computed from '" << v.name << "'";
  }
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
    std::optional<unsigned> number =
        all ? add(access.getTensor(), placeOf(access), isLeader(access)) : std::nullopt;
    all &= number.has_value();
    accessed.push_back(number.value_or(0));
    operandOf[access] = number.value_or(0);
  });
  const ValueRange left(op.getVariables());
  if (all && op.getMask())
    all &= (masked = add(op.getMask(), statement.placeOf(*op.getMaskMap(), left))).has_value();
  if (all && op.getInit())
    all &= (updated = add(op.getInit(), statement.resultPlace())).has_value();
  ta::PlacementAttr placement =
      all ? placementAt(statement.resultPlace(), ta::nameOf(op.getResult())) : ta::PlacementAttr();
  if (!placement)
    return failure();
  listedInResult = listedAt(statement.resultPlace());
  result = ta::PlacementAttr::get(op.getContext(), placement.getMachine(), placement.getPlaces(),
                                  listedDims(listedInResult));
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
  if (llvm::any_of(schedule.cuts, [&](const CellCut &cut) { return cut.cell == variable; }) ||
      (schedule.entries && schedule.entries->cell == variable))
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
  const SmallVector<Value> sizes = sizesOfResult();
  auto local = cast<ta::ComputeOp>(b.clone(*op));
  local.getResult().setType(ta::pieceType(ta::withPlacement(typeOf(op.getResult()), result)));
  local.getExtentsMutable().assign(extentsOfLeft);
  local.getSizesMutable().assign(sizes);
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
  if (carried) {
    local.getInitMutable().assign(carried);
    local.setCombine(
        ta::ReduceOp(statement.variables[schedule.rounds->variable].reduction).getCombine());
  }
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

Value moved(OpBuilder &b, Location loc, Value tensor, RankedTensorType type, StringAttr reason) {
  auto scatter = tensor.getDefiningOp<ta::ScatterOp>();
  if (scatter && !scatter.getLike() &&
      ta::formatOf(type) == ta::formatOf(scatter.getResult().getType()))
    return ta::ScatterOp::create(b, loc, type, scatter.getTensor(), scatter.getDims(),
                                 scatter.getLists(), Value());
  return ta::ConvertOp::create(b, loc, type, tensor, reason);
}

// The tensor, placed and stored in this way.
Value CellStatement::placed(Value tensor, ta::PlacementAttr placement, Attribute format) {
  RankedTensorType type = ta::withPlacement(ta::withFormat(typeOf(tensor), format), placement);
  if (type == tensor.getType())
    return tensor;
  Value &made = known[{tensor, type}];
  if (!made) // of what the compiler itself has made nobody is told
    made = moved(b, op.getLoc(), tensor, type,
                 tensor.getDefiningOp<ta::InsideOp>() ? StringAttr() : reason);
  return made;
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
    tensors.push_back(placed(operand.tensor, operand.placement, operand.format));
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
  const std::string values =
      "a cell needs those values of '" + statement.variables[variable].name + "' ";
  const bool areNeighbours = llvm::all_of(sources[variable], [](Operation *access) {
    return bool(cast<ta::AccessOp>(access).getTensor().getDefiningOp<ta::InsideOp>());
  });
  whyListed[variable] =
      values + (areNeighbours ? "that its own places reach"
                              : "at which its pieces of " + names + " store something");
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
    return placed(operand.tensor, operand.placement, operand.format);
  auto serves = [&](ta::PlaceAttr place) {
    return place.getKind() == ta::PlaceKind::all || place.getKind() == ta::PlaceKind::at ||
           (place.getKind() == ta::PlaceKind::share && place.getDims() == ArrayRef(dim));
  };
  if (!home || (home.getMachine() == schedule.machine.getSymName() &&
                llvm::all_of(home.getPlaces(), serves)))
    return placed(operand.tensor, home, operand.format);
  SmallVector<ta::PlaceAttr> places(operand.placement.getPlaces());
  places[schedule.firstAxis().axis] =
      ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::share, {dim}, 0);
  return placed(operand.tensor,
                ta::PlacementAttr::get(op.getContext(), schedule.machine.getSymName(), places),
                operand.format);
}

// The lists of dimensions that are listed.
SmallVector<Value> CellStatement::listsOf(ArrayRef<unsigned> listed) {
  return llvm::map_to_vector(listedDims(listed), [&](unsigned dim) { return listOf(listed[dim]); });
}

Value CellStatement::fetched(const Operand &operand) {
  const SmallVector<unsigned> dims = listedDims(operand.listed);
  const SmallVector<Value> lists = listsOf(operand.listed);
  Value home = homeOf(operand, dims.front());
  auto placement = ta::PlacementAttr::get(op.getContext(), schedule.machine.getSymName(),
                                          operand.placement.getPlaces(), dims);
  return ta::FetchOp::create(b, op.getLoc(), ta::withPlacement(typeOf(home), placement), home,
                             llvm::to_vector_of<int64_t>(dims), lists,
                             b.getStringAttr(whyListed[operand.listed[dims.front()]]));
}

// What cells have computed at their lists, at the coordinates that these name.
Value CellStatement::scattered(Value parts) {
  const SmallVector<unsigned> dims = listedDims(listedInResult);
  if (dims.empty())
    return parts;
  RankedTensorType type = typeOf(parts);
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<ta::LevelAttr> levels(format.getLevels());
  for (auto [level, expr] : llvm::zip(levels, format.getDimToLvl().getResults()))
    if (format.isFull() && llvm::is_contained(dims, cast<AffineDimExpr>(expr).getPosition()))
      level = ta::sparseFormat(op.getContext(), 1).getLevels().front();
  auto placement = ta::PlacementAttr::get(op.getContext(), result.getMachine(), result.getPlaces());
  return ta::ScatterOp::create(
      b, op.getLoc(), ta::withPlacement(ta::withFormat(type, format.withLevels(levels)), placement),
      parts, llvm::to_vector_of<int64_t>(dims), listsOf(listedInResult), Value());
}

// Brings the operands to where cells need them.
SmallVector<Value> CellStatement::placeOperands() {
  SmallVector<Value> tensors;
  for (Operand &operand : operands)
    if (operand.window &&
        (schedule.rounds->brings(ta::operandName(op, operand.tensor)) || isEverywhere(operand)))
      tensors.push_back(operand.tensor); // it comes from where it is
    else if (operand.hasLists())
      tensors.push_back(fetched(operand));
    else if (isEverywhere(operand))
      operand.piece = operand.tensor;
    else
      tensors.push_back(placed(operand.tensor, operand.placement, operand.format));
  return tensors;
}

RankedTensorType CellStatement::resultType() const {
  ta::ComputeOp whole = op; // accessors of ops are not const
  return ta::withPlacement(typeOf(whole.getResult()), result);
}

// What the first round adds to.
Value CellStatement::beginning() {
  ta::ReduceOp sum = statement.variables[schedule.rounds->variable].reduction;
  const TypedAttr none = ta::identityOf(sum.getCombine(), sum.getResult().getType());
  return ta::FillOp::create(b, op.getLoc(), resultType(), none, op.getSizes());
}

// Each round has a chunk of the operands that have one.
void CellStatement::addRounds(ta::DistributeOp cells) {
  const CellRounds &rounds = *schedule.rounds;
  SmallVector<int64_t> windows;
  SmallVector<Attribute> types;
  for (const Operand &operand : operands) {
    if (operand.piece && !operand.window)
      continue; // every cell has it
    windows.push_back(operand.window ? int64_t(*operand.window) : -1);
    Value tensor = cells.getTensors()[types.size()];
    types.push_back(TypeAttr::get(
        operand.window ? ta::withPlacement(typeOf(tensor), operand.placement) : tensor.getType()));
  }
  windows.push_back(-1);
  types.push_back(TypeAttr::get(cells.getTensors().back().getType()));
  cells.setWindows(windows);
  cells.setTypesAttr(b.getArrayAttr(types));
  if (!rounds.rotated.empty())
    cells.setRotated(rounds.rotated);
  if (rounds.chunk > 0)
    cells.setChunk(rounds.chunk);
  else
    cells.getPartsMutable().assign(
        rounds.axis ? Value(ta::CellsOp::create(b, op.getLoc(), schedule.machine.getSymName(),
                                                *rounds.axis))
                    : arith::ConstantIndexOp::create(b, op.getLoc(), rounds.parts));
}

// Each cell computes its piece.
Value CellStatement::distributed() {
  Location loc = op.getLoc();
  SmallVector<Value> tensors = placeOperands();
  if (schedule.rounds)
    tensors.push_back(beginning());
  auto cells =
      ta::DistributeOp::create(b, loc, resultType(), tensors, op.getSizes(), Value(), IntegerAttr(),
                               DenseI64ArrayAttr(), ArrayAttr(), DenseI64ArrayAttr());
  if (schedule.rounds) {
    b.setInsertionPoint(cells);
    addRounds(cells);
  }
  Block &block = cells.getBody().emplaceBlock();
  auto addPiece = [&](Location place) {
    const unsigned number = block.getNumArguments();
    return block.addArgument(ta::pieceType(cells.typeOnCells(number)), place);
  };
  for (Operand &operand : operands)
    if (!operand.piece)
      operand.piece = addPiece(operand.tensor.getLoc());
  if (schedule.rounds)
    carried = addPiece(op.getLoc());
  b.setInsertionPointToEnd(&block);
  extents.resize(statement.variables.size());
  ta::NextOp::create(b, loc, computePieces());
  b.setInsertionPointAfter(cells);
  return cells.getResult();
}

Value CellStatement::build() { return scattered(distributed()); }

bool CellStatement::hasEntriesOfLeader() const {
  ta::ComputeOp whole = op; // accessors of ops are not const
  if (!schedule.entries || whole.getInit() || whole.getMask())
    return false;
  const EntryCut &cut = *schedule.entries;
  RankedTensorType type = typeOf(whole.getResult());
  ta::AccessOp leader = cut.leader;
  ta::FormatAttr format = ta::formatOf(typeOf(leader.getTensor()));
  // Nothing is stored there that is no entry, and nothing else says what is stored here.
  if (ta::sumOf(type) || ta::formatOf(type).isFull() || !ta::formatOf(type).sortedDims().empty() ||
      format.hasPadding() || ta::repeatsEntries(format) ||
      cut.variables.size() != size_t(type.getRank()) ||
      llvm::any_of(statement.accesses, [&](const auto &entry) {
        auto access = cast<ta::AccessOp>(entry.first);
        return !isLeader(access) && isSparse(access);
      }))
    return false;
  const AffineMap result = statement.resultPlace(), place = placeOf(leader);
  for (unsigned dim = 0; dim < cut.variables.size(); ++dim) {
    auto label = dyn_cast<AffineDimExpr>(result.getResult(dim));
    if (!label || label != place.getResult(dim) || !cut.has(label.getPosition()) ||
        !storesPlainly(type, dim))
      return false;
  }
  return true;
}

Value CellStatement::buildLikeLeader() {
  const EntryCut &cut = *schedule.entries;
  Value parts = distributed();
  const Operand &leader = operands[operandOf.lookup(leaders.front())];
  SmallVector<unsigned> dims;
  for (unsigned variable : cut.variables)
    llvm::append_range(dims, dimsOf(statement.resultPlace(), variable));
  SmallVector<ta::PlaceAttr> places(result.getPlaces());
  places[cut.axis] = ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::entries, dims, 0);
  auto placement = ta::PlacementAttr::get(op.getContext(), result.getMachine(), places);
  return ta::ScatterOp::create(b, op.getLoc(), ta::withPlacement(typeOf(parts), placement), parts,
                               llvm::to_vector_of<int64_t>(listedDims(listedInResult)),
                               listsOf(listedInResult),
                               homeOf(leader, listedDims(leader.listed).front()));
}

} // namespace strata

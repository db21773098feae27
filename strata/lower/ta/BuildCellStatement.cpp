// Brings cells what they need of the tensors of a statement, and makes the statement of a cell.
#include "strata/lower/ta/CellStatement.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/ta/TemporaryLevels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// How many values a label has on a cell.
Value CellStatement::extentOf(unsigned variable) {
  Value &extent = extents[variable];
  if (extent)
    return extent;
  if (llvm::any_of(schedule.cuts, [&](const CellCut &cut) { return cut.cell == variable; }) ||
      (schedule.entries && schedule.entries->cell == variable))
    return extent = arith::ConstantIndexOp::create(b, op.getLoc(), 1);
  if (reaches(variable))
    return extent = reachExtent(variable);
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

// Returns the sizes of the result of a cell. A piece that is updated keeps its size where labels do
// not take all of it.
SmallVector<Value> CellStatement::sizesOfResult() {
  SmallVector<Value> sizes;
  RankedTensorType type = typeOf(op.getResult());
  for (int64_t dim = 0, order = type.getRank(); dim < order; ++dim) {
    if (listedInResult[dim] != notListed && reachedVariable) {
      sizes.push_back(extentOf(*reachedVariable));
      continue;
    }
    auto label = dyn_cast<AffineDimExpr>(statement.resultPlace().getResult(dim));
    // Cells make all of what the label does not take, if no tensor is updated that has it.
    const bool isShort =
        reachedVariable && label && !updated &&
        !isSizeOf(statement.variables[label.getPosition()].extent, op.getResult(), dim);
    const bool isPart =
        label && updated &&
        !isSizeOf(statement.variables[label.getPosition()].extent, op.getInit(), dim);
    if (isPart)
      sizes.push_back(ta::DimOp::create(b, op.getLoc(), b.getIndexType(), operands[*updated].piece,
                                        uint64_t(dim)));
    else if (label && !isShort)
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
  else
    local.getInitMutable().clear();
  if (reachedVariable)
    shiftAccesses(local);
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

// Tells whether every process has the tensor whole, and cells need all of it, which takes no
// pieces.
bool CellStatement::isEverywhere(const Operand &operand) const {
  return !ta::placementOf(typeOf(operand.tensor)) &&
         llvm::all_of(operand.placement.getPlaces(),
                      [](ta::PlaceAttr place) { return place.getKind() == ta::PlaceKind::all; });
}

Value moved(OpBuilder &b, Location loc, Value tensor, RankedTensorType type, StringAttr reason) {
  auto scatter = tensor.getDefiningOp<ta::ScatterOp>();
  if (scatter && !scatter.getLike() && !scatter.getInto() &&
      ta::formatOf(type) == ta::formatOf(scatter.getResult().getType()))
    return ta::ScatterOp::create(b, loc, type, scatter.getTensor(), scatter.getDims(),
                                 scatter.getLists(), Value(), Value());
  auto inside = tensor.getDefiningOp<ta::InsideOp>();
  ta::PlacementAttr placement = ta::placementOf(type);
  if (inside && placement && placement.getListed().empty() &&
      llvm::none_of(placement.getPlaces(),
                    [](ta::PlaceAttr place) { return place.getKind() == ta::PlaceKind::entries; }))
    return ta::InsideOp::create(b, loc, type, inside.getMap(), inside.getExtents(),
                                inside.getSize());
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

SmallVector<Value> CellStatement::listsOf(const Operand &operand) {
  if (operand.reached)
    return {reachOf(operand.tensor, *operand.reached)};
  return listsOf(operand.listed);
}

Value CellStatement::fetched(const Operand &operand) {
  const SmallVector<unsigned> dims = listedDims(operand.listed);
  const SmallVector<Value> lists = listsOf(operand);
  Value home = homeOf(operand, dims.front());
  auto placement = ta::PlacementAttr::get(op.getContext(), schedule.machine.getSymName(),
                                          operand.placement.getPlaces(), dims);
  return ta::FetchOp::create(b, op.getLoc(), ta::withPlacement(typeOf(home), placement), home,
                             llvm::to_vector_of<int64_t>(dims), lists,
                             b.getStringAttr(whyListed[operand.listed[dims.front()]]));
}

// Tells whether the coordinate of a dimension of the result is the number of a cell.
bool CellStatement::numbersCells(unsigned dim) const {
  auto label = dyn_cast<AffineDimExpr>(statement.resultPlace().getResult(dim));
  auto isLabel = [&](const CellAxis &cells) { return label && cells.cell == label.getPosition(); };
  return llvm::any_of(schedule.cuts, isLabel) || (schedule.entries && isLabel(*schedule.entries));
}

// Puts what cells have computed at their lists at the coordinates that these name. Who gets it has
// parts of few cells, and no place for each cell.
Value CellStatement::scattered(Value parts) {
  const SmallVector<unsigned> dims = listedDims(listedInResult);
  if (dims.empty())
    return parts;
  RankedTensorType type = typeOf(parts);
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<ta::LevelAttr> levels(format.getLevels());
  for (auto [level, expr] : llvm::zip(levels, format.getDimToLvl().getResults()))
    if (const unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        format.isFull() && (llvm::is_contained(dims, dim) || numbersCells(dim)))
      level = entryLevel(op.getContext());
  auto placement = ta::PlacementAttr::get(op.getContext(), result.getMachine(), result.getPlaces());
  return ta::ScatterOp::create(
      b, op.getLoc(), ta::withPlacement(ta::withFormat(type, format.withLevels(levels)), placement),
      parts, llvm::to_vector_of<int64_t>(dims), listsOf(listedInResult), Value(), Value());
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

Value CellStatement::build() {
  if (reachedVariable)
    return scatteredInto();
  return model && !listedDims(listedInResult).empty() ? scatteredLikeModel()
                                                      : scattered(distributed());
}

// Everything stays on its cell.
Value CellStatement::scatteredLikeModel() {
  Value parts = distributed();
  const Operand &leader = operands[operandOf.lookup(model)];
  SmallVector<ta::PlaceAttr> places(result.getPlaces());
  if (schedule.entries) {
    SmallVector<unsigned> dims;
    for (unsigned variable : schedule.entries->variables)
      llvm::append_range(dims, dimsOf(statement.resultPlace(), variable));
    places[schedule.entries->axis] =
        ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::entries, dims, 0);
  }
  auto placement = ta::PlacementAttr::get(op.getContext(), result.getMachine(), places);
  return ta::ScatterOp::create(b, op.getLoc(), ta::withPlacement(typeOf(parts), placement), parts,
                               llvm::to_vector_of<int64_t>(listedDims(listedInResult)),
                               listsOf(listedInResult),
                               homeOf(leader, listedDims(leader.listed).front()), Value());
}

} // namespace strata

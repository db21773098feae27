// Finds what cells need of the tensors of a statement.
#include "strata/lower/ta/CellStatement.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

SmallVector<unsigned> CellStatement::dimsOf(AffineMap place, unsigned variable) {
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
    if (reaches(cut.variable))
      continue; // lists say what cells have
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

// Cells need those values of a variable at which their own pieces store something, if other
// operands have to come, and nothing is added elsewhere, or the result has nothing. These accesses
// say which.
SmallVector<Operation *> CellStatement::sourcesOf(unsigned variable) {
  const IndexVariable &v = statement.variables[variable];
  const auto label = getAffineDimExpr(variable, op.getContext());
  if (schedule.entries && schedule.entries->has(variable))
    return {schedule.entries->leader};
  if (reachedVariable || schedule.cutOf(variable) || computesWith(variable) ||
      (schedule.rounds && schedule.rounds->variable == variable) || (!v.reduction && !model))
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
  if (!sum) // the result has coordinates of the model alone
    return {model.getOperation()};
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
    if (reachedVariable && expr.isFunctionOfDim(*reachedVariable))
      return *reachedVariable;
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
  const std::optional<Reached> reached = reachedAt(place);
  auto *known = llvm::find_if(operands, [&](const Operand &one) {
    return one.tensor == tensor && one.placement == placement && one.listed == listed &&
           one.window == window;
  });
  const unsigned number = known - operands.begin();
  if (known == operands.end())
    operands.push_back({tensor, placement, listed, listedFormat(typeOf(tensor), listedDims(listed)),
                        window, reached});
  if (reached) {
    Reached &all = *operands[number].reached;
    all.least = std::min(all.least, reached->least);
    all.most = std::max(all.most, reached->most);
  }
  for (auto [dim, expr] : llvm::enumerate(place.getResults())) {
    auto label = dyn_cast<AffineDimExpr>(expr);
    if (!label || reaches(label.getPosition()))
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
  if (reachedVariable)
    return checkReached();
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

// Has the result just the entries of what an operand stores, or of its first levels, whose
// coordinates these variables are?
bool CellStatement::hasEntriesOf(ta::AccessOp leader, ArrayRef<unsigned> variables) const {
  ta::ComputeOp whole = op; // accessors of ops are not const
  if (whole.getInit() || whole.getMask())
    return false;
  RankedTensorType type = typeOf(whole.getResult());
  ta::FormatAttr format = ta::formatOf(typeOf(leader.getTensor()));
  // Nothing is stored there that is no entry, and nothing else says what is stored here.
  if (ta::sumOf(type) || ta::formatOf(type).isFull() || !ta::formatOf(type).sortedDims().empty() ||
      format.hasPadding() || ta::repeatsEntries(format) ||
      variables.size() != size_t(type.getRank()) ||
      llvm::any_of(statement.accesses, [&](const auto &entry) {
        auto access = cast<ta::AccessOp>(entry.first);
        return !schedule.readSame(access, leader) && isSparse(access);
      }))
    return false;
  const AffineMap result = statement.resultPlace(), place = placeOf(leader);
  for (unsigned dim = 0; dim < variables.size(); ++dim) {
    auto label = dyn_cast<AffineDimExpr>(result.getResult(dim));
    if (!label || label != place.getResult(dim) ||
        !llvm::is_contained(variables, label.getPosition()) || !storesPlainly(type, dim))
      return false;
  }
  return true;
}

bool CellStatement::hasEntriesOfLeader() const {
  return schedule.entries && hasEntriesOf(schedule.entries->leader, schedule.entries->variables);
}

// What reads an operand whose entries the result has, of which cells have rows, or other slices.
ta::AccessOp CellStatement::findModel() {
  if (schedule.entries || schedule.rounds || schedule.cuts.empty())
    return {};
  SmallVector<unsigned> variables;
  for (unsigned variable = 0; variable < op.getVariables().size(); ++variable)
    variables.push_back(variable);
  for (const auto &[access, path] : statement.accesses) {
    auto one = cast<ta::AccessOp>(access);
    if (isSparse(one) && hasCut(one) && !ta::sumOf(typeOf(one.getTensor())) &&
        placeOf(one).getNumResults() == variables.size() && hasEntriesOf(one, variables) &&
        IndexStatement::addsNothingWithout(op.getYielded(), ta::Combine::add, access))
      return one;
  }
  return {};
}

LogicalResult CellStatement::check() {
  reachedVariable = findReached();
  if (failed(checkCoordinates()))
    return failure();
  uses.resize(statement.variables.size());
  model = hasEntriesOfLeader() ? schedule.entries->leader : findModel();
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
  if (all && op.getInit() && needsInit())
    all &= (updated = add(op.getInit(), statement.resultPlace())).has_value();
  ta::PlacementAttr placement =
      all ? placementAt(statement.resultPlace(), ta::nameOf(op.getResult())) : ta::PlacementAttr();
  if (!placement)
    return failure();
  listedInResult = listedAt(statement.resultPlace());
  result = ta::PlacementAttr::get(op.getContext(), placement.getMachine(), placement.getPlaces(),
                                  listedDims(listedInResult));
  for (const CellCut &cut : schedule.cuts)
    if (reaches(cut.variable)
            ? !llvm::any_of(operands, [](const Operand &one) { return one.reached.has_value(); })
            : uses[cut.variable].empty())
      return schedule.refuse(cut) << "no operand has all values of '" << schedule.nameOf(cut)
                                  << "' as coordinates of a dimension";
  return success();
}

RankedTensorType CellStatement::typeOf(Value tensor) const {
  return cast<RankedTensorType>(tensor.getType());
}

} // namespace strata

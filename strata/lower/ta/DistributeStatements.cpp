// Lets each cell of a machine compute a part of a statement: as its schedule says, distribute(io)
// where divide(i, io, ii, M.x) has cut i, or else as its tensors are placed.
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/ta/CellStatement.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_DISTRIBUTESTATEMENTS
#include "strata/lower/Passes.h.inc"

namespace {

constexpr StringLiteral partsReason = "each cell computes a part of the statement";

bool saysCells(ta::ComputeOp op) {
  std::optional<ta::ScheduleAttr> schedule = op.getSchedule();
  return schedule && llvm::any_of(schedule->getCommands(), [](ta::CommandAttr command) {
           return command.getName() == "distribute" || command.getName() == "communicate" ||
                  (command.getName() == "divide" &&
                   ta::commandText(command).find('.') != std::string::npos);
         });
}

class Distribution {
public:
  /// `reason` says why operands move; without one nobody is told.
  Distribution(ta::ComputeOp op, StringAttr reason)
      : op(op), module(op->getParentOfType<ModuleOp>()), statement(op), schedule(statement, module),
        reason(reason), b(op) {}

  /// As the schedule says.
  LogicalResult run() { return failed(schedule.read()) ? failure() : distribute(); }

  /// As an operand is placed that is cut by its entries, or as the result is, or the operand of
  /// most dimensions, where that is possible. Tells whether it was.
  bool follow() {
    ScopedDiagnosticHandler silent(op.getContext(), [](Diagnostic &) { return success(); });
    if (op.getSchedule() && failed(schedule.read()))
      return false;
    if (schedule.followEntries() && succeeded(distribute()))
      return true;
    return (schedule.followResult() || schedule.followOperand()) && succeeded(distribute());
  }
  bool followResult() {
    ScopedDiagnosticHandler silent(op.getContext(), [](Diagnostic &) { return success(); });
    return schedule.followResult() && succeeded(distribute());
  }

  /// Statements that have come from this one.
  SmallVector<ta::ComputeOp> others;

private:
  LogicalResult distribute() {
    if (!schedule.saysCells())
      return success();
    if (schedule.rounds)
      return distributeRounds(*schedule.rounds);
    ta::ReduceOp reduction;
    if (failed(findSum(reduction)))
      return failure();
    if (schedule.entries || reduction) {
      FailureOr<CellSum> sum = sumOf(reduction);
      if (failed(sum))
        return failure();
      if (reduction || !CellStatement(statement, schedule, reason).hasEntriesOfLeader())
        return isWhole(*sum) ? distributeSum(*sum) : separate(*sum);
    }
    CellStatement cells(statement, schedule, reason);
    if (failed(cells.check()))
      return failure();
    replaceBy(cells.build());
    return success();
  }

  // Each cell adds up its sum chunk by chunk.
  LogicalResult distributeRounds(const CellRounds &rounds) {
    const IndexVariable &v = statement.variables[rounds.variable];
    ta::ReduceOp reduction = v.reduction;
    if (!reduction || reduction->getParentOp() != op)
      return schedule.refuseRounds() << "'" << v.name << "' is not the label of an outermost sum";
    if (reduction.getMissing())
      return schedule.refuseRounds() << "a sum without terms would have a value";
    if (schedule.entries || llvm::any_of(schedule.cuts, [&](const CellCut &cut) {
          return bool(statement.variables[cut.variable].reduction);
        }))
      return schedule.refuseRounds() << "cells have parts of what is added up";
    const CellSum sum{reduction.getResult(), reduction.getCombine()};
    if (!isWhole(sum))
      return separate(sum);
    const RankedTensorType type = typeOf(op.getResult());
    if (!ta::formatOf(type).isFull() &&
        Attribute(ta::identityOf(sum.combine, type.getElementType())) != ta::fillOf(type))
      return schedule.refuseRounds() << "a sum without terms is not what the result does not store";
    CellStatement cells(statement, schedule, reason);
    if (failed(cells.check()))
      return failure();
    replaceBy(cells.build());
    return success();
  }

  // The statement is computed otherwise.
  void replaceBy(Value made) {
    if (made.getType() != op.getResult().getType())
      made = ta::ConvertOp::create(b, op.getLoc(), op.getResult().getType(), made, StringAttr());
    op.getResult().replaceAllUsesWith(made);
    const SmallVector<Value> inputs(op.getInputs());
    op.erase();
    for (Value input : inputs) // which cells have in pieces now
      if (auto inside = input.getDefiningOp<ta::InsideOp>(); inside && inside->use_empty())
        inside.erase();
  }

  // Each label of which cells have parts is one of the result, or one of a sum, which is the same
  // for all of these.
  LogicalResult findSum(ta::ReduceOp &sum) {
    for (const CellCut &cut : schedule.cuts)
      if (failed(findSum(cut, cut.variable, sum)))
        return failure();
    if (schedule.entries)
      for (unsigned variable : schedule.entries->variables)
        if (failed(findSum(*schedule.entries, variable, sum)))
          return failure();
    return success();
  }

  LogicalResult findSum(const CellAxis &cells, unsigned variable, ta::ReduceOp &sum) {
    const IndexVariable &v = statement.variables[variable];
    ta::ReduceOp reduction = v.reduction;
    if (!reduction && !statement.resultPlace().isFunctionOfDim(variable))
      return schedule.refuse(cells)
             << "the result has no dimension whose coordinate '" << v.name << "' is";
    if (!reduction)
      return success();
    if (sum && sum != reduction)
      return schedule.refuse(cells) << "cells have parts of another sum already";
    if (reduction->getParentOp() != op)
      return schedule.refuse(cells) << "the sum over '" << v.name << "' stands in another one";
    if (reduction.getMissing() && reduction.getCombine() != ta::Combine::add)
      return schedule.refuse(cells) << "what has no terms in one cell would have no value";
    sum = reduction;
    return success();
  }

  //===--------------------------------------------------------------------------------------===//
  // Sums of which each cell has a part
  //===--------------------------------------------------------------------------------------===//

  // What cells have parts of, which are added up.
  struct CellSum {
    Value value;
    ta::Combine combine;              ///< any, where one cell has it all
    bool missing = false;             ///< without terms it has no value
    SmallVector<CellAxis> cells = {}; ///< the axes whose cells have parts
  };

  FailureOr<CellSum> sumOf(ta::ReduceOp reduction) {
    CellSum sum{op.getYielded(), ta::Combine::any};
    if (reduction)
      sum = {reduction.getResult(), reduction.getCombine(), reduction.getMissing()};
    for (const CellCut &cut : schedule.cuts)
      if (statement.variables[cut.variable].reduction)
        sum.cells.push_back(cut);
    if (!schedule.entries)
      return sum;
    sum.cells.push_back(*schedule.entries);
    // What no cell has an entry for is zero in the sum of the parts.
    const SmallVector<Operation *> leaders = schedule.leaders();
    const Type type = sum.value.getType();
    const bool isZero = Attribute(ta::identityOf(sum.combine, type)) ==
                        Attribute(ta::identityOf(ta::Combine::add, type));
    if (!isZero || !IndexStatement::addsNothingWithout(sum.value, sum.combine, leaders))
      return schedule.refuse(*schedule.entries)
             << "there is something to be done where '"
             << ta::operandName(op, schedule.entries->leader.getTensor()) << "' stores nothing";
    sum.missing |=
        !reduction && ta::isMissing(IndexStatement::knownWithout(sum.value, leaders).value);
    if (!reduction && sum.missing && hasAbsentSums())
      return schedule.refuse(*schedule.entries)
             << "a sum without terms is an operand, and would be none in the parts of cells";
    return sum;
  }

  // Are there sums that are zero without terms, for which sparse tensors store nothing?
  bool hasAbsentSums() {
    return op.getBody()
        .walk([](ta::ReduceOp reduce) {
          return reduce.getMissing() ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  // Is the result the sum, and nothing else, at coordinates that are labels?
  bool isWhole(const CellSum &sum) {
    RankedTensorType type = typeOf(op.getResult());
    return op.getYielded() == sum.value && !op.getInit() && !op.getMask() &&
           op.getOutMap().isPermutation() && !ta::sumOf(type) &&
           ta::formatOf(type).sortedDims().empty();
  }

  // Is the sum nothing where sparse operands store nothing?
  bool storesTerms(const CellSum &sum) const {
    SmallVector<Operation *> sparse;
    for (ta::AccessOp access : accessesIn(op, sum.value))
      if (isSparse(access))
        sparse.push_back(access);
    return IndexStatement::addsNothingWithout(sum.value, sum.combine, sparse);
  }

  // Where a temporary over these variables lies if it lies as the result does; null if that is
  // everywhere.
  ta::PlacementAttr placementOfPart(ArrayRef<unsigned> variables) {
    ta::PlacementAttr placement = ta::placementOf(totalType());
    if (!placement)
      return placement;
    SmallVector<ta::PlaceAttr> places;
    llvm::SmallDenseSet<unsigned> cut; // of the temporary's dimensions
    for (ta::PlaceAttr place : placement.getPlaces()) {
      SmallVector<unsigned> dims;
      for (unsigned dim : place.getDims()) {
        auto label = dyn_cast<AffineDimExpr>(statement.resultPlace().getResult(dim));
        const auto *variable = label ? llvm::find(variables, label.getPosition()) : variables.end();
        if (variable != variables.end() && cut.insert(variable - variables.begin()).second)
          dims.push_back(variable - variables.begin());
      }
      const bool isLike = !dims.empty() && dims.size() == place.getDims().size();
      places.push_back(
          isLike ? ta::PlaceAttr::get(b.getContext(), place.getKind(), dims, 0)
                 : ta::PlaceAttr::get(b.getContext(), ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
    }
    return cut.empty() ? ta::PlacementAttr()
                       : ta::PlacementAttr::get(b.getContext(), placement.getMachine(), places);
  }

  // The same command of a part of the statement, which does not make the result.
  ta::CommandAttr forPart(ta::CommandAttr command) {
    if (command.getName() != "communicate" || command.getArguments().size() != 2)
      return command;
    SmallVector<Attribute> tensors;
    auto add = [&](Attribute tensor) {
      if (tensor != b.getStringAttr(ta::nameOf(op.getResult(), "")))
        tensors.push_back(tensor);
    };
    if (auto list = dyn_cast<ArrayAttr>(command.getArguments().front()))
      llvm::for_each(list, add);
    else
      add(command.getArguments().front());
    return ta::CommandAttr::get(b.getContext(), command.getName(),
                                {b.getArrayAttr(tensors), command.getArguments().back()});
  }

  // The sum becomes a statement of its own, which has the schedule.
  LogicalResult separate(const CellSum &sum) {
    if (op.getSchedule() && !saysCells(op))
      return failure(); // which may be about what is no part of the sum
    const llvm::SmallBitVector free = statement.freeVariables(sum.value);
    StatementPart part{sum.value, storedOrder(statement.result, free),
                       "each cell has a part of the sum"};
    part.missing = sum.missing;
    if (part.missing && part.variables.empty())
      return schedule.refuse(sum.cells.front()) << "a sum without terms would have a value";
    const bool keepsAbsent = !heldZerosOf(op, sum.value).makeNoDifference() && storesTerms(sum);
    if (part.missing || (keepsAbsent && !part.variables.empty()))
      part.format = ta::sparseFormat(b.getContext(), part.variables.size());
    Value temporary = computeMasked(statement, part, ta::nameOf(op.getResult(), "t") + "_sum");
    auto made = temporary.getDefiningOp<ta::ComputeOp>();
    temporary.setType(ta::withPlacement(typeOf(temporary), placementOfPart(part.variables)));
    if (std::optional<ta::ScheduleAttr> commands = op.getSchedule()) {
      SmallVector<Location> places;
      SmallVector<ta::CommandAttr> own;
      for (unsigned at = 0; at < commands->getCommands().size(); ++at) {
        places.push_back(ta::placeOfCommand(op, at));
        own.push_back(forPart(commands->getCommands()[at]));
      }
      ta::setSchedule(made, ta::ScheduleAttr::get(b.getContext(), own), places);
      op.removeScheduleAttr();
    }
    strata::replaceBy(statement, part, temporary);
    dropUnused(op);
    others.push_back(made);
    others.push_back(op);
    return success();
  }

  // Cells have parts of the sum, which are a tensor with a place for each cell, and are added up.
  LogicalResult distributeSum(const CellSum &sum) {
    IRMapping mapping;
    ta::ComputeOp partial = partialSum(sum, mapping);
    Value parts = partsOf(partial, sum, mapping);
    partial.erase();
    if (!parts)
      return failure();
    ta::ComputeOp total = addUp(sum, parts);
    replaceBy(total.getResult());
    if (Distribution inCells(total, StringAttr()); !inCells.followResult())
      gather(total);
    if (Operation *made = parts.getDefiningOp(); made->use_empty())
      made->erase(); // what is scattered has gone elsewhere
    return success();
  }

  // P[io, i] = sum over j, of which only the part of cell io is to be computed. `mapping` says what
  // stands for the values of the sum.
  ta::ComputeOp partialSum(const CellSum &sum, IRMapping &mapping) {
    Location loc =
        NameLoc::get(b.getStringAttr(ta::nameOf(op.getResult(), "t") + "_parts"), op.getLoc());
    const unsigned added = sum.cells.size(), variables = op.getVariables().size();
    RankedTensorType type = typeOf(op.getResult());
    SmallVector<Value> extents, sizes;
    SmallVector<Attribute> names;
    for (const CellAxis &cells : sum.cells) {
      extents.push_back(ta::CellsOp::create(b, loc, schedule.machine.getSymName(), cells.axis));
      names.push_back(b.getStringAttr(cells.cells));
    }
    llvm::append_range(sizes, extents);
    llvm::append_range(extents, op.getExtents());
    for (unsigned variable = 0; variable < variables; ++variable)
      names.push_back(b.getStringAttr(statement.variables[variable].name));
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(type.isDynamicDim(dim)
                          ? op.getSizes()[type.getDynamicDimIndex(dim)]
                          : Value(arith::ConstantIndexOp::create(b, loc, type.getDimSize(dim))));
    SmallVector<AffineExpr> place;
    for (unsigned cell = 0; cell < added; ++cell)
      place.push_back(b.getAffineDimExpr(cell));
    for (AffineExpr expr : op.getOutMap().getResults())
      place.push_back(expr.shiftDims(variables, added));
    auto map = AffineMap::get(added + variables, 0, place, b.getContext());
    auto partial =
        ta::ComputeOp::create(b, loc, partsType(added), extents, op.getInputs(), sizes, Value(),
                              AffineMapAttr::get(map), ta::CombineAttr(), b.getArrayAttr(names));
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&partial.getBody());
    for (unsigned cell = 0; cell < added; ++cell)
      block->addArgument(b.getIndexType(), loc);
    for (BlockArgument variable : op.getVariables())
      mapping.map(variable, block->addArgument(b.getIndexType(), loc));
    ta::YieldOp::create(b, loc, cloneValue(b, sum.value, mapping));
    return partial;
  }

  // The dimensions of the result of which cells have lists of coordinates.
  SmallVector<unsigned> listedDims() {
    SmallVector<unsigned> listed;
    if (schedule.entries)
      for (auto [dim, expr] : llvm::enumerate(statement.resultPlace().getResults()))
        if (schedule.entries->has(cast<AffineDimExpr>(expr).getPosition()))
          listed.push_back(dim);
    return listed;
  }

  // The dimensions of the result, each of which is a label, in the order in which it stores them.
  SmallVector<unsigned> storedDims() {
    llvm::SmallBitVector left(statement.variables.size());
    left.set(0, op.getVariables().size());
    const ArrayRef<AffineExpr> place = statement.resultPlace().getResults();
    return llvm::map_to_vector(storedOrder(statement.result, left), [&](unsigned variable) {
      const AffineExpr label = b.getAffineDimExpr(variable);
      return unsigned(llvm::find(place, label) - place.begin());
    });
  }

  // How cells store their parts: as the result is stored, below a place for each cell. Where they
  // have lists of coordinates of one dimension, and the result has places for all, as rows at these
  // coordinates, which can be sent as they are. Otherwise what is there, in the result's order.
  ta::FormatAttr partsFormat(unsigned added) {
    ta::FormatAttr format = ta::formatOf(typeOf(op.getResult()));
    MLIRContext *context = b.getContext();
    const unsigned order = added + format.getDimRank();
    const SmallVector<unsigned> listed = listedDims();
    SmallVector<AffineExpr> cells, levels;
    for (unsigned cell = 0; cell < added; ++cell)
      cells.push_back(b.getAffineDimExpr(cell));
    SmallVector<ta::LevelAttr> attributes(ta::denseFormat(context, order).getLevels());
    if (listed.empty()) {
      levels = cells;
      for (AffineExpr level : format.getDimToLvl().getResults())
        levels.push_back(level.shiftDims(format.getDimRank(), added));
      attributes.truncate(added);
      llvm::append_range(attributes, format.getLevels());
      return ta::FormatAttr::get(
          context, AffineMap::get(order, format.getDimToLvl().getNumSymbols(), levels, context),
          attributes, format.getFill());
    }
    for (unsigned dim : storedDims())
      levels.push_back(b.getAffineDimExpr(added + dim));
    if (listed.size() == 1 && format.isFull()) {
      const AffineExpr row = b.getAffineDimExpr(added + listed.front());
      llvm::erase(levels, row);
      cells.push_back(row);
      levels.insert(levels.begin(), cells.begin(), cells.end());
    } else {
      llvm::append_range(levels, cells);
      ta::FormatAttr sparse = ta::sparseFormat(context, order);
      attributes.assign(sparse.getLevels().begin(), sparse.getLevels().end());
    }
    return ta::FormatAttr::get(context, AffineMap::get(order, 0, levels, context), attributes,
                               Attribute());
  }

  RankedTensorType partsType(unsigned added) {
    RankedTensorType type = typeOf(op.getResult());
    const SmallVector<int64_t> sizes(added + type.getRank(), ShapedType::kDynamic);
    return ta::withFormat(RankedTensorType::get(sizes, type.getElementType()), partsFormat(added));
  }

  // What cells compute of that, each at the place of its own; null after an error.
  Value partsOf(ta::ComputeOp partial, const CellSum &sum, const IRMapping &mapping) {
    const unsigned added = sum.cells.size();
    // A cell's number on an axis is the variable of one dimension of the parts.
    auto inParts = [&](CellAxis &cells) {
      const auto *summed =
          llvm::find_if(sum.cells, [&](const CellAxis &other) { return other.axis == cells.axis; });
      if (summed != sum.cells.end())
        cells.cell = summed - sum.cells.begin();
    };
    IndexStatement whole(partial);
    CellSchedule own(whole, module);
    own.machine = schedule.machine;
    own.others = schedule.others;
    own.places = schedule.places;
    for (CellCut cut : schedule.cuts) {
      inParts(cut);
      cut.variable += added;
      own.cuts.push_back(cut);
    }
    if (schedule.entries) {
      own.entries = schedule.entries;
      inParts(*own.entries);
      own.entries->leader =
          mapping.lookup(schedule.entries->leader.getResult()).getDefiningOp<ta::AccessOp>();
      for (unsigned &variable : own.entries->variables)
        variable += added;
    }
    CellStatement cells(whole, own, reason);
    return failed(cells.check()) ? Value() : cells.build();
  }

  // Each process adds up all parts, of which nobody need be told.
  static void gather(ta::ComputeOp total) {
    OpBuilder b(total);
    Value parts = total.getInputs().front();
    RankedTensorType whole =
        ta::withPlacement(cast<RankedTensorType>(parts.getType()), ta::PlacementAttr());
    Value gathered = moved(b, total.getLoc(), parts, whole, StringAttr());
    parts.replaceUsesWithIf(gathered,
                            [&](OpOperand &use) { return total->isAncestor(use.getOwner()); });
  }

  // The result's type, cut by coordinates where it is cut by entries, which are not known before
  // all are added up.
  RankedTensorType totalType() {
    RankedTensorType type = typeOf(op.getResult());
    ta::PlacementAttr placement = ta::placementOf(type);
    if (!placement)
      return type;
    SmallVector<ta::PlaceAttr> places(placement.getPlaces());
    auto isCut = [&](unsigned dim) {
      return llvm::any_of(places, [&](ta::PlaceAttr place) {
        return place.getKind() == ta::PlaceKind::share && llvm::is_contained(place.getDims(), dim);
      });
    };
    for (ta::PlaceAttr &place : places)
      if (place.getKind() == ta::PlaceKind::entries && !isCut(place.getDims().front()))
        place =
            ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::share, {place.getDims().front()}, 0);
    return ta::withPlacement(
        type, ta::PlacementAttr::get(op.getContext(), placement.getMachine(), places));
  }

  ta::ComputeOp addUp(const CellSum &sum, Value parts) {
    Location loc = op.getLoc();
    auto total =
        ta::ComputeOp::create(b, loc, totalType(), op.getExtents(), parts, op.getSizes(), Value(),
                              op.getOutMapAttr(), ta::CombineAttr(), op.getNamesAttr());
    keepConstraints(total, op);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> cells, indices;
    SmallVector<Attribute> names;
    auto scatter = parts.getDefiningOp<ta::ScatterOp>();
    for (auto [dim, axis] : llvm::enumerate(sum.cells)) {
      b.setInsertionPoint(total);
      cells.push_back(ta::DimOp::create(b, loc, b.getIndexType(),
                                        scatter ? scatter.getTensor() : parts, uint64_t(dim)));
      names.push_back(b.getStringAttr(axis.cells));
    }
    Block *block = b.createBlock(&total.getBody());
    SmallVector<Value> variables;
    for (size_t at = 0; at < op.getVariables().size(); ++at)
      variables.push_back(block->addArgument(b.getIndexType(), loc));
    const Type type = sum.value.getType();
    auto reduce =
        ta::ReduceOp::create(b, loc, type, sum.combine, cells, b.getArrayAttr(names), sum.missing);
    ta::YieldOp::create(b, loc, reduce.getResult());
    Block *terms = b.createBlock(&reduce.getBody());
    for (size_t at = 0; at < cells.size(); ++at)
      indices.push_back(terms->addArgument(b.getIndexType(), loc));
    for (AffineExpr expr : op.getOutMap().getResults())
      indices.push_back(variables[cast<AffineDimExpr>(expr).getPosition()]);
    auto access = ta::AccessOp::create(b, loc, type, parts, indices,
                                       b.getMultiDimIdentityMap(indices.size()), sum.missing);
    ta::YieldOp::create(b, loc, access.getResult());
    return total;
  }

  RankedTensorType typeOf(Value tensor) const { return cast<RankedTensorType>(tensor.getType()); }

  ta::ComputeOp op;
  ModuleOp module;
  IndexStatement statement;
  CellSchedule schedule;
  StringAttr reason;
  OpBuilder b;
};

struct DistributeStatements : impl::DistributeStatementsBase<DistributeStatements> {
  void runOnOperation() override {
    SmallVector<ta::ComputeOp> statements;
    getOperation().walk([&](ta::ComputeOp op) { statements.push_back(op); });
    if (getOperation().getOps<ta::MachineOp>().empty())
      statements.clear();
    while (!statements.empty()) {
      ta::ComputeOp op = statements.pop_back_val();
      if (copiedBy(op) && !saysCells(op))
        continue; // which moves
      Distribution distribution(op, StringAttr::get(&getContext(), partsReason));
      if (!saysCells(op))
        distribution.follow();
      else if (failed(distribution.run()))
        return signalPassFailure();
      llvm::append_range(statements, distribution.others);
    }
  }
};

} // namespace
} // namespace strata

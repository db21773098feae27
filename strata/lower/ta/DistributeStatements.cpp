// Lets each cell of a machine compute a part of a statement: as its schedule says, distribute(io)
// where divide(i, io, ii, M.x) has cut i, or else as its tensors are placed.
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/Passes.h"
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

  /// As the result is placed, or the operand of most dimensions, where that is possible. Tells
  /// whether it was.
  bool follow() {
    ScopedDiagnosticHandler silent(op.getContext(), [](Diagnostic &) { return success(); });
    if (op.getSchedule() && failed(schedule.read()))
      return false;
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
    if (schedule.cuts.empty())
      return success();
    ta::ReduceOp sum;
    if (failed(findSum(sum)))
      return failure();
    if (sum)
      return isWhole(sum) ? distributeSum(sum) : separate(sum);
    CellStatement cells(statement, schedule, reason);
    if (failed(cells.check()))
      return failure();
    Value made = cells.build();
    if (made.getType() != op.getResult().getType())
      made = ta::ConvertOp::create(b, op.getLoc(), op.getResult().getType(), made, StringAttr());
    op.getResult().replaceAllUsesWith(made);
    op.erase();
    return success();
  }

  // Each cut label is one of the result, or one of a sum, which is the same for all of these.
  LogicalResult findSum(ta::ReduceOp &sum) {
    for (const CellCut &cut : schedule.cuts) {
      const auto label = getAffineDimExpr(cut.variable, op.getContext());
      ta::ReduceOp reduction = statement.variables[cut.variable].reduction;
      if (!reduction && !llvm::is_contained(statement.resultPlace().getResults(), label))
        return schedule.refuse(cut) << "the result has no dimension whose coordinate '"
                                    << schedule.nameOf(cut) << "' is";
      if (!reduction)
        continue;
      if (sum && sum != reduction)
        return schedule.refuse(cut) << "cells have parts of another sum already";
      if (reduction->getParentOp() != op)
        return schedule.refuse(cut)
               << "the sum over '" << schedule.nameOf(cut) << "' stands in another one";
      if (reduction.getMissing() && reduction.getCombine() != ta::Combine::add)
        return schedule.refuse(cut) << "what has no terms in one cell would have no value";
      sum = reduction;
    }
    return success();
  }

  //===--------------------------------------------------------------------------------------===//
  // Sums of which each cell has a part
  //===--------------------------------------------------------------------------------------===//

  // Is the result the sum, and nothing else, at coordinates that are labels?
  bool isWhole(ta::ReduceOp sum) {
    RankedTensorType type = typeOf(op.getResult());
    return op.getYielded() == sum.getResult() && !op.getInit() && !op.getMask() &&
           op.getOutMap().isPermutation() && !ta::sumOf(type) &&
           ta::formatOf(type).sortedDims().empty();
  }

  // Is the sum nothing where sparse operands store nothing?
  bool storesTerms(ta::ReduceOp sum) const {
    SmallVector<Operation *> sparse;
    sum.getBody().walk([&](ta::AccessOp access) {
      if (isSparse(access))
        sparse.push_back(access);
    });
    TypedAttr value = IndexStatement::knownWithout(sum.getResult(), sparse).value;
    return value &&
           (ta::isMissing(value) ||
            Attribute(value) == Attribute(ta::identityOf(sum.getCombine(), value.getType())));
  }

  ta::FormatAttr sparseFormat(unsigned order) {
    std::string why;
    return ta::shorthand(b.getContext(), order == 1 ? "SparseVector" : "CSF", order, why);
  }

  // The sum becomes a statement of its own, which has the schedule.
  LogicalResult separate(ta::ReduceOp sum) {
    if (op.getSchedule() && !saysCells(op))
      return failure(); // which may be about what is no part of the sum
    const llvm::SmallBitVector free = statement.freeVariables(sum.getResult());
    StatementPart part{sum.getResult(), storedOrder(statement.result, free),
                       "each cell has a part of the sum"};
    if (!statement.result.format.isFull() && storesTerms(sum) && !part.variables.empty())
      part.format = sparseFormat(part.variables.size());
    Value temporary = computeMasked(statement, part, ta::nameOf(op.getResult(), "t") + "_sum");
    auto made = temporary.getDefiningOp<ta::ComputeOp>();
    if (std::optional<ta::ScheduleAttr> commands = op.getSchedule()) {
      SmallVector<Location> places;
      for (unsigned at = 0; at < commands->getCommands().size(); ++at)
        places.push_back(ta::placeOfCommand(op, at));
      ta::setSchedule(made, *commands, places);
      op.removeScheduleAttr();
    }
    replaceBy(statement, part, temporary);
    dropUnused(op);
    others.push_back(made);
    others.push_back(op);
    return success();
  }

  // Cells have parts of the sum, which are a tensor with a place for each cell, and are added up.
  LogicalResult distributeSum(ta::ReduceOp sum) {
    SmallVector<CellCut> cuts; // of the sum
    for (const CellCut &cut : schedule.cuts)
      if (statement.variables[cut.variable].reduction)
        cuts.push_back(cut);
    ta::ComputeOp partial = partialSum(sum, cuts);
    Value parts = partsOf(partial, cuts);
    partial.erase();
    if (!parts)
      return failure();
    ta::ComputeOp total = addUp(sum, cuts, parts);
    op.getResult().replaceAllUsesWith(total.getResult());
    op.erase();
    if (Distribution inCells(total, StringAttr()); !inCells.followResult())
      gather(total);
    return success();
  }

  // P[io, i] = sum over j, of which only the part of cell io is to be computed.
  ta::ComputeOp partialSum(ta::ReduceOp sum, ArrayRef<CellCut> cuts) {
    Location loc =
        NameLoc::get(b.getStringAttr(ta::nameOf(op.getResult(), "t") + "_parts"), op.getLoc());
    const unsigned added = cuts.size(), variables = op.getVariables().size();
    RankedTensorType type = typeOf(op.getResult());
    SmallVector<Value> extents, sizes;
    SmallVector<Attribute> names;
    for (const CellCut &cut : cuts) {
      extents.push_back(ta::CellsOp::create(b, loc, schedule.machine.getSymName(), cut.axis));
      names.push_back(b.getStringAttr(cut.cells));
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
    IRMapping mapping;
    for (BlockArgument variable : op.getVariables())
      mapping.map(variable, block->addArgument(b.getIndexType(), loc));
    ta::YieldOp::create(b, loc, cloneValue(b, sum.getResult(), mapping));
    return partial;
  }

  // The result's format below a place for each cell.
  RankedTensorType partsType(unsigned added) {
    RankedTensorType type = typeOf(op.getResult());
    ta::FormatAttr format = ta::formatOf(type);
    SmallVector<AffineExpr> levels;
    for (unsigned cell = 0; cell < added; ++cell)
      levels.push_back(b.getAffineDimExpr(cell));
    for (AffineExpr level : format.getDimToLvl().getResults())
      levels.push_back(level.shiftDims(format.getDimRank(), added));
    SmallVector<ta::LevelAttr> attributes(ta::denseFormat(b.getContext(), added).getLevels());
    llvm::append_range(attributes, format.getLevels());
    auto below = ta::FormatAttr::get(
        b.getContext(), AffineMap::get(added + format.getDimRank(), 0, levels, b.getContext()),
        attributes, format.getFill());
    return ta::withFormat(
        RankedTensorType::get(SmallVector<int64_t>(added + type.getRank(), ShapedType::kDynamic),
                              type.getElementType()),
        below);
  }

  // What cells compute of that, each at the place of its own; null after an error.
  Value partsOf(ta::ComputeOp partial, ArrayRef<CellCut> cuts) {
    const unsigned added = cuts.size();
    IndexStatement whole(partial);
    CellSchedule own(whole, module);
    own.machine = schedule.machine;
    own.others = schedule.others;
    own.places = schedule.places;
    for (CellCut cut : schedule.cuts) {
      const auto *summed =
          llvm::find_if(cuts, [&](const CellCut &other) { return other.variable == cut.variable; });
      if (summed != cuts.end())
        cut.cell = summed - cuts.begin();
      cut.variable += added;
      own.cuts.push_back(cut);
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
    auto gathered =
        ta::ConvertOp::create(b, total.getLoc(), whole, parts, StringAttr()).getResult();
    parts.replaceUsesWithIf(gathered,
                            [&](OpOperand &use) { return total->isAncestor(use.getOwner()); });
  }

  ta::ComputeOp addUp(ta::ReduceOp sum, ArrayRef<CellCut> cuts, Value parts) {
    Location loc = op.getLoc();
    auto total = ta::ComputeOp::create(b, loc, op.getResult().getType(), op.getExtents(), parts,
                                       op.getSizes(), Value(), op.getOutMapAttr(),
                                       ta::CombineAttr(), op.getNamesAttr());
    setForbidden(total, forbiddenFor(op));
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> cells, indices;
    SmallVector<Attribute> names;
    for (auto [dim, cut] : llvm::enumerate(cuts)) {
      b.setInsertionPoint(total);
      cells.push_back(ta::DimOp::create(b, loc, b.getIndexType(), parts, uint64_t(dim)));
      names.push_back(b.getStringAttr(cut.cells));
    }
    Block *block = b.createBlock(&total.getBody());
    SmallVector<Value> variables;
    for (size_t at = 0; at < op.getVariables().size(); ++at)
      variables.push_back(block->addArgument(b.getIndexType(), loc));
    auto reduce = ta::ReduceOp::create(b, loc, sum.getType(), sum.getCombine(), cells,
                                       b.getArrayAttr(names), sum.getMissing());
    ta::YieldOp::create(b, loc, reduce.getResult());
    Block *terms = b.createBlock(&reduce.getBody());
    for (size_t at = 0; at < cuts.size(); ++at)
      indices.push_back(terms->addArgument(b.getIndexType(), loc));
    for (AffineExpr expr : op.getOutMap().getResults())
      indices.push_back(variables[cast<AffineDimExpr>(expr).getPosition()]);
    auto access = ta::AccessOp::create(b, loc, sum.getType(), parts, indices,
                                       b.getMultiDimIdentityMap(indices.size()), sum.getMissing());
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

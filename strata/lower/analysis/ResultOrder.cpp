// Says in which orders of its loops a statement's result can be stored.
#include "strata/lower/analysis/ResultOrder.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/BlockLabels.h"
#include "strata/lower/analysis/EntryOrder.h"

using namespace mlir;

namespace strata {

ResultOrder::ResultOrder(const IndexStatement &statement, Assembly assembly,
                         ArrayRef<VariableBlocks> parts)
    : statement(statement), parts(parts), lists(statement.listsResult()),
      appends(statement.appendsResult()), numbering(statement.numbering()),
      ordered(statement.result.coordinates.size()) {
  if (assembly == Assembly::Counted)
    counted = statement.countableLevel();
  if (assembly == Assembly::Gathered) {
    ordered = *statement.gatherable();
    if (ordered > 0)
      blocks = blocksAt(statement.result, ordered - 1);
  } else if (assembly == Assembly::InOrder && numbering && numbering->rowsPerParent) {
    ordered = numbering->level;
    blocks = blocksAt(statement.result, ordered - 1);
  } else if (assembly == Assembly::InOrder) {
    while (ordered > 0 && hasPlaces(ordered - 1))
      --ordered;
  }
}

bool ResultOrder::wantsOrder(unsigned variable) const {
  if (numbering && numbering->numbered == variable)
    return true;
  const AccessPath &path = statement.result;
  bool below = false, inOrder = false;
  for (unsigned level = path.coordinates.size(); level-- > 0;) {
    bool levelAppends = findLevelTraits(path.format.getLevels()[level].getName())->appends;
    below |= levelAppends;
    inOrder |= levelAppends && ta::levelProperties(path.format, level).ordered;
    if (level >= ordered || !path.coordinates[level].isFunctionOfDim(variable))
      continue;
    if (inOrder || (below && !levelAppends && !counted))
      return true;
  }
  return false;
}

bool ResultOrder::storesAgain(unsigned variable) const {
  if (numbering)
    return true;
  if (lists || !appends)
    return false;
  return llvm::any_of(llvm::seq<unsigned>(0, ordered), [&](unsigned level) {
    return statement.result.coordinates[level].isFunctionOfDim(variable);
  });
}

bool ResultOrder::admits(unsigned &next, unsigned variable, const llvm::SmallBitVector &bound,
                         std::string &why) const {
  if (statement.countsResult()) {
    why = "the result's format has places for a number of entries that is known only when all "
          "are known";
    return false;
  }
  if (numbering && !followsNumbering(variable, bound, why))
    return false;
  if (!appends)
    return true;
  if (!lists && !counted)
    return followsAppended(next, variable, why);
  if (statement.variables[variable].reduction)
    return sumsInPlace(variable, bound, why);
  return lists || followsCounted(variable, bound, why);
}

bool ResultOrder::takes(ArrayRef<unsigned> order) const {
  llvm::SmallBitVector before(statement.variables.size());
  unsigned next = 0;
  std::string reason;
  return llvm::all_of(order, [&](unsigned variable) {
    bool admitted = admits(next, variable, before, reason);
    before.set(variable);
    return admitted;
  });
}

bool ResultOrder::countsEntries() const {
  const AccessPath &path = statement.result;
  return !counted || llvm::all_of(llvm::seq<unsigned>(*counted + 1, path.coordinates.size()),
                                  [&](unsigned below) {
                                    return ta::levelProperties(path.format, below).branchless;
                                  });
}

bool ResultOrder::takesAsStored(const AccessPath &from) const {
  return comeInOrder(from, statement.result, *counted);
}

// True if there are places for all coordinates of a level, below each parent.
bool ResultOrder::hasPlaces(unsigned level) const {
  return findLevelFormat(statement.result.format.getLevels()[level].getName())->buffers().empty();
}

std::string ResultOrder::scattered(unsigned variable) const {
  return "the sum over '" + statement.variables[variable].name +
         "' would have to be scattered into the result";
}

// A sum outside a loop of the result reaches entries several times: a list adds them up. Sums
// that are operands are scalars, unless commands move their loops out.
bool ResultOrder::sumsInPlace(unsigned variable, const llvm::SmallBitVector &bound,
                              std::string &why) const {
  ta::ReduceOp reduce = statement.variables[variable].reduction;
  bool scalar = reduce != statement.rootReduction() && !statement.op.getScheduleAttr();
  if (scalar || (lists && !statement.listsOnlyWhole(reduce)))
    return true;
  for (Value left : ta::ComputeOp(statement.op).getVariables())
    if (!bound.test(statement.numberOf(left))) {
      why = scattered(variable) + ", which reaches each of its entries once";
      return false;
    }
  return true;
}

// Labels of which each value has slots of its own come before all others.
bool ResultOrder::followsNumbering(unsigned variable, const llvm::SmallBitVector &bound,
                                   std::string &why) const {
  if (numbering->counts(variable) ||
      llvm::all_of(numbering->counted, [&](unsigned slots) { return bound.test(slots); }))
    return true;
  why = "the result's slots are numbered row by row";
  return false;
}

bool ResultOrder::followsCounted(unsigned variable, const llvm::SmallBitVector &bound,
                                 std::string &why) const {
  const AccessPath &path = statement.result;
  llvm::SmallBitVector open = bound;
  open.flip();
  for (unsigned level = *counted + 1; level < path.coordinates.size(); ++level) {
    if (!path.coordinates[level].isFunctionOfDim(variable))
      continue;
    for (int other : open.set_bits())
      if (other != int(variable) && comesAbove(level, other)) {
        why = "the result's format takes its coordinates in another order";
        return false;
      }
  }
  return true;
}

// The variable whose loop gives a level its coordinates one after the other.
std::optional<unsigned> ResultOrder::variableOf(unsigned level) const {
  AffineExpr coordinate = statement.result.coordinates[level];
  if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
    return dim.getPosition();
  if (blocks && level + 1 == ordered)
    return blocks->variable;
  std::optional<BlockDigit> digit = asBlockDigit(coordinate, parts);
  return digit && !digit->isPlace ? std::optional(digit->label.variable) : std::nullopt;
}

bool ResultOrder::followsAppended(unsigned &next, unsigned variable, std::string &why) const {
  const AccessPath &path = statement.result;
  if (statement.variables[variable].reduction) {
    if (next >= ordered)
      return true;
    why = scattered(variable) + ", whose format takes its coordinates in order";
    return false;
  }
  for (; next < ordered; ++next) {
    std::optional<unsigned> own = variableOf(next);
    if (!own) {
      why = "the result's format has no level for index variables alone, so that it cannot be "
            "appended to";
      return false;
    }
    if (*own != variable)
      break;
  }
  if (next >= ordered)
    return true;
  for (unsigned level = next; level < path.coordinates.size(); ++level) {
    std::optional<BlockDigit> digit = asBlockDigit(path.coordinates[level], parts);
    bool later = digit && digit->isPlace && level >= ordered;
    if (path.coordinates[level].isFunctionOfDim(variable) && !later) {
      why = "the result's format takes its coordinates in another order";
      return false;
    }
  }
  return true;
}

// True if a level above `level` numbers values of the variable. (Slots have an order of their own.)
bool ResultOrder::comesAbove(unsigned level, unsigned variable) const {
  const AccessPath &path = statement.result;
  return llvm::any_of(llvm::seq<unsigned>(0, level), [&](unsigned above) {
    return !path.format.isSlot(above) && path.coordinates[above].isFunctionOfDim(variable);
  });
}

} // namespace strata

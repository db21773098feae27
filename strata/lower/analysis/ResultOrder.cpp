// Says in which orders of loops a result can be stored.
#include "strata/lower/analysis/ResultOrder.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/BlockLabels.h"
#include "strata/lower/analysis/EntryOrder.h"
#include "strata/lower/analysis/KernelAttributes.h"

using namespace mlir;

namespace strata {

bool placesFollowEntries(ta::FormatAttr format) {
  return format.hasSlots() || !format.getWindows().empty() || ta::mayLackRoom(format);
}

std::optional<LabelLoops> loopsOfLabel(AffineExpr coordinate, const LoopNest &nest) {
  if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
    return LabelLoops{dim.getPosition(), std::nullopt};
  auto sum = dyn_cast<AffineBinaryOpExpr>(coordinate);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto x = dyn_cast<AffineDimExpr>(sum.getLHS()), y = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!x || !y || std::max(x.getPosition(), y.getPosition()) >= nest.loops.size())
    return std::nullopt;
  for (auto [outer, inner] : {std::pair(x, y), std::pair(y, x)}) {
    cin::ForallOp parts = nest.loops[outer.getPosition()], values = nest.loops[inner.getPosition()];
    if (values.getPart() == parts.getVariable())
      return LabelLoops{outer.getPosition(), inner.getPosition()};
  }
  return std::nullopt;
}

static bool appendsAt(const AccessPath &path, unsigned level) {
  return findLevelTraits(path.format.getLevels()[level].getName())->appends;
}

static std::optional<unsigned> firstAppended(const AccessPath &path) {
  for (unsigned level = 0; level < path.coordinates.size(); ++level)
    if (appendsAt(path, level))
      return level;
  return std::nullopt;
}

ResultOrder::ResultOrder(const IndexStatement &statement, Assembly assembly,
                         ArrayRef<VariableBlocks> parts)
    : path(statement.result), parts(parts), lists(statement.listsResult()),
      appends(statement.appendsResult()), waitsForAll(statement.countsResult()),
      numbering(statement.numbering()), ordered(path.coordinates.size()) {
  const bool isScheduled = statement.op.getScheduleAttr() != nullptr;
  for (const IndexVariable &variable : statement.variables) {
    ta::ReduceOp reduce = variable.reduction;
    // Sums that are operands are scalars, unless commands move their loops out.
    bool isScalar = reduce && reduce != statement.rootReduction() && !isScheduled;
    bool mayScatter = isScalar || (reduce && lists && !statement.listsOnlyWhole(reduce));
    variables.push_back({variable.name, reduce != nullptr, mayScatter});
  }
  if (assembly == Assembly::Counted)
    counted = statement.countableLevel();
  findOrdered(assembly == Assembly::Gathered ? statement.gatherable() : std::nullopt);
  for (unsigned level = 0; level < ordered; ++level) {
    AffineExpr coordinate = path.coordinates[level];
    std::optional<BlockDigit> digit = asBlockDigit(coordinate, this->parts);
    own.emplace_back();
    if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
      own.back() = {dim.getPosition()};
    else if (blocks && level + 1 == ordered)
      own.back() = {blocks->variable};
    else if (digit && !digit->isPlace)
      own.back() = {digit->label.variable};
  }
}

ResultOrder::ResultOrder(func::FuncOp kernel, const LoopNest &nest, const AccessPath &path)
    : path(path), lists(path.format.isList()), appends(firstAppended(path).has_value()),
      ordered(path.coordinates.size()) {
  if (assumes(kernel, Assumptions::Slots))
    numbering = slotNumbering(path);
  waitsForAll =
      placesFollowEntries(path.format) && !numbering && !assumes(kernel, Assumptions::Packs);
  cin::AssignOp assign = nest.result;
  cin::BuildOp build = nest.build;
  const bool addsUp = lists && assign.getCombine() == ta::Combine::add;
  for (auto [number, of] : llvm::enumerate(nest.loops)) {
    cin::ForallOp loop = of;
    variables.push_back({loop.getName(), !path.involves(number), addsUp});
  }
  if (build.getCounted())
    counted = firstAppended(path);
  std::optional<unsigned> gathered;
  if (build.getGathered())
    gathered = gatherableLevel(path.format, phaseOf(kernel) != Phase::All);
  findOrdered(gathered);
  takesTerms = addsUp || gathered || !appends || !appendsAt(path, path.coordinates.size() - 1);
  if (blocks && cin::ForallOp(nest.loops[blocks->variable]).getBlocks() != blocks->size)
    blocks.reset();
  for (unsigned level = 0; level < ordered; ++level) {
    AffineExpr coordinate = path.coordinates[level];
    own.emplace_back();
    if (std::optional<LabelLoops> loops = loopsOfLabel(coordinate, nest)) {
      own.back() = {loops->first};
      if (loops->within)
        own.back().push_back(*loops->within);
    } else if (blocks && level + 1 == ordered) {
      own.back() = {blocks->variable};
    } else {
      for (const LabelInParts &label : path.parts)
        if (path.numbersPart(coordinate, label.first))
          own.back() = {label.first};
    }
  }
}

// Finds the levels that are appended to in order, and the blocks that the last of these numbers.
void ResultOrder::findOrdered(std::optional<unsigned> gathered) {
  if (gathered) {
    ordered = *gathered;
    if (ordered > 0)
      blocks = blocksAt(path, ordered - 1);
  } else if (!counted && numbering && numbering->rowsPerParent) {
    ordered = numbering->level;
    blocks = blocksAt(path, ordered - 1);
  } else if (!counted) {
    while (ordered > 0 && storesNothing(ordered - 1))
      --ordered;
  }
}

bool ResultOrder::wantsOrder(unsigned variable) const {
  if (numbering && numbering->numbered == variable)
    return true;
  bool below = false, inOrder = false;
  for (unsigned level = path.coordinates.size(); level-- > 0;) {
    bool levelAppends = appendsAt(path, level);
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
    return path.coordinates[level].isFunctionOfDim(variable);
  });
}

bool ResultOrder::admits(unsigned variable, const llvm::SmallBitVector &bound,
                         std::string &why) const {
  if (!follows(variable, bound, why))
    return false;
  if (takesTerms || !variables[variable].isSum)
    return true;
  why = "each term of the sum over '" + variables[variable].name.str() +
        "' would be stored as an entry of its own";
  return false;
}

bool ResultOrder::follows(unsigned variable, const llvm::SmallBitVector &bound,
                          std::string &why) const {
  if (waitsForAll) {
    why = "the result's format has places for a number of entries that is known only when all "
          "are known";
    return false;
  }
  if (numbering && !followsNumbering(variable, bound, why))
    return false;
  if (!appends)
    return true;
  if (!lists && !counted)
    return followsAppended(variable, bound, why);
  if (variables[variable].isSum)
    return sumsInPlace(variable, bound, why);
  return lists || followsCounted(variable, bound, why);
}

bool ResultOrder::takes(ArrayRef<unsigned> order) const {
  llvm::SmallBitVector before(variables.size());
  std::string reason;
  return llvm::all_of(order, [&](unsigned variable) {
    bool admitted = admits(variable, before, reason);
    before.set(variable);
    return admitted;
  });
}

bool ResultOrder::countsEntries() const {
  return !counted || llvm::all_of(llvm::seq<unsigned>(*counted + 1, path.coordinates.size()),
                                  [&](unsigned below) {
                                    return ta::levelProperties(path.format, below).branchless;
                                  });
}

bool ResultOrder::takesAsStored(const AccessPath &from) const {
  return comeInOrder(from, path, *counted);
}

// Tells whether a level keeps nothing of the coordinates that it is told: they follow from the
// positions, or from the levels above.
bool ResultOrder::storesNothing(unsigned level) const {
  return findLevelFormat(path.format.getLevels()[level].getName())->buffers().empty();
}

std::string ResultOrder::scattered(unsigned variable) const {
  return "the sum over '" + variables[variable].name.str() +
         "' would have to be scattered into the result";
}

// A sum outside a loop of the result reaches entries several times: a list adds them up.
bool ResultOrder::sumsInPlace(unsigned variable, const llvm::SmallBitVector &bound,
                              std::string &why) const {
  if (variables[variable].mayScatter)
    return true;
  for (auto [left, one] : llvm::enumerate(variables))
    if (!one.isSum && !bound.test(left)) {
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

// The first of the ordered levels whose coordinates are not all given by the variables in `bound`.
unsigned ResultOrder::firstOpen(const llvm::SmallBitVector &bound) const {
  auto isOpen = [&](ArrayRef<unsigned> loops) {
    return loops.empty() || llvm::any_of(loops, [&](unsigned one) {
             return one >= bound.size() || !bound.test(one); // no loop gives ranks
           });
  };
  return llvm::find_if(own, isOpen) - own.begin();
}

bool ResultOrder::followsAppended(unsigned variable, const llvm::SmallBitVector &bound,
                                  std::string &why) const {
  if (firstOpen(bound) == ordered)
    return true;
  if (variables[variable].isSum) {
    why = scattered(variable) + ", whose format takes its coordinates in order";
    return false;
  }
  llvm::SmallBitVector now = bound;
  now.set(variable);
  const unsigned next = firstOpen(now);
  if (next == ordered)
    return true;
  if (own[next].empty()) {
    why = "the result's format has no level for index variables alone, so that it cannot be "
          "appended to";
    return false;
  }
  for (unsigned level = next; level < path.coordinates.size(); ++level) {
    std::optional<BlockDigit> digit = asBlockDigit(path.coordinates[level], parts);
    bool later = digit && digit->isPlace && level >= ordered;
    bool begins = level == next && llvm::is_contained(own[level], variable); // of a label in parts
    if (path.coordinates[level].isFunctionOfDim(variable) && !later && !begins) {
      why = "the result's format takes its coordinates in another order";
      return false;
    }
  }
  return true;
}

// True if a level above `level` numbers values of the variable. (Slots have an order of their own.)
bool ResultOrder::comesAbove(unsigned level, unsigned variable) const {
  return llvm::any_of(llvm::seq<unsigned>(0, level), [&](unsigned above) {
    return !path.format.isSlot(above) && path.coordinates[above].isFunctionOfDim(variable);
  });
}

} // namespace strata

// Consumes the levels of an access, variable by variable.
#include "strata/lower/analysis/AccessPath.h"

#include "strata/dialect/ta/Digits.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/level/LevelFormat.h"
#include "strata/level/Pieces.h"
#include "strata/lower/analysis/Phase.h"

using namespace mlir;

namespace strata {

// The coordinate of a block, or of a place in it, where the blocks are the parts of a label.
static AffineExpr inParts(AffineExpr coordinate, ArrayRef<LabelInParts> parts) {
  std::optional<ta::Digit> digit = ta::asDigit(coordinate);
  if (!digit)
    return coordinate;
  for (const LabelInParts &label : parts) {
    AffineExpr first = getAffineDimExpr(label.first, coordinate.getContext());
    AffineExpr within = getAffineDimExpr(label.within, coordinate.getContext());
    if (digit->number != first + within && digit->number != within + first)
      continue;
    if (digit->divisor == label.size && digit->modulus == 0)
      return first.floorDiv(label.size);
    if (digit->divisor == 1 && digit->modulus == label.size)
      return within;
  }
  return coordinate;
}

AccessPath::AccessPath(ta::FormatAttr format, AffineMap place, ArrayRef<LabelInParts> parts)
    : format(format), variables(place.getNumDims()), parts(parts), place(place) {
  AffineMap map = format.getDimToLvl();
  SmallVector<AffineExpr> values(place.getResults());
  for (unsigned dim : format.sortedDims()) {
    AffineExpr rank = getAffineDimExpr(variables + ranks.size(), map.getContext());
    ranks.push_back({dim, std::exchange(values[dim], rank)});
  }
  for (unsigned level = 0; level < map.getNumResults(); ++level) {
    AffineExpr expr = map.getResult(level);
    if (ta::isSlot(expr)) {
      expr = getAffineConstantExpr(0, map.getContext());
      for (unsigned dim : ta::slotDims(map, level))
        expr = expr + getAffineDimExpr(dim, map.getContext());
    }
    expr = simplifyAffineExpr(expr.replaceDims(values), variables + ranks.size(), 0);
    coordinates.push_back(inParts(expr, parts));
  }
}

bool AccessPath::depends(unsigned level, unsigned variable) const {
  AffineExpr expr = coordinates[level];
  if (expr.isFunctionOfDim(variable))
    return true;
  for (auto [at, rank] : llvm::enumerate(ranks))
    if (usesRank(expr, at) && rank.place.isFunctionOfDim(variable))
      return true;
  return false;
}

bool AccessPath::involves(unsigned variable) const {
  return llvm::any_of(llvm::seq<unsigned>(0, coordinates.size()),
                      [&](unsigned level) { return depends(level, variable); });
}

namespace {

class Binder {
public:
  Binder(const AccessPath &path, const llvm::SmallBitVector &bound,
         std::optional<unsigned> variable, std::string &why)
      : path(path), bound(bound), variable(variable), why(why) {}

  std::optional<PathPiece> run(unsigned &next) {
    for (; next < path.coordinates.size() && reachable(next); ++next)
      if (!consume(next))
        return std::nullopt;
    if (variable && piece.compose && ranksVariable) {
      why = "the same index variable reaches a dimension that is sorted, and another";
      return std::nullopt;
    }
    // Walked levels that the variable's value does not come from would go unchecked; all slots that
    // there are belong to the walk.
    if (walked.size() - slots > solvedFrom)
      piece.compose = AffineExpr();
    if (!walked.empty() && !piece.compose && !piece.locatable) {
      std::string names = "level " + std::to_string(walked.front().first + 1);
      why = names + " does not determine the index variable alone";
      return std::nullopt;
    }
    return piece;
  }

private:
  // Does the coordinate involve only variables bound so far, and this one?
  bool reachable(unsigned level) const {
    for (unsigned at = 0; at < bound.size(); ++at)
      if (!bound.test(at) && variable != at && path.depends(level, at))
        return false;
    return true;
  }

  // A coordinate in terms of ranks follows from the variables, but they do not follow from it.
  bool isRanked(AffineExpr expr) const {
    return llvm::any_of(llvm::seq<unsigned>(0, path.ranks.size()),
                        [&](unsigned rank) { return path.usesRank(expr, rank); });
  }

  bool consume(unsigned level) {
    AffineExpr expr = path.coordinates[level];
    LevelProperties properties = ta::levelProperties(path.format, level);
    const LevelTraits &traits = *findLevelTraits(path.format.getLevels()[level].getName());
    piece.full &= properties.full || traits.computed;
    if (path.format.isSlot(level))
      return consumeSlot(level, properties);
    piece.locatable &= traits.locates;
    ranksVariable |= variable && isRanked(expr) && path.depends(level, *variable);
    bool open = variable && expr.isFunctionOfDim(*variable) && !piece.compose && !isRanked(expr);
    if (!open) {
      AffineExpr at = piece.compose ? substituted(expr) : expr;
      piece.steps.push_back({level, at});
      if (!traits.locates)
        why = "level " + std::to_string(level + 1) + " (" + traits.name.str() +
              ") cannot be reached out of " +
              (isRanked(expr) ? "the order in which it is sorted" : "storage order");
      return traits.locates;
    }
    AffineExpr crd = getAffineSymbolExpr(walked.size(), expr.getContext());
    walked.push_back({level, expr});
    piece.steps.push_back({level, AffineExpr()});
    // Where an outer level repeats coordinates, so may all below; where one is unordered, too.
    piece.ordered &= properties.ordered;
    piece.unique &= properties.unique;
    piece.restricts |= !properties.full;
    solve(expr, crd);
    return true;
  }

  // Which slot holds an entry is not known: all are walked. Their entries come in the order of the
  // coordinates that they number, unless each slot goes through entries that differ in what slots
  // have in common.
  bool consumeSlot(unsigned level, const LevelProperties &properties) {
    piece.locatable = false;
    if (!variable) {
      why = "level " + std::to_string(level + 1) + " (a slot) cannot be reached at a given place";
      return false;
    }
    walked.push_back({level, AffineExpr()});
    piece.steps.push_back({level, AffineExpr()});
    piece.ordered &= properties.ordered && !runsThroughGroups(level);
    ++slots;
    return true;
  }

  // Tells whether the levels above a slot leave open what its entries have in common, which depends
  // on the variable.
  bool runsThroughGroups(unsigned level) const {
    AffineMap map = path.format.getDimToLvl();
    SmallVector<AffineExpr> above;
    for (unsigned at = 0; at < level; ++at)
      if (!path.format.isSlot(at))
        above.push_back(map.getResult(at));
    return llvm::any_of(ta::countedBy(map.getResult(level)), [&](AffineExpr counted) {
      return counted.replaceDims(path.place.getResults()).isFunctionOfDim(*variable) &&
             !ta::determines(map, above, counted);
    });
  }

  AffineExpr substituted(AffineExpr expr) const {
    return expr.replace(getAffineDimExpr(*variable, expr.getContext()), piece.compose);
  }

  // Takes `expr` = crd as an equation for the variable.
  void solve(AffineExpr expr, AffineExpr crd) {
    int64_t coefficient = 0;
    AffineExpr rest;
    if (ta::splitLinear(expr, *variable, coefficient, rest) &&
        (coefficient == 1 || coefficient == -1)) {
      piece.compose = coefficient == 1 ? crd - rest : rest - crd;
      solvedFrom = 1;
      piece.ordered &= coefficient == 1;
      return;
    }
    if (path.numbersPart(expr, *variable)) {
      piece.compose = crd * blocksIn(expr)->size;
      solvedFrom = 1;
      return;
    }
    std::optional<ta::Digit> digit = ta::asDigit(expr);
    if (!digit || !ta::splitLinear(digit->number, *variable, coefficient, rest) || coefficient != 1)
      return;
    SmallVector<std::pair<AffineExpr, AffineExpr>> known;
    for (auto [at, other] : llvm::enumerate(walked))
      known.push_back({other.second ? other.second : getAffineConstantExpr(0, expr.getContext()),
                       getAffineSymbolExpr(at, expr.getContext())});
    ta::Digits digits = ta::fromDigits(digit->number, known);
    if (!digits.value)
      return;
    piece.compose = digits.value - rest;
    solvedFrom = digits.used.size();
    // The values ascend if the coarser digits are walked around the finer ones.
    piece.ordered &= llvm::is_sorted(digits.used);
  }

  const AccessPath &path;
  const llvm::SmallBitVector &bound;
  std::optional<unsigned> variable;
  std::string &why;
  PathPiece piece;
  SmallVector<std::pair<unsigned, AffineExpr>> walked;
  unsigned slots = 0; ///< how many of them are slots
  bool ranksVariable = false;
  unsigned solvedFrom = 0; ///< how many of them give the variable's value
};

} // namespace

llvm::SmallBitVector
chooseLocated(ArrayRef<const PathPiece *> pieces,
              llvm::function_ref<bool(const llvm::SmallBitVector &others)> accompanied,
              const llvm::SmallBitVector &asked) {
  llvm::SmallBitVector chosen(pieces.size());
  auto choose = [&](llvm::function_ref<bool(unsigned)> concerns) {
    for (unsigned at = 0; at < pieces.size(); ++at) {
      if (chosen.test(at) || !concerns(at))
        continue;
      llvm::SmallBitVector others = chosen;
      others.set(at);
      others.flip();
      if (others.any() && accompanied(others))
        chosen.set(at);
    }
  };
  if (asked.any())
    choose([&](unsigned at) { return asked.test(at); });
  choose([&](unsigned at) { return pieces[at]->locatable && !pieces[at]->restricts; });
  // From the root on all coordinates would come again in each round of the loops around.
  choose([&](unsigned at) {
    const PathPiece &piece = *pieces[at];
    return piece.locatable && !piece.ordered && !piece.empty() && piece.steps.front().level == 0;
  });
  choose([&](unsigned at) { return pieces[at]->locatable && !pieces[at]->ordered; });
  choose([&](unsigned at) { return pieces[at]->locatable; });
  return chosen;
}

std::optional<StorageWalk> walkStorage(const AccessPath &path) {
  MLIRContext *context = path.format.getContext();
  SmallVector<AffineExpr> equations(path.coordinates);
  unsigned unknowns = path.variables + path.ranks.size();
  // A rank gives the variable where that is the whole place.
  for (const RankedPlace &rank : path.ranks)
    if (!isa<AffineDimExpr>(rank.place) || llvm::any_of(equations, [&](AffineExpr expr) {
          return expr.isFunctionOfDim(cast<AffineDimExpr>(rank.place).getPosition());
        }))
      return std::nullopt;
  for (unsigned level = 0; level < equations.size(); ++level)
    if (path.format.isSlot(level))
      equations[level] = getAffineSymbolExpr(0, context);
  ta::FormatMap relations(AffineMap::get(unknowns, 1, equations, context));
  StorageWalk walk;
  SmallVector<AffineExpr> values; // of the levels' coordinates, by what is walked
  unsigned walked = 0;
  for (unsigned level = 0; level < equations.size(); ++level) {
    const LevelTraits &traits = *findLevelTraits(path.format.getLevels()[level].getName());
    AffineExpr implied = relations.implied[level];
    if (implied && !traits.locates)
      return std::nullopt;
    walk.steps.push_back({level, implied ? implied.replaceDims(values) : AffineExpr()});
    values.push_back(implied ? walk.steps.back().at : getAffineSymbolExpr(walked++, context));
    SmallVector<AffineExpr> all(values);
    all.resize(equations.size(), getAffineConstantExpr(0, context));
    for (const ta::SolvedDim &solved : relations.solvedAt[level]) {
      AffineExpr value = solved.value.replaceDims(all);
      if (solved.dim < path.variables) {
        walk.variables.push_back({solved.dim, value});
        continue;
      }
      const RankedPlace &rank = path.ranks[solved.dim - path.variables];
      walk.variables.push_back({cast<AffineDimExpr>(rank.place).getPosition(), value, rank.dim});
    }
  }
  for (unsigned at = 0; at < unknowns; ++at)
    if (!relations.inverse[at] &&
        llvm::any_of(path.coordinates, [&](AffineExpr expr) { return expr.isFunctionOfDim(at); }))
      return std::nullopt;
  // Places that stand for nothing may contradict a walked level that no value comes from.
  if (path.format.hasPadding())
    for (const PathStep &step : walk.steps)
      if (!step.at && !path.format.isSlot(step.level) &&
          llvm::none_of(walk.variables, [&](const WalkedVariable &one) {
            return one.value.isFunctionOfSymbol(
                cast<AffineSymbolExpr>(values[step.level]).getPosition());
          }))
        return std::nullopt;
  return walk;
}

std::optional<unsigned> windowStep(const AccessPath &path, const StorageWalk &walk,
                                   unsigned variable) {
  ta::FormatMap map(path.format.getDimToLvl());
  AffineExpr label = getAffineDimExpr(variable, path.format.getContext());
  for (auto [number, step] : llvm::enumerate(walk.steps)) {
    const LevelFormat &format = *findLevelFormat(path.format.getLevels()[step.level].getName());
    LevelProperties properties = ta::levelProperties(path.format, step.level);
    bool searched = properties.ordered && !properties.branchless && !format.traits.misses;
    if (step.at || path.format.isSlot(step.level) || (format.positionIteration() && !searched))
      continue;
    for (const ta::SolvedDim &solved : map.solvedAt[step.level])
      if (path.place.getResult(solved.dim) == label &&
          !llvm::is_contained(path.format.sortedDims(), solved.dim))
        return number;
  }
  return std::nullopt;
}

std::optional<PathPiece> bindVariable(const AccessPath &path, unsigned &next,
                                      const llvm::SmallBitVector &bound,
                                      std::optional<unsigned> variable, std::string &why) {
  return Binder(path, bound, variable, why).run(next);
}

bool walksPositions(const AccessPath &path, const PathPiece &piece) {
  if (piece.steps.size() != 1 || piece.steps.front().at)
    return false;
  unsigned level = piece.steps.front().level;
  return hasPieces(*findLevelFormat(path.format.getLevels()[level].getName()),
                   ta::levelProperties(path.format, level));
}

// The level that a piece walks, if it walks one and locates none.
static const LevelFormat *onlyWalked(const AccessPath &path, const PathPiece &piece) {
  if (piece.steps.size() != 1 || piece.steps.front().at)
    return nullptr;
  return findLevelFormat(path.format.getLevels()[piece.steps.front().level].getName());
}

bool canSeek(const AccessPath &path, const PathPiece &piece) {
  const LevelFormat *level = onlyWalked(path, piece);
  if (!level || !piece.ordered)
    return false;
  AffineExpr offset =
      simplifyAffineExpr(piece.compose - getAffineSymbolExpr(0, piece.compose.getContext()),
                         path.place.getNumDims() + path.ranks.size(), /*numSymbols=*/1);
  return !offset.isFunctionOfSymbol(0) && (!level->positionIteration() || !level->traits.misses);
}

bool walksRange(const AccessPath &path, const PathPiece &piece) {
  const LevelFormat *level = onlyWalked(path, piece);
  return level && level->positionIteration() && !level->spanIteration() &&
         !level->traits.computed &&
         piece.compose == getAffineSymbolExpr(0, piece.compose.getContext());
}

std::optional<unsigned> gatherableLevel(ta::FormatAttr format, bool patternOnly) {
  for (unsigned level = format.getLvlRank(); level-- > 0;) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[level].getName());
    LevelProperties properties = ta::levelProperties(format, level);
    if (traits.appends)
      return properties.unique && !properties.branchless ? std::optional(level) : std::nullopt;
    bool followsFromPattern = traits.computed || traits.places;
    if (traits.inserts || !(patternOnly ? followsFromPattern : properties.full && !traits.computed))
      return std::nullopt;
  }
  return std::nullopt;
}

bool isGatheredInPhases(ta::FormatAttr format) {
  if (gatherableLevel(format) || gatherableLevel(format, /*patternOnly=*/true) != 0u ||
      !phaseFault(format).empty())
    return false;
  // As many positions as coordinates are stored, not those between them as well.
  const LevelFormat &root = *findLevelFormat(format.getLevels().front().getName());
  return root.traits.iteratesPositions && !root.traits.fillsGaps &&
         root.buffers().back().kind == BufferKind::Coordinate;
}

std::optional<VariableBlocks> blocksIn(AffineExpr coordinate) {
  auto quotient = dyn_cast<AffineBinaryOpExpr>(coordinate);
  if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv)
    return std::nullopt;
  auto variable = dyn_cast<AffineDimExpr>(quotient.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  if (!variable || !size)
    return std::nullopt;
  return VariableBlocks{variable.getPosition(), size.getValue()};
}

bool AccessPath::numbersPart(AffineExpr coordinate, unsigned variable) const {
  std::optional<VariableBlocks> blocks = blocksIn(coordinate);
  return blocks && llvm::any_of(parts, [&](const LabelInParts &label) {
           return label.first == variable && blocks->variable == variable &&
                  label.size == blocks->size;
         });
}

std::optional<VariableBlocks> blocksAt(const AccessPath &result, unsigned level) {
  std::optional<VariableBlocks> blocks = blocksIn(result.coordinates[level]);
  return blocks && blocks->variable < result.variables ? blocks : std::nullopt; // no rank
}

bool takesAnywhere(ta::FormatAttr format) {
  return !format.hasSlots() && format.getWindows().empty() &&
         llvm::all_of(format.getLevels(), [](ta::LevelAttr level) {
           const LevelTraits &traits = *findLevelTraits(level.getName());
           return traits.places && !traits.computed;
         });
}

bool findsAnywhere(ta::FormatAttr format) {
  return !format.hasSlots() && format.getWindows().empty() && format.sortedDims().empty() &&
         llvm::all_of(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned level) {
           return findLevelTraits(format.getLevels()[level].getName())->locates &&
                  ta::levelProperties(format, level).unique;
         });
}

} // namespace strata

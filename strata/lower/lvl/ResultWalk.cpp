// Decides when the coordinates of a result get their positions.
#include "strata/lower/lvl/ResultWalk.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

ResultWalk::ResultWalk(AccessPath path, bool counted, std::optional<unsigned> gathered, Phase phase,
                       OpBuilder &b, Location loc)
    : path(std::move(path)), counted(counted && phase != Phase::Compute),
      isList(this->path.format.isList()), refills(phase == Phase::Compute),
      patternOnly(makesPattern(phase)), gathered(gathered), numbering(slotNumbering(this->path)),
      b(b), loc(loc) {}

bool ResultWalk::appends(unsigned level) const {
  return !refills && findLevelTraits(path.format.getLevels()[level].getName())->appends;
}

std::optional<unsigned> ResultWalk::countedLevel() const {
  for (unsigned level = 0; counted && level < path.format.getLvlRank(); ++level)
    if (appends(level))
      return level;
  return std::nullopt;
}

bool ResultWalk::countsInPieces() const {
  std::optional<unsigned> own = countedLevel();
  for (auto [level, attribute] : llvm::enumerate(path.format.getLevels())) {
    const LevelFormat &format = *findLevelFormat(attribute.getName());
    // Each row's slots are numbered by one piece. Pads are there before anything is stored, and so
    // is room for the one child of each entry that is counted.
    bool pads = format.traits.pads && branchless(level);
    bool child = own && level > *own && branchless(level) && format.build()->makesRoom();
    bool fixed = format.buffers().empty() || pads || level == own || child;
    if (!fixed || (path.format.isSlot(level) && !numbering))
      return false;
  }
  return own && path.format.sortedDims().empty();
}

// Tells whether a coordinate is another one for each value of the variable, whatever those of the
// others are: the variable itself, or in steps of a slice, from its beginning on.
static bool tellsApart(AffineExpr coordinate, unsigned variable) {
  if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
    return dim.getPosition() == variable;
  auto binary = dyn_cast<AffineBinaryOpExpr>(coordinate);
  auto constant = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  if (!constant)
    return false;
  const bool shifts = binary.getKind() == AffineExprKind::Add;
  const bool steps = binary.getKind() == AffineExprKind::Mul && constant.getValue() != 0;
  return (shifts || steps) && tellsApart(binary.getLHS(), variable);
}

bool ResultWalk::writesApart(unsigned variable, bool isPart) const {
  if (llvm::none_of(path.coordinates, [&](AffineExpr coordinate) {
        return tellsApart(coordinate, variable) || (isPart && coordinate.isFunctionOfDim(variable));
      }))
    return false;
  bool placed = llvm::all_of(path.format.getLevels(), [](ta::LevelAttr level) {
    const LevelFormat &format = *findLevelFormat(level.getName());
    return format.buffers().empty() || (format.traits.inserts && format.traits.places);
  });
  return refills ||
         (placed && !counted && !isList && !gathered && path.format.sortedDims().empty());
}

bool ResultWalk::buildsInPieces(unsigned variable, bool isPart) const {
  if (writesApart(variable, isPart))
    return true;
  auto numbersBlocks = [&](unsigned level) {
    std::optional<VariableBlocks> blocks = blocksAt(path, level);
    return blocks && blocks->variable == variable && gathered == level + 1;
  };
  if (refills)
    return gathered && *gathered > 0 && numbersBlocks(*gathered - 1);
  // Sums of values would depend on the pieces; the union of coordinates does not.
  if (gathered == 0u)
    return patternOnly;
  if (counted || isList || path.coordinates.empty() || !path.format.sortedDims().empty())
    return false;
  // Where all slots are there, each row fills its own.
  if (numbering && numbering->counts(variable) &&
      llvm::none_of(llvm::seq<unsigned>(0, path.format.getLvlRank()),
                    [&](unsigned level) { return appends(level); }))
    return true;
  AffineExpr front = path.coordinates.front();
  if (front != getAffineDimExpr(variable, b.getContext()) && !numbersBlocks(0) &&
      !path.numbersPart(front, variable))
    return false;
  bool below = false, parentAppends = false;
  for (auto [level, attribute] : llvm::enumerate(path.format.getLevels())) {
    const LevelFormat &format = *findLevelFormat(attribute.getName());
    bool appends = format.traits.appends;
    if (path.format.isSlot(level) || (!appends && !format.buffers().empty()) ||
        (appends && (!format.joinedBuild() || (below && !parentAppends))))
      return false;
    below |= appends;
    parentAppends = appends && !format.traits.fillsGaps;
  }
  return true;
}

bool ResultWalk::storesEntries() const { return !path.format.isFull(); }

bool ResultWalk::branchless(unsigned level) const {
  return ta::levelProperties(path.format, level).branchless;
}

std::optional<unsigned> ResultWalk::opens(const ResultPosition &at, unsigned variable) const {
  if (counted || isList)
    return std::nullopt;
  unsigned level = at.next;
  if (at.opened == level || (gathered && level >= *gathered))
    return std::nullopt;
  if (level < path.coordinates.size() && path.coordinates[level].isFunctionOfDim(variable) &&
      !path.format.isSlot(level) && appends(level) && !branchless(level))
    return level;
  return std::nullopt;
}

SmallVector<std::optional<unsigned>> ResultWalk::opensInTuples(const ResultPosition &at,
                                                               ArrayRef<unsigned> variables,
                                                               llvm::SmallBitVector bound) const {
  SmallVector<std::optional<unsigned>> opened;
  ResultPosition ahead;
  ahead.next = at.next;
  for (unsigned variable : variables) {
    opened.push_back(opens(ahead, variable));
    while (ahead.next < path.coordinates.size() && isKnown(ahead.next, bound, variable))
      ++ahead.next;
    bound.set(variable);
  }
  return opened;
}

bool ResultWalk::isKnown(unsigned level, const llvm::SmallBitVector &bound,
                         std::optional<unsigned> variable) const {
  for (unsigned dim = 0; dim < bound.size(); ++dim)
    if (path.coordinates[level].isFunctionOfDim(dim) && !bound.test(dim) && variable != dim)
      return false;
  return true;
}

void ResultWalk::enter(ResultPosition &at, std::optional<unsigned> variable,
                       const llvm::SmallBitVector &bound, ValueRange indices, Value &builder,
                       Value *slot) const {
  while (at.next < path.coordinates.size() && isKnown(at.next, bound, variable))
    take(at, indices, builder, slot);
}

std::optional<unsigned> ResultWalk::enterBlock(ResultPosition &at, unsigned variable,
                                               ValueRange indices, Value &builder) const {
  if (at.next == path.coordinates.size())
    return std::nullopt;
  std::optional<VariableBlocks> blocks = blocksAt(path, at.next);
  if (blocks && blocks->variable == variable)
    take(at, indices, builder, nullptr);
  bool appendsSlots = !counted && at.next < path.coordinates.size() &&
                      path.format.isSlot(at.next) && appends(at.next);
  return appendsSlots ? std::optional(at.next) : std::nullopt;
}

bool ResultWalk::beginsSlots(unsigned variable, const llvm::SmallBitVector &bound) const {
  return numbering && numbering->counts(variable) &&
         llvm::all_of(numbering->counted,
                      [&](unsigned dim) { return dim == variable || bound.test(dim); });
}

// The coordinate of the next level is known.
void ResultWalk::take(ResultPosition &at, ValueRange indices, Value &builder, Value *slot) const {
  unsigned level = at.next++;
  Value crd;
  if (path.format.isSlot(level)) {
    if (!slot)
      emitError(loc) << "internal error: slots are entered that nothing numbers";
    crd = slot ? *slot : arith::ConstantIndexOp::create(b, loc, 0);
    Value next = arith::AddIOp::create(b, loc, crd, arith::ConstantIndexOp::create(b, loc, 1));
    if (slot)
      *slot = next;
  } else {
    crd = emitAffine(b, loc, path.coordinates[level], indices);
  }
  if (gathered && level >= *gathered) {
    at.gathering.push_back({level, crd});
    return;
  }
  if (appends(level) && !branchless(level) && !at.waiting.empty() && !isList && !counted) {
    at.waiting.clear(); // placed by close(), outside the loop
    at.path = nullptr;
  }
  at.waiting.push_back({level, crd});
  bool last = level + 1 == path.coordinates.size();
  bool entriesBelow = last || appends(level + 1);
  bool waits = appends(level) && entriesBelow;
  // Below what is there already children are found, and indexed, at once.
  bool inserts =
      findLevelTraits(path.format.getLevels()[level].getName())->inserts && !(refills && gathered);
  if (waits || inserts)
    return;
  noteEarly(at);
  placeWaiting(at, builder);
}

// The coordinates that wait are about to get positions: the first that is appended, unless the
// entries are counted.
void ResultWalk::noteEarly(ResultPosition &at) const {
  if (counted)
    return;
  for (auto [level, crd] : at.waiting)
    if (appends(level)) {
      if (findLevelTraits(path.format.getLevels()[level].getName())->retracts)
        at.early = {level, crd};
      return;
    }
}

void ResultWalk::retractUnless(Value any, std::pair<unsigned, Value> early, Value &builder) const {
  auto choice = scf::IfOp::create(b, loc, TypeRange{builder.getType()}, any, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, ValueRange{builder});
  b.setInsertionPointToStart(choice.elseBlock());
  auto retracted = lvl::RetractOp::create(b, loc, early.second, builder, early.first);
  scf::YieldOp::create(b, loc, ValueRange{retracted});
  builder = choice.getResult(0);
}

std::optional<unsigned> ResultWalk::gathers(std::optional<unsigned> before,
                                            const ResultPosition &at) const {
  bool begins = gathered && at.next >= *gathered && (!before || *before < *gathered);
  return begins ? gathered : std::nullopt;
}

bool ResultWalk::waitsBelowGathered(const ResultPosition &at) const {
  return !at.gathering.empty() && at.gathering.front().first == gathered &&
         at.next < path.coordinates.size();
}

void ResultWalk::placeGathered(ResultPosition &at, Value &builder) const {
  for (auto [level, crd] : at.gathering) {
    auto op =
        lvl::InsertOp::create(b, loc, builder, level, level == gathered ? Value() : at.path, crd);
    builder = op.getResult();
    at.path = op.getPath();
  }
  at.gathering.clear();
}

void ResultWalk::place(ResultPosition &at, Value &builder) const {
  return gathered ? placeGathered(at, builder) : placeWaiting(at, builder);
}

void ResultWalk::placeWaiting(ResultPosition &at, Value &builder) const {
  for (auto [level, crd] : at.waiting) {
    if (counting && level >= *countedLevel()) {
      // The levels below are as many; no path leads there yet.
      if (level == *countedLevel())
        builder = lvl::CountOp::create(b, loc, builder, level, at.path, crd);
      break;
    }
    auto op = lvl::InsertOp::create(b, loc, builder, level, at.path, crd);
    builder = op.getResult();
    at.path = op.getPath();
  }
  at.waiting.clear();
}

void ResultWalk::close(ResultPosition &at, unsigned level, Value mark, Value &builder) const {
  if (at.waiting.empty()) {
    builder = lvl::CloseOp::create(b, loc, builder, level, at.path, mark);
    return;
  }
  // The parent waits: it is stored if it has children.
  ifGrown(level, mark, builder, [&](Value &inner) {
    ResultPosition inside = at;
    placeWaiting(inside, inner);
    inner = lvl::CloseOp::create(b, loc, inner, level, inside.path, mark);
  });
}

void ResultWalk::closeLate(const ResultPosition &at, unsigned level, ArrayRef<unsigned> variables,
                           llvm::SmallBitVector bound, ValueRange indices, Value mark,
                           Value &builder) const {
  ifGrown(level, mark, builder, [&](Value &inner) {
    ResultPosition parent = at;
    for (unsigned variable : variables) {
      enter(parent, variable, bound, indices, inner);
      bound.set(variable);
    }
    placeWaiting(parent, inner);
    inner = lvl::CloseOp::create(b, loc, inner, level, parent.path, mark);
  });
}

// What is to be done if entries were appended since the mark.
void ResultWalk::ifGrown(unsigned level, Value mark, Value &builder,
                         llvm::function_ref<void(Value &)> body) const {
  Value now = lvl::MarkOp::create(b, loc, builder, level);
  Value grown = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, now, mark);
  auto choice = scf::IfOp::create(b, loc, TypeRange{builder.getType()}, grown, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value inner = builder;
  body(inner);
  scf::YieldOp::create(b, loc, ValueRange{inner});
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, ValueRange{builder});
  builder = choice.getResult(0);
}

} // namespace strata

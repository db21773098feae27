// Describes formats by data.
#include "strata/tensor/StoredFormats.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/FillBytes.h"

using namespace mlir;
using strata::host::Affine;

namespace strata {

static Affine::Kind kindOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return Affine::Kind::Add;
  case AffineExprKind::Mul:
    return Affine::Kind::Multiply;
  case AffineExprKind::Mod:
    return Affine::Kind::Modulo;
  case AffineExprKind::FloorDiv:
    return Affine::Kind::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Affine::Kind::CeilDivide;
  case AffineExprKind::Constant:
  case AffineExprKind::SymbolId: // (formats' slots are no functions of dimensions)
    return Affine::Kind::Constant;
  case AffineExprKind::DimId:
    break;
  }
  return Affine::Kind::Input;
}

static void append(AffineExpr expr, std::vector<Affine::Term> &terms) {
  Affine::Term term{kindOf(expr.getKind())};
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    append(binary.getLHS(), terms);
    append(binary.getRHS(), terms);
  } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    term.value = dim.getPosition();
  } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    term.value = constant.getValue();
  }
  terms.push_back(term);
}

Affine affineOf(AffineExpr expr) {
  std::vector<Affine::Term> terms;
  if (expr)
    append(expr, terms);
  return Affine(std::move(terms));
}

std::vector<Affine> affineOf(AffineMap map) {
  std::vector<Affine> all;
  for (AffineExpr expr : map.getResults())
    all.push_back(affineOf(expr));
  return all;
}

host::Place placeOf(AffineMap map) {
  host::Place place{affineOf(map), {}};
  for (const ta::PlaceSolution &solution : ta::solvePlace(map))
    place.solutions.push_back(
        {solution.variable, solution.coordinate, solution.factor, affineOf(solution.rest)});
  return place;
}

// The dimensions in terms of the given levels alone, which are numbered among themselves.
static std::vector<Affine> inverseOf(ta::FormatAttr format, ArrayRef<unsigned> given) {
  ta::FormatMap map(format.getDimToLvl());
  SmallVector<AffineExpr> known(format.getLvlRank());
  for (unsigned lvl = 0; lvl < known.size(); ++lvl) {
    const unsigned *at = llvm::find(given, lvl);
    known[lvl] = at != given.end() ? getAffineDimExpr(at - given.begin(), format.getContext())
                                   : map.implied[lvl].replaceDims(known);
  }
  std::vector<Affine> inverse;
  for (AffineExpr dim : map.inverse)
    inverse.push_back(affineOf(dim.replaceDims(known)));
  return inverse;
}

// Places of one dimension, below each of them a list of the other's coordinates.
static bool storesRows(ta::FormatAttr format) {
  auto isStored = [&](unsigned lvl, FileLevel kind) {
    ta::LevelAttr level = format.getLevels()[lvl];
    return findLevelTraits(level.getName())->inFiles == kind && level.getUnique();
  };
  return format.getLvlRank() == 2 && format.getDimToLvl().isPermutation() &&
         format.getWindows().empty() && isStored(0, FileLevel::Places) &&
         isStored(1, FileLevel::Lists);
}

// Unordered levels have their children where ordered ones have, but not those of an interval.
static host::Children childrenOf(ta::LevelAttr level, int64_t buffers) {
  const LevelTraits &traits = *findLevelTraits(level.getName());
  if (!level.getOrdered())
    return host::Children::Other;
  if (traits.places && traits.defaults.full && !traits.misses && buffers == 0)
    return host::Children::Places;
  if (traits.inFiles == FileLevel::Lists && buffers == 2)
    return host::Children::Lists;
  // Its coordinates may lie in another level's buffer.
  if (traits.inFiles == FileLevel::Tuples && buffers == 1)
    return host::Children::OneEach;
  return host::Children::Other;
}

host::StoredFormat storedFormatOf(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<unsigned> given = format.givenLevels();
  host::StoredFormat stored;
  stored.name = ta::formatName(format);
  stored.element = *runtimeType(type.getElementType());
  stored.fill = fillBytes(type);
  stored.hasFill = format.getFill() && !format.isFull();
  stored.full = format.isFull();
  stored.rows = storesRows(format);
  stored.repeats = format.isList();
  for (unsigned lvl : given) {
    bool isSlot = format.isSlot(lvl);
    host::StoredLevel level;
    level.coordinate = isSlot ? Affine() : affineOf(format.getDimToLvl().getResult(lvl));
    if (isSlot)
      level.numbered =
          llvm::find(given, ta::numberedLevel(format.getDimToLvl(), lvl)) - given.begin();
    level.listed = storesCoordinates(format.getLevels()[lvl].getName());
    level.buffers = int64_t(levelBuffers(format, lvl).size());
    level.children = childrenOf(format.getLevels()[lvl], level.buffers);
    stored.levels.push_back(std::move(level));
  }
  stored.inverse = inverseOf(format, given);
  for (unsigned dim : format.sortedDims()) {
    stored.sorted.push_back(dim);
    stored.windows.push_back(format.getWindows()[dim]);
  }
  stored.buffers = bufferTypes(type);
  return stored;
}

static host::Division divisionOf(ta::FormatAttr part, int64_t limit) {
  SmallVector<unsigned> given = part.givenLevels();
  host::Division division;
  division.limit = limit;
  switch (*ta::divisionOf(part)) {
  case ta::Division::Slots: {
    division.kind = host::Division::Kind::Slots;
    const unsigned *slot = llvm::find_if(given, [&](unsigned lvl) { return part.isSlot(lvl); });
    division.slot = slot - given.begin();
    for (AffineExpr counted : ta::countedBy(part.getDimToLvl().getResult(*slot)))
      division.counted.push_back(affineOf(counted));
    break;
  }
  case ta::Division::Room:
    division.kind = host::Division::Kind::Room;
    for (unsigned lvl : given) {
      ta::LevelAttr level = part.getLevels()[lvl];
      division.rooms.push_back(
          findLevelTraits(level.getName())->pads ? std::max<int64_t>(level.getParameter(), 1) : 0);
    }
    break;
  case ta::Division::Share:
    division.kind = host::Division::Kind::Share;
    division.group =
        llvm::count_if(given, [&](unsigned lvl) { return lvl < ta::firstOfGroup(part); });
    break;
  }
  return division;
}

std::vector<host::Division> divisionsOf(ta::SumAttr sum) {
  std::vector<host::Division> all;
  for (auto [part, limit] : llvm::zip(sum.getParts(), sum.getLimits()))
    all.push_back(divisionOf(part, limit));
  return all;
}

host::Relation relationOf(ta::Relation relation) {
  switch (relation) {
  case ta::Relation::eq:
    return host::Relation::Equal;
  case ta::Relation::ne:
    return host::Relation::NotEqual;
  case ta::Relation::lt:
  case ta::Relation::ult:
    return host::Relation::Less;
  case ta::Relation::le:
  case ta::Relation::ule:
    return host::Relation::LessOrEqual;
  case ta::Relation::gt:
  case ta::Relation::ugt:
    return host::Relation::Greater;
  case ta::Relation::ge:
  case ta::Relation::uge:
    break;
  }
  return host::Relation::GreaterOrEqual;
}

} // namespace strata

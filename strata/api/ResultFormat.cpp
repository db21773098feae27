// Chooses formats of results by what is left where sparse operands are absent.
#include "strata/api/ResultFormat.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/IndexStatement.h"

using namespace mlir;

namespace strata::api {
namespace {

class ResultChooser {
public:
  explicit ResultChooser(ta::ComputeOp op)
      : statement(op), order(cast<RankedTensorType>(op.getResult().getType()).getRank()) {
    unsigned looked = 0;
    for (unsigned variable = 0; variable < order; ++variable)
      if (isNothingWithout(variable, /*restricting=*/false))
        partial.set(variable);
      else
        looked += isSelected(variable);
    hasOneSparse = partial.count() + looked == 1;
    for (unsigned variable : partial.set_bits())
      if (isNothingWithout(variable, /*restricting=*/true))
        compressed.set(variable);
    partial.reset(compressed);
  }

  Attribute choose() {
    if (compressed.any())
      for (const auto &[access, path] : statement.accesses)
        if (Attribute format =
                selects(access) ? Attribute() : formatLike(cast<ta::AccessOp>(access)))
          return format;
    SmallVector<unsigned> dims = dimsInOrder();
    if (compressed.none() && order > 1 && partial.count() == order)
      compressed.set(dims.back());
    return compressed.none() ? Attribute() : fromLevels(dims);
  }

private:
  // Tells whether an access stores some coordinates along the variable only.
  bool restricts(Operation *access, unsigned variable) const {
    const AccessPath &path = statement.accesses.find(access)->second;
    for (unsigned level = 0; level < path.format.getLvlRank(); ++level) {
      if (hasOneSparse && (isHybrid(access) || sharesCoordinates(path, level)))
        return false;
      if (path.depends(level, variable) && !ta::levelProperties(path.format, level).full)
        return true;
    }
    return false;
  }

  // Do several of a level's entries come to one coordinate of the only dimension along which the
  // result may be empty? It has those of all of them together, which are many: the rows of a matrix
  // by columns (CSC), of its diagonals (DIA), or of a list of entries (COO).
  bool sharesCoordinates(const AccessPath &path, unsigned level) const {
    if (!ta::levelProperties(path.format, level).unique)
      return true;
    for (unsigned variable = order; variable < statement.variables.size(); ++variable)
      if (path.depends(level, variable))
        return true;
    return false;
  }

  // Tells whether the operand is stored in parts, several of which may have the same coordinates.
  static bool isHybrid(Operation *access) {
    return bool(
        ta::sumOf(cast<RankedTensorType>(cast<ta::AccessOp>(access).getTensor().getType())));
  }

  // Is it what a subscript stands for, which has an entry wherever the subscript points?
  static bool selects(Operation *access) {
    return isa_and_present<ta::OneHotOp, ta::InsideOp>(
        cast<ta::AccessOp>(access).getTensor().getDefiningOp());
  }

  bool isSelected(unsigned variable) const {
    return llvm::any_of(statement.accesses, [&](const auto &entry) {
      return selects(entry.first) && entry.second.involves(variable);
    });
  }

  // Is nothing left where the sparse operands with this variable are absent: those that store some
  // of its coordinates only, or all of them?
  bool isNothingWithout(unsigned variable, bool restricting) const {
    SmallVector<Operation *> absent;
    for (const auto &[access, path] : statement.accesses) {
      bool sparse = isSparse(cast<ta::AccessOp>(access)) && path.involves(variable);
      if (!selects(access) && (restricting ? restricts(access, variable) : sparse))
        absent.push_back(access);
    }
    return !absent.empty() && statement.isEssential(absent);
  }

  // The format of an operand, for the result's dimensions: of one that has just these, and stores
  // some coordinates only along the same of them, level by level.
  Attribute formatLike(ta::AccessOp access) const {
    const AccessPath &path = statement.accesses.find(access)->second;
    ta::FormatAttr format = path.format;
    AffineMap place = path.place;
    if (place.getNumResults() != order || !isPermutationOfResult(place) ||
        !format.getDimToLvl().isPermutation() || format.isList() || ta::repeatsEntries(format) ||
        !format.sortedDims().empty())
      return {};
    for (unsigned variable = 0; variable < order; ++variable)
      if (restricts(access, variable) != compressed.test(variable))
        return {};
    for (ta::LevelAttr level : format.getLevels())
      if (!level.getOrdered())
        return {};
    AffineMap map = format.getDimToLvl().compose(place);
    AffineMap own = AffineMap::get(order, 0, map.getResults(), map.getContext());
    SmallVector<ta::LevelAttr> levels;
    for (ta::LevelAttr level : format.getLevels())
      levels.push_back(level.withWidths(0, 0));
    return ta::FormatAttr::get(map.getContext(), own, levels, Attribute(), ArrayRef<int64_t>());
  }

  // Each of its coordinates is another variable of the left side.
  bool isPermutationOfResult(AffineMap place) const {
    llvm::SmallBitVector seen(order);
    for (AffineExpr expr : place.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || dim.getPosition() >= order || seen.test(dim.getPosition()))
        return false;
      seen.set(dim.getPosition());
    }
    return true;
  }

  // What sparse operands store all coordinates of, and what is looked up, comes first, then what
  // they store some of, then what is dense altogether; each in the order of the levels of the first
  // sparse operand.
  SmallVector<unsigned> dimsInOrder() const {
    SmallVector<unsigned> dims;
    auto add = [&](unsigned variable) {
      if (variable < order && !llvm::is_contained(dims, variable))
        dims.push_back(variable);
    };
    for (const auto &[access, path] : statement.accesses)
      if (!selects(access) && isSparse(cast<ta::AccessOp>(access)))
        for (AffineExpr coordinate : path.coordinates)
          if (coordinate)
            coordinate.walk([&](AffineExpr inner) {
              if (auto dim = dyn_cast<AffineDimExpr>(inner))
                add(dim.getPosition());
            });
    for (unsigned variable = 0; variable < order; ++variable)
      add(variable);
    auto room = [&](unsigned variable) {
      bool takesAll = partial.test(variable) || isSelected(variable);
      return compressed.test(variable) ? 1 : takesAll ? 0 : 2;
    };
    SmallVector<unsigned> inRooms;
    for (int wanted : {0, 1, 2})
      for (unsigned variable : dims)
        if (room(variable) == wanted)
          inRooms.push_back(variable);
    return inRooms;
  }

  Attribute fromLevels(ArrayRef<unsigned> dims) const {
    SmallVector<StringRef> words;
    for (unsigned variable : dims)
      words.push_back(compressed.test(variable) ? "CU" : "D");
    std::string why;
    return ta::fromLevelWords(statement.op.getContext(), words, dims, why);
  }

  IndexStatement statement;
  unsigned order;
  llvm::SmallBitVector compressed = llvm::SmallBitVector(order);
  /// Sparse operands store all of its coordinates, in the rows of a CSR matrix for example, but
  /// nothing is left where they store nothing below one.
  llvm::SmallBitVector partial = llvm::SmallBitVector(order);
  /// Sparse operands leave nothing where they are absent along one dimension only, and coordinates
  /// are looked up along no other: a sparse matrix times a dense vector or matrix.
  bool hasOneSparse = false;
};

} // namespace

Attribute resultFormatOf(ta::ComputeOp statement) { return ResultChooser(statement).choose(); }

namespace {

// The dimensions of the result that have the coordinates of an operand's dimensions.
SmallVector<unsigned> sameDims(AffineMap result, AffineMap operand, ArrayRef<unsigned> dims) {
  SmallVector<unsigned> same;
  for (unsigned dim : dims) {
    const AffineExpr coordinate = operand.getResult(dim);
    const auto *found = llvm::find(result.getResults(), coordinate);
    if (isa<AffineDimExpr>(coordinate) && found != result.getResults().end())
      same.push_back(unsigned(found - result.getResults().begin()));
  }
  return same;
}

} // namespace

ta::PlacementAttr resultPlacementOf(ta::ComputeOp op, bool isFull) {
  const IndexStatement statement(op);
  const AffineMap result = statement.resultPlace();
  MLIRContext *context = op.getContext();
  ta::PlacementAttr first;
  SmallVector<ta::PlaceAttr> places;
  SmallVector<unsigned> cut; // of the result
  for (const auto &[operation, path] : statement.accesses) {
    auto access = cast<ta::AccessOp>(operation);
    auto placement = ta::placementOf(cast<RankedTensorType>(access.getTensor().getType()));
    if (!placement || (first && placement.getMachine() != first.getMachine()))
      continue;
    if (!first) {
      first = placement;
      places.assign(placement.getPlaces().size(),
                    ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
    }
    const AffineMap own = statement.placeOf(access.getMap(), access.getIndices());
    for (auto [place, given] : llvm::zip(places, placement.getPlaces())) {
      SmallVector<unsigned> dims = sameDims(result, own, given.getDims());
      if (place.cuts() || dims.empty() ||
          llvm::any_of(dims, [&](unsigned dim) { return llvm::is_contained(cut, dim); }))
        continue;
      const bool byEntries = given.getKind() == ta::PlaceKind::entries && !isFull &&
                             dims.size() == given.getDims().size();
      if (given.getKind() == ta::PlaceKind::entries && !byEntries)
        dims.truncate(1);
      place = ta::PlaceAttr::get(context, byEntries ? ta::PlaceKind::entries : ta::PlaceKind::share,
                                 dims, 0);
      llvm::append_range(cut, dims);
    }
  }
  return cut.empty() ? ta::PlacementAttr()
                     : ta::PlacementAttr::get(context, first.getMachine(), places);
}

Attribute resultFormatOf(ValueRange tensors) {
  auto formats = llvm::map_to_vector(
      tensors, [](Value tensor) { return ta::formatOf(cast<RankedTensorType>(tensor.getType())); });
  if (llvm::any_of(formats, [](ta::FormatAttr format) { return !format || format.isFull(); }))
    return {};
  ta::FormatAttr first = formats.front();
  bool isPlain =
      first.getDimToLvl().isPermutation() && !ta::repeatsEntries(first) &&
      first.sortedDims().empty() &&
      llvm::all_of(first.getLevels(), [](ta::LevelAttr level) { return level.getOrdered(); });
  if (isPlain)
    return first.withWidths(0, 0);
  unsigned order = first.getDimToLvl().getNumDims();
  SmallVector<StringRef> words(order, "CU");
  if (order == 2)
    words.front() = "D";
  std::string why;
  return ta::fromLevelWords(first.getContext(), words, llvm::to_vector(llvm::seq(order)), why);
}

} // namespace strata::api

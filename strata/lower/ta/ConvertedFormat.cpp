// Chooses the levels of what operands are converted to.
#include "strata/lower/ta/ConvertedFormat.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/StoredPlaces.h"
#include "strata/lower/analysis/VainWalks.h"
#include "strata/lower/ta/TemporaryLevels.h"

using namespace mlir;

namespace strata {

// Tells whether each coordinate of some level has one child at most: it may be in no other order of
// the levels.
static bool promisesOneChild(ta::FormatAttr format) {
  for (unsigned lvl = 0; lvl + 1 < format.getLvlRank(); ++lvl)
    if (ta::levelProperties(format, lvl).unique && ta::levelProperties(format, lvl + 1).branchless)
      return true;
  return false;
}

// The levels, but for those that store what occurs, of which each is one that `plain` has there.
static SmallVector<ta::LevelAttr> inOrder(ta::FormatAttr format, ta::FormatAttr plain) {
  SmallVector<ta::LevelAttr> levels;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
    levels.push_back((ta::levelProperties(format, lvl).full ? format : plain).getLevels()[lvl]);
  return levels;
}

namespace {

/// A dimension of the operand at its place among the loops.
struct OrderedDim {
  unsigned dim;
  std::optional<unsigned> loop; ///< the number of the loop that runs over it
};

class Converted {
public:
  Converted(const IndexStatement &statement, ta::AccessOp access, ArrayRef<unsigned> order,
            bool mayLookUp)
      : statement(statement), access(access), order(order), mayLookUp(mayLookUp),
        path(statement.accesses.find(access)->second) {
    AffineMap place = statement.placeOf(access.getMap(), access.getIndices());
    for (auto [loop, variable] : llvm::enumerate(order))
      for (auto [dim, expr] : llvm::enumerate(place.getResults()))
        if (expr.isFunctionOfDim(variable) && !hasDim(dim))
          dims.push_back({unsigned(dim),
                          isa<AffineDimExpr>(expr) ? std::optional(unsigned(loop)) : std::nullopt});
    for (unsigned dim = 0; dim < place.getNumResults(); ++dim)
      if (!hasDim(dim))
        dims.push_back({dim, std::nullopt});
  }

  ConvertedFormat format() const;

private:
  bool hasDim(unsigned dim) const {
    return llvm::any_of(dims, [&](const OrderedDim &one) { return one.dim == dim; });
  }
  SmallVector<ta::LevelAttr> plainLevels() const;
  bool isVain(Operation *op, const AccessPath &operand, unsigned loop) const;
  bool isLookedUp(unsigned level) const;
  bool mayListAll(ArrayRef<ta::LevelAttr> levels) const;

  const IndexStatement &statement;
  ta::AccessOp access;
  ArrayRef<unsigned> order;
  bool mayLookUp;
  const AccessPath &path;
  SmallVector<OrderedDim> dims; ///< in the order of the levels
};

} // namespace

static bool locates(ta::LevelAttr level) { return findLevelTraits(level.getName())->locates; }

// Tells whether steps of the operand's walk in that loop lead nowhere, again and again.
bool Converted::isVain(Operation *op, const AccessPath &operand, unsigned loop) const {
  return llvm::any_of(order.take_front(loop),
                      [&](unsigned outer) { return !operand.involves(outer); }) &&
         llvm::any_of(statement.accesses, [&](const auto &other) {
           return !other.second.format.isFull() && other.second.involves(order[loop]) &&
                  isVainWithout(statement, op, other.first);
         });
}

// Tells whether there is another operand to walk, of which that is not so.
bool Converted::isLookedUp(unsigned level) const {
  if (!mayLookUp || !dims[level].loop || isMask(access))
    return false;
  unsigned loop = *dims[level].loop;
  return isVain(access, path, loop) && llvm::any_of(statement.accesses, [&](const auto &other) {
           const auto &[op, operand] = other;
           return op != access && !operand.format.isFull() && operand.involves(order[loop]) &&
                  !isMask(op) && !isVain(op, operand, loop);
         });
}

// The kinds of levels that it has, where these can be in that order; and where one of them is to be
// looked up that cannot be, only those with a place for each coordinate.
SmallVector<ta::LevelAttr> Converted::plainLevels() const {
  ta::FormatAttr old = path.format;
  auto all = llvm::seq<unsigned>(0, old.getLvlRank());
  bool ordered =
      llvm::all_of(all, [&](unsigned lvl) { return ta::levelProperties(old, lvl).ordered; });
  bool permutes = old.getDimToLvl().isPermutation() && old.getWindows().empty();
  bool sameOrder = permutes && llvm::all_of(all, [&](unsigned lvl) {
                     return old.getDimToLvl().getDimPosition(lvl) == dims[lvl].dim;
                   });
  bool serves = llvm::all_of(all, [&](unsigned lvl) {
    return !permutes || !isLookedUp(lvl) || locates(old.getLevels()[lvl]);
  });
  if (ordered && permutes && serves && (sameOrder || !promisesOneChild(old)))
    return SmallVector<ta::LevelAttr>(old.withWidths(0, 0).getLevels());
  std::string why;
  ta::FormatAttr plain = ta::shorthand(path.format.getContext(), "CSF", dims.size(), why);
  if (permutes && (!ordered || !serves))
    return inOrder(old.withWidths(0, 0), plain);
  return SmallVector<ta::LevelAttr>(plain.getLevels());
}

// Tells whether all levels are lists, and other tensors of the statement have a place for each
// coordinate of the first: then a loop goes through all of these in any case, and no list has to be
// made and merged.
bool Converted::mayListAll(ArrayRef<ta::LevelAttr> levels) const {
  return levels.size() > 1 && llvm::all_equal(levels) &&
         levels.front() == entryLevel(path.format.getContext()) && dims.front().loop &&
         hasPlaces(statement, order[*dims.front().loop]);
}

ConvertedFormat Converted::format() const {
  MLIRContext *context = path.format.getContext();
  SmallVector<AffineExpr> exprs;
  for (const OrderedDim &one : dims)
    exprs.push_back(getAffineDimExpr(one.dim, context));
  SmallVector<ta::LevelAttr> levels = plainLevels();
  auto formatOf = [&] {
    return ta::FormatAttr::get(context, AffineMap::get(dims.size(), 0, exprs, context), levels,
                               path.format.getFill());
  };
  SmallVector<unsigned> lookedUp;
  for (unsigned level = 0; level < levels.size(); ++level)
    if (!locates(levels[level]) && isLookedUp(level))
      lookedUp.push_back(level);
  if (lookedUp.empty()) {
    ConvertedFormat walked{formatOf(), false, {}};
    if (mayListAll(levels)) {
      levels.front() = placeLevel(context);
      walked.withPlaces = formatOf();
    }
    return walked;
  }

  // A place for each coordinate: what is stored at it, a level below says, or a mark.
  const bool toldBelow = llvm::any_of(llvm::drop_begin(levels), [](ta::LevelAttr level) {
    return !findLevelTraits(level.getName())->defaults.full;
  });
  const ta::LevelAttr places = toldBelow ? placeLevel(context) : markedPlaceLevel(context);
  const ta::LevelAttr table = tableLevel(context);
  unsigned tables = 0;
  for (unsigned level : lookedUp) {
    levels[level] = level == 0 && hasPlaces(statement, order[*dims[level].loop]) ? places : table;
    tables += levels[level] == table;
  }
  ConvertedFormat converted{formatOf(), true, {}};
  // Values below a mark for each place would take the memory of all of these.
  if (tables == 1 && levels.front() == table && (toldBelow || levels.size() == 1)) {
    levels.front() = places;
    converted.withPlaces = formatOf();
  }
  return converted;
}

ConvertedFormat convertedFormat(const IndexStatement &statement, ta::AccessOp access,
                                ArrayRef<unsigned> order, bool mayLookUp) {
  return Converted(statement, access, order, mayLookUp).format();
}

namespace {

/// The converted operands of a statement that are tables or lists now, and could be places.
class Tables {
public:
  explicit Tables(ta::ComputeOp op) : op(op) {
    for (Value input : op.getInputs())
      if (auto convert = input.getDefiningOp<ta::ConvertOp>())
        if (auto places = convert->getAttrOfType<ta::FormatAttr>(placesAttribute))
          all.push_back({convert, cast<RankedTensorType>(input.getType()), places});
  }

  bool mayBePlaces();
  void tell(bool places);

private:
  struct Table {
    ta::ConvertOp convert;
    RankedTensorType type;
    ta::FormatAttr places;
  };
  std::optional<LoopPlan> planWith(unsigned places);

  ta::ComputeOp op;
  SmallVector<Table> all;
};

} // namespace

// The loops, if those operands are places whose bits are set.
std::optional<LoopPlan> Tables::planWith(unsigned places) {
  for (auto [at, table] : llvm::enumerate(all))
    table.convert.getResult().setType(places >> at & 1 ? ta::withFormat(table.type, table.places)
                                                       : table.type);
  return planOf(IndexStatement(op));
}

// Tells whether the loops are the same whichever of the operands are places.
bool Tables::mayBePlaces() {
  constexpr size_t mostTables = 4;
  if (all.empty() || all.size() > mostTables)
    return false;
  std::optional<LoopPlan> asTables = planWith(0);
  bool same = asTables.has_value();
  for (unsigned places = 1; same && places < 1U << all.size(); ++places) {
    std::optional<LoopPlan> plan = planWith(places);
    same = plan && plan->order == asTables->order && plan->assembly == asTables->assembly &&
           plan->sweeps == asTables->sweeps && plan->rewalks == asTables->rewalks;
  }
  planWith(0);
  return same;
}

// A table becomes places in runs that find few of them, a list in all, since other tensors have as
// many in any case.
void Tables::tell(bool places) {
  for (Table &table : all) {
    const bool isTable = locates(ta::formatOf(table.type).getLevels().front());
    if (!places || !isTable)
      table.convert->removeAttr(placesAttribute);
    if (places && !isTable)
      table.convert.getResult().setType(ta::withFormat(table.type, table.places));
    if (places && isTable)
      table.convert.setReason((*table.convert.getReason() + "; or to " +
                               ta::formatName(table.places) +
                               ", where this has few places for its entries")
                                  .str());
  }
}

void offerPlaces(ta::ComputeOp op) {
  Tables tables(op);
  tables.tell(tables.mayBePlaces());
}

} // namespace strata

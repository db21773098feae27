// Chooses kernels that convert.
#include "strata/conversion/ConversionRoutes.h"

#include "strata/compile/Kernel.h"
#include "strata/conversion/Slots.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/estimate/Estimate.h"
#include "strata/estimate/Workspace.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/Phase.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

// Returns the type of rows of entries in the order of a format's dimensions, of open widths.
static RankedTensorType openRowsFor(RankedTensorType to) {
  ta::FormatAttr format = ta::formatOf(to);
  SmallVector<unsigned> dims;
  for (AffineExpr level : format.getDimToLvl().getResults())
    for (unsigned dim = 0; dim < unsigned(to.getRank()); ++dim)
      if (level.isFunctionOfDim(dim) && !llvm::is_contained(dims, dim))
        dims.push_back(dim);
  return ta::withFormat(to, ta::rowFormat(to.getContext(), dims).withFill(format.getFill()));
}

RankedTensorType rowsFor(RankedTensorType to, const Given &given) {
  return withDecidedWidths(openRowsFor(to), given.sizes, given.entries);
}

namespace {

// Which places of what is given are entries: those that do not hold the fill, or all, where the
// blocks of a matrix are copied as a whole.
enum class Places { Some, All };

// Makes the kernel of `B[i, ...] = A[i, ...]`, if what A stores is what it was given.
OwningOpRef<ModuleOp> statementOf(RankedTensorType given, RankedTensorType type, Places places) {
  ta::FormatAttr from = ta::formatOf(given), to = ta::formatOf(type);
  unsigned rank = type.getRank();
  Type element = type.getElementType();
  // A place for everything takes what is padding for what it is.
  bool drops = places == Places::Some && (from.hasPadding() || from.isFull()) && !to.isFull();
  bool repeats = from.isList() && to.isFull();
  // What is left out must not be given a slot.
  bool skips = drops && to.hasSlots();
  if (given.getElementType() != element || rank == 0 || skips || to.isList() || repeats ||
      Attribute(ta::fillOf(given)) != Attribute(ta::fillOf(type)))
    return nullptr;
  return copyKernel(dynamicType(rank, element, from), dynamicType(rank, element, to), "convert",
                    drops ? Fills::Dropped : Fills::Kept);
}

// Returns the bytes that a kernel with that plan needs: a count for every parent, for each thread
// but one; a second place for what several threads append; for each thread, what lies below one
// parent that gathers; room for all that a source with padding might hold.
double besideOf(const LoopPlan &plan, const Given &given, RankedTensorType to, bool inPhases,
                int64_t pieces, int64_t longest) {
  ta::FormatAttr format = ta::formatOf(to);
  if (plan.assembly == Assembly::Counted)
    return double(pieces - 1) * double(longest) * sizeof(int64_t);
  bool appends = llvm::any_of(format.getLevels(), [](ta::LevelAttr level) {
    return findLevelTraits(level.getName())->appends;
  });
  double bytes = 0;
  if (plan.assembly == Assembly::Gathered) {
    double values = inPhases ? 0 : strata_type_bytes(*runtimeType(to.getElementType()));
    bytes = double(pieces) * workspaceBytes(format, given.sizes, values);
  }
  if (appends && pieces > 1)
    bytes += inPhases ? patternBytes(to, given.sizes, given.entries)
                      : storageBytes(to, given.sizes, given.entries);
  else if (appends && !inPhases && ta::formatOf(given.type).hasPadding())
    bytes += storageBytes(to, given.sizes, given.entries); // room for padding, too, at first
  return bytes;
}

// Tells whether loops in order would store all of a parent's places as soon as they reach it,
// though it may have no entries, and keep them.
bool storesWhatIsReached(ta::FormatAttr format) {
  auto traits = [&](unsigned lvl) { return findLevelTraits(format.getLevels()[lvl].getName()); };
  auto retracts = [&](unsigned lvl) {
    while (lvl > 0 && ta::levelProperties(format, lvl).branchless)
      --lvl; // goes with its parent
    return traits(lvl)->retracts;
  };
  return llvm::any_of(llvm::seq<unsigned>(1, format.getLvlRank()), [&](unsigned lvl) {
    return traits(lvl)->places && traits(lvl - 1)->appends && !format.isSlot(lvl - 1) &&
           !retracts(lvl - 1);
  });
}

// Tells whether an entry may come again, and not next to itself. Then its values must be added up,
// for which a list is sorted.
bool repeatsInNoOrder(ta::FormatAttr format) {
  return ta::repeatsEntries(format) &&
         !llvm::all_of(llvm::seq(format.getLvlRank()),
                       [&](unsigned lvl) { return ta::levelProperties(format, lvl).ordered; });
}

std::optional<DirectRoute> directRoute(const Given &given, RankedTensorType to,
                                       Places places = Places::Some) {
  ta::FormatAttr format = ta::formatOf(to);
  if (repeatsInNoOrder(ta::formatOf(given.type)))
    return std::nullopt;
  DirectRoute route{statementOf(given.type, to, places)};
  if (!route.module)
    return std::nullopt;
  std::optional<SlotNumbering> numbering = slotNumbering(format);
  // A slot for each entry: what is counted (patternOfBlocks, where all places have one together).
  unsigned dims = places == Places::All ? 2 : given.sizes.size();
  if (numbering && numbering->counted.size() + 1 != dims)
    return std::nullopt;
  if (isGatheredInPhases(format)) {
    if (llvm::is_contained(given.sizes, 0))
      return std::nullopt; // not a single diagonal
    route.phases = {Phase::Pattern, Phase::Compute};
    setPhase(*route.module->getOps<func::FuncOp>().begin(), Phase::Pattern);
  }
  preferPieces(*route.module, given.sizes, given.entries);
  std::optional<LoopPlan> plan = planOfCopy(*route.module);
  if (!plan || (places == Places::Some && plan->assembly == Assembly::InOrder &&
                storesWhatIsReached(format)))
    return std::nullopt;
  int64_t longest = 1;
  for (int64_t size : given.sizes)
    longest = std::max(longest, size);
  int64_t pieces = strata_kernel_pieces(nullptr, given.entries, longest);
  // Threads share a result whose pattern is there.
  if (plan->blocks && pieces > 1 && phaseFault(format).empty())
    route.phases = {Phase::Assemble, Phase::Compute};
  if (numbering) // rows are counted, then fill their own slots
    route.beside = slotCountBytes(format, given.sizes);
  if (!numbering || plan->assembly == Assembly::Counted)
    route.beside += besideOf(*plan, given, to, route.phases.size() > 1, pieces, longest);
  return route;
}

// Adds the way from what is given to what is in between; none where that is given, whatever its
// widths.
bool addFirst(Route &route, const Given &given, bool force) {
  RankedTensorType via = route.via;
  if (ta::formatOf(given.type).withWidths(0, 0) == ta::formatOf(via).withWidths(0, 0) &&
      given.type.getElementType() == via.getElementType()) {
    route.via = given.type;
    return true;
  }
  std::optional<Route> first = routeOf(given, via, force);
  if (!first)
    return false;
  route.first = std::make_unique<Route>(std::move(*first));
  route.betweenBytes = storageBytes(via, given.sizes, given.entries);
  return true;
}

// Finds the route to a format that sorts the rows of a matrix: these are copied in that order, and
// converted to the format that has the same levels and does not sort.
std::optional<Route> sortedRoute(const Given &given, RankedTensorType decided, bool force) {
  ta::FormatAttr format = ta::formatOf(decided);
  SmallVector<unsigned> sorted = format.sortedDims();
  if (decided.getRank() != 2 || sorted.size() != 1)
    return std::nullopt;
  Route route;
  route.via = rowsFor(decided, given);
  route.between = Between::Sorts;
  if (ta::formatOf(route.via).getDimToLvl().getDimPosition(0) != sorted.front() ||
      !addFirst(route, given, force))
    return std::nullopt;
  route.made =
      ta::withFormat(decided, ta::FormatAttr::get(decided.getContext(), format.getDimToLvl(),
                                                  format.getLevels(), format.getFill()));
  std::optional<DirectRoute> last =
      directRoute({route.via, given.sizes, given.entries}, route.made);
  if (!last)
    return std::nullopt;
  route.last = std::move(*last);
  // The rows once more; of each how long it is, where it begins before and after, and its order.
  constexpr double bytesOfRow = 6 * sizeof(int64_t);
  route.last.beside += storageBytes(route.via, given.sizes, given.entries) +
                       bytesOfRow * double(given.sizes[sorted.front()]);
  return route;
}

// Returns the format of rows of the blocks that a matrix stores, each with all its places; null if
// it stores none, or rows of them itself. The numbers of blocks have a dense and a compressed
// level, the places in a block dense ones, below the numbers: elsewhere (`i mod 2` outermost) not
// all of a block's places need be there.
ta::FormatAttr blockRowsOf(ta::FormatAttr format) {
  SmallVector<AffineExpr> numbers, inner;
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults())) {
    if (format.isSlot(lvl))
      continue;
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    bool inside = expr.getKind() == AffineExprKind::Mod;
    if (traits.computed || (inside && !traits.defaults.full) || (!inside && !inner.empty()))
      return {};
    (inside ? inner : numbers).push_back(expr);
  }
  if (inner.empty() || numbers.size() != 2)
    return {};
  MLIRContext *context = format.getContext();
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, numbers.size()));
  SmallVector<ta::LevelAttr> levels(ta::rowFormat(context, order).getLevels());
  ta::FormatAttr dense = ta::denseFormat(context, inner.size());
  llvm::append_range(levels, dense.getLevels());
  llvm::append_range(numbers, inner);
  auto rows = ta::FormatAttr::get(
      context, AffineMap::get(format.getDimToLvl().getNumDims(), 0, numbers, context), levels,
      format.getFill());
  return rows.withWidths(0, 0) == format.withWidths(0, 0) ? ta::FormatAttr() : rows;
}

// Returns a format in terms of the levels of another one, if each of its levels is one of these or
// a slot that counts some.
ta::FormatAttr inLevelsOf(ta::FormatAttr other, ta::FormatAttr format) {
  MLIRContext *context = format.getContext();
  ArrayRef<AffineExpr> known = other.getDimToLvl().getResults();
  bool all = true;
  auto levelOf = [&](AffineExpr expr) {
    const auto *at = llvm::find(known, expr);
    all &= at != known.end();
    return getAffineDimExpr(at - known.begin(), context);
  };
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : format.getDimToLvl().getResults())
    exprs.push_back(ta::isSlot(expr)
                        ? ta::slotOf(llvm::map_to_vector(ta::countedBy(expr), levelOf), context)
                        : levelOf(expr));
  if (!all)
    return {};
  return ta::FormatAttr::get(context,
                             AffineMap::get(known.size(), ta::symbolsIn(exprs), exprs, context),
                             format.getLevels(), format.getFill());
}

// Copies whole blocks between formats that have the same ones: the levels of `from` are taken for
// dimensions.
std::optional<Route> levelRoute(const Given &from, RankedTensorType decided) {
  ta::FormatAttr own = ta::formatOf(from.type);
  ta::FormatAttr format = inLevelsOf(own, ta::formatOf(decided));
  if (!format || from.type.getElementType() != decided.getElementType())
    return std::nullopt;
  Route route;
  route.via = from.type;
  route.between = Between::Levels;
  route.made = dynamicType(own.getLvlRank(), decided.getElementType(), format);
  Given levels{dynamicType(own.getLvlRank(), decided.getElementType(), own.levelSpace()),
               levelSizes(own, from.sizes), from.entries};
  std::optional<DirectRoute> last = directRoute(levels, route.made, Places::All);
  if (!last)
    return std::nullopt;
  route.last = std::move(*last);
  return route;
}

// Finds the route to blocks that are listed or have slots: via rows of blocks. What `mayGrow` too
// much must have slots, which are counted before.
std::optional<Route> routeToBlocks(const Given &given, RankedTensorType decided, bool force,
                                   bool mayGrow) {
  ta::FormatAttr rows = blockRowsOf(ta::formatOf(decided));
  if (!rows)
    return std::nullopt;
  ta::FormatAttr format = inLevelsOf(rows, ta::formatOf(decided));
  if (!format || (mayGrow && !slotNumbering(format)))
    return std::nullopt;
  Route toRows;
  toRows.via = withDecidedWidths(ta::withFormat(decided, rows), given.sizes, given.entries);
  if (!addFirst(toRows, given, force))
    return std::nullopt;
  std::optional<Route> route = levelRoute({toRows.via, given.sizes, given.entries}, decided);
  if (!route)
    return std::nullopt;
  route->first = std::move(toRows.first);
  route->betweenBytes = toRows.betweenBytes;
  return route;
}

// Finds the route from blocks that are listed to rows of the same blocks.
std::optional<Route> routeFromBlocks(const Given &given, RankedTensorType decided) {
  ta::FormatAttr own = ta::formatOf(given.type), rows = blockRowsOf(own);
  if (!rows || own.hasSlots() || !own.getWindows().empty() ||
      ta::formatOf(decided).withWidths(0, 0) != rows.withWidths(0, 0))
    return std::nullopt;
  // As many blocks as there are, each with all its places.
  double places = 1;
  for (auto [lvl, extent] : llvm::enumerate(levelExtents(own, given.sizes)))
    places *= lvl < 2 ? 1 : double(std::max<int64_t>(extent.extent, 1));
  const auto blocks = int64_t(double(given.entries) / places);
  // Rows of blocks that are almost all empty cost more than a list of the entries.
  if (storageBytes(decided, given.sizes, blocks) >
      2 * storageBytes(given.type, given.sizes, blocks))
    return std::nullopt;
  return levelRoute(given, decided);
}

// Finds the route by way of rows that are made by one kernel.
std::optional<Route> rowRoute(const Given &given, RankedTensorType decided) {
  Route route;
  route.via = rowsFor(decided, given);
  if (canGrow(route.via, given.sizes, given.entries))
    return std::nullopt;
  std::optional<DirectRoute> first = directRoute(given, route.via);
  if (!first)
    return std::nullopt;
  std::optional<DirectRoute> last = directRoute({route.via, given.sizes, given.entries}, decided);
  if (!last)
    return std::nullopt;
  route.first = std::make_unique<Route>();
  route.first->last = std::move(*first);
  route.last = std::move(*last);
  route.betweenBytes = storageBytes(route.via, given.sizes, given.entries);
  return route;
}

} // namespace

TensorValue patternOfBlocks(const TensorValue &blockRows) {
  ta::FormatAttr format = blockRows.format();
  auto pattern = ta::FormatAttr::get(format.getContext(),
                                     AffineMap::getMultiDimIdentityMap(2, format.getContext()),
                                     format.getLevels().take_front(2), format.getFill());
  RankedTensorType type = dynamicType(2, blockRows.type.getElementType(), pattern);
  std::vector<int64_t> sizes = levelSizes(format, blockRows.sizes());
  sizes.resize(2);
  auto storage = std::make_shared<runtime::Storage>(sizes, bufferTypes(type));
  int64_t blocks = blockRows.storage->buffer(1).count;
  for (int64_t at = 0; at < storage->bufferCount(); ++at) {
    const strata_buffer &buffer = blockRows.storage->buffer(at);
    storage->adopt(at, buffer.data, at == 2 ? blocks : buffer.count, strata_type(buffer.type));
  }
  return {type, storage, nullptr};
}

std::optional<Route> routeOf(const Given &given, RankedTensorType decided, bool force) {
  if (ta::sumOf(given.type) || ta::sumOf(decided))
    return std::nullopt;
  ta::FormatAttr format = ta::formatOf(decided);
  if (!format.getWindows().empty())
    return sortedRoute(given, decided, force);
  // How many slots or diagonals there are is counted before.
  bool mayGrow = !force && !slotNumbering(format) && !isGatheredInPhases(format) &&
                 canGrow(decided, given.sizes, given.entries);
  if (!mayGrow)
    if (std::optional<DirectRoute> direct = directRoute(given, decided)) {
      Route route;
      route.last = std::move(*direct);
      return route;
    }
  if (decided.getRank() < 2)
    return std::nullopt;
  if (std::optional<Route> blocks = routeToBlocks(given, decided, force, mayGrow))
    return blocks;
  if (mayGrow)
    return std::nullopt;
  if (std::optional<Route> blocks = routeFromBlocks(given, decided))
    return blocks;
  return rowRoute(given, decided);
}

std::optional<KernelAhead> kernelAhead(RankedTensorType from, RankedTensorType to) {
  if (ta::sumOf(from) || ta::sumOf(to))
    return std::nullopt;
  ta::FormatAttr format = ta::formatOf(to);
  // Slots are counted before; how many diagonals there are, and the order of rows, is not.
  std::optional<SlotNumbering> numbering = slotNumbering(format);
  bool counts = numbering && numbering->counted.size() + 1 == size_t(to.getRank());
  if (!format.getWindows().empty() || (format.hasSlots() && !counts) ||
      isGatheredInPhases(format) || repeatsInNoOrder(ta::formatOf(from)))
    return std::nullopt;
  KernelAhead kernel{statementOf(from, to, Places::Some), {}, {}};
  if (!kernel.module)
    return std::nullopt;
  prefer(*kernel.module->getOps<func::FuncOp>().begin(), Policy::Counted);
  std::optional<LoopPlan> plan = planOfCopy(*kernel.module);
  if (!plan || (plan->assembly == Assembly::InOrder && storesWhatIsReached(format)))
    return std::nullopt;
  if (numbering) {
    kernel.counted.append(numbering->counted.begin(), numbering->counted.end());
    kernel.counting = countingKernel(
        dynamicType(to.getRank(), from.getElementType(), ta::formatOf(from)), kernel.counted);
  }
  return kernel;
}

RankedTensorType rowsAhead(RankedTensorType to) {
  if (ta::sumOf(to) || to.getRank() < 2)
    return {};
  ta::FormatAttr format = ta::formatOf(to);
  RankedTensorType rows = openRowsFor(to);
  unsigned row = ta::formatOf(rows).getDimToLvl().getDimPosition(0);
  auto holdsRows = [&](unsigned lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    return traits.defaults.full && format.getDimToLvl().getResult(lvl).isFunctionOfDim(row);
  };
  bool holds = llvm::any_of(llvm::seq(format.getLvlRank()), holdsRows);
  return holds && format.withWidths(0, 0) != ta::formatOf(rows) ? rows : RankedTensorType();
}

std::string describe(const Route &route) {
  static constexpr const char *numbers[] = {"one kernel", "two kernels", "three kernels"};
  int64_t kernels = route.kernels();
  std::string how = "by " + (kernels <= 3 ? numbers[kernels - 1] : counted(kernels, "kernel"));
  if (route.between == Between::Sorts)
    return how + ", via sorted rows";
  if (route.first)
    how += ", via " + ta::formatName(ta::formatOf(route.via));
  return how;
}

} // namespace strata

// Numbers the variables of a statement and collects its accesses.
#include "strata/lower/analysis/IndexStatement.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/ResultOrder.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

static ta::FormatAttr resultFormat(ta::ComputeOp op) {
  return ta::formatOf(cast<RankedTensorType>(op.getResult().getType()));
}

IndexStatement::IndexStatement(ta::ComputeOp op)
    : op(op), result(resultFormat(op), op.getOutMap()) {
  number(op.getVariables(), op.getExtents(), op.getNames(), ta::ReduceOp());
  op.getBody().walk<WalkOrder::PreOrder>([&](ta::ReduceOp reduce) {
    number(reduce.getVariables(), reduce.getExtents(), reduce.getNames(), reduce);
  });
  op.getBody().walk([&](ta::AccessOp access) {
    auto type = cast<RankedTensorType>(access.getTensor().getType());
    accesses.insert(
        {access.getOperation(),
         AccessPath(ta::formatOf(type), placeOf(access.getMap(), access.getIndices()))});
  });
  result = AccessPath(resultFormat(op), resultPlace());
}

void IndexStatement::number(Block::BlockArgListType arguments, ValueRange extents,
                            std::optional<ArrayAttr> names, ta::ReduceOp reduction) {
  for (auto [at, argument, extent] : llvm::enumerate(arguments, extents)) {
    std::string name = "i" + std::to_string(variables.size());
    if (names && at < names->size())
      if (auto text = dyn_cast<StringAttr>((*names)[at]))
        name = text.str();
    numbers[argument] = variables.size();
    variables.push_back({argument, extent, name, reduction});
  }
}

AffineMap IndexStatement::placeOf(AffineMap map, ValueRange indices) const {
  SmallVector<AffineExpr> positions;
  for (Value index : indices)
    positions.push_back(getAffineDimExpr(numberOf(index), map.getContext()));
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(expr.replaceDims(positions));
  return AffineMap::get(variables.size(), 0, results, map.getContext());
}

AffineMap IndexStatement::resultPlace() const {
  return placeOf(op.getOutMap(), ValueRange(op.getVariables()));
}

llvm::SmallBitVector IndexStatement::freeVariables(Value value) const {
  llvm::SmallBitVector free(variables.size());
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *def = work.pop_back_val().getDefiningOp();
    if (!def || !op.getBody().isAncestor(def->getParentRegion()) || !seen.insert(def).second)
      continue;
    if (auto access = dyn_cast<ta::AccessOp>(def)) {
      for (Value index : access.getIndices())
        free.set(numberOf(index));
    } else if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
      llvm::SmallBitVector inner = freeVariables(reduce.getYielded());
      for (Value bound : reduce.getVariables())
        inner.reset(numberOf(bound));
      free |= inner;
    } else {
      llvm::append_range(work, def->getOperands());
    }
  }
  return free;
}

bool IndexStatement::beginsAs(ta::Combine combine) const {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return Attribute(ta::fillOf(type)) ==
         Attribute(ta::identityOf(combine, ta::valueTypeOf(type.getElementType())));
}

// Where what has no terms is missing, entries that are stored may begin as anything.
static bool storesTermsOnly(ta::ReduceOp reduce, ta::FormatAttr result) {
  if (!reduce.getMissing() || result.getLvlRank() == 0)
    return false;
  for (ta::LevelAttr level : result.getLevels())
    if (const LevelTraits &traits = *findLevelTraits(level.getName());
        traits.pads || traits.fillsGaps)
      return false;
  const LevelTraits &leaf = *findLevelTraits(result.getLevels().back().getName());
  return !leaf.places && !leaf.computed;
}

ta::ReduceOp IndexStatement::rootReduction() const {
  auto reduce = op.getYielded().getDefiningOp<ta::ReduceOp>();
  if (!reduce)
    return {};
  // A dense result can begin as anything where each place gets a sum.
  bool fillsAll = result.format.isFull() && !reduce.getMissing() && reachesWholeResult(op);
  bool accumulates = op.getInit() ? op.getCombine() == reduce.getCombine()
                                  : beginsAs(reduce.getCombine()) || fillsAll ||
                                        storesTermsOnly(reduce, result.format);
  return accumulates ? reduce : ta::ReduceOp();
}

// A term of a sum where its masks let it pass: if that changes nothing, neither does the sum change
// if they do not.
static Value termBehindMasks(Value term) {
  while (Operation *mask = term.getDefiningOp()) {
    if (!isa<ta::MaskedOp, ta::UnmaskedOp, ta::FilterOp>(mask))
      break;
    term = mask->getOperand(0);
  }
  return term;
}

namespace {

// What values are where some accesses are absent. Values are used more than once: the number of
// entries that a product goes over, in several places.
class KnownValues {
public:
  explicit KnownValues(ArrayRef<Operation *> absent) : absent(absent) {}

  ta::Known of(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return {};
    if (auto found = known.find(value); found != known.end())
      return found->second;
    ta::Known made = ofOperation(def);
    known[value] = made;
    return made;
  }

private:
  ta::Known ofAbsent(ta::AccessOp access) const {
    if (access.getMissing())
      return {ta::MissingAttr::get(access.getType()), true};
    return {ta::fillOf(cast<RankedTensorType>(access.getTensor().getType())), true};
  }

  ta::Known ofSum(ta::ReduceOp reduce) {
    ta::Known inner = of(reduce.getYielded());
    if (ta::isMissing(inner.value))
      return reduce.getMissing()
                 ? inner
                 : ta::Known{ta::identityOf(reduce.getCombine(), inner.value.getType()), true};
    if (!inner)
      inner = of(termBehindMasks(reduce.getYielded()));
    bool nothing =
        inner && Attribute(inner.value) ==
                     Attribute(ta::identityOf(reduce.getCombine(), inner.value.getType()));
    if (nothing && inner.absent && reduce.getMissing())
      return {ta::MissingAttr::get(inner.value.getType()), true};
    return nothing ? ta::Known{inner.value, true} : ta::Known();
  }

  ta::Known ofOperation(Operation *def) {
    if (llvm::is_contained(absent, def))
      return ofAbsent(cast<ta::AccessOp>(def));
    if (auto reduce = dyn_cast<ta::ReduceOp>(def))
      return ofSum(reduce);
    if (TypedAttr constant = ta::constantOf(def))
      return {constant};
    if (isa<ta::AccessOp>(def))
      return {};
    SmallVector<ta::Known> operands;
    for (Value operand : def->getOperands())
      operands.push_back(of(operand));
    Value same;
    return ta::foldElement(def, operands, same);
  }

  ArrayRef<Operation *> absent;
  DenseMap<Value, ta::Known> known;
};

} // namespace

ta::Known IndexStatement::knownWithout(Value value, ArrayRef<Operation *> absent) {
  return KnownValues(absent).of(value);
}

bool IndexStatement::addsNothingWithout(Value value, ta::Combine combine,
                                        ArrayRef<Operation *> absent) {
  TypedAttr known = knownWithout(value, absent).value;
  return known && (ta::isMissing(known) ||
                   Attribute(known) == Attribute(ta::identityOf(combine, known.getType())));
}

bool IndexStatement::isEssential(ArrayRef<Operation *> accesses) const {
  auto [known, isNew] = essential.try_emplace(SmallVector<Operation *>(accesses), false);
  if (isNew)
    known->second = hasNoEffectWithout(accesses);
  return known->second;
}

bool IndexStatement::hasNoEffectWithout(ArrayRef<Operation *> accesses) const {
  TypedAttr value = knownWithout(op.getYielded(), accesses).value;
  if (!value)
    return false;
  if (ta::isMissing(value))
    return true;
  if (auto combine = op.getCombine())
    return addsNothingWithout(op.getYielded(), *combine, accesses);
  return !op.getInit() &&
         Attribute(value) ==
             Attribute(ta::fillOf(cast<RankedTensorType>(op.getResult().getType())));
}

Operation *IndexStatement::soleDriver(llvm::function_ref<bool(Operation *)> converted) const {
  if (!takesAnywhere(result.format))
    return nullptr;
  ta::ReduceOp root = rootReduction();
  bool otherSums = false;
  op.getBody().walk([&](ta::ReduceOp reduce) { otherSums |= reduce != root; });
  SmallVector<Operation *> sparse, walked;
  for (const auto &[access, path] : accesses)
    if (!path.format.isFull()) {
      sparse.push_back(access);
      if (!converted(access) && !findsAnywhere(path.format))
        walked.push_back(access);
    }
  ArrayRef<Operation *> drivers = sparse.size() == 1 ? sparse : walked;
  Operation *driver = drivers.size() == 1 ? drivers.front() : nullptr;
  if (!driver || otherSums || !isEssential(driver))
    return nullptr;
  // Loops inside, over variables of another sparse operand alone, would begin again for each entry.
  for (Operation *access : sparse)
    for (unsigned variable = 0; variable < variables.size(); ++variable)
      if (accesses.find(access)->second.involves(variable) &&
          !accesses.find(driver)->second.involves(variable))
        return nullptr;
  auto access = cast<ta::AccessOp>(driver);
  ta::FormatAttr format = accesses.find(driver)->second.format;
  // Each of its dimensions is another variable, and each entry another place.
  bool plain =
      access.getMap().isPermutation() && format.getLvlRank() > 0 && !ta::repeatsEntries(format);
  return plain ? driver : nullptr;
}

bool IndexStatement::appendsResult() const {
  for (ta::LevelAttr level : result.format.getLevels())
    if (findLevelTraits(level.getName())->appends)
      return true;
  return false;
}

bool IndexStatement::listsResult() const { return result.format.isList(); }

bool IndexStatement::listsOnlyWhole(ta::ReduceOp reduce) const {
  return listsResult() && reduce.getCombine() != ta::Combine::add;
}

llvm::SmallBitVector IndexStatement::variablesAround(Operation *inner) const {
  llvm::SmallBitVector around(variables.size());
  for (Value variable : ta::ComputeOp(op).getVariables())
    around.set(numberOf(variable));
  for (auto reduce = inner->getParentOfType<ta::ReduceOp>(); reduce;
       reduce = reduce->getParentOfType<ta::ReduceOp>())
    for (Value variable : reduce.getVariables())
      around.set(numberOf(variable));
  return around;
}

namespace {

// Which index variables the coordinates of levels determine, from the first level on: as they are,
// or by the block and the place in the block.
class Determined {
public:
  // Takes the next level's; false if it says what is known, or is something else.
  bool add(AffineExpr coordinate) {
    if (auto variable = dyn_cast<AffineDimExpr>(coordinate))
      return !blocks.contains(variable.getPosition()) &&
             known.insert(variable.getPosition()).second;
    if (std::optional<VariableBlocks> quotient = blocksIn(coordinate))
      return !known.contains(quotient->variable) &&
             blocks.try_emplace(quotient->variable, quotient->size).second;
    auto remainder = dyn_cast<AffineBinaryOpExpr>(coordinate);
    if (!remainder || remainder.getKind() != AffineExprKind::Mod)
      return false;
    auto variable = dyn_cast<AffineDimExpr>(remainder.getLHS());
    auto size = dyn_cast<AffineConstantExpr>(remainder.getRHS());
    return variable && size && blocks.lookup(variable.getPosition()) == size.getValue() &&
           known.insert(variable.getPosition()).second;
  }

  // All variables of which anything is known?
  bool whole() const {
    return llvm::all_of(blocks, [&](const auto &one) { return known.contains(one.first); });
  }

private:
  llvm::SmallDenseSet<unsigned> known;
  llvm::SmallDenseMap<unsigned, int64_t> blocks; ///< of those of which the block is known: its size
};

} // namespace

// Does every entry of the result's level `counted` get a value below it, whatever is stored? Then
// the levels of operands that give the other variables their values have a place for each.
bool IndexStatement::fillsBelow(unsigned counted) const {
  if (ta::mayBeMissing(op.getYielded()))
    return false;
  llvm::SmallBitVector bound(variables.size());
  for (AffineExpr above : ArrayRef(result.coordinates).take_front(counted + 1))
    for (unsigned variable = 0; variable < bound.size(); ++variable)
      if (above.isFunctionOfDim(variable))
        bound.set(variable);
  for (const auto &[access, path] : accesses)
    for (auto [level, coordinate] : llvm::enumerate(path.coordinates))
      for (unsigned variable = 0; variable < bound.size(); ++variable)
        if (!bound.test(variable) && coordinate.isFunctionOfDim(variable) &&
            !ta::levelProperties(path.format, level).full)
          return false;
  return true;
}

std::optional<unsigned> IndexStatement::countableLevel() const {
  std::optional<unsigned> counted;
  if (countsResult())
    return counted;
  Determined determined;
  auto traitsOf = [&](unsigned level) -> const LevelTraits & {
    return *findLevelTraits(result.format.getLevels()[level].getName());
  };
  for (auto [level, expr] : llvm::enumerate(result.coordinates)) {
    const LevelTraits &traits = traitsOf(level);
    bool follows = counted && ta::levelProperties(result.format, level).branchless;
    // What is counted must come once, if it is not found again: a block does with each of its
    // entries.
    bool once = follows || determined.whole() || (counted && traitsOf(*counted).locates);
    bool isSlot = result.format.isSlot(level); // of each row an entry of its own
    if ((counted && !once) || (!isSlot && !determined.add(expr)))
      return std::nullopt;
    // An entry that has been counted cannot be taken back.
    bool opens = counted && !follows && !traitsOf(*counted).locates;
    if (opens && !fillsBelow(*counted))
      return std::nullopt;
    // Inserting must be possible twice, and before there is room below what is counted.
    if (traits.inserts && (!traits.places || counted))
      return std::nullopt;
    if (!traits.appends || follows)
      continue;
    if (counted || !traits.counts)
      return std::nullopt;
    counted = level;
  }
  return determined.whole() ? counted : std::nullopt;
}

bool IndexStatement::countsResult() const {
  // Packing has counted, or the conversion has.
  if (assumes(op->getParentOp(), Assumptions::Packs) || numbering())
    return false;
  return placesFollowEntries(result.format);
}

std::optional<unsigned> IndexStatement::gatherable() const {
  auto kernel = op->getParentOfType<func::FuncOp>();
  return gatherableLevel(result.format, kernel && phaseOf(kernel) != Phase::All);
}

std::optional<VariableNumbering> IndexStatement::numbering() const {
  return assumes(op->getParentOp(), Assumptions::Slots) ? slotNumbering(result) : std::nullopt;
}

Value copiedBy(ta::ComputeOp op) {
  Block &body = op.getBody().front();
  auto access = dyn_cast<ta::AccessOp>(body.front());
  auto yield = dyn_cast<ta::YieldOp>(body.back());
  bool copies = access && yield && std::next(body.begin(), 2) == body.end() && !op.getInit() &&
                !op.getMask() && yield.getValue() == access.getResult() &&
                op.getOutMap().isIdentity() && access.getMap().isIdentity() &&
                llvm::equal(access.getIndices(), op.getVariables());
  if (!copies || op.getKeepsFills() || op.getScheduleAttr())
    return {};
  auto from = cast<RankedTensorType>(access.getTensor().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  bool alike = from.getElementType() == to.getElementType() &&
               Attribute(ta::fillOf(from)) == Attribute(ta::fillOf(to));
  bool sums = ta::sumOf(from) || ta::sumOf(to);
  bool converts = sums || ta::formatOf(from) != ta::formatOf(to) ||
                  ta::placementOf(from) != ta::placementOf(to);
  return alike && converts ? access.getTensor() : Value();
}

// The same size, written twice?
static bool isSame(Value a, Value b) {
  if (a == b)
    return true;
  auto all = a.getDefiningOp<ta::SameSizeOp>(), others = b.getDefiningOp<ta::SameSizeOp>();
  if (all && others)
    return llvm::equal(all.getSizes(), others.getSizes(), isSame);
  auto number = a.getDefiningOp<arith::ConstantIndexOp>(),
       other = b.getDefiningOp<arith::ConstantIndexOp>();
  if (number && other)
    return number.value() == other.value();
  auto x = a.getDefiningOp<ta::DimOp>(), y = b.getDefiningOp<ta::DimOp>();
  return x && y && x.getTensor() == y.getTensor() && x.getDim() == y.getDim();
}

// The size with which a statement makes the dimension of a tensor; null if none is given.
static Value givenSize(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto placed = tensor.getDefiningOp<ta::ScatterOp>())
    return givenSize(placed.getTensor(), dim);
  if (!type.isDynamicDim(dim))
    return {};
  if (auto inside = tensor.getDefiningOp<ta::InsideOp>()) {
    ValueRange extents = inside.getExtents();
    return dim < extents.size() ? extents[dim] : inside.getSize();
  }
  const unsigned number = type.getDynamicDimIndex(dim);
  if (auto made = tensor.getDefiningOp<ta::ComputeOp>())
    return made.getSizes()[number];
  if (auto made = tensor.getDefiningOp<ta::DistributeOp>())
    return made.getSizes()[number];
  return {};
}

bool isSizeOf(Value extent, Value tensor, unsigned dim) {
  const Value given = givenSize(tensor, dim);
  if (given && isSame(given, extent))
    return true;
  if (auto same = extent.getDefiningOp<ta::SameSizeOp>())
    return llvm::any_of(same.getSizes(), [&](Value size) { return isSizeOf(size, tensor, dim); });
  if (auto of = extent.getDefiningOp<ta::DimOp>(); of && of.getTensor() == tensor)
    return of.getDim() == dim;
  if (auto convert = tensor.getDefiningOp<ta::ConvertOp>())
    return isSizeOf(extent, convert.getTensor(), dim);
  if (auto with = tensor.getDefiningOp<ta::WithValuesOp>())
    return isSizeOf(extent, with.getTensor(), dim);
  auto constant = extent.getDefiningOp<arith::ConstantIndexOp>();
  return constant && constant.value() == cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
}

bool copiesWhole(ta::ComputeOp op) {
  Value from = copiedBy(op);
  return from && llvm::all_of(llvm::enumerate(op.getExtents()), [&](auto pair) {
           return isSizeOf(pair.value(), from, pair.index()) &&
                  isSizeOf(pair.value(), op.getResult(), pair.index());
         });
}

bool convertsSum(ta::ComputeOp op) {
  Value from = copiedBy(op);
  auto isSum = [](Value value) { return bool(ta::sumOf(cast<RankedTensorType>(value.getType()))); };
  return from && (isSum(from) || isSum(op.getResult()));
}

bool isConversion(ta::ComputeOp op) { return op.getConversion() || convertsSum(op); }

bool isSparse(ta::AccessOp access) {
  return !ta::formatOf(cast<RankedTensorType>(access.getTensor().getType())).isFull();
}

} // namespace strata

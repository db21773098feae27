// Folds statements with absent operands to find the cases that matter.
#include "strata/lower/cin/MergeLattice.h"

#include "strata/lower/analysis/LeastSets.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

ta::Known knownValue(Value value, const Absence &absence, Value *same) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (auto access = dyn_cast<cin::AccessOp>(def)) {
    if (absence.accesses.contains(access))
      return {access.getMissing() ? TypedAttr(ta::MissingAttr::get(access.getType()))
                                  : ta::fillOf(access.getStorage().getType().getTensor()),
              true};
    TypedAttr held = absence.temps.lookup(access.getStorage());
    return {held, bool(held)};
  }
  if (auto truth = absence.truths.find(def); truth != absence.truths.end())
    return {IntegerAttr::get(value.getType(), truth->second)};
  if (TypedAttr constant = ta::constantOf(def))
    return {constant};
  SmallVector<ta::Known> operands;
  for (Value operand : def->getOperands())
    operands.push_back(knownValue(operand, absence));
  Value equal;
  ta::Known folded = ta::foldElement(def, operands, equal);
  if (same && !folded)
    *same = equal;
  return folded;
}

// Equal as numbers: -0.0 has no effect where 0.0 has none.
static bool sameNumber(TypedAttr a, TypedAttr b) {
  if (a == b || a.getType() != b.getType())
    return a == b;
  auto same = [](const APFloat &x, const APFloat &y) { return x == y || x.bitwiseIsEqual(y); };
  if (auto x = dyn_cast<FloatAttr>(Attribute(a)), y = dyn_cast<FloatAttr>(Attribute(b)); x && y)
    return same(x.getValue(), y.getValue());
  auto u = dyn_cast<complex::NumberAttr>(Attribute(a)),
       v = dyn_cast<complex::NumberAttr>(Attribute(b));
  return u && v && same(u.getReal(), v.getReal()) && same(u.getImag(), v.getImag());
}

// What is known of a value where its masks let it pass. One that changes nothing then changes
// nothing either way.
static ta::Known knownUnderMasks(Value value, const Absence &absence) {
  Value same;
  ta::Known known = knownValue(value, absence, &same);
  Operation *def = value.getDefiningOp();
  if (known || !def)
    return known;
  if (same)
    return knownUnderMasks(same, absence);
  if (isa<ta::MaskedOp, ta::UnmaskedOp, ta::FilterOp>(def))
    return knownUnderMasks(def->getOperand(0), absence);
  if (isa<cin::AccessOp>(def) || ta::asksPresence(def))
    return {};
  SmallVector<ta::Known> operands;
  for (Value operand : def->getOperands())
    if (!operands.emplace_back(knownUnderMasks(operand, absence)))
      return {};
  return ta::foldElement(def, operands, same);
}

static TypedAttr foldedUnderMasks(Value value, const Absence &absence) {
  return knownUnderMasks(value, absence).value;
}

bool isBehindMasks(TypedAttr number, Value value, const Absence &absence) {
  TypedAttr folded = foldedUnderMasks(value, absence);
  return folded && !ta::isMissing(folded) && sameNumber(folded, number);
}

// A constant behind masks that are there: what comes to a sum as a term, though it may change
// nothing (`A @(*,pair) B` stores products of ones).
static bool passesConstant(Value value, const Absence &absence) {
  bool masked = false;
  Operation *def = value.getDefiningOp();
  while (isa_and_present<ta::MaskedOp, ta::UnmaskedOp, ta::FilterOp>(def)) {
    masked = true;
    def = def->getOperand(0).getDefiningOp();
  }
  return masked && def && ta::constantOf(def) && !foldedValue(value, absence);
}

static bool assignsNothing(cin::AssignOp assign, const Absence &absence) {
  if (assign.getCombine() && passesConstant(assign.getYielded(), absence))
    return false;
  TypedAttr value = foldedUnderMasks(assign.getYielded(), absence);
  if (!value)
    return false;
  if (ta::isMissing(value))
    return true;
  if (auto combine = assign.getCombine())
    return sameNumber(value, ta::identityOf(*combine, value.getType()));
  return absence.built.contains(assign.getTarget()) &&
         sameNumber(value, ta::fillOf(assign.getTarget().getType().getTensor()));
}

TypedAttr valueBefore(cin::TempOp temp) {
  Type element = temp.getStorage().getType().getElementType();
  if (temp.getMissing())
    return ta::MissingAttr::get(element);
  return ta::identityOf(temp.getCombine(), element);
}

bool hasNoEffect(Block &block, Absence absence) {
  for (Operation &op : block)
    if (!hasNoEffect(&op, absence))
      return false;
  return true;
}

// Sums that have no terms are what they begin with.
static void denyIdleSums(cin::WhereOp where, Absence &absence) {
  if (hasNoEffect(where.getProducer().front(), absence))
    where.getProducer().walk([&](cin::AssignOp assign) {
      if (auto temp = assign.getTarget().getDefiningOp<cin::TempOp>())
        absence.temps[temp.getStorage()] = valueBefore(temp);
    });
}

bool hasNoEffect(Operation *statement, Absence &absence) {
  if (auto assign = dyn_cast<cin::AssignOp>(statement))
    return assignsNothing(assign, absence);
  if (auto forall = dyn_cast<cin::ForallOp>(statement))
    return hasNoEffect(forall.getBlock(), absence);
  if (auto temp = dyn_cast<cin::TempOp>(statement))
    return true;
  auto where = dyn_cast<cin::WhereOp>(statement);
  if (!where)
    return isMemoryEffectFree(statement);
  Absence inside = absence;
  denyIdleSums(where, inside);
  return hasNoEffect(where.getConsumer().front(), inside);
}

// What a body does under an absence: whether it has an effect, and which accesses have a say in it.
// Absences under which these are the same make the same body.
struct Reading {
  bool effect = false;
  llvm::SmallDenseSet<Operation *, 8> accesses;
};

// What has no say in a value may have one in whether there is any.
static void readPresence(Operation *op, const Absence &absence, Reading &reading) {
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    auto access = dyn_cast_or_null<cin::AccessOp>(def);
    if (access && access.getMissing() && !absence.accesses.contains(def))
      reading.accesses.insert(def);
    else if (def && !access)
      readPresence(def, absence, reading);
  }
}

static void readValue(Value value, const Absence &absence, Reading &reading) {
  Value same;
  Operation *def = value.getDefiningOp();
  bool folds = bool(foldedValue(value, absence, &same));
  if ((folds || same) && def && !isa<cin::AccessOp>(def) && !ta::asksPresence(def))
    readPresence(def, absence, reading);
  if (folds)
    return;
  if (same)
    return readValue(same, absence, reading);
  if (isa_and_nonnull<cin::AccessOp>(def))
    reading.accesses.insert(def);
  else if (def)
    for (Value operand : def->getOperands())
      readValue(operand, absence, reading);
}

static void readBlock(Block &block, Absence absence, Reading &reading) {
  for (Operation &op : block) {
    Absence before = absence;
    if (hasNoEffect(&op, before))
      continue;
    if (auto assign = dyn_cast<cin::AssignOp>(op)) {
      reading.effect = true;
      readValue(assign.getYielded(), absence, reading);
    } else if (auto forall = dyn_cast<cin::ForallOp>(op)) {
      readBlock(forall.getBlock(), absence, reading);
    } else if (auto where = dyn_cast<cin::WhereOp>(op)) {
      Absence inside = absence;
      denyIdleSums(where, inside);
      readBlock(where.getProducer().front(), absence, reading);
      readBlock(where.getConsumer().front(), inside, reading);
    }
  }
}

namespace {

// One case of presence.
struct Case {
  unsigned present;
  bool effect;
  unsigned read; ///< the groups that have a say
};

} // namespace

static Case readCase(Block &body, Absence absence, ArrayRef<SmallVector<Operation *>> groups,
                     unsigned present) {
  for (auto [at, group] : llvm::enumerate(groups))
    if (!(present >> at & 1))
      absence.accesses.insert(group.begin(), group.end());
  Reading reading;
  readBlock(body, absence, reading);
  Case result{present, reading.effect, 0};
  for (auto [at, group] : llvm::enumerate(groups))
    if (llvm::any_of(group, [&](Operation *op) { return reading.accesses.contains(op); }))
      result.read |= 1u << at;
  return result;
}

SmallVector<unsigned> leastPresences(Block &body, const Absence &absence,
                                     ArrayRef<SmallVector<Operation *>> groups) {
  return leastSets(body.getParentOp()->getLoc(), groups.size(), [&](unsigned present) {
    Absence here = absence;
    for (auto [at, group] : llvm::enumerate(groups))
      if (!(present >> at & 1))
        here.accesses.insert(group.begin(), group.end());
    return !hasNoEffect(body, here);
  });
}

unsigned decidingGroups(Block &body, const Absence &absence,
                        ArrayRef<SmallVector<Operation *>> groups) {
  return readCase(body, absence, groups, ~0u).read;
}

// Does one of the points stand for the case as well? The fullest that it contains, if that contains
// all others that it contains, and has the same body.
static bool isRedundant(const Case &c, ArrayRef<Case> points) {
  unsigned all = 0;
  const Case *fullest = nullptr;
  for (const Case &point : points)
    if ((point.present & c.present) == point.present) {
      all |= point.present;
      if (!fullest || (fullest->present & point.present) == fullest->present)
        fullest = &point;
    }
  if (!fullest)
    return !c.effect;
  return fullest->present == all && fullest->effect == c.effect && fullest->read == c.read;
}

namespace {

// Finds the sets of groups that may be points, without looking at all sets. What a body does
// depends on whether it has an effect, which all sets have that contain one of the least, and on
// the groups that have a say in it. So from a set only those are looked at that lack one of the
// latter, and from one without an effect none. The cost follows the points that there are: n + 1
// sets of a product of n operands, all sets of a sum.
class PointSearch {
public:
  PointSearch(Block &body, const Absence &absence, ArrayRef<SmallVector<Operation *>> groups)
      : body(body), absence(absence), groups(groups) {}

  SmallVector<unsigned> run() {
    SmallVector<unsigned> least = leastPresences(body, absence, groups);
    SmallVector<unsigned> open{(1u << groups.size()) - 1};
    llvm::DenseSet<unsigned> seen;
    while (!open.empty()) {
      unsigned present = open.pop_back_val();
      if (!seen.insert(present).second)
        continue;
      Case c = readCase(body, absence, groups, present);
      if (!c.effect)
        continue;
      for (unsigned enough : least)
        if ((enough & present) == enough)
          add(c.read | enough);
      for (unsigned group = 0; group < groups.size(); ++group)
        if (c.read >> group & 1)
          open.push_back(present & ~(1u << group));
    }
    return found.takeVector();
  }

private:
  // With two points their union is one.
  void add(unsigned point) {
    SmallVector<unsigned> before(found.begin(), found.end());
    if (!found.insert(point))
      return;
    for (unsigned other : before)
      if ((other | point) != other)
        add(other | point);
  }

  Block &body;
  const Absence &absence;
  ArrayRef<SmallVector<Operation *>> groups;
  llvm::SetVector<unsigned, SmallVector<unsigned>> found;
};

} // namespace

// Every set of groups may be one where more may have less effect: behind a complemented mask.
static SmallVector<unsigned> possiblePoints(Block &body, const Absence &absence,
                                            ArrayRef<SmallVector<Operation *>> groups) {
  bool complements =
      body.walk([](ta::UnmaskedOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!complements)
    return PointSearch(body, absence, groups).run();
  return llvm::to_vector(llvm::seq(0u, 1u << groups.size()));
}

llvm::SmallVector<unsigned> latticePoints(Block &body, const Absence &absence,
                                          ArrayRef<SmallVector<Operation *>> groups) {
  SmallVector<unsigned> sets = possiblePoints(body, absence, groups);
  llvm::sort(sets, [](unsigned a, unsigned b) {
    return std::pair(llvm::popcount(a), b) < std::pair(llvm::popcount(b), a);
  });
  SmallVector<Case> cases;
  for (unsigned set : sets)
    if (Case c = readCase(body, absence, groups, set); !isRedundant(c, cases))
      cases.push_back(c);
  SmallVector<unsigned> points;
  for (const Case &c : llvm::reverse(cases))
    points.push_back(c.present);
  return points;
}

} // namespace strata

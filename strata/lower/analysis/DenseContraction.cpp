// Reads loops of cin as contractions.
#include "strata/lower/analysis/DenseContraction.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/ContractionBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

std::optional<int64_t> factorOf(AffineExpr coordinate, unsigned variable) {
  if (!coordinate.isFunctionOfDim(variable))
    return 0;
  if (isa<AffineDimExpr>(coordinate))
    return 1;
  auto both = cast<AffineBinaryOpExpr>(coordinate);
  if (both.getKind() == AffineExprKind::Add) {
    std::optional<int64_t> x = factorOf(both.getLHS(), variable),
                           y = factorOf(both.getRHS(), variable);
    return x && y ? std::optional(*x + *y) : std::nullopt;
  }
  auto times = dyn_cast<AffineConstantExpr>(both.getRHS());
  if (both.getKind() != AffineExprKind::Mul || !times)
    return std::nullopt;
  std::optional<int64_t> x = factorOf(both.getLHS(), variable);
  return x ? std::optional(*x * times.getValue()) : std::nullopt;
}

bool movesWith(const DenseContraction::Place &place, unsigned variable) {
  return llvm::any_of(place.coordinates,
                      [&](AffineExpr one) { return one.isFunctionOfDim(variable); });
}

namespace {

// The operator of an operation whose result is the same in any order of its operands.
std::optional<ta::Combine> operatorOf(Operation *op) {
  using Found = std::optional<ta::Combine>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>([](auto) { return ta::Combine::add; })
      .Case<arith::MulFOp, arith::MulIOp, complex::MulOp>([](auto) { return ta::Combine::mul; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return ta::Combine::min; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return ta::Combine::max; })
      .Case<arith::MinUIOp>([](auto) { return ta::Combine::umin; })
      .Case<arith::MaxUIOp>([](auto) { return ta::Combine::umax; })
      .Default([](Operation *) { return Found(); });
}

bool isSum(ta::Combine combine) {
  return llvm::is_contained(
      {ta::Combine::add, ta::Combine::min, ta::Combine::max, ta::Combine::umin, ta::Combine::umax},
      combine);
}

bool isNumber(Type element) {
  auto number = dyn_cast<ComplexType>(element);
  Type real = number ? number.getElementType() : element;
  return real.isF64() || real.isF32() || real.isInteger(32) || real.isInteger(64);
}

class Reader {
public:
  Reader(const LoopNest &nest, cin::ForallOp head, std::string &why)
      : nest(nest), head(head), why(why) {
    head.walk([&](cin::ForallOp loop) { labels.push_back(nest.numberOf(loop.getVariable())); });
  }

  std::optional<DenseContraction> run() {
    found.outer = chainFrom(head);
    if (!checkLoops() || !readBody(found.outer.back().getBlock()) || !readStore())
      return std::nullopt;
    for (DenseContraction::Term &term : found.terms)
      if (!checkRoles(term))
        return std::nullopt;
    return found;
  }

private:
  using Place = DenseContraction::Place;
  using Term = DenseContraction::Term;

  bool refuse(const Twine &reason) {
    why = reason.str();
    return false;
  }

  bool checkLoops();
  bool checkLoop(cin::ForallOp loop);
  bool readBody(Block &body);
  void readProducer(cin::WhereOp where);
  bool readSum(cin::AssignOp assign, Term &term);
  bool readProduct(Value value, Term &term);
  bool readStore();
  bool readTerms(Value value, bool negated, SmallVector<Value> scales);
  bool readTarget();
  std::optional<Place> placeOf(cin::AccessOp access);
  bool readLevels(const AccessPath &path, Value storage, Place &place);
  bool isLinear(AffineExpr coordinate) const;
  bool checkRoles(const Term &term);

  bool isInside(Operation *op) const { return head->isProperAncestor(op); }
  bool isLabel(Value index) const {
    auto loop = dyn_cast<cin::ForallOp>(index.getParentBlock()->getParentOp());
    return loop && head->isAncestor(loop);
  }
  bool movesIn(cin::AccessOp access) const {
    return llvm::any_of(access.getIndices(), [&](Value index) { return isLabel(index); });
  }
  // The sum apart that a value reads; null of other values.
  Term *sumReadBy(Value value) {
    auto access = value.getDefiningOp<cin::AccessOp>();
    if (!access)
      return nullptr;
    for (Term &term : found.terms)
      if (term.where && sumOf(term.where) == access.getStorage())
        return &term;
    return nullptr;
  }
  bool readsSums(Value value) {
    Operation *def = value.getDefiningOp();
    return sumReadBy(value) ||
           (def && isInside(def) &&
            llvm::any_of(def->getOperands(), [&](Value operand) { return readsSums(operand); }));
  }
  static Value sumOf(cin::WhereOp where) {
    Value target;
    where.getProducer().walk([&](cin::AssignOp assign) { target = assign.getTarget(); });
    return target;
  }
  // Tells whether a value is the same for all values of the labels.
  bool isSame(Value value);

  const LoopNest &nest;
  cin::ForallOp head;
  std::string &why;
  SmallVector<unsigned> labels;              ///< numbers of the loops from `head` on
  llvm::SmallPtrSet<Operation *, 2> outside; ///< temporaries that leave the loops, or are outside
  DenseContraction found;
};

bool Reader::checkLoop(cin::ForallOp loop) {
  StringRef name = loop.getName();
  ta::MarkAttr mark = loop.getMarkAttr();
  if (mark && mark.getUnit() == ta::Unit::vector)
    return refuse("the loop over '" + name + "' is taken by vectors");
  if (mark && mark.getUnit() == ta::Unit::serial)
    return refuse("the loop over '" + name + "' is unrolled");
  if (loop.hasStrategy(ta::Strategy::temporary) || loop.hasStrategy(ta::Strategy::atomic))
    return refuse("the values of '" + name + "' write to the same places");
  if (loop.getGroup() && !loop.getLeader())
    return refuse("'" + name + "' is fused with another label");
  if (loop.getCollapsed() || loop.getAccumulates() || loop.getLeader() || loop.getChunks())
    return refuse("the loop over '" + name + "' goes through the entries of an operand");
  const bool cutInside = loop.getPart() && isLabel(loop.getPart());
  if ((loop.isOfParts() && !loop.getPart()) || cutInside)
    return refuse("'" + name + "' is split: the blocks are made by the contraction itself");
  if (loop.getBlocks())
    return refuse("the loop over '" + name + "' runs in blocks, as the result is stored");
  if (!loop.getLocating().empty() || loop.getGallop())
    return refuse("the loop over '" + name + "' looks operands up");
  return true;
}

bool Reader::checkLoops() {
  for (auto loop = head->getParentOfType<cin::ForallOp>(); loop;
       loop = loop->getParentOfType<cin::ForallOp>())
    if (loop.hasStrategy(ta::Strategy::temporary) || loop.hasStrategy(ta::Strategy::atomic))
      return refuse("the values of '" + loop.getName() + "' write to the same places");
  bool plain = true;
  head.walk([&](cin::ForallOp loop) { plain = plain && checkLoop(loop); });
  return plain;
}

// Sums apart, one around the other's consumer, and the assignment of what is made of them.
bool Reader::readBody(Block &body) {
  cin::WhereOp where;
  for (Operation &op : body) {
    if (auto assign = dyn_cast<cin::AssignOp>(op); assign && llvm::hasSingleElement(body)) {
      found.store = assign;
      return true;
    }
    if (auto temp = dyn_cast<cin::TempOp>(op); temp && temp.getExtents().empty() && !where)
      continue;
    auto one = dyn_cast<cin::WhereOp>(op);
    if (!one || where)
      return refuse("the loops do more than store sums of products");
    where = one;
  }
  if (!where)
    return refuse("the loops store nothing");
  readProducer(where);
  return readBody(where.getConsumer().front());
}

// A sum that is no contraction is one of the other terms. One that needs none of the labels leaves
// the loops.
void Reader::readProducer(cin::WhereOp where) {
  bool same = true;
  where.getProducer().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      for (cin::ForallOp loop : found.outer)
        same &= operand != loop.getVariable();
    auto access = dyn_cast<cin::AccessOp>(op);
    auto temp = access ? access.getStorage().getDefiningOp<cin::TempOp>() : cin::TempOp();
    same &= !temp || !isInside(temp) || where->isAncestor(temp) || outside.contains(temp);
  });
  Block &producer = where.getProducer().front();
  if (same) {
    where.getProducer().walk([&](cin::AssignOp assign) {
      if (auto temp = assign.getTarget().getDefiningOp<cin::TempOp>())
        outside.insert(temp);
    });
    return;
  }
  auto first = dyn_cast<cin::ForallOp>(producer.front());
  if (!first || !llvm::hasSingleElement(producer))
    return;
  Term term;
  term.where = where;
  SmallVector<cin::ForallOp> chain = chainFrom(first);
  llvm::append_range(term.loops, found.outer);
  llvm::append_range(term.loops, chain);
  Block &innermost = chain.back().getBlock();
  auto assign = dyn_cast<cin::AssignOp>(innermost.front());
  if (!assign || !llvm::hasSingleElement(innermost))
    return;
  auto temp = assign.getTarget().getDefiningOp<cin::TempOp>();
  if (!temp || temp.getMissing() || !temp.getExtents().empty() || !isInside(temp) ||
      llvm::count_if(temp.getStorage().getUsers(), llvm::IsaPred<cin::AccessOp>) != 1)
    return;
  if (readSum(assign, term))
    found.terms.push_back(std::move(term));
}

bool Reader::readSum(cin::AssignOp assign, Term &term) {
  std::optional<ta::Combine> sums = assign.getCombine();
  Type element = assign.getYielded().getType();
  if (!sums || !isSum(*sums) || assign.getMissing())
    return refuse("what is summed up is no sum, nor a least or greatest value");
  if (!isNumber(element))
    return refuse("numbers have 32 or 64 bits each");
  if (!found.terms.empty() && (found.sums != *sums || found.element != element))
    return refuse("the sums are of several kinds");
  found.sums = *sums;
  found.element = element;
  return readProduct(assign.getYielded(), term);
}

bool Reader::isSame(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || !isInside(def))
    return true;
  if (ta::asksPresence(def))
    return false;
  auto access = dyn_cast<cin::AccessOp>(def);
  if (!access)
    return llvm::all_of(def->getOperands(), [&](Value operand) { return isSame(operand); });
  auto temp = access.getStorage().getDefiningOp<cin::TempOp>();
  if (temp && isInside(temp) && !outside.contains(temp))
    return false;
  return !access.getMissing() && !movesIn(access);
}

// Tells of what an element is read, also of a type with fewer bits than it is multiplied in.
static cin::AccessOp accessOf(Operation *op) {
  if (auto wide = dyn_cast_or_null<arith::ExtFOp>(op))
    op = wide.getIn().getDefiningOp();
  return dyn_cast_or_null<cin::AccessOp>(op);
}

bool Reader::readProduct(Value value, Term &term) {
  SmallVector<Value> factors{value};
  SmallVector<Place> operands;
  std::optional<ta::Combine> products;
  while (!factors.empty()) {
    Value factor = factors.pop_back_val();
    Operation *op = factor.getDefiningOp();
    if (isSame(factor)) {
      term.scales.push_back(factor);
    } else if (Value other = ta::negatedBy(op)) {
      term.negates = !term.negates;
      factors.push_back(other);
    } else if (cin::AccessOp access = accessOf(op)) {
      if (factor.getType() != found.element || access.getMissing())
        return refuse(ta::quotedNameOf(access.getStorage()) + " has elements of another type");
      std::optional<Place> place = placeOf(access);
      if (!place)
        return false;
      operands.push_back(*place);
    } else if (std::optional<ta::Combine> times = operatorOf(op);
               times && (!products || products == times)) {
      products = times;
      factors.push_back(op->getOperand(1));
      factors.push_back(op->getOperand(0));
    } else {
      return refuse("what is summed up is no product of two tensors");
    }
  }
  if (operands.size() != 2 || !products)
    return refuse("what is summed up is a product of " + Twine(operands.size()) +
                  (operands.size() == 1 ? " tensor, not of two" : " tensors, not of two"));
  term.products = *products;
  term.operands[DenseContraction::left] = operands[0];
  term.operands[DenseContraction::right] = operands[1];
  bool isRing = found.sums == ta::Combine::add && *products == ta::Combine::mul;
  if (*products == found.sums || (!isRing && (!term.scales.empty() || term.negates)))
    return refuse("the operators are those of no semiring");
  return true;
}

bool Reader::isLinear(AffineExpr coordinate) const {
  return llvm::all_of(labels, [&](unsigned label) {
    std::optional<int64_t> factor = factorOf(coordinate, label);
    return factor && *factor >= 0;
  });
}

std::optional<DenseContraction::Place> Reader::placeOf(cin::AccessOp access) {
  Place place;
  place.storage = access.getStorage();
  if (auto temp = place.storage.getDefiningOp<cin::TempOp>()) {
    AffineMap map = nest.placeOf(access.getMap(), access.getIndices());
    llvm::append_range(place.coordinates, map.getResults());
    if (isInside(temp) ||
        !llvm::all_of(place.coordinates, [&](AffineExpr one) { return isLinear(one); })) {
      refuse("a temporary of the loops is a factor");
      return std::nullopt;
    }
    return place;
  }
  place.access = nest.numberOfAccess(access);
  if (!readLevels(nest.accesses[*place.access].path, place.storage, place))
    return std::nullopt;
  return place;
}

bool Reader::readLevels(const AccessPath &path, Value storage, Place &place) {
  std::string name = ta::quotedNameOf(storage);
  auto moves = [&](unsigned level) {
    return llvm::any_of(labels, [&](unsigned label) { return path.depends(level, label); });
  };
  unsigned levels = path.coordinates.size();
  while (place.firstLevel < levels && !moves(place.firstLevel))
    ++place.firstLevel;
  if (!path.ranks.empty() || !path.format.getWindows().empty())
    return refuse(name + " is sorted, or a part of a larger tensor");
  for (unsigned level = place.firstLevel; level < levels; ++level) {
    if (path.format.isSlot(level) || !ta::hasPlacesOnly(path.format, level))
      return refuse(name + " is sparse: it has no place for each value of the labels");
    if (!isLinear(path.coordinates[level]))
      return refuse(name + " is stored in blocks that the loops do not follow");
    place.coordinates.push_back(path.coordinates[level]);
  }
  return true;
}

bool Reader::readTarget() {
  cin::AssignOp store = found.store;
  found.target.storage = store.getTarget();
  if (auto temp = store.getTarget().getDefiningOp<cin::TempOp>()) {
    AffineMap map = nest.placeOf(store.getMap(), store.getIndices());
    llvm::append_range(found.target.coordinates, map.getResults());
    if (isInside(temp) || temp.getExtents().empty() ||
        !llvm::all_of(found.target.coordinates, [&](AffineExpr one) { return isLinear(one); }))
      return refuse("the sum is one number");
    return true;
  }
  return readLevels(nest.resultPath(), found.target.storage, found.target);
}

// The terms of a value, each of them with the factors that multiply it.
bool Reader::readTerms(Value value, bool negated, SmallVector<Value> scales) {
  if (Term *term = sumReadBy(value)) {
    term->negates ^= negated;
    llvm::append_range(term->scales, scales);
    return true;
  }
  if (!readsSums(value)) {
    found.hasRest = true;
    return true;
  }
  Operation *op = value.getDefiningOp();
  std::optional<ta::Combine> combine = operatorOf(op);
  if (combine == ta::Combine::add)
    return readTerms(op->getOperand(0), negated, scales) &&
           readTerms(op->getOperand(1), negated, scales);
  if (isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(op) && !ta::negatedBy(op))
    return readTerms(op->getOperand(0), negated, scales) &&
           readTerms(op->getOperand(1), !negated, scales);
  if (Value other = ta::negatedBy(op))
    return readTerms(other, !negated, scales);
  if (combine == ta::Combine::mul)
    for (unsigned side : {0, 1})
      if (isSame(op->getOperand(1 - side)) && !readsSums(op->getOperand(1 - side))) {
        scales.push_back(op->getOperand(1 - side));
        return readTerms(op->getOperand(side), negated, scales);
      }
  return refuse("something is done with the sum: compute it before, by precompute");
}

bool Reader::readStore() {
  cin::AssignOp store = found.store;
  if (store.getTarget().getDefiningOp<cin::TempOp>() == nullptr && store != nest.result)
    return refuse("the loops store nothing of the result");
  if (found.terms.empty() && found.outer.back()->isAncestor(store) &&
      store->getParentOp() == found.outer.back()) {
    Term term;
    term.loops = found.outer;
    if (!readSum(store, term))
      return false;
    found.terms.push_back(std::move(term));
    return readTarget();
  }
  if (found.terms.empty())
    return why.empty() ? refuse("the loops make no sum of products") : false;
  if (!readTarget())
    return false;
  if (store.getYielded().getType() != found.element || store.getMissing() ||
      (store.getCombine() && store.getCombine() != found.sums))
    return refuse("the sums are stored as something else");
  if (!readTerms(store.getYielded(), false, {}))
    return false;
  bool isRing = found.sums == ta::Combine::add && llvm::all_of(found.terms, [](const Term &term) {
                  return term.products == ta::Combine::mul;
                });
  bool isPlain = !found.hasRest && found.terms.size() == 1 && found.terms[0].scales.empty() &&
                 !found.terms[0].negates;
  if (!isRing && !isPlain)
    return refuse("the operators are those of no semiring");
  // A later sum would take the place of an earlier one, and another term would be added again.
  for (cin::ForallOp loop : found.outer)
    if (!movesWith(found.target, nest.numberOf(loop.getVariable())) &&
        (!store.getCombine() || found.hasRest || found.terms.size() > 1))
      return refuse("the loop over '" + loop.getName() + "' sums up around what is stored");
  return true;
}

bool Reader::checkRoles(const Term &term) {
  bool row = false, column = false, summed = false;
  for (cin::ForallOp loop : term.loops) {
    unsigned variable = nest.numberOf(loop.getVariable());
    bool inLeft = movesWith(term.operands[DenseContraction::left], variable);
    bool inRight = movesWith(term.operands[DenseContraction::right], variable);
    bool inResult = movesWith(found.target, variable);
    if (inLeft + inRight + inResult < 2)
      return refuse("the loop over '" + loop.getName() + "' moves in " +
                    (inLeft || inRight ? "one factor alone"
                     : inResult        ? "neither factor"
                                       : "none of the tensors"));
    summed |= !inResult;
    row |= inResult && !inRight;
    column |= inResult && !inLeft;
  }
  if (!summed)
    return refuse("no label is summed");
  if (!row || !column)
    return refuse("one factor is a vector to the other: it has no label of the result for itself");
  for (const Place &operand : term.operands)
    if (operand.storage == found.target.storage)
      return refuse(ta::quotedNameOf(operand.storage) + " is a factor of its own elements");
  return true;
}

} // namespace

std::optional<DenseContraction> DenseContraction::match(const LoopNest &nest, cin::ForallOp head,
                                                        std::string &why) {
  why.clear();
  return Reader(nest, head, why).run();
}

SmallVector<cin::ForallOp> DenseContraction::loops() const {
  SmallVector<cin::ForallOp> all(outer);
  for (const Term &term : terms)
    for (cin::ForallOp loop : term.loops)
      if (!llvm::is_contained(all, loop))
        all.push_back(loop);
  return all;
}

void DenseContraction::mark() const {
  for (cin::ForallOp loop : loops())
    loop.setContracted(true);
}

bool DenseContraction::isMarked() const {
  return llvm::all_of(loops(), [](cin::ForallOp loop) { return loop.getContracted(); });
}

bool mayBeLarge(const DenseContraction &contraction) {
  bool inLoops = bool(contraction.outer.front()->getParentOfType<cin::ForallOp>());
  int64_t least = inLoops                                 ? leastContraction.productsInLoops
                  : isa<ComplexType>(contraction.element) ? leastContraction.complexProducts
                                                          : leastContraction.products;
  return llvm::any_of(contraction.terms, [&](const DenseContraction::Term &term) {
    double products = 1;
    for (cin::ForallOp loop : ArrayRef(term.loops).drop_front(inLoops)) {
      std::optional<int64_t> size = loop.getPartSize() ? std::optional<int64_t>(loop.getPartSize())
                                                       : getConstantIntValue(loop.getExtent());
      products *= size ? double(*size) : double(least);
    }
    return products >= double(least);
  });
}

} // namespace strata

// Masks, and what emptied places hold, become operations of a statement's region.
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/lower/Passes.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/RenewResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_LOWERMASKS
#include "strata/lower/Passes.h.inc"

namespace {

bool isConstant(Value value) {
  Operation *def = value.getDefiningOp();
  return def && ta::constantOf(def);
}

// Equal as numbers, zeros of either sign too.
bool isSame(TypedAttr a, TypedAttr b) {
  auto isZero = [](TypedAttr value) {
    auto real = dyn_cast<FloatAttr>(Attribute(value));
    return real && real.getValue().isZero();
  };
  return a == b || (a.getType() == b.getType() && isZero(a) && isZero(b));
}

// The reduction that a statement's value is, but for operations on that value alone.
struct Sum {
  ta::ReduceOp reduce;
  bool plain;     ///< the value is the reduction itself
  TypedAttr none; ///< the statement's value where the reduction has no terms
};

// A sum without terms counts as absent.
TypedAttr withoutTerms(ta::ReduceOp reduce, ArrayRef<Operation *> behind) {
  if (reduce.getMissing())
    return ta::MissingAttr::get(
        (behind.empty() ? reduce.getOperation() : behind.front())->getResult(0).getType());
  ta::Known known{ta::identityOf(reduce.getCombine(), reduce.getType()), /*absent=*/true};
  for (Operation *next : llvm::reverse(behind)) {
    SmallVector<ta::Known> operands;
    for (Value operand : next->getOperands())
      operands.push_back(isConstant(operand) ? ta::Known{ta::constantOf(operand.getDefiningOp())}
                                             : known);
    Value same;
    known = ta::foldElement(next, operands, same);
  }
  return known.value;
}

std::optional<Sum> sumOf(ta::ComputeOp op) {
  SmallVector<Operation *> behind;
  Value value = op.getYielded();
  while (Operation *def = value.getDefiningOp()) {
    if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
      TypedAttr none = withoutTerms(reduce, behind);
      return none ? std::optional(Sum{reduce, behind.empty(), none}) : std::nullopt;
    }
    if (isa<ta::AccessOp>(def) || ta::asksPresence(def))
      return std::nullopt;
    auto open = llvm::make_filter_range(def->getOperands(), [](Value v) { return !isConstant(v); });
    if (!llvm::hasSingleElement(open))
      return std::nullopt;
    behind.push_back(def);
    value = *open.begin();
  }
  return std::nullopt;
}

class Lowering {
public:
  explicit Lowering(ta::ComputeOp op)
      : op(op), type(cast<RankedTensorType>(op.getResult().getType())),
        element(ta::valueTypeOf(type.getElementType())), full(ta::formatOf(type).isFull()),
        fill(ta::fillOf(type)), empty(op.getEmptyAttr() ? op.getEmptyAttr() : fill) {}

  void run() {
    // What an update has no value for stays as it is.
    bool updates = op.getCombine() || (op.getInit() && !op.getEmptyAttr());
    if (!op.getMask())
      full ? setFull() : keepEmpty();
    else if (updates)
      update();
    else
      full ? setFull() : setSparse();
    for (StringRef word : {"mask_map", "complement", "structural", "replace", "pull"})
      op->removeAttr(word);
    op.getMaskMutable().clear();
    dropUnusedValues();
    dropUnusedInputs(op);
  }

private:
  void update();
  bool updatesEverywhere();
  void setUpdated();
  void setSparse();
  void setFull();
  void keepEmpty() {
    if (!op.getInit())
      op.removeEmptyAttr();
  }

  // ---- the mask, at the place of `b`, for variables of the left side ----
  Value readMask(OpBuilder &b, ValueRange variables);
  Value allowed(OpBuilder &b, Value value, ValueRange variables, bool opposite = false);

  // ---- the statement's own value ----
  bool isWhole() { return !op.getInit() || reachesAll(op); }
  std::optional<Sum> pushed(llvm::function_ref<bool(const Sum &)> fits);
  void maskTerms(const Sum &sum);
  void yield(llvm::function_ref<Value(OpBuilder &)> value) {
    Operation *end = op.getBlock().getTerminator();
    OpBuilder b(end);
    end->setOperand(0, value(b));
  }
  void maskValue() {
    yield([&](OpBuilder &b) { return allowed(b, op.getYielded(), op.getVariables()); });
  }

  void dropUnusedValues() {
    for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(op.getBlock())))
      if (inner.getNumResults() && inner.use_empty())
        inner.erase();
  }

  // ---- statements that come first ----
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;
  ta::ComputeOp before(RankedTensorType made, ValueRange sizes, Value init, AffineMap out,
                       StringRef reason, Body body);
  Value filled(TypedAttr value);
  Value cleared(Value init, TypedAttr value, bool masked);
  Value filtered(Value init);
  Value termsFirst(const Sum &sum);
  void addInput(Value input) {
    if (!llvm::is_contained(op.getInputs(), input))
      op.getInputsMutable().append(input);
  }

  ta::ComputeOp op;
  RankedTensorType type;
  Type element;
  bool full;
  TypedAttr fill, empty;
};

//===------------------------------------------------------------------------------------------===//
// The mask in a region
//===------------------------------------------------------------------------------------------===//

Value Lowering::readMask(OpBuilder &b, ValueRange variables) {
  auto stored = cast<RankedTensorType>(op.getMask().getType());
  Value read = ta::AccessOp::create(b, op.getLoc(), ta::valueTypeOf(stored.getElementType()),
                                    op.getMask(), variables, *op.getMaskMap(), /*missing=*/true);
  return op.getStructural() ? read : Value(ta::FilterOp::create(b, op.getLoc(), read, read));
}

// The value where the mask lets it pass; missing elsewhere, or the other way round.
Value Lowering::allowed(OpBuilder &b, Value value, ValueRange variables, bool opposite) {
  Value mask = readMask(b, variables);
  if (op.getComplement() != opposite)
    return ta::UnmaskedOp::create(b, op.getLoc(), value, mask);
  return ta::MaskedOp::create(b, op.getLoc(), value, mask);
}

// The sum that the statement's value is, where the mask may be asked at its terms: what is not
// computed there must be what places without terms are worth.
std::optional<Sum> Lowering::pushed(llvm::function_ref<bool(const Sum &)> fits) {
  if (op.getPull())
    return std::nullopt;
  std::optional<Sum> sum = sumOf(op);
  return sum && (ta::isMissing(sum->none) || fits(*sum)) ? sum : std::nullopt;
}

void Lowering::maskTerms(const Sum &sum) {
  ta::ReduceOp reduce = sum.reduce;
  Operation *end = reduce.getBlock().getTerminator();
  OpBuilder b(end);
  end->setOperand(0, allowed(b, reduce.getYielded(), op.getVariables()));
  reduce.setMissing(true);
}

//===------------------------------------------------------------------------------------------===//
// Statements that come first
//===------------------------------------------------------------------------------------------===//

ta::ComputeOp Lowering::before(RankedTensorType made, ValueRange sizes, Value init, AffineMap out,
                               StringRef reason, Body body) {
  OpBuilder b(op);
  auto first =
      ta::ComputeOp::create(b, op.getLoc(), made, op.getExtents(), op.getInputs(), sizes, init,
                            AffineMapAttr::get(out), ta::CombineAttr(), op.getNamesAttr());
  first.setReason(reason);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&first.getBody());
  for (Value variable : op.getVariables())
    block->addArgument(b.getIndexType(), variable.getLoc());
  ta::YieldOp::create(b, op.getLoc(), body(b, block->getArguments()));
  return first;
}

Value Lowering::filled(TypedAttr value) {
  OpBuilder b(op);
  return ta::FillOp::create(b, op.getLoc(), type, value, op.getSizes());
}

// The init of a full result with a value at all places that the left side reaches, or at those that
// take part.
Value Lowering::cleared(Value init, TypedAttr value, bool masked) {
  ta::ComputeOp first = before(type, op.getSizes(), init, op.getOutMap(),
                               masked ? "what the mask lets pass is emptied"
                                      : "what the statement reaches is emptied",
                               [&](OpBuilder &b, ValueRange variables) {
                                 Value constant = ta::emitConstant(b, op.getLoc(), value);
                                 return masked ? allowed(b, constant, variables) : constant;
                               });
  dropUnusedInputs(first);
  return first.getResult();
}

// The init without what takes no part.
Value Lowering::filtered(Value init) {
  bool whole = isWhole();
  Value base = !whole ? init : full && !isSame(empty, fill) ? filled(empty) : Value();
  addInput(init);
  ta::ComputeOp first =
      before(type, op.getSizes(), base, op.getOutMap(), "what the mask excludes is emptied",
             [&](OpBuilder &b, ValueRange variables) {
               Value old = ta::AccessOp::create(b, op.getLoc(), element, init, variables,
                                                op.getOutMap(), /*missing=*/!full);
               Value kept = allowed(b, old, variables);
               if (whole || !full)
                 return kept;
               Value other = ta::emitConstant(b, op.getLoc(), empty);
               return ta::UnionOp::create(b, op.getLoc(), kept, other, kept).getResult();
             });
  if (!whole && !full)
    first.setEmptyAttr(fill);
  dropUnusedInputs(first);
  return first.getResult();
}

// The sum's terms that the mask lets pass, as a tensor over the variables of the left side that
// stores what has terms.
Value Lowering::termsFirst(const Sum &sum) {
  maskTerms(sum);
  SmallVector<int64_t> shape(op.getVariables().size(), ShapedType::kDynamic);
  auto made = RankedTensorType::get(shape, type.getElementType(),
                                    partFormat(op.getOutMap(), ta::formatOf(type)));
  AffineMap out = AffineMap::getMultiDimIdentityMap(shape.size(), op.getContext());
  ta::ComputeOp first = before(made, op.getExtents(), Value(), out,
                               "a sum behind a mask, which then takes the place of what is stored",
                               [&](OpBuilder &b, ValueRange variables) {
                                 IRMapping mapping;
                                 mapping.map(op.getVariables(), variables);
                                 return cloneValue(b, op.getYielded(), mapping);
                               });
  dropUnusedInputs(first);
  return first.getResult();
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

// C op= e, and what else leaves places that it has no value for.
void Lowering::update() {
  if (Value init = op.getInit(); init && op.getReplace()) {
    Value rest = filtered(init);
    op.getInitMutable().assign(rest);
  }
  op.removeEmptyAttr();
  std::optional<ta::Combine> combine = op.getCombine();
  std::optional<Sum> sum = pushed([&](const Sum &s) {
    return combine && !op.getJoins() && isSame(s.none, ta::identityOf(*combine, element));
  });
  if (sum)
    maskTerms(*sum);
  else if (updatesEverywhere())
    setUpdated();
  else
    maskValue();
}

// Does the right side of C op= e have a value wherever the mask lets it pass, one for each place of
// a sparse C, and may an absent one change what is there? A product with what is absent is removed.
bool Lowering::updatesEverywhere() {
  return op.getCombine() && !op.getJoins() && op.getInit() && !full &&
         !isSame(ta::identityOf(*op.getCombine(), element), fill) &&
         !ta::mayBeMissing(op.getYielded()) && ta::usesAllVariables(op.getOutMap());
}

// C op= e as C = C op e.
void Lowering::setUpdated() {
  addInput(op.getInit());
  yield([&](OpBuilder &b) {
    Value old = ta::AccessOp::create(b, op.getLoc(), element, op.getInit(), op.getVariables(),
                                     op.getOutMap(), /*missing=*/false);
    return ta::emitUpdate(b, op.getLoc(), *op.getCombine(), old, op.getYielded());
  });
  op.removeCombineAttr();
  op.setEmptyAttr(fill);
  setSparse();
}

// C = e, of a result that stores what is there.
void Lowering::setSparse() {
  Value init = op.getInit();
  bool whole = isWhole(), keeps = init && !op.getReplace();
  std::optional<Sum> sum = pushed([&](const Sum &s) { return isSame(s.none, fill); });
  if (whole)
    op.getInitMutable().clear();
  if (!keeps) {
    sum ? maskTerms(*sum) : maskValue();
  } else {
    // A place on the left side must tell the variables, for its value to be found again.
    bool tells = getUnusedDimsBitVector(op.getOutMap()).none();
    Value terms = sum && tells ? termsFirst(*sum) : Value();
    addInput(init);
    if (terms)
      addInput(terms);
    yield([&](OpBuilder &b) -> Value {
      ValueRange variables = op.getVariables();
      AffineMap own = AffineMap::getMultiDimIdentityMap(variables.size(), b.getContext());
      Value now = terms ? Value(ta::AccessOp::create(b, op.getLoc(), element, terms, variables, own,
                                                     /*missing=*/true))
                        : allowed(b, op.getYielded(), variables);
      Value old = ta::AccessOp::create(b, op.getLoc(), element, init, variables, op.getOutMap(),
                                       /*missing=*/true);
      old = allowed(b, old, variables, /*opposite=*/true);
      return ta::UnionOp::create(b, op.getLoc(), old, now, now);
    });
  }
  keepEmpty();
}

// C = e, of a result that has a place for everything: the places that take part and get no value
// must hold something, too.
void Lowering::setFull() {
  op.removeEmptyAttr();
  bool masked = bool(op.getMask()), leaves = ta::mayBeMissing(op.getYielded());
  bool whole = reachesAll(op), replaces = op.getReplace() || !masked;
  if (!masked && !leaves)
    return;
  Value init = op.getInit();
  TypedAttr held = fill; // of places that take part, before they get a value; null: others
  if (replaces) {
    held = empty;
    if (whole)
      init = isSame(empty, fill) ? Value() : filled(empty);
    else
      init = cleared(init ? init : filled(fill), empty, /*masked=*/false);
  } else if (!init && leaves && !isSame(empty, fill)) {
    init = filled(fill);
  }
  bool overwrites = init && !replaces;
  std::optional<Sum> sum = pushed([&](const Sum &s) { return overwrites || isSame(s.none, held); });
  if (overwrites && (sum || leaves)) {
    held = sum && !ta::isMissing(sum->none) ? sum->none : empty;
    init = cleared(init, held, /*masked=*/true);
  }
  op.getInitMutable().clear();
  if (init)
    op.getInitMutable().assign(init);
  if (masked)
    sum ? maskTerms(*sum) : maskValue();
  // Terms are added up in place, from what is held before.
  std::optional<Sum> root = sumOf(op);
  if (init && root && root->plain && root->reduce.getMissing() &&
      isSame(held, ta::identityOf(root->reduce.getCombine(), element)))
    op.setCombine(root->reduce.getCombine());
}

struct LowerMasks : impl::LowerMasksBase<LowerMasks> {
  void runOnOperation() override {
    SmallVector<ta::ComputeOp> statements;
    getOperation().walk([&](ta::ComputeOp op) {
      if (op.getMask() || op.getEmptyAttr())
        statements.push_back(op);
    });
    for (ta::ComputeOp op : statements)
      Lowering(op).run();
  }
};

} // namespace
} // namespace strata

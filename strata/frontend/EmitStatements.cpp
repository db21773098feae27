// Statements of a program: operands, schedules, masks and bodies of ta.compute.
#include "strata/frontend/TaEmitter.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/ElementEmitter.h"
#include "strata/frontend/TaFormats.h"
#include "strata/frontend/TaSchedules.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata::frontend {

// The values of a label.
Value TaEmitter::emitLabel(const Element &element) {
  const Index &index = element.indices.front();
  const Index::Term &term = index.terms.front();
  auto type = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
  return ta::IotaOp::create(b, locate(element.range), type, index.lo, term.factor,
                            extents[term.var]);
}

// Tells whether a sparse tensor stores in rows the coordinate that a selector gives, `A(i,p(j))`.
// Then the entries of each row are gone through, and the selector says where each of them goes.
bool TaEmitter::isStoredBelowOthers(const Element &element, const Element &selector) const {
  unsigned target = selector.indices.back().terms.front().var;
  unsigned pointer = selector.indices.front().terms.front().var;
  if (element.kind == Element::Kind::Access) {
    ta::FormatAttr stored = ta::formatOf(types[element.tensor]);
    if (stored.isFull() || element.indices.size() != stored.getDimToLvl().getNumDims())
      return false;
    bool isBelow = false;
    for (AffineExpr level : stored.getDimToLvl().getResults())
      for (auto [dimension, index] : llvm::enumerate(element.indices)) {
        if (!level.isFunctionOfDim(dimension) || index.terms.size() != 1)
          continue;
        unsigned var = index.terms.front().var;
        if (var == target || var == pointer)
          return isBelow && var == target;
        isBelow = true;
      }
    return false;
  }
  return llvm::any_of(element.operands, [&](const Element::Operand &operand) {
    return isStoredBelowOthers(*operand.element, selector);
  });
}

// Where a tensor's elements point, or an index: one entry below each of its places.
Value TaEmitter::emitSelector(const Element &element) {
  unsigned order = element.indices.size();
  ast::Format format;
  format.kind = ast::Format::Kind::Levels;
  for (unsigned level = 0; level + 1 < order; ++level)
    format.words.push_back({level + 2 == order ? "CU" : "D", element.range});
  format.words.push_back({order == 1 ? "CU" : "S", element.range});
  std::string why;
  auto type =
      RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic), b.getIntegerType(8));
  bool byTarget = order == 2 && !element.inside && isStoredBelowOthers(*statement, element);
  Attribute levels = byTarget ? ta::foundRowFormat(b.getContext(), {1, 0})
                              : emitFormat(b.getContext(), format, order, ElementType::Int8, why);
  if (!levels)
    internalError("no selector has such a format: " + why);
  RankedTensorType stored = ta::withFormat(type, levels);
  if (element.inside) {
    SmallVector<Value> sizes;
    SmallVector<unsigned> dims(extents.size(), 0);
    for (const Index &index : llvm::ArrayRef(element.indices).drop_back()) {
      dims[index.terms.front().var] = sizes.size();
      sizes.push_back(extents[index.terms.front().var]);
    }
    AffineMap map = accessMap(b.getContext(), *element.inside, sizes.size(),
                              [&](unsigned var) { return dims[var]; });
    return ta::InsideOp::create(b, locate(element.range), stored, AffineMapAttr::get(map), sizes,
                                extents[element.indices.back().terms.front().var]);
  }
  return ta::OneHotOp::create(b, locate(element.range), stored, values[element.tensor],
                              extents[element.indices.back().terms.front().var]);
}

Value TaEmitter::operandOf(const Element &element) {
  if (element.kind == Element::Kind::Access)
    return values[element.tensor];
  if (element.kind == Element::Kind::Parameter)
    return made.lookup(&element);
  bool isLabel = element.kind == Element::Kind::Label;
  if (!isLabel && element.kind != Element::Kind::Selector)
    return {};
  Value &value = made[&element];
  if (!value)
    value = isLabel ? emitLabel(element) : emitSelector(element);
  return value;
}

ElementType TaEmitter::operandType(const Element &element) const {
  if (element.kind == Element::Kind::Label)
    return ElementType::Int64;
  if (element.kind == Element::Kind::Parameter)
    return numberTypes.lookup(&element);
  return element.kind == Element::Kind::Selector ? ElementType::Int8
                                                 : program.tensors[element.tensor].type;
}

// The inputs of an element that is computed in `type`.
void TaEmitter::collectInputs(const Element &element, ElementType type,
                              SmallVectorImpl<Value> &inputs) {
  if (element.kind == Element::Kind::Parameter) {
    ElementType own = numberTypes[&element] = isComplex(type) ? partOf(type) : type;
    auto scalar = RankedTensorType::get({}, emitElementType(b.getContext(), own));
    made[&element] = parameter(element.parameter, scalar, locate(element.range));
  }
  Value operand = operandOf(element);
  if (operand && !llvm::is_contained(inputs, operand))
    inputs.push_back(operand);
  for (auto [at, operand] : llvm::enumerate(element.operands)) {
    bool asked = element.kind == Element::Kind::Apply && element.op == Operator::Where && at == 0;
    collectInputs(*operand.element, asked ? ElementType::Bool : element.inner.value_or(type),
                  inputs);
  }
}

SmallVector<Value> TaEmitter::resultSizes(const Compute &compute) {
  if (!compute.updates())
    return emitSizes(compute.result, compute.sizes);
  SmallVector<Value> sizes;
  for (int64_t dimension = 0; dimension < types[compute.result].getRank(); ++dimension)
    if (types[compute.result].isDynamicDim(dimension))
      sizes.push_back(
          ta::DimOp::create(b, here(), b.getIndexType(), values[compute.result], dimension));
  return sizes;
}

// Tells whether the left side reaches no place twice. Where an extent is not known here, that is
// asked when the statement runs.
bool TaEmitter::checkPlaces(AffineMap place) {
  SmallVector<std::optional<int64_t>> sizes;
  for (Value extent : llvm::ArrayRef(extents).take_front(place.getNumDims()))
    sizes.push_back(getConstantIntValue(extent));
  if (ta::solvePlace(place).size() == sizes.size() || llvm::is_contained(sizes, std::nullopt) ||
      ta::separates(place, sizes))
    return true;
  diagnostics.error(range, "the left side may reach a place several times")
      .note("to add up what comes to one place, look it up: k[i, j] = i + j; c[k[i, j]] += ...;");
  return false;
}

void TaEmitter::emit(const Compute &compute) {
  RankedTensorType type = types[compute.result];
  SmallVector<Value> inputs;
  SmallVector<Attribute> names;
  for (const IndexVar &var : compute.vars)
    names.push_back(b.getStringAttr(var.name));
  extents.assign(compute.vars.size(), Value());
  auto follows = [&](unsigned var) { return !compute.vars[var].size.reaches.empty(); };
  for (unsigned var = 0; var < extents.size(); ++var)
    if (!follows(var))
      extents[var] = emitExtent(compute.vars[var].size);
  // A range that follows from others does so from those of later variables.
  for (unsigned var = extents.size(); var-- > 0;)
    if (follows(var))
      extents[var] = emitExtent(compute.vars[var].size);
  names.truncate(compute.numFree);
  made.clear();
  numberTypes.clear();
  statement = compute.value.get();
  collectInputs(*compute.value, compute.type, inputs);
  if (compute.mask)
    collectInputs(*compute.mask->access, compute.type, inputs);
  AffineMap map =
      accessMap(b.getContext(), compute.indices, compute.numFree, [](unsigned var) { return var; });
  if (!checkPlaces(map))
    return;
  Value init = compute.updates() ? values[compute.result] : Value(), before;
  ElementType stored = program.tensors[compute.result].type;
  ta::CombineAttr combine;
  if (init && compute.op != ast::AssignOp::Set &&
      (isHalf(stored) || updatesBits(compute.op, stored))) {
    before = init;
    if (!llvm::is_contained(inputs, before))
      inputs.push_back(before);
  } else if (init && compute.op != ast::AssignOp::Set) {
    combine = ta::CombineAttr::get(b.getContext(), combineOf(compute.op, stored));
  }
  Location loc = locateStatement(compute.result);
  SmallVector<Value> sizes = resultSizes(compute);
  if (before && compute.whole && !compute.keeps())
    init = {}; // made anew, from what it was
  auto op = ta::ComputeOp::create(b, loc, type, llvm::ArrayRef(extents).take_front(compute.numFree),
                                  inputs, sizes, init, AffineMapAttr::get(map), combine,
                                  b.getArrayAttr(names));
  op.setJoins(combine && ast::joins(compute.op) && !ta::formatOf(type).isFull());
  if (compute.mask)
    emitMask(op, *compute.mask, compute);
  if (compute.copiesDense && !ta::formatOf(type).isFull()) {
    op.setKeepsFills(compute.keepsZeros);
    op.setDropsFills(!compute.keepsZeros);
  }
  emitBody(op, compute, before);
  if (TypedAttr empty = emptyOf(op, compute))
    op.setEmptyAttr(empty);
  if (compute.schedule)
    emitScheduleOf(op, *compute.schedule);
  values[compute.result] = op.getResult();
}

void TaEmitter::emitScheduleOf(ta::ComputeOp op, const ast::Schedule &schedule) {
  llvm::SmallVector<Location> places;
  for (const ast::Command &command : schedule.commands)
    places.push_back(locate(command.name.range));
  ta::setSchedule(op, emitSchedule(b.getContext(), schedule), places);
}

ta::Combine TaEmitter::combineOf(ast::AssignOp op, ElementType type) {
  switch (op) {
  case ast::AssignOp::Set:
  case ast::AssignOp::Add:
  case ast::AssignOp::Subtract:
    return combineOf(Operator::Plus, type);
  case ast::AssignOp::Multiply:
    return combineOf(Operator::Times, type);
  case ast::AssignOp::Min:
    return combineOf(Operator::Min, type);
  case ast::AssignOp::Max:
    return combineOf(Operator::Max, type);
  case ast::AssignOp::Any:
    return ta::Combine::any;
  case ast::AssignOp::Or:
    return ta::Combine::lor;
  case ast::AssignOp::And:
    break;
  }
  return ta::Combine::land;
}

ta::Combine TaEmitter::combineOf(Operator op, ElementType type) {
  return frontend::combineOf(op, type);
}

void TaEmitter::emitMask(ta::ComputeOp op, const ComputeMask &mask, const Compute &compute) {
  op.getMaskMutable().assign(operandOf(*mask.access));
  op.setMaskMapAttr(AffineMapAttr::get(accessMap(
      b.getContext(), mask.access->indices, compute.numFree, [](unsigned var) { return var; })));
  op.setComplement(mask.complemented);
  op.setStructural(mask.structural);
  op.setReplace(mask.replace);
  op.setPull(mask.pull);
}

// Returns what places hold that are emptied; null where none are, or where they hold the fill as
// they do anyway. A result that has a place for everything then holds what adding begins with.
TypedAttr TaEmitter::emptyOf(ta::ComputeOp op, const Compute &compute) {
  if (compute.scatters)
    return {};
  RankedTensorType type = types[compute.result];
  const Element &value = *compute.value;
  TypedAttr fill = ta::fillOf(type), empty = fill;
  if (value.kind == Element::Kind::Sum && value.missing && ta::formatOf(type).isFull())
    empty = ta::identityOf(combineOf(value.op, program.tensors[compute.result].type),
                           ta::valueTypeOf(type.getElementType()));
  bool shows = Attribute(empty) != Attribute(fill);
  bool replaces = compute.mask && compute.mask->replace;
  if (compute.op != ast::AssignOp::Set)
    return replaces && (shows || !op.getCombine()) ? empty : TypedAttr();
  bool empties = compute.mask || ta::mayBeMissing(op.getYielded());
  return empties && (op.getInit() || shows) ? empty : TypedAttr();
}

// `before` is what the result holds where it is combined with here: its sums are not rounded at
// every step, its bits are not those of one reduction.
void TaEmitter::emitBody(ta::ComputeOp op, const Compute &compute, Value before) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&op.getBody());
  auto locateRange = [this](llvm::SMRange range) { return locate(range); };
  auto valueOf = [this](const Element &element) { return operandOf(element); };
  auto elementTypeOf = [this](const Element &element) { return operandType(element); };
  ElementEmitter emitter{b,
                         compute.type,
                         locateRange,
                         valueOf,
                         elementTypeOf,
                         extents,
                         compute.vars,
                         SmallVector<Value>(compute.vars.size())};
  for (unsigned var = 0; var < compute.numFree; ++var)
    emitter.values[var] = block->addArgument(b.getIndexType(), locate(compute.vars[var].range));
  Value value = emitter.emit(*compute.value);
  if (compute.op == ast::AssignOp::Subtract)
    value = ta::emitNegative(b, here(), value);
  ElementType stored = program.tensors[compute.result].type;
  if (before) {
    auto old = [&](bool missing) {
      Value read = ta::AccessOp::create(b, here(), emitValueType(b.getContext(), stored), before,
                                        op.getVariables(), op.getOutMap(), missing);
      return convertElement(b, here(), read, stored, compute.type);
    };
    if (updatesBits(compute.op, stored)) {
      Operator bits = compute.op == ast::AssignOp::Or ? Operator::BitOr : Operator::BitAnd;
      value = applyOperator(b, here(), bits, compute.type, {old(/*missing=*/false), value});
    } else {
      RankedTensorType type = types[compute.result];
      ta::Combine combine = combineOf(compute.op, stored);
      TypedAttr neutral = ta::identityOf(combine, ta::valueTypeOf(type.getElementType()));
      value = ta::emitUpdated(b, here(), combineOf(compute.op, compute.type),
                              ast::joins(compute.op) && !ta::formatOf(type).isFull(),
                              Attribute(neutral) == Attribute(ta::fillOf(type)), old, value);
    }
  }
  value = convertElement(b, here(), value, compute.type, stored);
  ta::YieldOp::create(b, here(), value);
}

} // namespace strata::frontend

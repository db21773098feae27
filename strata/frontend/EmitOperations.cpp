// Emits what is no statement: tensors that a program makes, reads, writes and prints; loops
// and branches.
#include "strata/frontend/TaEmitter.h"

#include "strata/frontend/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::frontend {

//===------------------------------------------------------------------------------------------===//
// Other operations
//===------------------------------------------------------------------------------------------===//

// A value that the format would have to store everywhere is a broadcast statement.
void TaEmitter::emit(const Fill &fill) {
  RankedTensorType type = types[fill.result];
  TypedAttr value =
      elementConstant(b.getContext(), program.tensors[fill.result].type, fill.value, fill.integer);
  Location loc = locate(fill.result);
  if (ta::formatOf(type).isFull() || Attribute(value) == Attribute(ta::fillOf(type))) {
    SmallVector<Value> sizes = emitSizes(fill.result, fill.sizes);
    values[fill.result] = ta::FillOp::create(b, loc, type, value, sizes);
    return;
  }
  Compute compute;
  compute.result = fill.result;
  compute.sizes = fill.sizes;
  ElementType stored = program.tensors[fill.result].type;
  compute.type = isHalf(stored) ? ElementType::Float : stored;
  compute.numFree = fill.sizes.size();
  for (const Size &size : fill.sizes) {
    compute.indices.push_back(Index::of(compute.vars.size()));
    compute.vars.push_back({size.name, range, size});
  }
  compute.value = std::make_unique<Element>();
  compute.value->range = range;
  compute.value->value = fill.value;
  compute.value->integer = fill.integer;
  emit(compute);
}

void TaEmitter::emit(const Random &random) {
  SmallVector<Value> sizes = emitSizes(random.result, random.sizes);
  values[random.result] =
      ta::RandomOp::create(b, locate(random.result), types[random.result], sizes,
                           b.getF64FloatAttr(random.density), b.getI64IntegerAttr(random.seed));
}

void TaEmitter::emit(const LinearAlgebra &algebra) {
  SmallVector<Value> operands;
  for (TensorId operand : algebra.operands)
    operands.push_back(values[operand]);
  values[algebra.result] = ta::DenseAlgebraOp::create(
      b, locate(algebra.result), types[algebra.result], b.getStringAttr(algebra.function), operands,
      emitSizes(algebra.result, algebra.sizes));
}

void TaEmitter::emit(const Concatenation &joined) {
  SmallVector<Value> operands;
  for (TensorId operand : joined.operands)
    operands.push_back(values[operand]);
  values[joined.result] = ta::ConcatOp::create(b, locateStatement(joined.result),
                                               types[joined.result], joined.dimension, operands);
}

void TaEmitter::emit(const Reordering &reordered) {
  IntegerAttr dim = reordered.dimension ? b.getI64IntegerAttr(*reordered.dimension) : IntegerAttr();
  values[reordered.result] = ta::LexiOrderOp::create(
      b, locate(reordered.result), types[reordered.result], values[reordered.operand], dim);
}

// The numbers as an attribute's values, and the attribute that `make` makes of them.
template <typename Make> Attribute TaEmitter::withNumbers(const Values &values, Make make) {
  ElementType type = program.tensors[values.result].type;
  SmallVector<APInt> integers;
  SmallVector<APFloat> reals;
  SmallVector<std::complex<APFloat>> complexes;
  for (auto [number, integer] : llvm::zip(values.numbers, values.integers)) {
    Attribute one = elementConstant(b.getContext(), type, number.real(), integer, number.imag());
    if (auto complex = dyn_cast<complex::NumberAttr>(one))
      complexes.emplace_back(complex.getReal(), complex.getImag());
    else if (auto real = dyn_cast<FloatAttr>(one))
      reals.push_back(real.getValue());
    else
      integers.push_back(cast<IntegerAttr>(one).getValue());
  }
  return isComplex(type)                    ? make(ArrayRef(complexes))
         : kindOf(type) == NumberKind::Real ? make(ArrayRef(reals))
                                            : make(ArrayRef(integers));
}

// The entries of a list that a sparse result stores: not its zeros.
Values TaEmitter::withoutZeros(const Values &list) {
  Values entries{list.result, false, list.sizes, {}, {}, {}};
  for (auto [at, number] : llvm::enumerate(list.numbers)) {
    if (number == 0.0)
      continue;
    SmallVector<int64_t> coordinate;
    int64_t rest = at;
    for (int64_t size : llvm::reverse(list.sizes)) {
      coordinate.push_back(rest % size);
      rest /= size;
    }
    llvm::append_range(entries.coordinates, llvm::reverse(coordinate));
    entries.numbers.push_back(number);
    entries.integers.push_back(list.integers[at]);
  }
  return entries;
}

// A constant of the sizes that are written, and the result's format.
void TaEmitter::emit(const Values &values) {
  RankedTensorType type = types[values.result];
  if (values.isList && !ta::formatOf(type).isFull() && !ta::formatOf(type).getFill())
    return emit(withoutZeros(values));
  auto fixed = RankedTensorType::get(values.sizes, type.getElementType(), type.getEncoding());
  Attribute constant;
  if (values.isList) {
    constant = withNumbers(
        values, [&](auto numbers) -> Attribute { return DenseElementsAttr::get(fixed, numbers); });
  } else {
    int64_t count = values.numbers.size();
    auto places =
        DenseElementsAttr::get(RankedTensorType::get({count, type.getRank()}, b.getI64Type()),
                               ArrayRef<int64_t>(values.coordinates));
    constant = withNumbers(values, [&](auto numbers) -> Attribute {
      auto list = RankedTensorType::get({count}, type.getElementType());
      return SparseElementsAttr::get(fixed, cast<DenseIntElementsAttr>(places),
                                     DenseElementsAttr::get(list, numbers));
    });
  }
  Location loc = locate(values.result);
  Value made = arith::ConstantOp::create(b, loc, cast<TypedAttr>(constant));
  this->values[values.result] =
      fixed == type ? made : Value(ta::ConvertOp::create(b, loc, type, made, StringAttr()));
}

void TaEmitter::emit(const Stencil &stencil) {
  values[stencil.result] =
      ta::StencilOp::create(b, locate(stencil.result), types[stencil.result], stencil.points);
}

void TaEmitter::emit(const Read &read) {
  auto op = ta::ReadOp::create(b, locate(read.result), types[read.result],
                               b.getStringAttr(read.file), b.getI64IntegerAttr(read.part));
  if (read.comet) // which only the reader of the file looks at
    op->setAttr("comet", b.getUnitAttr());
  nameFile(op, read.parameter);
  if (llvm::any_of(read.sizes, [](const std::string &size) { return !size.empty(); })) {
    SmallVector<StringRef> sizes(read.sizes.begin(), read.sizes.end());
    op->setAttr("sizes", b.getStrArrayAttr(sizes));
  }
  values[read.result] = op;
}

void TaEmitter::emit(const Given &given) {
  Block &entry = main.getBody().front();
  values[given.result] = entry.addArgument(types[given.result], locate(given.result));
  main.setFunctionType(b.getFunctionType(entry.getArgumentTypes(), {}));
}

void TaEmitter::emit(const Write &write) {
  nameFile(ta::WriteOp::create(b, here(), values[write.tensor], write.file), write.parameter);
}

// A file whose name is given when the program runs.
void TaEmitter::nameFile(mlir::Operation *op, const std::string &parameter) {
  if (!parameter.empty())
    op->setAttr("parameter", b.getStringAttr(parameter));
}

void TaEmitter::emit(const Print &print) {
  ta::PrintOp::create(b, here(), values[print.tensor], print.name, print.bare, print.storage);
}

void TaEmitter::emit(const Time &time) {
  values[time.result] = ta::TimeOp::create(b, locate(time.result), types[time.result]);
}

void TaEmitter::emit(const PrintElapsed &elapsed) {
  ta::PrintElapsedOp::create(b, here(), values[elapsed.start], values[elapsed.end]);
}

//===------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------===//

SmallVector<Value> TaEmitter::valuesOf(llvm::ArrayRef<TensorId> tensors) {
  return llvm::map_to_vector(tensors, [&](TensorId id) { return values[id]; });
}

SmallVector<Type> TaEmitter::typesOf(llvm::ArrayRef<TensorId> tensors) {
  return llvm::map_to_vector(tensors, [&](TensorId id) -> Type { return types[id]; });
}

// A region's block of these operations, handing over `given`. What they assign is theirs.
void TaEmitter::emitBlock(Region &region, llvm::ArrayRef<TensorId> arguments,
                          llvm::ArrayRef<Operation> operations, llvm::ArrayRef<TensorId> given) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> outside = values;
  llvm::SMRange place = range;
  Block *block = b.createBlock(&region);
  for (TensorId id : arguments)
    values[id] = block->addArgument(types[id], locate(id));
  emit(operations);
  if (!diagnostics.hasErrors() && (block->empty() || !isa<ta::BreakOp>(block->back())))
    ta::NextOp::create(b, here(), valuesOf(given));
  values = std::move(outside);
  range = place;
}

void TaEmitter::emit(const Loop &loop) {
  SmallVector<TensorId> given(loop.carried.begin(), loop.carried.end()), arguments = given;
  llvm::append_range(given, loop.made);
  SmallVector<Type> resultTypes = typesOf(given);
  SmallVector<Value> inits = valuesOf(loop.carried);
  mlir::Operation *op;
  if (loop.variable) {
    arguments.insert(arguments.begin(), *loop.variable);
    op = ta::ForOp::create(b, here(), resultTypes, values[loop.lo], values[loop.hi],
                           values[loop.step], inits);
  } else {
    op = ta::LoopOp::create(b, here(), resultTypes, b.getI64IntegerAttr(loop.limit), inits);
  }
  leaving.push_back(given);
  emitBlock(op->getRegion(0), arguments, loop.body, given);
  leaving.pop_back();
  for (auto [id, result] : llvm::zip(given, op->getResults()))
    values[id] = result;
}

void TaEmitter::emit(const Branch &branch) {
  Value condition = emit(branch.test);
  auto op = ta::IfOp::create(b, here(), typesOf(branch.results), condition);
  emitBlock(op.getBody(), {}, branch.body, branch.results);
  emitBlock(op.getOtherwise(), {}, branch.otherwise, branch.results);
  for (auto [id, result] : llvm::zip(branch.results, op.getResults()))
    values[id] = result;
}

ta::Relation TaEmitter::relationOf(ast::Condition::Kind kind) {
  using Kind = ast::Condition::Kind;
  switch (kind) {
  case Kind::Less:
    return ta::Relation::lt;
  case Kind::LessEqual:
    return ta::Relation::le;
  case Kind::Greater:
    return ta::Relation::gt;
  case Kind::GreaterEqual:
    return ta::Relation::ge;
  case Kind::Equal:
    return ta::Relation::eq;
  case Kind::NotEqual:
  case Kind::And: // joined conditions compare nothing themselves
  case Kind::Or:
    break;
  }
  return ta::Relation::ne;
}

Value TaEmitter::emit(const Test &test) {
  using Kind = ast::Condition::Kind;
  if (test.kind != Kind::And && test.kind != Kind::Or)
    return ta::HoldsOp::create(b, here(), b.getI1Type(), relationOf(test.kind), values[test.lhs],
                               values[test.rhs]);
  Value all = emit(test.parts.front());
  for (const Test &part : llvm::drop_begin(test.parts)) {
    Value next = emit(part);
    all = test.kind == Kind::And ? arith::AndIOp::create(b, here(), all, next).getResult()
                                 : arith::OrIOp::create(b, here(), all, next).getResult();
  }
  return all;
}

} // namespace strata::frontend

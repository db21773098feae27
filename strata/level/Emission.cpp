// The few IR idioms that level functions share.
#include "strata/level/Emission.h"

#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata::emit {

Value constant(LevelView &view, int64_t value) {
  return arith::ConstantIndexOp::create(view.b, view.loc, value);
}
Value add(LevelView &view, Value a, Value b) {
  return view.b.createOrFold<arith::AddIOp>(view.loc, a, b);
}
Value sub(LevelView &view, Value a, Value b) {
  return view.b.createOrFold<arith::SubIOp>(view.loc, a, b);
}
Value mul(LevelView &view, Value a, Value b) {
  return view.b.createOrFold<arith::MulIOp>(view.loc, a, b);
}
Value less(LevelView &view, Value a, Value b) {
  return view.b.createOrFold<arith::CmpIOp>(view.loc, arith::CmpIPredicate::slt, a, b);
}
Value equal(LevelView &view, Value a, Value b) {
  return view.b.createOrFold<arith::CmpIOp>(view.loc, arith::CmpIPredicate::eq, a, b);
}

Value bisect(OpBuilder &b, Location loc, PositionRange among,
             llvm::function_ref<Value(Value position)> before) {
  SmallVector<Type> types{b.getIndexType(), b.getIndexType()};
  SmallVector<Location> locs{loc, loc};
  auto search = scf::WhileOp::create(b, loc, types, ValueRange{among.begin, among.end});
  OpBuilder::InsertionGuard guard(b);
  Block *test = b.createBlock(&search.getBefore(), {}, types, locs);
  Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, test->getArgument(0),
                                     test->getArgument(1));
  scf::ConditionOp::create(b, loc, left, test->getArguments());
  Block *narrow = b.createBlock(&search.getAfter(), {}, types, locs);
  Value low = narrow->getArgument(0), high = narrow->getArgument(1);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value middle = arith::ShRUIOp::create(b, loc, arith::AddIOp::create(b, loc, low, high), one);
  Value isBefore = before(middle);
  Value next = arith::AddIOp::create(b, loc, middle, one);
  SmallVector<Value> narrowed{arith::SelectOp::create(b, loc, isBefore, next, low),
                              arith::SelectOp::create(b, loc, isBefore, high, middle)};
  scf::YieldOp::create(b, loc, narrowed);
  return search.getResult(0);
}

Value place(LevelView &view, Value parent, Value crd) {
  return add(view, mul(view, parent, view.extent), sub(view, crd, view.first));
}

static Type elementOf(Value buffer) { return cast<MemRefType>(buffer.getType()).getElementType(); }

Value loadPosition(LevelView &view, Value buffer, Value at) {
  Value loaded = memref::LoadOp::create(view.b, view.loc, buffer, ValueRange{at});
  return arith::IndexCastUIOp::create(view.b, view.loc, view.b.getIndexType(), loaded);
}

static Value coordinateAt(LevelView &view, Value pos) {
  return add(view, coordinates(view, pos), constant(view, view.offset));
}

Value coordinates(LevelView &view, Value positions) {
  return mul(view, positions, constant(view, view.stride));
}

Value loadCoordinate(LevelView &view, Value buffer, Value at) {
  Value loaded = memref::LoadOp::create(view.b, view.loc, buffer, coordinateAt(view, at));
  Type index = view.b.getIndexType();
  // 32 bits are signed always: that is how gathers take them.
  if (view.signedCrd || loaded.getType().getIntOrFloatBitWidth() >= 32)
    return arith::IndexCastOp::create(view.b, view.loc, index, loaded);
  return arith::IndexCastUIOp::create(view.b, view.loc, index, loaded);
}

void storeIndex(LevelView &view, Value buffer, Value at, Value value) {
  Value narrow = arith::IndexCastOp::create(view.b, view.loc, elementOf(buffer), value);
  memref::StoreOp::create(view.b, view.loc, narrow, buffer, ValueRange{at});
}

void storeCoordinate(LevelView &view, Value buffer, Value at, Value coordinate) {
  storeIndex(view, buffer, coordinateAt(view, at), coordinate);
}

Type typeInMemory(Type value) {
  return value.isInteger(1) ? IntegerType::get(value.getContext(), 8) : value;
}

MemRefType bufferType(Type element) {
  return MemRefType::get({ShapedType::kDynamic}, typeInMemory(element));
}

Value loadValue(OpBuilder &b, Location loc, Value buffer, Value at, Type type) {
  Value loaded = memref::LoadOp::create(b, loc, buffer, ValueRange{at});
  if (!type.isInteger(1))
    return loaded;
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loaded, zero);
}

void storeValue(OpBuilder &b, Location loc, Value value, Value buffer, Value at) {
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
  memref::StoreOp::create(b, loc, value, buffer, ValueRange{at});
}

// The runtime's entry points take and return bare pointers: memrefs of one element, by element
// type, since a pointer type is all that a static memref becomes.
static MemRefType handleType(Type element) { return MemRefType::get({1}, element); }

static std::string suffixOf(Type element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto complex = dyn_cast<ComplexType>(element))
    os << "c" << 2 * complex.getElementType().getIntOrFloatBitWidth();
  else
    os << (element.isBF16()          ? "bf"
           : isa<FloatType>(element) ? "f"
                                     : "i")
       << element.getIntOrFloatBitWidth();
  return text;
}

static int64_t bytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().getIntOrFloatBitWidth() / 4;
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

static func::FuncOp declare(OpBuilder &b, const std::string &name, FunctionType type) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto module = parent->getParentOfType<ModuleOp>();
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder top(module.getBodyRegion());
  auto fn = func::FuncOp::create(top, module.getLoc(), name, type);
  fn.setPrivate();
  // What the runtime hands out overlaps nothing else.
  if (type.getNumResults() == 1 && isa<MemRefType>(type.getResult(0)))
    fn.setResultAttr(0, "llvm.noalias", b.getUnitAttr());
  return fn;
}

void failIf(OpBuilder &b, Location loc, Value context, Value condition, int64_t status) {
  auto fn = declare(b, "strata_kernel_fail",
                    b.getFunctionType({context.getType(), b.getIndexType()}, {}));
  auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value code = arith::ConstantIndexOp::create(b, loc, status);
  func::CallOp::create(b, loc, fn, ValueRange{context, code});
}

void requirePosition(BuildView &view, Value value) {
  unsigned width = view.posType.getIntOrFloatBitWidth();
  if (width >= 64)
    return;
  Value most = constant(view, (int64_t(1) << width) - 1);
  Value beyond = less(view, most, value);
  failIf(view.b, view.loc, view.context, beyond, STRATA_OVERFLOW);
}

static Value handleOf(LevelView &view, Value buffer) {
  Type element = elementOf(buffer);
  return memref::ReinterpretCastOp::create(view.b, view.loc, handleType(element), buffer, 0,
                                           ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1});
}

static Value bufferOf(LevelView &view, Value handle, Value count) {
  return memref::ReinterpretCastOp::create(view.b, view.loc, bufferType(elementOf(handle)), handle,
                                           view.b.getIndexAttr(0), ArrayRef<OpFoldResult>{count},
                                           ArrayRef<OpFoldResult>{view.b.getIndexAttr(1)});
}

static Value callGrow(BuildView &view, Value handle, Type element, Value oldCount, Value newCount) {
  OpBuilder &b = view.b;
  Type index = b.getIndexType(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type result = handleType(element);
  Value bytes = constant(view, bytesOf(element));
  if (!handle) {
    auto fn = declare(b, "strata_allocate_" + suffixOf(element),
                      b.getFunctionType({pointer, index, index}, {result}));
    return func::CallOp::create(b, view.loc, fn, ValueRange{view.context, newCount, bytes})
        .getResult(0);
  }
  auto fn = declare(b, "strata_grow_" + suffixOf(element),
                    b.getFunctionType({pointer, result, index, index, index}, {result}));
  return func::CallOp::create(b, view.loc, fn,
                              ValueRange{view.context, handle, oldCount, newCount, bytes})
      .getResult(0);
}

Growing allocate(BuildView &view, Type type, Value count) {
  type = typeInMemory(type);
  Value handle = callGrow(view, nullptr, type, nullptr, count);
  return {bufferOf(view, handle, count), count};
}

void ensure(BuildView &view, Growing &buffer, Value count) {
  OpBuilder &b = view.b;
  Value full = less(view, buffer.capacity, count);
  auto choice =
      scf::IfOp::create(b, view.loc, TypeRange{buffer.data.getType(), b.getIndexType()}, full,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value twice = mul(view, buffer.capacity, constant(view, 2));
  Value wanted = arith::MaxSIOp::create(b, view.loc, twice, count);
  Value grown =
      callGrow(view, handleOf(view, buffer.data), elementOf(buffer.data), buffer.capacity, wanted);
  scf::YieldOp::create(b, view.loc, ValueRange{bufferOf(view, grown, wanted), wanted});
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, view.loc, ValueRange{buffer.data, buffer.capacity});
  buffer = {choice.getResult(0), choice.getResult(1)};
}

void fill(LevelView &view, Value buffer, Value begin, Value end, Value value) {
  OpBuilder &b = view.b;
  auto loop = scf::ForOp::create(b, view.loc, begin, end, constant(view, 1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  storeValue(b, view.loc, value, buffer, loop.getInductionVar());
}

void publish(BuildView &view, const Growing &buffer, int64_t index, Value count) {
  OpBuilder &b = view.b;
  Type element = elementOf(buffer.data), indexType = b.getIndexType();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto fn = declare(
      b, "strata_publish_" + suffixOf(element),
      b.getFunctionType(
          {pointer, pointer, indexType, handleType(element), indexType, indexType, indexType}, {}));
  func::CallOp::create(b, view.loc, fn,
                       ValueRange{view.context, view.storage, constant(view, index),
                                  handleOf(view, buffer.data), count, buffer.capacity,
                                  constant(view, bytesOf(element))});
}

void release(BuildView &view, const Growing &buffer) {
  OpBuilder &b = view.b;
  Type element = elementOf(buffer.data), indexType = b.getIndexType();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto fn = declare(b, "strata_release_" + suffixOf(element),
                    b.getFunctionType({pointer, handleType(element), indexType, indexType}, {}));
  func::CallOp::create(b, view.loc, fn,
                       ValueRange{view.context, handleOf(view, buffer.data), buffer.capacity,
                                  constant(view, bytesOf(element))});
}

static Value callPieces(OpBuilder &b, Location loc, const std::string &name, Value context,
                        ValueRange given) {
  SmallVector<Value> arguments{context};
  llvm::append_range(arguments, given);
  auto fn =
      declare(b, name, b.getFunctionType(ValueRange(arguments).getTypes(), {b.getIndexType()}));
  return func::CallOp::create(b, loc, fn, arguments).getResult(0);
}

Value pieces(OpBuilder &b, Location loc, Value context, Value steps, Value places) {
  return callPieces(b, loc, "strata_kernel_pieces", context, {steps, places});
}

Value shares(OpBuilder &b, Location loc, Value context, Value steps, Value places) {
  return callPieces(b, loc, "strata_kernel_shares", context, {steps, places});
}

Value blockOf(OpBuilder &b, Location loc, Value context, Value extent, Value longest) {
  return callPieces(b, loc, "strata_kernel_block", context, {extent, longest});
}

Value pieceAfter(OpBuilder &b, Location loc, Value context, Value piece) {
  return callPieces(b, loc, "strata_kernel_go_on", context, piece);
}

static Value bytesIn(LevelView &view, Value buffer) {
  Value count = memref::DimOp::create(view.b, view.loc, buffer, constant(view, 0));
  return mul(view, count, constant(view, bytesOf(elementOf(buffer))));
}

// Asks the runtime about rows that begin at these positions and lead to places in `operands`.
static Value askOfRows(OpBuilder &b, Location loc, const std::string &question, Value context,
                       Value positions, ValueRange operands) {
  LevelView view{b, loc};
  Type element = elementOf(positions);
  Value zero = constant(view, 0), total = zero;
  for (Value operand : operands)
    total = add(view, total, bytesIn(view, operand));
  return callPieces(b, loc, "strata_" + question + "_" + suffixOf(element), context,
                    {handleOf(view, positions), memref::DimOp::create(b, loc, positions, zero),
                     constant(view, bytesOf(element)), total});
}

Value wayToAddRows(OpBuilder &b, Location loc, Value context, Value positions,
                   ValueRange operands) {
  return askOfRows(b, loc, "short_rows", context, positions, operands);
}

Value scattersSingly(OpBuilder &b, Location loc, Value context, Value positions, Value target) {
  return askOfRows(b, loc, "scatters_singly", context, positions, target);
}

void addRows(OpBuilder &b, Location loc, Value terms, Value positions, Value first, Value count,
             Value sums, Value place) {
  LevelView view{b, loc};
  Type element = elementOf(positions);
  SmallVector<Value> given{handleOf(view, terms),
                           handleOf(view, positions),
                           first,
                           count,
                           constant(view, bytesOf(element)),
                           handleOf(view, sums),
                           place};
  auto fn = declare(b, "strata_add_rows_" + suffixOf(element),
                    b.getFunctionType(ValueRange(given).getTypes(), {}));
  func::CallOp::create(b, loc, fn, given);
}

int64_t bytesOf(Value buffer) { return bytesOf(elementOf(buffer)); }

Value lookahead(OpBuilder &b, Location loc, Value context, Value coordinates, Value operand,
                Value stride) {
  LevelView view{b, loc};
  Type element = elementOf(coordinates);
  Value zero = constant(view, 0), bytes = constant(view, bytesOf(elementOf(operand)));
  Value count = memref::DimOp::create(b, loc, coordinates, zero);
  Value total = bytesIn(view, operand);
  return callPieces(b, loc, "strata_lookahead_" + suffixOf(element), context,
                    {handleOf(view, coordinates), count, constant(view, bytesOf(element)),
                     stride ? mul(view, stride, bytes) : bytes, total});
}

static Growing callJoin(BuildView &view, const JoinView &parts, Type element, StringRef name,
                        ArrayRef<int64_t> columns) {
  OpBuilder &b = view.b;
  element = typeInMemory(element);
  Value rows = handleOf(view, parts.rows);
  SmallVector<Value> given{view.context, rows, parts.pieces, constant(view, parts.words)};
  for (int64_t column : columns)
    given.push_back(constant(view, column));
  given.push_back(constant(view, bytesOf(element)));
  auto fn = declare(b, (name + "_" + suffixOf(element)).str(),
                    b.getFunctionType(ValueRange(given).getTypes(), {handleType(element)}));
  Value joined = func::CallOp::create(b, view.loc, fn, given).getResult(0);
  Value capacity = loadPosition(view, parts.rows, constant(view, columns[0] + 1));
  return {bufferOf(view, joined, capacity), capacity};
}

Growing join(BuildView &view, const JoinView &parts, Type element, int64_t block, int64_t count,
             int64_t each) {
  return callJoin(view, parts, element, "strata_join", {block, count, each});
}

Growing joinEdges(BuildView &view, const JoinView &parts, Type element, int64_t block) {
  return callJoin(view, parts, element, "strata_join_edges", {block, parts.parents, parts.count});
}

Value sumOfRows(BuildView &view, const JoinView &parts, int64_t word) {
  OpBuilder &b = view.b;
  Value zero = constant(view, 0), one = constant(view, 1);
  auto loop = scf::ForOp::create(b, view.loc, zero, parts.pieces, one, ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = mul(view, loop.getInductionVar(), constant(view, parts.words));
  Value here = loadPosition(view, parts.rows, add(view, row, constant(view, word)));
  scf::YieldOp::create(b, view.loc, ValueRange{add(view, loop.getRegionIterArg(0), here)});
  return loop.getResult(0);
}

void keepField(BuildView &view, Value rows, Value at, Value field) {
  if (isa<MemRefType>(field.getType()))
    field = memref::ExtractAlignedPointerAsIndexOp::create(view.b, view.loc, field);
  storeIndex(view, rows, at, field);
}

void sortTouched(BuildView &view, Value list, Value count, Value marks, Value extent) {
  OpBuilder &b = view.b;
  Type index = b.getIndexType();
  Value words = handleOf(view, list), bytes = handleOf(view, marks);
  auto fn = declare(b, "strata_kernel_sort",
                    b.getFunctionType({words.getType(), index, bytes.getType(), index}, {}));
  func::CallOp::create(b, view.loc, fn, ValueRange{words, count, bytes, extent});
}

void sortSlots(BuildView &view, Value list, Value count, Value keys) {
  OpBuilder &b = view.b;
  Value words = handleOf(view, list), held = handleOf(view, keys);
  auto fn = declare(b, "strata_kernel_sort_slots",
                    b.getFunctionType({words.getType(), b.getIndexType(), held.getType()}, {}));
  func::CallOp::create(b, view.loc, fn, ValueRange{words, count, held});
}

// strata_hash of runtime/abi.h.
Value hash(LevelView &view, Value key) {
  Value mixed = mul(view, key, constant(view, int64_t(0x9E3779B97F4A7C15u)));
  return arith::ShRUIOp::create(view.b, view.loc, mixed, constant(view, 32));
}

void rehash(BuildView &view, const HashTable &from, const HashTable &to, Value count, Value slots,
            Value block) {
  Type element = elementOf(from.values);
  Value bytes = mul(view, block, constant(view, bytesOf(element)));
  SmallVector<Value> given;
  for (Value buffer : {from.keys, from.values, from.list})
    given.push_back(handleOf(view, buffer));
  given.push_back(count);
  for (Value buffer : {to.keys, to.values, to.list})
    given.push_back(handleOf(view, buffer));
  given.append({slots, bytes});
  auto fn = declare(view.b, "strata_rehash_" + suffixOf(element),
                    view.b.getFunctionType(ValueRange(given).getTypes(), {}));
  func::CallOp::create(view.b, view.loc, fn, given);
}

} // namespace strata::emit

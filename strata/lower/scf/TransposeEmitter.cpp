// Emits reads of A and stores to B by vectors, past the caches where B is larger than these.
#include "strata/lower/scf/TransposeEmitter.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

using namespace mlir;

namespace strata {

static Type realOf(TransposeNest &nest) {
  auto number = dyn_cast<ComplexType>(nest.element());
  return number ? number.getElementType() : nest.element();
}

static int64_t partsOf(TransposeNest &nest) { return isa<ComplexType>(nest.element()) ? 2 : 1; }

static int64_t bytesOf(TransposeNest &nest) {
  return partsOf(nest) * realOf(nest).getIntOrFloatBitWidth() / 8;
}

bool TransposeEmitter::servesWith(TransposeNest &nest, int64_t vectorBytes) {
  return vectorBytes > bytesOf(nest);
}

TransposeEmitter::TransposeEmitter(TransposeNest given, Value context, int64_t vectorBytes)
    : LoopEmitter(given.whole(), given.store.getLoc(), context), nest(std::move(given)),
      real(realOf(nest)), parts(partsOf(nest)), bytes(bytesOf(nest)), lanes(vectorBytes / bytes),
      line(bytesOfLine / bytes) {
  // A buffer of complex numbers begins where that of their parts does: the descriptors are alike.
  auto asParts = [&](Value tensor) -> Value {
    if (parts == 1)
      return tensor;
    auto type = MemRefType::get({ShapedType::kDynamic}, real);
    return UnrealizedConversionCastOp::create(b, loc, type, tensor).getResult(0);
  };
  source = asParts(nest.load.getMemRef());
  target = asParts(nest.store.getMemRef());
}

VectorType TransposeEmitter::vectorOf(int64_t elements) {
  return VectorType::get({elements * parts}, real);
}

Value TransposeEmitter::partOf(Value at) { return multiply(at, constant(parts)); }

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

Value TransposeEmitter::loadVector(Value from, Value at) {
  return vector::LoadOp::create(b, loc, vectorOf(lanes), from, ValueRange{partOf(at)});
}

void TransposeEmitter::keepVector(Value vector, Value place) {
  vector::StoreOp::create(b, loc, vector, buffer, ValueRange{partOf(place)});
}

void TransposeEmitter::keepElement(Value from, Value place) {
  Value found = vector::LoadOp::create(b, loc, vectorOf(1), source, ValueRange{partOf(from)});
  keepVector(found, place);
}

void TransposeEmitter::askFor(Value at, unsigned localityHint) {
  memref::PrefetchOp::create(b, loc, source, ValueRange{partOf(at)}, /*isWrite=*/false,
                             localityHint, /*isDataCache=*/true);
}

Value TransposeEmitter::placeAt(Value at) {
  Value place = memref::LoadOp::create(b, loc, offsets, ValueRange{at});
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
}

//===------------------------------------------------------------------------------------------===//
// Storing
//===------------------------------------------------------------------------------------------===//

// How many elements from `at` on lie before the next line begins.
Value TransposeEmitter::elementsToLine(Value at) {
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, target);
  Value address = add(divide(begin, constant(bytes)), at);
  Value behind = b.createOrFold<arith::RemUIOp>(loc, address, constant(line));
  return b.createOrFold<arith::RemUIOp>(loc, subtract(constant(line), behind), constant(line));
}

// The end of as many elements from `begin` on as make a multiple.
Value TransposeEmitter::wholeFrom(Value begin, Value length, int64_t multiple) {
  Value count = divide(subtract(length, begin), constant(multiple));
  return add(begin, multiply(count, constant(multiple)));
}

void TransposeEmitter::storePart(const RowPart &part, LoopBody meanwhile) {
  branch(
      streams, [&] { storeLines(part, meanwhile); },
      [&] {
        Value end = wholeFrom(constant(0), part.length, lanes);
        loop(constant(0), end, lanes, [&](Value step) {
          storeVector(add(part.at, step), buffer, add(part.place, step), /*past=*/false);
        });
        storeElements(end, part.length, part.at, buffer, part.place);
      });
}

void TransposeEmitter::storeLines(const RowPart &part, LoopBody meanwhile) {
  Value toLine = elementsToLine(part.at), none = constant(0);
  Value head = minimum(toLine, part.length);
  Value kept =
      arith::SelectOp::create(b, loc, isSame(toLine, none), none, subtract(toLine, constant(line)));
  Value begin = arith::SelectOp::create(b, loc, part.isFirst, head, kept);
  Value single = arith::SelectOp::create(b, loc, part.isFirst, head, none);
  storeElements(none, single, part.at, buffer, part.place);
  Value end = wholeFrom(begin, part.length, std::max(lanes, line));
  loop(begin, end, lanes, [&](Value step) {
    storeVector(add(part.at, step), buffer, add(part.place, step), /*past=*/true);
    meanwhile(step);
  });
  branch(
      part.isLast, [&] { storeElements(end, part.length, part.at, buffer, part.place); },
      [&] { keepEnd(part); });
}

void TransposeEmitter::keepEnd(const RowPart &part) {
  for (int64_t at = 0; at < line; at += lanes) {
    Value place = subtract(part.place, constant(line - at));
    keepVector(loadVector(buffer, add(place, part.length)), place);
  }
}

void TransposeEmitter::storeRun(Value at, Value from, Value place, Value length,
                                const Reading &reading) {
  auto store = [&](Value step, bool past) {
    storeVector(add(at, step), from, add(place, step), past);
  };
  branch(
      streams,
      [&] {
        Value head = minimum(elementsToLine(at), length);
        storeElements(constant(0), head, at, from, place);
        Value end = wholeFrom(head, length, std::max(lanes, line));
        auto storePast = [&](Value step) { store(step, /*past=*/true); };
        if (reading.base)
          storeReading(head, end, storePast, reading);
        else
          loop(head, end, lanes, storePast);
        storeElements(end, length, at, from, place);
      },
      [&] {
        Value end = wholeFrom(constant(0), length, lanes);
        loop(constant(0), end, lanes, [&](Value step) { store(step, /*past=*/false); });
        storeElements(end, length, at, from, place);
      });
}

// Stores vectors, and asks for as many elements of A meanwhile: the loop carries which run they are
// in, and where in it.
void TransposeEmitter::storeReading(Value begin, Value end, LoopBody store,
                                    const Reading &reading) {
  Value within = b.createOrFold<arith::RemUIOp>(loc, reading.first, reading.length);
  auto walk = scf::ForOp::create(b, loc, begin, end, constant(lanes),
                                 ValueRange{divide(reading.first, reading.length), within});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(walk.getBody());
  store(walk.getInductionVar());
  Value run = walk.getRegionIterArgs()[0], at = walk.getRegionIterArgs()[1];
  Value place = placeAt(minimum(run, subtract(filled, constant(1))));
  askFor(add(add(reading.base, place), at), /*localityHint=*/2);
  Value next = add(at, constant(lanes)), isOver = isLess(reading.length, add(next, constant(1)));
  Value step = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), isOver);
  Value rest = arith::SelectOp::create(b, loc, isOver, subtract(next, reading.length), next);
  scf::YieldOp::create(b, loc, ValueRange{add(run, step), rest});
}

void TransposeEmitter::storeElements(Value begin, Value end, Value at, Value from, Value place) {
  leaveAsItIs(loop(begin, end, 1,
                   [&](Value step) { storeElement(add(at, step), from, add(place, step)); }));
}

// Nothing is done with complex numbers but to copy them.
void TransposeEmitter::storeElement(Value at, Value from, Value place) {
  if (parts > 1) {
    Value found = vector::LoadOp::create(b, loc, vectorOf(1), from, ValueRange{partOf(place)});
    vector::StoreOp::create(b, loc, found, target, ValueRange{partOf(at)});
    return;
  }
  IRMapping values;
  Value found = memref::LoadOp::create(b, loc, from, ValueRange{place});
  values.map(nest.load.getResult(), found);
  for (Operation *op : nest.body) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      values.map(load.getResult(),
                 memref::LoadOp::create(b, loc, load.getMemRef(), ValueRange{at}).getResult());
    else
      b.clone(*op, values);
  }
  memref::StoreOp::create(b, loc, values.lookupOrDefault(nest.store.getValueToStore()), target,
                          ValueRange{at});
}

void TransposeEmitter::storeVector(Value at, Value from, Value place, bool past) {
  VectorType type = vectorOf(lanes);
  Value stored = loadVector(from, place);
  if (parts == 1) {
    IRMapping values;
    values.map(nest.load.getResult(), stored);
    for (Operation *op : nest.body) {
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        Value other = vector::LoadOp::create(b, loc, type, load.getMemRef(), ValueRange{at});
        values.map(load.getResult(), other);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(widenedTo(b, type, operand, operand, values));
      values.map(op->getResult(0), widened(b, *op, operands, type));
    }
    Value result = nest.store.getValueToStore();
    stored = widenedTo(b, type, result, result, values);
  }
  llvm::MaybeAlign alignment = past ? llvm::MaybeAlign(lanes * bytes) : llvm::MaybeAlign();
  vector::StoreOp::create(b, loc, stored, target, ValueRange{partOf(at)}, /*nontemporal=*/past,
                          alignment);
}

} // namespace strata

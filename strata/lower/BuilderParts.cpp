// Results in parts: each piece of a loop builds one of its own, and they are put one behind the
// other.
#include "strata/level/Emission.h"
#include "strata/lower/BuilderToScf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace strata {

// A part is described by the numbers of positions of all levels, their fields, and the values with
// their capacity.
int64_t ResultBuilder::wordsOfPart() const {
  int64_t words = storage.format.getLvlRank() + 2;
  for (unsigned level = 0; level < storage.format.getLvlRank(); ++level)
    words += fieldCount(level);
  return words;
}

ResultBuilder::State ResultBuilder::enterPart(const State &state) {
  State part = state;
  for (unsigned level = 0; level < storage.format.getLvlRank(); ++level) {
    if (!appends(level))
      continue;
    BuildView v = view(level, {});
    v.hint = partHint;
    setFields(part, level, joinedBuildOf(level)->fork(v, fieldsOf(state, level)));
  }
  BuildView v = view(storage.format.getLvlRank() - 1, {});
  if (!patternOnly)
    setValues(part, emit::allocate(v, storage.type.getElementType(), partHint));
  if (gatheredLevel) {
    part.truncate(part.size() - workspaceFields());
    beginWorkspace(part);
  }
  return part;
}

void ResultBuilder::leave(const State &state, Value piece) {
  if (pattern)
    pattern->end();
  if (!joins())
    return;
  unsigned rank = storage.format.getLvlRank();
  BuildView v = view(rank - 1, {});
  Value at = emit::mul(v, piece, emit::constant(v, wordsOfPart()));
  auto keep = [&](Value field) {
    emit::keepField(v, rows, at, field);
    at = emit::add(v, at, emit::constant(v, 1));
  };
  for (unsigned level = 0; level < rank; ++level)
    keep(count(state, int(level)));
  for (Value field : ArrayRef<Value>(state).take_front(valuesAt(state) + 2))
    keep(field);
  endWorkspace(state);
}

ResultBuilder::State ResultBuilder::joined(const State &state) {
  if (!joins())
    return state;
  unsigned rank = storage.format.getLvlRank();
  State whole = state;
  JoinView parts{rows, pieces, wordsOfPart(), rank, 0, -1};
  for (unsigned level = 0; level < rank; ++level) {
    BuildView v = view(level, {});
    parts.count = level;
    if (appends(level))
      setFields(whole, level, joinedBuildOf(level)->join(v, fieldsOf(state, level), parts));
    parts.fields += fieldCount(level);
    parts.parents = level;
  }
  BuildView v = view(rank - 1, {});
  if (!patternOnly) {
    emit::release(v, valuesOf(state));
    setValues(whole,
              emit::join(v, parts, storage.type.getElementType(), parts.fields, parts.count));
  }
  emit::release(v, {rows, memref::DimOp::create(b, loc, rows, 0)});
  return whole;
}

} // namespace strata

// Results in parts: each piece of a loop builds one of its own, and they are put one behind the
// other.
#include "strata/level/Emission.h"
#include "strata/lower/scf/BuilderToScf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace strata {

// What a piece gathered: how many coordinates, these, and for how many there is room.
static constexpr int64_t gatheredWords = 3;

// A part is described by the numbers of positions of all levels, their fields, and the values with
// their capacity.
int64_t ResultBuilder::wordsOfPart() const {
  if (unites())
    return gatheredWords;
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
    v.hint = parentsOf(partHint, level);
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
  if (pattern && !sharesIndex())
    pattern->end();
  if (unites())
    return keepGathered(state, piece);
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
  if (unites())
    return united(state);
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

ResultBuilder::State ResultBuilder::gatherApart(const State &state) {
  State part = state;
  part.truncate(part.size() - workspaceFields());
  unitedWorkspace = std::move(workspace);
  beginWorkspace(part);
  return part;
}

void ResultBuilder::keepGathered(State state, Value piece) {
  BuildView v = view(0, {});
  ResultWorkspace::State gathered = workspaceOf(state);
  Value count = gathered[0];
  emit::Growing coordinates = emit::allocate(v, b.getI64Type(), count);
  countedLoop(b, loc, "g", emit::constant(v, 0), count, {}, [&](Value at, Values) -> Values {
    emit::storeIndex(v, coordinates.data, at, workspace->take(v, gathered, at).second);
    return {};
  });
  Value row = emit::mul(v, piece, emit::constant(v, gatheredWords));
  for (Value word : {count, coordinates.data, coordinates.capacity}) {
    emit::keepField(v, rows, row, word);
    row = emit::add(v, row, emit::constant(v, 1));
  }
  endWorkspace(state);
  workspace = std::move(unitedWorkspace);
}

// In the order in which the loop as a whole would have reached them first.
ResultBuilder::State ResultBuilder::united(const State &state) {
  BuildView v = view(0, {});
  JoinView parts{rows, pieces, gatheredWords, 1, 0, -1};
  emit::Growing all = emit::join(v, parts, b.getI64Type(), parts.fields, parts.count);
  Value count = emit::sumOfRows(v, parts, parts.count);
  ResultWorkspace::State gathered = countedLoop(
      b, loc, "g", emit::constant(v, 0), count, workspaceOf(state), [&](Value at, Values inner) {
        ResultWorkspace::State here(inner);
        workspace->touch(v, here, emit::loadPosition(v, all.data, at), fillValue());
        return Values(here);
      });
  emit::release(v, all);
  emit::release(v, {rows, memref::DimOp::create(b, loc, rows, 0)});
  State whole = state;
  setWorkspace(whole, gathered);
  return whole;
}

} // namespace strata

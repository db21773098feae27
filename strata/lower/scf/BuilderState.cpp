// The state that a result's builder hands from loop to loop: the fields of its levels' build
// functions, its values, and the workspace of a gathered row.
#include "strata/level/Emission.h"
#include "strata/level/Interleaved.h"
#include "strata/lower/scf/BuilderToScf.h"
#include "strata/lower/scf/LevelWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

BuildView ResultBuilder::view(unsigned level, ArrayRef<Value> ancestors) const {
  return viewBelow(knownCount(int(level) - 1), level, ancestors);
}

BuildView ResultBuilder::viewBelow(Value parentCount, unsigned level,
                                   ArrayRef<Value> ancestors) const {
  SmallVector<Value> known(ancestors);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  known.resize(level, zero);
  LevelView plain = viewLevel(b, loc, storage, level, known);
  BuildView result{plain};
  result.context = context;
  result.storage = storage.handle;
  result.firstBuffer = storage.firstBuffer(level);
  result.posType = storage.positionType(level);
  result.crdType = storage.coordinateType(level);
  result.parentAppends =
      level > 0 && appends(level - 1) && !storage.level(level - 1).traits.fillsGaps;
  result.parentCount = parentCount;
  result.pieces = pieces;
  result.mayRun = mayRun;
  return result;
}

BuildView ResultBuilder::plainView() const {
  BuildView result{{.b = b, .loc = loc}};
  result.context = context;
  result.storage = storage.handle;
  return result;
}

static const InterleavedBuild interleavedBuild;

bool ResultBuilder::isInterleaved(unsigned level) const {
  return storage.format.interleaving(level).leader != level;
}
const Build *ResultBuilder::buildOf(unsigned level) const {
  return isInterleaved(level) ? &interleavedBuild : storage.level(level).build();
}
const JoinedBuild *ResultBuilder::joinedBuildOf(unsigned level) const {
  return isInterleaved(level) ? &interleavedBuild : storage.level(level).joinedBuild();
}

// The buffer in which a level's coordinates lie, of another level; null if they have their own.
Value ResultBuilder::sharedBuffer(const State &state, unsigned level) const {
  unsigned leader = storage.format.interleaving(level).leader;
  if (updates || leader == level)
    return {};
  BuildState fields = fieldsOf(state, leader);
  const CountedBuild *build = counted(leader);
  return build ? build->coordinates(fields) : buildOf(leader)->coordinates(fields);
}

unsigned ResultBuilder::fieldCount(unsigned level) const { return fieldTypes(level).size(); }

SmallVector<Type> ResultBuilder::fieldTypes(unsigned level) const {
  BuildView v = view(level, {});
  if (const CountedBuild *build = counted(level))
    return build->fields(v);
  return buildOf(level)->fields(v);
}

SmallVector<Type> ResultBuilder::types() const {
  SmallVector<Type> types;
  if (pattern)
    types.assign(pattern->hintCount(), b.getIndexType());
  if (!updates)
    for (unsigned level = 0; level < storage.format.getLvlRank(); ++level)
      llvm::append_range(types, fieldTypes(level));
  types.push_back(emit::bufferType(storage.type.getElementType()));
  types.push_back(b.getIndexType());
  if (gatheredLevel)
    llvm::append_range(types, workspaceTypes(b, storage.type.getElementType(), hashed));
  return types;
}

unsigned ResultBuilder::workspaceFields() const {
  return gatheredLevel ? workspaceTypes(b, storage.type.getElementType(), hashed).size() : 0;
}

ResultWorkspace::State ResultBuilder::workspaceOf(const State &state) const {
  return ResultWorkspace::State(ArrayRef<Value>(state).take_back(workspaceFields()));
}

void ResultBuilder::setWorkspace(State &state, const ResultWorkspace::State &fields) const {
  state.truncate(state.size() - fields.size());
  llvm::append_range(state, fields);
}

emit::Growing ResultBuilder::valuesOf(const State &state) const {
  return {state[valuesAt(state)], state[valuesAt(state) + 1]};
}

void ResultBuilder::setValues(State &state, const emit::Growing &values) const {
  unsigned at = valuesAt(state);
  state[at] = values.data;
  state[at + 1] = values.capacity;
}

BuildState ResultBuilder::fieldsOf(const State &state, unsigned level) const {
  if (updates)
    return {};
  unsigned first = 0;
  for (unsigned above = 0; above < level; ++above)
    first += fieldCount(above);
  return BuildState(ArrayRef<Value>(state).slice(first, fieldCount(level)));
}

void ResultBuilder::setFields(State &state, unsigned level, const BuildState &fields) const {
  if (updates)
    return;
  unsigned first = 0;
  for (unsigned above = 0; above < level; ++above)
    first += fieldCount(above);
  llvm::copy(fields, state.begin() + first);
}

} // namespace strata

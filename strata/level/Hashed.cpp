// The hashed level: coordinates in the order of their arrival, and a table that finds them.
//
//   vector of 8 with entries at 5, 2            crd    5 2          p = order of arrival
//     W = 4 slots, a power of two               table  0 1 2 0      0: empty, else p + 1
//
//   pos_iter(root)    -> [0, n)                 n: number of entries
//   pos_access(p)     -> crd[p], always found
//   locate(root, c)   -> p, found              walks the table from hash(c)
//   insert(root, c)   -> p of c, appended if new; the table doubles when half full
//
// The table holds ordinals and not coordinates: no coordinate can be mistaken for "empty", and
// rehashing moves neither values nor children. The table's width is a power of two and its own
// size. Source: 004 section 3.1, whose fixed width and reserved coordinate this mends.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: n, crd and the table with their capacities.
struct Fields {
  Value count;
  emit::Growing crd, table;
  explicit Fields(const BuildState &s) : count(s[0]), crd{s[1], s[2]}, table{s[3], s[4]} {}
  BuildState state() const { return {count, crd.data, crd.capacity, table.data, table.capacity}; }
};

// Fibonacci hashing, reduced to the table's width.
Value hash(LevelView &view, Value crd, Value mask) {
  Value mixed = emit::mul(view, crd, emit::constant(view, 0x9E3779B97F4A7C15ull));
  Value high = arith::ShRUIOp::create(view.b, view.loc, mixed, emit::constant(view, 32));
  return arith::AndIOp::create(view.b, view.loc, high, mask);
}

// Walks the table from hash(crd) to the coordinate's slot or the first empty one; gives the slot
// and what it holds (ordinal + 1, or 0).
std::pair<Value, Value> probe(LevelView &view, Value table, Value width, Value coordinates,
                              Value crd) {
  OpBuilder &b = view.b;
  Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
  Value mask = emit::sub(view, width, one);
  Type index = b.getIndexType();
  auto loop =
      scf::WhileOp::create(b, view.loc, TypeRange{index, index}, ValueRange{hash(view, crd, mask)});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {index}, {view.loc});
  Value slot = before->getArgument(0);
  Value held = emit::loadPosition(view, table, slot);
  Value taken = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::ne, held, zero);
  auto other = scf::IfOp::create(b, view.loc, TypeRange{b.getI1Type()}, taken, true);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(other.thenBlock());
    Value there = emit::loadCoordinate(view, coordinates, emit::sub(view, held, one));
    Value differs = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::ne, there, crd);
    scf::YieldOp::create(b, view.loc, ValueRange{differs});
    b.setInsertionPointToStart(other.elseBlock());
    scf::YieldOp::create(b, view.loc, ValueRange{taken});
  }
  scf::ConditionOp::create(b, view.loc, other.getResult(0), ValueRange{slot, held});
  Block *after = b.createBlock(&loop.getAfter(), {}, {index, index}, {view.loc, view.loc});
  Value next = emit::add(view, after->getArgument(0), one);
  Value wrapped = arith::AndIOp::create(b, view.loc, next, mask);
  scf::YieldOp::create(b, view.loc, ValueRange{wrapped});
  return {loop.getResult(0), loop.getResult(1)};
}

struct HashedLevel final : LevelFormat, PositionIteration, Locate, Build, Inspect {
  HashedLevel()
      : LevelFormat({.name = "hashed",
                     .defaults = {.ordered = false, .compact = true},
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .locates = true,
                     .inserts = true,
                     .rootOnly = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {
        {"size", BufferKind::Word}, {"crd", BufferKind::Coordinate}, {"table", BufferKind::Word}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override;
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t) const override {
    return {0, level.buffers[1].count};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[1][pos];
  }
  const Build *build() const override { return this; }

  PositionRange posIter(LevelView &view, PositionRange) const override {
    Value zero = emit::constant(view, 0);
    return {zero, emit::loadPosition(view, view.buffers[0], zero)};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return {emit::loadCoordinate(view, view.buffers[1], pos)};
  }
  Found locate(LevelView &view, Value, Value crd) const override {
    Value width = emit::loadPosition(view, view.buffers[0], emit::constant(view, 1));
    auto [slot, held] = probe(view, view.buffers[2], width, view.buffers[1], crd);
    Value zero = emit::constant(view, 0);
    Value found = arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ne, held, zero);
    return {emit::sub(view, held, emit::constant(view, 1)), found};
  }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType(), word = view.b.getI64Type();
    return {index, emit::bufferType(view.crdType), index, emit::bufferType(word), index};
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), width = emit::constant(view, 16);
    emit::Growing crd = emit::allocate(view, view.crdType, view.hint);
    emit::Growing table = emptyTable(view, width);
    return BuildState{zero, crd.data, crd.capacity, table.data, table.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override;
  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }
  void seal(BuildView &view, BuildState &state, Value) const override {
    Fields f(state);
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    emit::Growing size = emit::allocate(view, view.b.getI64Type(), emit::constant(view, 2));
    emit::storeIndex(view, size.data, zero, f.count);
    emit::storeIndex(view, size.data, one, f.table.capacity);
    emit::publish(view, size, view.firstBuffer, emit::constant(view, 2));
    emit::publish(view, f.crd, view.firstBuffer + 1, f.count);
    emit::publish(view, f.table, view.firstBuffer + 2, f.table.capacity);
  }

private:
  static emit::Growing emptyTable(BuildView &view, Value width) {
    emit::Growing table = emit::allocate(view, view.b.getI64Type(), width);
    Value empty = arith::ConstantIntOp::create(view.b, view.loc, 0, 64);
    emit::fill(view, table.data, emit::constant(view, 0), width, empty);
    return table;
  }
  static emit::Growing rehashed(BuildView &view, const Fields &f);
};

// A table of twice the width that finds all entries so far; the old one is released.
emit::Growing HashedLevel::rehashed(BuildView &view, const Fields &f) {
  OpBuilder &b = view.b;
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
  emit::Growing table =
      emptyTable(view, emit::mul(view, f.table.capacity, emit::constant(view, 2)));
  auto loop = scf::ForOp::create(b, view.loc, zero, f.count, one);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value ordinal = loop.getInductionVar();
    Value crd = emit::loadCoordinate(view, f.crd.data, ordinal);
    auto [slot, held] = probe(view, table.data, table.capacity, f.crd.data, crd);
    emit::storeIndex(view, table.data, slot, emit::add(view, ordinal, one));
  }
  emit::release(view, f.table);
  return table;
}

Value HashedLevel::insert(BuildView &view, BuildState &state, Value, Value crd) const {
  OpBuilder &b = view.b;
  Fields f(state);
  Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
  auto [slot, held] = probe(view, f.table.data, f.table.capacity, f.crd.data, crd);
  Value absent = emit::equal(view, held, zero);
  SmallVector<Type> types = fields(view);
  types.push_back(b.getIndexType());
  auto choice = scf::IfOp::create(b, view.loc, types, absent, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  {
    Fields g = f;
    Value next = emit::add(view, f.count, one);
    emit::ensure(view, g.crd, next);
    emit::storeIndex(view, g.crd.data, f.count, crd);
    emit::storeIndex(view, g.table.data, slot, next);
    g.count = next;
    Value crowded =
        emit::less(view, f.table.capacity, emit::mul(view, next, emit::constant(view, 2)));
    auto wider = scf::IfOp::create(b, view.loc, TypeRange{g.table.data.getType(), b.getIndexType()},
                                   crowded, true);
    {
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(wider.thenBlock());
      emit::Growing table = rehashed(view, g);
      scf::YieldOp::create(b, view.loc, ValueRange{table.data, table.capacity});
      b.setInsertionPointToStart(wider.elseBlock());
      scf::YieldOp::create(b, view.loc, ValueRange{g.table.data, g.table.capacity});
    }
    g.table = {wider.getResult(0), wider.getResult(1)};
    BuildState result = g.state();
    result.push_back(f.count);
    scf::YieldOp::create(b, view.loc, result);
  }
  b.setInsertionPointToStart(choice.elseBlock());
  BuildState same = f.state();
  same.push_back(emit::sub(view, held, one));
  scf::YieldOp::create(b, view.loc, same);
  state = BuildState(llvm::drop_end(choice.getResults()));
  return choice.getResults().back();
}

// The table holds each ordinal once, where probing from its coordinate's hash finds it.
std::optional<int64_t> HashedLevel::positions(const StoredLevel &level, std::string &fault) const {
  const StoredLevel::Numbers &size = level.buffers[0], &crd = level.buffers[1],
                             &table = level.buffers[2];
  if (size.count != 2 || size[0] != crd.count || size[1] != table.count ||
      !llvm::isPowerOf2_64(uint64_t(table.count)) || table.count <= crd.count) {
    fault = "size, crd and table do not belong together: " + std::to_string(crd.count) +
            " coordinates in a table of " + std::to_string(table.count);
    return std::nullopt;
  }
  int64_t taken = 0;
  for (int64_t slot = 0; slot < table.count; ++slot) {
    taken += table[slot] != 0;
    if (table[slot] >= 0 && table[slot] <= crd.count)
      continue;
    fault = "table[" + std::to_string(slot) + "] is " + std::to_string(table[slot]) +
            "; expected from 0 to " + std::to_string(crd.count);
    return std::nullopt;
  }
  uint64_t mask = uint64_t(table.count) - 1;
  for (int64_t pos = 0; pos < crd.count; ++pos) {
    uint64_t slot = uint64_t(crd[pos]) * 0x9E3779B97F4A7C15ull >> 32 & mask;
    for (int64_t steps = 0; steps < table.count && table[slot] != 0 && table[slot] != pos + 1;
         ++steps)
      slot = (slot + 1) & mask;
    if (table[slot] == pos + 1)
      continue;
    fault = "the table does not lead to crd[" + std::to_string(pos) + "], which is " +
            std::to_string(crd[pos]);
    return std::nullopt;
  }
  if (taken == crd.count)
    return crd.count;
  fault =
      "the table has " + std::to_string(taken) + " ordinals; expected " + std::to_string(crd.count);
  return std::nullopt;
}

} // namespace

std::unique_ptr<LevelFormat> createHashedLevel() { return std::make_unique<HashedLevel>(); }

} // namespace strata

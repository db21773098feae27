// The hashed level: coordinates in the order of their arrival, and a table that finds them.
//
//   vector of 8 with entries at 5, 2            crd    5 2          p = order of arrival
//     W = 4 slots, a power of two               table  0 1 2 0      0: empty, else p + 1
//
// Below other levels one table serves all parents, and lists say which positions each parent has:
//
//   matrix   . 1 . 2     below dense rows       crd    3 0 1 3      entries arrived in this order
//            . . . .                            up     0 2 0 2      the parent of each
//            3 . . 4                            pos    0 2 2 4      parent p has ord[pos[p]] to
//                                               ord    0 2 1 3      ord[pos[p + 1] - 1]
//
//   pos_iter(p_{k-1}) -> [0, n) at the root, else [pos[p_{k-1}], pos[p_{k-1} + 1])
//   pos_access(q)     -> crd[p], always found; p = q at the root, else ord[q]
//   locate(p_{k-1}, c)-> p, found              walks the table from hash(p_{k-1}, c)
//   insert(p_{k-1}, c)-> p of c, appended if new; the table doubles when half full
//
// The table holds ordinals and not coordinates: no coordinate can be mistaken for "empty", and
// rehashing moves neither values nor children. The table's width is a power of two and its own
// size. The lists of children are made when the level is sealed. Source: 004 section 3.1, whose
// fixed width and reserved coordinate this mends.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/BufferCounts.h"
#include "strata/level/Edges.h"
#include "strata/level/Emission.h"

#include "strata/runtime/Counted.h"

using namespace mlir;

namespace strata {
namespace {

// In the order of buffers().
enum : unsigned { Size, Crd, Table, Pos, Ord, Up };

// The state of a level under construction: n, and crd, the table and (below the root) up with their
// capacities.
struct Fields {
  Value count;
  emit::Growing crd, table, up;
  explicit Fields(const BuildState &s) : count(s[0]), crd{s[1], s[2]}, table{s[3], s[4]} {
    if (s.size() > 5)
      up = {s[5], s[6]};
  }
  BuildState state() const {
    BuildState s{count, crd.data, crd.capacity, table.data, table.capacity};
    if (up.data)
      s.append({up.data, up.capacity});
    return s;
  }
};

// What is looked for; no parent at the root.
struct Key {
  Value parent, crd;
};

// Where an entry's key is stored.
struct Keys {
  Value crd, up;
  Key at(LevelView &view, Value ordinal) const {
    return {up ? emit::loadPosition(view, up, ordinal) : Value(),
            emit::loadCoordinate(view, crd, ordinal)};
  }
};

constexpr uint64_t mixer = 0x9E3779B97F4A7C15ull, parentMixer = 0xC2B2AE3D27D4EB4Full;

// Fibonacci hashing, reduced to the table's width.
uint64_t hash(uint64_t parent, uint64_t crd, uint64_t mask) {
  return (crd + parent * parentMixer) * mixer >> 32 & mask;
}
Value hash(LevelView &view, Key key, Value mask) {
  Value sum = key.crd;
  if (key.parent)
    sum = emit::add(view, sum,
                    emit::mul(view, key.parent, emit::constant(view, int64_t(parentMixer))));
  Value mixed = emit::mul(view, sum, emit::constant(view, int64_t(mixer)));
  Value high = arith::ShRUIOp::create(view.b, view.loc, mixed, emit::constant(view, 32));
  return arith::AndIOp::create(view.b, view.loc, high, mask);
}

Value differ(LevelView &view, Key a, Key b) {
  using arith::CmpIPredicate;
  Value result = arith::CmpIOp::create(view.b, view.loc, CmpIPredicate::ne, a.crd, b.crd);
  if (!a.parent)
    return result;
  Value parents = arith::CmpIOp::create(view.b, view.loc, CmpIPredicate::ne, a.parent, b.parent);
  return arith::OrIOp::create(view.b, view.loc, result, parents);
}

// Walks the table from hash(key) to the key's slot or the first empty one; gives the slot and what
// it holds (ordinal + 1, or 0).
std::pair<Value, Value> probe(LevelView &view, const emit::Growing &table, Keys keys, Key key) {
  OpBuilder &b = view.b;
  Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
  Value mask = emit::sub(view, table.capacity, one);
  Type index = b.getIndexType();
  auto loop =
      scf::WhileOp::create(b, view.loc, TypeRange{index, index}, ValueRange{hash(view, key, mask)});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {index}, {view.loc});
  Value slot = before->getArgument(0);
  Value held = emit::loadPosition(view, table.data, slot);
  Value taken = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::ne, held, zero);
  auto other = scf::IfOp::create(b, view.loc, TypeRange{b.getI1Type()}, taken, true);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(other.thenBlock());
    Key there = keys.at(view, emit::sub(view, held, one));
    scf::YieldOp::create(b, view.loc, ValueRange{differ(view, there, key)});
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

struct HashedLevel final : LevelFormat, PositionIteration, Locate, Build, Inspect, OwnCounts {
  HashedLevel()
      : LevelFormat({.name = "hashed",
                     .defaults = {.ordered = false, .compact = true},
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .locates = true,
                     .inserts = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"size", BufferKind::Word},    {"crd", BufferKind::Coordinate},
            {"table", BufferKind::Word},   {"pos", BufferKind::Position},
            {"ord", BufferKind::Position}, {"up", BufferKind::Position}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Inspect *inspect() const override { return this; }

  // The table has room for twice as many as there are, and at once doubles when that is not so.
  double elements(unsigned buffer, const LevelCounts &counts) const override {
    switch (buffer) {
    case Size:
      return 2;
    case Table:
      return std::max(16.0, 4 * counts.positions);
    case Pos:
      return counts.root ? 0 : counts.parents + 1;
    case Ord:
    case Up:
      return counts.root ? 0 : counts.positions;
    default:
      return counts.positions;
    }
  }

  llvm::SmallVector<CountRule> counts(bool root) const override {
    CountRule list{root ? CountRule::Free : CountRule::Each};
    return {{CountRule::Word},
            {CountRule::Each},
            {CountRule::Told, Size, 1},
            {root ? CountRule::Free : CountRule::ParentEdges},
            list,
            list};
  }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override;
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    if (level.root)
      return {0, level.buffers[Crd].count};
    return {level.buffers[Pos][parent], level.buffers[Pos][parent + 1]};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t at) const override {
    return level.buffers[Crd][position(level, at)];
  }
  int64_t position(const StoredLevel &level, int64_t at) const override {
    return level.root ? at : level.buffers[Ord][at];
  }
  const Build *build() const override { return this; }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    if (view.root) {
      Value zero = emit::constant(view, 0);
      return {zero, emit::loadPosition(view, view.buffers[Size], zero)};
    }
    Value end = parent.end ? parent.end : emit::add(view, parent.begin, emit::constant(view, 1));
    return {emit::loadPosition(view, view.buffers[Pos], parent.begin),
            emit::loadPosition(view, view.buffers[Pos], end)};
  }
  Value position(LevelView &view, Value at) const override {
    return view.root ? at : emit::loadPosition(view, view.buffers[Ord], at);
  }
  Found posAccess(LevelView &view, Value at) const override {
    return {emit::loadCoordinate(view, view.buffers[Crd], position(view, at))};
  }
  Found locate(LevelView &view, Value parent, Value crd) const override {
    Value width = emit::loadPosition(view, view.buffers[Size], emit::constant(view, 1));
    Keys keys{view.buffers[Crd], view.root ? Value() : view.buffers[Up]};
    Key key{view.root ? Value() : parent, crd};
    auto [slot, held] = probe(view, {view.buffers[Table], width}, keys, key);
    Value zero = emit::constant(view, 0);
    Value found = arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ne, held, zero);
    return {emit::sub(view, held, emit::constant(view, 1)), found};
  }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType(), word = view.b.getI64Type();
    SmallVector<Type> types{index, emit::bufferType(view.crdType), index, emit::bufferType(word),
                            index};
    if (!view.root)
      types.append({emit::bufferType(view.posType), index});
    return types;
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), width = emit::constant(view, 16);
    emit::Growing crd = emit::allocate(view, view.crdType, view.hint);
    emit::Growing table = emptyTable(view, width);
    BuildState state{zero, crd.data, crd.capacity, table.data, table.capacity};
    if (!view.root) {
      emit::Growing up = emit::allocate(view, view.posType, view.hint);
      state.append({up.data, up.capacity});
    }
    return state;
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override;
  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override;

private:
  static emit::Growing emptyTable(BuildView &view, Value width) {
    emit::Growing table = emit::allocate(view, view.b.getI64Type(), width);
    Value empty = arith::ConstantIntOp::create(view.b, view.loc, 0, 64);
    emit::fill(view, table.data, emit::constant(view, 0), width, empty);
    return table;
  }
  static emit::Growing rehashed(BuildView &view, const Fields &f);
  static void append(BuildView &view, Fields &f, Key key, Value slot);
  static void listChildren(BuildView &view, const Fields &f, Value parentCount);
  static bool checkLists(const StoredLevel &level, std::string &fault);
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
    Keys keys{f.crd.data, f.up.data};
    auto [slot, held] = probe(view, table, keys, keys.at(view, ordinal));
    emit::storeIndex(view, table.data, slot, emit::add(view, ordinal, one));
  }
  emit::release(view, f.table);
  return table;
}

// Appends an entry whose slot in the table is `slot`.
void HashedLevel::append(BuildView &view, Fields &f, Key key, Value slot) {
  OpBuilder &b = view.b;
  Value at = f.count, next = emit::add(view, at, emit::constant(view, 1));
  emit::ensure(view, f.crd, next);
  emit::storeIndex(view, f.crd.data, at, key.crd);
  if (key.parent) {
    emit::ensure(view, f.up, next);
    emit::storeIndex(view, f.up.data, at, key.parent);
  }
  emit::storeIndex(view, f.table.data, slot, next);
  f.count = next;
  Value crowded =
      emit::less(view, f.table.capacity, emit::mul(view, next, emit::constant(view, 2)));
  auto wider = scf::IfOp::create(b, view.loc, TypeRange{f.table.data.getType(), b.getIndexType()},
                                 crowded, true);
  OpBuilder::InsertionGuard inner(b);
  b.setInsertionPointToStart(wider.thenBlock());
  emit::Growing table = rehashed(view, f);
  scf::YieldOp::create(b, view.loc, ValueRange{table.data, table.capacity});
  b.setInsertionPointToStart(wider.elseBlock());
  scf::YieldOp::create(b, view.loc, ValueRange{f.table.data, f.table.capacity});
  f.table = {wider.getResult(0), wider.getResult(1)};
}

Value HashedLevel::insert(BuildView &view, BuildState &state, Value parent, Value crd) const {
  OpBuilder &b = view.b;
  Fields f(state);
  Key key{view.root ? Value() : parent, crd};
  auto [slot, held] = probe(view, f.table, {f.crd.data, f.up.data}, key);
  Value absent = emit::equal(view, held, emit::constant(view, 0));
  SmallVector<Type> types = fields(view);
  types.push_back(b.getIndexType());
  auto choice = scf::IfOp::create(b, view.loc, types, absent, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Fields grown = f;
  append(view, grown, key, slot);
  BuildState result = grown.state();
  result.push_back(f.count);
  scf::YieldOp::create(b, view.loc, result);
  b.setInsertionPointToStart(choice.elseBlock());
  BuildState same = f.state();
  same.push_back(emit::sub(view, held, emit::constant(view, 1)));
  scf::YieldOp::create(b, view.loc, same);
  state = BuildState(llvm::drop_end(choice.getResults()));
  return choice.getResults().back();
}

// Sorts the ordinals by parent: pos counts two places further up, so that it is right at the end.
void HashedLevel::listChildren(BuildView &view, const Fields &f, Value parentCount) {
  OpBuilder &b = view.b;
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1),
        two = emit::constant(view, 2);
  Value slots = emit::add(view, parentCount, two);
  emit::Growing pos = emit::allocate(view, view.posType, slots);
  emit::Growing ord = emit::allocate(view, view.posType, f.count);
  emit::fill(view, pos.data, zero, slots, Edges::none(view));
  emit::requirePosition(view, f.count);
  emit::requirePosition(view, parentCount);
  auto forEntries = [&](Value offset, llvm::function_ref<void(Value ordinal, Value at)> body) {
    auto loop = scf::ForOp::create(b, view.loc, zero, f.count, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value ordinal = loop.getInductionVar();
    Value edge = emit::add(view, emit::loadPosition(view, f.up.data, ordinal), offset);
    Value at = emit::loadPosition(view, pos.data, edge);
    emit::storeIndex(view, pos.data, edge, emit::add(view, at, one));
    body(ordinal, at);
  };
  forEntries(two, [](Value, Value) {});
  Edges::sumUp(view, pos.data, slots);
  forEntries(one, [&](Value ordinal, Value at) { emit::storeIndex(view, ord.data, at, ordinal); });
  emit::publish(view, pos, view.firstBuffer + Pos, emit::add(view, parentCount, one));
  emit::publish(view, ord, view.firstBuffer + Ord, f.count);
  emit::publish(view, f.up, view.firstBuffer + Up, f.count);
}

void HashedLevel::seal(BuildView &view, BuildState &state, Value parentCount) const {
  Fields f(state);
  Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
  emit::Growing size = emit::allocate(view, view.b.getI64Type(), emit::constant(view, 2));
  emit::storeIndex(view, size.data, zero, f.count);
  emit::storeIndex(view, size.data, one, f.table.capacity);
  emit::publish(view, size, view.firstBuffer + Size, emit::constant(view, 2));
  if (!view.root)
    listChildren(view, f, parentCount);
  emit::publish(view, f.crd, view.firstBuffer + Crd, f.count);
  emit::publish(view, f.table, view.firstBuffer + Table, f.table.capacity);
}

// Each parent's list has the ordinals that call it their parent, and all ordinals are listed.
bool HashedLevel::checkLists(const StoredLevel &level, std::string &fault) {
  const StoredLevel::Numbers &pos = level.buffers[Pos], &ord = level.buffers[Ord],
                             &up = level.buffers[Up];
  int64_t count = level.buffers[Crd].count;
  if (level.root)
    return true;
  if (ord.count != count || up.count != count) {
    fault = "ord and up have " + std::to_string(ord.count) + " and " +
            counted(up.count, "element") + "; expected " + std::to_string(count);
    return false;
  }
  if (!Edges::check(pos, "pos", level.parents, count, fault))
    return false;
  std::vector<bool> listed(size_t(count), false);
  for (int64_t parent = 0; parent < level.parents; ++parent)
    for (int64_t at = pos[parent]; at < pos[parent + 1]; ++at) {
      if (ord[at] < 0 || ord[at] >= count || listed[size_t(ord[at])]) {
        fault = "ord[" + std::to_string(at) + "] is " + std::to_string(ord[at]) +
                "; expected a position below " + std::to_string(count) + ", each once";
        return false;
      }
      listed[size_t(ord[at])] = true;
      if (up[ord[at]] == parent)
        continue;
      fault = "up[" + std::to_string(ord[at]) + "] is " + std::to_string(up[ord[at]]) +
              "; expected " + std::to_string(parent) + ", below which ord lists it";
      return false;
    }
  return true;
}

// The table holds each ordinal once, where probing from its coordinate's hash finds it.
std::optional<int64_t> HashedLevel::positions(const StoredLevel &level, std::string &fault) const {
  const StoredLevel::Numbers &size = level.buffers[Size], &crd = level.buffers[Crd],
                             &table = level.buffers[Table];
  if (size.count != 2 || size[0] != crd.count || size[1] != table.count ||
      !llvm::isPowerOf2_64(uint64_t(table.count)) || table.count <= crd.count) {
    fault = "size, crd and table do not belong together: " + counted(crd.count, "coordinate") +
            " in a table of " + std::to_string(table.count);
    return std::nullopt;
  }
  if (!checkLists(level, fault))
    return std::nullopt;
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
    uint64_t parent = level.root ? 0 : uint64_t(level.buffers[Up][pos]);
    uint64_t slot = hash(parent, uint64_t(crd[pos]), mask);
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

// A workspace that is as large as what is touched: a hash table with open addressing.
//
//   keys    -1  3 -1  4  1 -1 -1 -1     coordinates (counted from the first), -1 where there is
//   none values   .  2  .  5  7  .  .  .     a value for each slot (a block, where levels lie
//   below) list     1 4 3                      the slots that are taken, in the order of their
//   arrival
//
// The table has a power of two of slots and doubles when half of them are taken; then slots change.
#include "strata/lower/scf/ResultWorkspace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {
namespace {

/// Slots at first.
constexpr int64_t fewSlots = 256;

/// The parts of a state.
struct Table {
  Value count, keys, values, list, slots;
  explicit Table(ValueRange s) : count(s[0]), keys(s[1]), values(s[2]), list(s[3]), slots(s[4]) {}
  ResultWorkspace::State state() const { return {count, keys, values, list, slots}; }
};

class HashedWorkspace final : public ResultWorkspace {
public:
  using ResultWorkspace::ResultWorkspace;

  State begin(BuildView &view) override {
    return empty(view, emit::constant(view, fewSlots)).state();
  }

  Value touch(BuildView &view, State &state, Value crd, Value fill) const override {
    OpBuilder &b = view.b;
    makeRoom(view, state);
    Table t(state);
    Value key = emit::sub(view, crd, first);
    Value slot = find(view, t, key);
    Value held = loadKey(view, t, slot);
    Value none = emit::constant(view, -1);
    Value fresh = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::eq, held, none);
    emit::storeIndex(view, t.keys, slot, key);
    emit::storeIndex(view, t.list, t.count, slot);
    beginValues(view, t.values, fresh, slot, fill);
    Value more = arith::IndexCastUIOp::create(b, view.loc, b.getIndexType(), fresh);
    state[0] = emit::add(view, t.count, more);
    return slot;
  }

  void sort(BuildView &view, const State &state) const override {
    Table t(state);
    emit::sortSlots(view, t.list, t.count, t.keys);
  }

  std::pair<Value, Value> take(BuildView &view, const State &state, Value at) const override {
    Table t(state);
    Value slot = emit::loadPosition(view, t.list, at);
    Value crd = emit::add(view, loadKey(view, t, slot), first);
    emit::storeIndex(view, t.keys, slot, emit::constant(view, -1));
    return {slot, crd};
  }

  Value values(const State &state) const override { return Table(state).values; }

  void release(BuildView &view, const State &state) const override {
    Table t(state);
    emit::release(view, {t.keys, t.slots});
    emit::release(view, {t.values, emit::mul(view, t.slots, block)});
    emit::release(view, {t.list, t.slots});
  }

private:
  static Value loadKey(BuildView &view, const Table &t, Value slot) {
    Value key = memref::LoadOp::create(view.b, view.loc, t.keys, ValueRange{slot});
    return arith::IndexCastOp::create(view.b, view.loc, view.b.getIndexType(), key);
  }

  Table empty(BuildView &view, Value slots) const {
    Type word = view.b.getI64Type();
    Value zero = emit::constant(view, 0);
    Value none = arith::ConstantIntOp::create(view.b, view.loc, -1, 64);
    Value keys = emit::allocate(view, word, slots).data;
    emit::fill(view, keys, zero, slots, none);
    Value values = emit::allocate(view, element, emit::mul(view, slots, block)).data;
    Value list = emit::allocate(view, word, slots).data;
    return Table({zero, keys, values, list, slots});
  }

  // The slot that holds a key, or the free one where it belongs.
  static Value find(BuildView &view, const Table &t, Value key) {
    OpBuilder &b = view.b;
    Location loc = view.loc;
    Value mask = emit::sub(view, t.slots, emit::constant(view, 1));
    Value mixed = emit::hash(view, key);
    Value begin = arith::AndIOp::create(b, loc, mixed, mask);
    auto loop = scf::WhileOp::create(b, loc, TypeRange{b.getIndexType()}, ValueRange{begin});
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {b.getIndexType()}, {loc});
    Value held = loadKey(view, t, before->getArgument(0));
    auto differs = [&](Value other) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, held, other);
    };
    Value taken = arith::AndIOp::create(b, loc, differs(key), differs(emit::constant(view, -1)));
    scf::ConditionOp::create(b, loc, taken, before->getArguments());
    Block *after = b.createBlock(&loop.getAfter(), {}, {b.getIndexType()}, {loc});
    Value next = emit::add(view, after->getArgument(0), emit::constant(view, 1));
    scf::YieldOp::create(b, loc, ValueRange{arith::AndIOp::create(b, loc, next, mask)});
    return loop.getResult(0);
  }

  // Doubles the table where half of it is taken.
  void makeRoom(BuildView &view, State &state) const {
    OpBuilder &b = view.b;
    Table t(state);
    Value full = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::sge,
                                       emit::mul(view, t.count, emit::constant(view, 2)), t.slots);
    auto choice = scf::IfOp::create(b, view.loc, ValueRange(state).getTypes(), full, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    Table larger = empty(view, emit::mul(view, t.slots, emit::constant(view, 2)));
    larger.count = t.count;
    emit::rehash(view, {t.keys, t.values, t.list}, {larger.keys, larger.values, larger.list},
                 t.count, larger.slots, block);
    release(view, state);
    scf::YieldOp::create(b, view.loc, larger.state());
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, view.loc, state);
    state.assign(choice.getResults().begin(), choice.getResults().end());
  }
};

} // namespace

std::unique_ptr<ResultWorkspace> createHashedWorkspace(Type element, Value first, Value extent,
                                                       Value block) {
  return std::make_unique<HashedWorkspace>(element, first, extent, block);
}

} // namespace strata

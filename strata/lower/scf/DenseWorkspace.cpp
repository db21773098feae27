// A workspace with a place for every coordinate.
//
//   marks   . x . x x        one byte for each coordinate of the level: has it an entry? Where
//                            coordinates are admitted first: 1 if it is, more if it has an entry.
//                            None where values that came differ from what they were at first
//   list    3 1 4            the marked ones, in the order of their arrival
//   values  . 7 . 2 5        a value for each coordinate (a block, where levels lie below)
#include "strata/lower/scf/ResultWorkspace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {
namespace {

Value byte(BuildView &view, int64_t value) {
  return arith::ConstantIntOp::create(view.b, view.loc, value, 8);
}

class DenseWorkspace final : public ResultWorkspace, ResultWorkspace::Admission {
public:
  DenseWorkspace(Type element, Value first, Value extent, Value block, bool shown)
      : ResultWorkspace(element, first, extent, block),
        hasMarks(!shown || getConstantIntValue(block) != 1) {}

  State begin(BuildView &view) override {
    if (hasMarks) {
      marks = emit::allocate(view, view.b.getI8Type(), extent);
      emit::fill(view, marks.data, emit::constant(view, 0), extent, byte(view, 0));
    }
    // One more: behind the last one listed, touch writes in any case.
    Value most = emit::add(view, extent, emit::constant(view, 1));
    list = emit::allocate(view, view.b.getI64Type(), most);
    all = emit::allocate(view, element, emit::mul(view, extent, block));
    return {emit::constant(view, 0)};
  }

  // Whether a coordinate is new is hard to foresee, and nothing but the number of those listed
  // depends on it: what is listed behind the last one is overwritten by the next.
  Value touch(BuildView &view, State &state, Value crd, Value fill) const override {
    OpBuilder &b = view.b;
    Value slot = emit::sub(view, crd, first);
    Value mark = memref::LoadOp::create(b, view.loc, marks.data, ValueRange{slot});
    Value fresh = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::eq, mark, byte(view, 0));
    memref::StoreOp::create(b, view.loc, byte(view, 1), marks.data, ValueRange{slot});
    emit::storeIndex(view, list.data, state[0], slot);
    beginValues(view, all.data, fresh, slot, fill);
    Value more = arith::IndexCastUIOp::create(b, view.loc, b.getIndexType(), fresh);
    state[0] = emit::add(view, state[0], more);
    return slot;
  }

  void sort(BuildView &view, const State &state) const override {
    emit::sortTouched(view, list.data, state[0], marks.data, extent);
  }

  std::pair<Value, Value> take(BuildView &view, const State &, Value at) const override {
    Value slot = emit::loadPosition(view, list.data, at);
    if (hasMarks)
      mark(view, slot, 0);
    return {slot, emit::add(view, slot, first)};
  }

  const Admission *admission() const override { return this; }

  void admit(BuildView &view, const State &, Value crd, Value fill) const override {
    Value slot = emit::sub(view, crd, first);
    if (hasMarks)
      mark(view, slot, 1);
    if (isOneValue())
      emit::storeValue(view.b, view.loc, fill, all.data, slot);
  }

  // Whether it is admitted is hard to foresee as well: what is not is computed for nothing. Its
  // mark stays 0, while 1 becomes 3, 7, ....
  Value touchAdmitted(BuildView &view, const State &, Value crd, Value fill) const override {
    OpBuilder &b = view.b;
    Value slot = emit::sub(view, crd, first);
    if (!hasMarks)
      return slot;
    Value mark = memref::LoadOp::create(b, view.loc, marks.data, ValueRange{slot});
    Value twice = arith::AddIOp::create(b, view.loc, mark, mark);
    Value next = arith::OrIOp::create(b, view.loc, mark, twice);
    memref::StoreOp::create(b, view.loc, next, marks.data, ValueRange{slot});
    if (isOneValue())
      return slot;
    Value fresh = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::eq, mark, byte(view, 1));
    beginValues(view, all.data, fresh, slot, fill);
    return slot;
  }

  void dismiss(BuildView &view, State &state, Value crd, Value fill) const override {
    OpBuilder &b = view.b;
    Value slot = emit::sub(view, crd, first);
    Value came = hasMarks ? cameByMark(view, slot) : cameByValue(view, slot, fill);
    emit::storeIndex(view, list.data, state[0], slot);
    Value more = arith::IndexCastUIOp::create(b, view.loc, b.getIndexType(), came);
    state[0] = emit::add(view, state[0], more);
  }

  Value values(const State &) const override { return all.data; }

  void release(BuildView &view, const State &) const override {
    if (hasMarks)
      emit::release(view, marks);
    for (const emit::Growing &buffer : {list, all})
      emit::release(view, buffer);
  }

private:
  void mark(BuildView &view, Value slot, int64_t value) const {
    memref::StoreOp::create(view.b, view.loc, byte(view, value), marks.data, ValueRange{slot});
  }

  Value cameByMark(BuildView &view, Value slot) const {
    Value found = memref::LoadOp::create(view.b, view.loc, marks.data, ValueRange{slot});
    mark(view, slot, 0);
    return arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ugt, found, byte(view, 1));
  }

  Value cameByValue(BuildView &view, Value slot, Value fill) const {
    Value value = emit::loadValue(view.b, view.loc, all.data, slot, fill.getType());
    if (isa<FloatType>(fill.getType()))
      return arith::CmpFOp::create(view.b, view.loc, arith::CmpFPredicate::UNE, value, fill);
    return arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ne, value, fill);
  }

  // Then it is written when its coordinate is admitted, which costs less than asking later.
  bool isOneValue() const { return getConstantIntValue(block) == 1; }

  bool hasMarks;
  emit::Growing marks, list, all;
};

} // namespace

std::unique_ptr<ResultWorkspace> createDenseWorkspace(Type element, Value first, Value extent,
                                                      Value block, bool shown) {
  return std::make_unique<DenseWorkspace>(element, first, extent, block, shown);
}

} // namespace strata

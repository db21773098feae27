// Closes levels where the tuple of a loop over several variables changes.
#include "strata/lower/lvl/LateClosing.h"

#include "strata/dialect/lvl/Lvl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

LateClosing::LateClosing(const ResultWalk &result, Value storage, ArrayRef<unsigned> variables,
                         ResultPosition base, llvm::SmallBitVector bound, OpBuilder &b,
                         Location loc)
    : result(result), storage(storage), variables(variables), base(std::move(base)),
      bound(std::move(bound)), b(b), loc(loc) {
  auto opened = result.opensInTuples(this->base, variables, this->bound);
  for (unsigned at = variables.size(); at-- > 1;)
    if (opened[at])
      levels.push_back({*opened[at], at});
}

void LateClosing::begin(Carried &carried, SmallVectorImpl<Value> &keys) {
  auto add = [&](Value first) {
    keys.push_back(first);
    carried[first] = first;
    return first;
  };
  Value builder = carried.lookup(storage);
  for (unsigned at = 0; !levels.empty() && at < levels.front().depth; ++at)
    lastValues.push_back(add(arith::ConstantIndexOp::create(b, loc, 0)));
  for (Level &level : levels)
    level.mark = add(lvl::MarkOp::create(b, loc, builder, level.level));
}

Value LateClosing::changed(unsigned depth, ArrayRef<Value> indices, const Carried &carried) const {
  Value any;
  for (unsigned at = 0; at < depth; ++at) {
    Value other = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, indices[variables[at]],
                                        carried.lookup(lastValues[at]));
    any = any ? Value(arith::OrIOp::create(b, loc, any, other)) : other;
  }
  return any;
}

// Where the deepest parent stays, so do those around it; where it changes, perhaps some of them.
void LateClosing::closeChanged(unsigned at, ArrayRef<Value> indices, Carried &carried) const {
  if (at == levels.size())
    return;
  SmallVector<Value> keys{storage};
  for (unsigned other = at; other < levels.size(); ++other)
    keys.push_back(levels[other].mark);
  auto yield = [&](const Carried &from) {
    SmallVector<Value> values;
    for (Value key : keys)
      values.push_back(from.lookup(key));
    scf::YieldOp::create(b, loc, values);
    return values;
  };
  SmallVector<Type> types;
  for (Value key : keys)
    types.push_back(carried.lookup(key).getType());
  Value other = changed(levels[at].depth, indices, carried);
  auto choice = scf::IfOp::create(b, loc, types, other, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Carried inside = carried;
  close(levels[at], inside);
  inside[levels[at].mark] = lvl::MarkOp::create(b, loc, inside.lookup(storage), levels[at].level);
  closeChanged(at + 1, indices, inside);
  yield(inside);
  b.setInsertionPointToStart(choice.elseBlock());
  yield(carried);
  for (auto [key, value] : llvm::zip(keys, choice.getResults()))
    carried[key] = value;
}

void LateClosing::meet(ArrayRef<Value> indices, Carried &carried) const {
  closeChanged(0, indices, carried);
  for (auto [at, key] : llvm::enumerate(lastValues))
    carried[key] = indices[variables[at]];
}

void LateClosing::close(const Level &level, Carried &carried) const {
  ArrayRef<unsigned> parent = ArrayRef(variables).take_front(level.depth);
  SmallVector<Value> values(bound.size());
  for (auto [at, variable] : llvm::enumerate(parent))
    values[variable] = carried.lookup(lastValues[at]);
  result.closeLate(base, level.level, parent, bound, values, carried.lookup(level.mark),
                   carried[storage]);
}

void LateClosing::end(Carried &carried) const {
  for (const Level &level : levels)
    close(level, carried);
  for (const Level &level : levels)
    carried.erase(level.mark);
  for (Value key : lastValues)
    carried.erase(key);
}

} // namespace strata

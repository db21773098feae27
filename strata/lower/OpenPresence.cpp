// Finds which flags decide whether a statement has an effect.
#include "strata/lower/OpenPresence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

bool OpenPresence::isUsedBy(Operation *statement) const {
  if (!temp)
    return llvm::any_of(accesses, [&](Operation *op) { return statement->isAncestor(op); });
  return llvm::any_of(temp.getUsers(), [&](Operation *op) {
    return isa<cin::AccessOp>(op) && statement->isAncestor(op);
  });
}

void OpenPresence::deny(Absence &absence) const {
  if (temp)
    absence.temps[temp] = before;
  else
    absence.accesses.insert(accesses.begin(), accesses.end());
}

Value emitAny(OpBuilder &b, Location loc, ArrayRef<OpenPresence> open) {
  Value any = open.front().flag;
  for (const OpenPresence &other : open.drop_front())
    any = arith::OrIOp::create(b, loc, any, other.flag);
  return any;
}

Value emitHasEffect(OpBuilder &b, Location loc, Operation *statement, const Absence &absence,
                    ArrayRef<OpenPresence> open) {
  // An effect that some bring, more bring as well: the least sets are enough.
  SmallVector<unsigned> least;
  for (unsigned present = 0; present < 1u << open.size(); ++present) {
    if (llvm::any_of(least, [&](unsigned set) { return (set & present) == set; }))
      continue;
    Absence here = absence;
    for (auto [at, one] : llvm::enumerate(open))
      if (!(present >> at & 1))
        one.deny(here);
    if (!hasNoEffect(statement, here))
      least.push_back(present);
  }
  Value any;
  for (unsigned set : least) {
    Value all;
    for (auto [at, one] : llvm::enumerate(open))
      if (set >> at & 1)
        all = all ? Value(arith::AndIOp::create(b, loc, all, one.flag)) : one.flag;
    if (!all)
      return {};
    any = any ? Value(arith::OrIOp::create(b, loc, any, all)) : all;
  }
  return any ? any : Value(arith::ConstantIntOp::create(b, loc, 0, 1));
}

} // namespace strata

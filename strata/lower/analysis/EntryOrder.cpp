// Compares the orders of levels, level by level.
#include "strata/lower/analysis/EntryOrder.h"

using namespace mlir;

namespace strata {

// The variable of which `high` and `low` are the quotient and the rest by the same size, or null.
static AffineExpr dividedAs(AffineExpr high, AffineExpr low) {
  auto quotient = dyn_cast<AffineBinaryOpExpr>(high), rest = dyn_cast<AffineBinaryOpExpr>(low);
  bool divides = quotient && rest && quotient.getKind() == AffineExprKind::FloorDiv &&
                 rest.getKind() == AffineExprKind::Mod && quotient.getLHS() == rest.getLHS() &&
                 quotient.getRHS() == rest.getRHS();
  return divides ? rest.getLHS() : AffineExpr();
}

// What tells a value of `level` from another below one parent: its rest, where the parents have its
// quotient.
static AffineExpr restBelow(ArrayRef<AffineExpr> parents, AffineExpr level) {
  for (AffineExpr parent : parents) {
    auto quotient = dyn_cast<AffineBinaryOpExpr>(parent);
    if (quotient && quotient.getKind() == AffineExprKind::FloorDiv && quotient.getLHS() == level)
      return level % quotient.getRHS();
  }
  return level;
}

// What orders the entries below one of the parents whose coordinates are `parents`, where `levels`
// are compared one after the other: without those that the parents determine, a variable for its
// quotient and rest in a row, and the rest of a variable whose quotient the parents have.
static SmallVector<AffineExpr> orderBelow(ArrayRef<AffineExpr> parents,
                                          ArrayRef<AffineExpr> levels) {
  auto determines = [&](AffineExpr variable) {
    return llvm::any_of(parents, [&](AffineExpr parent) {
      return parent == variable || llvm::any_of(parents, [&](AffineExpr other) {
               return dividedAs(parent, other) == variable;
             });
    });
  };
  SmallVector<AffineExpr> order;
  for (AffineExpr level : levels) {
    bool known = llvm::is_contained(parents, level) ||
                 !level
                      .walk([&](AffineExpr part) {
                        bool open = isa<AffineDimExpr>(part) && !determines(part);
                        return open ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (known)
      continue;
    AffineExpr whole = order.empty() ? AffineExpr() : dividedAs(order.back(), level);
    if (whole)
      order.back() = whole;
    else
      order.push_back(level);
  }
  for (AffineExpr &level : order)
    level = restBelow(parents, level);
  return order;
}

// Are an operand's entries stored in the order of its coordinates?
static bool isOrdered(const AccessPath &path) {
  for (unsigned level = 0; level < path.coordinates.size(); ++level)
    if (path.format.isSlot(level) || !ta::levelProperties(path.format, level).ordered)
      return false;
  return path.ranks.empty();
}

bool comeInOrder(const AccessPath &from, const AccessPath &result, unsigned level) {
  ArrayRef<AffineExpr> levels = result.coordinates, parents = levels.take_front(level);
  return isOrdered(from) && orderBelow(parents, from.coordinates) == orderBelow(parents, levels);
}

bool parentsComeInOrder(const AccessPath &from, const AccessPath &result, unsigned levels) {
  SmallVector<AffineExpr> wanted = orderBelow({}, ArrayRef(result.coordinates).take_front(levels));
  SmallVector<AffineExpr> own = orderBelow({}, from.coordinates);
  return isOrdered(from) && own.size() >= wanted.size() &&
         ArrayRef(own).take_front(wanted.size()) == ArrayRef(wanted);
}

} // namespace strata

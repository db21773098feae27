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

// What orders the entries below one of the parents whose coordinates are `parents`, where `levels`
// are compared one after the other: without those that the parents determine, and a variable for
// its quotient and rest in a row.
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

// Answers questions about accesses.
#include "strata/frontend/AccessQueries.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

bool isVariable(const Index &index) {
  return index.lo == 0 && index.terms.size() == 1 && !index.terms.front().number &&
         index.terms.front().factor == 1;
}

bool isAffine(const Index &index, unsigned var) {
  llvm::SmallVector<unsigned> used;
  index.collectVars(used);
  return !isVariable(index) && llvm::is_contained(used, var);
}

void forEachAccess(const Element &element, llvm::function_ref<void(const Element &)> body) {
  if (element.kind == Element::Kind::Access)
    body(element);
  for (const Element::Operand &operand : element.operands)
    forEachAccess(*operand.element, body);
}

bool uses(const Element &element, unsigned var) {
  if (element.kind != Element::Kind::Label &&
      llvm::any_of(element.indices, [&](const Index &index) {
        llvm::SmallVector<unsigned> used;
        index.collectVars(used);
        return llvm::is_contained(used, var);
      }))
    return true;
  return llvm::any_of(element.operands,
                      [&](const Element::Operand &operand) { return uses(*operand.element, var); });
}

bool sameIndices(const std::vector<Index> &a, const std::vector<Index> &b) {
  return llvm::equal(a, b, [](const Index &x, const Index &y) {
    return x.lo == y.lo && llvm::equal(x.terms, y.terms, [](const auto &s, const auto &t) {
             return s.var == t.var && s.factor == t.factor && !s.number && !t.number;
           });
  });
}

void findLookups(const Element &element, llvm::DenseSet<unsigned> &lookedUp) {
  if (element.kind == Element::Kind::Selector)
    lookedUp.insert(element.indices.back().terms.front().var);
  for (const Element::Operand &operand : element.operands)
    findLookups(*operand.element, lookedUp);
}

bool arePlain(const std::vector<Index> &indices, const llvm::DenseSet<unsigned> &lookedUp) {
  llvm::DenseSet<unsigned> met;
  return llvm::all_of(indices, [&](const Index &index) {
    return isVariable(index) && !index.window && !lookedUp.contains(index.terms.front().var) &&
           met.insert(index.terms.front().var).second;
  });
}

} // namespace strata::frontend

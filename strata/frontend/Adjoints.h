// What each access of a statement's right side contributes to a gradient.
#ifndef STRATA_FRONTEND_ADJOINTS_H
#define STRATA_FRONTEND_ADJOINTS_H

#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"

#include "llvm/ADT/DenseSet.h"

namespace strata::frontend {

/// What the access contributes to the gradient by its tensor, at the access's own coordinates: the
/// value, summed over those of `vars` on which they do not depend.
struct Contribution {
  const Element *access = nullptr;
  ElementPtr value;
  llvm::SmallVector<unsigned> vars;
};

/// Tells whether the element has complex values.
bool isComplexValued(const Element &element, const std::vector<Tensor> &tensors);

/// Walks from the root of a right side to the accesses of the tensors that are asked for.
class Adjoints {
public:
  /// `isSparse`: of each tensor, whether it stores some elements only.
  Adjoints(const std::vector<Tensor> &tensors, const std::vector<bool> &isSparse,
           std::vector<IndexVar> &vars, const llvm::DenseSet<unsigned> &wanted,
           Diagnostics &diagnostics)
      : tensors(tensors), isSparse(isSparse), vars(vars), wanted(wanted), diagnostics(diagnostics) {
  }

  /// Appends what the accesses of `value` contribute, whose own adjoint is `cotangent`; `free` are
  /// the variables of the left side. Of an error nothing is appended further.
  void collect(const Element &value, ElementPtr cotangent, llvm::ArrayRef<unsigned> free);

  std::vector<Contribution> contributions;

private:
  /// The product of what stands above an element, as a part of its adjoint.
  struct Adjoint {
    std::vector<Element::Operand> factors;
    std::vector<ElementPtr> conditions;
    llvm::SmallVector<unsigned> vars;
    bool negative = false;

    Adjoint copy() const;
  };

  void walk(const Element &element, Adjoint adjoint);
  void walkProduct(const Element &product, const Adjoint &adjoint);
  void walkReduction(const Element &sum, Adjoint adjoint);
  void walkApply(const Element &apply, const Adjoint &adjoint);
  void walkMeasure(const Element &apply, Adjoint adjoint);
  void walkWhere(const Element &apply, const Adjoint &adjoint);
  ElementPtr shareOfExtreme(const Element &sum, const Element &body);
  ElementPtr productOfOthers(const Element &sum, const Element &body);
  ElementPtr sumOver(const Element &sum, ElementPtr body);

  bool depends(const Element &element) const;
  bool isComplex(const Element &element) const { return isComplexValued(element, tensors); }
  bool isZeroWhereAbsent(const Element &element) const;
  ElementPtr copied(const Element &element) const;
  ElementPtr conjugated(ElementPtr factor) const;
  ElementPtr valueOf(Adjoint adjoint) const;
  void makeReal(Adjoint &adjoint) const;
  void refuse(const Element &element, const llvm::Twine &message, const llvm::Twine &note = "");

  const std::vector<Tensor> &tensors;
  const std::vector<bool> &isSparse;
  std::vector<IndexVar> &vars;
  const llvm::DenseSet<unsigned> &wanted;
  Diagnostics &diagnostics;
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ADJOINTS_H

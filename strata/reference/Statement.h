// A statement of index notation as the interpreter sees it: numbered index variables with their
// extents, and a tree of expressions, each with its value where no operand stores anything.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_STATEMENT_H
#define STRATA_REFERENCE_STATEMENT_H

#include "strata/reference/Affine.h"
#include "strata/reference/Element.h"
#include "strata/reference/Tensor.h"

namespace strata::reference {

/// The value of an `index` outside the statement: an extent, a size. Nothing if it is not known.
using IndexValue = llvm::function_ref<std::optional<int64_t>(mlir::Value)>;

/// One expression, a function of its free variables.
struct Expression {
  enum class Kind { constant, access, element, reduction };
  Kind kind = Kind::constant;
  ElementType type;
  VariableSet variables = 0; ///< the free ones
  /// Its value where nothing is stored. A value that is known anywhere is this one.
  Scalar absent;
  /// Its value is given everywhere, by stored values and constants, and never taken from `absent`.
  bool total = false;
  std::vector<Expression> operands; ///< of an element operation; or the body of a reduction

  // ---- access ----
  unsigned input = 0;
  bool padded = false; ///< what equals the fill may be padding: it is missing
  AffineCoordinate coordinate;
  // ---- element operation ----
  Element element;
  // ---- reduction ----
  ta::Combine combine = ta::Combine::add;
  VariableSet reduced = 0;
  bool missing = false; ///< without terms it has no value
};

/// Tells whether a value of the reduction's body is no term: there is none, or what is absent
/// contributes nothing, also where a mask lets it pass.
bool isNoTerm(const Expression &reduction, const Scalar &value);

/// Which places of the left side take part.
struct Mask {
  unsigned input = 0;
  AffineCoordinate place;
  Number fill;
  bool full = false;   ///< it stores every coordinate
  bool padded = false; ///< what equals the fill is not there
  bool complement = false, structural = false;
};

struct Statement {
  std::vector<int64_t> extents; ///< of all variables, those of reductions included
  VariableSet left = 0;         ///< the variables of the left side
  AffineCoordinate out;
  std::vector<int64_t> sizes; ///< of the result
  ElementType type;
  strata_type stored = STRATA_F64;
  Scalar fill;         ///< what the result is worth where it stores nothing
  bool full = false;   ///< the result stores every coordinate
  bool padded = false; ///< what the init stores and equals the fill is not there
  bool drops = false;  ///< a copy: what is worth the fill is not stored
  std::optional<ta::Combine> combine;
  bool joins = false;   ///< what the init does not store is no operand of `combine`
  bool empties = false; ///< what has no value is emptied, not left as it is
  Number emptied;       ///< what an emptied place is worth
  std::optional<Mask> mask;
  bool replaces = false; ///< what takes no part is emptied, too
  std::vector<Tensor> inputs;
  std::optional<Tensor> init;
  Expression value;

  /// How many values the variables of a set have together; the greatest integer if more.
  int64_t count(VariableSet set) const;
  /// Whether the place takes part, for the values of the variables of the left side.
  bool takesPart(const Environment &environment) const;
  /// Whether an emptied place differs from one that was never written.
  bool emptyingShows() const { return full && !equal(type, emptied, fill.number); }
};

/// Reads a statement. Fails where it uses an operation or type that the reference does not know, an
/// extent that cannot be found, operands of other sizes or types than it declares, or coordinates
/// outside a tensor.
runtime::Result<Statement> readStatement(ta::ComputeOp op, std::span<const Tensor> inputs,
                                         const Tensor *init, IndexValue indexValue);

} // namespace strata::reference
#endif // STRATA_REFERENCE_STATEMENT_H

// Masks: C[i, k]<M> = e computes only where M allows.
#include "strata/frontend/Analyzer.h"

namespace strata::frontend {

// Nothing after an error.
std::optional<ComputeMask> Analyzer::maskOf(const ast::AssignStmt &statement, Notation &notation) {
  const ast::Mask &mask = *statement.mask;
  AccessText text;
  std::optional<AccessText> access = accessOf(*mask.access);
  if (access) {
    text = *access;
  } else if (const auto *name = llvm::dyn_cast<ast::NameExpr>(mask.access.get())) {
    text = {&name->name, {}, name->range};
    text.labels = statement.labels;
    for (ast::Coordinate &label : text.labels)
      label.range = name->range;
  } else {
    diagnostics.error(mask.access->range, "a mask is a tensor")
        .note("write C[i, k]<M> = ... or C[i, k]<M[k, i]> = ...");
    return std::nullopt;
  }
  for (const ast::Coordinate &label : text.labels)
    if (llvm::none_of(statement.labels,
                      [&](const ast::Coordinate &l) { return l.text == label.text; })) {
      diagnostics
          .error(label.range,
                 "the mask's label '" + label.text + "' does not occur on the left side")
          .note("a mask says which elements of the left side are computed");
      return std::nullopt;
    }
  // Its element type has no say in that of the statement.
  TypeFacts facts = notation.facts;
  notation.readsMask = true;
  ElementPtr element = this->access(text, notation);
  notation.readsMask = false;
  notation.facts = facts;
  if (!element)
    return std::nullopt;
  if (element->kind != Element::Kind::Access) {
    diagnostics.error(text.range, "a mask is asked inside its tensor").note("leave the '~' out");
    return std::nullopt;
  }
  return ComputeMask{std::move(element), mask.complemented, mask.structural, mask.replace,
                     !mask.push.value_or(true)};
}

} // namespace strata::frontend

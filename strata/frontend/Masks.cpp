// Masks: C[i, k]<M> = e computes only where M allows.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"

namespace strata::frontend {

// The mask as an access of what is stored; null after an error.
ElementPtr Analyzer::maskOf(const ast::AssignStmt &statement, Notation &notation) {
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
    return nullptr;
  }
  for (const ast::Coordinate &label : text.labels)
    if (llvm::none_of(statement.labels,
                      [&](const ast::Coordinate &l) { return l.text == label.text; })) {
      diagnostics
          .error(label.range,
                 "the mask's label '" + label.text + "' does not occur on the left side")
          .note("a mask says which elements of the left side are computed");
      return nullptr;
    }
  // Its element type has no say in that of the statement.
  TypeFacts facts = notation.facts;
  ElementPtr result = this->access(text, notation);
  notation.facts = facts;
  if (result)
    result->missing = true;
  return result;
}

// Around the value; inside a reduction that is all of it, so that what the mask drops is not
// computed: `pull` asks for the mask outside, element by element of the result.
void Analyzer::applyMask(Compute &compute, ElementPtr mask, const ast::Mask &written) {
  ElementPtr &value = compute.value;
  if (value->kind == Element::Kind::Sum && written.push.value_or(true)) {
    value->missing = true;
    ElementPtr &body = value->operands.front().element;
    body = makeMask(std::move(body), std::move(mask), written);
    return;
  }
  value = makeMask(std::move(value), std::move(mask), written);
}

} // namespace strata::frontend

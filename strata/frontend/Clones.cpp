// Copying elements.
#include "strata/frontend/Clones.h"

namespace strata::frontend {

Index renamed(const Index &index, const Renaming &names) {
  Index result = index;
  for (Index::Term &term : result.terms) {
    if (term.number)
      term.number = std::make_shared<Index>(renamed(*term.number, names));
    else if (auto found = names.find(term.var); found != names.end())
      term.var = found->second;
  }
  return result;
}

static std::vector<unsigned> renamedAll(const std::vector<unsigned> &vars, const Renaming &names) {
  std::vector<unsigned> result;
  for (unsigned var : vars) {
    auto found = names.find(var);
    result.push_back(found == names.end() ? var : found->second);
  }
  return result;
}

ElementPtr renamed(const Element &element, const Renaming &names) {
  auto clone = std::make_unique<Element>();
  clone->kind = element.kind;
  clone->range = element.range;
  clone->value = element.value;
  clone->imaginary = element.imaginary;
  clone->integer = element.integer;
  clone->parameter = element.parameter;
  clone->tensor = element.tensor;
  for (const Index &index : element.indices)
    clone->indices.push_back(renamed(index, names));
  if (element.inside)
    clone->inside = renamed(*element.inside, names);
  clone->pointers = renamedAll(element.pointers, names);
  clone->missing = element.missing;
  for (const Element::Operand &operand : element.operands)
    clone->operands.push_back({operand.inverse, renamed(*operand.element, names)});
  clone->op = element.op;
  clone->inner = element.inner;
  clone->castTo = element.castTo;
  clone->vars = renamedAll(element.vars, names);
  clone->reduces = element.reduces;
  return clone;
}

ElementPtr cloneOf(const Element &element) { return renamed(element, Renaming()); }

static void collectBound(const Element &element, Renaming &names, std::vector<IndexVar> &vars) {
  if (element.kind == Element::Kind::Sum)
    for (unsigned var : element.vars) {
      names[var] = unsigned(vars.size());
      IndexVar own = vars[var];
      vars.push_back(std::move(own));
    }
  for (const Element::Operand &operand : element.operands)
    collectBound(*operand.element, names, vars);
}

// A variable that two sums of the element bind becomes the same one in both.
ElementPtr withOwnVars(const Element &element, std::vector<IndexVar> &vars) {
  Renaming names;
  collectBound(element, names, vars);
  return renamed(element, names);
}

} // namespace strata::frontend

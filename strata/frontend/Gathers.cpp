// Coordinates that are looked up, `A[p[i], j]` and `y[p[i]] += x[i]`: an index variable of its own,
// which a selector, worth something at (i, p[i]) alone, ties to i.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// The variables on which the coordinate depends.
static llvm::SmallVector<unsigned> pointers(const Gather &gather) {
  llvm::SmallVector<unsigned> vars = usedVars(*gather.selector);
  llvm::erase(vars, gather.var);
  return vars;
}

// A variable for a coordinate that is looked up; nothing after a report.
std::optional<unsigned> Analyzer::lookedUpVar(const Symbol &symbol, unsigned dimension,
                                              const ast::Coordinate &coordinate,
                                              Notation &notation) {
  if (notation.vars.size() >= maxVars) {
    diagnostics.error(coordinate.range, "this statement has too many labels")
        .note("compute a part of it first");
    return std::nullopt;
  }
  unsigned var = notation.vars.size();
  notation.vars.push_back({coordinate.text, coordinate.range, {}});
  for (SizeSource &source : sourcesOfDimension(tensorOf(symbol), baseDimension(symbol, dimension)))
    addSource(notation, var, std::move(source), coordinate.range);
  return var;
}

// `~(i - 1)`: what lies outside the tensor is absent. A selector has an entry where it lies inside.
bool Analyzer::clippedIndex(const Symbol &symbol, unsigned dimension,
                            const ast::Coordinate &coordinate, const ast::Expr &written,
                            Notation &notation, Index &index) {
  if (notation.onLeft) {
    diagnostics.error(coordinate.range, "what lies outside a tensor can be read, not written")
        .note("leave the '~' out");
    return false;
  }
  auto selector = std::make_unique<Element>();
  selector->kind = Element::Kind::Selector;
  selector->range = coordinate.range;
  selector->inside.emplace();
  if (!sumOfLabels(symbol, dimension, written, notation, *selector->inside))
    return false;
  if (symbol.kind == Symbol::Kind::View)
    throughView(views[symbol.id].dimensions[dimension], *selector->inside);
  std::optional<unsigned> var = lookedUpVar(symbol, dimension, coordinate, notation);
  if (!var)
    return false;
  llvm::SmallVector<unsigned> used;
  selector->inside->collectVars(used);
  for (unsigned each : used)
    if (llvm::none_of(selector->indices,
                      [&](const Index &known) { return known.terms.front().var == each; }))
      selector->indices.push_back(Index::of(each));
  selector->indices.push_back(Index::of(*var));
  notation.clipped.push_back(std::move(selector));
  index = Index::of(*var);
  index.window = true;
  return true;
}

// The access where its indices lie inside, from the selector `first` on: a sum over the coordinates
// that they may be.
ElementPtr Analyzer::whereInside(ElementPtr access, size_t first, Notation &notation) {
  if (notation.clipped.size() == first)
    return access;
  llvm::SMRange range = access->range;
  llvm::SmallVector<unsigned> vars;
  std::vector<Element::Operand> factors;
  for (ElementPtr &selector : llvm::MutableArrayRef(notation.clipped).drop_front(first)) {
    vars.push_back(selector->indices.back().terms.front().var);
    factors.push_back({false, std::move(selector)});
  }
  notation.clipped.resize(first);
  factors.push_back({false, std::move(access)});
  return makeReduction(Operator::Plus, vars, makeMultiply(std::move(factors), range), false);
}

// The coordinate that an element of a tensor, or a scalar, gives a dimension of another.
bool Analyzer::gatheredIndex(const Symbol &symbol, unsigned dimension,
                             const ast::Coordinate &coordinate, Notation &notation, Index &index) {
  if (symbol.kind == Symbol::Kind::View) {
    diagnostics.error(coordinate.range, "a coordinate of a view cannot be looked up")
        .note("use the tensor that it is a part of");
    return false;
  }
  auto onLeft = llvm::find_if(notation.gathers, [&](const Gather &gather) {
    return notation.readsMask && gather.scatters && gather.coordinate.text == coordinate.text;
  });
  bool isNew = onLeft == notation.gathers.end();
  std::optional<unsigned> found =
      isNew ? lookedUpVar(symbol, dimension, coordinate, notation) : std::optional(onLeft->var);
  if (!found)
    return false;
  unsigned var = *found;
  if (!isNew)
    for (SizeSource &source : sourcesOfDimension(symbol.id, dimension))
      addSource(notation, var, std::move(source), coordinate.range);
  index = Index::of(var);
  index.window = true;
  if (!isNew)
    return true;
  Gather gather{var, notation.anchor.value_or(var), coordinate, nullptr};
  if (notation.onLeft) {
    notation.gathers.push_back(std::move(gather));
    return true;
  }
  // What is looked up to find it comes first.
  bool ok = resolveGather(gather, notation);
  notation.gathers.push_back(std::move(gather));
  return ok;
}

// Finds the tensor in which coordinates are looked up, and the labels that it is accessed with.
bool Analyzer::resolveGather(Gather &gather, Notation &notation) {
  TypeFacts facts = notation.facts;
  std::optional<unsigned> around = std::exchange(notation.anchor, gather.anchor);
  const ast::Coordinate &coordinate = gather.coordinate;
  if (coordinate.computed)
    gather.selector = access(*accessOf(*coordinate.computed), notation);
  else
    gather.selector = scalarAccess(scope->find(coordinate.text)->id, coordinate.range, notation);
  // Its element type has no say in that of the statement.
  notation.facts = facts;
  notation.anchor = around;
  if (!gather.selector)
    return false;
  if (gather.selector->kind != Element::Kind::Access) {
    diagnostics.error(coordinate.range, "what is looked up must lie inside its tensor")
        .note("leave the '~' out");
    return false;
  }
  const Tensor &tensor = program.tensors[gather.selector->tensor];
  if (!isInteger(tensor.type)) {
    diagnostics
        .error(coordinate.range, "'" + tensor.name + "' holds " + elementTypeName(tensor.type) +
                                     ", but coordinates are integers")
        .note("declare it as Tensor<int64>", tensor.range);
    return false;
  }
  gather.selector->kind = Element::Kind::Selector;
  gather.selector->missing = true;
  gather.selector->indices.push_back(Index::of(gather.var));
  return true;
}

// Sums over the variables by which coordinates are looked up go around the access.
void Analyzer::addPointers(Element &access, const Notation &notation) {
  for (const Index &index : access.indices)
    for (const Gather &gather : notation.gathers)
      if (index.terms.size() == 1 && gather.selector && index.terms.front().var == gather.var)
        llvm::append_range(access.pointers, pointers(gather));
}

// Those of the left side, whose labels are not the left side's own.
bool Analyzer::resolveGathers(Notation &notation) {
  notation.onLeft = false;
  std::vector<Gather> left = std::exchange(notation.gathers, {});
  for (Gather &gather : left) {
    gather.scatters = true;
    if (!resolveGather(gather, notation))
      return false;
    notation.gathers.push_back(std::move(gather));
  }
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Into the statement
//===------------------------------------------------------------------------------------------===//

// The variables that only the places of the left side depend on, and what is summed there.
llvm::SmallVector<unsigned> scatteredVars(const Notation &notation, unsigned numFree) {
  llvm::SmallVector<unsigned> vars;
  for (const Gather &gather : notation.gathers)
    for (unsigned var : pointers(gather))
      if (gather.scatters && var >= numFree && !llvm::is_contained(vars, var))
        vars.push_back(var);
  return vars;
}

// Binds the gather's variable in a reduction. A selector is worth 1, so that sums can take it as a
// factor: what nothing is stored for then stays out of sparse results.
static void addTo(Element &sum, Gather &gather) {
  // One by which a place of the left side is looked up is reduced already.
  if (!llvm::is_contained(sum.vars, gather.var))
    sum.vars.push_back(gather.var);
  ElementPtr &body = sum.operands.front().element;
  if (sum.op != Operator::Plus || sum.missing) {
    body = makeMask(std::move(body), std::move(gather.selector));
    return;
  }
  gather.selector->missing = false;
  llvm::SMRange range = body->range;
  std::vector<Element::Operand> factors;
  factors.push_back({false, std::move(gather.selector)});
  factors.push_back({false, std::move(body)});
  body = makeMultiply(std::move(factors), range);
}

// In the term of `element` that uses it.
static void addToTerm(ElementPtr &element, Gather &gather) {
  bool isSum = element->kind == Element::Kind::Add || element->kind == Element::Kind::Negate;
  llvm::SmallVector<Element::Operand *> users;
  for (Element::Operand &operand : element->operands)
    if (llvm::is_contained(usedVars(*operand.element), gather.anchor))
      users.push_back(&operand);
  if (isSum && users.size() == 1)
    return addToTerm(users.front()->element, gather);
  if (element->kind != Element::Kind::Sum) {
    bool missing = element->missing;
    element = makeReduction(Operator::Plus, {}, std::move(element), missing);
  }
  addTo(*element, gather);
}

// Where the last of the variables that the coordinate depends on is bound, the gather's is bound
// too.
static bool addToReduction(Element &element, Gather &gather, llvm::ArrayRef<unsigned> dependsOn) {
  for (Element::Operand &operand : element.operands)
    if (llvm::is_contained(usedVars(*operand.element), gather.anchor) &&
        addToReduction(*operand.element, gather, dependsOn))
      return true;
  if (element.kind != Element::Kind::Sum ||
      llvm::none_of(element.vars, [&](unsigned var) { return llvm::is_contained(dependsOn, var); }))
    return false;
  addTo(element, gather);
  return true;
}

static Operator operatorOf(ast::AssignOp op) {
  switch (op) {
  case ast::AssignOp::Set:
    return Operator::Any;
  case ast::AssignOp::Add:
  case ast::AssignOp::Subtract:
    return Operator::Plus;
  case ast::AssignOp::Multiply:
    return Operator::Times;
  case ast::AssignOp::Min:
    return Operator::Min;
  case ast::AssignOp::Max:
    return Operator::Max;
  case ast::AssignOp::Any:
    return Operator::Any;
  case ast::AssignOp::Or:
    return Operator::Or;
  case ast::AssignOp::And:
    break;
  }
  return Operator::And;
}

void Analyzer::placeGathers(Compute &compute, Notation &notation) {
  // The labels that only the places of the left side depend on are reduced by what the assignment
  // combines with.
  llvm::SmallVector<unsigned> scattered = scatteredVars(notation, compute.numFree);
  for (Gather &gather : notation.gathers)
    if (gather.scatters)
      compute.value = makeMask(std::move(compute.value), std::move(gather.selector));
  if (!scattered.empty())
    compute.value = makeReduction(operatorOf(compute.op), scattered, std::move(compute.value),
                                  /*missing=*/true);
  for (Gather &gather : notation.gathers) {
    if (gather.scatters)
      continue;
    llvm::SmallVector<unsigned> dependsOn = pointers(gather);
    if (!addToReduction(*compute.value, gather, dependsOn))
      addToTerm(compute.value, gather);
  }
}

} // namespace strata::frontend

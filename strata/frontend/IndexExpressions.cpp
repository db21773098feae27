// Expressions in place of labels, `x[i + 1]` and `x[0]`: sums of labels and integers, and how
// many values their labels can have for them to stay inside.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace strata::frontend {

// Sizes, factors and constants below this cannot overflow when they are multiplied and added up.
static constexpr int64_t mostFactor = int64_t(1) << 31;

bool hasComputed(llvm::ArrayRef<ast::Coordinate> coordinates) {
  return llvm::any_of(coordinates, [](const ast::Coordinate &one) { return one.computed; });
}

//===------------------------------------------------------------------------------------------===//
// From syntax to sums
//===------------------------------------------------------------------------------------------===//

namespace {

bool addTo(Index &sum, const Index &other, int64_t factor) {
  sum.lo += factor * other.lo;
  for (const Index::Term &term : other.terms) {
    auto same = llvm::find_if(sum.terms, [&](auto &mine) { return mine.var == term.var; });
    if (same == sum.terms.end())
      same = sum.terms.insert(sum.terms.end(), {term.var, 0});
    same->factor += factor * term.factor;
    if (std::abs(same->factor) > mostFactor)
      return false;
  }
  llvm::erase_if(sum.terms, [](const Index::Term &term) { return term.factor == 0; });
  return std::abs(sum.lo) <= mostFactor;
}

} // namespace

// A label in an expression, `i + 1`: its coordinate where it selects.
bool Analyzer::labelInIndex(const Symbol &symbol, unsigned dimension, const ast::Name &name,
                            LabelId id, Notation &notation, Index &index) {
  std::optional<unsigned> var = varOf(name, notation);
  if (!var)
    return false;
  const Label &label = labels[id];
  index = Index::of(*var);
  if (selects(symbol, dimension, id))
    index = {{{*var, label.step}}, label.lo};
  if (label.size)
    addSource(notation, *var, label.source(), name.range);
  else
    notation.vars[*var].fits = true;
  return true;
}

// `expr` as a sum, for a dimension of a tensor; false after a report.
bool Analyzer::sumOfLabels(const Symbol &symbol, unsigned dimension, const ast::Expr &expr,
                           Notation &notation, Index &sum) {
  auto refuse = [&](const llvm::Twine &message, const llvm::Twine &hint) {
    diagnostics.error(expr.range, message).note(hint);
    return false;
  };
  auto inner = [&](const ast::Expr &operand, Index &index) {
    return sumOfLabels(symbol, dimension, operand, notation, index);
  };
  llvm::StringRef usual = "write a sum of labels and integers: i + 1, 2 * i + r, n - i";
  if (const auto *number = llvm::dyn_cast<ast::NumberExpr>(&expr)) {
    sum = {{}, number->integer.value_or(0)};
    return number->integer && std::abs(sum.lo) <= mostFactor
               ? true
               : refuse("an index is an integer", usual);
  }
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    return nameInIndex(symbol, dimension, name->name, notation, sum);
  if (const auto *negate = llvm::dyn_cast<ast::NegateExpr>(&expr)) {
    Index operand;
    return inner(*negate->operand, operand) && addTo(sum, operand, -1);
  }
  if (const auto *terms = llvm::dyn_cast<ast::SumExpr>(&expr)) {
    for (const ast::SumExpr::Term &term : terms->terms) {
      Index operand;
      if (!inner(*term.operand, operand))
        return false;
      if (!addTo(sum, operand, term.subtracted ? -1 : 1))
        return refuse("this index is too large", usual);
    }
    return true;
  }
  if (accessOf(expr))
    return refuse("a coordinate that is looked up must be all of an index",
                  "compute it before: q[i] = p[i] + 1;");
  const auto *product = llvm::dyn_cast<ast::ProductExpr>(&expr);
  if (!product)
    return refuse("this is no index", usual);
  sum = {{}, 1};
  for (const ast::ProductExpr::Factor &factor : product->factors) {
    Index operand, scaled;
    if (!inner(*factor.operand, operand))
      return false;
    if (factor.op != ast::ProductExpr::Op::Times || (!sum.terms.empty() && !operand.terms.empty()))
      return refuse("an index cannot multiply labels, nor divide", usual);
    if (!(sum.terms.empty() ? addTo(scaled, operand, sum.lo) : addTo(scaled, sum, operand.lo)))
      return refuse("this index is too large", usual);
    sum = scaled;
  }
  return true;
}

// A label, or a parameter that is an integer.
bool Analyzer::nameInIndex(const Symbol &symbol, unsigned dimension, const ast::Name &name,
                           Notation &notation, Index &sum) {
  const Symbol *found = scope->find(name.text);
  if (found && found->kind == Symbol::Kind::Label)
    return labelInIndex(symbol, dimension, name, found->id, notation, sum);
  if (!found && parameters.count(name.text)) {
    std::optional<int64_t> value = valueOf({std::nullopt, name.text, name.range});
    sum = {{}, value.value_or(0)};
    return value && std::abs(*value) <= mostFactor;
  }
  if (!found)
    return findLabel(name).has_value();
  diagnostics.error(name.range, "'" + name.text + "' is not a label")
      .note("an index is a sum of labels and integers");
  return false;
}

// A parameter or a scalar that stands in place of a label.
bool Analyzer::isValue(const ast::Name &name) const {
  const Symbol *symbol = scope->find(name.text);
  if (!symbol)
    return parameters.count(name.text);
  return symbol->kind == Symbol::Kind::Tensor && orderOf(*symbol) == 0;
}

bool Analyzer::computedIndex(const Symbol &symbol, unsigned dimension,
                             const ast::Coordinate &coordinate, Notation &notation, Index &index) {
  index = {};
  if (coordinate.computed ? accessOf(*coordinate.computed).has_value()
                          : scope->find(coordinate.text) != nullptr)
    return gatheredIndex(symbol, dimension, coordinate, notation, index);
  bool ok = coordinate.computed
                ? sumOfLabels(symbol, dimension, *coordinate.computed, notation, index)
                : nameInIndex(symbol, dimension, coordinate, notation, index);
  if (!ok)
    return false;
  if (symbol.kind == Symbol::Kind::View)
    throughView(views[symbol.id].dimensions[dimension], index);
  index.window = true;
  notation.reaches.push_back(
      {tensorOf(symbol), baseDimension(symbol, dimension), index, coordinate.range});
  return true;
}

//===------------------------------------------------------------------------------------------===//
// How far labels go
//===------------------------------------------------------------------------------------------===//

// Of the labels in an index, the one whose range follows from it: the first without a size.
static std::optional<unsigned> fittedVar(const Notation &notation, const Index &index) {
  std::optional<unsigned> first;
  for (const Index::Term &term : index.terms)
    if (notation.vars[term.var].fits && (!first || term.var < *first))
      first = term.var;
  return first;
}

// Where the range of each label begins: x[i - 1] lets i begin at 1.
static llvm::SmallVector<int64_t> beginnings(const Notation &notation) {
  llvm::SmallVector<int64_t> begins(notation.vars.size(), 0);
  for (const Notation::Reach &reach : notation.reaches) {
    std::optional<unsigned> fitted = fittedVar(notation, reach.index);
    bool ascends = llvm::all_of(reach.index.terms, [](auto &term) { return term.factor > 0; });
    if (!fitted || !ascends)
      continue; // whether the others stay inside shows when the statement runs
    auto term = llvm::find_if(reach.index.terms, [&](auto &t) { return t.var == *fitted; });
    begins[*fitted] =
        std::max(begins[*fitted], llvm::divideCeilSigned(-reach.index.lo, term->factor));
  }
  return begins;
}

static void shift(Index &index, llvm::ArrayRef<int64_t> begins) {
  for (const Index::Term &term : index.terms) {
    index.lo += term.factor * begins[term.var];
    index.window |= begins[term.var] != 0;
  }
}

static void shift(Element &element, llvm::ArrayRef<int64_t> begins) {
  for (Index &index : element.indices)
    shift(index, begins);
  for (Element::Operand &operand : element.operands)
    shift(*operand.element, begins);
}

// How many values `fitted` can have in an index of a dimension of that size.
static Reach reachOf(const Index &index, unsigned fitted, const SizeSource &size) {
  Reach reach;
  auto own = llvm::find_if(index.terms, [&](auto &term) { return term.var == fitted; });
  bool ascends = own->factor > 0;
  reach.divisor = std::abs(own->factor);
  // Ascending it must stay below the size, else not below 0.
  if (ascends)
    reach.size = size;
  reach.offset = ascends ? -1 - index.lo : index.lo;
  for (const Index::Term &term : index.terms)
    if (term.var != fitted && (term.factor > 0) == ascends)
      reach.others.push_back({term.var, -std::abs(term.factor)});
  return reach;
}

// An index on the left has one label, so that it reaches a place once.
bool Analyzer::checkTarget(const ast::AssignStmt &statement, const ResolvedAccess &target) {
  for (auto [index, coordinate] : llvm::zip(target.indices, statement.labels))
    if (index.terms.size() > 1) {
      diagnostics
          .error(coordinate.range, "an index on the left side has one label, but '" +
                                       coordinate.text + "' has " + llvm::Twine(index.terms.size()))
          .note("look the coordinate up in a tensor of integers: k[i, j] = " + coordinate.text +
                "; c[k[i, j]] = ...;");
      return false;
    }
  return true;
}

// Does the left side reach only a part of a dimension, because accesses would leave their tensors
// elsewhere? A dimension whose size nothing else decides is as long as the label's range.
bool Analyzer::isPartial(const Notation &notation, const Compute &compute) const {
  auto hasSize = [&](unsigned var) {
    return llvm::any_of(llvm::enumerate(compute.indices), [&](auto pair) {
      return llvm::is_contained(llvm::map_range(pair.value().terms, [](auto &t) { return t.var; }),
                                var) &&
             !sourcesOfDimension(compute.result, pair.index()).empty();
    });
  };
  llvm::SmallVector<int64_t> begins = beginnings(notation);
  for (const Notation::Reach &reach : notation.reaches)
    if (std::optional<unsigned> var = fittedVar(notation, reach.index))
      if (*var < compute.numFree && !notation.vars[*var].sources.empty() &&
          (begins[*var] != 0 || hasSize(*var)))
        return true;
  return false;
}

// Gives labels without a size the range in which all accesses are inside; the others must stay
// inside by themselves.
bool Analyzer::fit(Compute &compute, Notation &notation) {
  llvm::SmallVector<int64_t> begins = beginnings(notation);
  shift(*compute.value, begins);
  for (Gather &gather : notation.gathers)
    shift(*gather.selector, begins);
  if (compute.mask)
    shift(*compute.mask->access, begins);
  for (Index &index : compute.indices)
    shift(index, begins);
  for (const Notation::Reach &reach : notation.reaches) {
    Index index = reach.index;
    shift(index, begins);
    std::vector<SizeSource> sizes = sourcesOfDimension(reach.tensor, reach.dimension);
    if (std::optional<unsigned> var = fittedVar(notation, index)) {
      compute.vars[*var].size.begin = begins[*var];
      if (!sizes.empty())
        compute.vars[*var].size.reaches.push_back(reachOf(index, *var, sizes.front()));
    } else if (!sizes.empty() && !staysInside(index, sizes.front(), compute.vars, reach.range)) {
      return false;
    }
  }
  for (auto [at, var] : llvm::enumerate(compute.vars)) {
    if (var.size.sources.empty() && (var.size.reaches.empty() || var.size.begin)) {
      unknownSize(var.name, var.range);
      return false;
    }
    if (!var.size.reaches.empty())
      var.size.var = at;
  }
  return true;
}

// What is constant is checked here, the rest when the statement runs.
bool Analyzer::staysInside(const Index &index, const SizeSource &size,
                           llvm::ArrayRef<IndexVar> vars, llvm::SMRange range) {
  int64_t least = index.lo, most = index.lo;
  for (const Index::Term &term : index.terms) {
    auto constant = llvm::find_if(vars[term.var].size.sources,
                                  [](const SizeSource &source) { return source.constant; });
    if (constant == vars[term.var].size.sources.end())
      return true;
    if (*constant->constant == 0)
      return true; // nothing is reached
    (term.factor > 0 ? most : least) += term.factor * (*constant->constant - 1);
  }
  if (least >= 0 && (!size.constant || most < *size.constant))
    return true;
  llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  auto report = diagnostics.error(
      range, "'" + text + "' reaches coordinate " + llvm::Twine(least < 0 ? least : most) +
                 ", but this dimension " +
                 (least < 0 ? "begins at 0" : "has size " + std::to_string(*size.constant)));
  if (!index.terms.empty())
    report.note("a label declared [?] runs where all accesses are inside; one with a range, "
                "IndexLabel [s] = [1:9];, where that says");
  return false;
}

} // namespace strata::frontend

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

bool Index::isLinear() const {
  return llvm::none_of(terms, [](const Term &term) { return term.number != nullptr; });
}

void Index::collectVars(llvm::SmallVectorImpl<unsigned> &vars) const {
  for (const Term &term : terms)
    if (term.number)
      term.number->collectVars(vars);
    else
      vars.push_back(term.var);
}

//===------------------------------------------------------------------------------------------===//
// From syntax to sums
//===------------------------------------------------------------------------------------------===//

namespace {

bool addTo(Index &sum, const Index &other, int64_t factor) {
  sum.lo += factor * other.lo;
  for (const Index::Term &term : other.terms) {
    auto same = llvm::find_if(sum.terms, [&](auto &mine) {
      return mine.var == term.var && !mine.number && !term.number;
    });
    if (same == sum.terms.end()) {
      same = sum.terms.insert(sum.terms.end(), term);
      same->factor = 0;
    }
    same->factor += factor * term.factor;
    if (std::abs(same->factor) > mostFactor)
      return false;
  }
  llvm::erase_if(sum.terms, [](const Index::Term &term) { return term.factor == 0; });
  return std::abs(sum.lo) <= mostFactor;
}

// `number` divided: of a constant, a constant.
Index dividedBy(Index number, int64_t divisor, bool remainder) {
  if (number.terms.empty()) {
    int64_t quotient = llvm::divideFloorSigned(number.lo, divisor);
    return {{}, remainder ? number.lo - quotient * divisor : quotient};
  }
  return {{{Index::noVar, 1, std::make_shared<Index>(std::move(number)), divisor, remainder}}};
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
  if (label.hasSize())
    addSource(notation, *var, label.source(), name.range);
  else
    notation.vars[*var].fits = true;
  return true;
}

static constexpr llvm::StringLiteral usual =
    "write a sum of labels and integers: i + 1, 2 * i + r, n - i, i floordiv 4, i mod 4";

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
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr);
      call && call->callee.text == infoOf(Operator::BitNot).name)
    return refuse("'~' stands before all of an index", "write ~(i - 1)");
  if (accessOf(expr))
    return refuse("a coordinate that is looked up must be all of an index",
                  "compute it before: q[i] = p[i] + 1;");
  if (const auto *product = llvm::dyn_cast<ast::ProductExpr>(&expr))
    return productOfLabels(symbol, dimension, *product, notation, sum);
  return refuse("this is no index", usual);
}

// From left to right: one factor has labels, divisors are integers.
bool Analyzer::productOfLabels(const Symbol &symbol, unsigned dimension,
                               const ast::ProductExpr &product, Notation &notation, Index &sum) {
  using Op = ast::ProductExpr::Op;
  auto refuse = [&](const llvm::Twine &message) {
    diagnostics.error(product.range, message).note(usual);
    return false;
  };
  sum = {{}, 1};
  for (const ast::ProductExpr::Factor &factor : product.factors) {
    Index operand, scaled;
    if (!sumOfLabels(symbol, dimension, *factor.operand, notation, operand))
      return false;
    if (factor.op == Op::Divide)
      return refuse("an index cannot divide by '/'");
    if (factor.op == Op::FloorDivide || factor.op == Op::Remainder) {
      if (!operand.terms.empty() || operand.lo <= 0)
        return refuse("an index is divided by an integer above 0");
      sum = dividedBy(std::move(sum), operand.lo, factor.op == Op::Remainder);
      continue;
    }
    if (!sum.terms.empty() && !operand.terms.empty())
      return refuse("an index cannot multiply labels");
    if (!(sum.terms.empty() ? addTo(scaled, operand, sum.lo) : addTo(scaled, sum, operand.lo)))
      return refuse("this index is too large");
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
    if (!value)
      return false;
    sum = {{}, *value};
    if (*value >= -mostFactor && *value <= mostFactor)
      return true;
    diagnostics.error(name.range, "this index is too large").note(usual);
    return false;
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

// The index in `~(i - 1)`; null if it is another.
static const ast::Expr *clippedBy(const ast::Coordinate &coordinate) {
  const auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(coordinate.computed.get());
  return call && call->callee.text == infoOf(Operator::BitNot).name ? call->arguments.front().get()
                                                                    : nullptr;
}

// What must stay inside: of `i floordiv 4 + 1`, `i + 4` inside a dimension four times as long.
static Notation::Reach reachedBy(Index index, Notation::Reach reach) {
  while (index.terms.size() == 1 && index.terms.front().number && !index.terms.front().remainder &&
         index.terms.front().factor == 1) {
    Index::Term quotient = std::move(index.terms.front());
    int64_t lo = index.lo * quotient.divisor, scale = reach.scale * quotient.divisor;
    if (std::abs(lo) > mostFactor || scale > mostFactor)
      break;
    reach.scale = scale;
    index = *quotient.number;
    index.lo += lo;
  }
  reach.index = std::move(index);
  return reach;
}

bool Analyzer::computedIndex(const Symbol &symbol, unsigned dimension,
                             const ast::Coordinate &coordinate, Notation &notation, Index &index) {
  index = {};
  if (const ast::Expr *written = clippedBy(coordinate))
    return clippedIndex(symbol, dimension, coordinate, *written, notation, index);
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
      reachedBy(index, {tensorOf(symbol), baseDimension(symbol, dimension), {}, coordinate.range}));
  return true;
}

//===------------------------------------------------------------------------------------------===//
// How far labels go
//===------------------------------------------------------------------------------------------===//

// Of the labels in an index, the one whose range follows from it: the first without a size.
static std::optional<unsigned> fittedVar(const Notation &notation, const Index &index) {
  std::optional<unsigned> first;
  if (!index.isLinear())
    return first;
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
  for (Index::Term &term : index.terms) {
    if (term.number) {
      Index number = *term.number;
      shift(number, begins);
      term.number = std::make_shared<Index>(std::move(number));
      continue;
    }
    index.lo += term.factor * begins[term.var];
    index.window |= begins[term.var] != 0;
  }
}

// A selector of what lies inside is made for the values of the variables, as many as there are.
static void shift(Element &element, llvm::ArrayRef<int64_t> begins) {
  if (element.inside)
    shift(*element.inside, begins);
  else
    for (Index &index : element.indices)
      shift(index, begins);
  for (Element::Operand &operand : element.operands)
    shift(*operand.element, begins);
}

// How many values `fitted` can have in an index of a dimension of that size.
static Reach reachOf(const Index &index, unsigned fitted, const SizeSource &size, int64_t scale) {
  Reach reach;
  reach.scale = scale;
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

// Does the left side reach only a part of a dimension, because accesses would leave their tensors
// elsewhere? A dimension whose size nothing else decides is as long as the label's range.
bool Analyzer::isPartial(const Notation &notation, const Compute &compute) const {
  auto hasSize = [&](unsigned var) {
    return llvm::any_of(llvm::enumerate(compute.indices), [&](auto pair) {
      llvm::SmallVector<unsigned> used;
      pair.value().collectVars(used);
      return llvm::is_contained(used, var) &&
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
        compute.vars[*var].size.reaches.push_back(reachOf(index, *var, sizes.front(), reach.scale));
    } else if (!sizes.empty() && !staysInside(reach, index, sizes.front(), compute.vars)) {
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

// The least and greatest value of an index; nothing if an extent is not known here or is 0, or if
// one of them is no int64_t.
static std::optional<std::pair<int64_t, int64_t>> bounds(const Index &index,
                                                         llvm::ArrayRef<IndexVar> vars) {
  int64_t least = index.lo, most = index.lo;
  for (const Index::Term &term : index.terms) {
    std::pair<int64_t, int64_t> of;
    if (term.number) {
      auto number = bounds(*term.number, vars);
      if (!number)
        return std::nullopt;
      auto [first, last] = *number;
      int64_t begin = llvm::divideFloorSigned(first, term.divisor),
              end = llvm::divideFloorSigned(last, term.divisor);
      of = !term.remainder ? std::pair(begin, end)
           : begin == end  ? std::pair(first - begin * term.divisor, last - begin * term.divisor)
                           : std::pair(int64_t(0), term.divisor - 1);
    } else {
      auto constant = llvm::find_if(vars[term.var].size.sources,
                                    [](const SizeSource &source) { return source.constant; });
      if (constant == vars[term.var].size.sources.end() || *constant->constant == 0)
        return std::nullopt;
      of = {0, *constant->constant - 1};
    }
    const bool ascends = term.factor > 0;
    int64_t low, high;
    if (llvm::MulOverflow(term.factor, ascends ? of.first : of.second, low) ||
        llvm::MulOverflow(term.factor, ascends ? of.second : of.first, high) ||
        llvm::AddOverflow(least, low, least) || llvm::AddOverflow(most, high, most))
      return std::nullopt;
  }
  return std::pair(least, most);
}

// What is constant is checked here, the rest when the statement runs.
bool Analyzer::staysInside(const Notation::Reach &reach, const Index &index, const SizeSource &size,
                           llvm::ArrayRef<IndexVar> vars) {
  auto reached = bounds(index, vars);
  if (!reached)
    return true;
  int64_t least = llvm::divideFloorSigned(reached->first, reach.scale),
          most = llvm::divideFloorSigned(reached->second, reach.scale);
  if (least >= 0 && (!size.constant || most < *size.constant))
    return true;
  llvm::StringRef text(reach.range.Start.getPointer(),
                       reach.range.End.getPointer() - reach.range.Start.getPointer());
  auto report = diagnostics.error(
      reach.range, "'" + text + "' reaches coordinate " + llvm::Twine(least < 0 ? least : most) +
                       ", but this dimension " +
                       (least < 0 ? "begins at 0" : "has size " + std::to_string(*size.constant)));
  if (!index.terms.empty())
    report.note("a label declared [?] runs where all accesses are inside; one with a range, "
                "IndexLabel [s] = [1:9];, where that says");
  return false;
}

} // namespace strata::frontend

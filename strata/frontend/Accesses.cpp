// From `A[i, s]` to coordinates: index variables, and the windows of labels that select.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// The index variable of a label, which within a SUM belongs to that SUM alone.
std::optional<unsigned> Analyzer::varOf(const ast::Name &label, Notation &notation) {
  for (const auto &reduced : llvm::reverse(notation.reduced))
    if (auto found = reduced.find(label.text); found != reduced.end())
      return found->second;
  auto &innermost = notation.scopes.back();
  if (auto found = innermost.find(label.text); found != innermost.end())
    return found->second;
  auto refuse = [&](llvm::SMRange other) {
    diagnostics.error(label.range, "'" + label.text + "' is used both inside and outside of SUM")
        .note("SUM adds all elements of its argument; leave it out to sum only over labels that "
              "the left side lacks",
              other);
    return std::nullopt;
  };
  for (const auto &outer : llvm::drop_end(notation.scopes))
    if (auto found = outer.find(label.text); found != outer.end())
      return refuse(notation.vars[found->second].range);
  if (auto found = notation.summed.find(label.text);
      found != notation.summed.end() && notation.scopes.size() == 1)
    return refuse(found->second);
  if (notation.vars.size() == maxVars) {
    diagnostics
        .error(label.range, "a statement has at most " + llvm::Twine(maxVars) + " different labels")
        .note("compute a part of it first");
    return std::nullopt;
  }
  notation.vars.push_back({label.text, label.range, {}});
  innermost[label.text] = notation.vars.size() - 1;
  return notation.vars.size() - 1;
}

// Tells whether `label` picks coordinates of a dimension, rather than running over all of it.
// Labels with one range are one index space: each runs over the dimensions of the others.
bool Analyzer::selects(const Symbol &symbol, unsigned dimension, LabelId label) const {
  return labels[label].selects && !labels[label].hasRangeOf(labels[labelOf(symbol, dimension)]);
}

// A window must lie within its dimension; where that shows only at run time, it is asked there.
bool Analyzer::checkWindow(const Symbol &symbol, unsigned dimension, const ast::Name &name,
                           LabelId id) {
  const Label &label = labels[id];
  if (*label.size == 0)
    return true;
  int64_t last = label.lo + label.step * (*label.size - 1);
  std::optional<int64_t> size = sizeOf(symbol, dimension);
  if (!size || last < *size)
    return true;
  diagnostics
      .error(name.range, "'" + name.text + "' selects up to coordinate " + llvm::Twine(last) +
                             ", but this dimension has size " + llvm::Twine(*size))
      .note("'" + name.text + "' is declared here", label.range);
  return false;
}

// The coordinate of one dimension, and which dimension of the stored tensor it belongs to.
bool Analyzer::index(const Symbol &symbol, unsigned dimension, const ast::Name &name, LabelId id,
                     unsigned var, Notation &notation, Index &index, unsigned &base) {
  const Label &label = labels[id];
  base = baseDimension(symbol, dimension);
  index = Index::of(var);
  if (selects(symbol, dimension, id)) {
    if (!checkWindow(symbol, dimension, name, id))
      return false;
    bool all = label.lo == 0 && label.step == 1 && label.size == sizeOf(symbol, dimension);
    index = {{{var, label.step}}, label.lo, !all};
  }
  // A declared size is one of the sources: it must agree with the tensor's.
  if (label.hasSize())
    addSource(notation, var, label.source(), name.range);
  if (symbol.kind != Symbol::Kind::View)
    return true;
  const View::Dimension &view = views[symbol.id].dimensions[dimension];
  // Where a window is used whole, its own size counts.
  if (view.window && !index.window)
    addSource(notation, var, labels[view.label].source(), name.range);
  throughView(view, index);
  return true;
}

// A coordinate of a view as one of the tensor that it is a part of.
void Analyzer::throughView(const View::Dimension &view, Index &index) {
  index.lo = view.lo + view.step * index.lo;
  for (Index::Term &term : index.terms)
    term.factor *= view.step;
  index.window |= view.window;
}

// A[n, n] of a tensor declared with [n, n] looks whole, and is not.
void Analyzer::warnAboutDiagonal(const Symbol &symbol, const AccessText &access) {
  for (unsigned second = 1; second < access.labels.size(); ++second)
    for (unsigned first = 0; first < second; ++first) {
      if (access.labels[first].computed ||
          access.labels[first].text != access.labels[second].text ||
          labelOf(symbol, first) != labelOf(symbol, second))
        continue;
      diagnostics
          .warning(access.range, "only the diagonal of '" + access.tensor->text +
                                     "' is used, since two of its labels are the same")
          .note("declare another label of that size for one of them");
      return;
    }
}

bool Analyzer::resolve(const AccessText &access, Notation &notation, ResolvedAccess &resolved) {
  const Symbol *symbol = findTensor(*access.tensor, access.labels);
  if (!symbol || !checkOrder(*symbol, *access.tensor, access.labels.size(), access.range))
    return false;
  resolved.tensor = tensorOf(*symbol);
  resolved.indices.resize(program.tensors[resolved.tensor].order());
  bool ok = true;
  for (auto [dimension, name] : llvm::enumerate(access.labels)) {
    Index coordinate;
    unsigned base = baseDimension(*symbol, dimension);
    if (name.computed || isValue(name)) {
      ok &= computedIndex(*symbol, dimension, name, notation, coordinate);
    } else {
      std::optional<LabelId> label = findLabel(name);
      std::optional<unsigned> var = label ? varOf(name, notation) : std::nullopt;
      ok &= var && index(*symbol, dimension, name, *label, *var, notation, coordinate, base);
    }
    resolved.indices[base] = coordinate;
  }
  if (ok && !alone)
    warnAboutDiagonal(*symbol, access);
  return ok;
}

} // namespace strata::frontend

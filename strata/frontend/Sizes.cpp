// Where the sizes of index variables and dimensions come from, and whether they agree.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// The size of a dynamic label is that of the dimensions declared with it: those whose sizes came
// from files, or else those that anything gave a value to.
std::vector<SizeSource> Analyzer::sourcesOfLabel(LabelId id) const {
  const Label &label = labels[id];
  if (label.hasSize())
    return {label.source()};
  std::vector<SizeSource> fromFiles, others;
  for (auto [tensor, dimension] : label.dimensions)
    if (states[tensor].hasValue)
      (states[tensor].isSource ? fromFiles : others)
          .push_back({std::nullopt, tensor, dimension, program.tensors[tensor].name});
  return fromFiles.empty() ? others : fromFiles;
}

std::vector<SizeSource> Analyzer::sourcesOfDimension(TensorId tensor, unsigned dimension) const {
  const Tensor &t = program.tensors[tensor];
  if (t.sizes[dimension])
    return {{t.sizes[dimension], tensor, dimension, t.name}};
  LabelId label = states[tensor].labels[dimension];
  if (!states[tensor].hasValue)
    return sourcesOfLabel(label);
  std::vector<SizeSource> sources{{std::nullopt, tensor, dimension, t.name}};
  // What was read or generated must have the size that a parameter gives.
  if (states[tensor].isSource && !labels[label].parameter.empty())
    sources.push_back(labels[label].source());
  return sources;
}

// Of a statement alone: what to type. The dimensions of `c(i + 2, j)` have no index's size.
std::string Analyzer::optionForSize(TensorId tensor, const Label &label) const {
  const Symbol *symbol = scope->find(label.name);
  if (symbol && symbol->kind == Symbol::Kind::Label)
    return "give it: -d=" + label.name + ":100";
  if (returns)
    return "give the tensor that is assigned, which says its sizes; in Python, out=";
  std::string sizes;
  for (unsigned dimension = 0; dimension < program.tensors[tensor].order(); ++dimension)
    sizes += dimension ? ",100" : "100";
  return "give the sizes of all its dimensions: -d=" + program.tensors[tensor].name + ":" + sizes;
}

// The sizes of all dimensions of a tensor that gets its first value; none, after a report, where
// one is not known.
std::optional<std::vector<Size>> Analyzer::sizesOf(TensorId tensor, llvm::SMRange range) {
  std::vector<Size> sizes;
  bool ok = true;
  const Tensor &t = program.tensors[tensor];
  for (unsigned dimension = 0; dimension < t.order(); ++dimension) {
    const Label &label = labels[states[tensor].labels[dimension]];
    sizes.push_back({label.name, sourcesOfDimension(tensor, dimension)});
    if (!sizes.back().sources.empty())
      continue;
    ok = false;
    if (label.name.empty() || label.faulty) // it was reported that there is none
      continue;
    diagnostics
        .error(range, "the size of '" + label.name + "' (dimension " + llvm::Twine(dimension + 1) +
                          " of '" + t.name + "') is not known here")
        .note(alone ? optionForSize(tensor, label)
                    : "read a tensor that has this label before, or give the label a size: "
                      "IndexLabel [" +
                          label.name + "] = [100];",
              alone ? llvm::SMRange() : label.range);
  }
  return ok ? std::optional(std::move(sizes)) : std::nullopt;
}

void Analyzer::addSource(Notation &notation, unsigned var, SizeSource source, llvm::SMRange range) {
  for (const Notation::Source &other : notation.vars[var].sources) {
    bool same = source.constant ? other.source.constant == source.constant
                                : !other.source.constant && other.source.tensor == source.tensor &&
                                      other.source.dimension == source.dimension &&
                                      other.source.parameter == source.parameter;
    if (same)
      return;
  }
  notation.vars[var].sources.push_back({std::move(source), range});
}

// The left side decides the size of a variable where nothing on the right does, and where it keeps
// a part of its value; sizes known in advance must agree in any case.
void Analyzer::addTargetSources(const ResolvedAccess &target, bool updates, llvm::SMRange range,
                                Notation &notation) {
  const Tensor &tensor = program.tensors[target.tensor];
  for (auto [dimension, index] : llvm::enumerate(target.indices)) {
    if (index.window)
      continue;
    unsigned var = index.terms.front().var;
    bool undecided = notation.vars[var].sources.empty();
    if (!undecided && !tensor.sizes[dimension] && !(updates && states[target.tensor].hasValue))
      continue;
    for (SizeSource &source : sourcesOfDimension(target.tensor, dimension))
      addSource(notation, var, std::move(source), range);
  }
}

static std::string describe(const SizeSource &source) {
  llvm::StringRef use = source.use;
  if (use.starts_with("label "))
    return "by its declaration";
  return use.starts_with("-") || use.contains(' ') ? "from " + source.use
                                                   : "in '" + source.use + "'";
}

// Checks that the constant sizes of each variable agree, and that each has a size.
bool Analyzer::settle(Notation &notation, std::vector<IndexVar> &vars) {
  bool ok = true;
  for (Notation::Var &var : notation.vars) {
    IndexVar settled{var.name, var.range, {var.name, {}}};
    const Notation::Source *constant = nullptr;
    for (const Notation::Source &source : var.sources) {
      settled.size.sources.push_back(source.source);
      if (!source.source.constant)
        continue;
      if (constant) {
        diagnostics
            .error(source.range,
                   "'" + var.name + "' has size " + llvm::Twine(*source.source.constant) + " " +
                       describe(source.source) + ", but " +
                       llvm::Twine(*constant->source.constant) + " " + describe(constant->source))
            .note("the other size is here", constant->range);
        ok = false;
        break;
      }
      constant = &source;
    }
    if (var.sources.empty() && !var.fits) {
      unknownSize(var.name, var.range);
      ok = false;
    }
    vars.push_back(std::move(settled));
  }
  return ok;
}

void Analyzer::unknownSize(const std::string &name, llvm::SMRange range) {
  if (const Symbol *symbol = scope ? scope->find(name) : nullptr;
      symbol && symbol->kind == Symbol::Kind::Label && labels[symbol->id].faulty)
    return; // it was reported why
  diagnostics.error(range, "the size of '" + name + "' is not known here")
      .note(alone ? "give it: -d=" + name + ":100"
                  : "read a tensor that has this label before, or give the label a size: "
                    "IndexLabel [" +
                        name + "] = [100];");
}

} // namespace strata::frontend

// Statements from the contributions of accesses.
#include "strata/frontend/Differentiate.h"
#include "strata/frontend/AccessQueries.h"
#include "strata/frontend/AccessSpellings.h"
#include "strata/frontend/Adjoints.h"
#include "strata/frontend/CheckDifferentiable.h"
#include "strata/frontend/Clones.h"
#include "strata/frontend/Derivatives.h"
#include "strata/frontend/FactoredSums.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/StatementText.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

namespace {

using Kind = Element::Kind;
using Vars = llvm::SmallVector<unsigned>;

class Differentiator {
public:
  Differentiator(const Program &program, const FormatVocabulary &formats, Diagnostics &diagnostics)
      : tensors(program.tensors), diagnostics(diagnostics) {
    for (const Tensor &tensor : tensors) {
      taken.insert(tensor.name);
      isSparse.push_back(tensor.order() > 0 && tensor.format && fillValueOf(tensor) == 0.0 &&
                         !formats.storesAll(*tensor.format, tensor.order()));
    }
  }

  std::optional<Gradients> run(const Program &program, llvm::ArrayRef<std::string> by);

private:
  TensorId add(const std::string &base, TensorId like);
  ElementPtr accessOf(TensorId tensor, const std::vector<Index> &indices) const;
  std::vector<Index> ownIndices(unsigned order, llvm::StringRef name);

  void prepareCotangent();
  void keepWritten();
  TensorId masked(bool complemented);
  void passOn(TensorId old);
  void emit(TensorId tensor, const std::string &name);
  void emitZero(TensorId result, TensorId like);
  void emitPlain(TensorId result, TensorId like, llvm::ArrayRef<Contribution *> plain);
  void emitAdded(TensorId result, TensorId like, const Contribution &contribution);
  void finish(StatementText &text, GradientStatement statement, TensorId result);
  ElementPtr sized(const Contribution &contribution, ElementPtr value, const Vars &summed);
  ElementPtr summedOver(const Contribution &contribution, llvm::ArrayRef<Index> kept);

  ElementPtr keepReductions(ElementPtr value, bool isWithin = false);
  ElementPtr keptReduction(const Element &reduction);

  bool isLookedUp(unsigned var) const { return lookedUp.contains(var); }

  std::vector<Tensor> tensors;
  std::vector<bool> isSparse;
  std::vector<IndexVar> vars;
  llvm::StringSet<> taken;
  llvm::DenseSet<unsigned> lookedUp; ///< variables that stand for coordinates looked up
  Diagnostics &diagnostics;
  const Compute *compute = nullptr;
  llvm::DenseSet<unsigned> wanted;
  std::vector<Contribution> contributions;
  std::map<std::string, TensorId> kept; ///< reductions that are computed once, by their texts
  std::vector<ElementPtr> made;         ///< accesses that are no part of the statement
  TensorId cotangent = 0;
  Gradients gradients;
};

} // namespace

//===------------------------------------------------------------------------------------------===//
// The cotangent
//===------------------------------------------------------------------------------------------===//

// A tensor beside those of the statement, of the order and type of another.
TensorId Differentiator::add(const std::string &base, TensorId like) {
  auto isLabel = [&](const std::string &name) {
    return llvm::any_of(vars, [&](const IndexVar &var) { return var.name == name; });
  };
  std::string name = base;
  for (int number = 1; isLabel(name) || namesFunction(name) || !taken.insert(name).second; ++number)
    name = base + std::to_string(number);
  Tensor tensor;
  tensor.name = name;
  tensor.type = tensors[like].type;
  tensor.sizes.resize(tensors[like].order());
  tensors.push_back(std::move(tensor));
  isSparse.push_back(false);
  return TensorId(tensors.size() - 1);
}

ElementPtr Differentiator::accessOf(TensorId tensor, const std::vector<Index> &indices) const {
  auto access = std::make_unique<Element>();
  access->kind = Kind::Access;
  access->tensor = tensor;
  access->indices = indices;
  return access;
}

std::vector<Index> Differentiator::ownIndices(unsigned order, llvm::StringRef name) {
  std::vector<Index> indices;
  for (unsigned dimension = 0; dimension < order; ++dimension) {
    indices.push_back(Index::of(unsigned(vars.size())));
    vars.push_back({(name + llvm::Twine(dimension)).str(), {}, {}});
  }
  return indices;
}

// The cotangent where the mask allows, or elsewhere.
TensorId Differentiator::masked(bool complemented) {
  const ComputeMask &mask = *compute->mask;
  TensorId result = add(tensors[cotangent].name, cotangent);
  const bool same = !arePlain(compute->indices, lookedUp);
  std::vector<Index> indices =
      same ? ownIndices(tensors[cotangent].order(), "k") : compute->indices;
  const std::vector<Index> &asked = same ? indices : mask.access->indices;
  complemented ^= mask.complemented;
  StatementText text(tensors, vars, taken);
  GradientStatement statement;
  std::string left = text.access(result, indices);
  ElementPtr value = accessOf(cotangent, indices);
  std::string right = text.element(*value);
  statement.text = left + "<" + (complemented ? "!" : "") +
                   text.access(mask.access->tensor, asked) +
                   (mask.structural ? ", structural" : "") + "> = " + right;
  const bool inheritsPattern = isSparse[mask.access->tensor] && !complemented && asked.size() &&
                               asked.size() == indices.size();
  if (inheritsPattern && llvm::equal(asked, indices, [](const Index &a, const Index &b) {
        return a.terms.front().var == b.terms.front().var;
      })) {
    statement.like = tensors[mask.access->tensor].name;
    isSparse[result] = true;
  }
  finish(text, std::move(statement), result);
  return result;
}

// Index expressions limit the range of the left side's labels. Outside of it the cotangent is made
// zero, since the accesses that limit it are not all in the statements of the gradient.
void Differentiator::keepWritten() {
  unsigned accesses = 0;
  bool limits = false;
  forEachAccess(*compute->value, [&](const Element &access) {
    ++accesses;
    for (unsigned var = 0; var < compute->numFree; ++var)
      limits |=
          llvm::any_of(access.indices, [&](const Index &index) { return isAffine(index, var); });
  });
  auto first = llvm::find_if(compute->indices, [](const Index &one) { return !one.terms.empty(); });
  if (!limits || accesses < 2 || first == compute->indices.end() || compute->scatters)
    return;
  TensorId result = add(tensors[cotangent].name, cotangent);
  emitZero(result, cotangent);
  Vars used;
  first->collectVars(used);
  auto label = [&] {
    auto element = std::make_unique<Element>();
    element->kind = Kind::Label;
    element->indices.push_back(Index::of(used.front()));
    return element;
  };
  StatementText text(tensors, vars, taken);
  ElementPtr value = whereElement(applied(Operator::Equal, label(), label()),
                                  accessOf(cotangent, compute->indices), cloneOf(*compute->value));
  text.learnLookups(*value);
  GradientStatement statement;
  statement.text = text.access(result, compute->indices, /*onLeft=*/true) + " += ";
  statement.text += text.element(*value);
  finish(text, std::move(statement), result);
  cotangent = result;
}

void Differentiator::prepareCotangent() {
  cotangent = add("d" + tensors[compute->result].name, compute->result);
  gradients.cotangent = tensors[cotangent].name;
  gradients.type = tensors[cotangent].type;
  const bool takesOld = wanted.contains(compute->result) && compute->hasValue;
  if (takesOld && compute->op != ast::AssignOp::Set && !(compute->mask && compute->mask->replace))
    passOn(cotangent);
  if (takesOld && compute->op == ast::AssignOp::Set && compute->mask && !compute->mask->replace)
    passOn(masked(/*complemented=*/true));
  if (compute->mask)
    cotangent = masked(/*complemented=*/false);
  if (takesOld && compute->op != ast::AssignOp::Set && compute->mask && compute->mask->replace)
    passOn(cotangent);
  keepWritten();
}

// The old value of the left side takes part as it is.
void Differentiator::passOn(TensorId source) {
  std::vector<Index> indices = ownIndices(tensors[source].order(), "k");
  Contribution contribution;
  made.push_back(accessOf(compute->result, indices));
  contribution.access = made.back().get();
  contribution.value = accessOf(source, indices);
  for (const Index &index : indices)
    contribution.vars.push_back(index.terms.front().var);
  contributions.push_back(std::move(contribution));
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

void Differentiator::finish(StatementText &text, GradientStatement statement, TensorId result) {
  if (!text.problem().empty())
    diagnostics.error(tensors[compute->result].range,
                      text.problem() + " has no gradient where it stands here");
  statement.result = tensors[result].name;
  statement.type = tensors[result].type;
  const bool updates = llvm::StringRef(statement.text).contains(" += ");
  for (TensorId tensor : text.used())
    if (tensor != result || updates)
      statement.operands.push_back(tensors[tensor].name);
  gradients.statements.push_back(std::move(statement));
}

// Zeros where `like` stores elements.
void Differentiator::emitZero(TensorId result, TensorId like) {
  std::vector<Index> indices = ownIndices(tensors[like].order(), "k");
  StatementText text(tensors, vars, taken);
  GradientStatement statement;
  std::string left = text.access(result, indices);
  std::string access = text.access(like, indices);
  statement.text = left + (indices.empty() ? "" : "<" + tensors[like].name + ", structural>") +
                   " = 0.0 * bool(" + access + ")";
  statement.like = tensors[like].name;
  finish(text, std::move(statement), result);
}

static std::string nameOfReduction(Operator op) {
  return op == Operator::Plus    ? "sumOf"
         : op == Operator::Times ? "prodOf"
                                 : infoOf(op).name.str() + "Of";
}

// The value of a reduction for each of its labels, which are the left side's. Null where that might
// be more than the statement computes.
ElementPtr Differentiator::keptReduction(const Element &reduction) {
  Vars labels = usedVars(reduction);
  if ((compute->mask && labels.size() > 1) || llvm::any_of(labels, [&](unsigned var) {
        return var >= compute->numFree || isLookedUp(var);
      }))
    return nullptr;
  std::vector<Index> indices;
  for (unsigned var : labels)
    indices.push_back(Index::of(var));
  StatementText text(tensors, vars, taken);
  text.learnLookups(reduction);
  std::string right = text.element(reduction);
  auto known = kept.find(right);
  if (known == kept.end()) {
    TensorId result = add(nameOfReduction(reduction.op), compute->result);
    tensors[result].sizes.resize(labels.size());
    known = kept.emplace(right, result).first;
    GradientStatement statement;
    statement.text = text.access(result, indices) + " = " + right;
    finish(text, std::move(statement), result);
  }
  return accessOf(known->second, indices);
}

// Reductions other than sums, and sums within functions and divisors, occur several times in
// derivatives: each becomes a tensor.
ElementPtr Differentiator::keepReductions(ElementPtr value, bool isWithin) {
  const bool isFunction = value->kind == Kind::Apply && value->op != Operator::RealPart &&
                          value->op != Operator::Conjugate;
  for (auto [at, operand] : llvm::enumerate(value->operands)) {
    const bool isBranch = isFunction && value->op == Operator::Where && at > 0;
    operand.element = keepReductions(std::move(operand.element),
                                     isWithin || operand.inverse || (isFunction && !isBranch));
  }
  if (value->kind == Kind::Sum && (isWithin || value->op != Operator::Plus))
    if (ElementPtr access = keptReduction(*value))
      return access;
  return value;
}

// A variable over which nothing in the value is accessed has its size from an access of the
// statement, whose value does not count.
ElementPtr Differentiator::sized(const Contribution &contribution, ElementPtr value,
                                 const Vars &summed) {
  for (unsigned var : summed) {
    if (isLookedUp(var) || uses(*value, var))
      continue;
    ElementPtr witness;
    forEachAccess(*compute->value, [&](const Element &access) {
      if (witness || llvm::none_of(access.indices, [&](const Index &index) {
            return isVariable(index) && index.terms.front().var == var;
          }))
        return;
      Vars others;
      for (unsigned used : usedVars(access))
        if (used != var && !llvm::is_contained(contribution.vars, used))
          others.push_back(used);
      if (llvm::any_of(others, [&](unsigned other) { return isLookedUp(other); }))
        return;
      witness = cloneOf(access);
      if (!others.empty())
        witness =
            withOwnVars(*makeReduction(Operator::Plus, others, std::move(witness), false), vars);
    });
    if (!witness) {
      diagnostics.error(vars[var].range,
                        "the size of '" + vars[var].name + "' is not known in the gradient");
      return value;
    }
    auto label = std::make_unique<Element>();
    label->kind = Kind::Label;
    label->indices.push_back(Index::of(var));
    value = productOf(std::move(value), whereElement(applied(Operator::GreaterOrEqual,
                                                             std::move(label), numberElement(0)),
                                                     numberElement(1), std::move(witness)));
  }
  return value;
}

// The value, summed over the variables on which the kept coordinates do not depend.
ElementPtr Differentiator::summedOver(const Contribution &contribution,
                                      llvm::ArrayRef<Index> kept) {
  StatementText lookups(tensors, vars, taken);
  lookups.learnLookups(*contribution.value);
  Vars remaining;
  for (const Index &index : kept)
    llvm::append_range(remaining, lookups.varsBehind(index));
  Vars summed;
  for (unsigned var : contribution.vars)
    if (!llvm::is_contained(remaining, var) && !llvm::is_contained(summed, var))
      summed.push_back(var);
  return sumOver(summed, sized(contribution, cloneOf(*contribution.value), summed));
}

// All contributions at variables, as one sum. Those of the first access name the result's
// dimensions.
void Differentiator::emitPlain(TensorId result, TensorId like,
                               llvm::ArrayRef<Contribution *> plain) {
  const std::vector<Index> &target = plain.front()->access->indices;
  std::vector<Element::Operand> terms;
  for (Contribution *contribution : plain) {
    if (contribution != plain.front()) {
      Renaming names;
      for (unsigned var : contribution->vars)
        if (!isLookedUp(var)) {
          names[var] = unsigned(vars.size());
          IndexVar own = vars[var];
          vars.push_back(std::move(own));
        }
      for (auto [index, wantedIndex] : llvm::zip(contribution->access->indices, target))
        names[index.terms.front().var] = wantedIndex.terms.front().var;
      contribution->value = renamed(*contribution->value, names);
      for (unsigned &var : contribution->vars)
        if (auto found = names.find(var); found != names.end())
          var = found->second;
    }
    terms.push_back({false, summedOver(*contribution, target)});
  }
  ElementPtr value = sumOfTerms(std::move(terms), [&](const Element &term) {
    StatementText writer(tensors, vars, taken);
    writer.learnLookups(term);
    return writer.element(term);
  });
  const bool isWhole = llvm::all_of(
      target, [&](const Index &index) { return uses(*value, index.terms.front().var); });
  StatementText text(tensors, vars, taken);
  text.learnLookups(*value);
  GradientStatement statement;
  statement.text = text.access(result, target);
  if (isSparse[like] || (!isWhole && !target.empty())) {
    statement.text += "<" + tensors[like].name + ", structural>";
    text.access(like, target);
  }
  statement.text += " = " + text.element(*value);
  statement.like = tensors[like].name;
  finish(text, std::move(statement), result);
}

// What is added where the access's coordinates are expressions.
void Differentiator::emitAdded(TensorId result, TensorId like, const Contribution &contribution) {
  const std::vector<Index> &target = contribution.access->indices;
  for (const Index &index : target)
    if (!index.isLinear() || index.terms.size() > 1) {
      diagnostics
          .error(contribution.access->range,
                 "several elements meet at this coordinate, over which there is no gradient")
          .note("compute the coordinates to a tensor of integers first, p(i,r) = i + r, and look "
                "them up: " +
                tensors[like].name + "(p(i,r))");
      return;
    }
  ElementPtr value = summedOver(contribution, target);
  StatementText text(tensors, vars, taken);
  text.learnLookups(*value);
  GradientStatement statement;
  statement.text = text.access(result, target, /*onLeft=*/true);
  if (isSparse[like])
    statement.text += "<" + text.access(like, target, /*onLeft=*/true) + ", structural>";
  statement.text += " += " + text.element(*value);
  statement.like = tensors[like].name;
  finish(text, std::move(statement), result);
}

void Differentiator::emit(TensorId tensor, const std::string &name) {
  std::vector<Contribution *> plain, others;
  for (Contribution &contribution : contributions)
    if (contribution.access->tensor == tensor) {
      if (!checkRanges(contribution, *compute, tensors, vars, lookedUp, diagnostics))
        return;
      (arePlain(contribution.access->indices, lookedUp) ? plain : others).push_back(&contribution);
    }
  if (plain.empty() && others.empty()) {
    gradients.results.push_back("");
    return;
  }
  TensorId result = add("d" + name, tensor);
  gradients.results.push_back(tensors[result].name);
  if (plain.empty())
    emitZero(result, tensor);
  else
    emitPlain(result, tensor, plain);
  for (const Contribution *contribution : others)
    emitAdded(result, tensor, *contribution);
}

std::optional<Gradients> Differentiator::run(const Program &program,
                                             llvm::ArrayRef<std::string> by) {
  compute = statementToDifferentiate(program, diagnostics);
  if (!compute || diagnostics.hasErrors())
    return std::nullopt;
  vars = compute->vars;
  findLookups(*compute->value, lookedUp);
  if (!checkDifferentiable(*compute, tensors, by, lookedUp, diagnostics))
    return std::nullopt;
  for (auto [id, tensor] : llvm::enumerate(tensors))
    if (llvm::is_contained(by, tensor.name))
      wanted.insert(unsigned(id));
  prepareCotangent();
  Adjoints adjoints(tensors, isSparse, vars, wanted, diagnostics);
  ElementPtr root = accessOf(cotangent, compute->indices);
  if (compute->op == ast::AssignOp::Subtract)
    root = negated(std::move(root));
  Vars free;
  for (unsigned var = 0; var < compute->numFree; ++var)
    free.push_back(var);
  adjoints.collect(*compute->value, std::move(root), free);
  for (Contribution &contribution : adjoints.contributions) {
    contribution.value = keepReductions(std::move(contribution.value));
    contributions.push_back(std::move(contribution));
  }
  for (const std::string &name : by) {
    auto found = llvm::find_if(tensors, [&](const Tensor &tensor) { return tensor.name == name; });
    if (!diagnostics.hasErrors())
      emit(TensorId(found - tensors.begin()), name);
  }
  if (diagnostics.hasErrors())
    return std::nullopt;
  return std::move(gradients);
}

std::optional<Gradients> differentiate(const Program &program, llvm::ArrayRef<std::string> by,
                                       const FormatVocabulary &formats, Diagnostics &diagnostics) {
  return Differentiator(program, formats, diagnostics).run(program, by);
}

} // namespace strata::frontend

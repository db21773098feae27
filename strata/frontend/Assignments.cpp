// Assignments: fills, views, and statements of index notation.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// Reports the schedule of a statement that becomes no loops. True if it has one.
bool Analyzer::refuseSchedule(const std::optional<ast::Schedule> &schedule) {
  if (!schedule)
    return false;
  diagnostics.error(schedule->range, "this statement has no loops to schedule")
      .note("a fill, a list of values, a view, a file that is read and a function of whole tensors "
            "need none");
  return true;
}

void Analyzer::assign(const ast::AssignStmt &statement) {
  if (declareView(statement)) {
    refuseSchedule(statement.schedule);
    return;
  }
  const Symbol *symbol = findTensor(statement.tensor, statement.labels);
  if (!symbol)
    return;
  TensorId tensor = tensorOf(*symbol);
  // After a mistake, what follows should not complain of a missing value too.
  auto failed = [&] { setValue(tensor, false); };
  if (!checkCounter(tensor, statement.target))
    return;
  bool copies = copiesPart(statement, *symbol);
  warnAboutCopy(statement, tensor, copies);
  if (calledFunction(*statement.value)) {
    if (!assignCall(statement, *symbol))
      failed();
    return;
  }
  if (const auto *values = llvm::dyn_cast<ast::ValuesExpr>(statement.value.get())) {
    if (refuseSchedule(statement.schedule) || !assignValues(statement, *symbol, *values))
      failed();
    return;
  }
  if (!statement.hasLabels && orderOf(*symbol) > 0 && !wholeRightSide(*statement.value)) {
    diagnostics
        .error(statement.target, "'" + statement.tensor.text + "' is a tensor and needs its labels")
        .note("labels say which dimension is which: " + statement.tensor.text + "[...] = ...;",
              symbol->range);
    return failed();
  }
  if (const Builtin *builtin = wholeRightSide(*statement.value)) {
    if (refuseSchedule(statement.schedule) || !assignSource(statement, *symbol, *builtin))
      failed();
    return;
  }
  if (!checkOrder(*symbol, statement.tensor, statement.labels.size(), statement.target))
    return failed();
  bool computed = llvm::any_of(
      statement.labels, [&](const ast::Coordinate &one) { return one.computed || isValue(one); });
  Notation notation;
  notation.onLeft = true;
  ResolvedAccess target;
  bool resolved =
      isFill(*statement.value) && !statement.mask && !computed
          ? resolveFill(statement, *symbol, notation, target)
          : resolve({&statement.tensor, statement.labels, statement.target}, notation, target);
  if (!resolved || !compute(target, statement.op, *statement.value, statement.range, notation,
                            statement.schedule, &statement))
    failed();
}

bool Analyzer::isWhole(const ResolvedAccess &target, const Notation &notation) const {
  llvm::SmallVector<bool> used(notation.vars.size(), false);
  for (const Index &index : target.indices) {
    if (index.window || used[index.terms.front().var])
      return false;
    used[index.terms.front().var] = true;
  }
  return true;
}

// A number of a command may be a parameter: divide(i, io, ii, pieces).
void Analyzer::giveNumbers(std::vector<ast::CommandArgument> &arguments) {
  for (ast::CommandArgument &argument : arguments) {
    giveNumbers(argument.list);
    const bool isParameter = argument.kind == ast::CommandArgument::Kind::Name &&
                             parameters.count(argument.name) && !scope->find(argument.name);
    if (isParameter &&
        !llvm::StringRef(*parameter(argument.name)).getAsInteger(10, argument.number))
      argument.kind = ast::CommandArgument::Kind::Number;
  }
}

// Says what an update makes of a target that has no value.
static std::string startOf(ast::AssignOp op) {
  if (op == ast::AssignOp::Add || op == ast::AssignOp::Subtract)
    return "this starts from zero";
  return "'" + spelling(op).str() + "' is '=' here";
}

// target op value, of index notation. The target's variables are in `notation`. The mask is that of
// `masked`, which is null where there is none, as in a part of a statement, such as an argument.
bool Analyzer::compute(const ResolvedAccess &target, ast::AssignOp op, const ast::Expr &value,
                       llvm::SMRange range, Notation &notation,
                       const std::optional<ast::Schedule> &schedule,
                       const ast::AssignStmt *masked) {
  Compute compute;
  compute.result = target.tensor;
  compute.indices = target.indices;
  compute.op = op;
  compute.numFree = notation.vars.size();
  if (!resolveGathers(notation))
    return false;
  compute.scatters = !notation.gathers.empty();
  compute.whole = isWhole(target, notation);
  compute.hasValue = states[target.tensor].hasValue;
  countLabels(value, notation.occurrences);
  for (const auto &entry : notation.scopes.front())
    ++notation.occurrences[entry.first()];
  compute.value = element(value, notation);
  if (!compute.value)
    return false;
  if (masked && masked->mask && !(compute.mask = maskOf(*masked, notation)))
    return false;
  compute.schedule = schedule;
  if (compute.schedule)
    for (ast::Command &command : compute.schedule->commands)
      giveNumbers(command.arguments);
  if (compute.scatters && updatesBits(op, program.tensors[target.tensor].type)) {
    diagnostics
        .error(range, "'" + spelling(op) + "' combines the bits of integers, which cannot be " +
                          "done at coordinates that are looked up")
        .note("declare '" + program.tensors[target.tensor].name + "' to hold bool");
    return false;
  }
  bool keeps = op != ast::AssignOp::Set || !compute.whole || compute.keeps();
  if (keeps && isDeferred(target.tensor))
    return checkHasValue(target.tensor, range);
  if (!giveType(compute, notation, value.range))
    return false;
  if (compute.value->kind == Element::Kind::Constant && !compute.value->imaginary && !keeps &&
      !compute.mask && !target.indices.empty()) {
    if (refuseSchedule(schedule))
      return false;
    addWhenSized({target.tensor, range, compute.value->value, compute.value->integer});
    return true;
  }
  if (op != ast::AssignOp::Set && !compute.hasValue && !alone)
    diagnostics.warning(range, "'" + program.tensors[target.tensor].name +
                                   "' has no value yet, so " + startOf(op));
  addTargetSources(target, keeps, range, notation);
  if (compute.whole && isPartial(notation, compute)) {
    compute.whole = false;
    addTargetSources(target, true, range, notation);
  }
  if (!settle(notation, compute.vars) || !fit(compute, notation) || !giveSizes(compute, range))
    return false;
  llvm::SmallVector<unsigned> summed;
  llvm::SmallVector<unsigned> scattered = scatteredVars(notation, compute.numFree);
  for (const auto &entry : notation.scopes.front())
    if (entry.second >= compute.numFree && !llvm::is_contained(scattered, entry.second))
      summed.push_back(entry.second);
  if (summed.empty() && op == ast::AssignOp::Set && !compute.mask && copiesDense(*compute.value)) {
    compute.copiesDense = true;
    compute.keepsZeros = notation.keepsZeros;
  }
  warnOfSum(compute, notation, summed, value.range);
  compute.value = placeSums(std::move(compute.value), summed);
  warnOfFunctions(*compute.value, notation, summed);
  if (ast::joins(op))
    compute.value = ofStored(std::move(compute.value));
  placeGathers(compute, notation);
  add(range, std::move(compute));
  setValue(target.tensor, false);
  return true;
}

// A tensor that stores every place, or another type's values of it.
bool Analyzer::copiesDense(const Element &value) const {
  if (value.kind == Element::Kind::Apply && value.op == Operator::Cast)
    return copiesDense(*value.operands.front().element);
  const Tensor &tensor = program.tensors[value.tensor];
  return value.kind == Element::Kind::Access && tensor.order() > 0 &&
         (!tensor.format || formats.storesAll(*tensor.format, tensor.order()));
}

// The type in which the right side is computed, which the result must be able to hold.
bool Analyzer::giveType(Compute &compute, const Notation &notation, llvm::SMRange range) {
  bool isConstant = compute.value->kind == Element::Kind::Constant;
  bool isOpen = states[compute.result].typeIsOpen, isPromoted = states[compute.result].isPromoted;
  ElementType stored = program.tensors[compute.result].type;
  TypeFacts facts = notation.facts;
  if (compute.op == ast::AssignOp::Min || compute.op == ast::AssignOp::Max)
    facts.ordered = {compute.op == ast::AssignOp::Min ? Operator::Min : Operator::Max, range};
  if (isConstant && !isOpen) {
    compute.type = isHalf(stored) ? ElementType::Float : stored;
    return checkOperators(facts, stored) && checkConstant(compute.result, *compute.value);
  }
  bool sums = llvm::any_of(notation.scopes.front(),
                           [&](const auto &entry) { return entry.second >= compute.numFree; });
  facts.adds |= sums;
  if (compute.op == ast::AssignOp::Subtract && !facts.negative)
    facts.negative = range;
  facts = withOpen(std::move(facts), isOpen ? std::nullopt : std::optional(stored));
  ElementType type = typeOf(facts, isConstant);
  if (isPromoted && facts.counts && type == ElementType::Bool)
    type = ElementType::Int64;
  // What is only copied is not computed.
  bool copies = compute.value->kind == Element::Kind::Access && !sums && !isOpen &&
                compute.op == ast::AssignOp::Set && type == stored;
  compute.type =
      copies ? stored : computingType(type, facts, isOpen ? std::nullopt : std::optional(stored));
  return checkOperators(facts, compute.type) &&
         checkType(compute.result, isOpen && !isPromoted ? compute.type : type, range);
}

// The sizes of a result that is made anew.
bool Analyzer::giveSizes(Compute &compute, llvm::SMRange range) {
  if (compute.updates())
    return true;
  if (compute.whole) {
    for (const Index &index : compute.indices)
      compute.sizes.push_back(compute.vars[index.terms.front().var].size);
    return true;
  }
  std::optional<std::vector<Size>> sizes = sizesOf(compute.result, range);
  if (sizes)
    compute.sizes = std::move(*sizes);
  return sizes.has_value();
}

//===------------------------------------------------------------------------------------------===//
// Fills
//===------------------------------------------------------------------------------------------===//

// True for numbers and scalars: what a fill's right side consists of.
bool Analyzer::isFill(const ast::Expr &expr) const {
  switch (expr.kind) {
  case ast::Expr::Kind::Number:
    return true;
  case ast::Expr::Kind::Name: {
    const Symbol *symbol = scope->find(llvm::cast<ast::NameExpr>(expr).name.text);
    return !symbol || symbol->kind != Symbol::Kind::Label;
  }
  case ast::Expr::Kind::Negate:
    return isFill(*llvm::cast<ast::NegateExpr>(expr).operand);
  case ast::Expr::Kind::Sum:
    return llvm::all_of(llvm::cast<ast::SumExpr>(expr).terms,
                        [&](const auto &term) { return isFill(*term.operand); });
  case ast::Expr::Kind::Product:
    return llvm::all_of(llvm::cast<ast::ProductExpr>(expr).factors,
                        [&](const auto &factor) { return isFill(*factor.operand); });
  case ast::Expr::Kind::Text:
  case ast::Expr::Kind::Access:
  case ast::Expr::Kind::Call:
  case ast::Expr::Kind::Labels:
  case ast::Expr::Kind::Values:
  case ast::Expr::Kind::Binary:
    break;
  }
  return false;
}

// The labels of a fill only name the dimensions, as in COMET: they need not be declared. One that
// selects does select, and one that repeats reaches the diagonal.
bool Analyzer::resolveFill(const ast::AssignStmt &statement, const Symbol &symbol,
                           Notation &notation, ResolvedAccess &target) {
  target.tensor = tensorOf(symbol);
  target.indices.resize(statement.labels.size());
  llvm::StringMap<unsigned> vars;
  for (auto [dimension, name] : llvm::enumerate(statement.labels)) {
    const Symbol *found = scope->find(name.text);
    auto [var, isFirst] = vars.try_emplace(name.text, notation.vars.size());
    std::optional<LabelId> label;
    if (found && found->kind == Symbol::Kind::Label)
      label = found->id;
    else if (isFirst)
      diagnostics
          .warning(name.range,
                   "label '" + name.text + "' is not declared; it stands for all of dimension " +
                       llvm::Twine(dimension + 1) + " of '" + statement.tensor.text + "'")
          .note(parameters.stayOpen ? knownWhenCompiled(name.text) : "");
    std::optional<int64_t> size = sizeOf(symbol, dimension);
    bool fits = label && (selects(symbol, dimension, *label) || !size || !labels[*label].size ||
                          size == labels[*label].size);
    if (label && !fits)
      diagnostics.warning(name.range, "label '" + name.text + "' has size " +
                                          llvm::Twine(*labels[*label].size) +
                                          ", but all of dimension " + llvm::Twine(dimension + 1) +
                                          " of '" + statement.tensor.text + "', which has size " +
                                          llvm::Twine(*size) + ", is filled");
    if (isFirst)
      notation.vars.push_back({name.text, name.range, {}});
    Index coordinate;
    unsigned base;
    if (!index(symbol, dimension, name, fits ? *label : labelOf(symbol, dimension), var->second,
               notation, coordinate, base))
      return false;
    target.indices[base] = coordinate;
  }
  if (!alone)
    warnAboutDiagonal(symbol, {&statement.tensor, statement.labels, statement.target});
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Views
//===------------------------------------------------------------------------------------------===//

// Tells whether all of a declared tensor becomes a part of another one: V[s, t] = A[s, t].
bool Analyzer::copiesPart(const ast::AssignStmt &statement, const Symbol &symbol) const {
  std::optional<AccessText> access = accessOf(*statement.value);
  if (!access || statement.op != ast::AssignOp::Set || statement.mask || access->hasComputed() ||
      hasComputed(statement.labels) || symbol.kind != Symbol::Kind::Tensor || alone)
    return false;
  auto selectsPart = [&](const Symbol *tensor, llvm::ArrayRef<ast::Coordinate> coordinates) {
    return llvm::any_of(llvm::enumerate(coordinates), [&](auto pair) {
      const Symbol *label = scope->find(pair.value().text);
      return label && label->kind == Symbol::Kind::Label && pair.index() < orderOf(*tensor) &&
             selects(*tensor, pair.index(), label->id);
    });
  };
  const Symbol *source = scope->find(access->tensor->text);
  return source && source->kind != Symbol::Kind::Label && selectsPart(source, access->labels) &&
         !selectsPart(&symbol, statement.labels);
}

// A tensor that is a copy of a part is assigned again: in COMET it would be a view of the part.
void Analyzer::warnAboutCopy(const ast::AssignStmt &statement, TensorId tensor, bool copiesAgain) {
  llvm::SMRange copy = std::exchange(states[tensor].copiesPart,
                                     copiesAgain ? statement.value->range : llvm::SMRange());
  if (!copy.isValid() || copiesAgain)
    return;
  std::string part(copy.Start.getPointer(), copy.End.getPointer());
  const Tensor &own = program.tensors[tensor];
  diagnostics
      .warning(statement.target,
               "'" + own.name + "' is a copy of " + part + ", which this does not change")
      .note("for a view, which does change it, leave out the declaration of '" + own.name + "'",
            own.range)
      .note("for a copy, write explicit(" + part + ")", copy);
}

// V[s, t] = A[s, t], where V is not declared and a label selects a part of A: V is that part.
bool Analyzer::declareView(const ast::AssignStmt &statement) {
  std::optional<AccessText> access = accessOf(*statement.value);
  if (!access || statement.op != ast::AssignOp::Set || statement.mask ||
      scope->find(statement.tensor.text) || access->hasComputed() || hasComputed(statement.labels))
    return false;
  const Symbol *symbol = scope->find(access->tensor->text);
  if (!symbol || symbol->kind == Symbol::Kind::Label || access->labels.size() != orderOf(*symbol))
    return false;
  Notation notation;
  View view{tensorOf(*symbol), std::vector<View::Dimension>(statement.labels.size())};
  llvm::StringMap<unsigned> positions;
  for (auto [position, label] : llvm::enumerate(statement.labels))
    if (!positions.try_emplace(label.text, position).second)
      return false;
  bool selectsPart = false;
  llvm::SmallVector<bool> given(statement.labels.size(), false);
  for (auto [dimension, name] : llvm::enumerate(access->labels)) {
    const Symbol *label = scope->find(name.text);
    auto position = positions.find(name.text);
    if (!label || label->kind != Symbol::Kind::Label || position == positions.end() ||
        given[position->second])
      return false;
    selectsPart |= selects(*symbol, dimension, label->id);
    given[position->second] = true;
  }
  if (!selectsPart || positions.size() != access->labels.size())
    return false;
  ResolvedAccess source;
  if (!resolve(*access, notation, source) || !checkHasValue(source.tensor, access->range))
    return true;
  for (auto [dimension, index] : llvm::enumerate(source.indices)) {
    const Index::Term &term = index.terms.front();
    const ast::Name &name = statement.labels[positions[notation.vars[term.var].name]];
    view.dimensions[positions[name.text]] = {unsigned(dimension), index.lo, term.factor,
                                             index.window, scope->find(name.text)->id};
  }
  views.push_back(std::move(view));
  declareName(statement.tensor, Symbol::Kind::View, views.size() - 1);
  return true;
}

} // namespace strata::frontend

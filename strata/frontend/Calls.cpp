// Calls of built-in functions, as statements and within expressions.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// Says why `call` is of nothing that there is; always false.
bool Analyzer::unknownFunction(const ast::CallExpr &call) {
  std::vector<llvm::StringRef> known(builtinNames());
  if (currentModule)
    for (const ast::Function &function : currentModule->functions)
      known.push_back(function.name.text);
  llvm::append_range(known, scope->names(Symbol::Kind::Tensor));
  llvm::append_range(known, functionNames());
  return unknown(call.callee, "unknown function '" + call.callee.text + "'", known,
                 "the built-in functions are " + quotedList(builtinNames()));
}

bool Analyzer::checkArguments(const ast::CallExpr &call, const Builtin &builtin) {
  size_t given = call.arguments.size();
  if (builtin.kind == Builtin::Kind::Unsupported) {
    diagnostics.error(call.range, "'" + call.callee.text + "' is not supported yet")
        .note(builtin.usage.empty() ? "" : "use " + builtin.usage);
    return false;
  }
  if (given >= builtin.minArguments && given <= builtin.maxArguments)
    return true;
  bool tooFew = given < builtin.minArguments;
  unsigned limit = tooFew ? builtin.minArguments : builtin.maxArguments;
  std::string wanted = std::to_string(limit);
  if (builtin.minArguments != builtin.maxArguments)
    wanted = (tooFew ? "at least " : "at most ") + wanted;
  diagnostics
      .error(call.range, "'" + call.callee.text + "' takes " + wanted + " " +
                             nounFor(limit, "argument") + ", " + std::to_string(given) +
                             (given == 1 ? " is given" : " are given"))
      .note("use it like this: " + builtin.usage);
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

void Analyzer::callStatement(const ast::CallExpr &call) {
  const Builtin *builtin = findBuiltin(call.callee.text);
  if (!builtin) {
    if (isTensor(call.callee.text))
      diagnostics.error(call.range, "expected '=', '+=' or '-=' after '" + call.callee.text + "'");
    else
      unknownFunction(call);
    return;
  }
  if (!checkArguments(call, *builtin))
    return;
  switch (builtin->kind) {
  case Builtin::Kind::Print:
    return print(call);
  case Builtin::Kind::Write:
    return write(call);
  case Builtin::Kind::PrintElapsed: {
    std::optional<TensorId> start = scalarArgument(*call.arguments[0]);
    std::optional<TensorId> end = scalarArgument(*call.arguments[1]);
    if (start && end)
      add(call.range, PrintElapsed{*start, *end});
    return;
  }
  case Builtin::Kind::Read:
  case Builtin::Kind::Random:
  case Builtin::Kind::Stencil:
  case Builtin::Kind::LinearAlgebra:
  case Builtin::Kind::Concatenation:
  case Builtin::Kind::Reordering:
  case Builtin::Kind::Sum:
  case Builtin::Kind::Transpose:
  case Builtin::Kind::Explicit:
  case Builtin::Kind::Size:
  case Builtin::Kind::StoredCount:
  case Builtin::Kind::Time:
  case Builtin::Kind::Unsupported:
    diagnostics.error(call.range, "the result of '" + call.callee.text + "' is not used")
        .note(builtin->usage.contains(" = ") ? "assign it: " + builtin->usage + ";"
              : builtin->isWholeRightSide()  ? "assign it: A[i, j] = " + builtin->usage + ";"
                                             : "assign it: var x = " + builtin->usage + ";");
    return;
  }
}

// The word that stands for no tensor: print(A, storage).
bool Analyzer::asksForStorage(const ast::Expr &argument) const {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument);
  return name && name->name.text == "storage" && !scope->find("storage") &&
         !parameters.count("storage");
}

// print(A), print(A[i, j]), print(x), print(2 * x), print("norm", x), print(A, storage). Of
// several, texts and scalars stand on one line, and a tensor begins a line.
void Analyzer::print(const ast::CallExpr &call) {
  bool storage = call.arguments.size() > 1 && asksForStorage(*call.arguments.back());
  llvm::ArrayRef<ast::ExprPtr> arguments = llvm::ArrayRef(call.arguments).drop_back(storage);
  bool several = arguments.size() > 1;
  std::string before; // what separates an argument from that before it
  for (const ast::ExprPtr &argument : arguments) {
    if (const auto *text = llvm::dyn_cast<ast::TextExpr>(argument.get())) {
      add(call.range, PrintText{before + text->text});
      before = " ";
      continue;
    }
    std::optional<TensorId> tensor = tensorArgument(*argument);
    if (!tensor)
      return;
    std::string name = program.tensors[*tensor].name;
    if (program.tensors[*tensor].temporary)
      name = std::string(argument->range.Start.getPointer(), argument->range.End.getPointer());
    bool bare = several && !storage && program.tensors[*tensor].order() == 0;
    if (!before.empty())
      add(call.range, PrintText{bare ? before : "\n"});
    add(call.range, Print{*tensor, std::move(name), bare, storage});
    before = bare ? " " : "";
  }
  if (!before.empty())
    add(call.range, PrintText{"\n"});
}

void Analyzer::write(const ast::CallExpr &call) {
  std::optional<TensorId> tensor = tensorArgument(*call.arguments[0]);
  std::optional<FileName> file = fileName(*call.arguments[1]);
  if (tensor && file)
    add(call.range, Write{*tensor, file->name, file->parameter});
}

// What has a value at the end of `main`, by names that it declares.
void Analyzer::writeRequested(llvm::SMRange range) {
  std::vector<llvm::StringRef> known;
  for (Symbol::Kind kind : {Symbol::Kind::Tensor, Symbol::Kind::View})
    for (llvm::StringRef name : scope->names(kind))
      if (states[tensorOf(*scope->find(name))].hasValue)
        known.push_back(name);
  if (requested->all)
    for (llvm::StringRef name : known)
      requested->list.push_back({name.str()});
  for (const Outputs::Output &output : requested->list) {
    if (llvm::is_contained(known, output.name)) {
      std::optional<TensorId> tensor = tensorArgument(ast::NameExpr({output.name, range}));
      if (tensor && output.file.empty())
        add(range, Return{*tensor});
      else if (tensor)
        add(range, Write{*tensor, output.file});
      continue;
    }
    requested->unknown = true;
    std::string hint = didYouMean(output.name, known);
    diagnostics.error({}, "the program gives no tensor '" + output.name + "' a value")
        .note(hint.empty() && !known.empty() ? "it has " + quotedList(known) : hint);
  }
}

// A tensor by its name, or labelled; a copy of a slice; the value of a scalar expression.
std::optional<TensorId> Analyzer::tensorArgument(const ast::Expr &argument) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument);
      name && (scope->find(name->name.text) || !mayBeParameter(name->name.text))) {
    const Symbol *symbol = findTensor(name->name);
    if (!symbol)
      return std::nullopt;
    if (symbol->kind == Symbol::Kind::Tensor)
      return checkHasValue(symbol->id, argument.range) ? std::optional(symbol->id) : std::nullopt;
    AccessText all{&name->name, {}, name->range};
    for (const View::Dimension &dimension : views[symbol->id].dimensions)
      all.labels.push_back({{labels[dimension.label].name, name->range}});
    return copyOf(all);
  }
  std::optional<AccessText> access = accessOf(argument);
  if (access && llvm::none_of(access->labels, [&](const ast::Coordinate &one) {
        return one.computed || isValue(one);
      }))
    return copyOf(*access);
  return scalarArgument(argument);
}

// The tensor itself where the labels only name its dimensions; else a copy of the slice, whose
// dimensions are in the order of the labels.
std::optional<TensorId> Analyzer::copyOf(const AccessText &access) {
  Notation asked;
  ResolvedAccess source;
  if (!resolve(access, asked, source) || !checkHasValue(source.tensor, access.range))
    return std::nullopt;
  if (llvm::none_of(source.indices, [](const Index &index) { return index.window; }))
    return source.tensor;
  Notation notation;
  const Symbol *symbol = scope->find(access.tensor->text);
  TensorId id = addTemporary();
  // Of a sparse tensor its entries are listed.
  if (const Tensor &whole = program.tensors[source.tensor];
      whole.format && !formats.storesAll(*whole.format, whole.order())) {
    ast::Format format;
    format.kind = ast::Format::Kind::Levels;
    format.words.assign(access.labels.size(), ast::Name{"CU", access.range});
    program.tensors[id].format = std::move(format);
  }
  ResolvedAccess target{id, {}};
  for (auto [dimension, name] : llvm::enumerate(access.labels)) {
    target.indices.push_back(Index::of(*varOf(name, notation)));
    std::optional<int64_t> size = labels[*findLabel(name)].size;
    program.tensors[id].sizes.push_back(size ? size : sizeOf(*symbol, dimension));
    states[id].labels.push_back(labelOf(*symbol, dimension));
  }
  ast::AccessExpr expr(access.range, *access.tensor, access.labels);
  if (!compute(target, ast::AssignOp::Set, expr, access.range, notation))
    return std::nullopt;
  return id;
}

// A scalar variable, or the value of an expression that has no labels of its own.
std::optional<TensorId> Analyzer::scalarArgument(const ast::Expr &argument) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument)) {
    const Symbol *symbol = scope->find(name->name.text);
    if (symbol && symbol->kind == Symbol::Kind::Tensor && orderOf(*symbol) == 0)
      return checkHasValue(symbol->id, argument.range) ? std::optional(symbol->id) : std::nullopt;
  }
  TensorId id = addTemporary();
  Notation notation;
  if (!compute({id, {}}, ast::AssignOp::Set, argument, argument.range, notation))
    return std::nullopt;
  if (notation.scopes.front().empty())
    return id;
  diagnostics
      .error(argument.range, "expected a tensor or a scalar, found an expression with labels")
      .note("assign it to a tensor first, or write SUM(...) for the sum of its elements");
  return std::nullopt;
}

//===------------------------------------------------------------------------------------------===//
// Within expressions
//===------------------------------------------------------------------------------------------===//

ElementPtr Analyzer::callElement(const ast::CallExpr &call, Notation &notation) {
  if (std::optional<AccessText> text = accessOf(call))
    return access(*text, notation);
  if (std::optional<ElementPtr> reduced = reduction(call, notation))
    return std::move(*reduced);
  // What the program declares comes first.
  bool declared = findFunction(call.callee.text) || findOperatorFunction(call.callee.text);
  if (std::optional<Operator> op = frontend::findFunction(call.callee.text); op && !declared)
    return apply(call, *op, notation,
                 [&](const ast::Expr &argument) { return element(argument, notation); });
  if (const ast::OperatorFunction *function = findOperatorFunction(call.callee.text))
    return callOperator(*function, call, notation);
  const Builtin *builtin = findBuiltin(call.callee.text);
  if (!builtin) {
    const ast::Function *function = findFunction(call.callee.text);
    if (std::optional<ElementType> type = findElementType(call.callee.text); type && !function)
      return castTo(call, *type, notation);
    if (!function)
      return unknownFunction(call), nullptr;
    std::optional<TensorId> value = valueOfCall(*function, call);
    if (!value)
      return nullptr;
    if (program.tensors[*value].order() == 0)
      return scalarAccess(*value, call.range, notation);
    diagnostics
        .error(call.range, "'" + call.callee.text +
                               "' returns a tensor, which must be all of an "
                               "assignment's right side")
        .note("assign it to a tensor first, and use that");
    return nullptr;
  }
  if (!checkArguments(call, *builtin))
    return nullptr;
  if (builtin->kind == Builtin::Kind::Sum)
    return explicitSum(call, notation);
  if (builtin->kind == Builtin::Kind::Transpose)
    return transpose(call, notation);
  if (builtin->kind == Builtin::Kind::Explicit) {
    notation.keepsZeros = true;
    return element(*call.arguments.front(), notation);
  }
  if (builtin->kind == Builtin::Kind::Size)
    return sizeOfDimension(call, notation);
  if (builtin->kind == Builtin::Kind::StoredCount)
    return storedCount(call, notation);
  if (builtin->kind == Builtin::Kind::Time) {
    TensorId time = addTemporary();
    states[time].typeIsOpen = false;
    add(call.range, Time{time});
    setValue(time, false);
    return scalarAccess(time, call.range, notation);
  }
  if (builtin->isStatement())
    diagnostics.error(call.range, "'" + call.callee.text + "' has no value");
  else
    diagnostics
        .error(call.range, "'" + call.callee.text + "' must be all of an assignment's right side")
        .note("assign it to a tensor first, and use that");
  return nullptr;
}

// What a sum that is written adds up. Of booleans it counts those that are true, where a number can
// receive that.
ElementPtr Analyzer::summand(const ast::Expr &expr, Notation &notation) {
  TypeFacts around = std::exchange(notation.facts, {});
  ElementPtr body = element(expr, notation);
  TypeFacts own = std::exchange(notation.facts, around);
  own.counts |= body && own.type && typeOf(own, false) == ElementType::Bool;
  notation.facts.include(own);
  return body;
}

// SUM(e): the sum of the elements of e. Its labels are its own.
ElementPtr Analyzer::explicitSum(const ast::CallExpr &call, Notation &notation) {
  notation.scopes.emplace_back();
  notation.facts.adds = true;
  ElementPtr body = summand(*call.arguments.front(), notation);
  std::vector<unsigned> vars;
  for (const auto &entry : notation.scopes.back()) {
    vars.push_back(entry.second);
    notation.summed.try_emplace(entry.first(), notation.vars[entry.second].range);
  }
  notation.scopes.pop_back();
  if (!body)
    return nullptr;
  if (vars.empty())
    diagnostics.warning(call.range, "there is nothing to sum: the argument has no labels");
  return placeSums(std::move(body), vars, OfFunctions::Around);
}

// transpose(A[i, j], {j, i}) is A[i, j]: labels say which dimension is which, not their order.
ElementPtr Analyzer::transpose(const ast::CallExpr &call, Notation &notation) {
  const auto *order = llvm::dyn_cast<ast::LabelsExpr>(call.arguments[1].get());
  llvm::StringMap<unsigned> counts;
  countLabels(*call.arguments[0], counts);
  llvm::StringMap<unsigned> wanted;
  if (order)
    for (const ast::Name &label : order->labels)
      ++wanted[label.text];
  bool same = order && llvm::all_of(wanted, [&](const auto &entry) {
                return entry.second == 1 && counts.count(entry.first());
              });
  // Of an expression that sums labels away, only the others are listed.
  bool complete = llvm::all_of(counts, [&](const auto &entry) {
    return wanted.count(entry.first()) || accessOf(*call.arguments[0]) == std::nullopt;
  });
  if (same && complete)
    return element(*call.arguments[0], notation);
  diagnostics
      .error(call.arguments[1]->range, "expected the labels of the transposed tensor in their new "
                                       "order, each once")
      .note("write transpose(A[i, j], {j, i})");
  return nullptr;
}

// A tensor that is named without labels, with a value; null after a report.
static const ast::Name *tensorName(const ast::Expr &argument) {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument);
  return name ? &name->name : nullptr;
}

// size(A, i): how long the dimension of A is that was declared with the label, or has the number.
// A size that only the run knows is a sum of ones.
ElementPtr Analyzer::sizeOfDimension(const ast::CallExpr &call, Notation &notation) {
  const ast::Name *name = tensorName(*call.arguments[0]);
  const Symbol *symbol = name ? findTensor(*name) : nullptr;
  if (name && !symbol)
    return nullptr;
  std::optional<unsigned> dimension;
  if (symbol) {
    const ast::Expr &which = *call.arguments[1];
    const auto *number = llvm::dyn_cast<ast::NumberExpr>(&which);
    const ast::Name *label = tensorName(which);
    const Symbol *found = label ? scope->find(label->text) : nullptr;
    for (unsigned at = 0; at < orderOf(*symbol); ++at)
      if (!dimension &&
          ((number && number->integer == int64_t(at)) ||
           (found && found->kind == Symbol::Kind::Label && labelOf(*symbol, at) == found->id)))
        dimension = at;
  }
  if (!dimension) {
    diagnostics
        .error(call.range, "'size' takes a tensor and one of the labels that it was declared with, "
                           "or the number of a dimension, from 0")
        .note("use it like this: size(A, i)");
    return nullptr;
  }
  useType(ElementType::Int64, notation);
  if (std::optional<int64_t> known = sizeOf(*symbol, *dimension))
    return makeCast(makeConstant(double(*known), *known, call.range), ElementType::Int64,
                    ElementType::Int64, call.range);
  TensorId tensor = tensorOf(*symbol);
  if (!checkHasValue(tensor, call.range))
    return nullptr;
  unsigned var = notation.vars.size();
  notation.vars.push_back({name->text, call.range, {}});
  for (SizeSource &source : sourcesOfDimension(tensor, baseDimension(*symbol, *dimension)))
    addSource(notation, var, std::move(source), call.range);
  return makeReduction(Operator::Plus, var, makeConstant(1, 1, call.range), false);
}

// nnz(A): a sum of ones over what A stores.
ElementPtr Analyzer::storedCount(const ast::CallExpr &call, Notation &notation) {
  const ast::Name *name = tensorName(*call.arguments[0]);
  const Symbol *symbol = name ? findTensor(*name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Kind::Tensor || orderOf(*symbol) == 0) {
    if (!name || symbol)
      diagnostics.error(call.range, "'nnz' takes a tensor").note("use it like this: nnz(A)");
    return nullptr;
  }
  TypeFacts facts = notation.facts;
  std::vector<ElementPtr> sides;
  llvm::SmallVector<unsigned> vars;
  for (int side = 0; side < 2; ++side) {
    sides.push_back(scalarAccess(symbol->id, call.range, notation));
    for (unsigned dimension = 0; dimension < orderOf(*symbol); ++dimension) {
      if (side == 0) {
        vars.push_back(notation.vars.size());
        notation.vars.push_back({name->text, call.range, {}});
        for (SizeSource &source : sourcesOfDimension(symbol->id, dimension))
          addSource(notation, vars.back(), std::move(source), call.range);
      }
      sides.back()->indices.push_back(Index::of(vars[dimension]));
    }
  }
  notation.facts = facts;
  useType(ElementType::Int64, notation);
  ElementPtr ones = makeJoin(Operator::Pair, Operator::Plus, std::move(sides[0]),
                             std::move(sides[1]), call.range);
  return makeReduction(Operator::Plus, vars, std::move(ones), false);
}

} // namespace strata::frontend

// A statement alone becomes a program: its accesses declare tensors and labels, its options the
// inputs and outputs around it.
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Fills.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>

namespace strata::frontend {
namespace {

class OneLiner {
public:
  OneLiner(const OneLinerOptions &options, const FormatVocabulary &formats,
           Diagnostics &diagnostics)
      : options(options), formats(formats), diagnostics(diagnostics),
        analyzer(options.parameters, formats, diagnostics) {
    analyzer.scope = &scope;
    analyzer.alone = true;
    analyzer.returns = options.returns;
    analyzer.program.machines = options.machines;
  }

  std::optional<Program> run(ast::AssignStmt &statement) {
    windows =
        options.windows ? *options.windows : respellAccesses(statement, givenNames(), diagnostics);
    collect(statement);
    if (!diagnostics.hasErrors())
      declareAll();
    if (!diagnostics.hasErrors())
      checkOptions();
    if (diagnostics.hasErrors())
      return std::nullopt;
    std::string result = statement.tensor.text;
    // Files first: they bring sizes to what is generated.
    for (bool files : {true, false})
      for (const ast::Name &tensor : tensors)
        giveInput(tensor, tensor.text == result, files);
    if (diagnostics.hasErrors())
      return std::nullopt;
    analyzer.assign(statement);
    analyzer.refuseDeferred();
    writeOutputs(statement.range);
    if (options.returns)
      analyzer.add(statement.range, Return{scope.find(result)->id});
    if (diagnostics.hasErrors())
      return std::nullopt;
    analyzer.warnAboutUnusedParameters();
    Program program = analyzer.takeProgram();
    inferFills(program, formats, diagnostics);
    return program;
  }

  bool wrongOption = false;
  std::vector<OneLinerResult::Missing> withoutValue;

private:
  /// An access, or a bare name, where it stands.
  struct Use {
    ast::Name name;
    llvm::ArrayRef<ast::Coordinate> labels;
    bool bare;
  };

  const TensorOptions &optionsOf(llvm::StringRef name) const {
    static const TensorOptions none;
    auto found = options.tensors.find(name.str());
    return found == options.tensors.end() ? none : found->second;
  }

  llvm::ArrayRef<int64_t> sizesOf(llvm::StringRef name) const {
    auto found = options.sizes.find(name.str());
    return found == options.sizes.end() ? llvm::ArrayRef<int64_t>()
                                        : llvm::ArrayRef<int64_t>(found->second);
  }

  bool isParameter(const ast::Name &name) const { return options.parameters.count(name.text); }

  GivenNames givenNames() const {
    GivenNames given;
    for (const auto &[name, tensor] : options.tensors) {
      given.tensors.insert(name);
      if (tensor.type && isInteger(*tensor.type))
        given.pointers.insert(name);
    }
    for (const auto &[name, sizes] : options.sizes)
      given.indices.insert(name);
    for (const auto &[name, value] : options.parameters)
      given.scalars.insert(name);
    return given;
  }

  Diagnostics::Report refuseOption(llvm::SMRange range, const llvm::Twine &message) {
    wrongOption = true;
    return diagnostics.error(range, message);
  }

  //===----------------------------------------------------------------------------------------===//
  // What names stand for
  //===----------------------------------------------------------------------------------------===//

  void collect(const ast::AssignStmt &statement) {
    collectAccess(statement.tensor, statement.labels, !statement.hasLabels);
    if (statement.mask) {
      const ast::Expr &mask = *statement.mask->access;
      if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&mask))
        collectAccess(name->name, statement.labels, false);
      else
        collect(mask);
    }
    collect(*statement.value);
  }

  // An order of recursion that meets accesses from left to right.
  void collect(const ast::Expr &expr) {
    if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(&expr))
      return collectAccess(access->tensor, access->labels, false);
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
      return collectAccess(name->name, {}, true);
    if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr)) {
      checkFunction(*call);
      const Builtin *builtin = findBuiltin(call->callee.text);
      if (builtin && builtin->kind == Builtin::Kind::LinearAlgebra)
        return collectWhole(call->arguments, 2);
      if (builtin && builtin->kind == Builtin::Kind::Concatenation && !call->arguments.empty()) {
        if (const auto *name = llvm::dyn_cast<ast::NameExpr>(call->arguments.front().get()))
          addLabel(name->name);
        return collectWhole(llvm::ArrayRef(call->arguments).drop_front(),
                            uses.front().labels.size());
      }
      if (builtin && builtin->kind == Builtin::Kind::Reordering && !call->arguments.empty())
        return collectWhole(llvm::ArrayRef(call->arguments).take_front(),
                            call->arguments.size() == 1 ? uses.front().labels.size() : 2);
      // sum(i, e): what stands before e are labels. Of min(a, b), only a label elsewhere is one.
      if (findReduction(call->callee.text) && !findFunction(call->callee.text))
        for (const ast::ExprPtr &argument : llvm::drop_end(call->arguments))
          if (const auto *name = llvm::dyn_cast<ast::NameExpr>(argument.get()))
            addLabel(name->name);
    }
    ast::forEachOperand(expr, [&](const ast::Expr &operand) { collect(operand); });
  }

  void collectAccess(const ast::Name &name, llvm::ArrayRef<ast::Coordinate> labels, bool bare) {
    uses.push_back({name, labels, bare});
    for (const ast::Coordinate &label : labels) {
      if (label.computed)
        collectIndex(*label.computed);
      else
        addLabel(label);
    }
  }

  // solve(A, b): a matrix, and what has the order of the result, unless -d says otherwise. Names
  // without indices are whole tensors here.
  void collectWhole(llvm::ArrayRef<ast::ExprPtr> arguments, size_t orderOfFirst) {
    for (const ast::ExprPtr &argument : arguments) {
      const auto *name = llvm::dyn_cast<ast::NameExpr>(argument.get());
      if (!name) {
        collect(*argument);
        continue;
      }
      size_t order = sizesOf(name->name.text).size();
      if (order == 0)
        order = &argument == arguments.begin() ? orderOfFirst : uses.front().labels.size();
      std::vector<ast::Coordinate> &labels = unwritten.emplace_back();
      for (size_t dimension = 1; dimension <= order; ++dimension)
        labels.push_back({{name->name.text + "." + std::to_string(dimension), name->name.range}});
      uses.push_back({name->name, labels, false});
    }
  }

  void collectIndex(const ast::Expr &expr) {
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
      return addLabel(name->name);
    if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(&expr))
      return collectAccess(access->tensor, access->labels, false);
    if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
      checkFunction(*call);
    ast::forEachOperand(expr, [&](const ast::Expr &operand) { collectIndex(operand); });
  }

  void addLabel(const ast::Name &name) {
    if (!isParameter(name) && labelNames.insert(name.text).second)
      labels.push_back(name);
  }

  // What is called and is not a tensor must be a function.
  void checkFunction(const ast::CallExpr &call) {
    const std::string &name = call.callee.text;
    if (namesFunction(name))
      return;
    std::string guess = didYouMeanFunction(name);
    std::vector<llvm::StringRef> ofMatrices;
    llvm::copy_if(builtinNames(), std::back_inserter(ofMatrices), [](llvm::StringRef builtin) {
      return findBuiltin(builtin)->kind == Builtin::Kind::LinearAlgebra;
    });
    diagnostics.error(call.callee.range, "unknown function '" + name + "'")
        .note(!guess.empty() ? guess
                             : "the functions are " + quotedList(functionNames()) +
                                   ", and those of whole matrices " + quotedList(ofMatrices))
        .note("if '" + name + "' is a tensor, " +
              (options.returns ? "it must be among the operands"
                               : "say where it comes from: -i=" + name + ":FILE"));
  }

  static std::string didYouMeanFunction(llvm::StringRef name) {
    std::vector<llvm::StringRef> known(functionNames());
    llvm::append_range(known, builtinNames());
    return didYouMean(name, known);
  }

  //===----------------------------------------------------------------------------------------===//
  // Declarations
  //===----------------------------------------------------------------------------------------===//

  // A bare name is a scalar, unless it is an index elsewhere or -d gives it a size.
  void declareAll() {
    for (const Use &use : uses)
      if (use.bare && !sizesOf(use.name.text).empty() && !options.tensors.count(use.name.text) &&
          llvm::none_of(uses, [&](const Use &other) {
            return !other.bare && other.name.text == use.name.text;
          }))
        addLabel(use.name);
    for (const ast::Name &label : labels)
      declareLabel(label);
    for (const Use &use : uses)
      if (!use.bare || (!labelNames.contains(use.name.text) && !isParameter(use.name)))
        declare(use.name, use.labels);
  }

  // Is an operand of integers that double does not hold? Then the result has the type of the
  // statement's right side.
  bool hasWideIntegers() const {
    return llvm::any_of(options.tensors, [](const auto &entry) {
      return entry.second.type == ElementType::Int64 || entry.second.type == ElementType::UInt64;
    });
  }

  // Where it is not given: complex if an operand is.
  ElementType typeOfResult() const {
    bool anyComplex = llvm::any_of(options.tensors, [](const auto &entry) {
      return entry.second.type && isComplex(*entry.second.type);
    });
    return anyComplex ? ElementType::ComplexDouble : ElementType::Double;
  }

  // The first access of a tensor declares it; later ones must have as many labels, which the
  // analysis of the statement checks.
  void declare(const ast::Name &tensor, llvm::ArrayRef<ast::Coordinate> labels) {
    if (const Symbol *symbol = scope.find(tensor.text)) {
      if (symbol->kind == Symbol::Kind::Label)
        diagnostics.error(tensor.range, "'" + tensor.text + "' is a tensor here and an index there")
            .note("it is an index here", symbol->range);
      return;
    }
    constexpr size_t maxOrder = 32;
    if (labels.size() > maxOrder) {
      diagnostics.error(tensor.range,
                        "a tensor has at most " + llvm::Twine(maxOrder) + " dimensions");
      return;
    }
    const TensorOptions &given = optionsOf(tensor.text);
    Tensor result;
    TensorState state;
    result.name = tensor.text;
    result.range = tensor.range;
    result.type = given.type.value_or(tensors.empty() ? typeOfResult() : ElementType::Double);
    state.typeIsOpen = state.isPromoted =
        tensors.empty() && !given.type && (options.returns || hasWideIntegers());
    if (given.format &&
        analyzer.checkFormat(*given.format, labels.size(), result.type, quoted(tensor.text)))
      result.format = given.format;
    if (result.format && result.format->placement &&
        !analyzer.checkPlacement(*result.format, dimensionNames(labels.size()),
                                 quoted(tensor.text)))
      result.format.reset();
    wrongOption |= given.format && !result.format;
    llvm::ArrayRef<int64_t> sizes = sizesOf(tensor.text);
    if (!sizes.empty() && sizes.size() != labels.size())
      refuseOption(tensor.range, "'" + tensor.text + "' has " +
                                     counted(labels.size(), "dimension") + ", but -d gives " +
                                     counted(sizes.size(), "size"))
          .note(labels.empty() ? "write '" + tensor.text + "' with its indices" : "");
    for (auto [dimension, label] : llvm::enumerate(labels)) {
      state.labels.push_back(labelOf(label));
      // A size that is given to a tensor is its indices' too.
      std::optional<int64_t> &size = analyzer.labels[state.labels.back()].size;
      if (!size && sizes.size() == labels.size())
        size = sizes[dimension];
      result.sizes.push_back(sizes.size() == labels.size() ? sizes[dimension] : size);
    }
    tensors.push_back(tensor);
    TensorId id = analyzer.addTensor(std::move(result), std::move(state));
    scope.declare(tensor.text, {Symbol::Kind::Tensor, id, tensor.range});
  }

  // The label of a dimension; one of its own where an expression of labels stands.
  LabelId labelOf(const ast::Coordinate &coordinate) {
    const Symbol *symbol = coordinate.computed ? nullptr : scope.find(coordinate.text);
    if (symbol && symbol->kind == Symbol::Kind::Label)
      return symbol->id;
    Label label;
    label.name = coordinate.text;
    label.range = coordinate.range;
    return analyzer.addLabel(std::move(label));
  }

  void declareLabel(const ast::Name &name) {
    Label label;
    label.name = name.text;
    label.range = name.range;
    llvm::ArrayRef<int64_t> given = sizesOf(name.text);
    if (given.size() == 1)
      label.size = given.front(), label.sizeFrom = "-d";
    if (auto window = windows.find(name.text); window != windows.end()) {
      auto [size, range] = window->second;
      if (label.size && *label.size != size)
        refuseOption(range, "this window gives '" + name.text + "' " + counted(size, "value") +
                                ", but -d gives it " + llvm::Twine(*label.size));
      label.size = size;
      label.sizeFrom = "its window";
    }
    LabelId id = analyzer.addLabel(std::move(label));
    scope.declare(name.text, {Symbol::Kind::Label, id, name.range});
  }

  // Every name in the options must occur in the statement.
  void checkOptions() {
    auto check = [&](const std::string &name, Symbol::Kind kind, llvm::StringRef what) {
      const Symbol *symbol = scope.find(name);
      if (symbol && symbol->kind == kind)
        return;
      std::vector<llvm::StringRef> known = scope.names(kind);
      std::string hint = didYouMean(name, known);
      refuseOption({}, "the statement has no " + what + " '" + name + "'")
          .note(hint.empty() && !known.empty() ? "it has " + quotedList(known) : hint);
    };
    for (const auto &[name, unused] : options.tensors)
      check(name, Symbol::Kind::Tensor, "tensor");
    for (const auto &[name, sizes] : options.sizes) {
      const Symbol *symbol = scope.find(name);
      if (symbol && symbol->kind == Symbol::Kind::Tensor)
        continue;
      check(name, Symbol::Kind::Label, "index");
      if (symbol && sizes.size() > 1)
        refuseOption(symbol->range, "'" + name +
                                        "' is an index, which has one size, but -d gives it " +
                                        llvm::Twine(sizes.size()));
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // Inputs and outputs
  //===----------------------------------------------------------------------------------------===//

  void giveInput(const ast::Name &name, bool isResult, bool files) {
    TensorId id = scope.find(name.text)->id;
    const TensorOptions &given = optionsOf(name.text);
    using Source = TensorOptions::Source;
    unsigned order = analyzer.program.tensors[id].order();
    bool scalar = order == 0;
    Source source = given.source;
    bool isRead = llvm::count_if(uses, [&](const Use &use) { return use.name.text == name.text; }) >
                  (isResult ? 1 : 0);
    if (source == Source::None && isRead && options.compilesOnly) {
      source = scalar ? Source::Value : Source::File;
      if (files == !scalar)
        withoutValue.push_back(
            {name.text, scalar ? "-D " + name.text + "=2.0" : "-i=" + name.text + ":FILE"});
    }
    bool fromFile = source == Source::File || source == Source::Stencil || source == Source::Caller;
    if (fromFile != files || analyzer.states[id].hasValue)
      return;
    if (source == Source::Stencil && order != 2) {
      refuseOption(name.range, "a stencil is a matrix, but '" + name.text + "' has " +
                                   counted(order, "dimension"));
      return;
    }
    if (source == Source::Stencil && !checkStencil(name, id, given.points))
      return;
    if (scalar && (source == Source::Random || source == Source::Ones)) {
      refuseOption(name.range, "'" + name.text + "' is a scalar here, which has one value")
          .note("give it: -D " + name.text + "=2.0, or write '" + name.text + "' with its indices");
      return;
    }
    std::optional<std::vector<Size>> sizes = std::vector<Size>();
    if (source == Source::Random || source == Source::Ones)
      sizes = analyzer.sizesOf(id, name.range);
    if (!sizes)
      return;
    switch (source) {
    case Source::None:
      if (!isResult)
        refuse(name, id);
      return;
    case Source::File:
      analyzer.add(name.range, Read{id, given.file.empty() ? name.text : given.file, 1});
      break;
    case Source::Caller:
      analyzer.add(name.range, Given{id});
      break;
    case Source::Random:
      analyzer.add(name.range, Random{id, std::move(*sizes), given.density, given.seed});
      break;
    case Source::Ones:
      analyzer.add(name.range, Fill{id, 1.0, 1, std::move(*sizes)});
      break;
    case Source::Stencil:
      analyzer.add(name.range, Stencil{id, given.points});
      break;
    case Source::Value:
      analyzer.add(name.range, Fill{id, given.value, std::nullopt, {}});
      break;
    }
    analyzer.setValue(id, fromFile);
  }

  // A stencil has a size of its own, which -d must not contradict.
  bool checkStencil(const ast::Name &name, TensorId id, int64_t points) {
    int64_t rows = points * points * points;
    for (std::optional<int64_t> size : analyzer.program.tensors[id].sizes) {
      if (!size || *size == rows)
        continue;
      refuseOption(name.range, "the stencil on a grid of " + llvm::Twine(points) + " x " +
                                   llvm::Twine(points) + " x " + llvm::Twine(points) + " has " +
                                   counted(rows, "row") + ", but -d gives '" + name.text + "' " +
                                   llvm::Twine(*size))
          .note("leave out -d, and say how fine the grid is: -g=" + name.text +
                ":f:5 has 5 x 5 x 5 = 125 rows");
      return false;
    }
    return true;
  }

  void refuse(const ast::Name &name, TensorId id) {
    bool scalar = analyzer.program.tensors[id].order() == 0;
    diagnostics.error(name.range, "nothing says what '" + name.text + "' holds")
        .note(scalar ? "" : didYouMeanFunction(name.text))
        .note(options.returns ? operandsInWords()
              : scalar        ? "give its value: -D " + name.text + "=2.0"
                              : "give a file, -i=" + name.text +
                                    ":FILE, or have it generated, -g=" + name.text + ":d");
    analyzer.setValue(id, false);
  }

  std::string operandsInWords() const {
    std::vector<llvm::StringRef> given;
    for (const auto &[name, tensor] : options.tensors)
      if (tensor.source == TensorOptions::Source::Caller)
        given.push_back(name);
    return given.empty() ? "there are no operands" : "the operands are " + quotedList(given);
  }

  std::string fileInFolder(const std::string &name) const {
    return options.outputFolder.empty() ? "" : options.outputFolder + "/" + name + ".tns";
  }

  void writeOutputs(llvm::SMRange range) {
    for (const ast::Name &name : tensors)
      for (const std::string &file : {optionsOf(name.text).output, fileInFolder(name.text)})
        if (!file.empty())
          analyzer.add(range, Write{scope.find(name.text)->id, file});
  }

  const OneLinerOptions &options;
  const FormatVocabulary &formats;
  Diagnostics &diagnostics;
  Scope scope;
  Analyzer analyzer;
  llvm::StringMap<WindowSize> windows;                // of index variables
  std::vector<Use> uses;                              // in the order of the statement
  std::deque<std::vector<ast::Coordinate>> unwritten; // labels of tensors that have none
  std::vector<ast::Name> labels, tensors;
  llvm::StringSet<> labelNames;
};

} // namespace

OneLinerResult analyze(ast::AssignStmt &statement, const OneLinerOptions &options,
                       const FormatVocabulary &formats, Diagnostics &diagnostics) {
  OneLiner oneLiner(options, formats, diagnostics);
  std::optional<Program> program = oneLiner.run(statement);
  return {std::move(program), oneLiner.wrongOption, std::move(oneLiner.withoutValue)};
}

} // namespace strata::frontend

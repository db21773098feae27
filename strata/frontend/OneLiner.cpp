// A statement alone becomes a program: its accesses declare tensors and labels, its options the
// inputs and outputs around it.
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Fills.h"
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/STLExtras.h"

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
  }

  std::optional<Program> run(const ast::AssignStmt &statement) {
    declare(statement.tensor, statement.labels);
    declareIn(*statement.value);
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
    if (diagnostics.hasErrors())
      return std::nullopt;
    analyzer.warnAboutUnusedParameters();
    Program program = analyzer.takeProgram();
    inferFills(program, formats, diagnostics);
    return program;
  }

private:
  const TensorOptions &optionsOf(llvm::StringRef name) const {
    static const TensorOptions none;
    auto found = options.tensors.find(name.str());
    return found == options.tensors.end() ? none : found->second;
  }

  //===----------------------------------------------------------------------------------------===//
  // Declarations
  //===----------------------------------------------------------------------------------------===//

  // An order of recursion that meets accesses from left to right.
  void declareIn(const ast::Expr &expr) {
    if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(&expr))
      return declare(access->tensor, access->labels);
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
      if (!options.parameters.count(name->name.text))
        declare(name->name, {});
      return;
    }
    // The labels of a reduction, `min(j, ...)`, are no tensors.
    const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr);
    ast::forEachOperand(expr, [&](const ast::Expr &operand) {
      if (!call || !isReducedLabel(*call, operand))
        declareIn(operand);
    });
  }

  static bool isReducedLabel(const ast::CallExpr &call, const ast::Expr &operand) {
    return findReduction(call.callee.text) && llvm::isa<ast::NameExpr>(operand) &&
           &operand != call.arguments.back().get();
  }

  // The first access of a tensor declares it; later ones must have as many labels, which the
  // analysis of the statement checks.
  void declare(const ast::Name &tensor, llvm::ArrayRef<ast::Coordinate> labels) {
    if (const Symbol *symbol = scope.find(tensor.text)) {
      if (symbol->kind == Symbol::Kind::Label)
        diagnostics.error(tensor.range, "'" + tensor.text + "' is a tensor here and an index there")
            .note("it is used here first", symbol->range);
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
    result.type = given.type.value_or(ElementType::Double);
    if (given.format && analyzer.checkFormat(*given.format, labels.size(), tensor.text))
      result.format = given.format;
    if (!given.sizes.empty() && given.sizes.size() != labels.size())
      diagnostics.error(tensor.range, "'" + tensor.text + "' has " + llvm::Twine(labels.size()) +
                                          " dimensions, but -d gives " +
                                          llvm::Twine(given.sizes.size()) + " sizes");
    for (auto [dimension, label] : llvm::enumerate(labels)) {
      state.labels.push_back(labelOf(label));
      // A size that is given to a tensor is its indices' too.
      std::optional<int64_t> &size = analyzer.labels[state.labels.back()].size;
      if (!size && given.sizes.size() == labels.size())
        size = given.sizes[dimension];
      result.sizes.push_back(given.sizes.size() == labels.size() ? given.sizes[dimension] : size);
    }
    tensors.push_back(tensor);
    TensorId id = analyzer.addTensor(std::move(result), std::move(state));
    if (!scope.declare(tensor.text, {Symbol::Kind::Tensor, id, tensor.range}))
      diagnostics.error(tensor.range, "'" + tensor.text + "' is a tensor here and an index there")
          .note("it is an index here", scope.find(tensor.text)->range);
  }

  // The label of a dimension; one of its own where an expression of labels stands.
  LabelId labelOf(const ast::Coordinate &coordinate) {
    bool isNumber = options.parameters.count(coordinate.text) && !scope.find(coordinate.text);
    if (!coordinate.computed && !isNumber)
      return declareLabel(coordinate);
    ast::forEachName(coordinate, [&](const ast::Name &name) {
      if (!options.parameters.count(name.text))
        declareLabel(name);
    });
    Label label;
    label.name = coordinate.text;
    label.range = coordinate.range;
    return analyzer.addLabel(std::move(label));
  }

  LabelId declareLabel(const ast::Name &name) {
    if (const Symbol *symbol = scope.find(name.text)) {
      if (symbol->kind == Symbol::Kind::Label)
        return symbol->id;
      diagnostics.error(name.range, "'" + name.text + "' is an index here and a tensor there")
          .note("it is used here first", symbol->range);
      return analyzer.addLabel({});
    }
    Label label;
    label.name = name.text;
    label.range = name.range;
    if (auto found = options.sizes.find(name.text); found != options.sizes.end())
      label.size = found->second;
    LabelId id = analyzer.addLabel(std::move(label));
    scope.declare(name.text, {Symbol::Kind::Label, id, name.range});
    return id;
  }

  // Every name in the options must occur in the statement.
  void checkOptions() {
    auto check = [&](const std::string &name, Symbol::Kind kind, llvm::StringRef what) {
      const Symbol *symbol = scope.find(name);
      if (symbol && symbol->kind == kind)
        return;
      std::vector<llvm::StringRef> known = scope.names(kind);
      std::string hint = didYouMean(name, known);
      diagnostics.error({}, "the statement has no " + what + " '" + name + "'")
          .note(hint.empty() && !known.empty() ? "it has " + quotedList(known) : hint);
    };
    for (const auto &[name, unused] : options.tensors)
      check(name, Symbol::Kind::Tensor, "tensor");
    for (const auto &[name, unused] : options.sizes)
      check(name, Symbol::Kind::Label, "index");
  }

  //===----------------------------------------------------------------------------------------===//
  // Inputs and outputs
  //===----------------------------------------------------------------------------------------===//

  void giveInput(const ast::Name &name, bool isResult, bool files) {
    TensorId id = scope.find(name.text)->id;
    const TensorOptions &given = optionsOf(name.text);
    using Source = TensorOptions::Source;
    bool fromFile = given.source == Source::File || given.source == Source::Stencil;
    if (fromFile != files || analyzer.states[id].hasValue)
      return;
    bool scalar = analyzer.program.tensors[id].order() == 0;
    if (scalar && given.source != Source::None && given.source != Source::Value) {
      diagnostics.error(name.range, "'" + name.text + "' is a scalar here, which has one value")
          .note("give it: -D " + name.text + "=2.0, or write '" + name.text + "' with its indices");
      return;
    }
    std::optional<std::vector<Size>> sizes = std::vector<Size>();
    if (given.source == Source::Random || given.source == Source::Ones)
      sizes = analyzer.sizesOf(id, name.range);
    if (!sizes)
      return;
    switch (given.source) {
    case Source::None:
      if (!isResult)
        refuse(name, id);
      return;
    case Source::File:
      analyzer.add(name.range, Read{id, given.file, 1});
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

  void refuse(const ast::Name &name, TensorId id) {
    bool scalar = analyzer.program.tensors[id].order() == 0;
    diagnostics.error(name.range, "nothing says what '" + name.text + "' holds")
        .note(scalar ? "give its value: -D " + name.text + "=2.0"
                     : "give a file, -i=" + name.text +
                           ":FILE, or have it generated, -g=" + name.text + ":d");
    analyzer.setValue(id, false);
  }

  void writeOutputs(llvm::SMRange range) {
    for (const ast::Name &name : tensors)
      if (const std::string &file = optionsOf(name.text).output; !file.empty())
        analyzer.add(range, Write{scope.find(name.text)->id, file});
  }

  const OneLinerOptions &options;
  const FormatVocabulary &formats;
  Diagnostics &diagnostics;
  Scope scope;
  Analyzer analyzer;
  std::vector<ast::Name> tensors; // in the order of the statement
};

} // namespace

std::optional<Program> analyze(const ast::AssignStmt &statement, const OneLinerOptions &options,
                               const FormatVocabulary &formats, Diagnostics &diagnostics) {
  return OneLiner(options, formats, diagnostics).run(statement);
}

} // namespace strata::frontend

// Accesses of a statement given alone, as TACO's users spell them.
#include "strata/frontend/AccessSpellings.h"
#include "strata/frontend/Builtins.h"
#include "strata/frontend/ElementTypes.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace strata::frontend {

using namespace ast;
using llvm::StringRef;

bool namesFunction(StringRef name) {
  return findFunction(name) || findReduction(name) || findBuiltin(name) || findElementType(name);
}

namespace {

class Respelling {
public:
  Respelling(AssignStmt &statement, const GivenNames &given, Diagnostics &diagnostics)
      : statement(statement), given(given), diagnostics(diagnostics) {}

  llvm::StringMap<WindowSize> run() {
    forEachTree([&](ExprPtr &tree) { calls(tree); });
    for (Coordinate &coordinate : statement.labels)
      inIndex(coordinate);
    forEachTree([&](ExprPtr &tree) { collectLabels(*tree); });
    collectLabels(statement.labels);
    subscripts();
    return std::move(windows);
  }

private:
  void forEachTree(llvm::function_ref<void(ExprPtr &)> body) {
    if (statement.mask)
      body(statement.mask->access);
    body(statement.value);
  }

  //===----------------------------------------------------------------------------------------===//
  // A(i, j)
  //===----------------------------------------------------------------------------------------===//

  void calls(ExprPtr &expr) {
    if (auto *call = llvm::dyn_cast<CallExpr>(expr.get()); call && isTensor(*call))
      expr = accessOf(*call);
    if (auto *access = llvm::dyn_cast<AccessExpr>(expr.get())) {
      for (Coordinate &coordinate : access->labels)
        inIndex(coordinate);
      return;
    }
    forEachOperand(*expr, [&](ExprPtr &operand) { calls(operand); });
  }

  static ExprPtr accessOf(CallExpr &call) {
    std::vector<Coordinate> labels;
    for (ExprPtr &argument : call.arguments)
      labels.push_back(asCoordinate(std::move(argument)));
    return std::make_unique<AccessExpr>(call.range, std::move(call.callee), std::move(labels));
  }

  // A tensor has coordinates between its parentheses; a name that is called with anything else, and
  // that no option speaks of, is a function that there is not.
  bool isTensor(const CallExpr &call) const {
    StringRef name = call.callee.text;
    if (given.tensors.contains(name) || name == statement.tensor.text)
      return true;
    return !namesFunction(name) && llvm::all_of(call.arguments, [&](const ExprPtr &argument) {
      return isIndex(*argument);
    });
  }

  bool isIndex(const Expr &expr) const {
    switch (expr.kind) {
    case Expr::Kind::Number:
      return llvm::cast<NumberExpr>(expr).integer.has_value();
    case Expr::Kind::Name: {
      // A function of a tensor is none: eigenvalues(A).
      StringRef name = llvm::cast<NameExpr>(expr).name.text;
      return !given.tensors.contains(name) || given.pointers.contains(name);
    }
    case Expr::Kind::Access:
      return given.pointers.contains(llvm::cast<AccessExpr>(expr).tensor.text);
    case Expr::Kind::Call: {
      const auto &call = llvm::cast<CallExpr>(expr);
      return isWindow(call) || given.pointers.contains(call.callee.text);
    }
    case Expr::Kind::Negate:
    case Expr::Kind::Sum:
    case Expr::Kind::Product: {
      bool all = true;
      forEachOperand(expr, [&](const Expr &operand) { all &= isIndex(operand); });
      return all;
    }
    case Expr::Kind::Text:
    case Expr::Kind::Labels:
    case Expr::Kind::Binary:
    case Expr::Kind::Values:
      break;
    }
    return false;
  }

  //===----------------------------------------------------------------------------------------===//
  // Windows: A(i(2,5), j), A(i(0,10,5), j)
  //===----------------------------------------------------------------------------------------===//

  bool isWindow(const CallExpr &call) const {
    size_t count = call.arguments.size();
    return !given.tensors.contains(call.callee.text) && !namesFunction(call.callee.text) &&
           (count == 2 || count == 3) && llvm::all_of(call.arguments, [](const ExprPtr &argument) {
             return llvm::isa<NumberExpr, NegateExpr>(*argument);
           });
  }

  // Its tree belongs to this coordinate alone.
  void inIndex(Coordinate &coordinate) {
    if (!coordinate.computed)
      return;
    Expr &expr = const_cast<Expr &>(*coordinate.computed);
    if (auto *access = llvm::dyn_cast<AccessExpr>(&expr)) {
      for (Coordinate &inner : access->labels)
        inIndex(inner);
      return;
    }
    auto *call = llvm::dyn_cast<CallExpr>(&expr);
    if (!call) {
      forEachOperand(expr, [&](ExprPtr &operand) { calls(operand); });
    } else if (isWindow(*call)) {
      // After a mistake it is the label alone, so that nothing else is said of it.
      Name label = call->callee;
      ExprPtr shifted = window(*call);
      if (!shifted)
        static_cast<Name &>(coordinate) = std::move(label);
      coordinate.computed = std::move(shifted);
    } else if (isTensor(*call)) {
      coordinate.computed = accessOf(*call);
      inIndex(coordinate);
    }
  }

  // i(lo, hi, step) as step * i + lo, where i has ceil((hi - lo) / step) values. Null after an
  // error.
  ExprPtr window(const CallExpr &call) {
    constexpr int64_t most = int64_t(1) << 31;
    llvm::SmallVector<int64_t, 3> bounds;
    for (const ExprPtr &argument : call.arguments) {
      const auto *number = llvm::dyn_cast<NumberExpr>(argument.get());
      bounds.push_back(number && number->integer ? std::min(*number->integer, most) : -1);
    }
    int64_t lo = bounds[0], hi = bounds[1], step = bounds.size() == 3 ? bounds[2] : 1;
    const std::string &name = call.callee.text;
    if (lo < 0 || hi <= lo || step < 1) {
      diagnostics.error(call.range, "this is not a window of '" + name + "'")
          .note("a window is " + name + "(FROM, TO) or " + name +
                "(FROM, TO, STEP) with FROM from 0, TO greater than FROM, and STEP from 1: " +
                name + "(2,5) takes the coordinates 2, 3 and 4");
      return nullptr;
    }
    int64_t size = llvm::divideCeilSigned(hi - lo, step);
    auto [found, isNew] = windows.try_emplace(name, WindowSize{size, call.range});
    if (!isNew && found->second.size != size) {
      diagnostics
          .error(call.range, "this window gives '" + name + "' " + counted(size, "value") +
                                 ", but another gives it " + llvm::Twine(found->second.size))
          .note("the other window is here", found->second.range);
      return nullptr;
    }
    std::vector<ProductExpr::Factor> factors;
    factors.push_back({ProductExpr::Op::Times, {}, constant(step, call.range)});
    factors.push_back({ProductExpr::Op::Times, {}, std::make_unique<NameExpr>(call.callee)});
    std::vector<SumExpr::Term> terms;
    terms.push_back(
        {false, {}, std::make_unique<ProductExpr>(call.callee.range, std::move(factors))});
    terms.push_back({false, {}, constant(lo, call.range)});
    return std::make_unique<SumExpr>(call.range, std::move(terms));
  }

  static ExprPtr constant(int64_t value, llvm::SMRange range) {
    return std::make_unique<NumberExpr>(range, double(value), value);
  }

  //===----------------------------------------------------------------------------------------===//
  // Subscripts: A_ij
  //===----------------------------------------------------------------------------------------===//

  void collectLabels(llvm::ArrayRef<Coordinate> coordinates) {
    for (const Coordinate &coordinate : coordinates)
      forEachName(coordinate, [&](const Name &name) { labels.insert(name.text); });
  }

  void collectLabels(const Expr &expr) {
    if (const auto *access = llvm::dyn_cast<AccessExpr>(&expr)) {
      hasAccess = true;
      collectLabels(access->labels);
    }
    forEachOperand(expr, [&](const Expr &operand) { collectLabels(operand); });
  }

  // The letters behind the last underscore are indices where all of them are indices elsewhere, or
  // where the statement has no access that is spelled otherwise. The left side's must be known.
  void subscripts() {
    llvm::StringSet<> known = labels;
    for (const auto &index : given.indices)
      known.insert(index.first());
    bool all = !hasAccess && !statement.hasLabels;
    forEachTree([&](ExprPtr &tree) { subscriptsIn(tree, known, all); });
    for (const auto &label : labels)
      known.insert(label.first());
    std::optional<StringRef> letters = lettersOf(statement.tensor.text, &known);
    if (statement.hasLabels || !letters)
      return;
    statement.hasLabels = true;
    takeSubscript(statement.tensor, letters->size(), statement.labels);
  }

  void subscriptsIn(ExprPtr &expr, const llvm::StringSet<> &known, bool all) {
    if (auto *bare = llvm::dyn_cast<NameExpr>(expr.get())) {
      std::optional<StringRef> letters = lettersOf(bare->name.text, all ? nullptr : &known);
      if (!letters)
        return;
      std::vector<Coordinate> coordinates;
      takeSubscript(bare->name, letters->size(), coordinates);
      collectLabels(coordinates);
      expr =
          std::make_unique<AccessExpr>(bare->range, std::move(bare->name), std::move(coordinates));
      return;
    }
    forEachOperand(*expr, [&](ExprPtr &operand) { subscriptsIn(operand, known, all); });
  }

  // Of a name that is a subscripted tensor: its indices, which are `known`, or (null) any.
  std::optional<StringRef> lettersOf(StringRef name, const llvm::StringSet<> *known) const {
    auto [tensor, letters] = name.rsplit('_');
    if (tensor.empty() || letters.empty() || given.scalars.contains(name) ||
        given.tensors.contains(name) || labels.contains(name))
      return std::nullopt;
    bool fits = llvm::all_of(letters, [&](const char &letter) {
      return llvm::isLower(letter) && (!known || known->contains(StringRef(&letter, 1)));
    });
    return fits ? std::optional(letters) : std::nullopt;
  }

  // Cuts the name in two.
  static void takeSubscript(Name &name, size_t count, std::vector<Coordinate> &coordinates) {
    const char *end = name.range.End.getPointer();
    for (const char *letter = end - count; letter != end; ++letter)
      coordinates.push_back(
          {{std::string(1, *letter),
            {llvm::SMLoc::getFromPointer(letter), llvm::SMLoc::getFromPointer(letter + 1)}}});
    name.text.resize(name.text.size() - count - 1);
    name.range.End = llvm::SMLoc::getFromPointer(end - count - 1);
  }

  AssignStmt &statement;
  const GivenNames &given;
  Diagnostics &diagnostics;
  llvm::StringMap<WindowSize> windows;
  llvm::StringSet<> labels; // that accesses use
  bool hasAccess = false;
};

} // namespace

llvm::StringMap<WindowSize> respellAccesses(AssignStmt &statement, const GivenNames &given,
                                            Diagnostics &diagnostics) {
  return Respelling(statement, given, diagnostics).run();
}

} // namespace strata::frontend

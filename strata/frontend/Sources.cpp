// What is all of an assignment's right side: files that are read, random values, stencils,
// functions of dense matrices.
#include "strata/frontend/Analyzer.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace strata::frontend {

const Builtin *Analyzer::wholeRightSide(const ast::Expr &expr) const {
  const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr);
  const Builtin *builtin =
      call && !isTensor(call->callee.text) ? findBuiltin(call->callee.text) : nullptr;
  return builtin && builtin->isWholeRightSide() ? builtin : nullptr;
}

// The labels of a tensor that is read only name its dimensions.
bool Analyzer::namesWholeTensor(const ast::AssignStmt &statement, const Symbol &symbol) {
  if (statement.hasLabels &&
      !checkOrder(symbol, statement.tensor, statement.labels.size(), statement.target))
    return false;
  for (auto [dimension, name] : llvm::enumerate(statement.labels)) {
    const Symbol *found = scope->find(name.text);
    if (name.computed) {
      diagnostics.error(name.range, "only a whole tensor can be read or generated");
      return false;
    }
    if (!found || found->kind != Symbol::Kind::Label) {
      diagnostics.warning(name.range,
                          "label '" + name.text + "' is not declared; it stands for dimension " +
                              llvm::Twine(dimension + 1) + " of '" + statement.tensor.text + "'");
    } else if (selects(symbol, dimension, found->id) || symbol.kind == Symbol::Kind::View) {
      diagnostics.error(name.range, "only a whole tensor can be read or generated")
          .note("read it into a tensor of its own, and assign that to the slice");
      return false;
    }
  }
  return true;
}

bool Analyzer::assignSource(const ast::AssignStmt &statement, const Symbol &symbol,
                            const Builtin &builtin) {
  const auto &call = llvm::cast<ast::CallExpr>(*statement.value);
  if (!checkArguments(call, builtin) || !namesWholeTensor(statement, symbol))
    return false;
  TensorId tensor = symbol.id;
  if (statement.op != ast::AssignOp::Set || statement.mask) {
    diagnostics
        .error(statement.mask ? statement.mask->range : statement.opRange,
               "what '" + call.callee.text + "' gives replaces the tensor's value")
        .note("use '=', and add the tensors in another statement");
    return false;
  }
  if (program.tensors[tensor].order() == 0 && builtin.kind != Builtin::Kind::Read) {
    if (builtin.kind == Builtin::Kind::LinearAlgebra)
      diagnostics.error(statement.target, "what '" + call.callee.text + "' gives is no scalar")
          .note("use it like this: " + builtin.usage.str());
    else
      diagnostics.error(statement.target, "a scalar cannot be generated")
          .note("a file with one value can be read into it: read(\"a.tns\")");
    return false;
  }
  if (builtin.kind == Builtin::Kind::Read) {
    Read read{tensor, {}, 1, call.callee.text != "read"};
    if (!fileToRead(call, read))
      return false;
    if (read.part != 1 && program.tensors[tensor].order() != 2) {
      diagnostics.error(call.arguments[1]->range, "only matrices have triangular parts")
          .note("'" + statement.tensor.text + "' is declared here", symbol.range);
      return false;
    }
    for (LabelId label : states[tensor].labels)
      read.sizes.push_back(labels[label].parameter);
    add(statement.range, std::move(read));
    setValue(tensor, true);
    return true;
  }
  if (builtin.kind == Builtin::Kind::LinearAlgebra)
    return linearAlgebra(call, tensor, statement.range);
  if (builtin.kind == Builtin::Kind::Concatenation)
    return concatenation(statement, call, tensor);
  if (builtin.kind == Builtin::Kind::Reordering)
    return reordering(call, tensor, statement.range);
  if (builtin.kind == Builtin::Kind::Stencil)
    return stencil(call, tensor, statement.range);
  return randomValues(call, tensor, statement.range);
}

// solve(A, b), pinv(A), ...: of whole tensors, or slices of them.
bool Analyzer::linearAlgebra(const ast::CallExpr &call, TensorId result, llvm::SMRange range) {
  LinearAlgebra algebra{
      result, call.callee.text == "pinv" ? "pseudoinverse" : call.callee.text, {}, {}};
  ElementType type = ElementType::Double;
  for (const ast::ExprPtr &argument : call.arguments) {
    std::optional<TensorId> operand = tensorArgument(*argument);
    if (!operand)
      return false;
    algebra.operands.push_back(*operand);
    if (program.tensors[*operand].type == ElementType::ComplexDouble)
      type = ElementType::ComplexDouble;
  }
  if (!checkType(result, type, call.range))
    return false;
  bool singular = llvm::StringRef(algebra.function).starts_with("singular");
  auto order = [&](TensorId tensor) { return program.tensors[tensor].order(); };
  unsigned matrix = order(algebra.operands[0]), right = order(algebra.operands.back());
  if (matrix < 2 || (matrix > 2 && !singular)) {
    diagnostics.error(call.arguments[0]->range, "'" + call.callee.text +
                                                    "' takes a matrix, this has " +
                                                    counted(matrix, "dimension"));
    return false;
  }
  unsigned given = algebra.function == "solve"             ? right
                   : algebra.function == "singular_values" ? 1
                                                           : 2;
  if (given != order(result) || given > 2 || given == 0) {
    diagnostics.error(call.range, "'" + call.callee.text + "' gives a tensor of order " +
                                      llvm::Twine(given) + ", '" + program.tensors[result].name +
                                      "' has order " + llvm::Twine(order(result)));
    return false;
  }
  std::optional<std::vector<Size>> declared = singular ? sizesOf(result, range) : std::nullopt;
  if (singular && !declared)
    return false;
  auto dimension = [&](TensorId tensor, unsigned at) {
    algebra.sizes.push_back({"", sourcesOfDimension(tensor, at)});
  };
  TensorId first = algebra.operands[0];
  if (singular) {
    algebra.sizes = std::move(*declared);
  } else {
    dimension(first, algebra.function == "orthonormal" ? 0 : 1);
    if (given == 2)
      dimension(algebra.function == "solve" ? algebra.operands[1] : first,
                algebra.function == "inverse" || algebra.function == "pseudoinverse" ? 0 : 1);
  }
  add(range, std::move(algebra));
  setValue(result, false);
  return true;
}

// C[n, j] = concat(n, A, B): whole tensors, or slices of them, one behind the other.
bool Analyzer::concatenation(const ast::AssignStmt &statement, const ast::CallExpr &call,
                             TensorId result) {
  std::optional<unsigned> dimension = dimensionNamed(
      *call.arguments[0], result,
      statement.hasLabels ? llvm::ArrayRef(statement.labels) : llvm::ArrayRef<ast::Coordinate>());
  if (!dimension) {
    diagnostics
        .error(call.arguments[0]->range, "expected the label of the dimension of '" +
                                             statement.tensor.text +
                                             "' along which to join, or its number, from 0")
        .note("use it like this: C[n, j] = concat(n, A, B)");
    return false;
  }
  Concatenation joined{result, *dimension, {}};
  std::optional<ElementType> type;
  for (const ast::ExprPtr &argument : llvm::ArrayRef(call.arguments).drop_front()) {
    std::optional<TensorId> operand = tensorArgument(*argument);
    if (!operand)
      return false;
    joined.operands.push_back(*operand);
    ElementType own = program.tensors[*operand].type;
    type = type ? promote(*type, own) : own;
  }
  if (!checkShapes(joined, call) || !checkType(result, *type, call.range))
    return false;
  add(statement.range, std::move(joined));
  setValue(result, true);
  return true;
}

// Finds the dimension of a tensor by its label, which may be one of `written` instead of the
// declared ones; or by its number.
std::optional<unsigned> Analyzer::dimensionNamed(const ast::Expr &which, TensorId tensor,
                                                 llvm::ArrayRef<ast::Coordinate> written) const {
  const auto *number = llvm::dyn_cast<ast::NumberExpr>(&which);
  const auto *label = llvm::dyn_cast<ast::NameExpr>(&which);
  std::optional<unsigned> found;
  for (unsigned at = 0; at < program.tensors[tensor].order(); ++at) {
    llvm::StringRef name =
        written.empty() ? labels[states[tensor].labels[at]].name : written[at].text;
    if (!(number && number->integer == int64_t(at)) && !(label && label->name.text == name))
      continue;
    if (found) // C[n, n]: which of the two?
      return std::nullopt;
    found = at;
  }
  return found;
}

// As far as sizes are known here: in the other dimensions they agree, in this one they add up.
bool Analyzer::checkShapes(const Concatenation &joined, const ast::CallExpr &call) {
  const Tensor &result = program.tensors[joined.result];
  std::vector<std::optional<int64_t>> sizes = result.sizes;
  std::optional<int64_t> sum = 0;
  for (auto [number, operand] : llvm::enumerate(joined.operands)) {
    const Tensor &part = program.tensors[operand];
    llvm::SMRange range = call.arguments[number + 1]->range;
    if (part.order() != result.order()) {
      diagnostics.error(range, "this has " + counted(part.order(), "dimension") + ", but '" +
                                   result.name + "' has " + llvm::Twine(result.order()));
      return false;
    }
    for (auto [dimension, size] : llvm::enumerate(part.sizes)) {
      if (dimension == joined.dimension || !size)
        continue;
      if (sizes[dimension] && *sizes[dimension] != *size) {
        diagnostics
            .error(range, "dimension " + llvm::Twine(dimension + 1) + " of '" + part.name +
                              "' has size " + llvm::Twine(*size) + ", but " +
                              llvm::Twine(*sizes[dimension]) + " is needed here")
            .note("only along the dimension that is joined may sizes differ");
        return false;
      }
      sizes[dimension] = size;
    }
    std::optional<int64_t> own = part.sizes[joined.dimension];
    sum = sum && own && *sum <= INT64_MAX - *own ? std::optional(*sum + *own) : std::nullopt;
  }
  std::optional<int64_t> declared = result.sizes[joined.dimension];
  if (!sum || !declared || *sum == *declared)
    return true;
  diagnostics.error(call.range, "dimension " + llvm::Twine(joined.dimension + 1) + " of '" +
                                    result.name + "' has size " + llvm::Twine(*declared) +
                                    ", but the operands' sizes add up to " + llvm::Twine(*sum));
  return false;
}

// B[i, j] = tensor_reorder(A), p[i] = lexi_order(A, i): of a whole tensor, or a slice of it.
bool Analyzer::reordering(const ast::CallExpr &call, TensorId result, llvm::SMRange range) {
  std::optional<TensorId> operand = tensorArgument(*call.arguments[0]);
  if (!operand)
    return false;
  const Tensor &from = program.tensors[*operand], &to = program.tensors[result];
  Reordering reordered{result, *operand, {}};
  if (call.arguments.size() == 2) {
    reordered.dimension = dimensionNamed(*call.arguments[1], *operand, {});
    if (!reordered.dimension) {
      diagnostics
          .error(call.arguments[1]->range,
                 "expected the label of a dimension of '" + from.name + "', or its number, from 0")
          .note("use it like this: p[i] = lexi_order(A, i)");
      return false;
    }
  }
  const unsigned order = reordered.dimension ? 1 : from.order();
  if (to.order() != order) {
    diagnostics.error(call.range, "'" + call.callee.text + "' gives a tensor of order " +
                                      llvm::Twine(order) + ", '" + to.name + "' has order " +
                                      llvm::Twine(to.order()));
    return false;
  }
  for (unsigned at = 0; at < order; ++at) {
    std::optional<int64_t> given = from.sizes[reordered.dimension.value_or(at)],
                           wanted = to.sizes[at];
    if (given && wanted && *given != *wanted) {
      diagnostics.error(call.range, "dimension " + llvm::Twine(at + 1) + " of '" + to.name +
                                        "' has size " + llvm::Twine(*wanted) + ", but " +
                                        llvm::Twine(*given) + " is needed here");
      return false;
    }
  }
  if (!checkType(result, reordered.dimension ? ElementType::Int64 : from.type, call.range))
    return false;
  const bool keepsFill = !reordered.dimension;
  add(range, std::move(reordered));
  setValue(result, keepsFill);
  return true;
}

// stencil(n)
bool Analyzer::stencil(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range) {
  std::optional<int64_t> points = wholeArgument(*call.arguments.front());
  if (!points || *points < 1 || *points > 2000000 || program.tensors[tensor].order() != 2) {
    diagnostics.error(call.range, "stencil(n) is the matrix of a 27-point stencil on a grid of n "
                                  "x n x n points, with n from 1 to 2000000");
    return false;
  }
  add(range, Stencil{tensor, *points});
  setValue(tensor, true);
  return true;
}

// random(), random(seed), random(seed, density)
bool Analyzer::randomValues(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range) {
  Random random{tensor, {}, 1.0, tensor + 1};
  if (!call.arguments.empty()) {
    std::optional<int64_t> seed = wholeArgument(*call.arguments[0]);
    if (!seed || *seed < 0) {
      diagnostics.error(call.arguments[0]->range, "a seed is an integer from 0 on");
      return false;
    }
    random.seed = *seed;
  }
  if (call.arguments.size() > 1) {
    std::optional<double> density = numberArgument(*call.arguments[1]);
    if (!density || !(*density >= 0 && *density <= 1)) {
      diagnostics.error(call.arguments[1]->range, "a density is a number from 0 to 1")
          .note("it is the share of all places that store a value");
      return false;
    }
    random.density = *density;
  }
  addWhenSized({tensor, range, 0, 0, std::move(random)});
  return true;
}

// A number, or a parameter that is one; else nothing.
std::optional<double> Analyzer::numberArgument(const ast::Expr &argument) {
  if (const auto *number = llvm::dyn_cast<ast::NumberExpr>(&argument))
    return number->value;
  const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument);
  const std::string *text =
      name && !scope->find(name->name.text) ? parameter(name->name.text) : nullptr;
  double value;
  if (name && !text && mayBeParameter(name->name.text))
    refuseOpen(name->name);
  if (!text || llvm::StringRef(*text).getAsDouble(value))
    return std::nullopt;
  return value;
}

std::optional<int64_t> Analyzer::wholeArgument(const ast::Expr &argument) {
  std::optional<double> value = numberArgument(argument);
  if (!value || std::floor(*value) != *value || std::abs(*value) > 9e15)
    return std::nullopt;
  return int64_t(*value);
}

} // namespace strata::frontend

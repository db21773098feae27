// The tables of keywords and functions; a test compares them with the front end's.
#include "lsp/Words.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/ElementTypes.h"
#include "strata/schedule/Commands.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace strata::tool {

static constexpr Word keywords[] = {
    {"IndexLabel", "IndexLabel [i, j] = [?];",
     "Declares index labels with a range of coordinates."},
    {"Machine", "Machine M(4);", "Declares a grid of cells, over which tensors are distributed."},
    {"Tensor", "Tensor<double> A([i, j], CSR);",
     "Declares a tensor: element type, labels, format."},
    {"break", "break;", "Leaves the innermost loop."},
    {"def", "def main() { ... }", "Defines a function."},
    {"else", "if (c) { ... } else { ... }",
     "The statements that run where the condition is false."},
    {"end", "for t in range(0, 10) ... end", "Ends a loop that is written without braces."},
    {"floordiv", "m[i floordiv 4, i mod 4] = x[i];", "The quotient, rounded down."},
    {"for", "for t in range(0, 10, 1) { ... }", "Repeats statements while a scalar counts."},
    {"if", "if (r < eps) { ... }", "Runs statements where a comparison of scalars is true."},
    {"in", "for t in range(10) { ... }", "Stands before the range of a loop."},
    {"limit", "repeat limit 500 { ... } until (c);", "The most rounds of a loop."},
    {"mod", "m[i floordiv 4, i mod 4] = x[i];", "The remainder of a division rounded down."},
    {"on", "Tensor<double> A([i, j], CSR on M(i));", "Places the pieces of a tensor on a machine."},
    {"operator", "operator relu(x) = max(x, 0);", "Defines a function of elements."},
    {"range", "for t in range(lo, hi, step) { ... }", "Counts from lo up to, but without, hi."},
    {"repeat", "repeat limit 500 { ... } until (c);",
     "Repeats statements until a condition is true."},
    {"return", "return e;", "Ends a function with a value."},
    {"schedule", "C[i, k] = e schedule { reorder(i, k, j); };",
     "Says how the loops of a statement run."},
    {"semiring", "semiring tropical { add = min(x, y), zero = inf, multiply = x + y, one = 0 }",
     "Declares what addition and multiplication are."},
    {"until", "repeat { ... } until (c);", "Ends a loop where the condition is true."},
    {"var", "var n = SUM(A[i, j]);", "Declares a scalar with its value."},
    {"while", "while (r > eps) { ... }", "Repeats statements as long as a condition is true."},
};

static constexpr Word functions[] = {
    // Statements and whole right sides
    {"print", "print(A), print(A, storage)", "Prints tensors, scalars and texts."},
    {"write", "write(A, \"a.mtx\")", "Writes a tensor to a file."},
    {"read", "A[i, j] = read(\"a.mtx\")",
     "Reads a tensor from a file; a second argument takes a triangle."},
    {"random", "A[i, j] = random(seed, density)",
     "Random values between -1 and 1 in every element, or in a share of them; integers from 1 to "
     "9."},
    {"stencil", "A[i, j] = stencil(33)",
     "The matrix of a 27-point stencil on a cube of so many points a side."},
    {"solve", "x[i] = solve(A, b)", "Solves a dense system of linear equations."},
    {"inverse", "B[i, j] = inverse(A)", "The inverse of a dense matrix."},
    {"pinv", "B[i, j] = pinv(A)", "The pseudoinverse of a dense matrix."},
    {"orthonormal", "Q[i, j] = orthonormal(A)",
     "As many orthonormal columns as A has, with the same span."},
    {"singular_vectors", "U[i, r] = singular_vectors(A)",
     "The left singular vectors of a dense matrix."},
    {"singular_values", "s[r] = singular_values(A)", "The singular values of a dense matrix."},
    {"concat", "C[n, j] = concat(n, A, B)", "Tensors one behind the other along a dimension."},
    {"tensor_reorder", "B[i, j] = tensor_reorder(A)",
     "The tensor with the indices of each dimension in Lexi-Order."},
    {"lexi_order", "p[i] = lexi_order(A, i)",
     "The Lexi-Order of a dimension, as the indices that the tensor has."},
    {"SUM", "SUM(A[i, j])", "The sum of all elements, a scalar."},
    {"transpose", "transpose(A[i, j], {j, i})", "The tensor with its dimensions in another order."},
    {"explicit", "explicit(D[i, j])", "A copy that stores zeros, too."},
    {"size", "size(A, i)", "The size of a dimension."},
    {"nnz", "nnz(A)", "The number of stored entries."},
    {"getTime", "getTime()", "The seconds that the program has run."},
    {"printElapsedTime", "printElapsedTime(t0, t1)",
     "Prints the time between two calls of getTime."},
    {"space_read", "A[i, j] = space_read(\"a.mtx\")", "COMET's spelling of read."},
    {"comet_read", "A[i, j] = comet_read(0)",
     "COMET's read: of the file that SPARSE_FILE_NAME0 names."},
    {"read_from_file", "A[i, j] = read_from_file(0)", "COMET's spelling of comet_read."},
    {"get_time", "get_time()", "COMET's spelling of getTime."},
    {"print_elapsed_time", "print_elapsed_time(t0, t1)", "COMET's spelling of printElapsedTime."},
    // Reductions, and functions of elements
    {"sum", "sum(j, A[i, j])", "The sum over labels."},
    {"prod", "prod(j, A[i, j])", "The product over labels."},
    {"min", "min(a, b), min(j, A[i, j])", "The smaller one, or the smallest over labels."},
    {"max", "max(a, b), max(j, A[i, j])", "The greater one, or the greatest over labels."},
    {"any", "any(j, A[i, j])", "Some value over labels, whichever is found first."},
    {"pow", "pow(a, b)", "a to the power of b."},
    {"bitnot", "bitnot(a), ~a", "The complement of an integer's bits."},
    {"atan2", "atan2(y, x)", "The angle of the point (x, y)."},
    {"mod", "mod(a, b)", "The remainder, with the sign of the divisor."},
    {"copysign", "copysign(a, b)", "The magnitude of a with the sign of b."},
    {"heaviside", "heaviside(a, b)", "0 below zero, 1 above, and b at zero."},
    {"abs", "abs(a)", "The absolute value."},
    {"sqrt", "sqrt(a)", "The square root."},
    {"exp", "exp(a)", "e to the power of a."},
    {"log", "log(a)", "The natural logarithm."},
    {"sin", "sin(a)", "The sine."},
    {"cos", "cos(a)", "The cosine."},
    {"tan", "tan(a)", "The tangent."},
    {"tanh", "tanh(a)", "The hyperbolic tangent."},
    {"asin", "asin(a)", "The inverse sine."},
    {"acos", "acos(a)", "The inverse cosine."},
    {"atan", "atan(a)", "The inverse tangent."},
    {"sinh", "sinh(a)", "The hyperbolic sine."},
    {"cosh", "cosh(a)", "The hyperbolic cosine."},
    {"asinh", "asinh(a)", "The inverse hyperbolic sine."},
    {"acosh", "acosh(a)", "The inverse hyperbolic cosine."},
    {"atanh", "atanh(a)", "The inverse hyperbolic tangent."},
    {"log2", "log2(a)", "The logarithm to base 2."},
    {"log10", "log10(a)", "The logarithm to base 10."},
    {"log1p", "log1p(a)", "The logarithm of 1 + a."},
    {"expm1", "expm1(a)", "exp(a) - 1."},
    {"cbrt", "cbrt(a)", "The cube root."},
    {"erf", "erf(a)", "The error function."},
    {"erfc", "erfc(a)", "1 - erf(a)."},
    {"square", "square(a)", "a * a."},
    {"sign", "sign(a)", "-1, 0 or 1; of a complex number, a / abs(a)."},
    {"conj", "conj(a)", "The complex conjugate."},
    {"re", "re(a)", "The real part."},
    {"im", "im(a)", "The imaginary part."},
    {"floor", "floor(a)", "Rounded down."},
    {"ceil", "ceil(a)", "Rounded up."},
    {"not", "not(a)", "Whether it is zero."},
    {"where", "where(c, a, b)", "a where the condition is true, else b."},
};

static const Word *findIn(llvm::ArrayRef<Word> table, StringRef name) {
  const Word *found = llvm::find_if(table, [&](const Word &word) { return word.name == name; });
  return found == table.end() ? nullptr : found;
}

const Word *findKeyword(StringRef name) { return findIn(keywords, name); }
const Word *findFunctionWord(StringRef name) { return findIn(functions, name); }

std::string describeCommand(StringRef name) {
  for (const schedule::Command &command : schedule::commands())
    if (command.name == name)
      return ("`" + command.usage + "`: " + command.summary).str();
  return "";
}

// A line of the help on formats begins with the name, the next one has its levels.
std::string describeFormat(StringRef name) {
  static const std::string help = ta::formatHelp();
  llvm::SmallVector<StringRef> lines;
  StringRef(help).split(lines, '\n');
  StringRef bare = name.split(':').first;
  for (size_t at = 0; at + 1 < lines.size(); ++at) {
    StringRef line = lines[at].trim();
    StringRef word = line.split(' ').first;
    if (lines[at].starts_with("   ") || !word.split(':').first.equals_insensitive(bare))
      continue;
    return (word + ": " + line.drop_front(word.size()).trim() + "\n\n`" + lines[at + 1].trim() +
            "`")
        .str();
  }
  return "";
}

std::string describeElementType(StringRef name) {
  std::optional<frontend::ElementType> type = frontend::findElementType(name);
  if (!type)
    return "";
  unsigned bits = frontend::bitsOf(*type);
  std::string width = std::to_string(bits) + " bits";
  switch (frontend::kindOf(*type)) {
  case frontend::NumberKind::Boolean:
    return "booleans: 0 and 1";
  case frontend::NumberKind::Natural:
    return "integers from 0, of " + width;
  case frontend::NumberKind::Integer:
    return "integers of " + width;
  case frontend::NumberKind::Real:
    return *type == frontend::ElementType::BFloat16 ? "bfloat16: the upper half of a float"
                                                    : "floating-point numbers of " + width;
  case frontend::NumberKind::Complex:
    return "complex numbers, of two floating-point numbers of " + width;
  }
  return "";
}

} // namespace strata::tool

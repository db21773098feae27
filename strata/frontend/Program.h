// A program after analysis: names are resolved, functions inlined, parameters replaced by their
// values, every sum stands where it happens, and every index variable knows where its size comes
// from. Both entries (program files and one-line statements) end here; EmitTa reads nothing else.
#ifndef STRATA_FRONTEND_PROGRAM_H
#define STRATA_FRONTEND_PROGRAM_H

#include "strata/frontend/Ast.h"
#include "strata/frontend/ElementTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <variant>

#include <complex>

namespace strata::frontend {

using TensorId = unsigned;

/// A tensor or, with order 0, a scalar.
struct Tensor {
  std::string name;
  llvm::SMRange range; // its declaration, or first use
  ElementType type = ElementType::Double;
  /// Absent: dense and row-major.
  std::optional<ast::Format> format;
  /// One for each dimension; absent where it is known only at run time.
  std::vector<std::optional<int64_t>> sizes;
  /// Made by the compiler (the value of `print(2 * x)`); the user has no name for it.
  bool temporary = false;

  unsigned order() const { return sizes.size(); }
};

/// Where the size of an index variable or of a dimension comes from: a constant, a parameter that
/// is given when the program runs, or a dimension of a tensor that has a value at that place.
struct SizeSource {
  std::optional<int64_t> constant;
  TensorId tensor = 0;
  unsigned dimension = 0;
  std::string use; // for messages: "A", or "label i"
  std::string parameter = {};
};

/// How many values an index variable can have for an access to stay inside its dimension:
/// (scale * size + offset + the sum of factor * (extent - 1) of others) floordiv divisor + 1.
struct Reach {
  std::optional<SizeSource> size; // absent: 0
  int64_t scale = 1;
  int64_t offset = 0, divisor = 1;
  struct Other {
    unsigned var; // a later variable of the statement
    int64_t factor;
  };
  std::vector<Other> others;
};

/// All sources must agree; where more than one is not constant, that shows at run time. Less
/// `begin`, or as many as the least of `reaches` allows.
struct Size {
  std::string name; // the label
  std::vector<SizeSource> sources;
  int64_t begin = 0;
  std::vector<Reach> reaches = {};
  std::optional<unsigned> var = std::nullopt; // that of this variable of the statement
};

/// An index variable of one statement, running over [0, size).
struct IndexVar {
  std::string name;
  llvm::SMRange range;
  Size size;
};

/// The coordinate of an access: `lo`, and a sum of index variables and of quotients.
struct Index {
  /// factor * var, or factor * (number floordiv divisor), or factor * (number mod divisor).
  struct Term {
    unsigned var; // into Compute::vars; of a quotient: none
    int64_t factor;
    std::shared_ptr<const Index> number = nullptr;
    int64_t divisor = 0;
    bool remainder = false;
  };
  std::vector<Term> terms = {};
  int64_t lo = 0;
  /// May reach only some coordinates of its dimension.
  bool window = false;

  static Index of(unsigned var) { return {{{var, 1}}}; }
  static constexpr unsigned noVar = ~0u;

  /// Has it no quotients?
  bool isLinear() const;
  /// Appends the variables that it uses.
  void collectVars(llvm::SmallVectorImpl<unsigned> &vars) const;
};

//===------------------------------------------------------------------------------------------===//
// Element expressions
//===------------------------------------------------------------------------------------------===//

struct Element {
  enum class Kind {
    Constant,
    Parameter, ///< a number that is given when the program runs
    Access,
    Negate,
    Add,
    Multiply,
    Sum,
    Apply,    ///< an operator, a function or a cast, on values
    Join,     ///< an operator on what is stored: where both are, or (a union) where one is
    Mask,     ///< the first operand where the second is there
    Label,    ///< the coordinate that a label stands for: its only index
    Selector, ///< 1 where the tensor's element at all indices but the last is the last one, or
              ///< where `inside` is the last one
  };
  struct Operand {
    /// Subtracted in an Add, a divisor in a Multiply; the first operand of neither is.
    bool inverse;
    std::unique_ptr<Element> element;
  };

  Kind kind = Kind::Constant;
  llvm::SMRange range;
  // Constant
  double value = 0, imaginary = 0;
  std::optional<int64_t> integer; // the same value, if written as an integer
  // Parameter
  std::string parameter = {};
  // Access (of a scalar: without indices)
  TensorId tensor = 0;
  std::vector<Index> indices;
  /// Selector: of an access that is absent outside its tensor, the index; there is no tensor.
  std::optional<Index> inside;
  /// Variables by which its coordinates are looked up.
  std::vector<unsigned> pointers;
  /// What is not stored is no value, instead of the fill.
  bool missing = false;
  // Negate and Sum: one; Add and Multiply: two or more; Join and Mask: two
  std::vector<Operand> operands;
  // Sum: what it reduces by, and whether nothing is there without terms (`missing`)
  Operator op = Operator::Plus; // of Apply and Join, too
  /// Apply: its operands are computed in this type, whatever that of the surroundings is.
  std::optional<ElementType> inner;
  ElementType castTo = ElementType::Double; // of a cast
  std::vector<unsigned> vars;
  // Join: a union without it
  std::optional<Operator> reduces;

  /// Of an Apply with a type of its own for its operands: that of its value.
  ElementType ownType() const {
    if (op == Operator::Cast)
      return castTo;
    if (op == Operator::BitNot)
      return *inner;
    return measures(op) ? partOf(*inner) : ElementType::Bool;
  }
};
using ElementPtr = std::unique_ptr<Element>;

//===------------------------------------------------------------------------------------------===//
// Operations
//===------------------------------------------------------------------------------------------===//

/// C[i, k]<!M, structural> = e: which places take part.
struct ComputeMask {
  ElementPtr access; // by the variables of the left side
  bool complemented = false, structural = false;
  bool replace = false; // what takes no part is emptied
  bool pull = false;    // asked once for each place
};

/// A statement of index notation.
struct Compute {
  TensorId result = 0;
  std::vector<Index> indices; // of the left side, one for each dimension
  ast::AssignOp op = ast::AssignOp::Set;
  /// The left side reaches every place of the result once.
  bool whole = true;
  std::optional<ComputeMask> mask;
  /// Places are looked up: those that no value comes to stay as they are.
  bool scatters = false;
  /// A copy of a dense tensor: zeros are dropped where the result is sparse, or kept on request.
  bool copiesDense = false, keepsZeros = false;
  /// The result has a value before. Without one, `+=` and partial writes start from zeros.
  bool hasValue = false;
  std::vector<IndexVar> vars; // those of the left side first
  unsigned numFree = 0;       // how many of them are on the left side
  ElementPtr value;
  /// The type in which the right side is computed.
  ElementType type = ElementType::Double;
  /// The sizes of the result's dimensions, if the statement makes the result anew (it replaces the
  /// value, or there is none); else empty.
  std::vector<Size> sizes;
  std::optional<ast::Schedule> schedule; // absent: the compiler chooses

  /// Do some places that the left side reaches stay as they are?
  bool keeps() const { return scatters || (mask && !mask->replace); }
  /// True if the result's value before the statement matters.
  bool updates() const { return hasValue && (op != ast::AssignOp::Set || !whole || keeps()); }
};

/// `|=` and `&=` of integers combine bits; of others, whether they are zero.
inline bool updatesBits(ast::AssignOp op, ElementType type) {
  return (op == ast::AssignOp::Or || op == ast::AssignOp::And) && isInteger(type);
}

/// A[i, j] = 1.0: the whole tensor.
struct Fill {
  TensorId result = 0;
  double value = 0;
  std::optional<int64_t> integer; // the same value, if it is whole: exact beyond 2^53
  std::vector<Size> sizes;
};

/// A[i, j] = random();
struct Random {
  TensorId result = 0;
  std::vector<Size> sizes;
  double density = 1.0;
  int64_t seed = 1;
};

/// x[i] = solve(A, b): a function of dense matrices.
struct LinearAlgebra {
  TensorId result = 0;
  std::string function; // as ta.dense_algebra calls it
  std::vector<TensorId> operands;
  std::vector<Size> sizes;
};

/// C[n, j] = concat(n, A, B): tensors one behind the other along a dimension.
struct Concatenation {
  TensorId result = 0;
  unsigned dimension = 0;
  std::vector<TensorId> operands;
};

/// B[i, j] = tensor_reorder(A): a tensor with the indices of each dimension in Lexi-Order.
/// p[i] = lexi_order(A, i): that order of one dimension, as the indices that the tensor has.
struct Reordering {
  TensorId result = 0, operand = 0;
  std::optional<unsigned> dimension;
};

/// x[i] = [1, 2, 3]; A[i, j] = {(0, 1): 2.0};
struct Values {
  TensorId result = 0;
  bool isList = false; ///< every place has a value, in the order of places
  std::vector<int64_t> sizes;
  std::vector<int64_t> coordinates; ///< of entry after entry; none of a list
  std::vector<std::complex<double>> numbers;
  std::vector<std::optional<int64_t>> integers; ///< the same, exact beyond 2^53
};

/// A[i, j] = stencil(n): the matrix of a 27-point stencil on an n x n x n grid.
struct Stencil {
  TensorId result = 0;
  int64_t points = 0;
};

/// A[i, j] = read("file", part).
struct Read {
  TensorId result = 0;
  std::string file;
  int64_t part = 1;
  bool comet = false;         ///< may the file begin with COMET's header?
  std::string parameter = {}; ///< that names the file when the program runs; empty: `file` does
  /// The parameters that give the sizes of dimensions when the program runs; empty: the file.
  std::vector<std::string> sizes = {};
};

struct Write {
  TensorId tensor = 0;
  std::string file;
  std::string parameter = {};
};

/// The caller gives this tensor: an argument of `main`, in the order of such operations.
struct Given {
  TensorId result = 0;
};

/// The value that `main` returns.
struct Return {
  TensorId tensor = 0;
};

/// print(A), print(A, storage).
struct Print {
  TensorId tensor = 0;
  std::string name;
  bool bare = false;    ///< the value of a scalar alone, on a line that is not ended
  bool storage = false; ///< the buffers of every level
};

/// A text as it is.
struct PrintText {
  std::string text;
};

/// var t = getTime();
struct Time {
  TensorId result = 0;
};

/// From here on `result` has the value that `source` has here. They have the same type.
struct Share {
  TensorId result = 0, source = 0;
};

struct PrintElapsed {
  TensorId start = 0, end = 0;
};

//===------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------===//

struct Operation;

/// A comparison of scalars, or several that are joined.
struct Test {
  ast::Condition::Kind kind = ast::Condition::Kind::Less;
  TensorId lhs = 0, rhs = 0;
  std::vector<Test> parts; // And, Or
};

/// Repeats operations: for `variable` counting from lo to hi, or without one until a Break.
struct Loop {
  std::optional<TensorId> variable;
  TensorId lo = 0, hi = 0, step = 0; // scalars of 64-bit integers
  int64_t limit = 0;                 // the most rounds, of a loop that does not count
  std::vector<TensorId> carried;     // assigned by the body, with a value before
  std::vector<TensorId> made;        // those that have one only after
  std::vector<Operation> body;
};

/// One of two lists of operations. Either may end with a Break.
struct Branch {
  Test test;
  std::vector<Operation> body, otherwise;
  std::vector<TensorId> results; // assigned by one of them, with a value after both
};

/// Leaves the innermost loop.
struct Break {};

struct Operation {
  llvm::SMRange range;
  std::variant<Compute, Fill, Values, Random, Stencil, LinearAlgebra, Concatenation, Reordering,
               Read, Write, Given, Return, Print, PrintText, Time, PrintElapsed, Share, Loop,
               Branch, Break>
      kind;
};

/// A grid of cells, over which tensors are distributed.
struct Machine {
  struct Axis {
    std::string name;
    int64_t cells = 0;          ///< 0: from the number of ranks, unless a parameter gives it
    std::string parameter = {}; ///< that is given when the program runs
  };
  std::string name;
  llvm::SMRange range;
  std::vector<Axis> axes = {};
};

struct Program {
  std::vector<Machine> machines;
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_PROGRAM_H

// What the parser makes of a program's text: its syntax, with names not yet looked up.
//
// Chains of `+ -` and of `* .* /` are one node with many operands, and the parser bounds how deep
// parentheses nest, so every recursive walk over a tree is shallow. Ranges point into the buffer
// of the source manager that the text came from, which must outlive the tree.
#ifndef STRATA_FRONTEND_AST_H
#define STRATA_FRONTEND_AST_H

#include "strata/frontend/Operators.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::frontend::ast {

/// A name and where it stands.
struct Name {
  std::string text;
  llvm::SMRange range;
};

struct Expr;

/// What stands for one dimension of an access: a label, or an expression of labels such as `i + 1`,
/// `0` or `p[i]`, whose text is then its name.
struct Coordinate : Name {
  std::shared_ptr<const Expr> computed = nullptr; // absent: a label
};

//===------------------------------------------------------------------------------------------===//
// Expressions
//===------------------------------------------------------------------------------------------===//

struct Expr {
  enum class Kind {
    Number,
    Text,
    Name,
    Access,
    Call,
    Labels,
    Negate,
    Sum,
    Product,
    Binary,
    Values
  };

  explicit Expr(Kind kind, llvm::SMRange range) : kind(kind), range(range) {}
  virtual ~Expr() = default;

  const Kind kind;
  llvm::SMRange range;
};
using ExprPtr = std::unique_ptr<Expr>;

/// 3, 1.5e-3, 2i. An integer that fits 64 bits has `integer`; `value` is set in any case.
struct NumberExpr : Expr {
  NumberExpr(llvm::SMRange range, double value, std::optional<int64_t> integer,
             double imaginary = 0)
      : Expr(Kind::Number, range), value(value), imaginary(imaginary), integer(integer) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Number; }

  double value, imaginary;
  std::optional<int64_t> integer;
};

/// "matrix.mtx", without its quotes and with escapes replaced.
struct TextExpr : Expr {
  TextExpr(llvm::SMRange range, std::string text)
      : Expr(Kind::Text, range), text(std::move(text)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Text; }

  std::string text;
};

/// A bare name: a scalar, a parameter, or a tensor in `print(A)`.
struct NameExpr : Expr {
  explicit NameExpr(Name name) : Expr(Kind::Name, name.range), name(std::move(name)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Name; }

  Name name;
};

/// A[i, j].
struct AccessExpr : Expr {
  AccessExpr(llvm::SMRange range, Name tensor, std::vector<Coordinate> labels)
      : Expr(Kind::Access, range), tensor(std::move(tensor)), labels(std::move(labels)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Access; }

  Name tensor;
  std::vector<Coordinate> labels;
};

/// f(a, b, ...); an access where f is a tensor.
struct CallExpr : Expr {
  CallExpr(llvm::SMRange range, Name callee, std::vector<ExprPtr> arguments)
      : Expr(Kind::Call, range), callee(std::move(callee)), arguments(std::move(arguments)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Call; }

  Name callee;
  std::vector<ExprPtr> arguments;
};

/// {j, i}, an argument of transpose.
struct LabelsExpr : Expr {
  LabelsExpr(llvm::SMRange range, std::vector<Name> labels)
      : Expr(Kind::Labels, range), labels(std::move(labels)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Labels; }

  std::vector<Name> labels;
};

/// -e.
struct NegateExpr : Expr {
  NegateExpr(llvm::SMRange range, ExprPtr operand)
      : Expr(Kind::Negate, range), operand(std::move(operand)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Negate; }

  ExprPtr operand;
};

/// a + b - c: at least two terms; the first is never subtracted.
struct SumExpr : Expr {
  struct Term {
    bool subtracted;
    llvm::SMRange op; // not valid for the first
    ExprPtr operand;
  };
  SumExpr(llvm::SMRange range, std::vector<Term> terms)
      : Expr(Kind::Sum, range), terms(std::move(terms)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Sum; }

  std::vector<Term> terms;
};

/// a * b .* c / d: at least two factors; the first is `Times`.
struct ProductExpr : Expr {
  enum class Op { Times, Elementwise, Divide, FloorDivide, Remainder };
  struct Factor {
    Op op;
    llvm::SMRange opRange; // not valid for the first
    ExprPtr operand;
  };
  ProductExpr(llvm::SMRange range, std::vector<Factor> factors)
      : Expr(Kind::Product, range), factors(std::move(factors)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Product; }

  std::vector<Factor> factors;
};

/// a < b; `a @(min,+) b`, which reduces by `min`; `a @(min) b`, element by element.
struct BinaryExpr : Expr {
  BinaryExpr(llvm::SMRange range, Operator op, llvm::SMRange opRange, ExprPtr lhs, ExprPtr rhs)
      : Expr(Kind::Binary, range), op(op), opRange(opRange), lhs(std::move(lhs)),
        rhs(std::move(rhs)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Binary; }

  Operator op;
  llvm::SMRange opRange;
  bool joins = false;              ///< written with `@`: of what is stored
  std::optional<Operator> reduces; ///< the first of `@(min,+)`
  std::optional<Name> semiring;    ///< `@tropical`: instead of operators
  ExprPtr lhs, rhs;
};

/// [[1, 2], [3, 4]], or {(0, 1): 2.0, (3, 0): 1.0}: a tensor, written out.
struct ValuesExpr : Expr {
  struct Entry {
    std::vector<int64_t> coordinate;
    llvm::SMRange range;
    ExprPtr value;
  };
  explicit ValuesExpr(llvm::SMRange range) : Expr(Kind::Values, range) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Values; }

  bool isList = false;        ///< in brackets: all values, row by row
  std::vector<int64_t> sizes; ///< of a list
  std::vector<Entry> entries;
};

/// Calls `body` with each operand or argument, from left to right. The coordinates of an access are
/// none.
void forEachOperand(const Expr &expr, llvm::function_ref<void(const Expr &)> body);
/// The same for a tree that is changed: `body` may put another expression in an operand's place.
void forEachOperand(Expr &expr, llvm::function_ref<void(ExprPtr &)> body);

/// An expression in place of a label; a name alone is one.
Coordinate asCoordinate(ExprPtr expr);

/// Calls `body` with each name in an expression that stands in place of a label, but for those of
/// the tensors that it accesses.
void forEachName(const Coordinate &coordinate, llvm::function_ref<void(const Name &)> body);

//===------------------------------------------------------------------------------------------===//
// Formats, sizes, and where pieces are
//===------------------------------------------------------------------------------------------===//

/// A size or a bound: a number, or the name of a parameter.
struct Bound {
  std::optional<int64_t> number;
  std::string name;
  llvm::SMRange range;
};

/// A level's coordinate in a full format: `j - i`, `i floordiv 4`, `slot(i)`.
struct MapExpr {
  enum class Kind { Dimension, Constant, Add, Subtract, Multiply, FloorDiv, Mod, Slot };
  Kind kind;
  llvm::SMRange range;
  Name dimension;
  int64_t constant = 0;
  std::shared_ptr<const MapExpr> lhs, rhs;
  std::vector<std::shared_ptr<const MapExpr>> counted; // Slot
};

/// What a level or a whole format is asked for: `nonunique`, `crd = 16`, `fill = 1 + 2i`.
struct FormatOption {
  Name key;
  std::optional<std::complex<double>> value = {};
  llvm::SMRange range = {};
};

/// `j : compressed(nonunique, crd = 16)`, `j : structured(2)`.
struct FormatLevel {
  std::shared_ptr<const MapExpr> coordinate;
  Name format;
  int64_t parameter = 0;
  std::vector<FormatOption> properties;
};

/// Says how one axis of a machine cuts a tensor: `i` or `(i, j)` by coordinates, `~i` or `~(i, j)`
/// by stored entries, `*` not at all (all its cells have the same), `0` not at all (that cell has
/// it).
struct Place {
  enum class Kind { Share, All, At };
  Kind kind = Kind::All;
  llvm::SMRange range;
  bool byEntries = false;
  std::vector<Name> dimensions;  // Share
  std::vector<unsigned> numbers; // of these in the tensor, which analysis tells
  int64_t cell = 0;              // At
};

/// `on M(i, *)`: which cell of a machine has what, with a place for each axis.
struct Placement {
  Name machine;
  std::vector<Place> places;
  llvm::SMRange range;
};

/// How a tensor is stored, as written: `CSR`, `{CSR, crd = 16}`, `{D, CU}`,
/// `{(i, j) -> (i : dense, j : compressed), pos = 64, crd = 32}`, or a sum of such: `ELL:3 + COO`.
struct Format {
  enum class Kind { Named, Levels, Map, Sum };
  Kind kind = Kind::Named;
  llvm::SMRange range;
  std::vector<Name> words;      // Named: one; Levels: one for each level
  std::vector<Name> dimensions; // Map
  std::vector<int64_t>
      windows; // Map: of each dimension that is sorted, 0 of others; none if none is
  std::vector<FormatLevel> levels;
  std::vector<FormatOption> options;
  /// Level l stores dimension order[l]; empty: level l stores dimension l. The command line's
  /// `ds:1,0` gives it.
  std::vector<unsigned> order;
  std::vector<Format> parts; // Sum
  /// What is written behind a part in braces, `{...}:3`; of a named one it is in the name.
  std::optional<int64_t> limit = {};
  /// Of a format that is no part of a sum; absent: on all cells of every machine.
  std::optional<Placement> placement = {};
};

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

struct Stmt {
  enum class Kind { Labels, Tensor, Scalar, Assign, Call, Return, For, Loop, If, Break };

  Stmt(Kind kind, llvm::SMRange range) : kind(kind), range(range) {}
  virtual ~Stmt() = default;

  const Kind kind;
  llvm::SMRange range;
};
using StmtPtr = std::unique_ptr<Stmt>;

/// IndexLabel [a, b] = [?]; = [32]; = [lo:hi]; = [lo:hi:step];
struct LabelsStmt : Stmt {
  explicit LabelsStmt(llvm::SMRange range) : Stmt(Kind::Labels, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Labels; }

  std::vector<Name> labels;
  bool isInterval = false; // written with a colon
  Bound lo, step;          // 0 and 1 where not written
  std::optional<Bound> hi; // the size where it is no range; absent: `?`
  llvm::SMRange bounds;    // with the brackets
};

/// Tensor<double> A([a, b], CSR); Tensor<double> A[a, b];
struct TensorStmt : Stmt {
  explicit TensorStmt(llvm::SMRange range) : Stmt(Kind::Tensor, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Tensor; }

  Name elementType;
  Name name;
  std::vector<Bound> dimensions; // a name is a label's or a parameter's
  std::optional<Format> format;  // absent: dense
};

enum class AssignOp { Set, Add, Subtract, Multiply, Min, Max, Any, Or, And };

/// "=", "min=", ...
llvm::StringRef spelling(AssignOp op);
/// Does the operator combine what is there, on the left and on the right, as `@(min)` does?
constexpr bool joins(AssignOp op) {
  return op == AssignOp::Min || op == AssignOp::Max || op == AssignOp::Any;
}

/// C[i, k]<!M, structural> = e: only where the mask M allows.
struct Mask {
  ExprPtr access; // a name, which then has the labels of the left side, or an access
  bool complemented = false;
  bool structural = false;  // what is stored counts, whatever its value
  bool replace = false;     // elsewhere the result keeps nothing
  std::optional<bool> push; // written `push` or `pull`
  llvm::SMRange range;
};

/// i, 32, {j, k}: what a scheduling command is applied to.
struct CommandArgument {
  enum class Kind { Name, Number, List };
  Kind kind = Kind::Name;
  llvm::SMRange range;
  std::string name;
  int64_t number = 0;
  std::vector<CommandArgument> list;
};

/// reorder(i, k, j). Which commands there are, the frontend does not know.
struct Command {
  Name name;
  std::vector<CommandArgument> arguments;
};

/// schedule { reorder(i, k, j); collapse(i, k); }: how the loops of a statement run.
struct Schedule {
  std::vector<Command> commands;
  llvm::SMRange range;
};

/// var x = e; its range ends before its schedule.
struct ScalarStmt : Stmt {
  explicit ScalarStmt(llvm::SMRange range) : Stmt(Kind::Scalar, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Scalar; }

  Name name;
  ExprPtr value;
  std::optional<Schedule> schedule; // absent: the compiler chooses
};

/// C[i, k] = e; += and its like; the left side without labels is a scalar. The statement's range
/// ends before its schedule.
struct AssignStmt : Stmt {
  explicit AssignStmt(llvm::SMRange range) : Stmt(Kind::Assign, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assign; }

  Name tensor;
  std::vector<Coordinate> labels;
  bool hasLabels = false;
  llvm::SMRange target; // the left side
  std::optional<Mask> mask;
  AssignOp op = AssignOp::Set;
  llvm::SMRange opRange;
  ExprPtr value;
  std::optional<Schedule> schedule; // absent: the compiler chooses
};

/// print(A); write(A, "file"); f();
struct CallStmt : Stmt {
  CallStmt(llvm::SMRange range, std::unique_ptr<CallExpr> call)
      : Stmt(Kind::Call, range), call(std::move(call)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Call; }

  std::unique_ptr<CallExpr> call;
};

/// return; return e;
struct ReturnStmt : Stmt {
  explicit ReturnStmt(llvm::SMRange range) : Stmt(Kind::Return, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Return; }

  ExprPtr value; // null: none
};

//===------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------===//

/// What a loop or a branch asks of scalars: a comparison, or several such.
struct Condition {
  enum class Kind { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, And, Or };
  Kind kind = Kind::Less;
  llvm::SMRange range;
  ExprPtr lhs, rhs;             // of a comparison
  std::vector<Condition> parts; // And, Or: at least two
};

/// for t in range(lo, hi, step) ... end; for (t in range(lo, hi, step)) { ... }
struct ForStmt : Stmt {
  explicit ForStmt(llvm::SMRange range) : Stmt(Kind::For, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::For; }

  Name variable;
  ExprPtr lo, hi, step; // lo and step are null where not written
  std::vector<StmtPtr> body;
};

/// while (c) limit n { ... }; repeat limit n { ... } until (c);
struct LoopStmt : Stmt {
  explicit LoopStmt(llvm::SMRange range) : Stmt(Kind::Loop, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Loop; }

  bool asksFirst = false; // while
  Condition condition;
  std::optional<Bound> limit;
  std::vector<StmtPtr> body;
};

/// if (c) { ... } else { ... }
struct IfStmt : Stmt {
  explicit IfStmt(llvm::SMRange range) : Stmt(Kind::If, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::If; }

  Condition condition;
  std::vector<StmtPtr> body, otherwise;
};

/// break;
struct BreakStmt : Stmt {
  explicit BreakStmt(llvm::SMRange range) : Stmt(Kind::Break, range) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Break; }
};

/// What a function takes: x, A[i, j], Tensor<double> A([i, j], CSR). What is not said may be any.
struct FunctionParameter {
  Name name;
  std::vector<Bound> dimensions; // none: a scalar. A name is a label of the function
  std::optional<Name> elementType;
  std::optional<Format> format;
};

/// def main() { ... }, def f(A[i, j], x) { ... }
struct Function {
  Name name;
  std::vector<FunctionParameter> parameters;
  std::vector<StmtPtr> body;
  llvm::SMLoc end; // the closing brace
};

/// operator relu(x) = max(x, 0);
struct OperatorFunction {
  Name name;
  std::vector<Name> parameters;
  ExprPtr value;
};

/// semiring tropical { add = min(x, y), zero = inf, multiply = x + y, one = 0 }
struct Semiring {
  Name name;
  ExprPtr add, multiply; // of x and y
  std::optional<double> zero, one;
};

/// `Machine M(4);`, `Machine M(x = 2, ?);`: a grid of cells.
struct Machine {
  struct Axis {
    Name name;                  // empty: x, y, z, w in order
    std::optional<Bound> cells; // absent: `?`, from the number of ranks
    llvm::SMRange range;
  };
  Name name;
  std::vector<Axis> axes;
};

/// A program file.
struct Module {
  std::vector<Machine> machines;
  std::vector<Function> functions;
  std::vector<OperatorFunction> operators;
  std::vector<Semiring> semirings;
};

} // namespace strata::frontend::ast

#endif // STRATA_FRONTEND_AST_H

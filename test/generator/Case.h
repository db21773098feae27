// A statement with its data, as a tree that can be drawn, printed and made smaller.
#ifndef STRATA_TEST_GENERATOR_CASE_H
#define STRATA_TEST_GENERATOR_CASE_H

#include "Formats.h"
#include "TensorData.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::test {

struct IndexVariable {
  std::string name;
  int64_t extent;
};

/// One coordinate: a sum of index variables with factors, and an offset; the quotient by `divisor`
/// of that, rounded down, or, of that, what is left by `modulus` (0 without one).
struct Position {
  struct Term {
    unsigned variable;
    int64_t factor;
  };
  std::vector<Term> terms;
  int64_t offset = 0;
  int64_t divisor = 1, modulus = 0;

  static Position of(unsigned variable) { return {{{variable, 1}}, 0}; }
  /// The variable, if the position is nothing else.
  std::optional<unsigned> plain() const;
};

struct Expression {
  enum class Kind { access, constant, binary, negation, reduction, operation };
  Kind kind = Kind::constant;
  std::vector<Expression> operands;
  // ---- access and reduction: what is not stored, or has no terms, is missing ----
  bool missing = false;
  // ---- access ----
  unsigned tensor = 0;
  std::vector<Position> place; ///< of a comparison of labels, the one sum of them
  // ---- constant ----
  std::complex<double> value = 1;
  // ---- binary: '+', '-', '*', '/'; reduction: "add", "mul", "min", "max", "lor", ... ----
  // ---- operation: "min", "max", "lt" and other relations, "select", "either" (with `inner`),
  // ---- "masked", "unmasked", "filter", "function" (`inner`); a relation without operands compares
  // ---- a sum of labels with 0, or its magnitude with `value` (where `inner` is "distance") ----
  std::string op;
  std::string inner; ///< of "either": '+', '*', "min", "max"; of "function": MLIR's operation
  // ---- reduction ----
  std::vector<unsigned> reduced;
  /// Computed first, by a statement of its own, into a tensor of this format over the variables
  /// that it leaves free.
  std::optional<NamedFormat> stored;
};

struct Operand {
  std::string name;
  NamedFormat format;
  TensorData data;
  /// By how much each dimension is larger than its accesses need.
  std::vector<int64_t> slack;
  /// A coordinate that is looked up, `A(p(i), j)`, is a further variable `k` of `A(k, j)`, tied to
  /// `i` by an access `p(i, k)` that is worth 1 where p points and nothing elsewhere (ta.one_hot).
  /// The data are the whole numbers p(i); `length` is how many values `k` has.
  bool points = false;
  int64_t length = 0;
  /// What is not stored is worth this; zero if nothing is said.
  std::optional<std::complex<double>> fill = std::nullopt;
  /// Which cells have what: a place for each axis, as in "[share(0), all]"; empty: all have it
  /// whole.
  std::string places = {};
};

/// Which places of the left side take part.
struct CaseMask {
  unsigned tensor = 0; ///< among the operands; it may be the init
  std::vector<Position> place;
  bool complement = false, structural = false, replace = false, pull = false;
};

struct Case {
  strata_type type = STRATA_F64;
  std::vector<IndexVariable> variables;
  std::vector<Operand> tensors; ///< operands; some may be unused
  Expression value;
  std::vector<unsigned> left; ///< the variables of the left side, in their order
  std::vector<Position> out;
  NamedFormat resultFormat;
  std::vector<int64_t> resultSlack;
  std::optional<std::complex<double>> resultFill;
  std::optional<unsigned> init; ///< among the tensors; of the result's type, and may be read, too
  std::string combine;          ///< empty: none
  bool joins = false;           ///< what the init does not store is no operand of `combine`
  bool empties = false;         ///< places without a value are emptied
  std::complex<double> emptied; ///< what they hold, of a result that has a place for everything
  std::optional<CaseMask> mask;
  /// Commands that say how the loops run; nothing: the compiler chooses.
  std::optional<std::vector<std::string>> schedule;
  /// How many cells the axes of a machine have, of which some take parts of the case.
  std::vector<int64_t> cells;
  std::string resultPlaces; ///< as of operands
  bool staticSizes = false; ///< sizes in the types
  bool phases = false;      ///< assembled first, computed then
  std::string file;         ///< the ending of one that the result is written to; empty: none

  std::vector<int64_t> resultSizes() const;
  /// Makes the result large enough for an access that reads it as it was before.
  void fitResult(const Expression &access);
  /// Gives every operand the sizes that its accesses need and drops entries outside.
  void fitSizes();
  /// Drops operands that nothing reads.
  void dropUnused();
};

/// How often the expression and the mask read each operand.
std::vector<unsigned> usesOf(const Case &c);

/// Calls `visit` for all subexpressions, outer ones first.
template <typename E, typename Visit> void forEach(E &expression, Visit visit) {
  visit(expression);
  for (auto &operand : expression.operands)
    forEach(operand, visit);
}

/// Tells whether it is a comparison of labels.
bool comparesLabels(const Expression &e);

/// The variables that an expression uses and does not bind, ascending.
std::vector<unsigned> freeVariables(const Expression &e);
/// Does the case consist of several statements?
bool isProgram(const Case &c);
/// The same as one statement.
Case asOneStatement(Case c);

/// The same with all tensors whole.
Case withoutCells(Case c);

/// The greatest coordinate of a position, plus one; 0 for a lone variable without values.
int64_t sizeOf(const Position &position, const std::vector<IndexVariable> &variables);

/// A function @main of the operands that returns the result.
std::string moduleText(const Case &c);
/// The same as a program that reads the operands from files NAME.tns or NAME.mtx and prints the
/// result.
std::string programText(const Case &c);
/// The file that the program reads an operand from: its name and content.
std::pair<std::string, std::string> fileOf(const Operand &operand);

/// The statement in index notation.
std::string notation(const Case &c);

/// A coordinate, with the sigil before each variable.
std::string positionText(const Position &position, const Case &c, const std::string &sigil);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_CASE_H

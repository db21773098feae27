// One statement of index notation given alone, as on the command line: y(i) = A(i,j) * x(j).
// Nothing in it is declared; how tensors are stored, and where their values come from and go, is
// said beside it.
#ifndef STRATA_FRONTEND_ONELINER_H
#define STRATA_FRONTEND_ONELINER_H

#include "strata/frontend/AccessSpellings.h"
#include "strata/frontend/Sema.h"

namespace strata::frontend {

/// What holds for one tensor of the statement.
struct TensorOptions {
  std::optional<ast::Format> format; // dense where it is not given
  std::optional<ElementType> type;   // double where it is not given; complex for the result of such
  /// Where its value comes from.
  enum class Source { None, File, Random, Ones, Stencil, Value, Caller };
  Source source = Source::None;
  std::string file;   // File
  double density = 1; // Random: the share of coordinates that are stored
  int64_t seed = 1;   // Random
  int64_t points = 0; // Stencil
  double value = 0;   // Value, of a scalar

  std::string output; // a file to write it to; empty: none
};

struct OneLinerOptions {
  std::map<std::string, TensorOptions> tensors;
  /// Of an index variable one, of a tensor one for each dimension.
  std::map<std::string, std::vector<int64_t>> sizes;
  /// Values of scalars that are bare names: `alpha`.
  Parameters parameters;
  /// That placements and the schedule name; others are as their placements say.
  std::vector<Machine> machines;
  /// Every tensor is written there, as NAME.tns; empty: none.
  std::string outputFolder;
  /// The program returns the result to its caller, who gives the operands. If it has no type in
  /// `tensors`, it has that of the expression.
  bool returns = false;
  /// The windows of index variables, where all accesses of the statement have been spelled A[i, j]
  /// already.
  std::optional<llvm::StringMap<WindowSize>> windows = std::nullopt;
  /// Nothing will be run: operands without a value are taken to come from files.
  bool compilesOnly = false;
};

/// What became of a statement.
struct OneLinerResult {
  /// Reads the inputs, computes the statement and writes the outputs; nothing after an error.
  std::optional<Program> program;
  /// The statement may be right, but an option is not: a format that the tensor cannot have, a
  /// tensor or an index that the statement lacks.
  bool wrongOption = false;
  /// Operands that have no value, where that is no error (`compilesOnly`), and what would give it:
  /// "-i=A:FILE".
  struct Missing {
    std::string name, option;
  };
  std::vector<Missing> withoutValue;
};

/// Accesses become A[i, j], however the statement spells them.
OneLinerResult analyze(ast::AssignStmt &statement, const OneLinerOptions &options,
                       const FormatVocabulary &formats, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ONELINER_H

// One statement of index notation given alone, as on the command line: y(i) = A(i,j) * x(j).
// Nothing in it is declared; how tensors are stored, and where their values come from and go, is
// said beside it.
#ifndef STRATA_FRONTEND_ONELINER_H
#define STRATA_FRONTEND_ONELINER_H

#include "strata/frontend/Sema.h"

namespace strata::frontend {

/// What holds for one tensor of the statement.
struct TensorOptions {
  std::optional<ast::Format> format; // dense where it is not given
  std::optional<ElementType> type;   // double where it is not given
  /// Empty, or one for each dimension.
  std::vector<int64_t> sizes;

  /// Where its value comes from.
  enum class Source { None, File, Random, Ones, Stencil, Value };
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
  std::map<std::string, int64_t> sizes; // of index variables
  /// Values of scalars that are bare names: `alpha`.
  Parameters parameters;
};

/// The program that reads the inputs, computes the statement and writes the outputs; nothing
/// after an error.
std::optional<Program> analyze(const ast::AssignStmt &statement, const OneLinerOptions &options,
                               const FormatVocabulary &formats, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ONELINER_H

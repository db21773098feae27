// What a program does, in words.
#ifndef STRATA_EXPLAIN_EXPLANATION_H
#define STRATA_EXPLAIN_EXPLANATION_H

#include "strata/compile/ProgramKernels.h"
#include "strata/estimate/Forecast.h"
#include "strata/explain/Allocations.h"

#include <optional>
#include <string>
#include <vector>

namespace strata {

/// A tensor of a statement and how it is stored.
struct ExplainedTensor {
  std::string name, storage;      ///< "C", "double, ? x 32, Dense"
  std::vector<std::string> notes; ///< "converted from CSC: ...", "then converted to CSR: ..."
  mlir::RankedTensorType placed;  ///< with the placement of which `notes` tell, level by level
};

/// One order of a statement's loops.
struct LoopOrderWay {
  std::string order;                         ///< "i, k, j"
  bool chosen = false;                       ///< it is the one that runs
  std::string refused;                       ///< why the loops cannot run so; empty if they can
  std::vector<std::string> loops;            ///< as ExplainedStatement has them
  std::optional<StatementForecast> expected; ///< where sizes and numbers of entries are known
};

/// One statement, and the kernel that computes it.
struct ExplainedStatement {
  std::string place, statement; ///< "spmm.ta:14:3", as it is written
  std::string means;            ///< with its sums written out, where that says more; else empty
  /// Where it stands: "inside", "the loop at a.ta:3:1"; "if", "unless"; "fused", a tensor that is
  /// computed in it.
  std::vector<std::pair<std::string, std::string>> context;
  ExplainedTensor result;
  std::vector<ExplainedTensor> operands;
  /// It is a conversion, whose way depends on the number of entries: the rest is empty.
  bool converts = false;
  std::string schedule; ///< the commands that lead to the loops; empty if these are the naive ones
  /// The loops before and after each command, if that was asked for: the command, empty at the
  /// beginning and at the end, and the lines.
  std::vector<std::pair<std::string, std::vector<std::string>>> steps;
  std::vector<std::string> loops; ///< indented as they are nested
  std::string sequential;         ///< why no loop runs in parallel; empty if one does
  std::vector<std::string> resolutions;
  std::vector<Allocation> allocations;
  std::optional<StatementForecast> expected; ///< where sizes and numbers of entries are known
  std::vector<LoopOrderWay> orders;          ///< all of the loops (loopOrders), if asked for
};

struct Explanation {
  const machine::Machine *machine = nullptr;              ///< that times are predicted for
  std::vector<std::pair<std::string, std::string>> notes; ///< of the whole program: place, text
  std::vector<ExplainedStatement> statements;
};

struct ExplainOptions {
  OpenWidths widths = {};
  bool steps = false;      ///< the loops after each command of a schedule, too
  bool grid = false;       ///< how the pieces of cells are cut, too
  bool orders = false;     ///< all orders of the loops, and what each would take, too
  GivenTensors given = {}; ///< as far as they are there
  const machine::Machine *machine = nullptr; ///< measured, to predict times for; or null
  int64_t threads = 1;
};

/// Explains a prepared program. Nothing if a kernel could not be compiled, which was reported.
std::optional<Explanation> explanationOf(mlir::ModuleOp program, const ExplainOptions &options);

/// What a statement is expected to do, a line each: "960 operations, 4 KiB of operands and result",
/// and how long that takes, where a machine was measured.
std::vector<std::string> expectedLines(const StatementForecast &expected,
                                       const machine::Machine *machine);

/// Writes it as text.
void writeText(const Explanation &explanation, llvm::raw_ostream &out);
/// Writes it as JSON; docs/CommandLine.md describes the keys.
void writeJson(const Explanation &explanation, llvm::raw_ostream &out);

} // namespace strata

#endif // STRATA_EXPLAIN_EXPLANATION_H

// How large and how deep an expression becomes once its operators are replaced by their
// expressions.
#ifndef STRATA_FRONTEND_OPERATORGROWTH_H
#define STRATA_FRONTEND_OPERATORGROWTH_H

#include "strata/frontend/Ast.h"
#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace strata::frontend {

/// The most that an operator may become where it is used: elements, and how deep they nest; and the
/// elements that all uses in a program may become.
constexpr uint64_t maxGrown = 10000, maxGrownInProgram = 1000000;
constexpr unsigned maxGrownDepth = 1000;

/// The elements of an expression of parameters. Counts stop at one above maxGrown.
struct Growth {
  uint64_t own = 1;                    ///< beside its parameters
  llvm::SmallVector<uint64_t, 2> uses; ///< how often each parameter is copied
  unsigned depth = 1;                  ///< without what stands for parameters

  static uint64_t bounded(uint64_t elements) { return std::min(elements, maxGrown + 1); }
  /// Adds an operand that occurs so many times.
  void add(const Growth &operand, uint64_t times);
};

/// Computes growth from the declarations of a module, each of which is read once; nothing is
/// replaced for that.
class OperatorGrowth {
public:
  OperatorGrowth(const ast::Module &module, Diagnostics &diagnostics);

  /// Returns nothing after an error, which was reported: an operator uses itself, or operators nest
  /// deeper than maxGrownDepth.
  std::optional<Growth> of(const ast::Expr &expr, llvm::ArrayRef<llvm::StringRef> parameters);

private:
  std::optional<Growth> ofFunction(const ast::OperatorFunction &function, llvm::SMRange call);

  Diagnostics &diagnostics;
  llvm::StringMap<const ast::OperatorFunction *> declared;
  /// Nothing for an operator that is being read.
  llvm::DenseMap<const ast::OperatorFunction *, std::optional<Growth>> known;
  unsigned depth = 0; ///< of the expressions that are being read
};

/// Reports operators that nest too deeply.
void refuseDepthOfOperators(llvm::SMRange range, Diagnostics &diagnostics);

/// Returns the number of an element's elements, itself among them, and how deep they nest.
std::pair<uint64_t, unsigned> extentOf(const Element &element);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_OPERATORGROWTH_H

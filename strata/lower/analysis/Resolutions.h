// The ways in which the compiler resolves what stands against computing a statement as it is
// written, and those in which it computes with dense tensors; the user can forbid each.
#ifndef STRATA_LOWER_ANALYSIS_RESOLUTIONS_H
#define STRATA_LOWER_ANALYSIS_RESOLUTIONS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

enum class Resolution {
  Fusion,     ///< a statement becomes a part of the one that reads its result
  Split,      ///< a part of a statement becomes one of its own
  Grouping,   ///< factors of a product are multiplied in another order than they are written
  Order,      ///< loops run in another order than labels are written
  Workspace,  ///< rows are gathered before they are stored or read
  Conversion, ///< an operand, or a result, is brought to another format
  Sort,       ///< a result's entries are listed, sorted and added up
  Gather,     ///< the entries that an access reaches are collected first
  // Of dense tensors:
  Packing,     ///< labels are permuted while blocks are packed; else tensors are transposed before
  Permutation, ///< of the transposes those that move the fewest elements are chosen
  Blocks,      ///< contractions run in blocks that stay in the caches
  Microkernel, ///< a tile of the result stays in registers
  Transposes,  ///< transposes run in blocks
};

constexpr Resolution allResolutions[] = {
    Resolution::Fusion,     Resolution::Split,       Resolution::Grouping, Resolution::Order,
    Resolution::Workspace,  Resolution::Conversion,  Resolution::Sort,     Resolution::Gather,
    Resolution::Packing,    Resolution::Permutation, Resolution::Blocks,   Resolution::Microkernel,
    Resolution::Transposes,
};

/// Tells whether it is about how fast dense tensors are computed with, not about which statements
/// there are.
bool isOfDenseTensors(Resolution resolution);

/// The word for it on the command line and in attributes.
llvm::StringRef wordOf(Resolution resolution);
std::optional<Resolution> findResolution(llvm::StringRef word);
/// All words, for messages.
std::string resolutionWords();

/// Resolutions, as a set.
class Resolutions {
public:
  void insert(Resolution resolution) { bits |= bitOf(resolution); }
  void erase(Resolution resolution) { bits &= ~bitOf(resolution); }
  bool contains(Resolution resolution) const { return bits & bitOf(resolution); }
  bool empty() const { return !bits; }
  /// Those that are about dense tensors.
  Resolutions ofDenseTensors() const;
  llvm::SmallVector<llvm::StringRef> words() const;

private:
  static unsigned bitOf(Resolution resolution) { return 1u << static_cast<unsigned>(resolution); }
  unsigned bits = 0;
};

/// On a branch of the program (ta.if) whose first region lists and sorts the terms of a sum of
/// products, and whose second converts operands instead: who knows the operands takes the first
/// where it costs less. The branch's condition is the choice of who does not.
inline constexpr llvm::StringLiteral fewTermsAttribute = "strata.few_terms";
/// The same of a branch whose first region walks operands again and again as they are.
inline constexpr llvm::StringLiteral fewStepsAttribute = "strata.few_steps";
/// The same of a branch whose first region reads dense operands across their rows.
inline constexpr llvm::StringLiteral fewReadsAttribute = "strata.few_reads";
/// The same of a branch whose first region computes factors for each step of the loops, and whose
/// second computes all their values first.
inline constexpr llvm::StringLiteral fewUsesAttribute = "strata.few_uses";
/// Tells whether the operation is such a branch.
bool choosesWay(mlir::Operation *op);

/// What is forbidden for a statement: an attribute of it, so that it holds wherever the statement
/// goes. Its kernel's function has what is about dense tensors.
inline constexpr llvm::StringLiteral forbiddenAttribute = "strata.forbidden";
Resolutions forbiddenFor(mlir::Operation *statementOrKernel);
/// A statement with a schedule is computed as it is written: it is not split or fused, and no
/// operand is converted. What is said of dense tensors holds for it all the same.
bool isForbidden(ta::ComputeOp op, Resolution resolution);
void setForbidden(mlir::Operation *statementOrKernel, Resolutions forbidden);
/// What is made of a statement, or for it, is forbidden the same, and rounds alike.
void keepConstraints(ta::ComputeOp made, ta::ComputeOp of);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_RESOLUTIONS_H

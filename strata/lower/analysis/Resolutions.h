// The ways in which the compiler resolves what stands against computing a statement as it is
// written, each of which the user can forbid.
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
};

constexpr Resolution allResolutions[] = {
    Resolution::Fusion,    Resolution::Split,      Resolution::Grouping, Resolution::Order,
    Resolution::Workspace, Resolution::Conversion, Resolution::Sort,     Resolution::Gather,
};

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
  llvm::SmallVector<llvm::StringRef> words() const;

private:
  static unsigned bitOf(Resolution resolution) { return 1u << static_cast<unsigned>(resolution); }
  unsigned bits = 0;
};

/// On a branch of the program (ta.if) whose first region lists and sorts the terms of a sum of
/// products, and whose second converts operands instead: who knows the operands takes the first
/// where it costs less. The branch's condition is the choice of who does not.
inline constexpr llvm::StringLiteral fewTermsAttribute = "strata.few_terms";

/// What is forbidden for a statement: an attribute of it, so that it holds wherever the statement
/// goes.
Resolutions forbiddenFor(ta::ComputeOp op);
/// A statement with a schedule is computed as it is written: it is not split or fused, and no
/// operand is converted.
bool isForbidden(ta::ComputeOp op, Resolution resolution);
void setForbidden(ta::ComputeOp op, Resolutions forbidden);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_RESOLUTIONS_H

// Tensors stored as the sum of several storages: what each part takes, and names for such sums.
#ifndef STRATA_DIALECT_TA_SUMS_H
#define STRATA_DIALECT_TA_SUMS_H

#include "strata/dialect/ta/Ta.h"

#include <optional>

namespace strata::ta {

/// What decides which entries a part of a sum takes.
enum class Division {
  Slots, ///< the number of slots
  Room,  ///< that its levels have a number of places below each parent
  Share, ///< how many of the places are filled that a group of entries would take
};

/// Nothing, if a part in this format would take whatever comes.
std::optional<Division> divisionOf(FormatAttr part);

/// The first level of those that make one group of places (a block, a diagonal) for
/// Division::Share: from there on, every coordinate has a place.
unsigned firstOfGroup(FormatAttr part);

/// The format or sum of formats of that name ("CSR", "HYB:3") for a tensor of `order` dimensions;
/// null, with the reason in `why`, if there is none.
mlir::Attribute namedFormat(mlir::MLIRContext *context, llvm::StringRef name, unsigned order,
                            std::string &why);

/// A part of a sum by its name, which may end in a limit that is none of the format's own numbers
/// ("ELL:3", "BCSR:4x4:60"); `limit` is 0 where it does not.
FormatAttr namedPart(mlir::MLIRContext *context, llvm::StringRef name, unsigned order,
                     int64_t &limit, std::string &why);

/// The names of sums, and a text that explains them.
llvm::ArrayRef<llvm::StringRef> sumNames();
std::string sumHelp();

/// The name of what a tensor is stored as.
std::string formatName(SumAttr sum);
std::string formatName(mlir::RankedTensorType type);

/// The type with these bits where its format, or the formats of its parts, leave widths open.
mlir::RankedTensorType withOpenWidths(mlir::RankedTensorType type, unsigned positions,
                                      unsigned coordinates);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_SUMS_H

// The formats that tests draw from: all named ones, and what one can write beside them.
#ifndef STRATA_TEST_GENERATOR_FORMATS_H
#define STRATA_TEST_GENERATOR_FORMATS_H

#include "Random.h"
#include "strata/dialect/ta/Ta.h"

#include <string>
#include <vector>

namespace strata::test {

/// A format under the name by which results are counted.
struct NamedFormat {
  std::string name;
  std::string text; ///< "#ta.format<...>"; empty: dense and row-major, no encoding
};

/// Those of the table of shorthands that a tensor of this order can have.
std::vector<NamedFormat> namedFormats(unsigned order);

/// Permuted, blocked, diagonal, not unique, not ordered, ...: what the table does not name.
std::vector<NamedFormat> otherFormats(unsigned order);

/// Both.
std::vector<NamedFormat> allFormats(unsigned order);

/// The format of what ta.one_hot makes, as the language's coordinates that are looked up have it.
NamedFormat selectorFormat(unsigned order);

/// A list of entries, each once.
NamedFormat listFormat(unsigned order);

/// One level with each of these words, `dims[l]` at level l.
NamedFormat levelsFormat(const std::vector<unsigned> &dims, const std::vector<std::string> &words);

/// Dense blocks of so many values of each dimension, of which all are stored, or some; `turned`: in
/// another order of the dimensions.
NamedFormat blockFormat(Random &random, unsigned order, int64_t size, bool turned);

/// Any of them, or levels drawn one by one.
NamedFormat drawFormat(Random &random, unsigned order);

/// Levels of any format that may stand where they do, over any map that determines the dimensions:
/// digits, differences, slots, permuted. Each holds every tensor.
NamedFormat drawAnyStack(Random &random, unsigned order);

/// The format with these widths of positions and coordinates (0: left open).
NamedFormat withWidths(const NamedFormat &format, unsigned pos, unsigned crd);

/// The format whose fill is an attribute with this text.
NamedFormat withFill(const NamedFormat &format, unsigned order, const std::string &fill);

/// The format or sum of formats; null, after a diagnostic, if the text is neither.
mlir::Attribute parseFormat(mlir::MLIRContext *context, const NamedFormat &format, unsigned order);

/// Has it places beside those of entries, which hold the fill?
bool hasPadding(const NamedFormat &format, unsigned order);

/// Can a stored zero be told from one that is not? Not in full formats, nor where places are stored
/// beside those of entries (the rest of a block, of a diagonal), which then hold the fill.
bool keepsZeros(mlir::RankedTensorType type);
/// Has it as many values as entries?
bool storesEntriesOnly(mlir::RankedTensorType type);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_FORMATS_H

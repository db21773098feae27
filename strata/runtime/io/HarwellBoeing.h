// Harwell-Boeing and Rutherford-Boeing files (Duff, Grimes, Lewis 1992 and 1997): reading and
// writing matrices.
//
// Four or five lines say what follows: the pointers to the columns, the rows of the entries, the
// values; each list in the columns of a Fortran format. Part of Strata, under the Apache License
// v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HARWELLBOEING_H
#define STRATA_RUNTIME_IO_HARWELLBOEING_H

#include "strata/runtime/io/ExpandSymmetry.h"
#include "strata/runtime/io/FortranFormat.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

/// What the first lines say.
struct HarwellBoeingFacts {
  enum class Field { real, complex, integer, pattern };

  std::string type; ///< three letters, as in the file: `RSA`
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  bool elemental = false; ///< a sum of small dense matrices
  int64_t rows = 0;
  int64_t columns = 0;       ///< or elements
  int64_t indices = 0;       ///< entries of an assembled matrix, variables of all elements
  int64_t elementValues = 0; ///< of an elemental matrix
  bool hasRightHandSides = false;
  FortranFormat pointerFormat, indexFormat, valueFormat;
};

/// Are the third and fourth line those of such a file? Is the second that of a Rutherford-Boeing
/// file?
bool looksLikeHarwellBoeing(std::string_view head);
bool looksLikeRutherfordBoeing(std::string_view head);

/// Leaves the reader at the pointers.
Result<HarwellBoeingFacts> readHarwellBoeingHeader(TextReader &reader);

/// Reads a matrix: R, C, I, P or Q (a pattern here); S, U, H, Z or R; assembled or elemental. The
/// triangle that a symmetric file leaves out is added; right-hand sides are skipped.
Result<TensorFileContent> readHarwellBoeing(const InputFile &file,
                                            const TensorFileOptions &options = {});

/// The order of the numbers in the second line, and whether there is a fifth.
enum class BoeingDialect { harwell, rutherford };

/// Writes a matrix, assembled and without use of symmetry, all or nothing. Entries with equal
/// coordinates are added up.
Status writeHarwellBoeing(const std::string &path, const Coordinates &list, BoeingDialect dialect,
                          const Progress &progress = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HARWELLBOEING_H

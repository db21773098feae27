// binsparse: sparse tensors as arrays of an HDF5 file or a NumPy archive and a description of them
// in JSON.
//
// Specification: https://graphblas.org/binsparse-specification/. Part of Strata, under the Apache
// License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_BINSPARSE_H
#define STRATA_RUNTIME_IO_BINSPARSE_H

#include "strata/runtime/io/ArrayGroup.h"
#include "strata/runtime/io/ExpandSymmetry.h"
#include "strata/runtime/io/LevelArrays.h"
#include "strata/runtime/io/TensorFile.h"

#include <map>

namespace strata::runtime {

/// What the JSON text says.
struct BinsparseDescriptor {
  struct Level {
    bool sparse = false;
    int rank = 1;
    bool sorted = true;
  };

  std::string format = {}; ///< `CSR`, …, or `custom`
  std::vector<int64_t> shape = {};
  std::vector<Level> levels = {};  ///< from the root, without the elements'
  std::vector<int> transpose = {}; ///< which dimension each level's is; empty: in order
  int64_t stored = 0;
  int64_t base = 0;
  bool fill = false;
  Symmetry symmetry = Symmetry::general;
  bool upper = false; ///< which triangle is stored, if not general
  bool iso = false, complexValues = false, booleanValues = false;
  std::map<std::string, std::string> types = {}; ///< of the arrays, as the text says
};

/// Takes the text apart; its statements are consistent with each other, not yet with any array.
Result<BinsparseDescriptor> parseBinsparse(const std::string &text);
/// The text; formats that have a name of their own get it, with their levels beside it.
std::string printBinsparse(const BinsparseDescriptor &descriptor);
/// The name of a stack of levels, or `custom`.
std::string binsparseFormatName(const std::vector<BinsparseDescriptor::Level> &levels,
                                const std::vector<int> &transpose);

/// What the text is called in a group of arrays.
constexpr char binsparseName[] = "binsparse";
/// What the names of the arrays begin with.
constexpr std::string_view binsparsePrefixes[] = {"pointers_to_", "indices_", "values",
                                                  "fill_value"};

/// Reads any of the formats from the arrays of a file of so many bytes, and expands triangles.
Result<TensorFileContent> readBinsparse(ArrayGroup group, int64_t fileBytes,
                                        const TensorFileOptions &options);
/// The type of the values, as a text says.
std::optional<strata_type> binsparseValueType(const std::string &text);

/// Writes a group of arrays whose text has this name, all or nothing.
using GroupWriter = Status (*)(const std::string &path, const std::string &name,
                               const ArrayGroup &group);

/// Writes a list of coordinates as CVEC, COO or one sparse level.
Status writeBinsparse(const std::string &path, const Coordinates &list, std::complex<double> fill,
                      GroupWriter write);
/// Writes arrays of levels as they are.
Status writeBinsparse(const std::string &path, const LevelArrays &arrays, GroupWriter write);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_BINSPARSE_H

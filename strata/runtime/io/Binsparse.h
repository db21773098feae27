// binsparse: sparse tensors as arrays of an HDF5 file and a description of them in JSON.
//
// Specification: https://graphblas.org/binsparse-specification/. Part of Strata, under the Apache
// License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_BINSPARSE_H
#define STRATA_RUNTIME_IO_BINSPARSE_H

#include "strata/runtime/io/ExpandSymmetry.h"
#include "strata/runtime/io/InputFile.h"
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

/// Reads any of the formats, and expands triangles.
Result<TensorFileContent> readBinsparse(const InputFile &file, const TensorFileOptions &options);
/// The type in which values are read if nothing else is wished.
std::optional<strata_type> binsparseValueType(const InputFile &file);

/// Writes a list of coordinates as CVEC, COO or one sparse level, all or nothing.
Status writeBinsparse(const std::string &path, const Coordinates &list, std::complex<double> fill);
/// Writes arrays of levels as they are.
Status writeBinsparse(const std::string &path, const LevelArrays &arrays);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_BINSPARSE_H

// A small file of every kind, for tests of all readers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_RUNTIME_FILEKINDS_H
#define STRATA_TEST_UNIT_RUNTIME_FILEKINDS_H

#include "strata/runtime/io/FileFormats.h"

#include <string>

namespace strata::test {

struct FileKind {
  const char *name;   ///< for test names
  const char *format; ///< in the table
  const char *file;   ///< a name with its ending
  const char *text;
  const char *entries; ///< `row column value`, …; counted from 0
};

/// The entries of a list as text.
inline std::string entriesOf(const runtime::Coordinates &list) {
  std::string text;
  for (int64_t e = 0; e < list.count(); ++e) {
    for (int d = 0; d < list.order(); ++d)
      text += std::to_string(list.coordinate(d, e)) + " ";
    char number[64];
    const std::complex<double> value = list.value(e);
    if (list.valueType() == STRATA_C128)
      std::snprintf(number, sizeof number, "%g%+gi; ", value.real(), value.imag());
    else
      std::snprintf(number, sizeof number, "%g; ", value.real());
    text += number;
  }
  return text;
}

/// Reads bytes as the file of that name would be; the entries, or the error.
inline std::string readBytes(const std::string &name, const std::string &bytes,
                             const runtime::TensorFileOptions &options = {}) {
  runtime::Result<runtime::InputFile> file = runtime::InputFile::fromText(name, bytes);
  if (!file)
    return file.error().text();
  runtime::Result<runtime::TensorFileContent> content =
      runtime::formatOf(*file).read(*file, options);
  return content ? entriesOf(content->list) : content.error().text();
}

inline constexpr FileKind fileKinds[] = {
    {"Coordinate", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix coordinate real general\n% c\n3 4 3\n1 1 1.25\n\n2 3 -4e-1\n3 4 12\n",
     "0 0 1.25; 1 2 -0.4; 2 3 12; "},
    {"Array", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 5\n33 0\n",
     "0 0 1+0i; 1 0 2+5i; 1 1 33+0i; 0 1 2-5i; "},
    {"Tensor", "TensorMarket", "a.ttx",
     "%%MatrixMarket tensor coordinate integer general\n%\n5 6 7 2\n1 1 1 3\n5 6 7 -4\n",
     "0 0 0 3; 4 5 6 -4; "},
    {"Integer", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 7\n3 1 -12\n",
     "0 0 7; 2 0 -12; 0 2 -12; "},
    {"Pattern", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 4\n3 2\n", "0 3 1; 2 1 1; "},
    {"Complex", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix coordinate complex skew-symmetric\n3 3 1\n3 1 1.5 -2\n",
     "2 0 1.5-2i; 0 2 -1.5+2i; "},
    {"RealArray", "Matrix Market", "a.mtx",
     "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5.5\n-6e0\n",
     "0 0 1; 1 0 2; 0 1 3; 1 1 4; 0 2 5.5; 1 2 -6; "},
    {"Vector", "Matrix Market", "a.mtx",
     "%%MatrixMarket vector coordinate real general\n9 2\n2 1.5\n9 3\n", "1 1.5; 8 3; "},
    {"TensorArray", "TensorMarket", "a.ttx",
     "%%MatrixMarket tensor array real general\n2 1 2\n1\n2\n3\n4\n",
     "0 0 0 1; 1 0 0 2; 0 0 1 3; 1 0 1 4; "},
    {"Frostt", "FROSTT", "a.tns", "# c\n1 1 1 7\n40 5 6 8.5\n", "0 0 0 7; 39 4 5 8.5; "},
    {"ExtendedFrostt", "extended FROSTT", "a.tns",
     "# extended FROSTT format\n3 2\n40 50 60\n1 1 1 7\n40 5 6 8\n", "0 0 0 7; 39 4 5 8; "},
    {"Smtx", "smtx", "a.smtx", "% c\n3, 4, 4\n0 2 2 4\n0 3 1 2\n", "0 0 1; 0 3 1; 2 1 1; 2 2 1; "},
    {"EdgeList", "edge list", "a.el",
     "# FromNodeId\tToNodeId\tWeight\n0\t4\t2\n4\t4\t-3\n3\t0\t2.5\n", "0 4 2; 4 4 -3; 3 0 2.5; "},
    {"HarwellBoeing", "Harwell-Boeing", "a.rsa",
     "A symmetric matrix                                                      KEY     \n"
     "             3             1             1             1             0\n"
     "RSA                        3             3             4             0\n"
     "(16I5)          (16I5)          (1P,5D16.8)         \n"
     "    1    3    4    5\n"
     "    1    3    2    3\n"
     "  1.25000000D+00 -4.00000000-01  2.00000000E 00  1.20000000D+01\n",
     "0 0 1.25; 2 0 -0.4; 1 1 2; 2 2 12; 0 2 -0.4; "},
    {"RutherfordBoeing", "Rutherford-Boeing", "a.rb",
     "A rectangular matrix of integers                                        |KEY    \n"
     "             3             1             1             1\n"
     "ira                        3             2             3             0\n"
     "(26I3)          (40I2)          (26I3)              \n"
     "  1  3  4\n"
     " 1 3 2\n"
     "  5 -6  7\n",
     "0 0 5; 2 0 -6; 1 1 7; "},
    {"ComplexBoeing", "Harwell-Boeing", "a.cua",
     "A complex matrix                                                        KEY     \n"
     "             3             1             1             1             0\n"
     "CUA                        2             2             2             0\n"
     "(16I5)          (16I5)          (4E10.2)            \n"
     "    1    2    3\n"
     "    2    1\n"
     "  1.50E+00 -2.00E+00  3.00E+00  0.00E+00\n",
     "1 0 1.5-2i; 0 1 3+0i; "},
    {"BoeingPattern", "Rutherford-Boeing", "a.rb",
     "A pattern                                                               |KEY    \n"
     "             2             1             1             0\n"
     "psa                        3             3             3             0\n"
     "(26I3)          (40I2)              \n"
     "  1  3  3  4\n"
     " 1 2 3\n",
     "0 0 1; 1 0 1; 2 2 1; 0 1 1; "},
    {"Elements", "Rutherford-Boeing", "a.rb",
     "Two elements                                                            |KEY    \n"
     "             3             1             1             1\n"
     "rse                        3             2             4             6\n"
     "(26I3)          (40I2)          (6F8.2)             \n"
     "  1  3  5\n"
     " 1 2 2 3\n"
     "    1.00    2.00     300    4.00    5.00    6.00\n",
     "0 0 1; 1 0 2; 1 1 3; 1 1 4; 2 1 5; 2 2 6; 0 1 2; 1 2 5; "},
    {"Fcidump", "FCIDUMP", "a.FCIDUMP",
     "&FCI NORB=  2,NELEC=2,MS2=0,\n  ORBSYM=1,1,\n  ISYM=1,\n&END\n"
     " 0.75D+00  1 1 1 1\n 0.5  2 1 1 1\n -1.25  1 1 0 0\n -0.25  2 1 0 0\n -0.5 1 0 0 0\n"
     " 0.7  0 0 0 0\n",
     "0 0 0 0 0.75; 1 0 0 0 0.5; 0 1 0 0 0.5; 0 0 1 0 0.5; 0 0 0 1 0.5; "},
};

} // namespace strata::test
#endif // STRATA_TEST_UNIT_RUNTIME_FILEKINDS_H

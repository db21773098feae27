// A statement as others that compute the same: each sum, product and mask by itself.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGEPARTS_H
#define STRATA_TEST_GENERATOR_LARGE_LARGEPARTS_H

#include "LargeCase.h"

namespace strata::test {

struct LargePart {
  std::string text;   ///< "T0(i,k) = sum(j, A(i,j) * B(j,k))"
  std::string result; ///< its name
  std::string format;
  std::string schedule = {}; ///< as the language writes it; empty: the compiler chooses
};

/// The statement as it is.
LargePart asWhole(const LargeCase &c);
/// Its parts, in an order in which they can run; the last computes the result. Products of several
/// are computed two by two, the pair first that has the fewest terms. `plain`: operands in other
/// formats are copied to plain ones first.
std::vector<LargePart> partsOf(const LargeCase &c, bool plain);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGEPARTS_H

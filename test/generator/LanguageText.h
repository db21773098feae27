// Cases as statements of the language, where it can express them.
#ifndef STRATA_TEST_GENERATOR_LANGUAGETEXT_H
#define STRATA_TEST_GENERATOR_LANGUAGETEXT_H

#include "Case.h"
#include "Random.h"

namespace strata::test {

/// Whether the language says the same about the same data: of doubles, without masks, coordinates
/// that are looked up, and operators on what is stored. Places that several values come to, and
/// other things that the analysis refuses, are not asked for.
bool isOfLanguage(const Case &c);

/// A case like one of the language. Some of its kind are drawn more often than a case is: labels
/// that repeat on the left side, constants as right sides, and sums of all elements of a function
/// or a comparison.
Case drawProgram(uint64_t seed);

/// The same, all of whose tensors are dense.
Case drawForLanguage(uint64_t seed);

/// The statement. The init and the result are both called `result`. Sums that the language has
/// several spellings for have one that is drawn.
std::string languageText(const Case &c, Random &random);

/// A program that declares the tensors in their formats, reads the operands from files, computes
/// the statement, and prints the result.
std::string languageProgram(const Case &c, Random &random);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LANGUAGETEXT_H

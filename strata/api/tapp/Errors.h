// The numbers of errors of TAPP.
#ifndef STRATA_API_TAPP_ERRORS_H
#define STRATA_API_TAPP_ERRORS_H

#include "strata/api/strata.h"
#include "strata/api/tapp/tapp.h"

namespace strata::tapp {

/// Those up to 14 mean what they mean in the reference implementation.
enum Error : TAPP_error {
  Success = 0,
  ExtentsOfAAndB = 1,
  ExtentsOfAAndD = 2,
  ExtentsOfBAndD = 3,
  IndexOfDAlone = 4,
  ModesOfCAndD = 5,
  IndicesOfCAndD = 6,
  ExtentsOfCAndD = 7,
  AliasesInD = 8,
  ExtentsInA = 9,
  ExtentsInB = 10,
  ExtentsInD = 11,
  MissingC = 12,
  NegativeModes = 13,
  NegativeExtent = 14,
  MissingArgument = 15,
  UnknownType = 16,
  UnknownPrecision = 17,
  UnknownOperation = 18,
  UnknownObject = 19,
  NoAttribute = 20,
  TooLarge = 21,
  NoMemory = 22,
  ofStrata = 0x1000 ///< and the number of a strata_error_code
};

/// Returns the number of an error of Strata's, whose text the thread keeps, and frees it; Success
/// for null.
TAPP_error errorOf(strata_error *error);

} // namespace strata::tapp

#endif // STRATA_API_TAPP_ERRORS_H

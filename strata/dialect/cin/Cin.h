// The cin dialect: concrete index notation, loops over index variables with effects on storages.
#ifndef STRATA_DIALECT_CIN_CIN_H
#define STRATA_DIALECT_CIN_CIN_H

#include "strata/dialect/ta/Ta.h"

#include "strata/dialect/cin/CinDialect.h.inc"
#define GET_OP_CLASSES
#include "strata/dialect/cin/CinOps.h.inc"

#endif // STRATA_DIALECT_CIN_CIN_H

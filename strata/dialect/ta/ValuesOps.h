// The operations of the ta dialect for the values of tensors without their coordinates.
#ifndef STRATA_DIALECT_TA_VALUESOPS_H
#define STRATA_DIALECT_TA_VALUESOPS_H

#include "strata/dialect/ta/Ta.h"

#define GET_OP_CLASSES
#include "strata/dialect/ta/ValuesOps.h.inc"

#endif // STRATA_DIALECT_TA_VALUESOPS_H

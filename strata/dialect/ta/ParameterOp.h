// The operation of the ta dialect for what is given when a program that is compiled ahead runs.
#ifndef STRATA_DIALECT_TA_PARAMETEROP_H
#define STRATA_DIALECT_TA_PARAMETEROP_H

#include "strata/dialect/ta/Ta.h"

#define GET_OP_CLASSES
#include "strata/dialect/ta/ParameterOp.h.inc"

#endif // STRATA_DIALECT_TA_PARAMETEROP_H

// The lvl dialect: walking and building coordinate hierarchies, without naming a level format.
#ifndef STRATA_DIALECT_LVL_LVL_H
#define STRATA_DIALECT_LVL_LVL_H

#include "strata/dialect/ta/Ta.h"

#include "strata/dialect/lvl/LvlDialect.h.inc"
#include "strata/dialect/lvl/Role.h.inc"
#define GET_TYPEDEF_CLASSES
#include "strata/dialect/lvl/LvlTypes.h.inc"
#define GET_OP_CLASSES
#include "strata/dialect/lvl/LvlOps.h.inc"

#endif // STRATA_DIALECT_LVL_LVL_H

#include "strata/Precompiled.h"

// The headers that most files of the front end read, compiled once for all of them.
#ifndef STRATA_PRECOMPILED_FRONTEND_H
#define STRATA_PRECOMPILED_FRONTEND_H

#include "Standard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#endif // STRATA_PRECOMPILED_FRONTEND_H

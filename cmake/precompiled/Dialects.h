// The headers that most files on Strata's dialects read, compiled once for all of them.
#ifndef STRATA_PRECOMPILED_DIALECTS_H
#define STRATA_PRECOMPILED_DIALECTS_H

#include "Mlir.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Ta.h"

#endif // STRATA_PRECOMPILED_DIALECTS_H

// The types and kernels of a program that is compiled ahead, as they are numbered in it.
#ifndef STRATA_AHEAD_COMPILEDTYPES_H
#define STRATA_AHEAD_COMPILEDTYPES_H

#include "strata/ahead/CompiledProgram.h"

namespace strata {

class CompiledTypes {
public:
  /// Adds to `result`, the program of `main`. Coordinates that formats leave open have `width`
  /// bits.
  CompiledTypes(CompiledProgram &result, mlir::func::FuncOp main, llvm::StringRef name,
                unsigned width);

  /// The type with all widths.
  mlir::RankedTensorType decided(mlir::Type open) const;
  host::TypeId number(mlir::Type open);
  /// ... of a tensor that is made from a list which is silent about zeros, or about what its format
  /// does not store: the program gets the kernel for that.
  host::TypeId packed(mlir::Type open, bool silentZero);
  /// ... of a tensor whose entries are listed: the program gets the kernel for that.
  host::TypeId listed(mlir::Type open);
  host::KernelId addKernel(mlir::OwningOpRef<mlir::ModuleOp> module);

  /// The types of the storages that a tensor of that type is.
  llvm::SmallVector<mlir::RankedTensorType> parts(host::TypeId id) const;

private:
  strata_type coordinates() const { return width == 64 ? STRATA_I64 : STRATA_I32; }

  CompiledProgram &result;
  mlir::func::FuncOp main;
  unsigned width;
  llvm::DenseMap<mlir::RankedTensorType, host::TypeId> numbers;
  std::vector<mlir::RankedTensorType> types;
};

} // namespace strata

#endif // STRATA_AHEAD_COMPILEDTYPES_H

// The kernels of a program that is compiled ahead.
#ifndef STRATA_TRANSLATE_KERNELSAHEAD_H
#define STRATA_TRANSLATE_KERNELSAHEAD_H

#include "strata/translate/CompiledProgram.h"
#include "strata/translate/ProgramTypes.h"

namespace strata {

class KernelsAhead {
public:
  /// Adds to `result`, the program of `main`, whose types these are. Coordinates that formats leave
  /// open have `width` bits.
  KernelsAhead(CompiledProgram &result, ProgramTypes &types, mlir::func::FuncOp main,
               unsigned width);

  /// The type with all widths.
  mlir::RankedTensorType decided(mlir::Type open) const;
  host::TypeId number(mlir::Type open) { return types.number(decided(open)); }
  /// ... of a tensor that is made from a list which is silent about zeros, or about what its format
  /// does not store: the program gets the kernel for that.
  host::TypeId packed(mlir::Type open, bool silentZero);
  /// ... of a tensor whose entries are listed: the program gets the kernel for that.
  host::TypeId listed(mlir::Type open);
  host::KernelId addKernel(mlir::OwningOpRef<mlir::ModuleOp> module);
  Caller caller() const { return result.caller; }
  /// Adds to the comment what storages an argument or a result is: one, or those of its parts.
  void describe(host::TypeId type, const std::string &name);

private:
  strata_type coordinates() const { return width == 64 ? STRATA_I64 : STRATA_I32; }
  void describe(mlir::RankedTensorType type, const std::string &name);

  CompiledProgram &result;
  ProgramTypes &types;
  mlir::func::FuncOp main;
  unsigned width;
};

} // namespace strata

#endif // STRATA_TRANSLATE_KERNELSAHEAD_H

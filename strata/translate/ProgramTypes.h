// The types of a program that becomes data, as they are numbered in it.
#ifndef STRATA_TRANSLATE_PROGRAMTYPES_H
#define STRATA_TRANSLATE_PROGRAMTYPES_H

#include "strata/dialect/ta/Ta.h"
#include "strata/host/Program.h"

namespace strata {

/// A placement as the runtime knows it.
runtime::dist::Places placesOf(ta::PlacementAttr placement);

class ProgramTypes {
public:
  /// Adds types to the program.
  explicit ProgramTypes(host::Program &program) : program(program) {}

  /// The type's number. How it is stored is described with 64 bits where widths are open.
  host::TypeId number(mlir::RankedTensorType type);
  mlir::RankedTensorType type(host::TypeId id) const { return types[size_t(id)]; }
  /// The types of the storages that a tensor of that type is.
  llvm::SmallVector<mlir::RankedTensorType> parts(host::TypeId id) const;

private:
  void place(host::TensorType &stored, ta::PlacementAttr placement) const;

  host::Program &program;
  llvm::DenseMap<mlir::RankedTensorType, host::TypeId> numbers;
  std::vector<mlir::RankedTensorType> types;
};

} // namespace strata

#endif // STRATA_TRANSLATE_PROGRAMTYPES_H

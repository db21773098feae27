// From the operations of a program to its data: decides what depends on formats alone.
#ifndef STRATA_AHEAD_TRANSLATOR_H
#define STRATA_AHEAD_TRANSLATOR_H

#include "strata/ahead/CompiledTypes.h"
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace strata {

/// Each operation of `ta` becomes the instruction with the same name (host/Program.h).
class Translator {
public:
  Translator(mlir::func::FuncOp main, llvm::StringRef name, unsigned width, Caller caller)
      : main(main), types(result, main, name, width) {
    result.caller = caller;
  }

  /// Nothing after an error, which was reported at its operation.
  std::optional<CompiledProgram> run();

private:
  // Adds to the comment what storages an argument or a result is: one, or those of its parts.
  void describe(mlir::Value value, const std::string &name);
  void describe(mlir::RankedTensorType type, const std::string &name);

  //===----------------------------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------------------------===//

  host::TensorId tensor(mlir::Value value);
  std::vector<host::TensorId> tensorsOf(mlir::ValueRange values);
  host::SizeId size(mlir::Value value);
  std::vector<host::SizeId> sizesOf(mlir::ValueRange values);
  // The sizes of a result, of which `dynamic` gives those that its type does not say.
  std::vector<host::SizeId> resultSizes(mlir::Operation *op, mlir::RankedTensorType type,
                                        mlir::ValueRange dynamic);
  mlir::RankedTensorType decided(mlir::Value value) const;
  host::TypeId typeId(mlir::Value value);
  host::TypeId packedType(mlir::Value value, bool silentZero = true);
  // Adds what makes a tensor from a list, as which type it is asked for, and what makes the tensor
  // of that, where it is another.
  void fromList(mlir::Operation *op,
                llvm::function_ref<host::Operation(host::TensorId, host::TypeId)> source);
  // A tensor whose entries are listed.
  host::TensorId listed(mlir::Value value);
  host::KernelId addKernel(mlir::OwningOpRef<mlir::ModuleOp> module);

  //===----------------------------------------------------------------------------------------===//
  // Blocks
  //===----------------------------------------------------------------------------------------===//

  void add(mlir::Operation *at, host::Operation operation);
  void refuse(mlir::Operation *op, const llvm::Twine &why);
  host::Instructions translate(mlir::Block &block);
  // A region hands tensors on at its end; those that its block made belong to the receiver then.
  std::vector<host::TensorId> handedOn(mlir::Operation *end);
  void translate(mlir::Operation &op);

  //===----------------------------------------------------------------------------------------===//
  // Sources
  //===----------------------------------------------------------------------------------------===//

  static host::FileName fileOf(mlir::Operation *op, llvm::StringRef file);
  void translate(ta::ReadOp op);
  void translate(ta::ParameterOp op);
  void translate(ta::FillOp op);
  void translate(ta::RandomOp op);
  void translate(ta::StencilOp op);
  void translate(ta::IotaOp op);
  void translate(ta::OneHotOp op);
  void translate(ta::InsideOp op);
  void translate(ta::DenseAlgebraOp op);
  void translate(ta::ConcatOp op);
  // Constants of sizes and conditions, and lists of what a tensor holds.
  void translate(mlir::arith::ConstantOp op);

  //===----------------------------------------------------------------------------------------===//
  // Other formats
  //===----------------------------------------------------------------------------------------===//

  void convert(mlir::Operation *op, mlir::Value from, mlir::Value to,
               std::vector<host::SizeId> sizes);
  void translate(ta::ConvertOp op);
  void translate(ta::ComponentOp op);
  bool silentZero(mlir::Value value);
  void translate(ta::GatherOp op);
  void translate(ta::InsertPartOp op);

  //===----------------------------------------------------------------------------------------===//
  // Statements
  //===----------------------------------------------------------------------------------------===//

  // The accesses that must stay inside their tensors.
  std::vector<host::Reach> reachesOf(ta::ComputeOp op, bool &windowed);
  std::vector<host::Assumed> assumedBy(ta::ComputeOp op);
  void translate(ta::ComputeOp op);
  void compute(ta::ComputeOp op);

  //===----------------------------------------------------------------------------------------===//
  // Output, sizes
  //===----------------------------------------------------------------------------------------===//

  void translate(ta::WriteOp op);
  void translate(ta::PrintOp op);
  void translate(ta::PrintTextOp op);
  void translate(ta::TimeOp op);
  void translate(ta::PrintElapsedOp op);
  void translate(ta::ReleaseOp op);
  void translate(ta::DimOp op);
  void translate(ta::SameSizeOp op);
  void translate(ta::FitOp op);
  void translate(ta::HoldsOp op);
  void translate(mlir::arith::AndIOp op);
  void translate(mlir::arith::OrIOp op);

  //===----------------------------------------------------------------------------------------===//
  // Loops and branches
  //===----------------------------------------------------------------------------------------===//

  template <typename LoopOp> host::Rounds roundsOf(LoopOp loop);
  void translate(ta::ForOp op);
  void translate(ta::LoopOp op);
  void translate(ta::IfOp op);
  void translate(ta::NextOp op);
  void translate(ta::BreakOp op);
  void translate(mlir::func::ReturnOp op);

  mlir::func::FuncOp main;
  CompiledProgram result;
  CompiledTypes types;
  host::Instructions *current = nullptr;
  llvm::DenseMap<mlir::Value, host::TensorId> tensorIds;
  llvm::DenseMap<mlir::Value, host::SizeId> sizeIds;
  host::TensorId nextTensor = 0;
  host::SizeId nextSize = 0;
  bool fails = false;
};

} // namespace strata

#endif // STRATA_AHEAD_TRANSLATOR_H

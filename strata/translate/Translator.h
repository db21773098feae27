// From the operations of a program to its data. Where it is compiled ahead, what depends on formats
// alone is decided; else it is left to the run.
#ifndef STRATA_TRANSLATE_TRANSLATOR_H
#define STRATA_TRANSLATE_TRANSLATOR_H

#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/translate/KernelsAhead.h"
#include "strata/translate/OpenProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace strata {

/// Each operation of `ta` becomes the instruction with the same name (host/Program.h).
class Translator {
public:
  /// Without `ahead`, kernels are made as a run needs them.
  Translator(mlir::func::FuncOp main, host::Program &program, ProgramTypes &types,
             KernelsAhead *ahead)
      : main(main), program(program), types(types), ahead(ahead) {}

  /// False after an error, which was reported at its operation.
  bool run();

  /// Of each of the program's places.
  std::vector<mlir::Operation *> operations;
  llvm::DenseMap<mlir::Value, host::TensorId> tensorIds;
  llvm::DenseMap<mlir::Value, host::SizeId> sizeIds;

private:
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
  mlir::RankedTensorType decided(mlir::RankedTensorType type) const;
  mlir::RankedTensorType decided(mlir::Value value) const;
  host::TypeId typeId(mlir::Value value);
  // ... of a tensor that is made from a list which is silent about zeros, or about its fill.
  host::TypeId packedType(mlir::Value value, bool silentZero = true);
  // ... about its fill, which may be zero.
  host::TypeId ownType(mlir::Value value) { return packedType(value, hasZeroFill(value)); }
  bool hasZeroFill(mlir::Value value);
  host::TensorId newTensor(const std::string &name);
  // Adds what makes a tensor from a list, as which type it is asked for, and what makes the tensor
  // of that, where it is another.
  void fromList(mlir::Operation *op,
                llvm::function_ref<host::Operation(host::TensorId, host::TypeId)> source);
  // A tensor whose entries are listed.
  host::TensorId listed(mlir::Value value);

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

  host::FileName fileOf(mlir::Operation *op, llvm::StringRef file) const;
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
  void translate(ta::LexiOrderOp op);
  std::optional<std::vector<char>> fillOfEntries(mlir::Operation *op, mlir::ValueRange tensors);
  // Constants of sizes and conditions, and lists of what a tensor holds.
  void translate(mlir::arith::ConstantOp op);

  //===----------------------------------------------------------------------------------------===//
  // Other formats
  //===----------------------------------------------------------------------------------------===//

  void convert(mlir::Operation *op, mlir::Value from, mlir::Value to,
               std::vector<host::SizeId> sizes);
  void movePieces(mlir::Value from, mlir::RankedTensorType to, bool silentZero);
  void movePieces(mlir::Value from, mlir::Value to);
  host::CellRounds cellRoundsOf(ta::DistributeOp op);
  void move(ta::ConvertOp op);
  void translate(ta::ConvertOp op);
  void translate(ta::NeedsOp op);
  void translate(ta::ReachOp op);
  void translate(ta::FetchOp op);
  void translate(ta::ScatterOp op);
  void translate(ta::ComponentOp op);
  void translate(ta::ValuesOp op);
  void translate(ta::WithValuesOp op);
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
  void computeAhead(ta::ComputeOp op, host::Compute &compute);

  //===----------------------------------------------------------------------------------------===//
  // Output, sizes
  //===----------------------------------------------------------------------------------------===//

  void translate(ta::WriteOp op);
  void translate(ta::PrintOp op);
  void translate(ta::PrintTextOp op);
  void translate(ta::CheckpointOp op);
  void translate(ta::TimeOp op);
  void translate(ta::PrintElapsedOp op);
  void translate(ta::ReleaseOp op);
  void translate(ta::DimOp op);
  void translate(ta::CellsOp op);
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
  void translate(ta::DistributeOp op);
  void translate(ta::NextOp op);
  void translate(ta::BreakOp op);
  void translate(mlir::func::ReturnOp op);

  mlir::func::FuncOp main;
  host::Program &program;
  ProgramTypes &types;
  KernelsAhead *ahead;
  host::Instructions *current = nullptr;
  bool fails = false;
};

} // namespace strata

#endif // STRATA_TRANSLATE_TRANSLATOR_H

// Makes loops of a kernel's walks.
#ifndef STRATA_LOWER_SCF_KERNELLOWERING_H
#define STRATA_LOWER_SCF_KERNELLOWERING_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/level/Pieces.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/lower/scf/BuilderToScf.h"
#include "strata/lower/scf/CoiterateToScf.h"
#include "strata/lower/scf/LevelWalk.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace strata {

/// Goes through the operations of a kernel in lvl. Loops and their pieces are in LowerLoops.cpp.
class KernelLowering {
public:
  KernelLowering(mlir::func::FuncOp kernel, bool serial, mlir::OpBuilder &b)
      : kernel(kernel), serial(serial), b(b) {}

  /// Makes the loops; a failure was reported.
  mlir::LogicalResult run();

private:
  Values flat(mlir::ValueRange values);
  void define(mlir::ValueRange values, mlir::ValueRange flat);
  void nameCoordinates(llvm::StringRef names, mlir::ValueRange coordinates);
  llvm::SmallVector<mlir::Type> flatTypes(mlir::TypeRange types);
  void emitBlock(mlir::Block &block);
  void emit(mlir::Operation &op);
  void emitIf(mlir::scf::IfOp op);
  void emitCoiterate(lvl::CoiterateOp op);
  void annotateLoop(lvl::CoiterateOp op, llvm::ArrayRef<LevelWalk> walks,
                    mlir::ValueRange coordinates, mlir::Operation *outside);
  LevelWalk walkOf(mlir::Value iterator);
  void emitOver(mlir::Value iterator, mlir::Value before, mlir::Value after,
                llvm::function_ref<void(Values &, mlir::Value)> at);
  using PieceBody = llvm::function_ref<Values(Values, const LoopPiece &)>;
  Values inPieces(lvl::CoiterateOp op, llvm::ArrayRef<LevelWalk> walks, Values carried,
                  PieceBody body);
  void runPiece(const LoopPiece &piece, const Values &carried, PieceBody body);
  Values untilTaken(LoopPiece piece, Values state, PieceBody body);
  void withRoom(lvl::CoiterateOp op, llvm::ArrayRef<LevelWalk> walks, Values &carried,
                llvm::function_ref<void()> loops);
  mlir::Value emitValue(lvl::ValueOp op);
  mlir::Value emitStored(lvl::ValueOp op);
  void emitLocate(lvl::LocateOp op);
  mlir::Value locateWhere(mlir::Value there, mlir::Location loc, llvm::function_ref<Found()> locate,
                          mlir::Value &position);
  void emitBuild(lvl::BuildOp op);
  mlir::Value steps(mlir::Operation *begins);
  void allocate(lvl::WorkspaceOp op);
  void releaseWorkspaces(llvm::SmallVectorImpl<emit::Growing> &some);
  void emitDivision(mlir::Operation &op);
  void emitRequire(lvl::RequireOp require);
  mlir::Value stored(const StorageValues &storage, mlir::Value position, mlir::Location loc) {
    return emit::loadValue(b, loc, storage.values, position, storage.type.getElementType());
  }

  mlir::func::FuncOp kernel;
  bool serial;          ///< for readers: no pieces, coordinates with names
  bool refused = false; ///< a loop cannot run as its mark says
  mlir::OpBuilder &b;
  mlir::IRMapping mapping;
  mlir::Value context;
  llvm::SmallVector<std::unique_ptr<StorageValues>> storages;
  llvm::DenseMap<mlir::Value, const StorageValues *> storageOf;
  llvm::DenseMap<mlir::Value, PathValues> paths;
  llvm::DenseMap<mlir::Value, Values> builders;
  /// Of paths that may be there or not: whether they are, and what their values are taken for.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::TypedAttr>> blended;
  std::optional<ResultBuilder> result;
  bool counting = true;                                   ///< of two passes, is it the first?
  llvm::SmallVector<lvl::WorkspaceOp> workspacesOfPieces; ///< each piece has its own
  llvm::SmallVector<emit::Growing> workspaces;            ///< those allocated where we are
  llvm::SmallVector<emit::Growing> sharedWorkspaces;      ///< those of all pieces together
};

} // namespace strata

#endif // STRATA_LOWER_SCF_KERNELLOWERING_H

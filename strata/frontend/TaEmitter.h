// Makes a program a module of ta operations, one after the other, with tensors as values.
#ifndef STRATA_FRONTEND_TAEMITTER_H
#define STRATA_FRONTEND_TAEMITTER_H

#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata::frontend {

/// Makes one module of one program (emitTa).
class TaEmitter {
public:
  TaEmitter(const Program &program, mlir::MLIRContext *context, Diagnostics &diagnostics);
  /// The module, or null after errors.
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  void emit(const Machine &machine);
  void emit(llvm::ArrayRef<Operation> operations);

  // Types, places, sizes (EmitTa.cpp)
  void internalError(const llvm::Twine &what);
  mlir::RankedTensorType typeOf(const Tensor &tensor);
  mlir::Location locate(llvm::SMRange range);
  mlir::Location locate(TensorId result);
  mlir::Location here() { return locate(range); }
  mlir::Location locateStatement(TensorId result);
  static std::string sourceText(llvm::SMRange range);
  mlir::Value emitSize(const SizeSource &source);
  mlir::Value parameter(const std::string &name, mlir::Type type, mlir::Location place);
  mlir::Value emitSize(const Size &size) {
    return size.var ? extents[*size.var] : emitSources(size);
  }
  mlir::Value emitSources(const Size &size);
  mlir::Value emitExtent(const Size &size);
  llvm::SmallVector<mlir::Value> emitSizes(TensorId result, llvm::ArrayRef<Size> sizes);

  // Statements (EmitStatements.cpp)
  mlir::Value emitLabel(const Element &element);
  bool isStoredBelowOthers(const Element &element, const Element &selector) const;
  mlir::Value emitSelector(const Element &element);
  mlir::Value operandOf(const Element &element);
  ElementType operandType(const Element &element) const;
  void collectInputs(const Element &element, ElementType type,
                     llvm::SmallVectorImpl<mlir::Value> &inputs);
  llvm::SmallVector<mlir::Value> resultSizes(const Compute &compute);
  bool checkPlaces(mlir::AffineMap place);
  void emit(const Compute &compute);
  void emitScheduleOf(ta::ComputeOp op, const ast::Schedule &schedule);
  static ta::Combine combineOf(ast::AssignOp op, ElementType type);
  static ta::Combine combineOf(Operator op, ElementType type);
  void emitMask(ta::ComputeOp op, const ComputeMask &mask, const Compute &compute);
  mlir::TypedAttr emptyOf(ta::ComputeOp op, const Compute &compute);
  void emitBody(ta::ComputeOp op, const Compute &compute, mlir::Value before);

  // Other operations (EmitOperations.cpp)
  void emit(const Fill &fill);
  void emit(const Random &random);
  void emit(const LinearAlgebra &algebra);
  void emit(const Concatenation &joined);
  void emit(const Reordering &reordered);
  template <typename Make> mlir::Attribute withNumbers(const Values &values, Make make);
  static Values withoutZeros(const Values &list);
  void emit(const Values &values);
  void emit(const Stencil &stencil);
  void emit(const Read &read);
  void emit(const Given &given);
  void emit(const Return &op) { returned.push_back(values[op.tensor]); }
  void emit(const Write &write);
  void nameFile(mlir::Operation *op, const std::string &parameter);
  void emit(const Print &print);
  void emit(const PrintText &print) { ta::PrintTextOp::create(b, here(), print.text); }
  void emit(const Time &time);
  void emit(const Share &share) { values[share.result] = values[share.source]; }
  void emit(const PrintElapsed &elapsed);

  // Control flow (EmitOperations.cpp)
  llvm::SmallVector<mlir::Value> valuesOf(llvm::ArrayRef<TensorId> tensors);
  llvm::SmallVector<mlir::Type> typesOf(llvm::ArrayRef<TensorId> tensors);
  void emitBlock(mlir::Region &region, llvm::ArrayRef<TensorId> arguments,
                 llvm::ArrayRef<Operation> operations, llvm::ArrayRef<TensorId> given);
  void emit(const Loop &loop);
  void emit(const Branch &branch);
  void emit(const Break &) { ta::BreakOp::create(b, here(), valuesOf(leaving.back())); }
  static ta::Relation relationOf(ast::Condition::Kind kind);
  mlir::Value emit(const Test &test);

  const Program &program;
  mlir::OpBuilder b;
  Diagnostics &diagnostics;
  llvm::SmallVector<mlir::RankedTensorType> types;
  mlir::func::FuncOp main;
  llvm::SmallVector<mlir::Value> returned;
  llvm::SmallVector<mlir::Value> values; ///< of each tensor, at this place of the program
  llvm::SmallVector<llvm::SmallVector<TensorId>>
      leaving;                                       ///< for each loop around: what it hands over
  llvm::DenseMap<const Element *, mlir::Value> made; ///< for the current statement
  const Element *statement = nullptr;                ///< its value
  llvm::DenseMap<const Element *, ElementType> numberTypes; ///< of its parameters
  llvm::DenseMap<std::pair<mlir::StringAttr, mlir::Type>, mlir::Value> parameters;
  ta::ParameterOp lastParameter;
  llvm::SmallVector<mlir::Value> extents; ///< of the current statement's variables
  llvm::SMRange range;                    ///< of the current operation
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_TAEMITTER_H

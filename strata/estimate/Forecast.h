// What the statements of a program are expected to do, before it runs.
#ifndef STRATA_ESTIMATE_FORECAST_H
#define STRATA_ESTIMATE_FORECAST_H

#include "strata/compile/ProgramKernels.h"
#include "strata/cost/Prediction.h"
#include "strata/estimate/KernelFacts.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// How long a kernel in ta should take, which becomes one in lvl; nothing if that cannot be told.
/// Of its storages, the result first, and of its sizes.
std::optional<cost::Prediction> predictKernel(mlir::ModuleOp kernel,
                                              llvm::ArrayRef<cost::TensorStatistics> tensors,
                                              llvm::ArrayRef<int64_t> extents,
                                              const machine::Machine &machine, int64_t threads);

/// Of one statement, once.
struct StatementForecast {
  double operations = 0;                     ///< on elements
  double steps = 0;                          ///< of its loops
  double bytes = 0;                          ///< of operands and result, each once
  std::optional<cost::Prediction> time = {}; ///< where a machine is given that has been measured
  KernelFacts facts = {};                    ///< that a run tells the statement's kernel
  /// The numbers of entries of all operands are those that a run finds, not estimates.
  bool isExact = false;
};

/// The tensors of a program that are there before it runs; all outlive what is told them.
struct GivenTensors {
  llvm::ArrayRef<TensorValue> arguments = {}; ///< of the function
  /// The results of its ta.reads in the order of the text, each nothing where a file was not read.
  /// It is empty if none was.
  llvm::ArrayRef<std::optional<TensorValue>> files = {};
};

/// Follows a program from what it is given: sizes and numbers of entries. The entries of what it
/// computes count as spread evenly. Nothing is said of a statement that depends on what only a run
/// can tell.
class Forecast {
public:
  struct Options {
    const machine::Machine *machine = nullptr; ///< null, or measured
    int64_t threads = 1;
  };
  explicit Forecast(Options options) : options(options) {}

  /// Follows the operations of a function, those of loops and branches once.
  void follow(mlir::func::FuncOp main, const GivenTensors &given = {});

  std::optional<StatementForecast> of(ta::ComputeOp statement) const;
  /// A tensor that is there already, which the value is, or what it was before a conversion; null
  /// of others.
  const TensorValue *given(mlir::Value value) const;
  /// Tells the kernels of the program what a run would, of the statements of which that is known.
  void tell(llvm::MutableArrayRef<ProgramKernel> kernels) const;

private:
  struct Known {
    mlir::RankedTensorType type;
    std::vector<int64_t> sizes;
    double entries = 0;                  ///< values, padding included
    bool isExact = false;                ///< so many there are; else an estimate
    const TensorValue *tensor = nullptr; ///< where it is there already
  };

  void define(mlir::Value value, const TensorValue &tensor);
  void follow(mlir::Block &block);
  void follow(mlir::Operation &op);
  void compute(ta::ComputeOp op);
  Occupancy occupancyOf(mlir::Value operand) const;
  KernelFacts judge(ta::ComputeOp op, const Known &result) const;
  void weigh(ta::ComputeOp op, const Known &result, StatementForecast &expected) const;
  cost::TensorStatistics statistics(const Known &known, std::string name) const;
  std::optional<std::vector<int64_t>> sizesOf(mlir::RankedTensorType type,
                                              mlir::ValueRange dynamic) const;
  std::optional<std::vector<int64_t>> numbersOf(mlir::ValueRange sizes) const;
  void make(mlir::Value value, mlir::ValueRange sizes, double density);
  void pass(mlir::ValueRange from, mlir::ValueRange to);

  Options options;
  llvm::DenseMap<mlir::Value, Known> tensors;
  llvm::DenseMap<mlir::Value, int64_t> numbers;
  llvm::DenseMap<mlir::Operation *, StatementForecast> statements;
};

} // namespace strata

#endif // STRATA_ESTIMATE_FORECAST_H
